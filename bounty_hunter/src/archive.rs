//! Records of matches: replays, the recent history for rewinding, and results.

pub mod history;
pub mod replay;
pub mod results;
