//! Saves of a match in a browser.

use bounty_hunter::assets::Assets;
use bounty_hunter::browser;
use bounty_hunter::client::{MatchHistory, Notice};
use bounty_hunter::foreign_file::FileKind;
use bounty_hunter::replay::Replay;
use bounty_hunter::saved_match::SavedMatch;
use ecs::EngineBuilder;

use super::Session;
use crate::command_line::Failure;
use crate::command_line::arguments::PlayArguments;

/// Where the browser keeps the two parts of the save.
const REPLAY: &str = "save.replay";
const STATE: &str = "save.state";

/// The means to load a save.
pub(in crate::command_line::play) struct Storage {
    assets: Assets,
    engine: EngineBuilder,
    /// Whether all modes allow rewinding.
    can_rewind: bool,
}

/// No results are stored.
pub(in crate::command_line::play) fn match_history(
    _: &Assets,
    _: &PlayArguments,
    _: EngineBuilder,
) -> Option<Box<dyn MatchHistory>> {
    None
}

impl Storage {
    pub(in crate::command_line::play) fn open(
        assets: &Assets,
        arguments: &PlayArguments,
        engine: EngineBuilder,
    ) -> Result<Option<Self>, Failure> {
        Ok(Some(Self { assets: assets.clone(), engine, can_rewind: arguments.rewind }))
    }
}

impl Session {
    pub(super) fn save(&mut self) {
        let replay = self.whole_replay();
        let saved = self.simulation.save().map_err(|error| error.to_string());
        let written = saved.and_then(|state| {
            browser::write(STATE, &state)?;
            browser::write(REPLAY, &replay.to_bytes())
        });
        self.tell(match written {
            Ok(()) => Notice::success("saved", &[]),
            Err(error) => Notice::problem("not saved: {problem}", &[("problem", &error)]),
        });
    }

    pub(super) fn load(&mut self) -> bool {
        let loaded = self.load_from_browser();
        self.tell(match &loaded {
            Ok(()) => Notice::success("loaded", &[]),
            Err(error) => Notice::problem("not loaded: {problem}", &[("problem", error)]),
        });
        loaded.is_ok()
    }

    fn load_from_browser(&mut self) -> Result<(), String> {
        let (Some(state), Some(replay)) = (browser::read(STATE), browser::read(REPLAY)) else {
            return Err("this browser has no save".to_owned());
        };
        FileKind::State.check(state.len() as u64).map_err(|problem| format!("the save {problem}"))?;
        let replay = Replay::from_bytes(&replay).map_err(|error| error.to_string())?;
        let Some(Storage { assets, engine, can_rewind }) = &self.storage else { return Ok(()) };
        let (assets, engine, can_rewind) = (assets.clone(), *engine, *can_rewind);
        let (simulation, recorder) = SavedMatch { replay, state }.resume(&assets, engine)?;
        *self = Self::new(simulation, recorder, &assets, can_rewind).with_storage(self.storage.take());
        Ok(())
    }
}
