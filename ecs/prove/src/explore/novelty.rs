//! [`Novelty`]: what is new about a state.

use std::collections::{BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use ecs::Engine;
use ecs::inspect::Question;

/// Of larger worlds, which components are together is not looked at.
const MOST_ENTITIES: usize = 2_000;

/// A type that has had more values, such as a position, has no states to tell apart.
const MOST_VALUES: usize = 256;

/// What was seen so far. Each thing is the hash of its description.
#[derive(Default)]
pub(super) struct Novelty {
    seen: HashSet<u64>,
    /// The hashes of the values of each type, by their places in the hash of a state.
    values: Vec<HashSet<u64>>,
    /// How many events of each type were sent before the step.
    sent: Vec<u64>,
}

fn hash_of(what: impl Hash) -> u64 {
    let mut hash = DefaultHasher::new();
    what.hash(&mut hash);
    hash.finish()
}

/// 0, 1, 2, 3 to 4, 5 to 8 and so on.
fn magnitude(number: u64) -> u32 {
    u64::BITS - number.saturating_sub(1).leading_zeros() + u32::from(number > 0)
}

impl Novelty {
    pub(super) fn len(&self) -> usize {
        self.seen.len()
    }

    /// Begins at a state that was restored.
    pub(super) fn begin(&mut self, engine: &Engine) {
        self.sent.clear();
        self.sent.extend(engine.events().iter().map(|(_, counters)| counters.sent));
    }

    /// A type whose values were few so far has states: each other one is new.
    fn look_at_values(&mut self, engine: &mut Engine) {
        // What cannot be hashed cannot be copied either, which is an error where it is copied.
        let Ok(hash) = engine.state_hash() else { return };
        self.values.resize_with(hash.parts.len().max(self.values.len()), HashSet::new);
        for (index, (part, values)) in hash.parts.iter().zip(&mut self.values).enumerate() {
            // The time is another one after each step.
            if part.kind.is_some()
                && values.len() <= MOST_VALUES
                && values.insert(part.hash)
                && values.len() <= MOST_VALUES
            {
                self.seen.insert(hash_of(("value", index, part.hash)));
            }
        }
    }

    /// Looks at the state after a step; returns whether something was never seen.
    pub(super) fn look(&mut self, engine: &mut Engine, states: &[Question]) -> bool {
        let before = self.seen.len();
        self.look_at_values(engine);
        let engine = &*engine;
        let counts: Vec<u64> = engine.events().iter().map(|(_, counters)| counters.sent).collect();
        let mut sent = Vec::new();
        for (index, count) in counts.iter().enumerate() {
            let events = count.saturating_sub(self.sent.get(index).copied().unwrap_or(0));
            if events > 0 {
                self.seen.insert(hash_of(("sent", index, magnitude(events))));
                sent.push(index);
            }
        }
        for (place, one) in sent.iter().enumerate() {
            self.seen.extend(sent[place + 1..].iter().map(|other| hash_of(("together", one, other))));
        }
        self.sent = counts;
        for (index, component) in engine.components().iter().enumerate() {
            let numbers = [component.len, component.enabled].map(|number| magnitude(number as u64));
            self.seen.insert(hash_of(("count", index, numbers)));
        }
        let entities = engine.entities();
        if entities.len() <= MOST_ENTITIES {
            let masks: BTreeSet<u64> =
                entities.iter().filter_map(|entity| entities.mask(entity)).map(hash_of).collect();
            self.seen.extend(masks.into_iter().map(|mask| hash_of(("mask", mask))));
        }
        // Each value by itself, and all of them together.
        let mut all = DefaultHasher::new();
        for (place, question) in states.iter().enumerate() {
            let values: Vec<String> = question.values(engine).into_iter().map(|(_, value)| value).collect();
            values.hash(&mut all);
            self.seen.extend(values.into_iter().map(|value| hash_of(("state", place, value))));
        }
        if !states.is_empty() {
            self.seen.insert(all.finish());
        }
        self.seen.len() > before
    }
}

#[cfg(test)]
mod tests {
    use super::magnitude;

    #[test]
    fn magnitudes_grow_by_powers_of_two() {
        assert_eq!([0, 1, 2, 3, 4, 5, 8, 9].map(magnitude), [0, 1, 2, 3, 3, 4, 4, 5]);
    }
}
