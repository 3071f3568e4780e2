//! The interface between the window and the stored results of matches.

use bounty_hunter_simulation::replay::Playback;
use bounty_hunter_simulation::results::{FeatRecord, MatchDetails, MatchSummary, MatchTotals};

/// The stored results of matches.
///
/// # Errors
/// All methods: a sentence for the player that says what is wrong and what to do.
pub trait MatchHistory {
    /// All matches, the latest first; none if no match is stored yet.
    fn list(&self) -> Result<Vec<MatchSummary>, String>;

    /// One match, its players sorted by place.
    fn details(&self, id: i64) -> Result<MatchDetails, String>;

    /// Sums over all matches.
    fn totals(&self) -> Result<MatchTotals, String>;

    /// The feats of people in all matches.
    fn feats(&self) -> Result<Vec<FeatRecord>, String>;

    /// The replay of one match before its first step.
    fn replay(&self, id: i64) -> Result<Playback, String>;
}
