//! shipyard: sparse sets, and workloads of systems.

use std::hint::black_box;

use rayon::iter::ParallelIterator;
use shipyard::{Component, Delete, EntitiesView, EntityId, Get, IntoIter, View, ViewMut, Workload, World, track};

use crate::cases::{RARE_ONE_IN, Work, of_all_four, swapped};
use crate::components::{
    A, B, C, D, Data, E, Number, Position, Rare, Rotation, Transform, Velocity, advance, age, enrich, for_each_kind,
    four, invert, numbers, position, shuffled, sum, transform, velocity,
};
use crate::events::for_each_type;
use crate::stopwatch::{Runner, on_new, repeated, there_and_back};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::Items => items(count),
        Work::Fragmented => fragmented(count),
        Work::Join => join(count),
        Work::RandomGet => random_get(count),
        Work::InsertRemove => insert_remove(count),
        Work::SpawnInBulk => on_new(World::new, move |world| _ = world.bulk_add_entity((0..count).map(four)), fours),
        Work::Spawn => on_new(World::new, move |world| spawn(world, count), fours),
        Work::Respawn => respawn(count),
        Work::EmptySystems => empty_systems(),
        Work::Schedule => schedule(count, 1),
        Work::ScheduleOnTwoThreads => schedule(count, 2),
        Work::Matrices => matrices(count),
        _ => return None,
    })
}

fn values<T: Component<Tracking = track::Untracked> + Send + Sync>(world: &World, number: fn(&T) -> f32) -> u64 {
    world.run(|values: View<T>| sum(values.iter().map(|value| [number(value)])))
}

fn positions(world: &mut World) -> u64 {
    world.run(|positions: View<Position>| sum(positions.iter().map(|position| position.0)))
}

fn items(count: usize) -> Runner {
    let mut world = World::new();
    world.bulk_add_entity((0..count).map(|n| (position(n), velocity(n))));
    repeated(
        world,
        |world| {
            world.run(|mut positions: ViewMut<Position>, velocities: View<Velocity>| {
                let both = (&mut positions, &velocities).iter();
                both.for_each(|(position, velocity)| advance(position, velocity));
            });
        },
        positions,
    )
}

fn fragmented(count: usize) -> Runner {
    let mut world = World::new();
    let mut number = 0;
    macro_rules! spawn {
        ($kind:ident) => {
            for _ in 0..count {
                world.add_entity((crate::components::$kind(0.0), Data(number as f32)));
                number += 1;
            }
        };
    }
    for_each_kind!(spawn);
    repeated(
        world,
        |world| world.run(|mut data: ViewMut<Data>| (&mut data).iter().for_each(age)),
        |world| values::<Data>(world, |data| data.0),
    )
}

fn join(count: usize) -> Runner {
    let mut world = World::new();
    for n in 0..count {
        match n.is_multiple_of(RARE_ONE_IN) {
            true => world.add_entity((Data(n as f32), Rare(1.0))),
            false => world.add_entity((Data(n as f32),)),
        };
    }
    repeated(
        world,
        |world| {
            world.run(|mut data: ViewMut<Data>, rare: View<Rare>| {
                (&mut data, &rare).iter().for_each(|(data, rare)| enrich(data, rare));
            });
        },
        |world| values::<Data>(world, |data| data.0),
    )
}

fn random_get(count: usize) -> Runner {
    let mut world = World::new();
    let ids: Vec<EntityId> = (0..count).map(|n| world.add_entity((Data(n as f32),))).collect();
    let order: Vec<EntityId> = shuffled(count).into_iter().map(|index| ids[index as usize]).collect();
    repeated(
        (world, order, 0),
        |(world, order, total)| {
            let values = world.borrow::<View<Data>>().expect("nothing else is borrowed");
            let bits = order.iter().filter_map(|entity| Some(u64::from((&values).get(*entity).ok()?.0.to_bits())));
            *total = bits.fold(*total, u64::wrapping_add);
        },
        |(.., total)| *total,
    )
}

fn insert_remove(count: usize) -> Runner {
    let mut world = World::new();
    let ids: Vec<EntityId> = (0..count).map(|n| world.add_entity((A(n as f32),))).collect();
    there_and_back(
        (world, ids),
        |(world, ids)| {
            world.run(|entities: EntitiesView, mut values: ViewMut<B>| {
                for entity in &*ids {
                    entities.add_component(*entity, &mut values, B(1.0));
                }
            });
        },
        |(world, ids)| {
            world.run(|mut values: ViewMut<B>| {
                for entity in &*ids {
                    values.delete(*entity);
                }
            });
        },
        |(world, _)| values::<A>(world, |a| a.0) + world.run(|values: View<B>| values.len()) as u64,
    )
}

fn spawn(world: &mut World, count: usize) {
    for n in 0..count {
        world.add_entity(four(n));
    }
}

fn fours(world: &mut World) -> u64 {
    world.run(|t: View<Transform>, p: View<Position>, r: View<Rotation>, v: View<Velocity>| {
        let all = (&t, &p, &r, &v).iter();
        sum(all.map(|(transform, position, rotation, velocity)| numbers(transform, position, rotation, velocity)))
    })
}

fn respawn(count: usize) -> Runner {
    let mut world = World::new();
    let ids: Vec<EntityId> = world.bulk_add_entity((0..count).map(four)).collect();
    there_and_back(
        (world, ids),
        move |(world, ids)| {
            for entity in &*ids {
                world.delete_entity(*entity);
            }
            ids.clear();
        },
        move |(world, ids)| ids.extend(world.bulk_add_entity((0..count).map(four))),
        |(world, _)| fours(world),
    )
}

/// Runs a workload on `threads` threads.
fn scheduled(world: World, workload: Workload, threads: usize, checksum: fn(&mut World) -> u64) -> Runner {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
    workload.add_to_world(&world).expect("the workload is valid");
    repeated(
        (world, threads),
        |(world, threads)| threads.install(|| world.run_default_workload()).expect("nothing else is borrowed"),
        move |(world, _)| checksum(world),
    )
}

fn nothing<const N: usize>() {
    black_box(N);
}

fn empty_systems() -> Runner {
    let workload = Workload::new("empty");
    macro_rules! add {
        ($($number:literal)*) => { workload$(.with_system(nothing::<$number>).with_barrier())* };
    }
    scheduled(World::new(), for_each_type!(add), 1, |_| 0)
}

fn swap<X, Y>(mut first: ViewMut<X>, mut second: ViewMut<Y>)
where
    X: Number + Component<Tracking = track::Untracked>,
    Y: Number + Component<Tracking = track::Untracked>,
{
    (&mut first, &mut second).iter().for_each(|(x, y)| std::mem::swap(x.number(), y.number()));
}

fn swap_in_parallel<X, Y>(mut first: ViewMut<X>, mut second: ViewMut<Y>)
where
    X: Number + Component<Tracking = track::Untracked>,
    Y: Number + Component<Tracking = track::Untracked>,
{
    (&mut first, &mut second).par_iter().for_each(|(x, y)| std::mem::swap(x.number(), y.number()));
}

fn schedule(count: usize, threads: usize) -> Runner {
    let mut world = World::new();
    let ab = |n| (A(swapped(n, 0)), B(swapped(n, 1)));
    let abc = |n| (A(swapped(n, 0)), B(swapped(n, 1)), C(swapped(n, 2)));
    world.bulk_add_entity((0..count).map(ab));
    world.bulk_add_entity((count..2 * count).map(abc));
    for n in 2 * count..3 * count {
        let (a, b, c) = abc(n);
        world.add_entity((a, b, c, D(swapped(n, 3))));
    }
    for n in 3 * count..4 * count {
        let (a, b, c) = abc(n);
        world.add_entity((a, b, c, E(swapped(n, 4))));
    }
    let workload = Workload::new("swap");
    let workload = match threads {
        1 => workload.with_system(swap::<A, B>).with_system(swap::<C, D>).with_system(swap::<C, E>),
        _ => workload
            .with_system(swap_in_parallel::<A, B>)
            .with_system(swap_in_parallel::<C, D>)
            .with_system(swap_in_parallel::<C, E>),
    };
    scheduled(world, workload, threads, |world| {
        let [a, c] = [values::<A>(world, |a| a.0), values::<C>(world, |c| c.0)];
        let [d, e] = [values::<D>(world, |d| d.0), values::<E>(world, |e| e.0)];
        of_all_four([a, c, d, e])
    })
}

fn invert_all(mut transforms: ViewMut<Transform>, mut positions: ViewMut<Position>) {
    let both = (&mut transforms, &mut positions).par_iter();
    both.for_each(|(transform, position)| invert(transform, position));
}

fn matrices(count: usize) -> Runner {
    let mut world = World::new();
    world.bulk_add_entity((0..count).map(|n| (transform(n), position(n))));
    scheduled(world, Workload::new("invert").with_system(invert_all), 2, positions)
}
