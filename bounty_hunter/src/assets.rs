//! Everything under `assets/`: compiled in, or read from a directory.
//!
//! A set of assets is checked as a whole before anybody sees it, so the game may rely on every number in it. What is
//! wrong is an [`AssetError`] that names the file, the line and the column.

mod built_in;
mod check;
mod check_keymap;
mod check_level;
mod check_mode;
mod check_rules;
mod error;
mod layers;
mod limits;
mod position;
mod source;

use std::collections::BTreeMap;
use std::path::Path;

pub use error::{AssetError, UnknownName};

use crate::config::{AiProfile, GameConfig, Keymap, Prefabs};
use crate::level::Level;
use crate::mode::Mode;
use source::{AI_FOLDER, LEVELS_FOLDER, MODES_FOLDER, Source, Sources};

/// All data of the game, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Assets {
    /// `game.ron`, or what a mode has made of it: how a match is played.
    pub game: GameConfig,
    /// `prefabs/*.ron`
    pub prefabs: Prefabs,
    /// `keymap.ron`
    pub keymap: Keymap,
    /// `ai/*.ron` by name.
    pub ai: BTreeMap<String, AiProfile>,
    /// `modes/*.ron` by name.
    pub modes: BTreeMap<String, Mode>,
    /// `levels/*.ron` by name.
    pub levels: BTreeMap<String, Level>,
}

impl Assets {
    /// The assets that are compiled into the program.
    ///
    /// # Panics
    /// If a compiled-in file is wrong, which a test rules out.
    #[must_use]
    pub fn built_in() -> Self {
        Self::from_sources(&built_in::sources()).expect("a test proves that the built-in assets are valid")
    }

    /// The built-in assets with those of `directory` in their place, file by file.
    ///
    /// Every file of the built-in set may be left out. Each file of `ai/`, `modes/` and `levels/` adds a profile, mode or level
    /// of that name, or replaces the built-in one. A `.ron` file that is no asset by its name is refused, because it is most likely a misspelt one;
    /// other files and folders are nobody's business.
    ///
    /// # Errors
    /// - The directory or one of its files cannot be read, or is not UTF-8 text.
    /// - A file is not valid RON, or lacks a field, or has one that nobody knows.
    /// - A value is out of its limits, two values contradict each other, or a key has two meanings.
    /// - Something is named that is not there, or a level is impossible.
    pub fn load(directory: &Path) -> Result<Self, AssetError> {
        let mut sources = built_in::sources();
        sources.replace_from(directory)?;
        Self::from_sources(&sources)
    }

    /// The same assets with the match and the rules of a mode.
    ///
    /// # Errors
    /// - [`UnknownName`] if there is no mode of that name.
    pub fn in_mode(mut self, name: &str) -> Result<Self, UnknownName> {
        let mode = self.modes.get(name).ok_or_else(|| UnknownName::new("mode", name, self.modes.keys()))?;
        self.game = mode.game.clone();
        Ok(self)
    }

    /// The same assets with another level for every match.
    ///
    /// # Errors
    /// - [`UnknownName`] if there is no level of that name.
    pub fn in_level(mut self, name: &str) -> Result<Self, UnknownName> {
        if !self.levels.contains_key(name) {
            return Err(UnknownName::new("level", name, self.levels.keys()));
        }
        self.game.level = name.to_owned();
        self.modes.values_mut().for_each(|mode| mode.game.level = name.to_owned());
        Ok(self)
    }

    fn from_sources(sources: &Sources) -> Result<Self, AssetError> {
        let game_source = sources.file("game.ron");
        let game: GameConfig = game_source.parse()?;
        check::check_game(game_source, "", &game)?;
        let below = serde_json::json!({ "game": game });
        let assets = Self {
            prefabs: Prefabs {
                collector: sources.file("prefabs/collector.ron").parse()?,
                bounty: sources.file("prefabs/bounty.ron").parse()?,
                stash: sources.file("prefabs/stash.ron").parse()?,
                wall: sources.file("prefabs/wall.ron").parse()?,
            },
            keymap: sources.file("keymap.ron").parse()?,
            ai: by_name(sources, AI_FOLDER, Source::parse)?,
            levels: by_name(sources, LEVELS_FOLDER, Source::parse)?,
            modes: by_name(sources, MODES_FOLDER, |source| source.parse_over(&below))?,
            game,
        };
        check::check_prefabs(sources, &assets.prefabs)?;
        check_keymap::check_keymap(sources.file("keymap.ron"), &assets.keymap)?;
        for (name, source) in sources.files_in(AI_FOLDER) {
            check::check_ai(source, &assets.ai[name])?;
        }
        check_mode::check_names(game_source, "", &assets.game, &assets)?;
        check_level::check_sizes(sources, &assets.levels[&assets.game.level], &assets)?;
        for (name, source) in sources.files_in(LEVELS_FOLDER) {
            check_level::check_level(source, &assets.levels[name], &assets.prefabs)?;
        }
        for (name, source) in sources.files_in(MODES_FOLDER) {
            check_mode::check_mode(source, &assets.modes[name], &assets)?;
        }
        Ok(assets)
    }
}

/// The files of a folder, parsed, by their bare names.
fn by_name<T>(
    sources: &Sources,
    folder: &str,
    parse: impl Fn(&Source) -> Result<T, AssetError>,
) -> Result<BTreeMap<String, T>, AssetError> {
    sources.files_in(folder).map(|(name, source)| Ok((name.to_owned(), parse(source)?))).collect()
}

#[cfg(test)]
mod tests;
