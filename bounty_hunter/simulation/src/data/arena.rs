//! Geometry of the arena: poses, headings, rectangles and the wrap-around of the world.
//!
//! Coordinates are metres from the centre; inside the world x and y lie within ± its half extent.

use glam::Vec2;
use serde::{Deserialize, Serialize};

/// A position and a heading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Metres.
    pub position: Vec2,
    /// Radians: 0 faces +y, counter-clockwise is positive.
    pub heading: f32,
}

impl Pose {
    /// A pose at `position`, facing `heading`.
    #[must_use]
    pub const fn new(position: Vec2, heading: f32) -> Self {
        Self { position, heading }
    }

    /// A pose that faces +y.
    #[must_use]
    pub const fn at(x: f32, y: f32) -> Self {
        Self { position: Vec2::new(x, y), heading: 0.0 }
    }
}

/// The unit vector along a heading: (−sin, cos).
#[must_use]
pub fn forward(heading: f32) -> Vec2 {
    Vec2::new(-libm::sinf(heading), libm::cosf(heading))
}

/// The heading along `direction`; 0 for the zero vector.
#[must_use]
pub fn heading_along(direction: Vec2) -> f32 {
    if direction == Vec2::ZERO { 0.0 } else { libm::atan2f(-direction.x, direction.y) }
}

/// The radius of a player's stash and collector at any heading, from their half extents.
#[must_use]
pub fn clearance_m(stash_half_m: f32, collector_half_m: f32) -> f32 {
    std::f32::consts::SQRT_2 * stash_half_m.max(collector_half_m)
}

/// The shortest vector from `from` to `to`; it may cross an edge of the world.
///
/// Both points must lie inside the world, or outside by less than half its size (just before they wrap).
#[must_use]
#[inline]
pub fn wrapped_delta(from: Vec2, to: Vec2, half_extent_m: f32) -> Vec2 {
    let delta = to - from;
    // Most are short.
    if delta.x.abs() <= half_extent_m && delta.y.abs() <= half_extent_m {
        return delta;
    }
    wrap(delta, half_extent_m).unwrap_or(delta)
}

/// Where a position outside the world re-enters: as far inside the opposite edge. `None` for a position inside.
#[must_use]
pub fn wrap(position: Vec2, half_extent_m: f32) -> Option<Vec2> {
    let wrapped = Vec2::new(wrap_axis(position.x, half_extent_m), wrap_axis(position.y, half_extent_m));
    // NaN differs from everything, but did not leave the world.
    (wrapped != position && wrapped.is_finite()).then_some(wrapped)
}

fn wrap_axis(coordinate: f32, half_extent_m: f32) -> f32 {
    let extent_m = 2.0 * half_extent_m;
    if coordinate.abs() <= half_extent_m {
        coordinate
    } else if coordinate.abs() <= 3.0 * half_extent_m {
        coordinate - extent_m.copysign(coordinate)
    } else {
        // Further out than one world.
        (coordinate + half_extent_m).rem_euclid(extent_m) - half_extent_m
    }
}

/// A random position of a bounty in a disc, from two uniform draws `u1` and `u2` in 0..1.
///
/// The point is uniform on a sphere, projected onto the disc. Density rises towards the rim, where the stashes are: 13
/// % lie within half the radius, P(within d) = 1 − √(1 − (d/radius)²).
#[must_use]
pub fn sample_bounty_position(u1: f32, u2: f32, region_half_extent_m: f32) -> Vec2 {
    let height = 1.0 - 2.0 * u1;
    let radius_m = region_half_extent_m * (1.0 - height * height).max(0.0).sqrt();
    let angle_rad = std::f32::consts::TAU * u2;
    Vec2::new(radius_m * libm::cosf(angle_rad), radius_m * libm::sinf(angle_rad))
}

/// An axis-aligned solid rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// Its centre, metres.
    pub center: Vec2,
    /// Half width and half height, metres.
    pub half_extents_m: Vec2,
}

impl Block {
    /// The smallest block around four corners.
    #[must_use]
    pub fn around(corners: [Vec2; 4]) -> Self {
        let (mut least, mut most) = (corners[0], corners[0]);
        for corner in corners {
            (least, most) = (least.min(corner), most.max(corner));
        }
        Self { center: (least + most) / 2.0, half_extents_m: (most - least) / 2.0 }
    }

    /// The block grown by `margin_m` on every side.
    #[must_use]
    pub fn grown(self, margin_m: f32) -> Self {
        Self { half_extents_m: self.half_extents_m + Vec2::splat(margin_m), ..self }
    }

    /// Whether it contains a point; the border is outside.
    #[must_use]
    pub fn contains(self, point: Vec2) -> bool {
        let aside = (point - self.center).abs();
        aside.x < self.half_extents_m.x && aside.y < self.half_extents_m.y
    }

    /// Whether the interiors of both overlap.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        Self { half_extents_m: self.half_extents_m + other.half_extents_m, ..self }.contains(other.center)
    }

    /// The share of the segment from `from` along `way` before it enters the block, 0 to 1; `None` if it misses the
    /// block. A segment that starts inside enters at 0.
    #[must_use]
    pub fn hit_by(self, from: Vec2, way: Vec2) -> Option<f32> {
        let (mut enters, mut leaves) = (0.0_f32, 1.0_f32);
        for axis in 0..2 {
            let near = self.center[axis] - self.half_extents_m[axis] - from[axis];
            let far = self.center[axis] + self.half_extents_m[axis] - from[axis];
            if way[axis] == 0.0 {
                // Parallel to this axis: beside the block, or between its sides.
                if near >= 0.0 || far <= 0.0 {
                    return None;
                }
            } else {
                let (one, other) = (near / way[axis], far / way[axis]);
                enters = enters.max(one.min(other));
                leaves = leaves.min(one.max(other));
            }
        }
        (enters < leaves).then_some(enters)
    }

    /// Its corners, counter-clockwise.
    #[must_use]
    pub fn corners(self) -> [Vec2; 4] {
        let Vec2 { x, y } = self.half_extents_m;
        [(-x, -y), (x, -y), (x, y), (-x, y)].map(|(x, y)| self.center + Vec2::new(x, y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ecs::random::RandomStream;

    #[test]
    fn headings_follow_the_convention() {
        for (heading, expected) in [(0.0, Vec2::Y), (0.5, Vec2::NEG_X), (1.0, Vec2::NEG_Y), (1.5, Vec2::X)] {
            let heading = heading * std::f32::consts::PI;
            assert!(forward(heading).distance(expected) < 1e-6);
            assert!(forward(heading_along(expected)).distance(expected) < 1e-6);
        }
    }

    #[test]
    fn shortest_vector_may_cross_the_edge() {
        let way = |from: (f32, f32), to: (f32, f32)| wrapped_delta(from.into(), to.into(), 75.0);
        assert_eq!(way((70.0, 0.0), (-70.0, 0.0)), Vec2::new(10.0, 0.0));
        assert_eq!(way((-70.0, -74.0), (70.0, 74.0)), Vec2::new(-10.0, -2.0));
        assert_eq!(way((-10.0, 5.0), (20.0, -5.0)), Vec2::new(30.0, -10.0));
        assert_eq!(way((76.0, 0.0), (-74.0, 0.0)), Vec2::ZERO);
    }

    #[test]
    fn position_outside_wraps_to_the_other_side_and_stays_inside() {
        assert_eq!(wrap(Vec2::new(75.0, -75.0), 75.0), None);
        assert_eq!(wrap(Vec2::new(75.5, 10.0), 75.0), Some(Vec2::new(-74.5, 10.0)));
        assert_eq!(wrap(Vec2::new(-76.0, 75.25), 75.0), Some(Vec2::new(74.0, -74.75)));
        assert_eq!(wrap(Vec2::new(f32::NAN, 0.0), 75.0), None);
        assert_eq!(wrap(Vec2::new(f32::INFINITY, 0.0), 75.0), None);
        let barely_outside = wrap(Vec2::new(75.0_f32.next_up(), 0.0), 75.0).unwrap();
        assert_eq!(wrap(barely_outside, 75.0), None);
    }

    #[test]
    fn bounty_positions_follow_the_distribution() {
        let mut random = RandomStream::new(1, "test");
        let radii: Vec<f32> =
            (0..20_000).map(|_| sample_bounty_position(random.unit(), random.unit(), 56.25).length()).collect();
        assert!(radii.iter().all(|radius| *radius <= 56.251));
        for share in [0.25_f32, 0.5, 0.75, 0.9] {
            let within = radii.iter().filter(|radius| **radius < share * 56.25).count() as f32 / radii.len() as f32;
            let expected = 1.0 - (1.0 - share * share).sqrt();
            assert!((within - expected).abs() < 0.01, "{within} within {share}, not {expected}");
        }
    }

    const BLOCK: Block = Block { center: Vec2::new(10.0, 0.0), half_extents_m: Vec2::new(2.0, 5.0) };

    #[test]
    fn segment_hits_the_block_where_it_enters() {
        let hit = |from: (f32, f32), way: (f32, f32)| BLOCK.hit_by(from.into(), way.into());
        assert_eq!(hit((0.0, 0.0), (16.0, 0.0)), Some(0.5));
        assert_eq!(hit((0.0, 4.9), (16.0, 0.0)), Some(0.5));
        assert_eq!(hit((0.0, 5.0), (16.0, 0.0)), None, "along the border");
        assert_eq!(hit((0.0, 0.0), (7.9, 0.0)), None, "ends before it");
        assert_eq!(hit((0.0, 0.0), (-16.0, 0.0)), None, "leads away");
        assert_eq!(hit((10.0, 0.0), (0.0, 1.0)), Some(0.0), "starts inside");
        assert_eq!(hit((0.0, 10.0), (5.0, 5.0)), None);
    }

    #[test]
    fn blocks_that_only_touch_do_not_overlap() {
        let at = |x: f32, y: f32| Block { center: Vec2::new(x, y), half_extents_m: Vec2::ONE };
        assert!(BLOCK.overlaps(at(12.9, 0.0)) && at(12.9, 0.0).overlaps(BLOCK));
        assert!(!BLOCK.overlaps(at(13.0, 0.0)) && !BLOCK.overlaps(at(0.0, 0.0)));
        assert!(BLOCK.contains(Vec2::new(11.9, 4.9)) && !BLOCK.contains(Vec2::new(12.0, 0.0)));
    }
}
