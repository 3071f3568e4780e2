//! Checks of modes: the lengths of the texts, and the names that the match refers to.

use ecs::prefab::{PrefabError, RonText, may_be_meant};

use super::Assets;
use super::check_kinds::{check_fit, check_kinds, check_rules_of_places};
use crate::data::config::{GameConfig, check_habits};
use crate::data::mode::Mode;
use crate::data::name;
use crate::objects::bounds::check_bounds;

/// Maximum letters of a title and of a description: the room on the title screen.
const MAX_LETTERS: (usize, usize) = (20, 90);

pub(super) fn check_mode(source: &RonText, mode: &Mode, assets: &Assets) -> Result<(), PrefabError> {
    for (field, text, most) in
        [("title", &mode.title, MAX_LETTERS.0), ("description", &mode.description, MAX_LETTERS.1)]
    {
        let letters = text.trim().chars().count();
        if letters == 0 || letters > most {
            return Err(source.error_at(field, format!("{field} has {letters} letters, must have 1 to {most}")));
        }
        if let Some(problem) = name::problem_in(text) {
            return Err(source.error_at(field, format!("{field} {problem}")));
        }
    }
    check_names(source, "game.", &mode.game, assets)
}

/// Checks that the AI, the prefabs and the level of a match exist, and that the level has room for its players and
/// objects. `within` is the path of the match in its file, with a final dot; empty for the whole file.
pub(super) fn check_names(
    source: &RonText,
    within: &str,
    game: &GameConfig,
    assets: &Assets,
) -> Result<(), PrefabError> {
    let GameConfig { ai, level, players, .. } = game;
    check_name(source, within, "ai", ai, assets.ai_names())?;
    check_name(source, within, "level", level, assets.levels.keys())?;
    check_habits(&game.habits).map_err(|problem| source.error_at(&format!("{within}habits"), problem))?;
    check_kinds(source, within, game, &assets.prefabs)?;
    check_rules_of_places(source, within, game, &assets.prefabs, &assets.levels[level])?;
    match assets.levels[level].most_players() {
        Some(places) if (*players as usize) > places => {
            let problem = format!("players is {players}, must be at most {places}, the places of the level {level:?}");
            Err(source.error_at(&format!("{within}players"), problem))
        }
        _ => check_fit(source, within, game, &assets.prefabs, &assets.levels[level]),
    }?;
    check_bounds(game, &assets.prefabs, &assets.levels[level], *players, game.play_seconds)
        .map_err(|excess| source.error_at(&format!("{within}{}", excess.field), excess.problem))
}

fn check_name<'a>(
    source: &RonText,
    within: &str,
    field: &str,
    name: &str,
    known: impl Iterator<Item = &'a String>,
) -> Result<(), PrefabError> {
    let known: Vec<&str> = known.map(String::as_str).collect();
    if known.contains(&name) {
        return Ok(());
    }
    let problem = format!(
        "{field} is {name:?}, must be one of {}{}",
        known.join(", "),
        may_be_meant(name, known.iter().copied())
    );
    Err(source.error_at(&format!("{within}{field}"), problem))
}
