//! What is refused by number. It is when a snapshot is loaded, since whoever wrote it may have wanted to do harm, and when one is
//! saved, since nobody could load it.

use super::error::{LoadError, SaveError};
use super::part::SavedFrame;
use crate::system::Timer;

/// Numbers beyond this would come to their end in a run.
const MOST: u64 = 1 << 62;
/// Systems and functions: more would take long to be compared with each other.
const MOST_SYSTEMS: usize = 1 << 14;
/// Events that may wait in all: events without a size take no bytes, and could be any number. A dispatch sends no more either, unless told.
const MOST_EVENTS: u64 = 1 << 24;
/// Intervals that may have been put off: a system that catches up runs once for each.
const MOST_INTERVALS: u128 = 1 << 24;

/// How deep values may lie within each other in a text.
pub(super) const DEPTH: usize = 128;
/// How deep they lie within all else in a text.
pub(super) const DEPTH_OF_PARTS: usize = 32;

/// Something is more than may be.
pub(super) struct Excess {
    part: String,
    problem: String,
    /// What whoever saves can do.
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
    let problem = || format!("there are more than {MOST_SYSTEMS}");
    check(count <= MOST_SYSTEMS, || ("systems".to_owned(), problem(), "cancel some functions"))
}

/// What was put off, because a panic ended the frame, is due in the next one.
pub(super) fn check_timer(system: &str, timer: &Timer) -> Result<(), Excess> {
    let is_fine = match timer {
        Timer::Every { interval, waited, .. } => waited.as_nanos() < interval.as_nanos() * MOST_INTERVALS,
        Timer::EveryFrame | Timer::OnceAfter { .. } => true,
    };
    check(is_fine, || (format!("system \"{system}\""), "its timer should have run".to_owned(), LATER))
}

/// How many events wait, by list or by run.
pub(super) fn check_waiting(counts: impl Iterator<Item = u64>) -> Result<(), Excess> {
    let all = counts.fold(0, u64::saturating_add);
    check(all <= MOST_EVENTS, || ("events".to_owned(), format!("more than {MOST_EVENTS} wait"), LATER))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many functions can be added, but putting them into an order takes minutes.
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
