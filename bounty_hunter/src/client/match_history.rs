//! Matches that are kept beyond a run of the program, as the window gets to know them.

use std::collections::BTreeMap;

use crate::archive::replay::Playback;

/// Where the window finds the matches that are kept. The window asks, and does not know how they are kept.
///
/// # Errors
/// All methods: a sentence for whoever plays, which says what is wrong and what to do.
pub trait MatchHistory {
    /// All of them, the latest first; none if nothing was kept yet.
    fn list(&self) -> Result<Vec<MatchSummary>, String>;

    /// All about one.
    fn details(&self, id: i64) -> Result<MatchDetails, String>;

    /// Sums over all of them.
    fn totals(&self) -> Result<MatchTotals, String>;

    /// One of them before its first step, to be watched.
    fn replay(&self, id: i64) -> Result<Playback, String>;
}

/// What a list says of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSummary {
    /// What it is asked for by.
    pub id: i64,
    /// Date and time of day in UTC, such as `2026-11-21 20:15:00`.
    pub ended_at: String,
    /// Name of its mode.
    pub mode: String,
    /// Name of its level.
    pub level: String,
    /// Its seed, in digits.
    pub seed: String,
    /// How many played.
    pub players: u32,
    /// Time of play.
    pub seconds: f64,
    /// Why it ended.
    pub ending: String,
    /// Index and name of who won; `None` for a draw.
    pub winner: Option<(u32, String)>,
    /// The person who got furthest; `None` if only AIs played.
    pub best_person: Option<PlayerResult>,
    /// Version of the game that it was played with.
    pub version: String,
}

/// How a player ended.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerResult {
    /// From 1; players who are equal share it.
    pub place: u32,
    /// The player's index.
    pub player: u32,
    /// Shown name.
    pub name: String,
    /// Whether a person played.
    pub is_person: bool,
    /// What lies in the stash.
    pub stashed: f64,
}

/// All about a match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchDetails {
    /// What a list says of it.
    pub about: MatchSummary,
    /// Its players by place.
    pub players: Vec<PlayerResult>,
    /// How many events of each type were sent in it.
    pub events: BTreeMap<String, i64>,
}

/// Sums over all matches that are kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchTotals {
    /// How many there are.
    pub matches: i64,
    /// In how many of them people took part.
    pub with_people: i64,
    /// How many of those one of them won.
    pub won_by_people: i64,
    /// Time of play in all.
    pub seconds: f64,
    /// The fullest stash of a person; `None` if no person ever played.
    pub best_stash: Option<f64>,
    /// Matches by mode.
    pub modes: BTreeMap<String, i64>,
    /// How many events of each type were sent.
    pub events: BTreeMap<String, i64>,
}
