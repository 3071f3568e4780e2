//! What power-ups give a collector for a while, besides ghosts and magnets.

use serde::{Deserialize, Serialize};

/// Component of a collector in a match with power-ups: what they give it now. Written by
/// [`UsePowers`](crate::gameplay::use_powers::UsePowers), and by the rules when a shield breaks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Powers {
    /// Seconds left of a higher speed.
    pub dash_seconds: f32,
    /// The top speed for that time, as a multiple of that of its kind.
    pub dash_factor: f32,
    /// Seconds left of a shield.
    pub shield_seconds: f32,
    /// Seconds left in which bounties are worth twice as much.
    pub double_seconds: f32,
}

impl Default for Powers {
    fn default() -> Self {
        Self { dash_seconds: 0.0, dash_factor: 1.0, shield_seconds: 0.0, double_seconds: 0.0 }
    }
}

impl Powers {
    /// The top speed as a multiple of that of its kind.
    #[must_use]
    pub fn speed_factor(&self) -> f32 {
        if self.dash_seconds > 0.0 { self.dash_factor } else { 1.0 }
    }

    /// The worth of bounties as a multiple of their values.
    #[must_use]
    pub fn value_factor(&self) -> f32 {
        if self.double_seconds > 0.0 { 2.0 } else { 1.0 }
    }

    /// Breaks the shield; returns whether there was one.
    pub fn break_shield(&mut self) -> bool {
        std::mem::take(&mut self.shield_seconds) > 0.0
    }
}
