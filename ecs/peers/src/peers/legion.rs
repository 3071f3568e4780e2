//! legion: archetypes with chunks, and a scheduler.

use std::hint::black_box;

use legion::systems::ParallelRunnable;
use legion::{Entity, IntoQuery, Resources, Schedule, SystemBuilder, World, Write};

use crate::cases::{RARE_ONE_IN, Work, of_all_four, random_rare, swapped};
use crate::components::{
    A, B, C, D, Data, E, Number, Position, Rare, Rotation, Transform, Velocity, advance, advance_all, age, enrich,
    for_each_kind, four, invert, numbers, position, shuffled, sum, transform, velocity,
};
use crate::events::for_each_type;
use crate::stopwatch::{Runner, on_new, repeated, there_and_back};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::Slices => slices(count),
        Work::Items => items(movers(count)),
        Work::ItemsInALoop => items_in_a_loop(movers(count)),
        Work::ItemsOfFour => items(movers_of_four(count)),
        Work::ItemsOfFourInALoop => items_in_a_loop(movers_of_four(count)),
        Work::Fragmented => fragmented(count),
        Work::Join => join(count),
        Work::RandomJoin => random_join(count),
        Work::RandomGet => random_get(count),
        Work::InsertRemove => insert_remove(count),
        Work::SpawnInBulk => on_new(World::default, move |world| _ = world.extend((0..count).map(four)), fours),
        Work::Spawn => on_new(World::default, move |world| spawn(world, count), fours),
        Work::Respawn => respawn(count),
        Work::EmptySystems => empty_systems(),
        Work::Schedule => schedule::<false>(count, 1),
        Work::ScheduleOnTwoThreads => schedule::<true>(count, 2),
        Work::Matrices => matrices(count),
        _ => return None,
    })
}

fn movers(count: usize) -> World {
    let mut world = World::default();
    world.extend((0..count).map(|n| (position(n), velocity(n))));
    world
}

fn movers_of_four(count: usize) -> World {
    let mut world = World::default();
    world.extend((0..count).map(four));
    world
}

fn positions(world: &World) -> u64 {
    sum(<&Position>::query().iter(world).map(|position| position.0))
}

fn slices(count: usize) -> Runner {
    repeated(
        (movers(count), <(&mut Position, &Velocity)>::query()),
        |(world, query)| {
            query.for_each_chunk_mut(world, |chunk| {
                let (positions, velocities) = chunk.into_components();
                advance_all(positions, velocities);
            });
        },
        |(world, _)| positions(world),
    )
}

fn items(world: World) -> Runner {
    repeated(
        (world, <(&mut Position, &Velocity)>::query()),
        |(world, query)| query.for_each_mut(world, |(position, velocity)| advance(position, velocity)),
        |(world, _)| positions(world),
    )
}

fn items_in_a_loop(world: World) -> Runner {
    repeated(
        (world, <(&mut Position, &Velocity)>::query()),
        |(world, query)| {
            for (position, velocity) in query.iter_mut(world) {
                advance(position, velocity);
            }
        },
        |(world, _)| positions(world),
    )
}

fn data(world: &World) -> u64 {
    sum(<&Data>::query().iter(world).map(|data| [data.0]))
}

fn fragmented(count: usize) -> Runner {
    let mut world = World::default();
    let mut number = 0;
    macro_rules! spawn {
        ($kind:ident) => {
            for _ in 0..count {
                world.push((crate::components::$kind(0.0), Data(number as f32)));
                number += 1;
            }
        };
    }
    for_each_kind!(spawn);
    repeated((world, <&mut Data>::query()), |(world, query)| query.for_each_mut(world, age), |(world, _)| data(world))
}

fn join(count: usize) -> Runner {
    let mut world = World::default();
    for n in 0..count {
        match n.is_multiple_of(RARE_ONE_IN) {
            true => world.push((Data(n as f32), Rare(1.0))),
            false => world.push((Data(n as f32),)),
        };
    }
    enrich_all(world)
}

fn random_join(count: usize) -> Runner {
    let mut world = World::default();
    let ids: Vec<Entity> = (0..count).map(|n| world.push((Data(n as f32),))).collect();
    for n in random_rare(count) {
        world.entry(ids[n]).expect("all entities are alive").add_component(Rare(1.0));
    }
    enrich_all(world)
}

fn enrich_all(world: World) -> Runner {
    repeated(
        (world, <(&mut Data, &Rare)>::query()),
        |(world, query)| query.for_each_mut(world, |(data, rare)| enrich(data, rare)),
        |(world, _)| data(world),
    )
}

fn random_get(count: usize) -> Runner {
    let mut world = World::default();
    let ids: Vec<Entity> = (0..count).map(|n| world.push((Data(n as f32),))).collect();
    let order: Vec<Entity> = shuffled(count).into_iter().map(|index| ids[index as usize]).collect();
    repeated(
        (world, <&Data>::query(), order, 0),
        |(world, query, order, total)| {
            for entity in &*order {
                if let Ok(data) = query.get(world, *entity) {
                    *total = u64::wrapping_add(*total, u64::from(data.0.to_bits()));
                }
            }
        },
        |(.., total)| *total,
    )
}

fn insert_remove(count: usize) -> Runner {
    let mut world = World::default();
    let ids: Vec<Entity> = (0..count).map(|n| world.push((A(n as f32),))).collect();
    there_and_back(
        (world, ids),
        |(world, ids)| {
            for entity in &*ids {
                world.entry(*entity).expect("all entities are alive").add_component(B(1.0));
            }
        },
        |(world, ids)| {
            for entity in &*ids {
                world.entry(*entity).expect("all entities are alive").remove_component::<B>();
            }
        },
        |(world, _)| sum(<&A>::query().iter(&*world).map(|a| [a.0])) + <&B>::query().iter(&*world).count() as u64,
    )
}

fn spawn(world: &mut World, count: usize) {
    for n in 0..count {
        world.push(four(n));
    }
}

fn fours(world: &mut World) -> u64 {
    let mut query = <(&Transform, &Position, &Rotation, &Velocity)>::query();
    let all = query.iter(&*world);
    sum(all.map(|(transform, position, rotation, velocity)| numbers(transform, position, rotation, velocity)))
}

fn respawn(count: usize) -> Runner {
    let mut world = World::default();
    let ids: Vec<Entity> = world.extend((0..count).map(four)).to_vec();
    there_and_back(
        (world, ids),
        move |(world, ids)| {
            for entity in &*ids {
                world.remove(*entity);
            }
            ids.clear();
        },
        move |(world, ids)| ids.extend_from_slice(world.extend((0..count).map(four))),
        |(world, _)| fours(world),
    )
}

/// A world, its schedule and the threads it runs on.
fn scheduled(world: World, schedule: Schedule, threads: usize, checksum: fn(&World) -> u64) -> Runner {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
    repeated(
        (world, Resources::default(), schedule, threads),
        |(world, resources, schedule, threads)| schedule.execute_in_thread_pool(world, resources, threads),
        move |(world, ..)| checksum(world),
    )
}

fn empty_systems() -> Runner {
    // Unordered: ordering needs a flush after each system, and each flush wakes the thread again.
    let mut schedule = Schedule::builder();
    macro_rules! add {
        ($($number:literal)*) => {
            $(schedule.add_system(SystemBuilder::new(stringify!($number)).build(|_, _, (), ()| _ = black_box($number)));)*
        };
    }
    for_each_type!(add);
    scheduled(World::default(), schedule.build(), 1, |_| 0)
}

fn swap<X: Number, Y: Number, const SPLIT: bool>() -> impl ParallelRunnable + 'static {
    let query = <(Write<X>, Write<Y>)>::query();
    SystemBuilder::new("swap").with_query(query).build(|_, world, (), query| match SPLIT {
        true => query.par_for_each_mut(world, |(x, y)| std::mem::swap(x.number(), y.number())),
        false => query.for_each_mut(world, |(x, y)| std::mem::swap(x.number(), y.number())),
    })
}

fn schedule<const SPLIT: bool>(count: usize, threads: usize) -> Runner {
    let mut world = World::default();
    let ab = |n| (A(swapped(n, 0)), B(swapped(n, 1)));
    let abc = |n| (A(swapped(n, 0)), B(swapped(n, 1)), C(swapped(n, 2)));
    world.extend((0..count).map(ab));
    world.extend((count..2 * count).map(abc));
    for n in 2 * count..3 * count {
        let (a, b, c) = abc(n);
        world.push((a, b, c, D(swapped(n, 3))));
    }
    for n in 3 * count..4 * count {
        let (a, b, c) = abc(n);
        world.push((a, b, c, E(swapped(n, 4))));
    }
    let schedule = Schedule::builder()
        .add_system(swap::<A, B, SPLIT>())
        .add_system(swap::<C, D, SPLIT>())
        .add_system(swap::<C, E, SPLIT>())
        .build();
    scheduled(world, schedule, threads, |world| {
        let a = sum(<&A>::query().iter(world).map(|a| [a.0]));
        let c = sum(<&C>::query().iter(world).map(|c| [c.0]));
        let d = sum(<&D>::query().iter(world).map(|d| [d.0]));
        let e = sum(<&E>::query().iter(world).map(|e| [e.0]));
        of_all_four([a, c, d, e])
    })
}

fn matrices(count: usize) -> Runner {
    let mut world = World::default();
    world.extend((0..count).map(|n| (transform(n), position(n))));
    let query = <(Write<Transform>, Write<Position>)>::query();
    let system = SystemBuilder::new("invert").with_query(query).build(|_, world, (), query| {
        query.par_for_each_mut(world, |(transform, position)| invert(transform, position));
    });
    scheduled(world, Schedule::builder().add_system(system).build(), 2, positions)
}
