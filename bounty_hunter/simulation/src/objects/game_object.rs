//! Components that all objects share: kind, transform, rigid body and life.

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
    PowerUp,
    /// Any other object of a prefab: it is hit and drawn, but no rule concerns it.
    Other,
    Mine,
}

/// Component of every object: its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameObject {
    /// Its kind.
    pub kind: GameObjectKind,
}

/// Component: where an object is. Written by [`GameObjects`](crate::objects::life_cycle::GameObjects) at its spawn and
/// by [`Motion`](crate::objects::motion::Motion) after each step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transform {
    /// Position and heading.
    pub pose: Pose,
    /// It jumped in this step: it wrapped around or spawned.
    pub is_teleported: bool,
}

impl Transform {
    /// The transform of an object that has just appeared.
    #[must_use]
    pub fn at(pose: Pose) -> Self {
        Self { pose, is_teleported: true }
    }
}

/// Component: the object's body in the [`Physics`](crate::physics::Physics).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RigidBody(pub BodyHandle);

/// Component of an object that can die: whether it is alive. Its entity is disabled at the end of the step in which it
/// dies; until then only this component tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Life {
    /// Whether it is alive; prefabs cannot set it.
    #[serde(default, deserialize_with = "read_from_save")]
    pub is_alive: bool,
}

/// Refuses the field in a text, which is a prefab; a save is binary.
fn read_from_save<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    match deserializer.is_human_readable() {
        true => Err(D::Error::custom("a prefab cannot set it, the match decides whether an object is alive")),
        false => bool::deserialize(deserializer),
    }
}
