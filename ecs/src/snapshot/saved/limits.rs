//! Size limits, checked on load because saves may be forged, and on save because the result could not be loaded.

use super::error::{LoadError, SaveError};
use super::part::SavedFrame;
use crate::system::Timer;

/// Larger numbers could overflow during a run.
pub(super) const MOST: u64 = 1 << 62;
/// Systems and functions. Forged ones would be ordered and kept.
const MAX_SYSTEMS: usize = 1 << 14;
/// Waiting events: zero-sized events take no bytes, so their number can be forged. This is also the default dispatch
/// limit.
const MAX_EVENTS: u64 = 1 << 24;
/// Streams of random numbers. Forged ones would be kept, and each is looked up by its name.
const MAX_STREAMS: usize = 1 << 12;
/// Intervals to catch up: the systems run once for each.
const MAX_INTERVALS: u128 = crate::system::MOST_RUNS;

pub(super) struct Excess {
    part: String,
    problem: String,
    /// What to do when saving.
    remedy: &'static str,
}

impl From<Excess> for LoadError {
    fn from(Excess { part, problem, .. }: Excess) -> Self {
        Self::Invalid { part, problem }
    }
}

impl From<Excess> for SaveError {
    fn from(Excess { part, problem, remedy }: Excess) -> Self {
        Self::NotLoadable { part, problem, remedy }
    }
}

fn check(is_fine: bool, excess: impl FnOnce() -> (String, String, &'static str)) -> Result<(), Excess> {
    if is_fine {
        return Ok(());
    }
    let (part, problem, remedy) = excess();
    Err(Excess { part, problem, remedy })
}

const LATER: &str = "save after another frame";

pub(super) fn check_frame(frame: &SavedFrame) -> Result<(), Excess> {
    let is_fine = [frame.frame, frame.delivered, frame.counted].iter().all(|number| *number <= MOST);
    check(is_fine, || ("frame".to_owned(), "its numbers are too large".to_owned(), "begin with a new engine"))
}

pub(super) fn check_systems(count: usize) -> Result<(), Excess> {
    let problem = || format!("there are more than {MAX_SYSTEMS}");
    check(count <= MAX_SYSTEMS, || ("systems".to_owned(), problem(), "cancel some functions"))
}

pub(super) fn check_streams(count: usize) -> Result<(), Excess> {
    let problem = || format!("there are more than {MAX_STREAMS} streams");
    check(count <= MAX_STREAMS, || ("random numbers".to_owned(), problem(), "draw for fewer purposes"))
}

/// Runs deferred by a panic are due in the next frame.
pub(super) fn check_timer(system: &str, timer: &Timer) -> Result<(), Excess> {
    let is_fine = match timer {
        Timer::Every { interval, waited, .. } => waited.as_nanos() < interval.as_nanos() * MAX_INTERVALS,
        Timer::EveryFrame | Timer::OnceAfter { .. } => true,
    };
    check(is_fine, || (format!("system \"{system}\""), "its timer should have run".to_owned(), LATER))
}

/// `counts` are the lengths of the lists.
pub(super) fn check_waiting(counts: impl Iterator<Item = u64>) -> Result<(), Excess> {
    let all = counts.fold(0, u64::saturating_add);
    check(all <= MAX_EVENTS, || ("events".to_owned(), format!("more than {MAX_EVENTS} wait"), LATER))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Not a scenario test: it would add 16,385 functions.
    #[test]
    fn more_systems_than_are_loaded_are_not_saved() {
        assert!(check_systems(16_384).is_ok());
        let error = SaveError::from(check_systems(16_385).expect_err("there are too many")).to_string();
        assert_eq!(
            error,
            "the snapshot cannot be saved, because it could not be loaded (systems): there are more than 16384; cancel some functions"
        );
    }
}
