//! All events of the game.
//!
//! An event states what happened. A request (`KillGameObject`, `PauseGame`) states what is wanted; it may be refused.
//! Each event has a listener on which it has an effect; a test fails otherwise.
//! `bounty_hunter systems` prints the senders and listeners of each event from the running engine.

use ecs::EntityId;
use ecs::event::EntityEvent;
use serde::{Deserialize, Serialize};

use crate::data::arena::Pose;
use crate::data::input::Cheat;
use crate::gameplay::spell::{Refusal, Spell};
use crate::physics::Category;

// The course of the game

/// The arena is built and the countdown begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameStarted;

/// The match stands still.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GamePaused;

/// A pause has ended: the match continues or restarts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameResumed;

/// The match has ended; [`GameFlow`](crate::gameplay::match_flow::GameFlow) holds its result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameOver;

/// Request: pause the match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PauseGame;

/// Request: resume the match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResumeGame;

/// Request: restart the match; granted in a pause and after the end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestartGame;

/// Request: end the program; granted in a pause and after the end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuitGame;

/// Request: cheat; granted while the match runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct UseCheat {
    /// The cheat.
    pub cheat: Cheat,
}

// Game objects

/// A game object came to life, for the first time or again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameObjectSpawned {
    /// The object.
    pub entity: EntityId,
    /// Its pose.
    pub pose: Pose,
}

/// A game object died.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameObjectKilled {
    /// The object; it may respawn.
    pub entity: EntityId,
}

impl EntityEvent for GameObjectKilled {
    fn entity(&self) -> EntityId {
        self.entity
    }
}

/// Request: kill an object. Granted once per life.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KillGameObject {
    /// The object.
    pub entity: EntityId,
}

/// Request: bring an object to life.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpawnGameObject {
    /// The object.
    pub entity: EntityId,
    /// The pose to appear at.
    pub pose: Pose,
}

// Players, stashes and collisions

/// A player lost its last life and is out of the match. Sent only where lives are limited.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerEliminated {
    /// Seat number.
    pub player: u32,
}

/// A collector picked up a bounty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BountyCollected {
    /// The collector.
    pub collector: EntityId,
    /// The bounty.
    pub bounty: EntityId,
    /// Points.
    pub value: f32,
    /// Points of them that did not fit into the pocket.
    pub lost: f32,
}

/// A collector emptied its pocket into a stash.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BountyStashed {
    /// The collector.
    pub collector: EntityId,
    /// The stash.
    pub stash: EntityId,
    /// Points that were in the pocket.
    pub value: f32,
}

/// Two collectors passed each other closely and fast. Sent only with the rule set `chain`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NearMissed {
    /// The collector that was created first.
    pub a: EntityId,
    /// The other one.
    pub b: EntityId,
}

/// A collector crashed into the leader and was paid. Sent only with the rule set `crown`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrownClaimed {
    /// The collector that was paid.
    pub hunter: EntityId,
    /// The collector of the leader.
    pub leader: EntityId,
    /// Points of the leader's load that go to the hunter's stash, at most what is left of the load.
    pub value: f32,
}

/// A collector picked up a power-up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PowerUpTaken {
    /// The collector.
    pub collector: EntityId,
    /// The power-up.
    pub power_up: EntityId,
}

/// A collector touched an armed mine of another player, without a shield. Sent only in matches with mines.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MineExploded {
    /// The mine that exploded.
    pub mine: EntityId,
    /// Seat number of its owner.
    pub owner: u32,
    /// The collector that touched it.
    pub victim: EntityId,
}

/// Request: cast a spell. Sent for people, AIs and scripts in matches with spells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CastSpell {
    /// The collector that casts it.
    pub caster: EntityId,
    /// The spell.
    pub spell: Spell,
}

/// A spell was cast.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpellCast {
    /// The collector that cast it.
    pub caster: EntityId,
    /// The spell.
    pub spell: Spell,
}

/// A requested spell was not cast.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpellRefused {
    /// The collector that requested it.
    pub caster: EntityId,
    /// The spell.
    pub spell: Spell,
    /// The reason.
    pub reason: Refusal,
}

/// An object lost health by touching another one, or by a reaction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DamageTaken {
    /// The object that was hurt.
    pub entity: EntityId,
    /// The object or the reaction that hurt it.
    pub by: EntityId,
    /// Points of damage; the object may have had less health left.
    pub points: f32,
}

/// A stash has reached its capacity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StashFull {
    /// The stash.
    pub stash: EntityId,
}

/// A reaction of the level sent a signal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignalSent {
    /// Its name.
    pub signal: String,
}

/// Two objects began to touch, or an AI began to see an object: its collector is then `b`, its category `Radar` or
/// `Avoider`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CollisionBegin {
    /// The object of the lower category, or of the lower key in one category.
    pub a: EntityId,
    /// The other object.
    pub b: EntityId,
    /// The category of `a`.
    pub category_a: Category,
    /// The category of `b`.
    pub category_b: Category,
}

/// Two objects no longer touch, or an AI no longer sees an object, as in [`CollisionBegin`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CollisionEnd {
    /// The object of the lower category, or of the lower key in one category.
    pub a: EntityId,
    /// The other object.
    pub b: EntityId,
    /// The category of `a`.
    pub category_a: Category,
    /// The category of `b`.
    pub category_b: Category,
}
