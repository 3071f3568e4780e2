//! Recording of a match.

use ecs::recording::Recording;

use super::{About, Replay, STEPS_PER_HASH};
use crate::assets::Assets;
use crate::data::input::Inputs;
use crate::simulation::{MatchSetup, Simulation, SimulationError, configuration_hash};

/// Records the inputs of a simulation.
#[derive(Clone, Debug)]
pub struct Recorder {
    replay: Replay,
}

impl Recorder {
    /// Begins a recording of a simulation of `assets` and `setup` before its first step. `mode` names the mode of the
    /// assets.
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

    /// Continues a recording; the simulation must have taken all its steps.
    #[must_use]
    pub fn resume(replay: Replay) -> Self {
        Self { replay }
    }

    /// Records the step that `simulation` has just taken with `inputs`. Steps without effect, after the end of the
    /// game, are not recorded.
    pub fn note(&mut self, inputs: &Inputs, simulation: &mut Simulation) {
        let steps = self.replay.about.steps;
        if simulation.tick() != steps {
            let hash = (steps + 1).is_multiple_of(STEPS_PER_HASH).then(|| simulation.state_hash());
            self.note_step(inputs, hash);
        }
    }

    /// Records a step that was taken with `inputs`, and the hash of the state after it, if it is known.
    pub fn note_step(&mut self, inputs: &Inputs, hash: Option<u64>) {
        let Replay { about, recording } = &mut self.replay;
        about.steps += 1;
        recording.frame((!inputs.is_empty()).then(|| inputs.clone()));
        if let Some(hash) = hash {
            recording.state(hash);
        }
    }

    /// The description of the match.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.replay.about
    }

    /// Drops the steps after `tick`, after a rewind to it.
    pub fn go_back(&mut self, tick: u64) {
        let Replay { about, recording } = &mut self.replay;
        recording.truncate(tick);
        about.steps = recording.frames();
        about.begin = about.begin.min(about.steps);
    }

    /// The replay so far, with the hash of the present state of `simulation`.
    #[must_use]
    pub fn replay(&self, simulation: &mut Simulation) -> Replay {
        let mut replay = self.replay.clone();
        replay.recording.state(simulation.state_hash());
        replay
    }
}
