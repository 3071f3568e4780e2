//! Playing a recorded match again.

use ecs::EngineBuilder;

use super::{Difference, Replay, ReplayError, STEPS_PER_HASH};
use crate::assets::Assets;
use crate::input::Inputs;
use crate::simulation::{Simulation, SimulationError, StepReport, configuration_hash};

/// A replay on its way through a simulation.
pub struct Playback {
    replay: Replay,
    /// What it begins anew with: the assets in the mode and level of the replay.
    assets: Assets,
    engine: EngineBuilder,
    simulation: Simulation,
    /// Where the next inputs are, and after how many more steps.
    next: usize,
    steps_to_next: u64,
}

impl Playback {
    /// A replay before its first step. `assets` are those that it was recorded with; their mode and level are chosen by the
    /// replay. The settings of the engine do not change what happens.
    ///
    /// # Errors
    /// - [`ReplayError::Unknown`] if the assets lack its mode or its level.
    /// - [`ReplayError::Simulation`] if the match can not be set up.
    /// - [`ReplayError::Configuration`] if it was recorded with other assets.
    pub fn new(replay: Replay, assets: &Assets, engine: EngineBuilder) -> Result<Self, ReplayError> {
        let about = replay.about();
        let assets = assets.clone().in_level(&about.level)?.in_mode(&about.mode)?;
        if configuration_hash(&assets, &about.setup)? != about.configuration {
            return Err(ReplayError::Configuration);
        }
        let simulation = Simulation::with_engine(&assets, &about.setup, engine)?;
        let steps_to_next = replay.inputs.first().map_or(0, |(steps, _)| *steps);
        Ok(Self { replay, assets, engine, simulation, next: 0, steps_to_next })
    }

    /// Goes back to before the first step.
    ///
    /// # Errors
    /// - [`SimulationError`] if the match can no longer be set up: not for lack of anything that was there at the start.
    pub fn rewind(&mut self) -> Result<(), SimulationError> {
        self.simulation = Simulation::with_engine(&self.assets, &self.replay.about.setup, self.engine)?;
        self.next = 0;
        self.steps_to_next = self.replay.inputs.first().map_or(0, |(steps, _)| *steps);
        Ok(())
    }

    /// What is played.
    #[must_use]
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// The simulation after the steps so far, for looking.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Whether all steps are taken.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.simulation.tick() >= self.replay.about.steps
    }

    /// Takes the next recorded step; `None` after the last one.
    pub fn step(&mut self) -> Option<StepReport> {
        if self.is_over() {
            return None;
        }
        let none = Inputs::none();
        let mut inputs = &none;
        if let Some((_, recorded)) = self.replay.inputs.get(self.next) {
            self.steps_to_next -= 1;
            if self.steps_to_next == 0 {
                inputs = recorded;
                self.next += 1;
                self.steps_to_next = self.replay.inputs.get(self.next).map_or(0, |(steps, _)| *steps);
            }
        }
        let before = self.simulation.tick();
        let report = self.simulation.step(inputs);
        // A game that is over takes no more steps, which no recording of this version has, but one from elsewhere may.
        (report.tick > before).then_some(report)
    }

    /// Takes all steps that are left, and compares the state with the recorded one wherever there is a hash.
    ///
    /// # Errors
    /// - [`Difference`] at the first hash that differs.
    pub fn verify(&mut self) -> Result<(), Difference> {
        let mut agrees_until = self.simulation.tick();
        loop {
            let is_over = self.step().is_none();
            let tick = self.simulation.tick();
            let recorded = match tick.is_multiple_of(STEPS_PER_HASH) {
                _ if is_over => Some(self.replay.last_hash),
                true => self.replay.hashes.get((tick / STEPS_PER_HASH) as usize - 1).copied(),
                false => None,
            };
            if let Some(recorded) = recorded {
                let replayed = self.simulation.state_hash();
                if replayed != recorded {
                    return Err(Difference { agrees_until, differs_at: tick, recorded, replayed });
                }
                agrees_until = tick;
            }
            if is_over {
                return Ok(());
            }
        }
    }
}
