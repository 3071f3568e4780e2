//! Stashes: where collectors unload.

use serde::{Deserialize, Serialize};

/// Component: a stash, its owner and its content. Written by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stash {
    /// Seat number.
    pub player: u32,
    /// Points, 0 to its [`Capacity`](crate::objects::capacity::Capacity).
    pub stashed: f32,
}

impl Stash {
    /// Adds `value`; the excess over the capacity is lost, and nothing that was there before. Returns whether the stash
    /// became full.
    pub fn take_in(&mut self, value: f32, capacity: f32) -> bool {
        let was_full = self.stashed >= capacity;
        self.stashed = (self.stashed + value).min(capacity.max(self.stashed));
        !was_full && self.stashed >= capacity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stash_becomes_full_once_at_its_capacity() {
        let mut stash = Stash { player: 0, stashed: 150.0 };
        assert!(!stash.take_in(99.0, 250.0));
        assert!(stash.take_in(1.0, 250.0));
        assert!(!stash.take_in(50.0, 250.0));
        assert_eq!(stash.stashed, 250.0);
        assert!(!stash.take_in(50.0, 100.0));
        assert_eq!(stash.stashed, 250.0, "partners have taken its room meanwhile");
    }
}
