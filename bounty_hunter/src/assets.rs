//! Everything under `assets/`: compiled in, or read from a directory.
//!
//! A set of assets is checked as a whole before anybody sees it, so the game may rely on every number in it. What is
//! wrong is an [`PrefabError`] that names the file, the line and the column.

mod built_in;
mod check_keymap;
mod check_kinds;
mod check_level;
mod check_mode;
mod source;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use crate::data::config::{AiProfile, GameConfig, Keymap};
use crate::data::level::Level;
use crate::data::mode::Mode;
use crate::objects::prefabs::known_components;
use check_kinds::Sizes;
use ecs::prefab::RonText;
use ecs::prefab::{PrefabError, Prefabs};
use source::{AI_FOLDER, LEVELS_FOLDER, MODES_FOLDER, PREFABS_FOLDER, Sources};

/// All data of the game, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Assets {
    /// `game.ron`, or what a mode has made of it: how a match is played.
    pub game: GameConfig,
    /// `prefabs/*.ron`: what each kind of entity is made of.
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
    /// of that name, or replaces the built-in one; each of `prefabs/` adds its prefabs, or replaces the built-in file. A `.ron` file that is no asset by its name is refused, because it is most likely a misspelt one;
    /// other files and folders are nobody's business.
    ///
    /// # Errors
    /// - The directory or one of its files cannot be read, or is not UTF-8 text.
    /// - A file is not valid RON, or lacks a field, or has one that nobody knows.
    /// - A value is out of its limits, two values contradict each other, or a key has two meanings.
    /// - Something is named that is not there, or a level is impossible.
    pub fn load(directory: &Path) -> Result<Self, PrefabError> {
        let mut sources = built_in::sources();
        sources.replace_from(directory)?;
        Self::from_sources(&sources)
    }

    /// The built-in assets with other texts in the place of files, each given by its path below the folder of assets, such as
    /// `levels/garden.ron`; as if they lay in a directory of their own.
    ///
    /// # Errors
    /// As [`Assets::load`].
    pub fn with_texts<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>) -> Result<Self, PrefabError> {
        let mut sources = built_in::sources();
        for (path, text) in files {
            sources.replace(path, RonText::new(path, text))?;
        }
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

    fn from_sources(sources: &Sources) -> Result<Self, PrefabError> {
        let game_source = sources.file("game.ron");
        let game: GameConfig = game_source.read()?;
        let base = game_source.as_field("game");
        let assets = Self {
            prefabs: load_prefabs(sources)?,
            keymap: sources.file("keymap.ron").read()?,
            ai: by_name(sources, AI_FOLDER, RonText::read)?,
            levels: by_name(sources, LEVELS_FOLDER, RonText::read)?,
            modes: by_name(sources, MODES_FOLDER, |source| source.read_over(&base))?,
            game,
        };
        check_keymap::check_keymap(sources.file("keymap.ron"), &assets.keymap)?;
        check_mode::check_names(game_source, "", &assets.game, &assets)?;
        check_kinds::check_sizes(&assets.game, &assets.prefabs, &assets.levels[&assets.game.level])?;
        let sizes = Sizes::of(&assets.game, &assets.prefabs);
        for (name, source) in sources.files_in(LEVELS_FOLDER) {
            check_level::check_level(source, &assets.levels[name], sizes, &assets.prefabs)?;
        }
        for (name, source) in sources.files_in(MODES_FOLDER) {
            let mode = &assets.modes[name];
            check_mode::check_mode(source, mode, &assets)?;
            let (sizes_of_mode, level) = (Sizes::of(&mode.game, &assets.prefabs), &mode.game.level);
            if sizes_of_mode != sizes {
                let source = sources.file(&format!("{LEVELS_FOLDER}{level}.ron"));
                check_level::check_level(source, &assets.levels[level], sizes_of_mode, &assets.prefabs)?;
            }
        }
        Ok(assets)
    }
}

/// A name that the assets do not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    name: String,
    known: Vec<String>,
}

impl UnknownName {
    pub(crate) fn new<'a>(what: &'static str, name: &str, known: impl Iterator<Item = &'a String>) -> Self {
        Self { what, name: name.to_owned(), known: known.cloned().collect() }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {} {:?}, there are {}", self.what, self.name, self.known.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// All prefabs, each checked by itself.
fn load_prefabs(sources: &Sources) -> Result<Prefabs, PrefabError> {
    let mut prefabs = known_components();
    let files = || sources.files_in(PREFABS_FOLDER);
    let is_built_in = |name: &str| built_in::has(&format!("{PREFABS_FOLDER}{name}.ron"));
    // Where two define the same, the file that was added is at fault.
    let (own, added) = (files().filter(|(name, _)| is_built_in(name)), files().filter(|(name, _)| !is_built_in(name)));
    prefabs.load_all(own.chain(added).map(|(_, source)| (source.name(), source.text())))?;
    Ok(prefabs)
}

/// The files of a folder, parsed, by their bare names.
fn by_name<T>(
    sources: &Sources,
    folder: &str,
    parse: impl Fn(&RonText) -> Result<T, PrefabError>,
) -> Result<BTreeMap<String, T>, PrefabError> {
    sources.files_in(folder).map(|(name, source)| Ok((name.to_owned(), parse(source)?))).collect()
}

#[cfg(test)]
mod tests;
