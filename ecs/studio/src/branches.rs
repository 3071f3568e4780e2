//! Two branches of the history, compared.

use ecs::inspect::{FieldDifference, Folding};
use serde_json::{Value, json};

use crate::budget::Budget;
use crate::subject::Subject;
use crate::values::{Answer, name_of};
use crate::watched::Watched;

/// Frames whose hashes, and whose values, are compared at once.
const FRAMES: u64 = 300;
const FRAMES_OF_VALUES: u64 = 8;
/// Limit of the differences in one answer.
const MAX_DIFFERENCES: usize = 500;

impl<S: Subject> Watched<S> {
    /// The first frame from `from` on, or behind the last common one, in which the shown branch and another one differ
    /// by more than random streams and numbers that are at most `bound` apart. As many frames as the time allows.
    pub(crate) fn compare_branches(&mut self, subject: &mut S, with: u64, from: Option<u64>, bound: f64) -> Answer {
        self.check_whole_frame()?;
        self.keep_the_present(subject)?;
        let (Some(own), Some(other)) = (self.history.current(), self.history.branch(with)) else {
            return Err(format!("there is no branch {with}"));
        };
        if own.id == with {
            return Err("this is the shown branch: name another one".to_owned());
        }
        let (both, last) = ([own.id, other.id], own.latest().min(other.latest()));
        let common = self.history.common_frame(with).ok_or("the frames that both had in common are gone")?;
        let compared = self.first_difference(subject, both, from.unwrap_or(common)..=last, bound);
        self.history.choose(both[0]);
        let latest = self.history.range().map_or(0, |(_, latest)| latest);
        self.go(subject, self.past.unwrap_or(latest))?;
        let Compared { searched_to, frame, differences, folded } = compared?;
        let count = differences.len();
        let shown: Vec<_> = differences.iter().take(MAX_DIFFERENCES).map(told).collect();
        Ok(json!({
            "common": common, "last": last, "searched_to": searched_to, "frame": frame, "differences": shown,
            "count": count, "folded": folded.map(|(frame, difference)| json!({ "frame": frame, "what": difference.to_string() })),
        }))
    }

    fn first_difference(
        &mut self,
        subject: &mut S,
        both: [u64; 2],
        frames: std::ops::RangeInclusive<u64>,
        bound: f64,
    ) -> Result<Compared, String> {
        let (mut from, last) = frames.into_inner();
        let mut compared = Compared::default();
        let budget = Budget::of_looks(2);
        let mut has_differed = false;
        let folding = Folding { bound, names: Vec::new() };
        while from <= last {
            let until = last.min(from + if has_differed { FRAMES_OF_VALUES } else { FRAMES } - 1);
            if has_differed {
                let dumps = self.of_both(subject, both, from, until, |subject| subject.engine().inspector().dump())?;
                for ((frame, own), (_, others)) in dumps[0].iter().zip(&dumps[1]) {
                    let all = own.differences(others).into_iter();
                    let (little, much): (Vec<_>, Vec<_>) = all.partition(|difference| folding.folds(difference));
                    if compared.folded.is_none() {
                        compared.folded = little.into_iter().next().map(|difference| (*frame, difference));
                    }
                    compared.differences = much;
                    if !compared.differences.is_empty() {
                        compared.frame = Some(*frame);
                        return Ok(compared);
                    }
                }
                from = until + 1;
            } else {
                let hashes = self.of_both(subject, both, from, until, |subject| subject.engine().state_hash())?;
                let differing = hashes[0].iter().zip(&hashes[1]).find(|(own, others)| own.1.whole != others.1.whole);
                if hashes[0].is_empty() {
                    return Err(format!("no frame from {from} to {until} can be shown in both branches"));
                }
                has_differed = differing.is_some();
                from = differing.map_or(until + 1, |((frame, _), _)| *frame);
            }
            if from <= last && budget.is_spent() {
                compared.searched_to = Some(from);
                break;
            }
        }
        Ok(compared)
    }

    /// What `look` finds in the frames of two branches that can be shown in both.
    fn of_both<R>(
        &mut self,
        subject: &mut S,
        both: [u64; 2],
        from: u64,
        until: u64,
        look: impl Fn(&mut S) -> Result<R, ecs::Error>,
    ) -> Result<[Vec<(u64, R)>; 2], String> {
        let mut found = [Vec::new(), Vec::new()];
        for (branch, found) in both.into_iter().zip(&mut found) {
            self.history.choose(branch);
            let mut next = from;
            while next <= until {
                let mut problem = None;
                // Behind it, frames are checked again, and may belong to another branch.
                let last = until.min(self.checkpoint_behind(next) - 1);
                let reached = self.go_through(subject, next, last, |subject, frame| {
                    if frame >= next && problem.is_none() {
                        match look(subject) {
                            Ok(seen) => found.push((frame, seen)),
                            Err(error) => problem = Some(error.to_string()),
                        }
                    }
                })?;
                if let Some(problem) = problem {
                    return Err(problem);
                }
                // Where frames cannot be run again, only those with a checkpoint are shown.
                next = if reached < next { self.checkpoint_behind(next) } else { reached + 1 };
            }
        }
        let [own, others] = &mut found;
        let is_in = |frames: &[u64], frame: u64| frames.binary_search(&frame).is_ok();
        let frames: [Vec<u64>; 2] = [&*own, &*others].map(|found| found.iter().map(|(frame, _)| *frame).collect());
        own.retain(|(frame, _)| is_in(&frames[1], *frame));
        others.retain(|(frame, _)| is_in(&frames[0], *frame));
        Ok(found)
    }
}

/// What was found in the time for one answer. Where there was no time for all, the next answer begins with the hashes
/// again, which differ at once.
#[derive(Default)]
struct Compared {
    /// The next frame to look at; `None` if all were looked at.
    searched_to: Option<u64>,
    frame: Option<u64>,
    differences: Vec<FieldDifference>,
    /// The first difference that says little.
    folded: Option<(u64, FieldDifference)>,
}

fn told(difference: &FieldDifference) -> Value {
    let [own, other] = &difference.values;
    json!({
        "owner": difference.owner(), "label": difference.label, "entity": difference.entity.map(name_of), "field": difference.subject(),
        "own": own, "other": other,
    })
}
