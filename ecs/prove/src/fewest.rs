//! [`fewest`]: the few of many that something needs.

use std::convert::Infallible;

/// The places that something needs, of so many: halves of them are left out, then quarters and so on, as long as it
/// `comes_with` those that are kept; at last single ones, until none can be.
pub(crate) fn fewest<E>(
    count: usize,
    mut comes_with: impl FnMut(&[usize]) -> Result<bool, E>,
) -> Result<Vec<usize>, E> {
    let mut kept: Vec<usize> = (0..count).collect();
    let mut chunk = count;
    while chunk > 0 {
        let (mut at, before) = (0, kept.len());
        while at < kept.len() {
            let behind = kept.iter().skip(at + chunk);
            let fewer: Vec<usize> = kept[..at].iter().chain(behind).copied().collect();
            match comes_with(&fewer)? {
                true => kept = fewer,
                false => at += chunk,
            }
        }
        chunk = if chunk > 1 { chunk.div_ceil(2) } else { usize::from(kept.len() < before) };
    }
    Ok(kept)
}

/// The places of the inputs that something needs, of so many: the others are left out as long as it `comes_with` those
/// that are kept.
pub fn needed_inputs(count: usize, mut comes_with: impl FnMut(&[usize]) -> bool) -> Vec<usize> {
    let kept = fewest(count, |kept| Ok::<_, Infallible>(comes_with(kept)));
    kept.unwrap_or_else(|never| match never {})
}

#[cfg(test)]
mod tests {
    use super::needed_inputs;

    #[test]
    fn what_is_needed_together_stays_and_nothing_else() {
        assert_eq!(needed_inputs(100, |kept| kept.contains(&7) && kept.contains(&93)), [7, 93]);
        assert_eq!(needed_inputs(5, |_| true), [0_usize; 0]);
        assert_eq!(needed_inputs(3, |kept| kept.len() == 3), [0, 1, 2]);
        assert_eq!(needed_inputs(0, |_| true), [0_usize; 0]);
    }
}
