//! sparsey: sparse sets with groups, without systems and without events.

use sparsey::World;
use sparsey::entity::Entity;

use crate::cases::{RARE_ONE_IN, Work, of_all_four, swapped};
use crate::components::{
    A, B, C, D, Data, E, Position, Rare, Rotation, Transform, Velocity, advance, advance_all, age, enrich,
    for_each_kind, four, invert, numbers, position, shuffled, sum, transform, velocity,
};
use crate::stopwatch::{Runner, on_new, repeated, there_and_back};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::Slices => repeated(movers(count), slices, positions),
        Work::Items => repeated(movers(count), items, positions),
        Work::Fragmented => fragmented(count),
        Work::Join => join(World::builder().register::<Data>().register::<Rare>().build(), count),
        Work::RandomGet => random_get(count),
        Work::InsertRemove => insert_remove(World::builder().register::<A>().register::<B>().build(), count),
        Work::SpawnInBulk => on_new(empty, move |world| _ = world.extend((0..count).map(four)), fours),
        Work::Spawn => on_new(empty, move |world| spawn(world, count), fours),
        Work::Respawn => respawn(count),
        Work::RespawnEach => respawn_each(count),
        Work::Schedule => schedule(count, swap_all),
        Work::ScheduleOnTwoThreads => schedule(count, swap_all_in_parallel),
        Work::Matrices => matrices(count),
        _ => return None,
    })
}

fn movers(count: usize) -> World {
    let mut world = World::builder().add_group::<(Position, Velocity)>().build();
    world.extend((0..count).map(|n| (position(n), velocity(n))));
    world
}

fn positions(world: &mut World) -> u64 {
    sum(world.borrow::<Position>().as_slice().iter().map(|position| position.0))
}

fn slices(world: &mut World) {
    let mut query = world.query_all::<(&mut Position, &Velocity)>();
    let (positions, velocities) = query.slice().expect("the two are a group");
    advance_all(positions, velocities);
}

fn items(world: &mut World) {
    world.for_each::<(&mut Position, &Velocity)>(|(position, velocity)| advance(position, velocity));
}

fn data(world: &mut World) -> u64 {
    sum(world.borrow::<Data>().as_slice().iter().map(|data| [data.0]))
}

fn fragmented(count: usize) -> Runner {
    let mut world = World::default();
    world.register::<Data>();
    let mut number = 0;
    macro_rules! spawn {
        ($kind:ident) => {
            world.register::<crate::components::$kind>();
            for _ in 0..count {
                world.create((crate::components::$kind(0.0), Data(number as f32)));
                number += 1;
            }
        };
    }
    for_each_kind!(spawn);
    repeated(world, |world| world.borrow_mut::<Data>().as_mut_slice().iter_mut().for_each(age), data)
}

fn join(mut world: World, count: usize) -> Runner {
    for n in 0..count {
        match n.is_multiple_of(RARE_ONE_IN) {
            true => world.create((Data(n as f32), Rare(1.0))),
            false => world.create((Data(n as f32),)),
        };
    }
    repeated(world, |world| world.for_each::<(&mut Data, &Rare)>(|(data, rare)| enrich(data, rare)), data)
}

fn random_get(count: usize) -> Runner {
    let mut world = World::builder().register::<Data>().build();
    let ids: Vec<Entity> = (0..count).map(|n| world.create((Data(n as f32),))).collect();
    let order: Vec<Entity> = shuffled(count).into_iter().map(|index| ids[index as usize]).collect();
    repeated(
        (world, order, 0),
        |(world, order, total)| {
            let values = world.borrow::<Data>();
            let bits = order.iter().filter_map(|entity| Some(u64::from(values.get(*entity)?.0.to_bits())));
            *total = bits.fold(*total, u64::wrapping_add);
        },
        |(.., total)| *total,
    )
}

fn insert_remove(mut world: World, count: usize) -> Runner {
    let ids: Vec<Entity> = (0..count).map(|n| world.create((A(n as f32),))).collect();
    there_and_back(
        (world, ids),
        |(world, ids)| {
            for entity in &*ids {
                world.insert(*entity, (B(1.0),));
            }
        },
        |(world, ids)| {
            for entity in &*ids {
                world.delete::<(B,)>(*entity);
            }
        },
        |(world, _)| {
            let a = sum(world.borrow::<A>().as_slice().iter().map(|a| [a.0]));
            a + world.borrow::<B>().len() as u64
        },
    )
}

fn empty() -> World {
    World::builder()
        .register::<Transform>()
        .register::<Position>()
        .register::<Rotation>()
        .register::<Velocity>()
        .build()
}

fn spawn(world: &mut World, count: usize) {
    for n in 0..count {
        world.create(four(n));
    }
}

fn fours(world: &mut World) -> u64 {
    let mut query = world.query_all::<(&Transform, &Position, &Rotation, &Velocity)>();
    let all = query.iter();
    sum(all.map(|(transform, position, rotation, velocity)| numbers(transform, position, rotation, velocity)))
}

fn respawn(count: usize) -> Runner {
    let mut world = empty();
    let ids: Vec<Entity> = world.extend((0..count).map(four)).to_vec();
    there_and_back(
        (world, ids),
        move |(world, ids)| {
            for entity in &*ids {
                world.destroy(*entity);
            }
            ids.clear();
        },
        move |(world, ids)| ids.extend_from_slice(world.extend((0..count).map(four))),
        |(world, _)| fours(world),
    )
}

fn respawn_each(count: usize) -> Runner {
    let mut world = empty();
    let ids: Vec<Entity> = (0..count).map(|n| world.create(four(n))).collect();
    there_and_back(
        (world, ids, shuffled(count)),
        |(world, ids, order)| {
            for n in order {
                world.destroy(ids[*n as usize]);
            }
        },
        |(world, ids, order)| {
            for n in order {
                ids[*n as usize] = world.create(four(*n as usize));
            }
        },
        |(world, ..)| fours(world),
    )
}

fn swap_all(world: &mut World) {
    world.for_each::<(&mut A, &mut B)>(|(a, b)| std::mem::swap(&mut a.0, &mut b.0));
    world.for_each::<(&mut C, &mut D)>(|(c, d)| std::mem::swap(&mut c.0, &mut d.0));
    world.for_each::<(&mut C, &mut E)>(|(c, e)| std::mem::swap(&mut c.0, &mut e.0));
}

fn swap_all_in_parallel(world: &mut World) {
    world.par_for_each::<(&mut A, &mut B)>(|(a, b)| std::mem::swap(&mut a.0, &mut b.0));
    world.par_for_each::<(&mut C, &mut D)>(|(c, d)| std::mem::swap(&mut c.0, &mut d.0));
    world.par_for_each::<(&mut C, &mut E)>(|(c, e)| std::mem::swap(&mut c.0, &mut e.0));
}

fn schedule(count: usize, work: fn(&mut World)) -> Runner {
    let mut world = World::builder().add_group::<(A, B)>().add_group::<(C, D)>().register::<E>().build();
    let ab = |n| (A(swapped(n, 0)), B(swapped(n, 1)));
    let abc = |n| (A(swapped(n, 0)), B(swapped(n, 1)), C(swapped(n, 2)));
    world.extend((0..count).map(ab));
    world.extend((count..2 * count).map(abc));
    for n in 2 * count..3 * count {
        let (a, b, c) = abc(n);
        world.create((a, b, c, D(swapped(n, 3))));
    }
    for n in 3 * count..4 * count {
        let (a, b, c) = abc(n);
        world.create((a, b, c, E(swapped(n, 4))));
    }
    repeated(world, work, |world| {
        let a = sum(world.borrow::<A>().as_slice().iter().map(|a| [a.0]));
        let c = sum(world.borrow::<C>().as_slice().iter().map(|c| [c.0]));
        let d = sum(world.borrow::<D>().as_slice().iter().map(|d| [d.0]));
        let e = sum(world.borrow::<E>().as_slice().iter().map(|e| [e.0]));
        of_all_four([a, c, d, e])
    })
}

fn matrices(count: usize) -> Runner {
    let mut world = World::builder().add_group::<(Transform, Position)>().build();
    world.extend((0..count).map(|n| (transform(n), position(n))));
    repeated(
        world,
        |world| {
            world.par_for_each::<(&mut Transform, &mut Position)>(|(transform, position)| invert(transform, position));
        },
        positions,
    )
}
