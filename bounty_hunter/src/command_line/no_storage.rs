//! What stands in for saves and results in a build without them.

use bounty_hunter::assets::Assets;
use bounty_hunter::replay::{Recorder, Replay};
use bounty_hunter::simulation::Simulation;
use ecs::EngineBuilder;

use super::arguments::SimulateArguments;

/// Nothing is kept of how a match ended.
pub(crate) type Ended = ();

/// Keeps nothing.
pub(crate) struct Results;

impl Results {
    pub(crate) fn open(_: &SimulateArguments) -> Result<Self, String> {
        Ok(Self)
    }

    pub(crate) fn keep(&mut self, (): &Ended) -> Result<(), String> {
        Ok(())
    }
}

/// Saves nothing.
pub(crate) struct Storage;

impl Storage {
    pub(crate) fn open(_: &SimulateArguments) -> Result<Self, String> {
        Ok(Self)
    }

    pub(crate) fn needs_recording(&self) -> bool {
        false
    }

    pub(crate) fn load(&mut self, _: &Assets, _: EngineBuilder) -> Result<Option<(Simulation, Recorder)>, String> {
        Ok(None)
    }

    pub(crate) fn after_step(&mut self, _: &mut Simulation, _: &Recorder) -> Result<(), String> {
        Ok(())
    }

    pub(crate) fn after_match(&mut self, _: &mut Simulation, _: &Replay) -> Result<Ended, String> {
        Ok(())
    }
}
