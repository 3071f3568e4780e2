//! What every object of the game has in common: a kind, a place, a body and a life.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::data::arena::Pose;
use crate::physics::BodyHandle;

/// The kinds of game object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum GameObjectKind {
    Bounty,
    Collector,
    Stash,
    Wall,
    PlayerSpawn,
    BountySpawn,
    TabletopCamera,
    PowerUp,
    /// Anything else that a prefab makes: it is there, is hit and is drawn, and no rule is about it.
    Other,
}

/// Component of every object: what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameObject {
    /// What it is.
    pub kind: GameObjectKind,
}

/// Component: where an object is. Written by [`GameObjects`](crate::objects::life_cycle::GameObjects) when it comes to life, and by the movement after each step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transform {
    /// Place and heading.
    pub pose: Pose,
    /// It did not get here by moving: it wrapped around or came to life in this step.
    pub is_teleported: bool,
}

impl Transform {
    /// An object that has just appeared.
    #[must_use]
    pub fn at(pose: Pose) -> Self {
        Self { pose, is_teleported: true }
    }
}

/// Component: the object's body in the [`Physics`](crate::physics::Physics).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RigidBody(pub BodyHandle);

/// Component of what can die: whether it lives. Its entity is disabled at the end of the step in which it dies; until then
/// this says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Life {
    /// Whether it lives; no prefab says so.
    #[serde(default, deserialize_with = "read_from_a_save")]
    pub is_alive: bool,
}

/// Saves are bytes and prefabs are texts.
fn read_from_a_save<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    match deserializer.is_human_readable() {
        true => Err(D::Error::custom("a match decides who is alive, and no prefab")),
        false => bool::deserialize(deserializer),
    }
}
