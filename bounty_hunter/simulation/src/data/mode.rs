//! Game modes: named variants of the rules.

use serde::{Deserialize, Serialize};

use crate::data::config::GameConfig;

/// The default mode.
pub const DEFAULT_MODE: &str = "classic";

/// `assets/modes/*.ron`: one mode, named after its file.
///
/// The file holds only the differences from `game.ron`; here they are merged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mode {
    /// Shown name.
    pub title: String,
    /// One sentence on what is special about it.
    pub description: String,
    /// Whether its matches can be rewound by default.
    #[serde(default)]
    pub rewind: bool,
    /// The match and its rules.
    pub game: GameConfig,
}
