//! Perception: bounties in the radar, collectors in the avoider.

use glam::Vec2;

use crate::data::arena::{Pose, forward, wrapped_delta};
use crate::data::config::AiProfile;

/// A bounty in the radar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// The caller's key of the bounty.
    pub key: u64,
    /// Its position, metres.
    pub position: Vec2,
    /// Its value, points.
    pub value: f32,
}

/// Another collector in the avoider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threat {
    /// Its position, metres.
    pub position: Vec2,
    /// Its heading, radians.
    pub heading: f32,
}

/// Whether a point lies in the radar's cone, including its border.
#[must_use]
pub fn is_in_radar(profile: &AiProfile, me: Pose, point: Vec2, half_extent_m: f32) -> bool {
    let delta = wrapped_delta(me.position, point, half_extent_m);
    let distance_m = delta.length();
    if distance_m > profile.radar_range_m {
        return false;
    }
    let least_cosine = libm::cosf(profile.radar_angle_rad / 2.0);
    forward(me.heading).dot(delta) >= least_cosine * distance_m
}

/// The corners of the avoider's box in the world: near left, far left, far right, near right.
#[must_use]
pub fn avoider_corners(profile: &AiProfile, me: Pose) -> [Vec2; 4] {
    let far = forward(me.heading) * profile.avoider_range_m;
    let left = forward(me.heading).perp() * profile.avoider_half_width_m;
    [left, left + far, far - left, -left].map(|corner| me.position + corner)
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use super::super::original::profile;
    use super::*;

    const HALF_M: f32 = 75.0;

    fn radar_sees(heading: f32, point: (f32, f32)) -> bool {
        is_in_radar(&profile(), Pose::new(Vec2::new(70.0, 0.0), heading), Vec2::from(point), HALF_M)
    }

    #[test]
    fn radar_is_a_cone_of_120_degrees_and_25_metres() {
        assert!(radar_sees(0.0, (70.0, 24.9)) && !radar_sees(0.0, (70.0, 25.1)));
        assert!(radar_sees(0.0, (53.0, 10.0)), "59.5 degrees to the left");
        assert!(!radar_sees(0.0, (52.0, 10.0)), "60.9 degrees to the left");
        assert!(!radar_sees(0.0, (70.0, -1.0)), "astern");
        assert!(radar_sees(FRAC_PI_2, (50.0, 0.0)), "it turns with its collector");
    }

    #[test]
    fn radar_sees_across_the_edge_of_the_world() {
        assert!(radar_sees(-FRAC_PI_2, (-60.0, 0.0)), "20 metres to the right");
        assert!(!radar_sees(FRAC_PI_2, (-60.0, 0.0)));
    }

    #[test]
    fn avoider_is_a_box_ahead() {
        let corners = avoider_corners(&profile(), Pose::new(Vec2::new(3.0, 4.0), FRAC_PI_2));
        let expected = [(3.0, 2.5), (-15.75, 2.5), (-15.75, 5.5), (3.0, 5.5)].map(Vec2::from);
        assert!(corners.iter().zip(expected).all(|(found, wanted)| found.distance(wanted) < 1e-5), "{corners:?}");
    }
}
