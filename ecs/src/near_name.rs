//! The known name that a misspelt one probably means.

/// The known name that is probably meant by a misspelt one, whatever their case: at most two letters differ, and at
/// most half of them; two that are swapped count as one. Of several the first by letters.
///
/// ```
/// # #[cfg(feature = "prefabs")] {
/// use ecs::prefab::nearest_name;
///
/// assert_eq!(nearest_name("Prefab", ["levels", "prefabs"]), Some("prefabs"));
/// assert_eq!(nearest_name("sounds", ["levels", "prefabs"]), None);
/// assert_eq!(nearest_name("x", ["y"]), None);
/// # }
/// ```
pub fn nearest_name<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 2).min(2);
    let name = name.to_lowercase();
    let near = known.into_iter().map(|other| (distance(&name, &other.to_lowercase()), other)).min()?;
    (near.0 <= limit).then_some(near.1)
}

/// What a sentence about an unknown name ends with: the known one that is probably meant, or nothing.
///
/// ```
/// # #[cfg(feature = "prefabs")] {
/// use ecs::prefab::may_be_meant;
///
/// assert_eq!(may_be_meant("Prefab", ["levels", "prefabs"]), ": `prefabs` may be meant");
/// assert_eq!(may_be_meant("sounds", ["levels", "prefabs"]), "");
/// # }
/// ```
pub fn may_be_meant<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest_name(name, known).map_or_else(String::new, |meant| format!(": `{meant}` may be meant"))
}

/// How many letters are missing, too many, wrong, or swapped with the next one.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|name| name.chars().collect::<Vec<_>>());
    // The distances of the first letters of `a`, by their number, from those of `b`; the last row comes first.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut before = row.clone();
    for i in 1..=a.len() {
        let mut next = vec![i; row.len()];
        for j in 1..=b.len() {
            let exchanged = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            next[j] = exchanged.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                next[j] = next[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_single_letters() {
        assert_eq!([distance("", "abc"), distance("kitten", "sitting"), distance("ab", "ab")], [3, 3, 0]);
        assert_eq!([distance("rno", "ron"), distance("ia", "ai"), distance("gmae.rno", "game.ron")], [1, 1, 2]);
    }
}
