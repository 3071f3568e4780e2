//! hecs: archetypes without systems and without events.

mod kinds;
mod pasture;
mod saves;

use hecs::{ColumnBatchBuilder, ColumnBatchType, Entity, World};
use rayon::iter::{ParallelBridge, ParallelIterator};

use crate::cases::{RARE_ONE_IN, Work, of_all_four, random_rare, swapped};
use crate::components::{
    A, B, C, D, Data, E, Position, Rare, Rotation, Transform, Velocity, advance, advance_all, age, enrich,
    for_each_kind, four, invert, numbers, position, shuffled, sum, transform, velocity,
};
use crate::stopwatch::{Runner, on_new, repeated, there_and_back};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::Slices => repeated(movers(count), slices, positions),
        Work::Items => repeated(movers(count), items, positions),
        Work::ItemsInALoop => repeated(movers(count), items_in_a_loop, positions),
        Work::ItemsOfFour => repeated(movers_of_four(count), items, positions),
        Work::ItemsOfFourInALoop => repeated(movers_of_four(count), items_in_a_loop, positions),
        Work::Fragmented => fragmented(count),
        Work::Join => join(count),
        Work::RandomJoin => random_join(count),
        Work::RandomGet => random_get(count),
        Work::RandomGetEach => random_get_each(count),
        Work::Swaps => schedule(count, swap_all),
        Work::InsertRemove => insert_remove(count),
        Work::SpawnInBulk => on_new(World::new, move |world| drop(world.spawn_batch((0..count).map(four))), fours),
        Work::SpawnColumns => spawn_columns(count),
        Work::Spawn => on_new(World::new, move |world| spawn(world, count), fours),
        Work::Respawn => respawn(count),
        Work::RespawnEach => respawn_each(count),
        Work::SaveLoad => saves::save_load(count),
        Work::Schedule => schedule(count, swap_all),
        Work::ScheduleOnTwoThreads => schedule(count, swap_all_in_parallel),
        Work::Matrices => matrices(count),
        Work::Wolves => return pasture::runner(work, count),
        _ => return crate::kinds::runner(kinds::Aged(World::new()), work, count),
    })
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

fn positions(world: &mut World) -> u64 {
    sum(world.query_mut::<&Position>().into_iter().map(|position| position.0))
}

fn slices(world: &mut World) {
    for archetype in world.archetypes() {
        let columns = archetype.get::<&mut Position>().zip(archetype.get::<&Velocity>());
        if let Some((mut positions, velocities)) = columns {
            advance_all(&mut positions, &velocities);
        }
    }
}

fn items(world: &mut World) {
    let all = world.query_mut::<(&mut Position, &Velocity)>().into_iter();
    all.for_each(|(position, velocity)| advance(position, velocity));
}

fn items_in_a_loop(world: &mut World) {
    for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
        advance(position, velocity);
    }
}

fn data(world: &mut World) -> u64 {
    sum(world.query_mut::<&Data>().into_iter().map(|data| [data.0]))
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
    repeated(world, |world| world.query_mut::<&mut Data>().into_iter().for_each(age), data)
}

fn join(count: usize) -> Runner {
    let mut world = World::new();
    for n in 0..count {
        match n.is_multiple_of(RARE_ONE_IN) {
            true => world.spawn((Data(n as f32), Rare(1.0))),
            false => world.spawn((Data(n as f32),)),
        };
    }
    repeated(world, enrich_all, data)
}

fn enrich_all(world: &mut World) {
    let all = world.query_mut::<(&mut Data, &Rare)>().into_iter();
    all.for_each(|(data, rare)| enrich(data, rare));
}

fn random_join(count: usize) -> Runner {
    let mut world = World::new();
    let ids: Vec<Entity> = (0..count).map(|n| world.spawn((Data(n as f32),))).collect();
    for n in random_rare(count) {
        world.insert_one(ids[n], Rare(1.0)).expect("all entities are alive");
    }
    repeated(world, enrich_all, data)
}

fn random_get_each(count: usize) -> Runner {
    let mut world = World::new();
    let ids: Vec<Entity> = (0..count).map(|n| world.spawn((Data(n as f32),))).collect();
    let order: Vec<Entity> = shuffled(count).into_iter().map(|index| ids[index as usize]).collect();
    repeated(
        (world, order, 0),
        |(world, order, total)| {
            let bits = order.iter().filter_map(|entity| Some(u64::from(world.get::<&Data>(*entity).ok()?.0.to_bits())));
            *total = bits.fold(*total, u64::wrapping_add);
        },
        |(.., total)| *total,
    )
}

fn random_get(count: usize) -> Runner {
    let mut world = World::new();
    let ids: Vec<Entity> = (0..count).map(|n| world.spawn((Data(n as f32),))).collect();
    let order: Vec<Entity> = shuffled(count).into_iter().map(|index| ids[index as usize]).collect();
    repeated(
        (world, order, 0),
        |(world, order, total)| {
            let view = world.view_mut::<&Data>();
            let bits = order.iter().filter_map(|entity| Some(u64::from(view.get(*entity)?.0.to_bits())));
            *total = bits.fold(*total, u64::wrapping_add);
        },
        |(.., total)| *total,
    )
}

fn insert_remove(count: usize) -> Runner {
    let mut world = World::new();
    let ids: Vec<Entity> = (0..count).map(|n| world.spawn((A(n as f32),))).collect();
    there_and_back(
        (world, ids),
        |(world, ids)| {
            for entity in &*ids {
                world.insert_one(*entity, B(1.0)).expect("all entities are alive");
            }
        },
        |(world, ids)| {
            for entity in &*ids {
                world.remove_one::<B>(*entity).expect("it was just inserted");
            }
        },
        |(world, _)| {
            let a = sum(world.query_mut::<&A>().into_iter().map(|a| [a.0]));
            a + world.query_mut::<&B>().into_iter().count() as u64
        },
    )
}

fn spawn(world: &mut World, count: usize) {
    for n in 0..count {
        world.spawn(four(n));
    }
}

fn spawn_columns(count: usize) -> Runner {
    let (mut transforms, mut positions, mut rotations, mut velocities) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (transform, position, rotation, velocity) in (0..count).map(four) {
        transforms.push(transform);
        positions.push(position);
        rotations.push(rotation);
        velocities.push(velocity);
    }
    on_new(
        World::new,
        move |world| {
            let mut types = ColumnBatchType::new();
            types.add::<Transform>().add::<Position>().add::<Rotation>().add::<Velocity>();
            let mut batch = types.into_batch(count as u32);
            write(&mut batch, &transforms);
            write(&mut batch, &positions);
            write(&mut batch, &rotations);
            write(&mut batch, &velocities);
            drop(world.spawn_column_batch(batch.build().expect("all columns are full")));
        },
        fours,
    )
}

fn write<T: hecs::Component + Copy>(batch: &mut ColumnBatchBuilder, column: &[T]) {
    let mut writer = batch.writer::<T>().expect("the batch has such a column");
    column.iter().for_each(|value| assert!(writer.push(*value).is_ok()));
}

fn fours(world: &mut World) -> u64 {
    let all = world.query_mut::<(&Transform, &Position, &Rotation, &Velocity)>().into_iter();
    sum(all.map(|(transform, position, rotation, velocity)| numbers(transform, position, rotation, velocity)))
}

fn respawn(count: usize) -> Runner {
    let mut world = World::new();
    let ids: Vec<Entity> = world.spawn_batch((0..count).map(four)).collect();
    there_and_back(
        (world, ids),
        move |(world, ids)| {
            for entity in &*ids {
                world.despawn(*entity).expect("all entities are alive");
            }
            ids.clear();
        },
        move |(world, ids)| ids.extend(world.spawn_batch((0..count).map(four))),
        |(world, _)| fours(world),
    )
}

fn respawn_each(count: usize) -> Runner {
    let mut world = World::new();
    let ids: Vec<Entity> = (0..count).map(|n| world.spawn(four(n))).collect();
    there_and_back(
        (world, ids, shuffled(count)),
        |(world, ids, order)| {
            for n in order {
                world.despawn(ids[*n as usize]).expect("all entities are alive");
            }
        },
        |(world, ids, order)| {
            for n in order {
                ids[*n as usize] = world.spawn(four(*n as usize));
            }
        },
        |(world, ..)| fours(world),
    )
}

fn swap_all(world: &mut World) {
    let all = world.query_mut::<(&mut A, &mut B)>().into_iter();
    all.for_each(|(a, b)| std::mem::swap(&mut a.0, &mut b.0));
    let all = world.query_mut::<(&mut C, &mut D)>().into_iter();
    all.for_each(|(c, d)| std::mem::swap(&mut c.0, &mut d.0));
    let all = world.query_mut::<(&mut C, &mut E)>().into_iter();
    all.for_each(|(c, e)| std::mem::swap(&mut c.0, &mut e.0));
}

/// Entities in a batch of one thread.
const BATCH: u32 = 16_384;

fn swap_all_in_parallel(world: &mut World) {
    let batches = world.query_mut::<(&mut A, &mut B)>().into_iter_batched(BATCH).par_bridge();
    batches.for_each(|batch| batch.for_each(|(a, b)| std::mem::swap(&mut a.0, &mut b.0)));
    let batches = world.query_mut::<(&mut C, &mut D)>().into_iter_batched(BATCH).par_bridge();
    batches.for_each(|batch| batch.for_each(|(c, d)| std::mem::swap(&mut c.0, &mut d.0)));
    let batches = world.query_mut::<(&mut C, &mut E)>().into_iter_batched(BATCH).par_bridge();
    batches.for_each(|batch| batch.for_each(|(c, e)| std::mem::swap(&mut c.0, &mut e.0)));
}

fn schedule(count: usize, work: fn(&mut World)) -> Runner {
    let mut world = World::new();
    let ab = |n| (A(swapped(n, 0)), B(swapped(n, 1)));
    let abc = |n| (A(swapped(n, 0)), B(swapped(n, 1)), C(swapped(n, 2)));
    world.spawn_batch((0..count).map(ab));
    world.spawn_batch((count..2 * count).map(abc));
    for n in 2 * count..3 * count {
        let (a, b, c) = abc(n);
        world.spawn((a, b, c, D(swapped(n, 3))));
    }
    for n in 3 * count..4 * count {
        let (a, b, c) = abc(n);
        world.spawn((a, b, c, E(swapped(n, 4))));
    }
    repeated(world, work, |world| {
        let a = sum(world.query_mut::<&A>().into_iter().map(|a| [a.0]));
        let c = sum(world.query_mut::<&C>().into_iter().map(|c| [c.0]));
        let d = sum(world.query_mut::<&D>().into_iter().map(|d| [d.0]));
        let e = sum(world.query_mut::<&E>().into_iter().map(|e| [e.0]));
        of_all_four([a, c, d, e])
    })
}

fn matrices(count: usize) -> Runner {
    let mut world = World::new();
    world.spawn_batch((0..count).map(|n| (transform(n), position(n))));
    repeated(
        world,
        |world| {
            let batches = world.query_mut::<(&mut Transform, &mut Position)>().into_iter_batched(64).par_bridge();
            batches.for_each(|batch| batch.for_each(|(transform, position)| invert(transform, position)));
        },
        positions,
    )
}
