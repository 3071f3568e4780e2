//! The shortest inputs that still show a finding.

use super::finding::{Broken, Finding, FindingKind};
use super::player::{Moment, Player};
use crate::{Program, Refuted};

/// So often the inputs of a finding may be played at least.
const STEPS_OF_SHRINKING: u64 = 200;

impl<P: Program, I: Clone> Player<'_, P, I> {
    /// Leaves out as many inputs as possible, and makes those that are left simpler. It plays at most `budget` steps,
    /// or the inputs so often as it needs at least.
    pub(super) fn shrink(
        &mut self,
        broken: Broken,
        inputs: Vec<I>,
        found_after: u64,
        budget: u64,
    ) -> Result<Finding<I>, Refuted> {
        let first_steps = inputs.len();
        let beginning = self.beginning().clone();
        let mut left = budget.max(STEPS_OF_SHRINKING * first_steps as u64);
        let mut finding = Finding {
            kind: broken.kind,
            name: broken.name.clone(),
            sentence: broken.sentence.clone(),
            inputs,
            first_steps,
            found_after,
            likelihoods: Vec::new(),
        };
        if broken.kind == FindingKind::Difference {
            return Ok(finding);
        }
        // From the beginning, without a snapshot between.
        let Some((steps, sentence)) = self.shows(&broken, &beginning, &finding.inputs, &mut left)? else {
            finding.kind = FindingKind::Difference;
            finding.sentence = format!("played from the beginning, it does not break \"{}\"", broken.name);
            return Ok(finding);
        };
        finding.inputs.truncate(steps);
        finding.sentence = sentence;
        loop {
            let before = finding.inputs.len();
            let mut chunk = before.div_ceil(2);
            while chunk > 0 {
                self.leave_out(&broken, &mut finding, chunk, &mut left)?;
                chunk = if chunk == 1 { 0 } else { chunk.div_ceil(2) };
            }
            let is_simpler = self.make_simpler(&broken, &mut finding, &mut left)?;
            if (finding.inputs.len() == before && !is_simpler) || left == 0 {
                return Ok(finding);
            }
        }
    }

    /// Leaves out chunks of inputs, one after the other.
    fn leave_out(
        &mut self,
        broken: &Broken,
        finding: &mut Finding<I>,
        chunk: usize,
        left: &mut u64,
    ) -> Result<(), Refuted> {
        let (mut at, mut here) = (0, self.beginning().clone());
        while at < finding.inputs.len() && *left > 0 {
            let behind = &finding.inputs[(at + chunk).min(finding.inputs.len())..];
            if let Some((steps, sentence)) = self.shows(broken, &here, behind, left)? {
                finding.inputs.drain(at..at + chunk);
                finding.inputs.truncate(at + steps);
                finding.sentence = sentence;
                continue;
            }
            let kept = &finding.inputs[at..(at + chunk).min(finding.inputs.len())];
            if at + kept.len() < finding.inputs.len() {
                here = self.moment_behind(&here, kept, left)?;
            }
            at += chunk;
        }
        Ok(())
    }

    /// Tries simpler inputs in the place of each; returns whether one was taken.
    fn make_simpler(&mut self, broken: &Broken, finding: &mut Finding<I>, left: &mut u64) -> Result<bool, Refuted> {
        let Some(simpler) = &self.rules.simpler else { return Ok(false) };
        let (mut at, mut here, mut is_simpler) = (0, self.beginning().clone(), false);
        while at < finding.inputs.len() && *left > 0 {
            for input in simpler(&finding.inputs[at]) {
                if *left == 0 {
                    break;
                }
                let mut behind = finding.inputs[at..].to_vec();
                behind[0] = input;
                if let Some((steps, sentence)) = self.shows(broken, &here, &behind, left)? {
                    finding.inputs.truncate(at);
                    finding.inputs.extend(behind.into_iter().take(steps));
                    (finding.sentence, is_simpler) = (sentence, true);
                    break;
                }
            }
            if at + 1 < finding.inputs.len() {
                here = self.moment_behind(&here, &finding.inputs[at..=at], left)?;
            }
            at += 1;
        }
        Ok(is_simpler)
    }

    /// Plays inputs from a moment; returns behind how many of them the same is broken, and what is seen then.
    pub(super) fn shows(
        &mut self,
        broken: &Broken,
        from: &Moment,
        inputs: &[I],
        left: &mut u64,
    ) -> Result<Option<(usize, String)>, Refuted> {
        let mut invariants = self.go_to(from)?;
        for (place, input) in inputs.iter().enumerate() {
            *left = left.saturating_sub(1);
            if let Some(other) = self.step(input, &mut invariants) {
                let is_same = (other.kind, &other.name) == (broken.kind, &broken.name);
                return Ok(is_same.then_some((place + 1, other.sentence)));
            }
        }
        Ok(None)
    }

    /// The moment behind inputs that break nothing.
    pub(super) fn moment_behind(&mut self, from: &Moment, inputs: &[I], left: &mut u64) -> Result<Moment, Refuted> {
        let mut invariants = self.go_to(from)?;
        for input in inputs {
            *left = left.saturating_sub(1);
            // They were played before.
            _ = self.step(input, &mut invariants);
        }
        self.moment(&invariants)
    }
}
