//! Walls: the sensors just beyond the edges of the world, which nobody reaches because who crosses an edge wraps around;
//! and the solid ones of a level.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::data::arena::Pose;
use crate::data::limits;
use crate::objects::shape::Shape;

/// Component: a wall.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wall {
    /// Half width and half height, metres.
    pub half_extents_m: Vec2,
    /// Whether it stops whoever runs into it.
    pub is_solid: bool,
}

/// Component of a wall beyond an edge of the world: how thick it is and how far out. Its length follows from the world's.
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

/// A solid rectangle that stands upright.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// Its middle, metres.
    pub center: Vec2,
    /// Half width and half height, metres.
    pub half_extents_m: Vec2,
}

impl Block {
    /// The least that an object is in.
    #[must_use]
    pub fn around(shape: Shape, pose: Pose) -> Self {
        let corners = shape.corners(pose);
        let (mut least, mut most) = (corners[0], corners[0]);
        for corner in corners {
            (least, most) = (least.min(corner), most.max(corner));
        }
        Self { center: (least + most) / 2.0, half_extents_m: (most - least) / 2.0 }
    }

    /// The same with so much more on every side, metres.
    #[must_use]
    pub fn grown(self, margin_m: f32) -> Self {
        Self { half_extents_m: self.half_extents_m + Vec2::splat(margin_m), ..self }
    }

    /// Whether a point lies in it, its border left out.
    #[must_use]
    pub fn contains(self, point: Vec2) -> bool {
        let aside = (point - self.center).abs();
        aside.x < self.half_extents_m.x && aside.y < self.half_extents_m.y
    }

    /// Whether both have a point in common, their borders left out.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        Self { half_extents_m: self.half_extents_m + other.half_extents_m, ..self }.contains(other.center)
    }

    /// How much of the way from `from` along `way` lies before it, 0 to 1; `None` if the way does not lead through it.
    /// Who is in it already has come 0 of the way.
    #[must_use]
    pub fn hit_by(self, from: Vec2, way: Vec2) -> Option<f32> {
        let (mut enters, mut leaves) = (0.0_f32, 1.0_f32);
        for axis in 0..2 {
            let near = self.center[axis] - self.half_extents_m[axis] - from[axis];
            let far = self.center[axis] + self.half_extents_m[axis] - from[axis];
            if way[axis] == 0.0 {
                // Beside it all the way, or between its sides all the way.
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

/// Resource: the solid walls of this match. Nobody writes it while a match runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolidWalls {
    /// The walls, in the order of the level.
    pub blocks: Vec<Block>,
    /// So far from them lies the middle of what appears in the arena, metres.
    pub clearance_m: f32,
}

impl SolidWalls {
    /// Whether something has room at a point.
    #[must_use]
    pub fn leave_room_at(&self, point: Vec2) -> bool {
        !self.blocks.iter().any(|block| block.grown(self.clearance_m).contains(point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: Block = Block { center: Vec2::new(10.0, 0.0), half_extents_m: Vec2::new(2.0, 5.0) };

    #[test]
    fn a_way_is_cut_where_it_meets_the_block() {
        let hit = |from: (f32, f32), way: (f32, f32)| BLOCK.hit_by(from.into(), way.into());
        assert_eq!(hit((0.0, 0.0), (16.0, 0.0)), Some(0.5));
        assert_eq!(hit((0.0, 4.9), (16.0, 0.0)), Some(0.5));
        assert_eq!(hit((0.0, 5.0), (16.0, 0.0)), None, "along its border");
        assert_eq!(hit((0.0, 0.0), (7.9, 0.0)), None, "it ends before");
        assert_eq!(hit((0.0, 0.0), (-16.0, 0.0)), None, "it leads away");
        assert_eq!(hit((10.0, 0.0), (0.0, 1.0)), Some(0.0), "it begins inside");
        assert_eq!(hit((0.0, 10.0), (5.0, 5.0)), None);
    }

    #[test]
    fn blocks_overlap_where_they_share_more_than_a_border() {
        let at = |x: f32, y: f32| Block { center: Vec2::new(x, y), half_extents_m: Vec2::ONE };
        assert!(BLOCK.overlaps(at(12.9, 0.0)) && at(12.9, 0.0).overlaps(BLOCK));
        assert!(!BLOCK.overlaps(at(13.0, 0.0)) && !BLOCK.overlaps(at(0.0, 0.0)));
        assert!(BLOCK.contains(Vec2::new(11.9, 4.9)) && !BLOCK.contains(Vec2::new(12.0, 0.0)));
    }

    #[test]
    fn there_is_room_beside_a_wall_and_its_clearance() {
        let walls = SolidWalls { blocks: vec![BLOCK], clearance_m: 1.0 };
        assert!(walls.leave_room_at(Vec2::new(7.0, 0.0)) && !walls.leave_room_at(Vec2::new(7.1, 0.0)));
    }
}
