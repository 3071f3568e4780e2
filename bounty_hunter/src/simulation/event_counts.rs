//! How many events a match has sent: as if nothing had been taken back, loaded, or played before it.

use std::collections::BTreeMap;

use ecs::{Engine, event::EventCounters};

/// What the counters of an engine, which only ever rise, mean to a match that may be taken back.
#[derive(Default)]
pub(super) struct EventCounts {
    /// By event type in the engine's order: what its counter said when the match had sent none. It wraps around where a match was
    /// loaded that had sent more than this engine.
    at_none: Vec<u64>,
}

impl EventCounts {
    /// Begins anew with none.
    pub(super) fn clear(&mut self, engine: &Engine) {
        self.at_none.clear();
        self.at_none.extend(counters(engine).map(|(_, sent)| sent));
    }

    /// Events of each type, in the engine's order. Types that it has met later have no place in what was counted earlier.
    pub(super) fn of_types<'a>(&'a self, engine: &'a Engine) -> impl Iterator<Item = u64> + 'a {
        let at_none = self.at_none.iter().copied().chain(std::iter::repeat(0));
        counters(engine).zip(at_none).map(|((_, sent), at_none)| sent.wrapping_sub(at_none))
    }

    /// Events of the types of which there are any, by name.
    pub(super) fn by_name(&self, engine: &Engine) -> BTreeMap<String, u64> {
        let names = counters(engine).map(|(name, _)| name.to_owned());
        names.zip(self.of_types(engine)).filter(|(_, sent)| *sent > 0).collect()
    }

    /// Goes on from what [`EventCounts::of_types`] said at another time.
    pub(super) fn go_on_from(&mut self, engine: &Engine, of_types: &[u64]) {
        let then = of_types.iter().copied().chain(std::iter::repeat(0));
        self.at_none.clear();
        self.at_none.extend(counters(engine).zip(then).map(|((_, now), then)| now.wrapping_sub(then)));
    }

    /// Goes on from what [`EventCounts::by_name`] said at another time, maybe of another engine.
    pub(super) fn go_on_from_names(&mut self, engine: &Engine, by_name: &BTreeMap<String, u64>) {
        let of_types: Vec<u64> = counters(engine).map(|(name, _)| by_name.get(name).copied().unwrap_or(0)).collect();
        self.go_on_from(engine, &of_types);
    }
}

fn counters(engine: &Engine) -> impl Iterator<Item = (&'static str, u64)> + '_ {
    engine.events().iter().map(|(name, EventCounters { sent, .. })| (name, sent))
}
