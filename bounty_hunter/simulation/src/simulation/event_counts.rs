//! The number of events that a match has sent, corrected for restored snapshots, loaded saves and earlier matches.

use std::collections::BTreeMap;

use ecs::{Engine, event::EventCounters};

/// The offsets between the counters of an engine, which only rise, and the counts of its match.
#[derive(Default)]
pub(super) struct EventCounts {
    /// By event type in the engine's order: its counter minus the events of the match. It wraps around if a loaded
    /// match has sent more than this engine.
    offsets: Vec<u64>,
}

impl EventCounts {
    /// Sets all counts to 0.
    pub(super) fn clear(&mut self, engine: &Engine) {
        self.offsets.clear();
        self.offsets.extend(counters(engine).map(|(_, sent)| sent));
    }

    /// The count of each type, in the engine's order. Types that the engine met later have no offset yet.
    pub(super) fn of_types<'a>(&'a self, engine: &'a Engine) -> impl Iterator<Item = u64> + 'a {
        let offsets = self.offsets.iter().copied().chain(std::iter::repeat(0));
        counters(engine).zip(offsets).map(|((_, sent), offset)| sent.wrapping_sub(offset))
    }

    /// The counts above 0, by the name of the type.
    pub(super) fn by_name(&self, engine: &Engine) -> BTreeMap<String, u64> {
        let names = counters(engine).map(|(name, _)| name.to_owned());
        names.zip(self.of_types(engine)).filter(|(_, sent)| *sent > 0).collect()
    }

    /// Continues from earlier counts of [`EventCounts::of_types`].
    pub(super) fn go_on_from(&mut self, engine: &Engine, of_types: &[u64]) {
        let then = of_types.iter().copied().chain(std::iter::repeat(0));
        self.offsets.clear();
        self.offsets.extend(counters(engine).zip(then).map(|((_, now), then)| now.wrapping_sub(then)));
    }

    /// Continues from earlier counts of [`EventCounts::by_name`], also of another engine.
    pub(super) fn go_on_from_names(&mut self, engine: &Engine, by_name: &BTreeMap<String, u64>) {
        let of_types: Vec<u64> = counters(engine).map(|(name, _)| by_name.get(name).copied().unwrap_or(0)).collect();
        self.go_on_from(engine, &of_types);
    }
}

fn counters(engine: &Engine) -> impl Iterator<Item = (&'static str, u64)> + '_ {
    engine.events().iter().map(|(name, EventCounters { sent, .. })| (name, sent))
}
