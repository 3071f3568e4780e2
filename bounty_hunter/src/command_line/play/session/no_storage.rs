//! A build without saves: saving and loading are refused.

use bounty_hunter::assets::Assets;
use bounty_hunter::client::{MatchHistory, Notice};
use ecs::EngineBuilder;

use super::Session;
use crate::command_line::Failure;
use crate::command_line::arguments::PlayArguments;

pub(in crate::command_line::play) enum Storage {}

pub(in crate::command_line::play) fn match_history(
    _: &Assets,
    _: &PlayArguments,
    _: EngineBuilder,
) -> Option<Box<dyn MatchHistory>> {
    None
}

impl Storage {
    pub(in crate::command_line::play) fn open(
        _: &Assets,
        _: &PlayArguments,
        _: EngineBuilder,
    ) -> Result<Option<Self>, Failure> {
        Ok(None)
    }
}

impl Session {
    pub(super) fn save(&mut self) {
        self.tell(Notice::problem("not saved: this program was built without saves", &[]));
    }

    pub(super) fn load(&mut self) -> bool {
        self.tell(Notice::problem("not loaded: this program was built without saves", &[]));
        false
    }
}
