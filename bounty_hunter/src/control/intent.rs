//! What a player wants its collector to do. A keyboard, an AI and a script all yield the same thing.

use serde::{Deserialize, Serialize};

/// One player's request for one step, applied by the movement system and by nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// Forward speed as a share of the collector's top speed, −1 (reverse) to 1.
    pub drive: f32,
    /// Turning speed as a share of the collector's top turning speed, −1 (right, clockwise) to 1 (left).
    pub turn: f32,
}

impl Intent {
    /// Neither drives nor turns.
    pub const IDLE: Self = Self { drive: 0.0, turn: 0.0 };

    /// The same intent with both shares inside −1..=1; a value that is not a number becomes 0.
    #[must_use]
    pub fn clamped(self) -> Self {
        let clamp = |share: f32| if share.is_nan() { 0.0 } else { share.clamp(-1.0, 1.0) };
        Self { drive: clamp(self.drive), turn: clamp(self.turn) }
    }
}
