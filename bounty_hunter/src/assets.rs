//! Everything under `assets/`: compiled in, or read from a directory.
//!
//! A set of assets is checked as a whole before anybody sees it, so the game may rely on every number in it. What is
//! wrong is an [`AssetError`] that names the file, the line and the column.

mod built_in;
mod check;
mod check_keymap;
mod error;
mod limits;
mod position;
mod source;

use std::collections::BTreeMap;
use std::path::Path;

pub use error::AssetError;

use crate::config::{AiProfile, GameConfig, Keymap, Prefabs};
use source::{AI_FOLDER, Sources};

/// All data of the game, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Assets {
    /// `game.ron`
    pub game: GameConfig,
    /// `prefabs/*.ron`
    pub prefabs: Prefabs,
    /// `keymap.ron`
    pub keymap: Keymap,
    /// `ai/*.ron` by name.
    pub ai: BTreeMap<String, AiProfile>,
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
    /// Every file of the built-in set may be left out. Each `ai/*.ron` adds a profile of that name, or replaces the
    /// built-in one. A `.ron` file that is no asset by its name is refused, because it is most likely a misspelt one;
    /// other files and folders are nobody's business.
    ///
    /// # Errors
    /// - The directory or one of its files cannot be read, or is not UTF-8 text.
    /// - A file is not valid RON, or lacks a field, or has one that nobody knows.
    /// - A value is out of its limits, two values contradict each other, or a key has two meanings.
    pub fn load(directory: &Path) -> Result<Self, AssetError> {
        let mut sources = built_in::sources();
        sources.replace_from(directory)?;
        Self::from_sources(&sources)
    }

    fn from_sources(sources: &Sources) -> Result<Self, AssetError> {
        let assets = Self {
            game: sources.file("game.ron").parse()?,
            prefabs: Prefabs {
                collector: sources.file("prefabs/collector.ron").parse()?,
                bounty: sources.file("prefabs/bounty.ron").parse()?,
                stash: sources.file("prefabs/stash.ron").parse()?,
                wall: sources.file("prefabs/wall.ron").parse()?,
            },
            keymap: sources.file("keymap.ron").parse()?,
            ai: sources
                .files_in(AI_FOLDER)
                .map(|(name, source)| Ok((name.to_owned(), source.parse()?)))
                .collect::<Result<_, _>>()?,
        };
        check::check_game(sources.file("game.ron"), &assets.game)?;
        check::check_prefabs(sources, &assets.prefabs)?;
        check_keymap::check_keymap(sources.file("keymap.ron"), &assets.keymap)?;
        for (name, source) in sources.files_in(AI_FOLDER) {
            check::check_ai(source, &assets.ai[name])?;
        }
        check::check_fit(sources, &assets.game, &assets.prefabs)?;
        Ok(assets)
    }
}

#[cfg(test)]
mod tests;
