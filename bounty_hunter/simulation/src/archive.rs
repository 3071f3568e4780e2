//! Records of matches: replays, the recent history for rewinding, results, and statistics over many matches.

pub mod balance;
pub mod daily;
pub mod feats;
pub mod highlight;
pub mod history;
pub mod replay;
pub mod results;
pub mod saved_match;
