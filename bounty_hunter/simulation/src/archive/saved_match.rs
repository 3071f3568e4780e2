//! A match that is saved in the middle, wherever its bytes are kept.

use ecs::EngineBuilder;

use super::replay::{Recorder, Replay};
use crate::assets::Assets;
use crate::simulation::Simulation;

/// A saved match: its recording and its state.
#[derive(Clone, Debug)]
pub struct SavedMatch {
    /// The recording so far.
    pub replay: Replay,
    /// The state, from [`Simulation::save`].
    pub state: Vec<u8>,
}

impl SavedMatch {
    /// Restores the match and its recording. `assets` may be in any mode.
    ///
    /// # Errors
    /// A sentence:
    /// - The assets are not those of the match.
    /// - The state cannot be loaded, or is not that after the last step of the recording.
    pub fn resume(&self, assets: &Assets, engine: EngineBuilder) -> Result<(Simulation, Recorder), String> {
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
