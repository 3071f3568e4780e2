//! Snapshots of a simulation.

use ecs::snapshot::{Difference, RecordedState};
use ecs::{Error, Snapshot};

use super::Simulation;
use crate::gameplay::statistics::Statistics;

/// The whole state of a simulation between two steps.
///
/// *Take a snapshot, restore it, take n steps* equals *take n steps*, bit for bit, including physics, pending events
/// and random numbers.
#[derive(Default)]
pub struct SimulationSnapshot {
    engine: Snapshot,
    tick: u64,
    begin: u64,
    /// The event counts.
    events: Vec<u64>,
    statistics: Statistics,
}

impl SimulationSnapshot {
    /// The step at which it was taken.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }
}

/// Snapshots.
impl Simulation {
    /// Takes a snapshot. O(changes since the last snapshot).
    ///
    /// # Errors
    /// - [`Error::Snapshot`] if the engine holds a value of an unregistered type.
    pub fn snapshot(&mut self) -> Result<SimulationSnapshot, Error> {
        let mut snapshot = SimulationSnapshot::default();
        self.snapshot_into(&mut snapshot)?;
        Ok(snapshot)
    }

    /// As [`Simulation::snapshot`]; overwrites an older snapshot and reuses its memory.
    ///
    /// # Errors
    /// As [`Simulation::snapshot`].
    pub fn snapshot_into(&mut self, snapshot: &mut SimulationSnapshot) -> Result<(), Error> {
        (snapshot.tick, snapshot.begin) = (self.tick, self.begin);
        snapshot.events.clear();
        snapshot.events.extend(self.events.of_types(&self.engine));
        if let Some(statistics) = self.engine.resource::<Statistics>() {
            snapshot.statistics.clone_from(&statistics);
        }
        self.engine.snapshot_into(&mut snapshot.engine)
    }

    /// Restores a snapshot of this simulation, or of another one with the same assets and set-up.
    ///
    /// # Errors
    /// - [`Error::Snapshot`] if the snapshot is of a simulation with other rule sets; nothing was changed.
    pub fn restore(&mut self, snapshot: &SimulationSnapshot) -> Result<(), Error> {
        self.engine.restore(&snapshot.engine)?;
        (self.tick, self.begin) = (snapshot.tick, snapshot.begin);
        self.events.go_on_from(&self.engine, &snapshot.events);
        if let Some(statistics) = self.engine.resource_mut::<Statistics>() {
            statistics.clone_from(&snapshot.statistics);
        }
        Ok(())
    }

    /// The first type of which the present state differs from `snapshot`, with the first value that does; `None` if
    /// they are equal.
    ///
    /// # Errors
    /// As [`Simulation::restore`].
    pub fn difference(&mut self, snapshot: &SimulationSnapshot) -> Result<Option<Difference>, Error> {
        snapshot.engine.difference(&mut self.engine)
    }
}
