//! What a mode must be: shown by a title and a sentence, with rules within their limits, and with names that mean something.

use std::collections::BTreeMap;

use super::Assets;
use super::check::check_game;
use super::check_kinds::{check_fit, check_kinds, check_rules_of_places};
use super::error::AssetError;
use super::source::Source;
use crate::data::config::GameConfig;
use crate::data::mode::Mode;

/// Letters of a title, and of a description, that the title screen has room for.
const MOST_LETTERS: (usize, usize) = (20, 90);

pub(super) fn check_mode(source: &Source, mode: &Mode, assets: &Assets) -> Result<(), AssetError> {
    for (field, text, most) in
        [("title", &mode.title, MOST_LETTERS.0), ("description", &mode.description, MOST_LETTERS.1)]
    {
        let letters = text.chars().count();
        if letters == 0 || letters > most {
            return Err(source.error(field, format!("{field} has {letters} letters, must have 1 to {most}")));
        }
    }
    check_game(source, "game.", &mode.game)?;
    check_names(source, "game.", &mode.game, assets)
}

/// Whether the AI, the prefabs and the level that a match names are there, and the level has room for its players and for what
/// is dealt. The match stands at `within` in its file, as for [`check_game`].
pub(super) fn check_names(source: &Source, within: &str, game: &GameConfig, assets: &Assets) -> Result<(), AssetError> {
    let GameConfig { ai, level, players, .. } = game;
    check_name(source, within, "ai", ai, &assets.ai)?;
    check_name(source, within, "level", level, &assets.levels)?;
    check_kinds(source, within, game, &assets.prefabs)?;
    check_rules_of_places(source, within, game, &assets.prefabs, &assets.levels[level])?;
    match assets.levels[level].most_players() {
        Some(places) if (*players as usize) > places => {
            let problem = format!("players is {players}, must be at most {places}, the places of the level {level:?}");
            Err(source.error(&format!("{within}players"), problem))
        }
        _ => check_fit(source, within, game, &assets.prefabs, &assets.levels[level]),
    }
}

fn check_name<T>(
    source: &Source,
    within: &str,
    field: &str,
    name: &str,
    known: &BTreeMap<String, T>,
) -> Result<(), AssetError> {
    if known.contains_key(name) {
        return Ok(());
    }
    let known: Vec<&str> = known.keys().map(String::as_str).collect();
    let problem = format!("{field} is {name:?}, must be one of {}", known.join(", "));
    Err(source.error(&format!("{within}{field}"), problem))
}
