//! flecs_ecs: archetypes, systems and observers, in C.

use std::cell::Cell;
use std::hint::black_box;
use std::rc::Rc;

use flecs_ecs::prelude::*;

use crate::cases::{RARE_ONE_IN, Work, of_all_four, random_rare, swapped};
use crate::components::{
    A, B, C, D, Data, E, Position, Rare, Rotation, Transform, Velocity, advance, advance_all, age, enrich,
    for_each_kind, four, invert, numbers, position, shuffled, sum, transform, velocity,
};
use crate::events::{Hit, LISTENERS, for_each_type};
use crate::stopwatch::{Runner, on_new, repeated, there_and_back};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::Slices => slices(count),
        Work::Items => items(movers(count)),
        Work::ItemsOfFour | Work::ItemsOfFourInALoop => {
            let world = World::new();
            spawn_columns(&world, &columns(count));
            items(world)
        }
        Work::Fragmented => fragmented(count),
        Work::Join => join(count),
        Work::RandomJoin => random_join(count),
        Work::RandomGet | Work::RandomGetEach => random_get(count),
        Work::InsertRemove => insert_remove(count),
        Work::SpawnInBulk => on_new(World::new, move |world| _ = spawn_columns(world, &columns(count)), fours),
        Work::SpawnColumns => {
            let columns = columns(count);
            on_new(World::new, move |world| _ = spawn_columns(world, &columns), fours)
        }
        Work::Spawn => on_new(World::new, move |world| _ = spawn(world, count), fours),
        Work::Respawn => respawn(count),
        Work::Events => events(count, 1),
        Work::FanOut => events(count, LISTENERS),
        Work::EmptySystems => empty_systems(),
        Work::Swaps => swaps(count),
        Work::Schedule => schedule(count, 1),
        Work::ScheduleOnTwoThreads => schedule(count, 2),
        Work::Matrices => matrices(count),
        _ => return None,
    })
}

fn movers(count: usize) -> World {
    let world = World::new();
    for n in 0..count {
        world.entity().set(position(n)).set(velocity(n));
    }
    world
}

/// The checksum of all components of a type.
macro_rules! values {
    ($world:expr, $component:ident) => {{
        let mut total = 0_u64;
        $world.new_query::<&$component>().each(|value| total = total.wrapping_add(sum([[value.0]])));
        total
    }};
}

fn positions(world: &World) -> u64 {
    let mut total = 0_u64;
    world.new_query::<&Position>().each(|position| total = total.wrapping_add(sum([position.0])));
    total
}

// In the following tuples the query stands before the world, so that it is dropped first.

fn slices(count: usize) -> Runner {
    let world = movers(count);
    repeated(
        (world.new_query::<(&mut Position, &Velocity)>(), world),
        |(query, _)| {
            query.run(|mut tables| {
                while tables.next() {
                    let mut positions = tables.field_mut::<Position>(0);
                    advance_all(positions.as_mut_slice(), tables.field::<Velocity>(1).as_slice());
                }
            });
        },
        |(_, world)| positions(world),
    )
}

fn items(world: World) -> Runner {
    repeated(
        (world.new_query::<(&mut Position, &Velocity)>(), world),
        |(query, _)| query.each(|(position, velocity)| advance(position, velocity)),
        |(_, world)| positions(world),
    )
}

fn fragmented(count: usize) -> Runner {
    let world = World::new();
    let mut number = 0;
    macro_rules! spawn {
        ($kind:ident) => {
            for _ in 0..count {
                world.entity().set(crate::components::$kind(0.0)).set(Data(number as f32));
                number += 1;
            }
        };
    }
    for_each_kind!(spawn);
    repeated((world.new_query::<&mut Data>(), world), |(query, _)| query.each(age), |(_, world)| values!(world, Data))
}

fn join(count: usize) -> Runner {
    let world = World::new();
    for n in 0..count {
        let entity = world.entity().set(Data(n as f32));
        if n.is_multiple_of(RARE_ONE_IN) {
            entity.set(Rare(1.0));
        }
    }
    enrich_all(world)
}

fn enrich_all(world: World) -> Runner {
    repeated(
        (world.new_query::<(&mut Data, &Rare)>(), world),
        |(query, _)| query.each(|(data, rare)| enrich(data, rare)),
        |(_, world)| values!(world, Data),
    )
}

fn random_join(count: usize) -> Runner {
    let world = World::new();
    let ids: Vec<Entity> = (0..count).map(|n| world.entity().set(Data(n as f32)).id()).collect();
    for n in random_rare(count) {
        world.entity_from_id(ids[n]).set(Rare(1.0));
    }
    enrich_all(world)
}

fn random_get(count: usize) -> Runner {
    let world = World::new();
    let ids: Vec<Entity> = (0..count).map(|n| world.entity().set(Data(n as f32)).id()).collect();
    let order: Vec<Entity> = shuffled(count).into_iter().map(|index| ids[index as usize]).collect();
    repeated(
        (world, order, 0),
        |(world, order, total)| {
            let bits = order.iter().map(|entity| world.entity_from_id(*entity).get::<&Data>(|data| data.0.to_bits()));
            *total = bits.map(u64::from).fold(*total, u64::wrapping_add);
        },
        |(.., total)| *total,
    )
}

fn insert_remove(count: usize) -> Runner {
    let world = World::new();
    let ids: Vec<Entity> = (0..count).map(|n| world.entity().set(A(n as f32)).id()).collect();
    there_and_back(
        (world, ids),
        |(world, ids)| {
            for entity in &*ids {
                world.entity_from_id(*entity).set(B(1.0));
            }
        },
        |(world, ids)| {
            for entity in &*ids {
                world.entity_from_id(*entity).remove(B::id());
            }
        },
        |(world, _)| {
            let mut with_b = 0;
            world.new_query::<&B>().each(|_| with_b += 1);
            values!(world, A).wrapping_add(with_b)
        },
    )
}

type Columns = (Vec<Transform>, Vec<Position>, Vec<Rotation>, Vec<Velocity>);

fn columns(count: usize) -> Columns {
    let rows = (0..count)
        .map(four)
        .map(|(transform, position, rotation, velocity)| ((transform, position), (rotation, velocity)));
    let (first, last): (Vec<_>, Vec<_>) = rows.unzip();
    let ((transforms, positions), (rotations, velocities)) = (first.into_iter().unzip(), last.into_iter().unzip());
    (transforms, positions, rotations, velocities)
}

fn spawn_columns(world: &World, (transforms, positions, rotations, velocities): &Columns) -> Vec<Entity> {
    let mut bulk = world.entity_bulk(transforms.len() as u32);
    bulk.set(transforms).set(positions).set(rotations).set(velocities).build()
}

fn spawn(world: &World, count: usize) -> Vec<Entity> {
    let spawn = |n| {
        let (transform, position, rotation, velocity) = four(n);
        world.entity().set(transform).set(position).set(rotation).set(velocity).id()
    };
    (0..count).map(spawn).collect()
}

fn fours(world: &mut World) -> u64 {
    let mut total = 0_u64;
    let query = world.new_query::<(&Transform, &Position, &Rotation, &Velocity)>();
    query.each(|(transform, position, rotation, velocity)| {
        total = total.wrapping_add(sum([numbers(transform, position, rotation, velocity)]));
    });
    total
}

fn respawn(count: usize) -> Runner {
    let (world, columns) = (World::new(), columns(count));
    let ids = spawn_columns(&world, &columns);
    there_and_back(
        (world, ids),
        |(world, ids)| ids.iter().for_each(|entity| world.entity_from_id(*entity).destruct()),
        move |(world, ids)| *ids = spawn_columns(world, &columns),
        |(world, _)| fours(world),
    )
}

fn events(count: usize, listeners: usize) -> Runner {
    let world = World::new();
    let total = Rc::new(Cell::new(0_u64));
    for _ in 0..listeners {
        let sum = total.clone();
        world.observer::<Hit, ()>().with(Data::id()).each_iter(move |it, _, ()| {
            sum.set(sum.get().wrapping_add(it.param().value()));
        });
    }
    let entity = world.entity().set(Data(0.0)).id();
    repeated(
        world,
        move |world| {
            for n in 0..count {
                world.event().add(Data::id()).entity(entity).emit(&Hit::new(n));
            }
        },
        move |_| total.get(),
    )
}

fn progress(world: &mut World) {
    world.progress();
}

fn empty_systems() -> Runner {
    let world = World::new();
    macro_rules! add {
        ($($number:literal)*) => { $(world.system::<()>().run(|_| _ = black_box($number));)* };
    }
    for_each_type!(add);
    repeated(world, progress, |_| 0)
}

fn shapes(count: usize) -> World {
    let world = World::new();
    for n in 0..4 * count {
        let entity = world.entity().set(A(swapped(n, 0))).set(B(swapped(n, 1)));
        let entity = if n >= count { entity.set(C(swapped(n, 2))) } else { entity };
        match n / count {
            2 => _ = entity.set(D(swapped(n, 3))),
            3 => _ = entity.set(E(swapped(n, 4))),
            _ => {}
        }
    }
    world
}

fn sum_of_shapes(world: &World) -> u64 {
    let [a, c] = [values!(world, A), values!(world, C)];
    let [d, e] = [values!(world, D), values!(world, E)];
    of_all_four([a, c, d, e])
}

fn swaps(count: usize) -> Runner {
    let world = shapes(count);
    let (ab, cd) = (world.new_query::<(&mut A, &mut B)>(), world.new_query::<(&mut C, &mut D)>());
    repeated(
        (ab, cd, world.new_query::<(&mut C, &mut E)>(), world),
        |(ab, cd, ce, _)| {
            ab.each(|(a, b)| std::mem::swap(&mut a.0, &mut b.0));
            cd.each(|(c, d)| std::mem::swap(&mut c.0, &mut d.0));
            ce.each(|(c, e)| std::mem::swap(&mut c.0, &mut e.0));
        },
        |(.., world)| sum_of_shapes(world),
    )
}

fn schedule(count: usize, threads: i32) -> Runner {
    let world = shapes(count);
    macro_rules! swap {
        ($first:ident $second:ident) => {
            let mut system = world.system::<(&mut $first, &mut $second)>();
            match threads {
                1 => _ = system.each(|(x, y)| std::mem::swap(&mut x.0, &mut y.0)),
                _ => _ = system.par_each(|(x, y)| std::mem::swap(&mut x.0, &mut y.0)),
            }
        };
    }
    swap!(A B);
    swap!(C D);
    swap!(C E);
    if threads > 1 {
        world.set_threads(threads);
    }
    repeated(world, progress, |world| sum_of_shapes(world))
}

fn matrices(count: usize) -> Runner {
    let world = World::new();
    for n in 0..count {
        world.entity().set(transform(n)).set(position(n));
    }
    let mut system = world.system::<(&mut Transform, &mut Position)>();
    system.par_each(|(transform, position)| invert(transform, position));
    world.set_threads(2);
    repeated(world, progress, |world| positions(world))
}
