//! The actions between which a network chooses: one drive and one turn out of a few.

use crate::data::input::Intent;

/// The drives, as shares of the top speed.
pub const DRIVES: [f32; 4] = [1.0, 0.5, 0.0, -0.5];

/// The turns, as shares of the top turning speed; positive is left.
pub const TURNS: [f32; 7] = [-1.0, -0.4, -0.12, 0.0, 0.12, 0.4, 1.0];

/// The intent of a drive and a turn by their indices; `None` if there is no such index.
#[must_use]
pub fn intent_of_choice(drive: usize, turn: usize) -> Option<Intent> {
    Some(Intent { drive: *DRIVES.get(drive)?, turn: *TURNS.get(turn)? })
}
