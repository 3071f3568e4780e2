//! Walls: the sensors beyond the edges of the world, where objects wrap around, and the solid walls of a level.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::data::arena::Block;
use crate::data::limits;

/// Component: a wall.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wall {
    /// Half width and half height, metres.
    pub half_extents_m: Vec2,
    /// Whether it is solid; otherwise it is a sensor.
    pub is_solid: bool,
}

/// Component of a wall beyond an edge of the world: thickness and distance. Its length follows from the world's size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// Half its thickness, metres.
    #[serde(deserialize_with = "limits::read::length_m")]
    pub half_thickness_m: f32,
    /// Gap between the edge of the world and its inner face, metres.
    #[serde(deserialize_with = "limits::read::gap_m")]
    pub gap_m: f32,
}

/// Resource: the solid walls of this match. Constant while a match runs, except for objects with a
/// [`Switch`](crate::objects::switch::Switch).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolidWalls {
    /// The walls in the level's order, then other fixed obstacles.
    pub blocks: Vec<Block>,
    /// The distance that spawned objects keep from them, from their centres, metres.
    pub clearance_m: f32,
}

impl SolidWalls {
    /// Whether an object has room at a point.
    #[must_use]
    pub fn leave_room_at(&self, point: Vec2) -> bool {
        self.leave_room_within(point, self.clearance_m)
    }

    /// Whether an object that keeps so far from walls has room at a point.
    #[must_use]
    pub fn leave_room_within(&self, point: Vec2, clearance_m: f32) -> bool {
        !self.blocks.iter().any(|block| block.grown(clearance_m).contains(point))
    }

    /// Adds or removes the block of an obstacle. O(number of blocks).
    pub(crate) fn change(&mut self, block: Block, is_present: bool) {
        let index = self.blocks.iter().rposition(|other| *other == block);
        match index {
            None if is_present => self.blocks.push(block),
            Some(index) if !is_present => _ = self.blocks.remove(index),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: Block = Block { center: Vec2::new(10.0, 0.0), half_extents_m: Vec2::new(2.0, 5.0) };

    #[test]
    fn room_begins_beyond_the_clearance_of_a_wall() {
        let walls = SolidWalls { blocks: vec![BLOCK], clearance_m: 1.0 };
        assert!(walls.leave_room_at(Vec2::new(7.0, 0.0)) && !walls.leave_room_at(Vec2::new(7.1, 0.0)));
    }
}
