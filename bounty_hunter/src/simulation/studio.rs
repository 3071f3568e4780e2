//! A match in the studio: the whole simulation goes back in time, not only its engine.

use ecs::{Engine, Error};
use ecs_studio::Subject;

use super::{Simulation, SimulationSnapshot};

impl Subject for Simulation {
    type Snapshot = SimulationSnapshot;

    fn engine(&mut self) -> &mut Engine {
        self.engine_mut()
    }

    fn snapshot_into(&mut self, snapshot: &mut SimulationSnapshot) -> Result<(), Error> {
        Self::snapshot_into(self, snapshot)
    }

    fn restore(&mut self, snapshot: &SimulationSnapshot) -> Result<(), Error> {
        Self::restore(self, snapshot)
    }

    fn save(&mut self) -> Result<Vec<u8>, String> {
        Self::save(self).map_err(|error| error.to_string())
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), String> {
        Self::load(self, bytes).map_err(|error| error.to_string())
    }
}
