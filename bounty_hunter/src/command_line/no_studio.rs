//! A simulated match without a studio, in a build without one.

use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{Simulation, StepReport};
use ecs::EngineBuilder;

use super::arguments::SimulateArguments;

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

    pub(crate) fn stays(&mut self, _: u64) -> bool {
        false
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        Ok(())
    }
}
