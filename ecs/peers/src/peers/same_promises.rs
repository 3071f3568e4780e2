//! Hand-written cases that keep the promises of this framework, which the floors do not: ids that can become stale, a
//! record per entity, events in one order across types, threads that sleep until there is work. Time beyond the floor
//! is the price of the promises; the framework's time beyond this one is its overhead.

mod events;
mod sets;

use std::hint::black_box;
use std::mem::swap;

use self::events::events_of_many_types;
use self::sets::{Id, Set, World};
use crate::cases::{RARE_ONE_IN, Work, of_all_four, swapped};
use crate::components::{
    A, B, Data, Position, Rare, Rotation, Transform, Velocity, advance, enrich, four, numbers, position, shuffled, sum,
    velocity,
};
use crate::stopwatch::{Runner, on_new, repeated, there_and_back};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::Items | Work::ItemsInALoop => items(count),
        Work::RandomGet => random_get(count),
        Work::Join => join(count),
        Work::InsertRemove | Work::InsertRemoveEach => insert_remove(count),
        Work::SpawnInBulk => spawn_in_bulk(count, |(transforms, positions, rotations, velocities), count| {
            transforms.values.reserve(count);
            positions.values.reserve(count);
            rotations.values.reserve(count);
            velocities.values.reserve(count);
            for (transform, position, rotation, velocity) in (0..count).map(four) {
                transforms.values.push(transform);
                positions.values.push(position);
                rotations.values.push(rotation);
                velocities.values.push(velocity);
            }
        }),
        Work::SpawnColumns => {
            let columns: Vec<_> = (0..count).map(four).collect();
            let transforms: Vec<_> = columns.iter().map(|(transform, ..)| *transform).collect();
            let positions: Vec<_> = columns.iter().map(|(_, position, ..)| *position).collect();
            let rotations: Vec<_> = columns.iter().map(|(_, _, rotation, _)| *rotation).collect();
            let velocities: Vec<_> = columns.iter().map(|(.., velocity)| *velocity).collect();
            spawn_in_bulk(count, move |sets, _| {
                sets.0.values.clone_from(&transforms);
                sets.1.values.clone_from(&positions);
                sets.2.values.clone_from(&rotations);
                sets.3.values.clone_from(&velocities);
            })
        }
        Work::Spawn => on_new(Four::default, move |world| (0..count).for_each(|n| _ = spawn(world, n)), checksum),
        Work::Respawn => respawn(count),
        Work::EventsOfManyTypes | Work::EventsToManySystems => events_of_many_types(count),
        Work::ScheduleOnTwoThreads => schedule(count),
        _ => return None,
    })
}

/// Entity by entity, with three additions each. The promises cost nothing here.
fn items(count: usize) -> Runner {
    let world: (Vec<Position>, Vec<Velocity>) = (0..count).map(|n| (position(n), velocity(n))).unzip();
    repeated(
        world,
        |(positions, velocities)| {
            let rows = black_box(positions).iter_mut().zip(&*velocities);
            rows.for_each(|(position, velocity)| advance(position, velocity));
        },
        |(positions, _)| sum(positions.iter().map(|position| position.0)),
    )
}

fn data(world: &mut World<(Set<Data>, Set<Rare>)>) -> u64 {
    sum(world.sets.0.values.iter().map(|data| [data.0]))
}

fn join(count: usize) -> Runner {
    let mut world = World::<(Set<Data>, Set<Rare>)>::default();
    for n in 0..count {
        let id = world.entities.spawn(1);
        world.sets.0.insert(id, Data(n as f32));
        if n.is_multiple_of(RARE_ONE_IN) {
            world.sets.1.insert(id, Rare(1.0));
        }
    }
    repeated(
        world,
        |World { sets: (common, rare), .. }| {
            for (owner, rare) in rare.owners.iter().zip(&rare.values) {
                common.get_mut(*owner).into_iter().for_each(|data| enrich(data, rare));
            }
        },
        data,
    )
}

fn random_get(count: usize) -> Runner {
    let mut world = World::<(Set<Data>, Set<Rare>)>::default();
    let mut spawn = |n| {
        let id = world.entities.spawn(1);
        world.sets.0.insert(id, Data(n as f32));
        id
    };
    let ids: Vec<Id> = (0..count).map(&mut spawn).collect();
    let order: Vec<Id> = shuffled(count).into_iter().map(|index| ids[index as usize]).collect();
    repeated(
        (world.sets.0, order, 0),
        |(set, order, total)| {
            let bits = order.iter().filter_map(|id| Some(u64::from(set.get_mut(*id)?.0.to_bits())));
            *total = bits.fold(*total, u64::wrapping_add);
        },
        |(.., total)| *total,
    )
}

type Pair = World<(Set<A>, Set<B>)>;

fn insert_remove(count: usize) -> Runner {
    let mut world = Pair::default();
    let mut spawn = |n| {
        let id = world.entities.spawn(1);
        world.sets.0.insert(id, A(n as f32));
        id
    };
    let ids: Vec<Id> = (0..count).map(&mut spawn).collect();
    there_and_back(
        (world, ids),
        move |(world, ids)| {
            for id in ids.iter() {
                *world.entities.mask(*id).expect("all entities are alive") |= 2;
                world.sets.1.insert(*id, B(1.0));
            }
        },
        move |(world, ids)| {
            for id in ids {
                *world.entities.mask(*id).expect("all entities are alive") &= !2;
                world.sets.1.remove(*id).expect("it was just inserted");
            }
        },
        |(world, _)| {
            let numbers = world.sets.0.owners.iter().zip(&world.sets.0.values);
            sum(numbers.map(|(_, a)| [a.0])) + world.sets.1.values.len() as u64
        },
    )
}

/// A world of entities with four components.
type Four = World<FourSets>;
type FourSets = (Set<Transform>, Set<Position>, Set<Rotation>, Set<Velocity>);

/// Spawns an entity for each value that `fill` adds to the sets.
fn spawn_in_bulk(count: usize, fill: impl Fn(&mut FourSets, usize) + 'static) -> Runner {
    on_new(
        Four::default,
        move |world| {
            fill(&mut world.sets, count);
            let ids = world.entities.spawn_many(count, 15);
            let (transforms, positions, rotations, velocities) = &mut world.sets;
            transforms.own_the_rest(&ids);
            positions.own_the_rest(&ids);
            rotations.own_the_rest(&ids);
            velocities.own_the_rest(&ids);
            black_box(ids);
        },
        checksum,
    )
}

fn spawn(world: &mut Four, n: usize) -> Id {
    let World { entities, sets: (transforms, positions, rotations, velocities), .. } = world;
    let (transform, position, rotation, velocity) = four(n);
    let id = entities.spawn(15);
    transforms.insert(id, transform);
    positions.insert(id, position);
    rotations.insert(id, rotation);
    velocities.insert(id, velocity);
    id
}

fn checksum(world: &mut Four) -> u64 {
    let (transforms, positions, rotations, velocities) = &world.sets;
    let rows = transforms.values.iter().zip(&positions.values).zip(&rotations.values).zip(&velocities.values);
    sum(rows.map(|(((transform, position), rotation), velocity)| numbers(transform, position, rotation, velocity)))
}

fn respawn(count: usize) -> Runner {
    let mut world = Four::default();
    let ids: Vec<Id> = (0..count).map(|n| spawn(&mut world, n)).collect();
    there_and_back(
        (world, ids),
        move |(world, ids)| {
            ids.drain(..).for_each(|id| assert!(world.entities.despawn(id), "all entities are alive"));
            let (transforms, positions, rotations, velocities) = &mut world.sets;
            transforms.clear();
            positions.clear();
            rotations.clear();
            velocities.clear();
        },
        move |(world, ids)| ids.extend((0..count).map(|n| spawn(world, n))),
        |(world, _)| checksum(world),
    )
}

/// As the floor's schedule, in four chunks per thread. The threads sleep before each round.
fn schedule(count: usize) -> Runner {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads can be started");
    let column = |range: std::ops::Range<usize>, component| range.map(|n| swapped(n, component)).collect::<Vec<f32>>();
    let (a, b) = (column(0..4 * count, 0), column(0..4 * count, 1));
    let c = column(count..4 * count, 2);
    let (d, e) = (column(2 * count..3 * count, 3), column(3 * count..4 * count, 4));
    repeated(
        (a, b, c, d, e),
        move |(a, b, c, d, e)| {
            let (with_d, with_e) = c[count..].split_at_mut(count);
            pool.install(|| {
                rayon::join(|| exchange(a, b, 8), || exchange(with_d, d, 8));
                exchange(with_e, e, 8);
            });
        },
        |(a, _, c, d, e)| of_all_four([a, c, d, e].map(|numbers| sum(numbers.iter().map(|n| [*n])))),
    )
}

fn exchange(first: &mut [f32], second: &mut [f32], chunks: usize) {
    if chunks == 1 {
        return first.iter_mut().zip(second).for_each(|(first, second)| swap(first, second));
    }
    let (first, second) = (first.split_at_mut(first.len() / 2), second.split_at_mut(second.len() / 2));
    rayon::join(|| exchange(first.0, second.0, chunks / 2), || exchange(first.1, second.1, chunks / 2));
}
