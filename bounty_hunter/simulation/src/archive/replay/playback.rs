//! Playback of a replay.

use std::collections::BTreeMap;

use ecs::{
    EngineBuilder, Error,
    recording::{Divergence, Replayer},
};

use super::{About, Difference, Replay, ReplayError};
use crate::assets::Assets;
use crate::data::input::Inputs;
use crate::simulation::{Simulation, SimulationSnapshot, StepReport, configuration_hash};

/// A simulation that plays a replay.
pub struct Playback {
    about: About,
    replayer: Replayer<Inputs, u64>,
    simulation: Simulation,
}

impl About {
    fn assets_of_match(&self, assets: &Assets) -> Result<Assets, ReplayError> {
        Ok(assets.clone().in_level(&self.level)?.in_mode(&self.mode)?)
    }
}

impl Playback {
    /// A playback before its first step. `assets` must be those of the recording; the replay selects mode and level.
    /// The settings of the engine do not change the course of the match.
    ///
    /// # Errors
    /// - [`ReplayError::Unknown`] if the assets lack its mode or its level.
    /// - [`ReplayError::Simulation`] if the match cannot be set up.
    /// - [`ReplayError::Configuration`] if it was recorded with other assets.
    /// - [`ReplayError::Damaged`] if its description is not that of its match.
    /// - [`ReplayError::Edited`] if it has changes by hand, which [`Playback::with_edits`] plays.
    pub fn new(replay: Replay, assets: &Assets, engine: EngineBuilder) -> Result<Self, ReplayError> {
        Self::with_edits(replay.without_edits()?, assets, engine)
    }

    /// As [`Playback::new`], also of a replay with changes by hand. They may give a match values that no file may give
    /// it, so whoever made the replay must be trusted: a step after them may panic.
    ///
    /// # Errors
    /// As [`Playback::new`], except [`ReplayError::Edited`].
    pub fn with_edits(replay: Replay, assets: &Assets, engine: EngineBuilder) -> Result<Self, ReplayError> {
        let assets = replay.about.assets_of_match(assets)?;
        match configuration_hash(&assets, &replay.about.setup)? == replay.about.configuration {
            true => Self::begin(replay, &assets, engine),
            false => Err(ReplayError::Configuration),
        }
    }

    /// As [`Playback::with_edits`], also of a replay that was recorded with other assets or by another build: the same
    /// inputs under other rules, whose match may go another way.
    ///
    /// # Errors
    /// As [`Playback::with_edits`], except [`ReplayError::Configuration`].
    pub fn with_other_assets(replay: Replay, assets: &Assets, engine: EngineBuilder) -> Result<Self, ReplayError> {
        let assets = replay.about.assets_of_match(assets)?;
        Self::begin(replay, &assets, engine)
    }

    fn begin(replay: Replay, assets: &Assets, engine: EngineBuilder) -> Result<Self, ReplayError> {
        let Replay { about, recording } = replay;
        if about.steps_per_second != assets.game.steps_per_second {
            return Err(ReplayError::Damaged("its steps per second are not those of its match"));
        }
        let simulation = Simulation::with_engine(assets, &about.setup, engine)?;
        Ok(Self { about, replayer: Replayer::new(recording), simulation })
    }

    /// The description of its match.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The description of the match, the simulation, and the recorded inputs by step, from 1: for a program that takes
    /// the steps itself.
    #[must_use]
    pub fn into_parts(self) -> (About, Simulation, BTreeMap<u64, Inputs>) {
        let inputs = self.replayer.recording().inputs().map(|(step, inputs)| (step, inputs.clone())).collect();
        (self.about, self.simulation, inputs)
    }

    /// The recorded hash of the state after the last step; 0 without steps.
    #[must_use]
    pub fn last_hash(&self) -> u64 {
        self.replayer.recording().last_state().map_or(0, |(_, hash)| *hash)
    }

    /// The simulation, for reading.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The hash of the present state.
    #[must_use]
    pub fn state_hash(&mut self) -> u64 {
        self.simulation.state_hash()
    }

    /// Whether all steps are taken.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.simulation.tick() >= self.about.steps
    }

    /// Takes the next recorded step; `None` after the last one.
    pub fn step(&mut self) -> Option<StepReport> {
        let Self { replayer, simulation, .. } = self;
        let inputs = replayer.next_frame()?.inputs;
        let (before, none) = (simulation.tick(), Inputs::none());
        let report = simulation.step(inputs.unwrap_or(&none));
        // A foreign replay may contain steps after the end of the game, which have no effect.
        (report.tick > before).then_some(report)
    }

    /// Takes a snapshot of the present state.
    pub(super) fn snapshot(&mut self) -> Result<SimulationSnapshot, Error> {
        self.simulation.snapshot()
    }

    /// Restores an earlier state.
    pub(super) fn restore(&mut self, snapshot: &SimulationSnapshot) -> Result<(), Error> {
        self.simulation.restore(snapshot)?;
        self.replayer.seek(snapshot.tick());
        Ok(())
    }

    /// Takes all remaining steps and compares each recorded hash.
    ///
    /// # Errors
    /// - [`Difference`] at the first different hash.
    pub fn verify(&mut self) -> Result<(), Difference> {
        let none = Inputs::none();
        let divergence = self.replayer.verify_by(
            &mut self.simulation,
            Simulation::engine_mut,
            |simulation, inputs| {
                simulation.step(inputs.unwrap_or(&none));
                Ok::<_, Error>(())
            },
            |simulation, &recorded| {
                let replayed = simulation.state_hash();
                Ok((replayed != recorded).then_some((recorded, replayed)))
            },
        );
        // A match holds only values of registered types, as its hashes need.
        let divergence = divergence.unwrap_or_else(|error| panic!("{error}"));
        let Some(Divergence { agrees_until, frame, difference: (recorded, replayed), second_run }) = divergence else {
            return Ok(());
        };
        let second_run = second_run.map(Box::new);
        Err(Difference { agrees_until, differs_at: frame, recorded, replayed, second_run })
    }
}
