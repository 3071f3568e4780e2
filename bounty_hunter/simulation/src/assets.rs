//! Everything under `assets/`: compiled in, or read from a directory.
//!
//! All assets are checked together on loading, so the game can rely on every number. A mistake is a [`PrefabError`]
//! with file, line and column.

mod asset_editor;
mod asset_texts;
mod built_in;
mod check_keymap;
mod check_kinds;
mod check_language;
mod check_level;
mod check_mode;
mod check_passes;
mod check_reactions;
mod check_sounds;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::ai::learned::Policy;
use crate::data::config::{AiProfile, GameConfig, RulesConfig};
use crate::data::keymap::Keymap;
use crate::data::language::Language;
use crate::data::level::Level;
use crate::data::mode::Mode;
use crate::data::seeded_level::{seed_in, seeded_level, seeded_name};
use crate::data::sounds::Sounds;
pub use crate::data::unknown_name::UnknownName;
use crate::objects::prefabs::known_components;
pub use asset_editor::AssetEditor;
pub use asset_texts::AssetTexts;
use asset_texts::{AI_FOLDER, LANGUAGES_FOLDER, LEVELS_FOLDER, MODES_FOLDER, POLICIES_FOLDER, PREFABS_FOLDER};
use check_kinds::Sizes;
use ecs::prefab::{PrefabError, Prefabs, RonText};

/// The AIs of the four levels of the game, the weakest first; the last one has learned to play.
pub const AI_LEVELS: [&str; 4] = ["easy", "normal", "hard", "learned"];

/// All data of the game, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Assets {
    /// `game.ron`, or the match of a mode.
    pub game: GameConfig,
    /// `prefabs/*.ron`.
    pub prefabs: Prefabs,
    /// `keymap.ron`
    pub keymap: Keymap,
    /// `sounds.ron`
    pub sounds: Sounds,
    /// `ai/*.ron` by name.
    pub ai: BTreeMap<String, AiProfile>,
    /// `policies/*.ron` by name: the learned AIs.
    pub policies: BTreeMap<String, Arc<Policy>>,
    /// `modes/*.ron` by name.
    pub modes: BTreeMap<String, Mode>,
    /// `levels/*.ron` by name, and the level of a seed that was chosen.
    pub levels: BTreeMap<String, Level>,
    /// `languages/*.ron` by name.
    pub languages: BTreeMap<String, Language>,
}

impl Assets {
    /// The assets that are compiled into the program.
    ///
    /// # Panics
    /// If a compiled-in file has a mistake, which a test rules out.
    #[must_use]
    pub fn built_in() -> Self {
        Self::from_texts(&built_in::sources()).expect("a test proves that the built-in assets are valid")
    }

    /// The built-in assets with files replaced by those of `directory`.
    ///
    /// Every file is optional. Each file in `ai/`, `policies/`, `modes/`, `levels/` and `languages/` adds or replaces a
    /// profile, policy, mode, level or language of that name; each in `prefabs/` adds its prefabs or replaces the
    /// built-in file. Other `.ron` files are refused, because they are probably misspelt, and so are folders and other
    /// extensions that are probably meant to be assets. Hidden and temporary files are no assets, and other files and
    /// folders are ignored.
    ///
    /// # Errors
    /// - The directory or a file cannot be read, or is not UTF-8.
    /// - A file is not valid RON, lacks a field, or has an unknown field.
    /// - A value is out of its limits, values contradict each other, or a key has two meanings.
    /// - A name is unknown, or a level is impossible.
    pub fn load(directory: &Path) -> Result<Self, PrefabError> {
        Self::from_texts(&AssetTexts::load(directory)?)
    }

    /// As [`Assets::load`], with texts instead of a directory, by their paths such as `levels/garden.ron`.
    ///
    /// # Errors
    /// As [`Assets::load`].
    pub fn with_texts<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>) -> Result<Self, PrefabError> {
        let mut sources = built_in::sources();
        for (path, text) in files {
            sources.replace(path, RonText::new(path, text))?;
        }
        Self::from_texts(&sources)
    }

    /// The names of all AIs: the profiles, then the policies.
    pub fn ai_names(&self) -> impl Iterator<Item = &String> {
        self.ai.keys().chain(self.policies.keys().filter(|name| !self.ai.contains_key(*name)))
    }

    /// The AIs that the game offers as its levels, the weakest first. The others serve to measure and to train; assets
    /// with none of these levels offer them all.
    #[must_use]
    pub fn ai_levels(&self) -> Vec<String> {
        let is_there = |level: &&str| self.ai_names().any(|name| name == level);
        let levels: Vec<String> = AI_LEVELS.into_iter().filter(is_there).map(str::to_owned).collect();
        if levels.is_empty() { self.ai_names().cloned().collect() } else { levels }
    }

    /// Checks the name of an AI.
    ///
    /// # Errors
    /// - [`UnknownName`] if the AI does not exist.
    pub fn check_ai(&self, name: &str) -> Result<(), UnknownName> {
        match self.ai_names().any(|other| other == name) {
            true => Ok(()),
            false => Err(UnknownName::new("AI profile", name, self.ai_names())),
        }
    }

    /// The same assets with the match and the rules of a mode.
    ///
    /// # Errors
    /// - [`UnknownName`] if the mode does not exist.
    pub fn in_mode(mut self, name: &str) -> Result<Self, UnknownName> {
        let mode = self.modes.get(name).ok_or_else(|| UnknownName::new("mode", name, self.modes.keys()))?;
        self.game = mode.game.clone();
        Ok(self)
    }

    /// The same assets with all rule sets, each as in the first mode that has it, and in a level with reactions if
    /// there is one: for tools and tests that look at all systems.
    #[must_use]
    pub fn with_all_rule_sets(mut self) -> Self {
        for mode in self.modes.values() {
            let RulesConfig { power_ups, spells, health, hunger, lives, chain, crown, gold_rush, teams, .. } =
                &mode.game.rules;
            let rules = &mut self.game.rules;
            rules.power_ups = rules.power_ups.take().or_else(|| power_ups.clone());
            rules.gold_rush = rules.gold_rush.take().or_else(|| gold_rush.clone());
            rules.spells = rules.spells.or(*spells);
            rules.health = rules.health.or(*health);
            rules.hunger = rules.hunger.or(*hunger);
            rules.lives = rules.lives.or(*lives);
            rules.chain = rules.chain.or(*chain);
            rules.crown = rules.crown.or(*crown);
            rules.teams = rules.teams.or(*teams);
        }
        let reacting = self.levels.iter().find(|(_, level)| !level.reactions.is_empty());
        if let Some((name, _)) = reacting {
            self.game.level.clone_from(name);
        }
        self
    }

    /// The same assets with this level for every match: a file, or the level of a seed such as `seed:7`.
    ///
    /// # Errors
    /// - [`UnknownName`] if the level does not exist, or if that of a seed does not fit the prefabs of these assets.
    pub fn in_level(mut self, name: &str) -> Result<Self, UnknownName> {
        let name = match seed_in(name) {
            Some(seed) => self.add_seeded_level(name, seed)?,
            None if self.levels.contains_key(name) => name.to_owned(),
            None => return Err(UnknownName::new("level", name, self.levels.keys())),
        };
        self.modes.values_mut().for_each(|mode| mode.game.level.clone_from(&name));
        self.game.level = name;
        Ok(self)
    }

    /// Makes the level of a seed and checks it as if it were read from a file; returns its name.
    fn add_seeded_level(&mut self, name: &str, seed: Result<u64, String>) -> Result<String, UnknownName> {
        let refused = |refusal| UnknownName::refused("level", name, refusal);
        let seed = seed.map_err(refused)?;
        let (level, sizes) = (seeded_level(seed), Sizes::of(&self.game, &self.prefabs));
        let source = RonText::new(name, "");
        check_level::check_level(&source, &level, sizes, &self.prefabs)
            .map_err(|error| refused(error.problem().to_owned()))?;
        let name = seeded_name(seed);
        self.levels.insert(name.clone(), level);
        Ok(name)
    }

    /// Reads and checks all texts.
    ///
    /// # Errors
    /// As [`Assets::load`].
    pub fn from_texts(sources: &AssetTexts) -> Result<Self, PrefabError> {
        let game_source = sources.file("game.ron");
        let game: GameConfig = game_source.read()?;
        let base = game_source.as_field("game");
        let assets = Self {
            prefabs: load_prefabs(sources)?,
            keymap: sources.file("keymap.ron").read()?,
            sounds: sources.file("sounds.ron").read()?,
            ai: by_name(sources, AI_FOLDER, RonText::read)?,
            policies: by_name(sources, POLICIES_FOLDER, |source| Ok(Arc::new(source.read()?)))?,
            levels: by_name(sources, LEVELS_FOLDER, RonText::read)?,
            languages: by_name(sources, LANGUAGES_FOLDER, RonText::read)?,
            modes: by_name(sources, MODES_FOLDER, |source| source.read_over(&base))?,
            game,
        };
        check_passes::check_passes(&assets.prefabs)?;
        check_sounds::check_effects(sources.file("sounds.ron"), &assets.sounds)?;
        check_sounds::check_sources(&assets.prefabs, &assets.sounds)?;
        check_keymap::check_keymap(sources.file("keymap.ron"), &assets.keymap)?;
        check_mode::check_names(game_source, "", &assets.game, &assets)?;
        check_kinds::check_sizes(&assets.game, &assets.prefabs, &assets.levels[&assets.game.level])?;
        for (name, source) in sources.files_in(LANGUAGES_FOLDER) {
            check_language::check_language(source, &assets.languages[name])?;
        }
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

/// Loads all prefabs.
fn load_prefabs(sources: &AssetTexts) -> Result<Prefabs, PrefabError> {
    let mut prefabs = known_components();
    let files = || sources.files_in(PREFABS_FOLDER);
    let is_built_in = |name: &str| built_in::has(&format!("{PREFABS_FOLDER}{name}.ron"));
    // Added files come last, so that errors about duplicates point at them.
    let (own, added) = (files().filter(|(name, _)| is_built_in(name)), files().filter(|(name, _)| !is_built_in(name)));
    prefabs.load_all(own.chain(added).map(|(_, source)| (source.name(), source.text())))?;
    Ok(prefabs)
}

/// The parsed files of a folder by bare name.
fn by_name<T>(
    sources: &AssetTexts,
    folder: &str,
    parse: impl Fn(&RonText) -> Result<T, PrefabError>,
) -> Result<BTreeMap<String, T>, PrefabError> {
    sources.files_in(folder).map(|(name, source)| Ok((name.to_owned(), parse(source)?))).collect()
}

#[cfg(test)]
mod tests;
