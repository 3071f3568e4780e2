//! evenio: archetypes, and event handlers instead of systems.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use evenio::prelude::*;
use evenio::rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::cases::{RARE_ONE_IN, Work, follow, of_all_four, swapped};
use crate::components::{
    A, B, C, D, Data, E, Number, Position, Rare, Rotation, Transform, Velocity, advance, age, enrich, for_each_kind,
    four, invert, mix, numbers, position, shuffled, transform, velocity,
};
use crate::events::{First, Hit, LISTENERS, Second, Third, Typed, for_each_type};
use crate::stopwatch::{Runner, on_new, repeated, there_and_back};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::Items => items(count),
        Work::Fragmented => fragmented(count),
        Work::Join => join(count),
        Work::RandomGet => random_get(count),
        Work::InsertRemove => insert_remove(count),
        Work::Spawn => on_new(Owned::default, move |owned| spawn(owned, count), fours),
        Work::Respawn => respawn(count),
        Work::Events => events(count, 1),
        Work::FanOut => events(count, LISTENERS),
        Work::EventsOfManyTypes | Work::EventsToManySystems => events_of_many_types(count),
        Work::Cascade => cascade(count),
        Work::EmptySystems => empty_systems(),
        Work::ResourceChain => resource_chain(),
        Work::Schedule => schedule(count),
        Work::ScheduleOnTwoThreads => schedule_on_two_threads(count),
        Work::Matrices => matrices(count),
        _ => return None,
    })
}

/// Makes the handlers run.
#[derive(GlobalEvent)]
struct Tick;

/// A world and its entities.
#[derive(Default)]
struct Owned {
    world: World,
    ids: Vec<EntityId>,
}

impl Owned {
    fn tick(&mut self) {
        self.world.send(Tick);
    }

    fn spawn(&mut self) -> EntityId {
        let entity = self.world.spawn();
        self.ids.push(entity);
        entity
    }

    fn sum<T: Component, const N: usize>(&self, numbers: impl Fn(&T) -> [f32; N]) -> u64 {
        let values = self.ids.iter().filter_map(|entity| self.world.get::<T>(*entity));
        values.map(|value| mix(numbers(value))).fold(0, u64::wrapping_add)
    }
}

/// The sum of all handlers, shared and updated without a lock.
#[derive(Clone, Default)]
struct Total(Arc<AtomicU64>);

impl Total {
    fn add(&self, value: u64) {
        self.0.store(self.get().wrapping_add(value), Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

fn positions(owned: &mut Owned) -> u64 {
    owned.sum::<Position, 3>(|position| position.0)
}

fn data(owned: &mut Owned) -> u64 {
    owned.sum::<Data, 1>(|data| [data.0])
}

fn items(count: usize) -> Runner {
    let mut owned = Owned::default();
    for n in 0..count {
        let entity = owned.spawn();
        owned.world.insert(entity, position(n));
        owned.world.insert(entity, velocity(n));
    }
    owned.world.add_handler(|_: Receiver<Tick>, movers: Fetcher<(&mut Position, &Velocity)>| {
        movers.into_iter().for_each(|(position, velocity)| advance(position, velocity));
    });
    repeated(owned, Owned::tick, positions)
}

fn fragmented(count: usize) -> Runner {
    let mut owned = Owned::default();
    let mut number = 0;
    macro_rules! spawn {
        ($kind:ident) => {
            for _ in 0..count {
                let entity = owned.spawn();
                owned.world.insert(entity, crate::components::$kind(0.0));
                owned.world.insert(entity, Data(number as f32));
                number += 1;
            }
        };
    }
    for_each_kind!(spawn);
    owned.world.add_handler(|_: Receiver<Tick>, all: Fetcher<&mut Data>| all.into_iter().for_each(age));
    repeated(owned, Owned::tick, data)
}

fn join(count: usize) -> Runner {
    let mut owned = Owned::default();
    for n in 0..count {
        let entity = owned.spawn();
        owned.world.insert(entity, Data(n as f32));
        if n.is_multiple_of(RARE_ONE_IN) {
            owned.world.insert(entity, Rare(1.0));
        }
    }
    owned.world.add_handler(|_: Receiver<Tick>, both: Fetcher<(&mut Data, &Rare)>| {
        both.into_iter().for_each(|(data, rare)| enrich(data, rare));
    });
    repeated(owned, Owned::tick, data)
}

fn random_get(count: usize) -> Runner {
    let mut owned = Owned::default();
    for n in 0..count {
        let entity = owned.spawn();
        owned.world.insert(entity, Data(n as f32));
    }
    let order: Vec<EntityId> = shuffled(count).into_iter().map(|index| owned.ids[index as usize]).collect();
    let total = Total::default();
    let sum = total.clone();
    owned.world.add_handler(move |_: Receiver<Tick>, all: Fetcher<&Data>| {
        let bits = order.iter().filter_map(|entity| Some(u64::from(all.get(*entity).ok()?.0.to_bits())));
        sum.add(bits.fold(0, u64::wrapping_add));
    });
    repeated(owned, Owned::tick, move |_| total.get())
}

fn insert_remove(count: usize) -> Runner {
    let mut owned = Owned::default();
    for n in 0..count {
        let entity = owned.spawn();
        owned.world.insert(entity, A(n as f32));
    }
    there_and_back(
        owned,
        |Owned { world, ids }| ids.iter().for_each(|entity| world.insert(*entity, B(1.0))),
        |Owned { world, ids }| ids.iter().for_each(|entity| world.remove::<B>(*entity)),
        |owned| {
            let with_b = owned.ids.iter().filter(|entity| owned.world.get::<B>(**entity).is_some());
            owned.sum::<A, 1>(|a| [a.0]).wrapping_add(with_b.count() as u64)
        },
    )
}

fn spawn(owned: &mut Owned, count: usize) {
    for n in 0..count {
        let (transform, position, rotation, velocity) = four(n);
        let entity = owned.spawn();
        owned.world.insert(entity, transform);
        owned.world.insert(entity, position);
        owned.world.insert(entity, rotation);
        owned.world.insert(entity, velocity);
    }
}

fn fours(Owned { world, ids }: &mut Owned) -> u64 {
    let all = ids.iter().filter_map(|entity| {
        let (transform, position) = (world.get::<Transform>(*entity)?, world.get::<Position>(*entity)?);
        let (rotation, velocity) = (world.get::<Rotation>(*entity)?, world.get::<Velocity>(*entity)?);
        Some(mix(numbers(transform, position, rotation, velocity)))
    });
    all.fold(0, u64::wrapping_add)
}

fn respawn(count: usize) -> Runner {
    let mut owned = Owned::default();
    spawn(&mut owned, count);
    there_and_back(
        owned,
        |owned| owned.ids.drain(..).for_each(|entity| owned.world.despawn(entity)),
        move |owned| spawn(owned, count),
        fours,
    )
}

fn events(count: usize, listeners: usize) -> Runner {
    let mut world = World::new();
    let total = Total::default();
    world.add_handler(move |_: Receiver<Tick>, mut hits: Sender<Hit>| {
        (0..count).for_each(|n| hits.send(Hit::new(n)));
    });
    macro_rules! listen {
        ($($number:literal)*) => {$(
            if $number < listeners {
                let total = total.clone();
                world.add_handler(move |hit: Receiver<Hit>| total.add(hit.event.value()));
            }
        )*};
    }
    listen!(0 1 2 3 4 5 6 7 8 9);
    repeated(world, |world| world.send(Tick), move |_| total.get())
}

fn events_of_many_types(count: usize) -> Runner {
    let mut world = World::new();
    let total = Total::default();
    macro_rules! listen {
        ($($number:literal)*) => {$(
            let sum = total.clone();
            world.add_handler(move |event: Receiver<Typed<$number>>| sum.add(event.event.0.value()));
        )*};
    }
    for_each_type!(listen);
    // A handler can have only one sender, and a sender of 100 types takes the compiler minutes.
    macro_rules! send {
        ($($number:literal)*) => {
            move |world: &mut World| for n in 0..count {
                $(world.send(Typed::<$number>(Hit::new(n)));)*
            }
        };
    }
    repeated(world, for_each_type!(send), move |_| total.get())
}

fn cascade(count: usize) -> Runner {
    let mut world = World::new();
    let total = Total::default();
    let sum = total.clone();
    world.add_handler(move |_: Receiver<Tick>, mut first: Sender<First>| {
        (0..count).for_each(|n| first.send(First::new(n)));
    });
    world.add_handler(|first: Receiver<First>, mut second: Sender<Second>| second.send(first.event.cause()));
    world.add_handler(|second: Receiver<Second>, mut third: Sender<Third>| third.send(second.event.cause()));
    world.add_handler(move |third: Receiver<Third>| sum.add(third.event.value()));
    repeated(world, |world| world.send(Tick), move |_| total.get())
}

fn nothing<const N: usize>(_: Receiver<Tick>) {
    black_box(N);
}

fn empty_systems() -> Runner {
    let mut world = World::new();
    macro_rules! add {
        ($($number:literal)*) => { $(world.add_handler(nothing::<$number>);)* };
    }
    for_each_type!(add);
    repeated(world, |world| world.send(Tick), |_| 0)
}

/// The only component of its type, as resources are in evenio.
#[derive(Component)]
struct Chained(u64);

fn write<const N: usize>(_: Receiver<Tick>, Single(total): Single<&mut Chained>) {
    total.0 = follow(total.0, N);
}

fn resource_chain() -> Runner {
    let mut world = World::new();
    let entity = world.spawn();
    world.insert(entity, Chained(0));
    macro_rules! add {
        ($($number:literal)*) => { $(world.add_handler(write::<$number>);)* };
    }
    for_each_type!(add);
    repeated(world, |world| world.send(Tick), move |world| world.get::<Chained>(entity).map_or(0, |total| total.0))
}

fn fill(count: usize) -> Owned {
    let mut owned = Owned::default();
    for n in 0..4 * count {
        let entity = owned.spawn();
        owned.world.insert(entity, A(swapped(n, 0)));
        owned.world.insert(entity, B(swapped(n, 1)));
        if n >= count {
            owned.world.insert(entity, C(swapped(n, 2)));
        }
        match n / count {
            2 => owned.world.insert(entity, D(swapped(n, 3))),
            3 => owned.world.insert(entity, E(swapped(n, 4))),
            _ => {}
        }
    }
    owned
}

/// A component that wraps a mutable number.
trait Value: Number + Component<Mutability = evenio::mutability::Mutable> {}

impl<T: Number + Component<Mutability = evenio::mutability::Mutable>> Value for T {}

fn swap<X: Value, Y: Value>(_: Receiver<Tick>, both: Fetcher<(&mut X, &mut Y)>) {
    both.into_iter().for_each(|(x, y)| std::mem::swap(x.number(), y.number()));
}

fn swap_in_parallel<X: Value, Y: Value>(_: Receiver<Tick>, both: Fetcher<(&mut X, &mut Y)>) {
    both.into_par_iter().for_each(|(x, y)| std::mem::swap(x.number(), y.number()));
}

fn swaps(owned: &mut Owned) -> u64 {
    let [a, c] = [owned.sum::<A, 1>(|a| [a.0]), owned.sum::<C, 1>(|c| [c.0])];
    let [d, e] = [owned.sum::<D, 1>(|d| [d.0]), owned.sum::<E, 1>(|e| [e.0])];
    of_all_four([a, c, d, e])
}

fn schedule(count: usize) -> Runner {
    let mut owned = fill(count);
    owned.world.add_handler(swap::<A, B>);
    owned.world.add_handler(swap::<C, D>);
    owned.world.add_handler(swap::<C, E>);
    repeated(owned, Owned::tick, swaps)
}

fn schedule_on_two_threads(count: usize) -> Runner {
    let mut owned = fill(count);
    owned.world.add_handler(swap_in_parallel::<A, B>);
    owned.world.add_handler(swap_in_parallel::<C, D>);
    owned.world.add_handler(swap_in_parallel::<C, E>);
    repeated(owned, Owned::tick, swaps)
}

fn matrices(count: usize) -> Runner {
    let mut owned = Owned::default();
    for n in 0..count {
        let entity = owned.spawn();
        owned.world.insert(entity, transform(n));
        owned.world.insert(entity, position(n));
    }
    owned.world.add_handler(|_: Receiver<Tick>, both: Fetcher<(&mut Transform, &mut Position)>| {
        both.into_par_iter().for_each(|(transform, position)| invert(transform, position));
    });
    repeated(owned, Owned::tick, positions)
}
