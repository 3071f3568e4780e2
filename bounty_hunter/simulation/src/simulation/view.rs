//! Views: a read-only copy of the simulation after a step, for renderers, tests and tools.
//!
//! Positions are metres (+x right, +y up), angles radians (0 faces +y, counter-clockwise positive).

use glam::Vec2;

pub use crate::data::config::Hull;
use crate::data::input::Intent;
pub use crate::gameplay::match_flow::{Ending, GameState, MatchResult};
use crate::gameplay::spell::Spell;
pub use crate::gameplay::statistics::{Award, Awards, PlayerStatistics};
use crate::objects::appearance::Color;
pub use crate::objects::power_up::PowerUp;
use crate::objects::sound_source::SoundSource;
pub use crate::objects::team::SideId;
use crate::physics::Shape;

/// A player and its score.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerView {
    /// Seat number from 0; also the index of its colour in the palette.
    pub index: u32,
    /// Shown name.
    pub name: String,
    /// Who plays this seat now.
    pub played_by: PlayedBy,
    /// Its team; `None` in a match without teams.
    pub team: Option<TeamView>,
    /// The content of its stash, 0 to the capacity.
    pub stashed: f32,
    /// The load of its collector, 0 to the capacity.
    pub pocket: f32,
    /// Seconds until its collector respawns; 0 while it is alive.
    pub respawn_seconds: f32,
    /// Lives left, including the present one; `None` if lives are not limited.
    pub lives: Option<u32>,
    /// Seconds left on the clock when the player went out of the match; `None` while it is in.
    pub out_at_clock_seconds: Option<f32>,
    /// The number of the person at this screen who has the seat, also by a cheat; `None` for AIs and people at other
    /// screens.
    pub person: Option<u8>,
    /// The last intent that the inputs gave it.
    pub intent: Intent,
    /// Its cool-downs, by [`Spell::index`](crate::gameplay::spell::Spell::index); `None` in a match without spells.
    pub spells: Option<[SpellView; Spell::COUNT]>,
    /// Health of its collector, 0 to 1; `None` in a match without health.
    pub health: Option<f32>,
    /// What it has made of the match.
    pub statistics: PlayerStatistics,
}

/// The team of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TeamView {
    /// Its number, from 0.
    pub number: u32,
    /// The content of all its stashes, 0 to the capacity of one.
    pub stashed: f32,
    /// Seconds left on the clock when its last player went out of the match; `None` while one is in.
    pub out_at_clock_seconds: Option<f32>,
}

impl PlayerView {
    /// The points that count for it: those of its stash, or of all stashes of its team.
    #[must_use]
    pub fn score(&self) -> f32 {
        self.team.map_or(self.stashed, |team| team.stashed)
    }

    /// The team, or the player without one.
    #[must_use]
    pub fn side(&self) -> SideId {
        SideId::of(self.index, self.team.map(|team| team.number))
    }

    /// Whether the seat belongs to a person at this screen: what the window highlights, follows and sounds for.
    #[must_use]
    pub fn is_here(&self) -> bool {
        self.person.is_some()
    }

    /// Whether a person plays the seat, at this screen or at another one: what the match, its results and its names are
    /// about.
    #[must_use]
    pub fn is_person(&self) -> bool {
        self.played_by == PlayedBy::Person
    }
}

/// Who plays a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayedBy {
    /// A person, at this screen or at another one.
    Person,
    /// An AI, or a script.
    #[default]
    Ai,
    /// An AI in the seat of a person who has dropped out of a match over a network, or has yet to catch up.
    StandIn,
}

/// A spell of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpellView {
    /// Seconds until it is ready; 0 if it is.
    pub left_seconds: f32,
    /// Seconds from a cast until it is ready again.
    pub cooldown_seconds: f32,
}

/// How an AI looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// The look of its habit.
    pub hull: Hull,
    /// What it is up to.
    pub mood: Mood,
}

/// What an AI is up to, as far as others can see it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mood {
    /// It looks for bounties, or is one of the learned AIs.
    #[default]
    Calm,
    /// It avoids a crash.
    Wary,
    /// It means to ram another collector.
    Hunting,
    /// It brings its load home.
    Homeward,
}

/// A collector that is alive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollectorView {
    /// Its key in all steps, for interpolation.
    pub key: u64,
    /// The seat that owns it.
    pub player: u32,
    /// Centre, metres.
    pub position: Vec2,
    /// Heading, radians.
    pub heading: f32,
    /// Half the side of the isosceles triangle that is drawn and hit, metres.
    pub half_extent: f32,
    /// Fullness of the pocket, 0 to 1.
    pub fullness: f32,
    /// How many times its own value the next bounty is worth to it, from 1; 1 in a match without a chain.
    pub chain_factor: f32,
    /// Seconds left as a ghost; 0 for a solid collector.
    pub ghost_seconds: f32,
    /// Seconds left of a higher speed; 0 without.
    pub dash_seconds: f32,
    /// Seconds left of a shield; 0 without.
    pub shield_seconds: f32,
    /// Seconds left in which bounties are worth twice as much; 0 otherwise.
    pub double_seconds: f32,
    /// The range of its magnet, metres; 0 without a magnet.
    pub magnet_range: f32,
    /// Whether it carries a mine that it will lay.
    pub carries_mine: bool,
    /// Its health, 0 to 1; `None` in a match without health.
    pub health: Option<f32>,
    /// Seconds until it starves; `None` in a match without hunger.
    pub starves_in_seconds: Option<f32>,
    /// The face of an AI with a habit; `None` while a person or a script drives it.
    pub face: Option<Face>,
    /// It jumped in this step (wrapped around or respawned): draw it without interpolating.
    pub teleported: bool,
}

/// From so many seconds before it starves, a collector is shown to be hungry.
pub const HUNGRY_SECONDS: f32 = 6.0;

/// A bounty in the arena.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BountyView {
    /// Its key in all steps.
    pub key: u64,
    /// Centre, metres.
    pub position: Vec2,
    /// Rotation, radians; collectors push bounties.
    pub heading: f32,
    /// Half the side of the square, metres.
    pub half_extent: f32,
    /// Its value, points.
    pub value: f32,
    /// Its value as a share of the range: 0 is the lowest, 1 the highest.
    pub worth: f32,
    /// Its opacity: 1, falling to 0 at the end of its lifetime.
    pub alpha: f32,
    /// The colour of its kind, if that has one.
    pub color: Option<Color>,
    /// It jumped in this step: draw it without interpolating.
    pub teleported: bool,
}

/// Any other object of a prefab, such as a rock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectView {
    /// Its key in all steps: the bits of its entity's id.
    pub key: u64,
    /// Centre, metres.
    pub position: Vec2,
    /// Heading, radians.
    pub heading: f32,
    /// Its shape, both drawn and hit.
    pub shape: Shape,
    /// The colour of its kind, if that has one.
    pub color: Option<Color>,
    /// Its opacity: 1, falling to 0 at the end of a limited lifetime; less if it stops nothing, as a trigger box or an
    /// open door.
    pub alpha: f32,
    /// It jumped in this step: draw it without interpolating.
    pub teleported: bool,
}

/// A power-up in the arena.
#[derive(Clone, Debug, PartialEq)]
pub struct PowerUpView {
    /// Its key in all steps.
    pub key: u64,
    /// Centre, metres.
    pub position: Vec2,
    /// Half the side of the square, metres.
    pub half_extent: f32,
    /// Its opacity: 1, falling to 0 at the end of its lifetime.
    pub alpha: f32,
    /// What it does for its holder.
    pub power_up: PowerUp,
}

/// A mine in the arena.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MineView {
    /// Its key in all steps.
    pub key: u64,
    /// The seat that owns it, and for which it is no danger.
    pub owner: u32,
    /// Centre, metres.
    pub position: Vec2,
    /// Half the side of the square, metres.
    pub half_extent: f32,
    /// Seconds until it is armed; 0 once it is.
    pub arms_in_seconds: f32,
    /// Seconds until it disappears by itself.
    pub left_seconds: f32,
}

/// A gold rush that all know of: the gold is in the arena or will soon appear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoldRushView {
    /// The key of its bounty, which is in [`View::bounties`] once it is there.
    pub key: u64,
    /// Where the gold is or will appear, metres.
    pub position: Vec2,
    /// Seconds until it appears; 0 once it is there.
    pub appears_in_seconds: f32,
    /// Its value, points; before it appears the greatest one of its kind.
    pub value: f32,
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
    /// Fullness, 0 to 1; with teams, that of all stashes of the team together.
    pub fullness: f32,
}

/// A wall: just beyond the edge at which a collector wraps around, or in the arena.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallView {
    /// Centre, metres.
    pub position: Vec2,
    /// Half width and half height, metres.
    pub half_extents: Vec2,
    /// It stands in the arena and stops other objects.
    pub is_solid: bool,
}

/// An object with a sound.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceView {
    /// Its key in all steps.
    pub key: u64,
    /// Centre, metres.
    pub position: Vec2,
    /// The effect, its loudness and its reach.
    pub sound: SoundSource,
    /// A reaction has opened it.
    pub is_open: bool,
    /// Something began to touch it in this step.
    pub is_touched: bool,
}

/// A camera of the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraView {
    /// Its key in all steps.
    pub key: u64,
    /// What is in its middle, metres.
    pub position: Vec2,
    /// Half the height of what it shows, metres.
    pub half_height: f32,
    /// Its place among the cameras.
    pub order: u32,
}

/// A shape of debug drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DebugShape {
    /// The radar of an AI: a sector of a disc around `heading`.
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
    /// The avoider of an AI: a box ahead of it.
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
    /// A part of an AI's way, to a corner of a wall.
    Way {
        /// The AI or a corner before, metres.
        from: Vec2,
        /// The corner, metres.
        to: Vec2,
    },
    /// From an AI, or from the last corner on its way, to its goal, by the shortest way around the world.
    Target {
        /// The AI or the corner, metres.
        from: Vec2,
        /// The goal, metres.
        to: Vec2,
    },
    /// Two collectors that touch.
    Contact {
        /// The middle between them, metres.
        at: Vec2,
    },
    /// The outline of a hit box.
    HitBox {
        /// Corners in order, metres; a triangle repeats its last.
        corners: [Vec2; 4],
    },
}

/// The whole view.
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
    /// The colour of the ground of its mode.
    pub ground: Color,
    /// Half the side of the square world, metres: x and y lie in −half..half.
    pub world_half_extent: f32,
    /// The capacity of a pocket.
    pub pocket_capacity: f32,
    /// The capacity of a stash.
    pub stash_capacity: f32,
    /// Whether a full stash ends the match.
    pub full_stash_ends_match: bool,
    /// The leading player, with teams one of the leading team; `None` for a tie.
    pub leader: Option<u32>,
    /// By seat.
    pub players: Vec<PlayerView>,
    /// Living ones, by entity.
    pub collectors: Vec<CollectorView>,
    /// Those in the arena, by entity.
    pub bounties: Vec<BountyView>,
    /// Those in the arena, by entity.
    pub power_ups: Vec<PowerUpView>,
    /// Those in the arena, by entity.
    pub mines: Vec<MineView>,
    /// The gold rush; `None` while all wait for the next one, and in a match without them.
    pub gold_rush: Option<GoldRushView>,
    /// All other visible objects, by entity.
    pub objects: Vec<ObjectView>,
    /// By seat.
    pub stashes: Vec<StashView>,
    /// The four beyond the edges, then those in the arena.
    pub walls: Vec<WallView>,
    /// What can be heard, by entity.
    pub sources: Vec<SourceView>,
    /// The cameras of the level, by their order.
    pub cameras: Vec<CameraView>,
    /// Filled only if [`View::is_debug_drawn`].
    pub debug: Vec<DebugShape>,
    /// Whether [`View::debug`] is wanted: set by the owner of the view, and left as it is by the simulation.
    pub is_debug_drawn: bool,
    /// The result of the match; `None` before its end.
    pub result: Option<MatchResult>,
    /// The awards; none before the end of the match.
    pub awards: Awards,
    /// How long the match stood still, without a pause that lasts.
    pub paused_seconds: f32,
}

impl View {
    /// A view of nothing, to be overwritten.
    #[must_use]
    pub fn empty() -> Self {
        Self { world_half_extent: 1.0, ..Self::default() }
    }

    /// Whether two different players are in one team.
    #[must_use]
    pub fn are_partners(&self, one: u32, other: u32) -> bool {
        one != other && self.team_of(one).is_some_and(|team| self.team_of(other) == Some(team))
    }

    /// Whether two players are the same one or in one team.
    #[must_use]
    pub fn are_of_one_side(&self, one: u32, other: u32) -> bool {
        one == other || self.are_partners(one, other)
    }

    /// Whether a player has won the match: alone, or with its team.
    #[must_use]
    pub fn has_won(&self, player: u32) -> bool {
        let winner = self.result.as_ref().and_then(|result| result.winner);
        winner.is_some_and(|winner| self.are_of_one_side(winner, player))
    }

    fn team_of(&self, player: u32) -> Option<u32> {
        Some(self.players.get(player as usize)?.team?.number)
    }

    /// Whether a player's seat belongs to a person at this screen; see [`PlayerView::is_here`].
    #[must_use]
    pub fn is_here(&self, player: u32) -> bool {
        self.players.get(player as usize).is_some_and(PlayerView::is_here)
    }
}
