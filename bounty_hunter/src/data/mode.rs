//! Game modes: other rules under a name.

use serde::{Deserialize, Serialize};

use crate::data::config::GameConfig;

/// The mode that is played unless another one is asked for.
pub const DEFAULT_MODE: &str = "classic";

/// `assets/modes/*.ron`: one mode, named after its file.
///
/// The file names only what differs from `game.ron`; here the differences have been put into it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mode {
    /// Shown name.
    pub title: String,
    /// What is special about it, in one sentence.
    pub description: String,
    /// Whether people can go back in its matches without asking for it.
    #[serde(default)]
    pub rewind: bool,
    /// The match and its rules.
    pub game: GameConfig,
}
