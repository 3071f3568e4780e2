//! Levels: what stands where in a world before anybody plays in it.

use serde::{Deserialize, Serialize};

use crate::data::arena::Pose;
use crate::objects::wall::Block;

/// `assets/levels/*.ron`: one level, named after its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Half the side of the square world; a ring's world grows beyond that with its players.
    pub world_half_extent_m: f32,
    /// Where the stashes stand, which is also where collectors appear.
    pub stashes: StashPlaces,
    /// Share of the half extent within which bounties appear, 0 to 1.
    pub bounty_region_share: f32,
    /// Solid walls, which stop whoever runs into them.
    #[serde(default)]
    pub walls: Vec<LevelWall>,
    /// What else stands or lies here when a match begins.
    #[serde(default)]
    pub places: Vec<Place>,
}

/// An object of a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The prefab that it is made from.
    pub prefab: String,
    /// Its middle, metres from the centre.
    pub at_m: (f32, f32),
    /// Where it faces: 0 is up, counter-clockwise is positive.
    #[serde(default)]
    pub heading_rad: f32,
}

impl Place {
    /// Where it is and which way it faces.
    #[must_use]
    pub fn pose(&self) -> Pose {
        Pose::new(self.at_m.into(), self.heading_rad)
    }
}

/// Where the stashes of a level stand, by player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum StashPlaces {
    /// In a ring, or a spiral where a ring has no room for all, for any number of players.
    Ring {
        /// Share of the half extent at which the ring lies, 0 to 1.
        ring_share: f32,
        /// From this many players on, the world's area grows with their number.
        grows_beyond_players: u32,
    },
    /// In these places, the first player's first.
    Places {
        /// Metres from the centre, x to the right and y up.
        at_m: Vec<(f32, f32)>,
    },
}

/// A solid wall of a level, upright or flat.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelWall {
    /// Its middle, metres from the centre.
    pub at_m: (f32, f32),
    /// Half its width and half its height.
    pub half_extents_m: (f32, f32),
}

impl Level {
    /// How many players there are places for; `None` for any number.
    #[must_use]
    pub fn most_players(&self) -> Option<usize> {
        match &self.stashes {
            StashPlaces::Ring { .. } => None,
            StashPlaces::Places { at_m } => Some(at_m.len()),
        }
    }
}

impl From<LevelWall> for Block {
    fn from(wall: LevelWall) -> Self {
        Self { center: wall.at_m.into(), half_extents_m: wall.half_extents_m.into() }
    }
}
