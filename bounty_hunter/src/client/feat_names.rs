//! The names of feats, and of what they are about, in the language of the window.

use macroquad::color::Color;

use crate::client::translation::{tr, tr_mode, tr_with};
use bounty_hunter_simulation::feats::{Feat, Medal};

/// The name of a feat.
pub(crate) fn feat_name(feat: &Feat) -> String {
    match feat {
        Feat::Challenge(challenge) => tr(challenge.title).to_owned(),
        Feat::Medal(Medal { mode, level, place }) => {
            let metal = match place {
                1 => tr("Gold"),
                2 => tr("Silver"),
                _ => tr("Bronze"),
            };
            tr_with(
                "{metal} in {mode}, {level}",
                &[("metal", &metal), ("mode", &tr_mode(mode)), ("level", &level_name(level))],
            )
        }
    }
}

/// The color of the medal of a place.
pub(crate) fn metal_color(place: u32) -> Color {
    match place {
        1 => Color::new(1.0, 0.80, 0.27, 1.0),
        2 => Color::new(0.80, 0.84, 0.90, 1.0),
        _ => Color::new(0.80, 0.50, 0.28, 1.0),
    }
}

/// The name of an AI as a level of the game; another AI keeps the name of its file.
pub(crate) fn level_name(profile: &str) -> String {
    match profile {
        "easy" => tr("Easy").to_owned(),
        "normal" => tr("Normal").to_owned(),
        "hard" => tr("Hard").to_owned(),
        "learned" => tr("Master").to_owned(),
        other => other.replace('_', " "),
    }
}
