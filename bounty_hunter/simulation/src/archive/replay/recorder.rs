//! Recording of a match.

use ecs::recording::Recording;

use super::{About, Replay, STEPS_PER_HASH};
use crate::assets::Assets;
use crate::data::input::Inputs;
use crate::gameplay::match_flow::GameState;
use crate::simulation::{MatchSetup, Simulation, SimulationError, configuration_hash};

/// Records the inputs of a simulation.
#[derive(Clone, Debug)]
pub struct Recorder {
    replay: Replay,
    /// The step after which the last finished match was over, and the hash of the state after it.
    end: Option<(u64, u64)>,
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
        Ok(Self { replay: Replay { about, recording: Recording::new() }, end: None })
    }

    /// Continues a recording; the simulation must have taken all its steps.
    #[must_use]
    pub fn resume(replay: Replay) -> Self {
        Self { replay, end: None }
    }

    /// Records the step that `simulation` has just taken with `inputs`. Steps without effect, after the end of the
    /// game, are not recorded.
    pub fn note(&mut self, inputs: &Inputs, simulation: &mut Simulation) {
        let steps = self.replay.about.steps;
        if simulation.tick() != steps {
            let hash = (steps + 1).is_multiple_of(STEPS_PER_HASH).then(|| simulation.state_hash());
            self.note_step(inputs, hash);
            let is_first = self.end.is_none_or(|(end, _)| end <= simulation.begin());
            if simulation.state() == GameState::GameOver && is_first {
                self.note_end(simulation.state_hash());
            }
        }
    }

    /// Notes that a match was over after the last recorded step, and the hash of the state after it.
    pub fn note_end(&mut self, hash: u64) {
        self.end = Some((self.replay.about.steps, hash));
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
        self.end = self.end.filter(|(end, _)| *end <= tick);
    }

    /// The replay of the present match: it begins with the first step of the match and ends with its end, without the
    /// steps in which its result was shown.
    #[must_use]
    pub fn match_replay(&self, simulation: &mut Simulation) -> Replay {
        let begin = simulation.begin();
        let Some((end, hash)) = self.end.filter(|(end, _)| *end > begin) else {
            return self.replay(simulation).beginning_at(begin);
        };
        let Replay { mut about, mut recording } = self.replay.clone();
        recording.truncate(end);
        recording.state(hash);
        about.steps = end;
        Replay { about, recording }.beginning_at(begin)
    }

    /// The replay of all steps so far, with the hash of the present state of `simulation`.
    #[must_use]
    pub fn replay(&self, simulation: &mut Simulation) -> Replay {
        let mut replay = self.replay.clone();
        replay.recording.state(simulation.state_hash());
        replay
    }
}
