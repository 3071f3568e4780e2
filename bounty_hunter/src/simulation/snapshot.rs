//! Snapshots of a simulation.

use ecs::{Error, Snapshot};

use super::Simulation;

/// The whole state of a simulation between two steps.
///
/// *Take a snapshot, put it back, take n steps* is the same as *take n steps*, bit for bit: the world with its physics, what
/// happens, and every random number.
#[derive(Default)]
pub struct SimulationSnapshot {
    engine: Snapshot,
    tick: u64,
    begin: u64,
    /// Events of each type.
    events: Vec<u64>,
}

impl SimulationSnapshot {
    /// Steps from the creation of the simulation to the snapshot.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }
}

/// Snapshots.
impl Simulation {
    /// Copies the state. O(what changed since the last snapshot).
    ///
    /// # Errors
    /// - [`Error::Snapshot`] if something of a type without a name was put into the engine.
    pub fn snapshot(&mut self) -> Result<SimulationSnapshot, Error> {
        let mut snapshot = SimulationSnapshot::default();
        self.snapshot_into(&mut snapshot)?;
        Ok(snapshot)
    }

    /// As [`Simulation::snapshot`], in place of an older snapshot, whose memory is used again.
    ///
    /// # Errors
    /// As [`Simulation::snapshot`].
    pub fn snapshot_into(&mut self, snapshot: &mut SimulationSnapshot) -> Result<(), Error> {
        (snapshot.tick, snapshot.begin) = (self.tick, self.begin);
        snapshot.events.clear();
        snapshot.events.extend(self.events.of_types(&self.engine));
        self.engine.snapshot_into(&mut snapshot.engine)
    }

    /// Puts a state back that was taken from this simulation, or from another one of the same assets and set-up.
    ///
    /// # Errors
    /// - [`Error::Snapshot`] if the snapshot is of a simulation with other rule sets; nothing was changed then.
    pub fn restore(&mut self, snapshot: &SimulationSnapshot) -> Result<(), Error> {
        self.engine.restore(&snapshot.engine)?;
        (self.tick, self.begin) = (snapshot.tick, snapshot.begin);
        self.events.go_on_from(&self.engine, &snapshot.events);
        Ok(())
    }
}
