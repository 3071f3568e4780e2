//! The arena as arithmetic: how large it is, what stands where, and how the world wraps around.
//!
//! Coordinates are metres from the centre, and x and y of everything inside lie in −half extent to half extent.

use std::f64::consts::{PI, TAU};

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::data::config::GameConfig;
use crate::data::level::{Level, StashPlaces};

/// Where something is and which way it faces.
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
}

/// The unit vector along a heading: (−sin, cos).
#[must_use]
pub fn forward(heading: f32) -> Vec2 {
    Vec2::new(-libm::sinf(heading), libm::cosf(heading))
}

/// The heading that looks along `direction`; 0 for no direction.
#[must_use]
pub fn heading_along(direction: Vec2) -> f32 {
    if direction == Vec2::ZERO { 0.0 } else { libm::atan2f(-direction.x, direction.y) }
}

/// Half the side of the square world: what the level says, and in a ring so much more that no player has less room.
#[must_use]
pub fn half_extent_m(level: &Level, players: u32) -> f32 {
    match level.stashes {
        StashPlaces::Ring { grows_beyond_players, .. } if players > grows_beyond_players.max(1) => {
            level.world_half_extent_m * (players as f32 / grows_beyond_players.max(1) as f32).sqrt()
        }
        _ => level.world_half_extent_m,
    }
}

/// The radius of what stands at the place of a player, whichever way it faces: its stash and its collector, given by their half
/// extents.
#[must_use]
pub fn clearance_m(stash_half_m: f32, collector_half_m: f32) -> f32 {
    std::f32::consts::SQRT_2 * stash_half_m.max(collector_half_m)
}

/// How many bounties there are.
#[must_use]
pub fn bounty_count(config: &GameConfig, players: u32) -> u32 {
    let wanted = (config.bounties_per_player * players as f32).ceil() as u32;
    wanted.max(config.least_bounties)
}

/// Where each player's stash stands and its collector appears, facing the centre; by player.
///
/// In a ring, player 0 stands at +x and the others counter-clockwise, up to `grows_beyond_players` of them and for as long as
/// they stand clear of each other. More of them are spread evenly over a disc, in the spiral of a sunflower (Vogel 1979). No
/// centre of a ring or spiral comes nearer to the edge of the world than `clearance_m`, the radius of what stands there.
#[must_use]
pub fn stash_poses(level: &Level, players: u32, half_extent_m: f32, clearance_m: f32) -> Vec<Pose> {
    let (ring_share, most_in_a_ring) = match &level.stashes {
        &StashPlaces::Ring { ring_share, grows_beyond_players } => (ring_share, grows_beyond_players),
        StashPlaces::Places { at_m } => {
            let places = at_m.iter().take(players as usize).map(|&place| Vec2::from(place));
            return places.map(|place| Pose::new(place, heading_along(-place))).collect();
        }
    };
    let outermost_m = (half_extent_m - clearance_m).max(0.0);
    let ring_m = (ring_share * half_extent_m).min(outermost_m);
    let step_rad = TAU / f64::from(players.max(1));
    let neighbours_m = 2.0 * f64::from(ring_m) * libm::sin(step_rad / 2.0);
    let is_clear = players < 2 || neighbours_m >= 2.0 * f64::from(clearance_m);
    if players <= most_in_a_ring && is_clear {
        (0..players).map(|player| facing_centre(f64::from(ring_m), f64::from(player) * step_rad)).collect()
    } else {
        let golden_angle_rad = PI * (3.0 - 5.0_f64.sqrt());
        let share = |player: u32| ((f64::from(player) + 0.5) / f64::from(players)).sqrt();
        (0..players)
            .map(|player| facing_centre(f64::from(outermost_m) * share(player), f64::from(player) * golden_angle_rad))
            .collect()
    }
}

/// A pose at polar coordinates, counter-clockwise from +x. They are doubles for the spiral has turned thousands of times.
fn facing_centre(radius_m: f64, angle_rad: f64) -> Pose {
    let position = Vec2::new((radius_m * libm::cos(angle_rad)) as f32, (radius_m * libm::sin(angle_rad)) as f32);
    Pose::new(position, heading_along(-position))
}

/// The shortest way from one point in the world to another, which may lead across an edge.
///
/// Both points lie inside the world, or outside it by less than half its size, as what is just about to wrap does.
#[must_use]
pub fn wrapped_delta(from: Vec2, to: Vec2, half_extent_m: f32) -> Vec2 {
    let delta = to - from;
    wrap(delta, half_extent_m).unwrap_or(delta)
}

/// Where somebody who left the world comes back: as far inside the opposite edge; `None` for who is still inside.
#[must_use]
pub fn wrap(position: Vec2, half_extent_m: f32) -> Option<Vec2> {
    let wrapped = Vec2::new(wrap_axis(position.x, half_extent_m), wrap_axis(position.y, half_extent_m));
    // What is not a number is equal to nothing, but did not leave either.
    (wrapped != position && wrapped.is_finite()).then_some(wrapped)
}

fn wrap_axis(coordinate: f32, half_extent_m: f32) -> f32 {
    let extent_m = 2.0 * half_extent_m;
    if coordinate.abs() <= half_extent_m {
        coordinate
    } else if coordinate.abs() <= 3.0 * half_extent_m {
        coordinate - extent_m.copysign(coordinate)
    } else {
        // Further out than one world: whoever gets there in one step is fast beyond measure.
        (coordinate + half_extent_m).rem_euclid(extent_m) - half_extent_m
    }
}

/// A random place for a bounty within a disc, from two even draws `u1` and `u2` between 0 and 1.
///
/// It is a point drawn evenly from the surface of a sphere and seen from above, so bounties are the denser the nearer to
/// the rim, where the stashes are: only 13 % lie in the inner half of the radius, P(within d) = 1 − √(1 − (d/radius)²).
#[must_use]
pub fn sample_bounty_position(u1: f32, u2: f32, region_half_extent_m: f32) -> Vec2 {
    let height = 1.0 - 2.0 * u1;
    let radius_m = region_half_extent_m * (1.0 - height * height).max(0.0).sqrt();
    let angle_rad = std::f32::consts::TAU * u2;
    Vec2::new(radius_m * libm::cosf(angle_rad), radius_m * libm::sinf(angle_rad))
}

#[cfg(test)]
mod tests;
