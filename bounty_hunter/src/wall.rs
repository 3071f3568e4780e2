//! Walls: sensors just beyond the edges of the world. Nobody reaches them, for who crosses an edge wraps around.

use glam::Vec2;

/// Component: a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// Half width and half height, metres.
    pub half_extents_m: Vec2,
}
