//! Levels: world size, stashes, walls and objects.

use std::f64::consts::{PI, TAU};

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::data::arena::{Block, Pose, heading_along};
use crate::data::limits;
use crate::data::reaction::Reaction;

/// `assets/levels/*.ron`: one level, named after its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Half the side of the square world, metres; with stashes in a ring it may grow with the players.
    #[serde(deserialize_with = "limits::read::length_m")]
    pub world_half_extent_m: f32,
    /// Positions of the stashes, where the collectors spawn too.
    pub stashes: StashPlaces,
    /// Share of the half extent within which bounties appear, 0 to 1.
    #[serde(deserialize_with = "limits::read::share")]
    pub bounty_region_share: f32,
    /// Solid walls.
    #[serde(default)]
    pub walls: Vec<LevelWall>,
    /// Other objects at the start of a match.
    #[serde(default)]
    pub places: Vec<Place>,
    /// The gravity of the whole world, metres per second squared, x to the right and y up. It pulls what moves and has
    /// no driver.
    #[serde(default, deserialize_with = "limits::read::acceleration_mps2")]
    pub gravity_mps2: (f32, f32),
    /// What happens at one place and is then done to another.
    #[serde(default)]
    pub reactions: Vec<Reaction>,
}

/// An object of a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Its own name, by which reactions find it.
    #[serde(default)]
    pub name: Option<String>,
    /// Name of its prefab.
    pub prefab: String,
    /// Its centre, metres.
    #[serde(deserialize_with = "limits::read::coordinate_m")]
    pub at_m: (f32, f32),
    /// Its heading: 0 faces up, counter-clockwise is positive.
    #[serde(default, deserialize_with = "limits::read::heading_rad")]
    pub heading_rad: f32,
    /// Its size, in sizes of its kind.
    #[serde(default = "usual_scale", deserialize_with = "limits::read::scale")]
    pub scale: f32,
}

fn usual_scale() -> f32 {
    1.0
}

impl Place {
    /// Its position and heading.
    #[must_use]
    pub fn pose(&self) -> Pose {
        Pose::new(self.at_m.into(), self.heading_rad)
    }
}

/// Positions of a level's stashes, by player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum StashPlaces {
    /// A ring, or a spiral where a ring has no room; for any number of players.
    Ring {
        /// Radius as a share of the half extent, 0 to 1.
        #[serde(deserialize_with = "limits::read::share")]
        ring_share: f32,
        /// With more players than this, the world's area grows with their number.
        #[serde(deserialize_with = "limits::read::players")]
        grows_beyond_players: u32,
    },
    /// Fixed positions, first player first.
    Places {
        /// Metres from the centre, x to the right and y up.
        #[serde(deserialize_with = "limits::read::coordinates_m")]
        at_m: Vec<(f32, f32)>,
    },
}

/// A solid, axis-aligned wall.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelWall {
    /// Its centre, metres.
    #[serde(deserialize_with = "limits::read::coordinate_m")]
    pub at_m: (f32, f32),
    /// Half width and half height, metres.
    #[serde(deserialize_with = "limits::read::wall_half_extent_m")]
    pub half_extents_m: (f32, f32),
}

/// The tag of the object at the place of this name.
#[must_use]
pub fn place_tag(name: &str) -> String {
    format!("place {name}")
}

impl Level {
    /// Half the side of the square world, metres: the level's value, enlarged for many players in a ring.
    #[must_use]
    pub fn half_extent_m(&self, players: u32) -> f32 {
        match self.stashes {
            StashPlaces::Ring { grows_beyond_players, .. } if players > grows_beyond_players.max(1) => {
                self.world_half_extent_m * (players as f32 / grows_beyond_players.max(1) as f32).sqrt()
            }
            _ => self.world_half_extent_m,
        }
    }

    /// The pose of each player's stash and collector, facing the centre; by player.
    ///
    /// In a ring, player 0 stands at +x and the others follow counter-clockwise. More than `grows_beyond_players`, or
    /// too many to keep clear of each other, fill a disc in a sunflower spiral (Vogel 1979). Every pose keeps
    /// `clearance_m`, the radius of stash and collector, from the edge of the world.
    #[must_use]
    pub fn stash_poses(&self, players: u32, half_extent_m: f32, clearance_m: f32) -> Vec<Pose> {
        let (ring_share, most_in_a_ring) = match &self.stashes {
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
                .map(|player| {
                    facing_centre(f64::from(outermost_m) * share(player), f64::from(player) * golden_angle_rad)
                })
                .collect()
        }
    }

    /// The greatest number of players; `None` for any number.
    #[must_use]
    pub fn most_players(&self) -> Option<usize> {
        match &self.stashes {
            StashPlaces::Ring { .. } => None,
            StashPlaces::Places { at_m } => Some(at_m.len()),
        }
    }
}

/// A pose at polar coordinates, counter-clockwise from +x. In doubles, since the spiral makes thousands of turns.
fn facing_centre(radius_m: f64, angle_rad: f64) -> Pose {
    let position = Vec2::new((radius_m * libm::cos(angle_rad)) as f32, (radius_m * libm::sin(angle_rad)) as f32);
    Pose::new(position, heading_along(-position))
}

impl From<LevelWall> for Block {
    fn from(wall: LevelWall) -> Self {
        Self { center: wall.at_m.into(), half_extents_m: wall.half_extents_m.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::arena::forward;

    const CLEARANCE_M: f32 = 2.7;

    fn level() -> Level {
        ring(0.9)
    }

    fn ring(ring_share: f32) -> Level {
        let stashes = StashPlaces::Ring { ring_share, grows_beyond_players: 64 };
        Level {
            world_half_extent_m: 75.0,
            stashes,
            bounty_region_share: 0.75,
            walls: Vec::new(),
            places: Vec::new(),
            gravity_mps2: (0.0, 0.0),
            reactions: Vec::new(),
        }
    }

    fn poses(players: u32) -> Vec<Pose> {
        level().stash_poses(players, level().half_extent_m(players), CLEARANCE_M)
    }

    #[test]
    fn area_grows_with_the_players_at_constant_density() {
        assert_eq!(level().half_extent_m(1), 75.0);
        assert_eq!(level().half_extent_m(64), 75.0);
        for players in [65, 256, 10_000] {
            let area_per_player = level().half_extent_m(players).powi(2) / players as f32;
            assert!((area_per_player / (75.0 * 75.0 / 64.0) - 1.0).abs() < 1e-5, "{players} players");
        }
    }

    #[test]
    fn ring_is_counter_clockwise_from_x() {
        let poses = poses(4);
        let expected = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y].map(|direction| direction * 67.5);
        for (pose, expected) in poses.iter().zip(expected) {
            assert!(pose.position.distance(expected) < 1e-4, "{pose:?}");
        }
    }

    #[test]
    fn stashes_are_inside_apart_and_face_the_centre_for_any_number_of_players() {
        for players in [1, 2, 3, 16, 63, 64, 65, 100, 500, 2_000] {
            let half = level().half_extent_m(players);
            let poses = poses(players);
            assert_eq!(poses.len(), players as usize);
            for (i, pose) in poses.iter().enumerate() {
                assert!(pose.position.abs().max_element() <= half - CLEARANCE_M, "{players} players: {pose:?}");
                assert!(
                    forward(pose.heading).distance(-pose.position.normalize()) < 1e-5,
                    "{players} players: {pose:?}"
                );
                for other in &poses[..i] {
                    let gap = pose.position.distance(other.position);
                    assert!(gap >= 2.0 * CLEARANCE_M, "{players} players: {gap} m between two of them");
                }
            }
        }
    }

    #[test]
    fn crowded_ring_becomes_a_spiral_and_wide_ring_is_drawn_in() {
        let poses = ring(0.1).stash_poses(64, 75.0, CLEARANCE_M);
        for (i, pose) in poses.iter().enumerate() {
            assert!(poses[..i].iter().all(|other| other.position.distance(pose.position) >= 2.0 * CLEARANCE_M));
        }
        assert_eq!(ring(1.0).stash_poses(2, 75.0, CLEARANCE_M)[0].position, Vec2::new(72.3, 0.0));
    }

    #[test]
    fn fixed_places_are_taken_in_order_and_their_world_does_not_grow() {
        let stashes = StashPlaces::Places { at_m: vec![(10.0, 0.0), (0.0, -20.0), (5.0, 5.0)] };
        let level = Level { stashes, ..level() };
        let poses = level.stash_poses(2, level.half_extent_m(2), CLEARANCE_M);
        let expected = [(Vec2::new(10.0, 0.0), Vec2::NEG_X), (Vec2::new(0.0, -20.0), Vec2::Y)];
        assert_eq!(poses.len(), expected.len());
        for (pose, (place, direction)) in poses.iter().zip(expected) {
            assert!(pose.position == place && forward(pose.heading).distance(direction) < 1e-6, "{pose:?}");
        }
        assert_eq!((level.half_extent_m(500), level.most_players()), (75.0, Some(3)));
    }
}
