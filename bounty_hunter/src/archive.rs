//! The past of a match: replays, and the recent history for going back.

pub mod history;
pub mod replay;
