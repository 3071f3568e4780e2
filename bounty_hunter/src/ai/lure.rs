//! Power-ups as targets: an AI treats one like a bounty of medium value.

use glam::Vec2;

use super::brain::BrainState;
use super::perception::{Seen, is_in_radar};
use crate::data::arena::Pose;
use crate::data::config::AiProfile;

/// The value of a power-up to an AI, points.
const POWER_UP_VALUE: f32 = 15.0;

/// Whether an AI considers power-ups: while it chooses a target and is no ghost.
#[must_use]
pub fn looks_for_power_ups(state: BrainState, is_ghost: bool) -> bool {
    state == BrainState::FindBounty && !is_ghost
}

/// The power-up as a target, if it lies in the radar's cone.
#[must_use]
pub fn sight_power_up(profile: &AiProfile, me: Pose, (key, position): (u64, Vec2), half_extent_m: f32) -> Option<Seen> {
    is_in_radar(profile, me, position, half_extent_m).then_some(Seen { key, position, value: POWER_UP_VALUE })
}

#[cfg(test)]
mod tests {
    use super::super::original::profile;
    use super::*;

    #[test]
    fn power_ups_are_considered_when_choosing_and_not_as_a_ghost() {
        let [choosing, going] = [BrainState::FindBounty, BrainState::MoveToBounty];
        assert!(looks_for_power_ups(choosing, false));
        assert!(!looks_for_power_ups(choosing, true) && !looks_for_power_ups(going, false));
    }

    #[test]
    fn power_up_is_seen_only_in_the_radar() {
        let sight = |x, y| sight_power_up(&profile(), Pose::new(Vec2::ZERO, 0.0), (7, Vec2::new(x, y)), 75.0);
        assert_eq!(sight(0.0, 20.0), Some(Seen { key: 7, position: Vec2::new(0.0, 20.0), value: POWER_UP_VALUE }));
        assert_eq!((sight(0.0, 30.0), sight(0.0, -5.0)), (None, None));
    }
}
