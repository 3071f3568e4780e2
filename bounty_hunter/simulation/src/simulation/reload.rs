//! Reloading: replaces the prefabs during a match and updates the existing objects between two steps.

use ecs::{
    Component, Engine, EntityId, IncludeDisabled, Random, Without,
    prefab::{FromPrefab, Prefabs, Reloaded},
};

use crate::events::{SpawnGameObject, StashFull};
use crate::objects::bounty::{Bounty, Worth};
use crate::objects::capacity::Capacity;
use crate::objects::collector::Pocket;
use crate::objects::game_object::{Life, RigidBody, Transform};
use crate::objects::health::{Health, Toughness};
use crate::objects::lifetime::{Lifespan, Lifetime};
use crate::objects::prefabs::{add, complete, is_mortal, spawn_point};
use crate::objects::respawn::{Respawn, RespawnDelay};
use crate::objects::scale::{is_scaled, resize};
use crate::objects::stash::Stash;
use crate::objects::team::{Team, stashed_by_partners};
use crate::objects::wall::{SolidWalls, Wall};
use crate::physics::{Body, Matter, Physics, Shape};
use crate::random::BountyLifetimes;
use crate::simulation::match_setup::{MatchPlan, clearance_of_walls_m, obstacle};

/// The components of an object before the change.
struct Before {
    entity: EntityId,
    body: (Option<Shape>, Option<Body>, Option<Matter>),
    capacity: Option<Capacity>,
    life: Option<Life>,
    respawned: bool,
    scaled: bool,
    tough: bool,
}

/// Replaces the prefabs and gives the objects made from them their new components and bodies.
///
/// Momentary state (load, remaining lifetime, pose) stays, as far as the new prefab allows it: an object that can no
/// longer die is present again, and content beyond the new capacity is lost.
pub fn replace_prefabs(engine: &mut Engine, plan: &MatchPlan, prefabs: Prefabs) -> Reloaded {
    let mut objects: Vec<Before> = Vec::new();
    engine
        .read_filtered::<(
            (EntityId, &FromPrefab),
            (Option<&Shape>, Option<&Body>, Option<&Matter>),
            (Option<&Capacity>, Option<&Life>, Option<&RespawnDelay>),
        ), IncludeDisabled>()
        .for_each(|((entity, _), (shape, body, matter), (capacity, life, delay))| {
            objects.push(Before {
                entity,
                body: (shape.copied(), body.copied(), matter.copied()),
                capacity: capacity.copied(),
                life: life.copied(),
                respawned: delay.is_some(),
                scaled: is_scaled(engine, entity),
                tough: engine.has::<Toughness>(entity),
            });
        });
    let reloaded = engine.replace_prefabs(prefabs);
    for before in objects {
        let Some(&Transform { pose, .. }) = engine.get(before.entity) else { continue };
        take_away(engine, before.entity, before.tough);
        if before.scaled || is_scaled(engine, before.entity) {
            resize(engine, before.entity);
        }
        keep_life(engine, &before);
        let had_lifetime = engine.has::<Lifetime>(before.entity);
        complete(engine, before.entity, pose);
        refit(engine, &before);
        if before.life.is_none() && engine.has::<Life>(before.entity) {
            // Its first spawn sets the rest.
            engine.send(SpawnGameObject { entity: before.entity, pose });
        } else if !had_lifetime {
            deal_lifetime(engine, before.entity);
        }
        add_respawn(engine, &before);
        limit_content(engine, &before);
    }
    if reloaded != Reloaded::default() {
        note_obstacles(engine, plan);
    }
    reloaded
}

/// Removes components that follow from a component that the prefab has lost.
fn take_away(engine: &mut Engine, entity: EntityId, had_toughness: bool) {
    if !engine.has::<Lifespan>(entity) {
        remove::<Lifetime>(engine, entity);
    }
    if had_toughness && !engine.has::<Toughness>(entity) {
        remove::<Health>(engine, entity);
    }
    if !engine.has::<Worth>(entity) {
        remove::<Bounty>(engine, entity);
    }
}

/// Keeps the [`Life`] of an object that can still die. An object that can no longer die is present.
fn keep_life(engine: &mut Engine, before: &Before) {
    let (entity, Some(life)) = (before.entity, before.life) else { return };
    if is_mortal(engine, entity) {
        // The prefab no longer gives a `Life`, but the lifespan or the body still requires one.
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

/// Replaces the body of an object with another shape, body or matter.
fn refit(engine: &mut Engine, before: &Before) {
    let entity = before.entity;
    let now = (
        engine.get::<Shape>(entity).copied(),
        engine.get::<Body>(entity).copied(),
        engine.get::<Matter>(entity).copied(),
    );
    if let (Some(shape), Some(body), matter) = now
        && now != before.body
        && let Some(&RigidBody(handle)) = engine.get(entity)
        && let Some(physics) = engine.resource_mut::<Physics>()
    {
        physics.refit(handle, shape, body);
        physics.set_matter(handle, matter.unwrap_or_default());
    }
}

/// Gives a lifetime to an object that had none.
fn deal_lifetime(engine: &mut Engine, entity: EntityId) {
    let Some(lifespan) = engine.get::<Lifespan>(entity).copied() else { return };
    let dealt = engine.run(|mut random: Random<BountyLifetimes>| lifespan.deal(&mut random));
    add(engine, entity, (dealt.expect("the function needs nothing that may be missing"),));
}

/// Lets an object respawn at its present place, if its prefab newly respawns.
fn add_respawn(engine: &mut Engine, before: &Before) {
    let Some(&RespawnDelay { delay_seconds }) = engine.get(before.entity) else { return };
    let Some(&Transform { pose, .. }) = engine.get(before.entity) else { return };
    if before.respawned || engine.has::<Respawn>(before.entity) {
        return;
    }
    let is_dead = !engine.entities().is_enabled(before.entity).unwrap_or(true);
    let spawn = spawn_point(engine, pose);
    add(engine, before.entity, (Respawn { delay_seconds, spawn, left_seconds: is_dead.then_some(delay_seconds) },));
}

/// Limits the content of an object to its new capacity. A stash that becomes full by that sends [`StashFull`].
fn limit_content(engine: &mut Engine, before: &Before) {
    let entity = before.entity;
    let (Some(was), Some(now)) = (before.capacity, engine.get::<Capacity>(entity).copied()) else { return };
    if let Some(pocket) = engine.get_mut::<Pocket>(entity) {
        pocket.carried = pocket.carried.min(now.points);
    }
    let mut is_newly_full = false;
    let of_partners = of_partners(engine, entity);
    if let Some(stash) = engine.get_mut::<Stash>(entity) {
        let (was, now) = (was.points - of_partners, (now.points - of_partners).max(0.0));
        is_newly_full = stash.stashed < was && stash.stashed >= now;
        stash.stashed = stash.stashed.min(now);
    }
    if is_newly_full {
        engine.send(StashFull { stash: entity });
    }
}

/// What the stashes of the partners of a stash's owner hold, points.
fn of_partners(engine: &Engine, stash: EntityId) -> f32 {
    let (Some(own), team) = (engine.get::<Stash>(stash), engine.get::<Team>(stash)) else { return 0.0 };
    let stashes = engine.read::<(&Stash, Option<&Team>)>();
    stashed_by_partners((own.player, team), stashes.iter())
}

/// Updates the solid walls: those of the level stay, other obstacles are collected again.
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
