//! What the designs ask of the framework beyond the core loop, by scenario: a file for each feature.

mod entity_lists;
mod global_ids;
mod masks;
mod matching_model;
mod toggling;

use std::time::Duration;

/// Length of a frame where it does not matter.
const FRAME: Duration = Duration::from_millis(10);
