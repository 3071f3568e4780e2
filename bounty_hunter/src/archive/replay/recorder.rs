//! Recording a match while it is played.

use ecs::recording::Recording;

use super::{About, Replay, STEPS_PER_HASH};
use crate::assets::Assets;
use crate::data::input::Inputs;
use crate::simulation::{MatchSetup, Simulation, SimulationError, configuration_hash};

/// Notes what enters a simulation.
#[derive(Clone, Debug)]
pub struct Recorder {
    replay: Replay,
}

impl Recorder {
    /// Begins a recording of a simulation that was created from `assets` and `setup` and has taken no step yet. `mode` is the
    /// name of the mode that the assets are in.
    ///
    /// # Errors
    /// - [`SimulationError`] if the set-up and the assets do not fit together.
    pub fn new(mode: &str, assets: &Assets, setup: &MatchSetup) -> Result<Self, SimulationError> {
        let about = About {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            mode: mode.to_owned(),
            level: assets.game.level.clone(),
            setup: setup.clone(),
            configuration: configuration_hash(assets, setup)?,
            steps_per_second: assets.game.steps_per_second,
            steps: 0,
            begin: 0,
        };
        Ok(Self { replay: Replay { about, recording: Recording::new() } })
    }

    /// Goes on with a recording, of a simulation that has taken all of its steps.
    #[must_use]
    pub fn resume(replay: Replay) -> Self {
        Self { replay }
    }

    /// Notes the step that `simulation` has just taken with `inputs`. A step that had no effect, since the game is over, is not
    /// noted.
    pub fn note(&mut self, inputs: &Inputs, simulation: &Simulation) {
        let Replay { about, recording } = &mut self.replay;
        if simulation.tick() == about.steps {
            return;
        }
        about.steps += 1;
        recording.frame((!inputs.is_empty()).then(|| inputs.clone()));
        if about.steps.is_multiple_of(STEPS_PER_HASH) {
            recording.state(simulation.state_hash());
        }
    }

    /// What it says about the match.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.replay.about
    }

    /// Forgets the steps after step `tick`, to which the simulation was taken back.
    pub fn go_back(&mut self, tick: u64) {
        let Replay { about, recording } = &mut self.replay;
        recording.truncate(tick);
        about.steps = recording.frames();
        about.begin = about.begin.min(about.steps);
    }

    /// What was recorded so far, with the state that `simulation` is in now.
    #[must_use]
    pub fn replay(&self, simulation: &Simulation) -> Replay {
        let mut replay = self.replay.clone();
        replay.recording.state(simulation.state_hash());
        replay
    }
}
