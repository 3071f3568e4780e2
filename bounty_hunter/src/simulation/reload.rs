//! Prefabs that change while a match is played: what lives is brought into line with them between two steps.

use ecs::{
    Component, Engine, EntityId, IncludeDisabled, Without,
    prefab::{FromPrefab, Prefabs, Reloaded},
};

use crate::events::{SpawnGameObject, StashFull};
use crate::objects::bounty::{Bounty, DealBounties, Worth};
use crate::objects::capacity::Capacity;
use crate::objects::collector::Pocket;
use crate::objects::game_object::{Life, RigidBody, Transform};
use crate::objects::lifetime::{Lifespan, Lifetime};
use crate::objects::prefabs::{add, complete, is_mortal, spawn_point};
use crate::objects::respawn::{Respawn, RespawnDelay};
use crate::objects::stash::Stash;
use crate::objects::wall::{SolidWalls, Wall};
use crate::physics::{Body, Physics, Shape};
use crate::simulation::match_setup::{MatchPlan, clearance_of_walls_m, obstacle};

/// What of an object was there before its prefab changed.
struct Before {
    entity: EntityId,
    body: (Option<Shape>, Option<Body>),
    capacity: Option<Capacity>,
    life: Option<Life>,
    came_back: bool,
}

/// Puts other prefabs in the place of those that are there, and other values and bodies into the objects that were made from them.
///
/// What an object does just now (what it carries, how long it still lives, where it is) stays as it is, as far as its kind
/// still allows it: what can no longer die is there again, and who has become too small for its content holds as much as it can.
pub fn replace_prefabs(engine: &mut Engine, plan: &MatchPlan, prefabs: Prefabs) -> Reloaded {
    let mut objects: Vec<Before> = Vec::new();
    engine
        .read_filtered::<(
            (EntityId, &FromPrefab),
            (Option<&Shape>, Option<&Body>, Option<&Capacity>, Option<&Life>, Option<&RespawnDelay>),
        ), IncludeDisabled>()
        .for_each(|((entity, _), (shape, body, capacity, life, delay))| {
            objects.push(Before {
                entity,
                body: (shape.copied(), body.copied()),
                capacity: capacity.copied(),
                life: life.copied(),
                came_back: delay.is_some(),
            });
        });
    let reloaded = engine.replace_prefabs(prefabs);
    for before in objects {
        let Some(&Transform { pose, .. }) = engine.get(before.entity) else { continue };
        take_away(engine, before.entity);
        keep_life(engine, &before);
        let had_lifetime = engine.has::<Lifetime>(before.entity);
        complete(engine, before.entity, pose);
        refit(engine, &before);
        if before.life.is_none() && engine.has::<Life>(before.entity) {
            // With its first life it is dealt all that it needs.
            engine.send(SpawnGameObject { entity: before.entity, pose });
        } else if !had_lifetime {
            deal_lifetime(engine, before.entity);
        }
        let_return(engine, &before);
        limit_content(engine, &before);
    }
    if reloaded != Reloaded::default() {
        note_obstacles(engine, plan);
    }
    reloaded
}

/// Takes from an object what it did only because of what its kind has lost.
fn take_away(engine: &mut Engine, entity: EntityId) {
    if !engine.has::<Lifespan>(entity) {
        remove::<Lifetime>(engine, entity);
    }
    if !engine.has::<Worth>(entity) {
        remove::<Bounty>(engine, entity);
    }
}

/// Leaves an object the life that it has, also if nothing but its `lifespan` or its body says any more that it can die. What
/// can not die any more is there.
fn keep_life(engine: &mut Engine, before: &Before) {
    let (entity, Some(life)) = (before.entity, before.life) else { return };
    if is_mortal(engine, entity) {
        // The prefab takes away what it gave, and this is more than it knows.
        if !engine.has::<Life>(entity) {
            add(engine, entity, (life,));
        }
        return;
    }
    remove::<Life>(engine, entity);
    engine.enable(entity).expect("the object was found just now");
    if let Some(&RigidBody(body)) = engine.get(entity)
        && let Some(physics) = engine.resource_mut::<Physics>()
    {
        physics.set_enabled(body, true);
    }
}

fn remove<T: Component>(engine: &mut Engine, entity: EntityId) {
    if engine.has::<T>(entity) {
        engine.remove::<T>(entity).expect("it was found just now");
    }
}

/// Makes another body for an object whose form is another now.
fn refit(engine: &mut Engine, before: &Before) {
    let now = (engine.get::<Shape>(before.entity).copied(), engine.get::<Body>(before.entity).copied());
    if let (Some(shape), Some(body)) = now
        && now != before.body
        && let Some(&RigidBody(handle)) = engine.get(before.entity)
        && let Some(physics) = engine.resource_mut::<Physics>()
    {
        physics.refit(handle, shape, body);
    }
}

/// Deals how long something lives from now on that lived without an end.
fn deal_lifetime(engine: &mut Engine, entity: EntityId) {
    let Some(lifespan) = engine.get::<Lifespan>(entity).copied() else { return };
    if let Some(lifetime) = engine.system_mut::<DealBounties>().map(|deal| deal.deal_lifetime(lifespan)) {
        add(engine, entity, (lifetime,));
    }
}

/// Lets an object come back from now on if its kind does: where it is.
fn let_return(engine: &mut Engine, before: &Before) {
    let Some(&RespawnDelay { delay_seconds }) = engine.get(before.entity) else { return };
    let Some(&Transform { pose, .. }) = engine.get(before.entity) else { return };
    if before.came_back || engine.has::<Respawn>(before.entity) {
        return;
    }
    let is_dead = !engine.entities().is_enabled(before.entity).unwrap_or(true);
    let spawn = spawn_point(engine, pose);
    add(engine, before.entity, (Respawn { delay_seconds, spawn, left_seconds: is_dead.then_some(delay_seconds) },));
}

/// Cuts what something holds down to what it can hold now. A stash that is full by that is full at once.
fn limit_content(engine: &mut Engine, before: &Before) {
    let entity = before.entity;
    let (Some(was), Some(now)) = (before.capacity, engine.get::<Capacity>(entity).copied()) else { return };
    if let Some(pocket) = engine.get_mut::<Pocket>(entity) {
        pocket.carried = pocket.carried.min(now.points);
    }
    let mut is_newly_full = false;
    if let Some(stash) = engine.get_mut::<Stash>(entity) {
        is_newly_full = stash.stashed < was.points && stash.stashed >= now.points;
        stash.stashed = stash.stashed.min(now.points);
    }
    if is_newly_full {
        engine.send(StashFull { stash: entity });
    }
}

/// Notes anew what is in the way: the walls of the level, which stay as they are, and what else stands there for good.
fn note_obstacles(engine: &mut Engine, plan: &MatchPlan) {
    let mut objects: Vec<EntityId> = Vec::new();
    engine
        .read_filtered::<(EntityId, &FromPrefab), (Without<Wall>, IncludeDisabled)>()
        .for_each(|(entity, _)| objects.push(entity));
    objects.sort_unstable();
    let obstacles: Vec<_> = objects.into_iter().filter_map(|object| obstacle(engine, object)).collect();
    let clearance_m = clearance_of_walls_m(engine, &plan.config.kinds.bounty);
    if let Some(walls) = engine.resource_mut::<SolidWalls>() {
        walls.blocks.truncate(plan.level.walls.len());
        walls.blocks.extend(obstacles);
        walls.clearance_m = clearance_m;
    }
}
