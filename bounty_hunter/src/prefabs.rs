//! Index of the kinds of entity: what each one is made of.

use ecs::{Engine, EntityId};
use glam::Vec2;

use crate::arena::Pose;
use crate::bounty::Bounty;
use crate::collector::{Collector, Controls, Pocket};
use crate::config::{AiProfile, PowerUpRules, WallPrefab};
use crate::display::TabletopCamera;
use crate::events::{CameraCreated, GameObjectCreated, SpawnGameObject};
use crate::game_object::{GameObject, GameObjectKind, Life, RigidBody, Shape, Transform};
use crate::ghost::Ghost;
use crate::health::{Damage, Health};
use crate::lifetime::Lifetime;
use crate::lives::Lives;
use crate::physics::{BodyHandle, BodyKey, Physics};
use crate::pilot::Pilot;
use crate::power_up::PowerUp;
use crate::respawn::{Respawn, Spawn};
use crate::rules::MatchRules;
use crate::senses::{BountyRadar, CollectorAvoider};
use crate::spell::SpellCaster;
use crate::stash::Stash;
use crate::wall::{Block, Wall};

/// Spawns an object of a kind, with its transform, and announces it.
fn create(engine: &mut Engine, kind: GameObjectKind, pose: Pose) -> EntityId {
    let entity = engine.spawn((GameObject { kind }, Transform::at(pose)));
    engine.send(GameObjectCreated { entity, kind });
    entity
}

/// Adds components to an object that was just created.
fn add(engine: &mut Engine, entity: EntityId, bundle: impl ecs::Bundle) {
    engine.insert(entity, bundle).expect("the object was created just now");
}

/// Makes a body for an object.
fn add_body(
    engine: &mut Engine,
    entity: EntityId,
    make: impl FnOnce(&mut Physics, BodyKey) -> BodyHandle,
) -> BodyHandle {
    let physics = engine.resource_mut::<Physics>().expect("the schedule inserts the physics");
    let handle = make(physics, BodyKey(entity.bits()));
    add(engine, entity, (RigidBody(handle),));
    handle
}

/// The place where a player's collector appears.
pub fn player_spawn(engine: &mut Engine, pose: Pose) -> EntityId {
    let entity = create(engine, GameObjectKind::PlayerSpawn, pose);
    add(engine, entity, (Spawn::Point(pose),));
    entity
}

/// The region in which bounties appear.
pub fn bounty_spawn(engine: &mut Engine, half_extent_m: f32) -> EntityId {
    let entity = create(engine, GameObjectKind::BountySpawn, Pose::default());
    add(engine, entity, (Spawn::Region(half_extent_m),));
    entity
}

/// A stash: a sensor that stays where it is.
pub fn stash(engine: &mut Engine, rules: &MatchRules, player: u32, position: Vec2) -> EntityId {
    let pose = Pose::new(position, 0.0);
    let half_extent_m = rules.stash.half_extent_m;
    let entity = create(engine, GameObjectKind::Stash, pose);
    add_body(engine, entity, |physics, key| physics.add_stash(key, pose, half_extent_m));
    add(engine, entity, (Stash { player, stashed: 0.0 }, Shape::Square(half_extent_m)));
    entity
}

/// A solid wall of a level.
pub fn solid_wall(engine: &mut Engine, block: Block) -> EntityId {
    let (pose, half_extents_m) = (Pose::new(block.center, 0.0), block.half_extents_m);
    let entity = create(engine, GameObjectKind::Wall, pose);
    add_body(engine, entity, |physics, key| physics.add_block(key, pose, half_extents_m));
    add(
        engine,
        entity,
        (Wall { half_extents_m, is_solid: true }, Shape::Rectangle(half_extents_m.x, half_extents_m.y)),
    );
    entity
}

/// A wall beyond the edge of the world: a sensor.
pub fn wall(engine: &mut Engine, prefab: &WallPrefab, pose: Pose, half_length_m: f32) -> EntityId {
    let half_thickness_m = prefab.half_thickness_m;
    let entity = create(engine, GameObjectKind::Wall, pose);
    add_body(engine, entity, |physics, key| physics.add_wall(key, pose, half_thickness_m, half_length_m));
    // Walls stand upright or lie flat: their extents along x and y change places with the heading.
    let is_upright = libm::cosf(pose.heading).abs() > 0.5;
    let upright = Vec2::new(half_thickness_m, half_length_m);
    let half_extents_m = if is_upright { upright } else { Vec2::new(half_length_m, half_thickness_m) };
    let wall = Wall { half_extents_m, is_solid: false };
    add(engine, entity, (wall, Shape::Rectangle(half_thickness_m, half_length_m)));
    entity
}

/// A collector; it lives from the next step on.
pub fn collector(engine: &mut Engine, rules: &MatchRules, player: u32, pose: Pose, spawn: EntityId) -> EntityId {
    let prefab = &rules.collector;
    let entity = create(engine, GameObjectKind::Collector, pose);
    add_body(engine, entity, |physics, key| physics.add_collector(key, pose, prefab.half_extent_m, prefab.density));
    let respawn = Respawn { delay_seconds: prefab.respawn_seconds, spawn, left_seconds: None };
    let shape = Shape::Triangle(prefab.half_extent_m);
    let life = Life { is_alive: false };
    add(engine, entity, (Collector { player }, Pocket::default(), Controls::default(), shape, respawn, life));
    if let Some(lives) = rules.options.lives {
        add(engine, entity, (Lives::of(lives),));
    }
    engine.send(SpawnGameObject { entity, pose });
    entity
}

/// Gives a collector what the rule sets of its match ask for.
pub fn equip(engine: &mut Engine, rules: &MatchRules, collector: EntityId) {
    if rules.options.power_ups.is_some() {
        let ignores = engine.mask_of::<(Collector,)>();
        add(engine, collector, (Ghost { left_seconds: 0.0, ignores },));
        engine.disable_component::<Ghost>(collector).expect("the ghost was added just now");
    }
    if let Some(spells) = &rules.options.spells {
        add(engine, collector, (SpellCaster::exhausted(spells),));
    }
    if let Some(health) = &rules.options.health {
        add(engine, collector, (Health::full(health.most_health), Damage { points: health.damage }));
    }
}

/// Puts an AI at the controls of a collector, with its sensors.
pub fn seat_pilot(engine: &mut Engine, collector: EntityId, profile: &AiProfile, pilot: Pilot) {
    let body = engine.get::<RigidBody>(collector).copied();
    if let (Some(RigidBody(body)), Some(physics)) = (body, engine.resource_mut::<Physics>()) {
        physics.attach_radar(body, profile.radar_angle_rad, profile.radar_range_m);
        physics.attach_avoider(body, profile.avoider_half_width_m, profile.avoider_range_m);
    }
    add(engine, collector, (pilot, BountyRadar::default(), CollectorAvoider::default()));
}

/// A bounty; it lives, with a value of its own, from the next step on.
pub fn bounty(engine: &mut Engine, rules: &MatchRules, pose: Pose, spawn: EntityId) -> EntityId {
    let bounty = Bounty::of_worth(0.0, &rules.bounty);
    let half_extent_m = bounty.half_extent_m(&rules.bounty);
    let density = rules.bounty.density;
    let entity = create(engine, GameObjectKind::Bounty, pose);
    add_body(engine, entity, |physics, key| physics.add_bounty(key, pose, half_extent_m, density));
    let respawn = Respawn { delay_seconds: rules.bounty.respawn_seconds, spawn, left_seconds: None };
    let (shape, life) = (Shape::Square(half_extent_m), Life { is_alive: false });
    add(engine, entity, (bounty, Lifetime::lasting(1.0, 1.0), shape, respawn, life));
    engine.send(SpawnGameObject { entity, pose });
    entity
}

/// A power-up; it lives from the next step on.
pub fn power_up(engine: &mut Engine, prefab: &PowerUpRules, pose: Pose, spawn: EntityId) -> EntityId {
    let entity = create(engine, GameObjectKind::PowerUp, pose);
    add_body(engine, entity, |physics, key| physics.add_power_up(key, pose, prefab.half_extent_m));
    let respawn = Respawn { delay_seconds: prefab.respawn_seconds, spawn, left_seconds: None };
    let (shape, life) = (Shape::Square(prefab.half_extent_m), Life { is_alive: false });
    add(engine, entity, (PowerUp, Lifetime::lasting(1.0, 1.0), shape, respawn, life));
    engine.send(SpawnGameObject { entity, pose });
    entity
}

/// The camera; it shows the whole world.
pub fn tabletop_camera(engine: &mut Engine, half_extent_m: f32) -> EntityId {
    let entity = create(engine, GameObjectKind::TabletopCamera, Pose::default());
    add(engine, entity, (TabletopCamera { half_extent_m, aspect: 1.0 },));
    engine.send(CameraCreated { camera: entity });
    entity
}
