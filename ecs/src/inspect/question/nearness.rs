//! How near a condition is to holding, which leads a search there.

use super::compile::Node;
use super::evaluate::{At, candidates};
use super::value::Value;
use super::{Comparison, Question};
use crate::engine::Engine;
use crate::entity::EntityId;

/// Of a condition that does not hold, however near it is.
const NEAREST: f32 = 0.99;

impl Question {
    /// How near it is to holding: 1 if it holds, less if not, 0 if nothing is known. A comparison of numbers counts by
    /// their distance, `and` by the mean of its sides, `held` by the frames so far. Of one about entities, that of the
    /// nearest entity; 0 if it is no condition.
    ///
    /// # Complexity
    /// As [`Question::entities`].
    #[must_use]
    pub fn nearness(&self, engine: &Engine) -> f32 {
        if !self.is_condition() {
            return 0.0;
        }
        if !self.is_about_entities {
            return nearness(self.at(engine, None), &self.node);
        }
        let all = candidates(engine, &self.node, true).into_iter();
        all.map(|entity| nearness(self.at(engine, Some(entity)), &self.node)).fold(0.0, f32::max)
    }

    /// The value in the frame, or that of each entity that has one, by their ids, as people read them.
    ///
    /// # Complexity
    /// As [`Question::entities`].
    #[must_use]
    pub fn values(&self, engine: &Engine) -> Vec<(Option<EntityId>, String)> {
        let value = |entity: Option<EntityId>| {
            // A name by itself is asked for its value, not whether it is there.
            let node = if let Node::Holds(inner) = &self.node { inner } else { &self.node };
            let value = self.at(engine, entity).value(node);
            (value != Value::Missing).then(|| (entity, value.to_string()))
        };
        match self.is_about_entities {
            true => candidates(engine, &self.node, true).into_iter().filter_map(|entity| value(Some(entity))).collect(),
            false => value(None).into_iter().collect(),
        }
    }
}

fn nearness(at: At<'_>, node: &Node) -> f32 {
    match (at.holds(node), node) {
        (Some(true), _) => 1.0,
        (_, Node::And(sides)) => {
            let all = sides.iter().map(|side| nearness(at, side)).sum::<f32>() / sides.len() as f32;
            all.min(NEAREST)
        }
        (_, Node::Or(sides)) => sides.iter().map(|side| nearness(at, side)).fold(0.0, f32::max).min(NEAREST),
        (_, Node::Held(frames, since)) => {
            let now = at.engine.time().frame() as f64;
            let held = at.value(since).number().map_or(0.0, |since| now - since + 1.0);
            (held / f64::from(*frames)).min(f64::from(NEAREST)) as f32
        }
        (_, Node::Compare(comparison, left, right)) if *comparison != Comparison::Different => {
            let both = at.value(left).number().zip(at.value(right).number());
            let distance = both.map(|(left, right)| (left - right).abs()).filter(|distance| !distance.is_nan());
            distance.map_or(0.0, |distance| (1.0 / (1.0 + distance)).min(f64::from(NEAREST)) as f32)
        }
        _ => 0.0,
    }
}
