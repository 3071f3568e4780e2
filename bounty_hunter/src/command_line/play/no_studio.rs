//! A window in a build without the studio: there is never a [`GameStudio`].

use std::rc::Rc;

use bounty_hunter::assets::Assets;
use bounty_hunter::client::Game;
use bounty_hunter::replay::{Recorder, Replay};
use bounty_hunter::simulation::Simulation;
use ecs::EngineBuilder;

use crate::command_line::Failure;
use crate::command_line::arguments::PlayArguments;

pub(super) enum GameStudio {}

impl GameStudio {
    pub(super) fn of(_: &PlayArguments, _: &mut EngineBuilder) -> Result<Option<Rc<Self>>, Failure> {
        Ok(None)
    }

    pub(super) fn game(self: &Rc<Self>, _: Simulation, _: Recorder) -> Box<dyn Game> {
        match **self {}
    }

    pub(super) fn replay(&self) -> Result<Replay, Failure> {
        match *self {}
    }

    pub(super) fn assets(&self, _: &Assets) -> Assets {
        match *self {}
    }
}
