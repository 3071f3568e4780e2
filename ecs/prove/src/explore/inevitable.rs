//! From which step on a finding cannot be avoided.

use ecs::random::RandomStream;

use super::finding::{Broken, Finding, FindingKind, Likelihood};
use super::player::{Moment, Player};
use crate::{Program, Refuted};

/// Points between the two neighbours that are farthest apart.
const MOST_POINTS: usize = 24;
/// A run goes on so much longer than the finding took, and by so many steps more, since another way may take longer.
const PATIENCE: usize = 2;
const MORE_STEPS: usize = 16;

impl<P: Program, I: Clone> Player<'_, P, I> {
    /// Plays on so often from earlier and earlier steps, and then from those between which it changes most.
    pub(super) fn when_inevitable(
        &mut self,
        mut finding: Finding<I>,
        attempts: u32,
        random: &mut RandomStream,
    ) -> Result<Finding<I>, Refuted> {
        let last = finding.inputs.len().saturating_sub(1);
        if attempts == 0 || finding.kind == FindingKind::Difference {
            return Ok(finding);
        }
        let mut moments: Vec<Moment> = vec![self.beginning().clone()];
        for input in &finding.inputs[..last] {
            let before = &moments[moments.len() - 1];
            moments.push(self.moment_behind(&before.clone(), std::slice::from_ref(input), &mut 0)?);
        }
        let broken = Broken { kind: finding.kind, name: finding.name.clone(), sentence: String::new() };
        let mut share = |step: usize| -> Result<Likelihood, Refuted> {
            let steps = PATIENCE * (finding.inputs.len() - step) + MORE_STEPS;
            let mut count = 0;
            for _ in 0..attempts {
                let inputs = self.draw(random, steps);
                count += u32::from(self.shows(&broken, &moments[step], &inputs, &mut 0)?.is_some());
            }
            Ok(Likelihood { step, share: count as f32 / attempts as f32 })
        };
        let back = std::iter::successors(Some(1), |back| Some(2 * back)).take_while(|back| *back < last);
        let mut steps: Vec<usize> = back.map(|back| last - back).collect();
        steps.extend([0, last]);
        steps.sort_unstable();
        steps.dedup();
        let mut curve = steps.into_iter().map(&mut share).collect::<Result<Vec<_>, _>>()?;
        while curve.len() < MOST_POINTS {
            let gaps = (1..curve.len()).filter(|at| curve[*at].step > curve[at - 1].step + 1);
            let rise = |at: usize| curve[at].share - curve[at - 1].share;
            let steepest = gaps.max_by(|one, other| rise(*one).total_cmp(&rise(*other)));
            let Some(at) = steepest.filter(|at| rise(*at) > 0.1) else { break };
            let middle = usize::midpoint(curve[at - 1].step, curve[at].step);
            let point = share(middle)?;
            curve.insert(at, point);
        }
        finding.likelihoods = curve;
        Ok(finding)
    }
}
