//! Features beyond the core loop, by scenario: a file for each.

mod entity_lists;
mod global_ids;
mod masks;
mod matching_model;
mod toggling;

use std::time::Duration;

/// The length of a frame; no test depends on it.
const FRAME: Duration = Duration::from_millis(10);
