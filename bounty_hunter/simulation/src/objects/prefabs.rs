//! The components that prefabs in `assets/prefabs/` can name, and how an entity gets from its prefab into the arena.
//!
//! A kind that consists only of components needs no code: its name in a level or a mode is enough.

use ecs::{
    Engine, EntityId,
    prefab::{FromPrefab, Prefab, PrefabError, Prefabs},
};

use crate::data::arena::Pose;
use crate::events::SpawnGameObject;
use crate::objects::appearance::Appearance;
use crate::objects::bounty::{Bounty, Worth};
use crate::objects::capacity::Capacity;
use crate::objects::collector::Drive;
use crate::objects::game_object::{GameObject, GameObjectKind, Life, RigidBody, Transform};
use crate::objects::gravity::{Gravity, Weight};
use crate::objects::health::{Damage, Healing, Health, Toughness};
use crate::objects::lifetime::{Lifespan, Lifetime};
use crate::objects::mine::Fuse;
use crate::objects::passes::Passes;
use crate::objects::power_up::PowerUp;
use crate::objects::respawn::{Respawn, RespawnAt, RespawnDelay, Spawn};
use crate::objects::scale::{Scale, is_scaled, resize};
use crate::objects::scene_camera::SceneCamera;
use crate::objects::sound_source::SoundSource;
use crate::objects::wall::Edge;
use crate::physics::{Body, BodyKey, Matter, Mobility, Physics, Shape};

/// The name of [`Life`] in prefabs.
const LIFE: &str = "life";

/// An empty set of prefabs in which the components of the game are registered.
#[must_use]
pub fn known_components() -> Prefabs {
    let mut prefabs = Prefabs::default();
    register(&mut prefabs).expect("component names are unique");
    prefabs
}

/// Registers the components that prefabs can name. Components that hold momentary state are not among them.
fn register(prefabs: &mut Prefabs) -> Result<(), PrefabError> {
    prefabs
        .register::<GameObject>("game object")?
        .register::<Shape>("shape")?
        .register::<Scale>("scale")?
        .register::<Body>("body")?
        .register::<Matter>("matter")?
        .register::<Appearance>("appearance")?
        .register::<Life>(LIFE)?
        .register::<Toughness>("toughness")?
        .register::<Damage>("damage")?
        .register::<Healing>("healing")?
        .register::<Gravity>("gravity")?
        .register::<Weight>("weight")?
        .register::<Lifespan>("lifespan")?
        .register::<RespawnDelay>("respawn delay")?
        .register::<RespawnAt>("respawn at")?
        .register::<Drive>("drive")?
        .register::<Capacity>("capacity")?
        .register::<Worth>("worth")?
        .register::<PowerUp>("power-up")?
        .register::<Fuse>("fuse")?
        .register::<Passes>("passes")?
        .register::<Edge>("edge")?
        .register::<SoundSource>("sound")?
        .register::<SceneCamera>("camera")?;
    Ok(())
}

/// Places an object: spawns it from its prefab, creates its rigid body from its [`Shape`] and [`Body`], and announces
/// it. If it has a [`Life`], it comes to life in the next step. Objects that move, or have a [`Lifespan`] or a
/// [`Toughness`], always get a [`Life`].
///
/// # Errors
/// - [`PrefabError`] if the prefab does not exist or an override is invalid; nothing is spawned.
pub fn place<'a, B: ecs::Bundle>(
    engine: &mut Engine,
    prefab: impl Into<Prefab<'a, B>>,
    pose: Pose,
) -> Result<EntityId, PrefabError> {
    let entity = create(engine, prefab, pose)?;
    if engine.has::<Life>(entity) {
        engine.send(SpawnGameObject { entity, pose });
    }
    Ok(entity)
}

/// Places an object like [`place`], but one with a [`Life`] does not come to life.
///
/// # Errors
/// As [`place`].
pub(crate) fn create<'a, B: ecs::Bundle>(
    engine: &mut Engine,
    prefab: impl Into<Prefab<'a, B>>,
    pose: Pose,
) -> Result<EntityId, PrefabError> {
    let entity = engine.spawn_prefab(prefab)?;
    if is_scaled(engine, entity) {
        resize(engine, entity);
    }
    let kind = engine.get::<GameObject>(entity).map_or(GameObjectKind::Other, |object| object.kind);
    announce(engine, entity, kind, pose);
    complete(engine, entity, pose);
    Ok(entity)
}

/// Places an object like [`create`], and takes it out of the arena until it comes to life.
///
/// # Errors
/// As [`place`].
pub(crate) fn create_absent<'a, B: ecs::Bundle>(
    engine: &mut Engine,
    prefab: impl Into<Prefab<'a, B>>,
) -> Result<EntityId, PrefabError> {
    let entity = create(engine, prefab, Pose::default())?;
    let body = engine.get::<RigidBody>(entity).map(|body| body.0);
    if let Some((physics, body)) = engine.resource_mut::<Physics>().zip(body) {
        physics.set_enabled(body, false);
    }
    engine.disable(entity).expect("the object was created just now");
    Ok(entity)
}

/// Adds missing components that follow from the prefab's ones: the rigid body and components of momentary state.
pub(crate) fn complete(engine: &mut Engine, entity: EntityId, pose: Pose) {
    if let Some(worth) = engine.get::<Worth>(entity).copied().filter(|_| !engine.has::<Bounty>(entity)) {
        // The first spawn draws its value.
        let bounty = Bounty::of_worth(0.0, &worth);
        add(engine, entity, (bounty, Shape::Square(bounty.half_extent_m(&worth))));
    }
    if engine.has::<Lifespan>(entity) && !engine.has::<Lifetime>(entity) {
        add(engine, entity, (Lifetime::lasting(1.0, 1.0),));
    }
    if let Some(&Toughness { points, .. }) = engine.get(entity) {
        let health = engine.get::<Health>(entity).map_or(Health::full(points), |health| Health {
            left: health.left.min(points),
            most: points,
            ..*health
        });
        add(engine, entity, (health,));
    }
    let (shape, body) = (engine.get::<Shape>(entity).copied(), engine.get::<Body>(entity).copied());
    let matter = engine.get::<Matter>(entity).copied();
    if let Some((shape, body)) = shape.zip(body).filter(|_| !engine.has::<RigidBody>(entity)) {
        let physics = engine.resource_mut::<Physics>().expect("the schedule inserts the physics");
        let handle = physics.add_body(BodyKey(entity.bits()), pose, shape, body);
        matter.inspect(|matter| _ = physics.set_matter(handle, *matter));
        add(engine, entity, (RigidBody(handle),));
    }
    if !engine.has::<Life>(entity) && is_mortal(engine, entity) {
        add(engine, entity, (Life { is_alive: false },));
    }
}

/// Whether an object can die, by its kind's components.
pub(crate) fn is_mortal(engine: &Engine, entity: EntityId) -> bool {
    let moves = engine.get::<Body>(entity).is_some_and(|body| body.mobility == Mobility::Moving);
    moves || engine.has::<Lifespan>(entity) || engine.has::<Toughness>(entity) || has_life_by_prefab(engine, entity)
}

/// Whether the prefab of an object has a life. If the prefab is gone, the object's own components decide.
fn has_life_by_prefab(engine: &Engine, entity: EntityId) -> bool {
    let (Some(origin), Some(prefabs)) = (engine.get::<FromPrefab>(entity), engine.resource::<Prefabs>()) else {
        return false;
    };
    match prefabs.contains(origin.name()) {
        true => prefabs.components(origin.name()).any(|component| component == LIFE),
        false => engine.has::<Life>(entity),
    }
}

/// Places an object that respawns at `spawn`, if its kind respawns.
///
/// # Errors
/// As [`place`].
pub fn place_at<'a, B: ecs::Bundle>(
    engine: &mut Engine,
    prefab: impl Into<Prefab<'a, B>>,
    pose: Pose,
    spawn: EntityId,
) -> Result<EntityId, PrefabError> {
    let entity = place(engine, prefab, pose)?;
    if let Some(&RespawnDelay { delay_seconds }) = engine.get(entity) {
        add(engine, entity, (Respawn { delay_seconds, spawn, left_seconds: None },));
    }
    Ok(entity)
}

/// Makes a game object of a new entity.
pub(crate) fn announce(engine: &mut Engine, entity: EntityId, kind: GameObjectKind, pose: Pose) {
    add(engine, entity, (GameObject { kind }, Transform::at(pose)));
}

/// Inserts components into an existing object.
pub(crate) fn add(engine: &mut Engine, entity: EntityId, bundle: impl ecs::Bundle) {
    engine.insert(entity, bundle).expect("the caller has found or created the object");
}

/// Spawns a fixed spawn point.
pub fn spawn_point(engine: &mut Engine, pose: Pose) -> EntityId {
    let entity = engine.spawn(());
    announce(engine, entity, GameObjectKind::PlayerSpawn, pose);
    add(engine, entity, (Spawn::Point(pose),));
    entity
}

/// Spawns the region in which bounties appear.
pub fn bounty_spawn(engine: &mut Engine, half_extent_m: f32) -> EntityId {
    let entity = engine.spawn(());
    announce(engine, entity, GameObjectKind::BountySpawn, Pose::default());
    add(engine, entity, (Spawn::Region(half_extent_m),));
    entity
}
