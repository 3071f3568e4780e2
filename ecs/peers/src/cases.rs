//! The cases: the work, its size, and the ratio that this framework must reach. Each group has a file, with its floors.

mod events;
mod iteration;
mod kinds;
mod pasture;
mod structure;
mod systems;

pub(crate) use self::iteration::{RARE_ONE_IN, random_rare};
pub(crate) use self::systems::{follow, of_all_four, swapped};

use crate::stopwatch::Runner;

/// The work of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// position += velocity over slices.
    Slices,
    /// position += velocity, entity by entity.
    Items,
    /// As [`Work::Items`], in a `for` loop, for frameworks where this differs from `for_each`.
    ItemsInALoop,
    /// As [`Work::Items`], of entities with four components, without a group.
    ItemsOfFour,
    /// The same in a `for` loop.
    ItemsOfFourInALoop,
    /// The same in a `for` loop, where another query asks for changes.
    ItemsOfFourTracked,
    /// The same in a `for` loop, where each second entity is a child of the one before.
    ItemsOfFourInAHierarchy,
    /// One component over 26 archetypes.
    Fragmented,
    /// One entity in a hundred has a second component.
    Join,
    /// As [`Work::Join`], of entities in a random order, and the floor keeps the two side by side.
    RandomJoin,
    /// Each entity once, in a random order.
    RandomGet,
    /// As [`Work::RandomGet`], by calls to the world instead of a query.
    RandomGetEach,
    /// Insert a component, entity by entity, then remove it.
    InsertRemove,
    /// As [`Work::InsertRemove`], by calls to the world instead of a borrowed storage.
    InsertRemoveEach,
    /// As [`Work::InsertRemove`], in bulk.
    InsertRemoveInBulk,
    /// Spawn in bulk into an empty world, from rows that are computed during the spawn.
    SpawnInBulk,
    /// As [`Work::SpawnInBulk`], from columns that exist before and remain.
    SpawnColumns,
    /// Spawn one by one into an empty world.
    Spawn,
    /// Despawn all, then spawn as many.
    Respawn,
    /// Despawn all one by one in a random order, then spawn as many one by one.
    RespawnEach,
    /// As [`Work::RespawnEach`], where changes of a component are tracked and relations are used.
    RespawnEachTracked,
    /// The step of five kinds that share components, one kind after the other, in a `for` loop each.
    Kinds,
    /// As [`Work::Kinds`], where entities of all kinds were born and died before.
    AgedKinds,
    /// As [`Work::Kinds`], all kinds in one loop, which moves them.
    AllKinds,
    /// As [`Work::AllKinds`], where entities of all kinds were born and died before.
    AllAgedKinds,
    /// As [`Work::Kinds`], with births and deaths in each frame.
    KindsWithChanges,
    /// A step of wolves and sheep: components that both share, and a tag for each species.
    Wolves,
    /// As [`Work::Wolves`], with one component for each species.
    WolvesAsStructs,
    /// As [`Work::Wolves`], with one component for both species.
    WolvesAsValue,
    /// Save to bytes, and load them into a new world.
    SaveLoad,
    /// One type of event, one listener.
    Events,
    /// A hundred types of events in turn, one listener each.
    EventsOfManyTypes,
    /// A hundred types of events in turn, each to a system of its own.
    EventsToManySystems,
    /// One type of event, ten listeners.
    FanOut,
    /// One type of event, four listeners with much to do, on two threads.
    HeavyListeners,
    /// Events of one type, each about one of many entities that have an observer each.
    Observers,
    /// An event that causes an event that causes an event.
    Cascade,
    /// Empty systems, one after the other.
    EmptySystems,
    /// Functions that wait; in each step one is added, and one runs and ends.
    Waiting,
    /// Systems that write one resource, one after the other.
    ResourceChain,
    /// Three queries that swap components, one after the other, without systems and groups.
    Swaps,
    /// Three systems that swap components, on one thread.
    Schedule,
    /// The same on two threads.
    ScheduleOnTwoThreads,
    /// Matrices inverted on two threads.
    Matrices,
}

/// A row of the table.
pub(crate) struct Case {
    /// The value of `--case`.
    pub(crate) name: &'static str,
    /// The first column of the table.
    pub(crate) title: &'static str,
    pub(crate) work: Work,
    /// The number of entities, events of a type or systems.
    pub(crate) count: usize,
    /// Repetitions of the work in one round.
    pub(crate) repetitions: usize,
    /// The target: this framework's time as a multiple of the floor's.
    pub(crate) must_reach: f64,
}

impl Case {
    const fn new(name: &'static str, title: &'static str, work: Work, size: (usize, usize), must_reach: f64) -> Self {
        Self { name, title, work, count: size.0, repetitions: size.1, must_reach }
    }
}

/// All cases, in the order of the table.
pub(crate) fn all() -> impl Iterator<Item = &'static Case> {
    [&iteration::CASES[..], &kinds::CASES, &pasture::CASES, &structure::CASES, &events::CASES, &systems::CASES]
        .into_iter()
        .flatten()
}

/// The hand-written floor for this work.
pub(crate) fn floor(work: Work, count: usize) -> Option<Runner> {
    iteration::floor(work, count)
        .or_else(|| kinds::floor(work, count))
        .or_else(|| pasture::floor(work, count))
        .or_else(|| structure::floor(work, count))
        .or_else(|| events::floor(work, count))
        .or_else(|| systems::floor(work, count))
}
