//! Everything under `assets/`: compiled in, or read from a directory.

use std::collections::BTreeMap;

use crate::config::{AiProfile, GameConfig, Keymap, Prefabs};

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
