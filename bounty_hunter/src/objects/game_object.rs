//! What every object of the game has in common: a kind, a place, a body and a life; and the system that lets
//! objects die and come to life.

use ecs::{Commands, EntityId, IncludeDisabled, Query, ResMut, Sender, Setup, System};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::data::arena::Pose;
use crate::events::{GameObjectKilled, GameObjectSpawned, KillGameObject, SpawnGameObject};
pub use crate::objects::shape::Shape;
use crate::physics::{BodyHandle, Physics};

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

/// Component: where an object is. Written by [`GameObjects`] when it comes to life, and by the movement after each step.
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

/// Component: the object's body in the [`Physics`].
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

/// Grants the requests that objects die and come to life: the only system that disables and enables them.
#[derive(Debug, Default)]
pub struct GameObjects;

impl System for GameObjects {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_kill).listen(Self::on_spawn);
    }
}

impl GameObjects {
    fn on_kill(
        &mut self,
        event: &KillGameObject,
        mut lives: Query<(&mut Life, &RigidBody)>,
        mut physics: ResMut<Physics>,
        mut commands: Commands,
        mut killed: Sender<GameObjectKilled>,
    ) {
        let Some((life, body)) = lives.get_mut(event.entity) else { return };
        if std::mem::take(&mut life.is_alive) {
            physics.set_enabled(body.0, false);
            commands.disable(event.entity);
            killed.send(GameObjectKilled { entity: event.entity });
        }
    }

    fn on_spawn(
        &mut self,
        event: &SpawnGameObject,
        mut lives: Query<(EntityId, &mut Life, &mut Transform, &RigidBody), IncludeDisabled>,
        mut physics: ResMut<Physics>,
        mut commands: Commands,
        mut spawned: Sender<GameObjectSpawned>,
    ) {
        let Some((entity, life, transform, body)) = lives.get_mut(event.entity) else { return };
        if life.is_alive {
            return;
        }
        life.is_alive = true;
        *transform = Transform::at(event.pose);
        physics.set_pose(body.0, event.pose);
        physics.set_velocity(body.0, glam::Vec2::ZERO, 0.0);
        physics.set_enabled(body.0, true);
        commands.enable(entity);
        spawned.send(GameObjectSpawned { entity, pose: event.pose });
    }
}
