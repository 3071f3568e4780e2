//! Runs the rounds of a case. The contestants take turns, so that noise of the machine affects all of them.

use crate::cases::Case;
use crate::peers::{ALL, Contestant};
use crate::stopwatch::{Runner, Stopwatch};

/// The times of a case.
pub(crate) struct Outcome {
    pub(crate) case: &'static Case,
    /// The median of the rounds of each contestant, in nanoseconds, in the order of [`ALL`].
    pub(crate) nanos: Vec<Option<f64>>,
}

/// How much to run.
pub(crate) struct Effort {
    /// The contestants to run beside the floor; all if empty.
    pub(crate) only: Vec<String>,
    /// The number of timed rounds.
    pub(crate) rounds: usize,
    /// Whether to run tiny cases, which only compare the checksums.
    pub(crate) is_quick: bool,
}

impl Outcome {
    /// The time of each contestant as a multiple of the floor's.
    pub(crate) fn ratios(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        let floor = self.nanos[0].unwrap_or(f64::NAN);
        self.nanos.iter().map(move |nanos| nanos.map(|nanos| nanos / floor))
    }
}

/// Runs a case on all contestants.
///
/// # Panics
/// If a contestant's checksum differs from the floor's.
pub(crate) fn run(case: &'static Case, effort: &Effort) -> Outcome {
    let (count, repetitions) =
        if effort.is_quick { (case.count.min(200), case.repetitions.min(3)) } else { (case.count, case.repetitions) };
    let is_run = |name: &str| name == "floor" || effort.only.is_empty() || effort.only.iter().any(|only| only == name);
    let runner = |of: &Contestant| if is_run(of.name) { (of.runner)(case.work, count) } else { None };
    let mut runners: Vec<Option<Runner>> = ALL.iter().map(runner).collect();
    // The first round compares the checksums and warms up; it is not timed.
    round(case, &mut runners, repetitions);
    let mut nanos: Vec<Vec<f64>> = vec![Vec::new(); runners.len()];
    for _ in 0..effort.rounds {
        for (all, nanos) in nanos.iter_mut().zip(round(case, &mut runners, repetitions)) {
            all.extend(nanos);
        }
    }
    Outcome { case, nanos: nanos.into_iter().map(median).collect() }
}

/// Runs one round and returns the nanoseconds of each contestant.
fn round(case: &Case, runners: &mut [Option<Runner>], repetitions: usize) -> Vec<Option<f64>> {
    let mut expected = None;
    let time = |(runner, contestant): (&mut Option<Runner>, &Contestant)| {
        let mut watch = Stopwatch::new(repetitions);
        let checksum = runner.as_mut()?(&mut watch);
        let expected = *expected.get_or_insert(checksum);
        assert_eq!(checksum, expected, "the checksum of {} differs from the floor's in {}", contestant.name, case.name);
        Some(watch.nanos())
    };
    runners.iter_mut().zip(ALL).map(time).collect()
}

fn median(mut nanos: Vec<f64>) -> Option<f64> {
    nanos.sort_by(f64::total_cmp);
    nanos.get(nanos.len() / 2).copied()
}
