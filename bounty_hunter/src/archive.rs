//! The past of a match: replays, and the recent history for rewinding.

pub mod history;
pub mod replay;
