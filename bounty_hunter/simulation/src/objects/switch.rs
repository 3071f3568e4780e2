//! Objects that reactions open or take away.

use serde::{Deserialize, Serialize};

/// Component of an object that reactions open, close, take away or put back. Written by
/// [`React`](crate::gameplay::reactions::React).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    /// Everything passes through it, and it is drawn faintly.
    pub is_open: bool,
    /// It is not there: its entity is disabled.
    pub is_away: bool,
}

impl Switch {
    /// Whether its body is in the world.
    #[must_use]
    pub fn is_present(self) -> bool {
        !self.is_open && !self.is_away
    }
}
