//! A build without the studio: matches are only played, and [`Arguments`](super::arguments::Arguments) refuses what
//! asks for more.

use std::path::Path;

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{Simulation, StepReport};
use ecs::EngineBuilder;

use super::arguments::{LogLevel, ReplayArguments, SimulateArguments};
use super::{Failure, log};

/// Starts logging; the result completes the log file when it is dropped.
pub(crate) fn start_log(level: Option<LogLevel>, file: Option<&Path>, _: Option<&Path>) -> Result<impl Sized, Failure> {
    log::start(level, file)
}

pub(crate) fn show_replay(_: &Assets, _: &ReplayArguments, _: &str) -> Result<(), Failure> {
    Err(Failure::BadInput("this build lacks the feature `studio`".to_owned()))
}

pub(crate) struct Inspected;

impl Inspected {
    pub(crate) fn open(_: &SimulateArguments) -> Result<Self, String> {
        Ok(Self)
    }

    pub(crate) fn engine(&self, engine: EngineBuilder) -> EngineBuilder {
        engine
    }

    pub(crate) fn step(&mut self, simulation: &mut Simulation, inputs: &Inputs) -> Option<StepReport> {
        Some(simulation.step(inputs))
    }

    pub(crate) fn ends(&mut self, _: &mut Simulation, is_over: bool) -> bool {
        is_over
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        Ok(())
    }
}
