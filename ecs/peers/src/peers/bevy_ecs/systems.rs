//! Schedules and messages of bevy_ecs.

use std::hint::black_box;

use bevy_ecs::component::Mutable;
use bevy_ecs::prelude::{
    Component, IntoScheduleConfigs, MessageReader, MessageWriter, Messages, Query, ResMut, Resource, Schedule, World,
};
use bevy_ecs::schedule::SingleThreadedExecutor;
use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};

use crate::cases::{Work, follow, of_all_four, swapped};
use crate::components::{A, B, C, D, E, Number, Position, Transform, invert, position, sum, transform};
use crate::events::{First, Hit, Second, SendEach, Third, Typed, for_each_type, senders};
use crate::stopwatch::{Runner, repeated};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    let mut world = World::new();
    world.insert_resource(Count(count));
    world.insert_resource(Total(0));
    let mut schedule = Schedule::default();
    if !matches!(work, Work::ScheduleOnTwoThreads | Work::Matrices) {
        schedule.set_executor(SingleThreadedExecutor::new());
    } else {
        ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(2).build());
    }
    let mut checksum: fn(&mut World) -> u64 = |world| world.resource::<Total>().0;
    match work {
        Work::Events => {
            world.init_resource::<Messages<Hit>>();
            schedule.add_systems((forget::<Hit>, send, listen::<0>).chain());
        }
        Work::FanOut => {
            world.init_resource::<Messages<Hit>>();
            let ten = (
                listen::<0>,
                listen::<1>,
                listen::<2>,
                listen::<3>,
                listen::<4>,
                listen::<5>,
                listen::<6>,
                listen::<7>,
            );
            schedule.add_systems((forget::<Hit>, send, ten, listen::<8>, listen::<9>).chain());
        }
        Work::EventsOfManyTypes | Work::EventsToManySystems => {
            macro_rules! add {
                ($($number:literal)*) => {$(
                    world.init_resource::<Messages<Typed<$number>>>();
                    schedule.add_systems(forget::<Typed<$number>>.before(send_many_types));
                    schedule.add_systems(hear_typed::<$number>.after(send_many_types));
                )*};
            }
            for_each_type!(add);
            schedule.add_systems(send_many_types);
        }
        Work::Cascade => {
            world.init_resource::<Messages<First>>();
            world.init_resource::<Messages<Second>>();
            world.init_resource::<Messages<Third>>();
            let forget = (forget::<First>, forget::<Second>, forget::<Third>);
            schedule.add_systems((forget, send_first, send_second, send_third, hear_third).chain());
        }
        Work::EmptySystems => {
            macro_rules! add {
                ($($number:literal)*) => { $(schedule.add_systems(nothing::<$number>.before(nothing::<{ $number + 1 }>));)* };
            }
            for_each_type!(add);
        }
        Work::ResourceChain => {
            macro_rules! add {
                ($($number:literal)*) => { $(schedule.add_systems(write::<$number>.before(write::<{ $number + 1 }>));)* };
            }
            for_each_type!(add);
        }
        Work::Schedule => {
            fill(&mut world, count);
            schedule.add_systems((swap::<A, B>, swap::<C, D>, swap::<C, E>));
            checksum = sums;
        }
        Work::ScheduleOnTwoThreads => {
            fill(&mut world, count);
            schedule.add_systems((swap_in_parallel::<A, B>, swap_in_parallel::<C, D>, swap_in_parallel::<C, E>));
            checksum = sums;
        }
        Work::Matrices => {
            world.spawn_batch((0..count).map(|n| (transform(n), position(n))));
            schedule.add_systems(invert_all);
            checksum = super::positions;
        }
        _ => return None,
    }
    Some(repeated((world, schedule), |(world, schedule)| schedule.run(world), move |(world, _)| checksum(world)))
}

/// The number of events to send.
#[derive(Resource)]
struct Count(usize);

/// The sum of all listeners.
#[derive(Resource)]
struct Total(u64);

impl Total {
    fn add(&mut self, value: u64) {
        self.0 = self.0.wrapping_add(value);
    }
}

/// Between frames, drops the messages of the frame before the last.
fn forget<M: bevy_ecs::message::Message>(mut messages: ResMut<Messages<M>>) {
    messages.update();
}

fn send(count: ResMut<Count>, mut hits: MessageWriter<Hit>) {
    hits.write_batch((0..count.0).map(Hit::new));
}

fn listen<const N: usize>(mut hits: MessageReader<Hit>, mut total: ResMut<Total>) {
    total.add(hits.read().map(Hit::value).fold(0, u64::wrapping_add));
}

senders!(MessageWriter);

impl<const N: usize> SendEach for MessageWriter<'_, Typed<N>> {
    #[inline]
    fn send_each(&mut self, n: usize) {
        self.write(Typed(Hit::new(n)));
    }
}

fn send_many_types(count: ResMut<Count>, mut senders: Senders<'_>) {
    (0..count.0).for_each(|n| senders.send_each(n));
}

fn hear_typed<const N: usize>(mut events: MessageReader<Typed<N>>, mut total: ResMut<Total>) {
    total.add(events.read().map(|event| event.0.value()).fold(0, u64::wrapping_add));
}

fn send_first(count: ResMut<Count>, mut first: MessageWriter<First>) {
    first.write_batch((0..count.0).map(First::new));
}

fn send_second(mut first: MessageReader<First>, mut second: MessageWriter<Second>) {
    second.write_batch(first.read().map(First::cause));
}

fn send_third(mut second: MessageReader<Second>, mut third: MessageWriter<Third>) {
    third.write_batch(second.read().map(Second::cause));
}

fn hear_third(mut third: MessageReader<Third>, mut total: ResMut<Total>) {
    total.add(third.read().map(Third::value).fold(0, u64::wrapping_add));
}

fn nothing<const N: usize>() {
    black_box(N);
}

fn write<const N: usize>(mut total: ResMut<Total>) {
    total.0 = follow(total.0, N);
}

/// A component that wraps a mutable number.
trait Value: Number + Component<Mutability = Mutable> {}

impl<T: Number + Component<Mutability = Mutable>> Value for T {}

fn swap<X: Value, Y: Value>(mut query: Query<(&mut X, &mut Y)>) {
    query.iter_mut().for_each(|(mut x, mut y)| std::mem::swap(x.number(), y.number()));
}

fn swap_in_parallel<X: Value, Y: Value>(mut query: Query<(&mut X, &mut Y)>) {
    query.par_iter_mut().for_each(|(mut x, mut y)| std::mem::swap(x.number(), y.number()));
}

fn fill(world: &mut World, count: usize) {
    let ab = |n| (A(swapped(n, 0)), B(swapped(n, 1)));
    let abc = |n| (A(swapped(n, 0)), B(swapped(n, 1)), C(swapped(n, 2)));
    world.spawn_batch((0..count).map(ab));
    world.spawn_batch((count..2 * count).map(abc));
    world.spawn_batch((2 * count..3 * count).map(|n| (abc(n), D(swapped(n, 3)))));
    world.spawn_batch((3 * count..4 * count).map(|n| (abc(n), E(swapped(n, 4)))));
}

fn sums(world: &mut World) -> u64 {
    let a = sum(world.query::<&A>().iter(world).map(|a| [a.0]));
    let c = sum(world.query::<&C>().iter(world).map(|c| [c.0]));
    let d = sum(world.query::<&D>().iter(world).map(|d| [d.0]));
    let e = sum(world.query::<&E>().iter(world).map(|e| [e.0]));
    of_all_four([a, c, d, e])
}

fn invert_all(mut query: Query<(&mut Transform, &mut Position)>) {
    query.par_iter_mut().for_each(|(mut transform, mut position)| invert(&mut transform, &mut position));
}
