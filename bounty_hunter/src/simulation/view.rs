//! A read-only picture of the simulation after a step: all that a renderer, a test or a tool needs, and no way to change it.
//!
//! Positions are metres (+x right, +y up), angles radians (0 faces +y, counter-clockwise positive).

use glam::Vec2;

pub use crate::gameplay::match_flow::{Ending, GameState, MatchResult};
use crate::gameplay::spell::Spell;
use crate::objects::appearance::Color;
use crate::physics::Shape;

/// A player and its score.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerView {
    /// Seat number from 0; also the index of its colour in the palette.
    pub index: u32,
    /// Shown name.
    pub name: String,
    /// Whether a person plays this seat now (also by the possess cheat).
    pub is_human: bool,
    /// What lies in the stash, 0 to the stash's capacity.
    pub stashed: f32,
    /// What the collector carries, 0 to the pocket's capacity.
    pub pocket: f32,
    /// Seconds until the collector comes back; 0 while it is alive.
    pub respawn_seconds: f32,
    /// Lives left, the present one included; `None` where they are not limited.
    pub lives: Option<u32>,
    /// What was left on the clock when the player was out of the match; `None` for who is in it.
    pub out_at_clock_seconds: Option<f32>,
    /// The keys with which a person plays this seat now, as an index into the keymap's people.
    pub keys: Option<usize>,
    /// How far its spells are, by [`Spell::index`](crate::gameplay::spell::Spell::index); `None` where there are none.
    pub spells: Option<[SpellView; Spell::COUNT]>,
    /// Its collector's health, as a share of all; `None` where collisions cost lives at once.
    pub health: Option<f32>,
}

/// A spell of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpellView {
    /// Seconds until it can be cast; 0 if it can be now.
    pub left_seconds: f32,
    /// Seconds that this takes after each cast.
    pub cooldown_seconds: f32,
}

/// A collector that is alive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollectorView {
    /// A key that stays the same from step to step, for interpolation.
    pub key: u64,
    /// The seat that owns it.
    pub player: u32,
    /// Centre, metres.
    pub position: Vec2,
    /// Heading, radians.
    pub heading: f32,
    /// Half the side of the isosceles triangle that is drawn and that is the hit box, metres.
    pub half_extent: f32,
    /// Fullness of the pocket, 0 to 1.
    pub fullness: f32,
    /// Seconds for which it passes through others; 0 for one that does not.
    pub ghost_seconds: f32,
    /// How far it pulls bounties, metres; 0 for one that does not.
    pub magnet_range: f32,
    /// Its health, as a share of all; `None` where collisions cost lives at once.
    pub health: Option<f32>,
    /// It jumped in this step (wrapped around or came back): draw it without interpolating.
    pub teleported: bool,
}

/// A bounty that lies in the arena.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BountyView {
    /// A key that stays the same from step to step.
    pub key: u64,
    /// Centre, metres.
    pub position: Vec2,
    /// Rotation, radians (a collector may nudge it).
    pub heading: f32,
    /// Half the side of the square, metres.
    pub half_extent: f32,
    /// Points it is worth.
    pub value: f32,
    /// Where its value lies between the lowest (0, yellow) and the highest (1, red).
    pub worth: f32,
    /// 1 fresh, falling to 0 as its life ends.
    pub alpha: f32,
    /// The colour of its kind, if that has one.
    pub color: Option<Color>,
    /// It jumped in this step: draw it without interpolating.
    pub teleported: bool,
}

/// Anything else that a prefab has put into the arena, such as a rock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectView {
    /// A key that stays the same from step to step: the bits of its entity's id.
    pub key: u64,
    /// Centre, metres.
    pub position: Vec2,
    /// Heading, radians.
    pub heading: f32,
    /// Its form and size, which are its hit box.
    pub shape: Shape,
    /// The colour of its kind, if that has one.
    pub color: Option<Color>,
    /// 1, unless its life ends by itself: then falling to 0.
    pub alpha: f32,
    /// It jumped in this step: draw it without interpolating.
    pub teleported: bool,
}

/// A power-up that lies in the arena.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerUpView {
    /// A key that stays the same from step to step.
    pub key: u64,
    /// Centre, metres.
    pub position: Vec2,
    /// Half the side of the square, metres.
    pub half_extent: f32,
    /// 1 fresh, falling to 0 as its life ends.
    pub alpha: f32,
}

/// A stash.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StashView {
    /// The seat that owns it.
    pub player: u32,
    /// Centre, metres.
    pub position: Vec2,
    /// Half the side of the square, metres.
    pub half_extent: f32,
    /// Fullness, 0 to 1.
    pub fullness: f32,
}

/// A wall: just beyond the edge at which a collector wraps around, or in the arena.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallView {
    /// Centre, metres.
    pub position: Vec2,
    /// Half width and half height, metres.
    pub half_extents: Vec2,
    /// It stands in the arena and stops whoever runs into it.
    pub is_solid: bool,
}

/// Something that only debug drawing shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DebugShape {
    /// What an AI sees: a sector of a disc around `heading`.
    Radar {
        /// Apex, metres.
        position: Vec2,
        /// Middle of the cone, radians.
        heading: f32,
        /// Radius, metres.
        range: f32,
        /// Half the opening angle, radians.
        half_angle: f32,
    },
    /// What an AI keeps clear of: a box ahead of it, as four corners.
    Avoider {
        /// Corners in order, metres.
        corners: [Vec2; 4],
    },
    /// From an AI to a collector that it avoids.
    Threat {
        /// The AI, metres.
        from: Vec2,
        /// The other one, metres.
        to: Vec2,
    },
    /// From an AI to where it is going, by the shortest way around the world.
    Target {
        /// The AI, metres.
        from: Vec2,
        /// Where it is going, metres.
        to: Vec2,
    },
    /// The outline of a hit box.
    HitBox {
        /// Corners in order, metres; a triangle repeats its last.
        corners: [Vec2; 4],
    },
}

/// The whole picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// Steps since the simulation was created.
    pub tick: u64,
    /// The state of the game.
    pub state: GameState,
    /// Seconds until the match begins; 0 once it runs.
    pub countdown_seconds: f32,
    /// Seconds left on the match clock.
    pub clock_seconds: f32,
    /// Half the side of the square world, metres: x and y lie in −half..half.
    pub world_half_extent: f32,
    /// What the pocket holds at most.
    pub pocket_capacity: f32,
    /// What a stash holds at most.
    pub stash_capacity: f32,
    /// The player who leads; `None` while nobody does.
    pub leader: Option<u32>,
    /// By seat.
    pub players: Vec<PlayerView>,
    /// Alive ones, by entity.
    pub collectors: Vec<CollectorView>,
    /// Those that lie in the arena, by entity.
    pub bounties: Vec<BountyView>,
    /// Those that lie in the arena, by entity.
    pub power_ups: Vec<PowerUpView>,
    /// All other objects that are there, by entity.
    pub objects: Vec<ObjectView>,
    /// By seat.
    pub stashes: Vec<StashView>,
    /// The four edges, then those in the arena.
    pub walls: Vec<WallView>,
    /// Filled only while debug drawing is on.
    pub debug: Vec<DebugShape>,
    /// Whether debug drawing is on.
    pub is_debug_drawn: bool,
    /// Whether the window should be full screen.
    pub is_fullscreen: bool,
    /// How the last match ended; `None` before its end.
    pub result: Option<MatchResult>,
}

impl View {
    /// A view of nothing, to be overwritten.
    #[must_use]
    pub fn empty() -> Self {
        Self { world_half_extent: 1.0, ..Self::default() }
    }
}
