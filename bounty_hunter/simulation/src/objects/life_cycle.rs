//! Spawning and killing of objects.

use ecs::{Commands, EntityId, IncludeDisabled, Query, ResMut, Sender, Setup, System};

use crate::events::{GameObjectKilled, GameObjectSpawned, KillGameObject, SpawnGameObject};
use crate::objects::game_object::{Life, RigidBody, Transform};
use crate::physics::Physics;

/// Grants requests to kill and spawn objects; the only system that disables and enables their entities.
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
        let (x_m, y_m) = (event.pose.position.x, event.pose.position.y);
        tracing::debug!(target: "bounty_hunter::match", %entity, x_m, y_m, "spawned");
        spawned.send(GameObjectSpawned { entity, pose: event.pose });
    }
}
