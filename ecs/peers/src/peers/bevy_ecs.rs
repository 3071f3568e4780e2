//! bevy_ecs: archetypes, schedules and messages.

mod kinds;
mod pasture;
mod systems;

use bevy_ecs::prelude::{ChildOf, Entity, QueryState, World};

use crate::cases::{RARE_ONE_IN, Work, random_rare};
use crate::components::{
    A, B, Data, Position, Rare, Rotation, Transform, Velocity, advance, advance_all, age, enrich, for_each_kind, four,
    numbers, position, shuffled, sum, velocity,
};
use crate::stopwatch::{Runner, on_new, repeated, there_and_back};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::Slices => with_query(movers(count), slices, positions),
        Work::Items => with_query(movers(count), items, positions),
        Work::ItemsInALoop => with_query(movers(count), items_in_a_loop, positions),
        Work::ItemsOfFour => with_query(movers_of_four(count), items, positions),
        // It always tracks changes.
        Work::ItemsOfFourInALoop | Work::ItemsOfFourTracked => {
            with_query(movers_of_four(count), items_in_a_loop, positions)
        }
        Work::ItemsOfFourInAHierarchy => with_query(families(count), items_in_a_loop, positions),
        Work::Fragmented => fragmented(count),
        Work::Join => join(count),
        Work::RandomJoin => random_join(count),
        Work::RandomGet => random_get(count),
        Work::RandomGetEach => random_get_each(count),
        Work::InsertRemove => insert_remove(count, insert_each),
        Work::InsertRemoveInBulk => insert_remove(count, insert_in_bulk),
        Work::SpawnInBulk => on_new(World::new, move |world| drop(world.spawn_batch((0..count).map(four))), fours),
        Work::Spawn => on_new(World::new, move |world| spawn(world, count), fours),
        Work::Respawn => respawn(count),
        Work::RespawnEach => respawn_each(count),
        Work::Kinds | Work::AgedKinds | Work::AllKinds | Work::AllAgedKinds | Work::KindsWithChanges => {
            return crate::kinds::runner(kinds::Aged::default(), work, count);
        }
        Work::Wolves => return pasture::runner(work, count),
        _ => return systems::runner(work, count),
    })
}

/// Work with one query that is made beforehand.
fn with_query<Q: bevy_ecs::query::QueryData + 'static>(
    mut world: World,
    work: fn(&mut World, &mut QueryState<Q>),
    checksum: fn(&mut World) -> u64,
) -> Runner {
    let query = world.query::<Q>();
    repeated((world, query), move |(world, query)| work(world, query), move |(world, _)| checksum(world))
}

fn movers(count: usize) -> World {
    let mut world = World::new();
    world.spawn_batch((0..count).map(|n| (position(n), velocity(n))));
    world
}

fn movers_of_four(count: usize) -> World {
    let mut world = World::new();
    world.spawn_batch((0..count).map(four));
    world
}

fn families(count: usize) -> World {
    let mut world = World::new();
    let entities: Vec<Entity> = world.spawn_batch((0..count).map(four)).collect();
    for family in entities.chunks_exact(2) {
        world.entity_mut(family[1]).insert(ChildOf(family[0]));
    }
    world
}

fn positions(world: &mut World) -> u64 {
    sum(world.query::<&Position>().iter(world).map(|position| position.0))
}

fn slices(world: &mut World, query: &mut QueryState<(&'static mut Position, &'static Velocity)>) {
    let tables = query.query_mut(world);
    for (mut positions, velocities) in tables.contiguous_iter_inner().expect("all components are in tables") {
        advance_all(&mut positions, velocities);
    }
}

fn items(world: &mut World, query: &mut QueryState<(&'static mut Position, &'static Velocity)>) {
    query.iter_mut(world).for_each(|(mut position, velocity)| advance(&mut position, velocity));
}

fn items_in_a_loop(world: &mut World, query: &mut QueryState<(&'static mut Position, &'static Velocity)>) {
    for (mut position, velocity) in query.iter_mut(world) {
        advance(&mut position, velocity);
    }
}

fn data(world: &mut World) -> u64 {
    sum(world.query::<&Data>().iter(world).map(|data| [data.0]))
}

fn fragmented(count: usize) -> Runner {
    let mut world = World::new();
    let mut number = 0;
    macro_rules! spawn {
        ($kind:ident) => {
            for _ in 0..count {
                world.spawn((crate::components::$kind(0.0), Data(number as f32)));
                number += 1;
            }
        };
    }
    for_each_kind!(spawn);
    fn work(world: &mut World, query: &mut QueryState<&'static mut Data>) {
        query.iter_mut(world).for_each(|mut data| age(&mut data));
    }
    with_query(world, work, data)
}

fn join(count: usize) -> Runner {
    let mut world = World::new();
    for n in 0..count {
        match n.is_multiple_of(RARE_ONE_IN) {
            true => world.spawn((Data(n as f32), Rare(1.0))),
            false => world.spawn(Data(n as f32)),
        };
    }
    with_query(world, enrich_all, data)
}

fn enrich_all(world: &mut World, query: &mut QueryState<(&'static mut Data, &'static Rare)>) {
    query.iter_mut(world).for_each(|(mut data, rare)| enrich(&mut data, rare));
}

fn random_join(count: usize) -> Runner {
    let mut world = World::new();
    let ids: Vec<Entity> = (0..count).map(|n| world.spawn(Data(n as f32)).id()).collect();
    for n in random_rare(count) {
        world.entity_mut(ids[n]).insert(Rare(1.0));
    }
    with_query(world, enrich_all, data)
}

fn random_get_each(count: usize) -> Runner {
    let mut world = World::new();
    let ids: Vec<Entity> = (0..count).map(|n| world.spawn(Data(n as f32)).id()).collect();
    let order: Vec<Entity> = shuffled(count).into_iter().map(|index| ids[index as usize]).collect();
    repeated(
        (world, order, 0),
        |(world, order, total)| {
            let bits = order.iter().filter_map(|entity| Some(u64::from(world.get::<Data>(*entity)?.0.to_bits())));
            *total = bits.fold(*total, u64::wrapping_add);
        },
        |(.., total)| *total,
    )
}

fn random_get(count: usize) -> Runner {
    let mut world = World::new();
    let ids: Vec<Entity> = (0..count).map(|n| world.spawn(Data(n as f32)).id()).collect();
    let order: Vec<Entity> = shuffled(count).into_iter().map(|index| ids[index as usize]).collect();
    let query = world.query::<&Data>();
    repeated(
        (world, query, order, 0),
        |(world, query, order, total)| {
            let query = query.query(world);
            let bits = order.iter().filter_map(|entity| Some(u64::from(query.get(*entity).ok()?.0.to_bits())));
            *total = bits.fold(*total, u64::wrapping_add);
        },
        |(.., total)| *total,
    )
}

fn insert_each(world: &mut World, ids: &[Entity]) {
    for entity in ids {
        world.entity_mut(*entity).insert(B(1.0));
    }
}

fn insert_in_bulk(world: &mut World, ids: &[Entity]) {
    world.insert_batch(ids.iter().map(|entity| (*entity, B(1.0))));
}

fn insert_remove(count: usize, insert: fn(&mut World, &[Entity])) -> Runner {
    let mut world = World::new();
    let ids: Vec<Entity> = (0..count).map(|n| world.spawn(A(n as f32)).id()).collect();
    there_and_back(
        (world, ids),
        move |(world, ids)| insert(world, ids),
        move |(world, ids)| {
            for entity in &*ids {
                world.entity_mut(*entity).remove::<B>();
            }
        },
        |(world, _)| {
            sum(world.query::<&A>().iter(world).map(|a| [a.0])) + world.query::<&B>().iter(world).count() as u64
        },
    )
}

fn spawn(world: &mut World, count: usize) {
    for n in 0..count {
        world.spawn(four(n));
    }
}

fn fours(world: &mut World) -> u64 {
    let mut query = world.query::<(&Transform, &Position, &Rotation, &Velocity)>();
    let all = query.iter(world);
    sum(all.map(|(transform, position, rotation, velocity)| numbers(transform, position, rotation, velocity)))
}

fn respawn(count: usize) -> Runner {
    let mut world = World::new();
    let ids: Vec<Entity> = world.spawn_batch((0..count).map(four)).collect();
    there_and_back(
        (world, ids),
        move |(world, ids)| {
            for entity in &*ids {
                world.despawn(*entity);
            }
            ids.clear();
        },
        move |(world, ids)| {
            ids.extend(world.spawn_batch((0..count).map(four)));
        },
        |(world, _)| fours(world),
    )
}

fn respawn_each(count: usize) -> Runner {
    let mut world = World::new();
    let ids: Vec<Entity> = (0..count).map(|n| world.spawn(four(n)).id()).collect();
    there_and_back(
        (world, ids, shuffled(count)),
        |(world, ids, order)| {
            for n in order {
                world.despawn(ids[*n as usize]);
            }
        },
        |(world, ids, order)| {
            for n in order {
                ids[*n as usize] = world.spawn(four(*n as usize)).id();
            }
        },
        |(world, ..)| fours(world),
    )
}
