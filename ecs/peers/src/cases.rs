//! The cases: what is done, how often, and what this framework must reach. Each group is a file that has the floors, too.

mod events;
mod iteration;
mod structure;
mod systems;

pub(crate) use self::iteration::RARE_ONE_IN;
pub(crate) use self::systems::{of_all_four, swapped};

use crate::stopwatch::Runner;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// position += velocity over slices.
    Slices,
    /// position += velocity, one entity after the other.
    Items,
    /// As [`Work::Items`], by a `for` loop where calling a closure for each is something else.
    ItemsInALoop,
    /// One component over 26 kinds of entity.
    Fragmented,
    /// One entity in a hundred has a second component.
    Join,
    /// As [`Work::Join`], where the two components are grouped.
    JoinInGroup,
    /// Each entity once, in a random order.
    RandomGet,
    /// Insert a component, entity by entity, then remove it.
    InsertRemove,
    /// As [`Work::InsertRemove`], where storages can be borrowed, by calls to the world all the same.
    InsertRemoveEach,
    /// As [`Work::InsertRemove`], in bulk.
    InsertRemoveInBulk,
    /// As [`Work::InsertRemove`], where the component is in a group with one that is there.
    InsertRemoveInGroup,
    /// Spawn in bulk into an empty world, from rows that are worked out meanwhile.
    SpawnInBulk,
    /// As [`Work::SpawnInBulk`], from columns that are there and stay there.
    SpawnColumns,
    /// Spawn one by one into an empty world.
    Spawn,
    /// Despawn all, then spawn as many.
    Respawn,
    /// One type of event, one listener.
    Events,
    /// A hundred types of events in turn, one listener each.
    EventsOfManyTypes,
    /// One type of event, ten listeners.
    FanOut,
    /// An event that causes an event that causes an event.
    Cascade,
    /// Systems that do nothing, one after the other.
    EmptySystems,
    /// Three systems that swap components, on one thread.
    Schedule,
    /// The same on two threads.
    ScheduleOnTwoThreads,
    /// Matrices inverted on two threads.
    Matrices,
}

/// A row of the table.
pub(crate) struct Case {
    /// By which it is asked for.
    pub(crate) name: &'static str,
    /// What it is.
    pub(crate) title: &'static str,
    pub(crate) work: Work,
    /// How many entities, events of a type or systems.
    pub(crate) count: usize,
    /// How often a round does it.
    pub(crate) repetitions: usize,
    /// How many times the floor's time this framework may take.
    pub(crate) must_reach: f64,
}

impl Case {
    const fn new(name: &'static str, title: &'static str, work: Work, size: (usize, usize), must_reach: f64) -> Self {
        Self { name, title, work, count: size.0, repetitions: size.1, must_reach }
    }
}

/// All cases, in the order of the table.
pub(crate) fn all() -> impl Iterator<Item = &'static Case> {
    [&iteration::CASES[..], &structure::CASES, &events::CASES, &systems::CASES].into_iter().flatten()
}

/// The work done by hand.
pub(crate) fn floor(work: Work, count: usize) -> Option<Runner> {
    iteration::floor(work, count)
        .or_else(|| structure::floor(work, count))
        .or_else(|| events::floor(work, count))
        .or_else(|| systems::floor(work, count))
}
