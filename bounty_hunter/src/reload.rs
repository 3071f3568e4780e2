//! Prefabs that change while a match is played: what lives is brought into line with them between two steps.

use ecs::{Engine, EntityId, FromPrefab, IncludeDisabled, Prefabs, Reloaded};

use crate::body::Body;
use crate::events::SpawnGameObject;
use crate::game_object::{Life, RigidBody, Transform};
use crate::physics::Physics;
use crate::prefabs::complete;
use crate::shape::Shape;

/// What of an object was there before its prefab changed.
type Before = (EntityId, Option<Shape>, Option<Body>, bool);

/// Puts other prefabs in the place of those that are there, and other values and bodies into the objects that were made from them.
///
/// What an object does just now (what it carries, how long it still lives, where it is) stays as it is.
pub fn exchange_prefabs(engine: &mut Engine, prefabs: Prefabs) -> Reloaded {
    let mut objects: Vec<Before> = Vec::new();
    engine
        .read_filtered::<(EntityId, &FromPrefab, Option<&Shape>, Option<&Body>, Option<&Life>), IncludeDisabled>()
        .for_each(|(entity, _, shape, body, life)| {
            objects.push((entity, shape.copied(), body.copied(), life.is_some()));
        });
    let reloaded = engine.exchange_prefabs(prefabs);
    for (entity, shape_before, body_before, was_alive) in objects {
        let Some(&Transform { pose, .. }) = engine.get(entity) else { continue };
        complete(engine, entity, pose);
        let now = (engine.get::<Shape>(entity).copied(), engine.get::<Body>(entity).copied());
        if let (Some(shape), Some(body)) = now
            && now != (shape_before, body_before)
            && let Some(&RigidBody(handle)) = engine.get(entity)
            && let Some(physics) = engine.resource_mut::<Physics>()
        {
            physics.refit(handle, shape, body);
        }
        if !was_alive && engine.has::<Life>(entity) {
            engine.send(SpawnGameObject { entity, pose });
        }
    }
    reloaded
}
