//! Mines: a power-up lays them, and every other collector crashes into them.
//!
//! Each collector of a match with mines has one, which waits outside of the arena until it is laid. What mines do is in
//! `gameplay/mines.rs`.

use ecs::EntityId;
use serde::{Deserialize, Serialize};

use crate::data::limits;

/// Component: the fuse of a kind of mine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fuse {
    /// Time from laying until it is armed.
    #[serde(deserialize_with = "limits::read::delay_seconds")]
    pub arming_seconds: f32,
}

/// Component: a mine. Written by [`Mines`](crate::gameplay::mines::Mines).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mine {
    /// Seat number of its owner, whose collector passes over it.
    pub owner: u32,
    /// Seconds until it is armed.
    pub arms_in_seconds: f32,
}

impl Mine {
    /// Whether it explodes under the collector of this player.
    #[must_use]
    pub fn is_dangerous_to(self, player: u32) -> bool {
        self.arms_in_seconds <= 0.0 && self.owner != player
    }
}

/// Component of a collector in a match with mines. Written by [`Mines`](crate::gameplay::mines::Mines).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MineLayer {
    /// Its mine, in the arena or not.
    pub mine: EntityId,
    /// What it will lay; `None` if it carries no mine.
    pub carried: Option<CarriedMine>,
}

/// A mine that will be laid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CarriedMine {
    /// Seconds until it is laid.
    pub left_seconds: f32,
    /// The least distance from every stash, metres.
    pub stash_clearance_m: f32,
}
