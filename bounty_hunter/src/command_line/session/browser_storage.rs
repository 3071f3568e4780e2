//! Saves of a match in a browser.

use bounty_hunter::assets::Assets;
use bounty_hunter::browser;
use bounty_hunter::client::Notice;
use bounty_hunter::foreign_file::FileKind;
use bounty_hunter::replay::Replay;
use ecs::EngineBuilder;

use super::{SavedMatch, Session};

/// Where the browser keeps the two parts of the save.
const REPLAY: &str = "save.replay";
const STATE: &str = "save.state";

/// The means to load a save.
pub(in crate::command_line) struct Storage {
    pub(in crate::command_line) assets: Assets,
    pub(in crate::command_line) engine: EngineBuilder,
    /// Whether all modes allow rewinding.
    pub(in crate::command_line) can_rewind: bool,
}

impl Session {
    pub(super) fn save(&mut self) {
        let replay = self.replay();
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
        self.resume(&SavedMatch { replay, state }, &assets, engine, can_rewind)
    }
}
