//! A match that is saved in the middle, wherever its bytes are kept.

use bounty_hunter::assets::Assets;
use bounty_hunter::replay::{Recorder, Replay};
use bounty_hunter::simulation::Simulation;
use ecs::EngineBuilder;

/// A saved match: its recording and its state.
#[derive(Clone, Debug)]
pub(crate) struct SavedMatch {
    /// The recording so far.
    pub(crate) replay: Replay,
    /// The state, from [`Simulation::save`](bounty_hunter::simulation::Simulation::save).
    pub(crate) state: Vec<u8>,
}

impl SavedMatch {
    /// Restores the match and its recording. `assets` may be in any mode.
    pub(crate) fn resume(&self, assets: &Assets, engine: EngineBuilder) -> Result<(Simulation, Recorder), String> {
        let refuse = |error: &dyn std::fmt::Display| format!("the save cannot be loaded: {error}");
        let about = self.replay.about();
        let assets = assets.clone().in_level(&about.level).and_then(|assets| assets.in_mode(&about.mode));
        let assets = assets.map_err(|error| refuse(&error))?;
        let mut simulation = Simulation::with_engine(&assets, &about.setup, engine).map_err(|error| refuse(&error))?;
        simulation.load(&self.state).map_err(|error| refuse(&error))?;
        match simulation.tick() == about.steps {
            true => Ok((simulation, Recorder::resume(self.replay.clone()))),
            false => Err(refuse(&"its replay and its state do not belong together")),
        }
    }
}
