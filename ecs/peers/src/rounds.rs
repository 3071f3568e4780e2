//! Plays the rounds of a case: all contestants in turn, so that what disturbs the machine disturbs all of them.

use crate::cases::Case;
use crate::peers::{ALL, Contestant};
use crate::stopwatch::{Runner, Stopwatch};

/// What became of a case.
pub(crate) struct Outcome {
    pub(crate) case: &'static Case,
    /// Of each contestant, in their order: the median of its rounds, in nanoseconds.
    pub(crate) nanos: Vec<Option<f64>>,
}

/// How much is played.
pub(crate) struct Effort {
    /// Who plays beside the floor; everybody if this is empty.
    pub(crate) only: Vec<String>,
    /// How many rounds are timed.
    pub(crate) rounds: usize,
    /// Whether everything is made tiny, so that only the checksums mean something.
    pub(crate) is_quick: bool,
}

impl Outcome {
    /// Of each contestant, how many times the floor's time it took.
    pub(crate) fn ratios(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        let floor = self.nanos[0].unwrap_or(f64::NAN);
        self.nanos.iter().map(move |nanos| nanos.map(|nanos| nanos / floor))
    }
}

/// Lets everybody do the case.
///
/// # Panics
/// If a contestant's checksum is not the floor's.
pub(crate) fn play(case: &'static Case, effort: &Effort) -> Outcome {
    let (count, repetitions) =
        if effort.is_quick { (case.count.min(200), case.repetitions.min(3)) } else { (case.count, case.repetitions) };
    let plays = |name: &str| name == "floor" || effort.only.is_empty() || effort.only.iter().any(|only| only == name);
    let runner = |of: &Contestant| if plays(of.name) { (of.runner)(case.work, count) } else { None };
    let mut runners: Vec<Option<Runner>> = ALL.iter().map(runner).collect();
    // Nothing is timed before everybody has shown that it does the same work; it warms up everybody as well.
    round(case, &mut runners, repetitions);
    let mut nanos: Vec<Vec<f64>> = vec![Vec::new(); runners.len()];
    for _ in 0..effort.rounds {
        for (all, nanos) in nanos.iter_mut().zip(round(case, &mut runners, repetitions)) {
            all.extend(nanos);
        }
    }
    Outcome { case, nanos: nanos.into_iter().map(median).collect() }
}

/// One round: the nanoseconds of each contestant.
fn round(case: &Case, runners: &mut [Option<Runner>], repetitions: usize) -> Vec<Option<f64>> {
    let mut expected = None;
    let play = |(runner, contestant): (&mut Option<Runner>, &Contestant)| {
        let mut watch = Stopwatch::new(repetitions);
        let checksum = runner.as_mut()?(&mut watch);
        let expected = *expected.get_or_insert(checksum);
        assert_eq!(checksum, expected, "{} does something else than the floor in {}", contestant.name, case.name);
        Some(watch.nanos())
    };
    runners.iter_mut().zip(ALL).map(play).collect()
}

fn median(mut nanos: Vec<f64>) -> Option<f64> {
    nanos.sort_by(f64::total_cmp);
    nanos.get(nanos.len() / 2).copied()
}
