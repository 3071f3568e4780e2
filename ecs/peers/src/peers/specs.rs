//! specs: a storage for each component, a dispatcher, and channels of events.

use std::hint::black_box;
use std::marker::PhantomData;

use rayon::iter::ParallelIterator;
use specs::prelude::*;
use specs::shrev::{EventChannel, ReaderId};

use crate::cases::{RARE_ONE_IN, Work, follow, of_all_four, swapped};
use crate::components::{
    A, B, C, D, Data, E, Number, Position, Rare, Rotation, Transform, Velocity, advance, age, enrich, for_each_kind,
    four, invert, numbers, position, shuffled, sum, transform, velocity,
};
use crate::events::{Hit, LISTENERS, SendEach, Typed, for_each_type, senders};
use crate::stopwatch::{Runner, on_new, repeated, there_and_back};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::Items => items(count),
        Work::Fragmented => fragmented(count),
        Work::Join => join(count),
        Work::RandomGet => random_get(count),
        Work::InsertRemove => insert_remove(count),
        Work::Spawn => on_new(registered, move |world| _ = spawn(world, count), fours),
        Work::Respawn => respawn(count),
        Work::Events => events(count, 1),
        Work::FanOut => events(count, LISTENERS),
        Work::EmptySystems => empty_systems(),
        Work::EventsToManySystems => events_to_many_systems(count),
        Work::ResourceChain => resource_chain(),
        Work::Schedule => schedule::<false>(count, 1),
        Work::ScheduleOnTwoThreads => schedule::<true>(count, 2),
        Work::Matrices => matrices(count),
        _ => return None,
    })
}

fn registered() -> World {
    let mut world = World::new();
    world.register::<Transform>();
    world.register::<Position>();
    world.register::<Rotation>();
    world.register::<Velocity>();
    world
}

fn values<T: Component>(world: &World, numbers: impl Fn(&T) -> f32) -> u64 {
    sum(world.read_storage::<T>().join().map(|value| [numbers(value)]))
}

fn positions(world: &mut World) -> u64 {
    sum(world.read_storage::<Position>().join().map(|position| position.0))
}

fn items(count: usize) -> Runner {
    let mut world = registered();
    for n in 0..count {
        world.create_entity().with(position(n)).with(velocity(n)).build();
    }
    repeated(
        world,
        |world| {
            let (mut positions, velocities) = (world.write_storage::<Position>(), world.read_storage::<Velocity>());
            let both = (&mut positions, &velocities).join();
            both.for_each(|(position, velocity)| advance(position, velocity));
        },
        positions,
    )
}

fn fragmented(count: usize) -> Runner {
    let mut world = World::new();
    world.register::<Data>();
    let mut number = 0;
    macro_rules! spawn {
        ($kind:ident) => {
            world.register::<crate::components::$kind>();
            for _ in 0..count {
                world.create_entity().with(crate::components::$kind(0.0)).with(Data(number as f32)).build();
                number += 1;
            }
        };
    }
    for_each_kind!(spawn);
    repeated(
        world,
        |world| (&mut world.write_storage::<Data>()).join().for_each(age),
        |world| values::<Data>(world, |data| data.0),
    )
}

fn join(count: usize) -> Runner {
    let mut world = World::new();
    world.register::<Data>();
    world.register::<Rare>();
    for n in 0..count {
        let entity = world.create_entity().with(Data(n as f32));
        if n.is_multiple_of(RARE_ONE_IN) {
            entity.with(Rare(1.0)).build()
        } else {
            entity.build()
        };
    }
    repeated(
        world,
        |world| {
            let (mut data, rare) = (world.write_storage::<Data>(), world.read_storage::<Rare>());
            (&mut data, &rare).join().for_each(|(data, rare)| enrich(data, rare));
        },
        |world| values::<Data>(world, |data| data.0),
    )
}

fn random_get(count: usize) -> Runner {
    let mut world = World::new();
    world.register::<Data>();
    let ids: Vec<Entity> = (0..count).map(|n| world.create_entity().with(Data(n as f32)).build()).collect();
    let order: Vec<Entity> = shuffled(count).into_iter().map(|index| ids[index as usize]).collect();
    repeated(
        (world, order, 0),
        |(world, order, total)| {
            let values = world.read_storage::<Data>();
            let bits = order.iter().filter_map(|entity| Some(u64::from(values.get(*entity)?.0.to_bits())));
            *total = bits.fold(*total, u64::wrapping_add);
        },
        |(.., total)| *total,
    )
}

fn insert_remove(count: usize) -> Runner {
    let mut world = World::new();
    world.register::<A>();
    world.register::<B>();
    let ids: Vec<Entity> = (0..count).map(|n| world.create_entity().with(A(n as f32)).build()).collect();
    there_and_back(
        (world, ids),
        |(world, ids)| {
            let mut storage = world.write_storage::<B>();
            for entity in &*ids {
                storage.insert(*entity, B(1.0)).expect("all entities are alive");
            }
        },
        |(world, ids)| {
            let mut storage = world.write_storage::<B>();
            for entity in &*ids {
                storage.remove(*entity);
            }
        },
        |(world, _)| values::<A>(world, |a| a.0) + world.read_storage::<B>().join().count() as u64,
    )
}

fn spawn(world: &mut World, count: usize) -> Vec<Entity> {
    let spawn = |n| {
        let (transform, position, rotation, velocity) = four(n);
        world.create_entity().with(transform).with(position).with(rotation).with(velocity).build()
    };
    (0..count).map(spawn).collect()
}

fn fours(world: &mut World) -> u64 {
    let (transforms, positions) = (world.read_storage::<Transform>(), world.read_storage::<Position>());
    let (rotations, velocities) = (world.read_storage::<Rotation>(), world.read_storage::<Velocity>());
    let all = (&transforms, &positions, &rotations, &velocities).join();
    sum(all.map(|(transform, position, rotation, velocity)| numbers(transform, position, rotation, velocity)))
}

fn respawn(count: usize) -> Runner {
    let mut world = registered();
    let ids = spawn(&mut world, count);
    there_and_back(
        (world, ids),
        |(world, ids)| world.delete_entities(ids).expect("all entities are alive"),
        move |(world, ids)| *ids = spawn(world, count),
        |(world, _)| fours(world),
    )
}

fn events(count: usize, listeners: usize) -> Runner {
    let mut channel: EventChannel<Hit> = EventChannel::new();
    let readers: Vec<ReaderId<Hit>> = (0..listeners).map(|_| channel.register_reader()).collect();
    repeated(
        (channel, readers, 0_u64),
        move |(channel, readers, total)| {
            channel.iter_write((0..count).map(Hit::new));
            for reader in readers {
                *total = channel.read(reader).map(Hit::value).fold(*total, u64::wrapping_add);
            }
        },
        |(.., total)| *total,
    )
}

struct Idle<const N: usize>;

impl<'a, const N: usize> System<'a> for Idle<N> {
    type SystemData = ();

    fn run(&mut self, (): ()) {
        black_box(N);
    }
}

fn threads(count: usize) -> std::sync::Arc<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().expect("threads can be started").into()
}

fn empty_systems() -> Runner {
    let mut builder = DispatcherBuilder::new().with_pool(threads(1));
    let mut earlier = None;
    macro_rules! add {
        ($($number:literal)*) => {$(
            builder.add(Idle::<$number>, stringify!($number), &earlier.into_iter().collect::<Vec<_>>());
            earlier = Some(stringify!($number));
        )*};
    }
    for_each_type!(add);
    _ = earlier;
    repeated((World::new(), builder.build()), |(world, dispatcher)| dispatcher.dispatch_seq(world), |_| 0)
}

/// Sends events of a hundred types in turn.
struct SendAll(usize);

type Channel<'a, E> = Write<'a, EventChannel<E>>;
senders!(Channel);

impl<const N: usize> SendEach for Write<'_, EventChannel<Typed<N>>> {
    #[inline]
    fn send_each(&mut self, n: usize) {
        self.single_write(Typed(Hit::new(n)));
    }
}

impl<'a> System<'a> for SendAll {
    type SystemData = Senders<'a>;

    fn run(&mut self, mut senders: Senders<'a>) {
        (0..self.0).for_each(|n| senders.send_each(n));
    }
}

/// The sum of all listeners.
#[derive(Default)]
struct Total(u64);

struct Listen<const N: usize>(ReaderId<Typed<N>>);

impl<'a, const N: usize> System<'a> for Listen<N> {
    type SystemData = (Read<'a, EventChannel<Typed<N>>>, Write<'a, Total>);

    fn run(&mut self, (channel, mut total): Self::SystemData) {
        total.0 = channel.read(&mut self.0).map(|event| event.0.value()).fold(total.0, u64::wrapping_add);
    }
}

fn events_to_many_systems(count: usize) -> Runner {
    let mut world = World::new();
    world.insert(Total::default());
    let mut builder = DispatcherBuilder::new().with_pool(threads(1)).with(SendAll(count), "send", &[]);
    macro_rules! add {
        ($($number:literal)*) => {$(
            let mut channel = EventChannel::<Typed<$number>>::new();
            builder.add(Listen(channel.register_reader()), stringify!($number), &["send"]);
            world.insert(channel);
        )*};
    }
    for_each_type!(add);
    let dispatcher = builder.build();
    repeated(
        (world, dispatcher),
        |(world, dispatcher)| dispatcher.dispatch_seq(world),
        |(world, _)| world.fetch::<Total>().0,
    )
}

struct Follow<const N: usize>;

impl<'a, const N: usize> System<'a> for Follow<N> {
    type SystemData = Write<'a, Total>;

    fn run(&mut self, mut total: Self::SystemData) {
        total.0 = follow(total.0, N);
    }
}

fn resource_chain() -> Runner {
    let mut world = World::new();
    world.insert(Total::default());
    let mut builder = DispatcherBuilder::new().with_pool(threads(1));
    let mut earlier = None;
    macro_rules! add {
        ($($number:literal)*) => {$(
            builder.add(Follow::<$number>, stringify!($number), &earlier.into_iter().collect::<Vec<_>>());
            earlier = Some(stringify!($number));
        )*};
    }
    for_each_type!(add);
    _ = earlier;
    let dispatcher = builder.build();
    repeated(
        (world, dispatcher),
        |(world, dispatcher)| dispatcher.dispatch_seq(world),
        |(world, _)| world.fetch::<Total>().0,
    )
}

/// Swaps the numbers of two components. With `SPLIT`, the join splits its work between threads.
struct Swap<X, Y, const SPLIT: bool>(PhantomData<(X, Y)>);

impl<'a, X, Y, const SPLIT: bool> System<'a> for Swap<X, Y, SPLIT>
where
    X: Number + Component<Storage = VecStorage<X>>,
    Y: Number + Component<Storage = VecStorage<Y>>,
{
    type SystemData = (WriteStorage<'a, X>, WriteStorage<'a, Y>);

    fn run(&mut self, (mut first, mut second): Self::SystemData) {
        let both = (&mut first, &mut second);
        match SPLIT {
            true => both.par_join().for_each(|(x, y)| std::mem::swap(x.number(), y.number())),
            false => both.join().for_each(|(x, y)| std::mem::swap(x.number(), y.number())),
        }
    }
}

fn schedule<const SPLIT: bool>(count: usize, thread_count: usize) -> Runner {
    let mut world = World::new();
    world.register::<A>();
    world.register::<B>();
    world.register::<C>();
    world.register::<D>();
    world.register::<E>();
    for n in 0..4 * count {
        let entity = world.create_entity().with(A(swapped(n, 0))).with(B(swapped(n, 1)));
        let entity = if n >= count { entity.with(C(swapped(n, 2))) } else { entity };
        match n / count {
            2 => entity.with(D(swapped(n, 3))).build(),
            3 => entity.with(E(swapped(n, 4))).build(),
            _ => entity.build(),
        };
    }
    let dispatcher = DispatcherBuilder::new()
        .with_pool(threads(thread_count))
        .with(Swap::<A, B, SPLIT>(PhantomData), "ab", &[])
        .with(Swap::<C, D, SPLIT>(PhantomData), "cd", &[])
        .with(Swap::<C, E, SPLIT>(PhantomData), "ce", &[])
        .build();
    repeated(
        (world, dispatcher),
        |(world, dispatcher)| if SPLIT { dispatcher.dispatch(world) } else { dispatcher.dispatch_seq(world) },
        |(world, _)| {
            let [a, c] = [values::<A>(world, |a| a.0), values::<C>(world, |c| c.0)];
            let [d, e] = [values::<D>(world, |d| d.0), values::<E>(world, |e| e.0)];
            of_all_four([a, c, d, e])
        },
    )
}

fn matrices(count: usize) -> Runner {
    let mut world = registered();
    for n in 0..count {
        world.create_entity().with(transform(n)).with(position(n)).build();
    }
    repeated(
        (world, threads(2)),
        |(world, threads)| {
            let (mut transforms, mut positions) =
                (world.write_storage::<Transform>(), world.write_storage::<Position>());
            let both = (&mut transforms, &mut positions).par_join();
            threads.install(|| both.for_each(|(transform, position)| invert(transform, position)));
        },
        |(world, _)| positions(world),
    )
}
