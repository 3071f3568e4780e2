//! Systems, on this framework.

use std::hint::black_box;
use std::mem::swap;

use ecs::{Engine, Query, ResMut, Setup, System};

use super::FRAME;
use crate::cases::{Work, follow, of_all_four, swapped};
use crate::components::{A, B, C, D, E, Position, Transform, invert, position, sum, transform};
use crate::events::for_each_type;
use crate::stopwatch::{Runner, repeated};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::EmptySystems => empty_systems(),
        Work::ResourceChain => resource_chain(),
        Work::Waiting => waiting(count),
        Work::Swaps => swaps(count),
        Work::Schedule => schedule::<false>(Engine::new(), count),
        Work::ScheduleOnTwoThreads => schedule::<true>(Engine::builder().threads(2).build(), count),
        Work::Matrices => matrices(count),
        _ => return None,
    })
}

fn update(engine: &mut Engine) {
    engine.update(FRAME).expect("the frame succeeds");
}

/// An empty system that runs after the previous number.
struct Idle<const N: usize>;

impl<const N: usize> Idle<N> {
    fn update(&mut self) {
        black_box(N);
    }
}

impl System for Idle<0> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update);
    }
}

macro_rules! chain {
    ($earlier:literal $later:literal $($rest:literal)*) => {
        impl System for Idle<$later> {
            fn setup(setup: &mut Setup<Self>) {
                setup.after_type::<Idle<$earlier>>().update(Self::update);
            }
        }
        chain!($later $($rest)*);
    };
    ($last:literal) => {};
}
for_each_type!(chain);

fn empty_systems() -> Runner {
    let mut engine = Engine::new();
    macro_rules! add {
        ($($number:literal)*) => { $(engine.add(Idle::<$number>).expect("the system is valid");)* };
    }
    for_each_type!(add);
    repeated(engine, update, |_| 0)
}

/// The resource of a chain of systems.
struct Total(u64);

/// Writes the resource, after the previous number.
struct Writer<const N: usize>;

impl<const N: usize> Writer<N> {
    fn update(&mut self, mut total: ResMut<Total>) {
        total.0 = follow(total.0, N);
    }
}

impl System for Writer<0> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update);
    }
}

macro_rules! writers {
    ($earlier:literal $later:literal $($rest:literal)*) => {
        impl System for Writer<$later> {
            fn setup(setup: &mut Setup<Self>) {
                setup.after_type::<Writer<$earlier>>().update(Self::update);
            }
        }
        writers!($later $($rest)*);
    };
    ($last:literal) => {};
}
for_each_type!(writers);

fn resource_chain() -> Runner {
    let mut engine = Engine::new();
    engine.insert_resource(Total(0));
    macro_rules! add {
        ($($number:literal)*) => { $(engine.add(Writer::<$number>).expect("the system is valid");)* };
    }
    for_each_type!(add);
    repeated(engine, update, |engine| engine.resource::<Total>().map_or(0, |total| total.0))
}

fn waiting(count: usize) -> Runner {
    let mut engine = Engine::new();
    engine.insert_resource(Total(0));
    let wait = |engine: &mut Engine, frames: usize, n: usize| {
        let function = move |mut total: ResMut<Total>| total.0 = follow(total.0, n);
        engine.after(FRAME * frames as u32, function).expect("the resource exists");
    };
    (1..=count).for_each(|n| wait(&mut engine, n, n));
    let mut added = count;
    repeated(
        engine,
        move |engine| {
            added += 1;
            wait(engine, count + 1, added);
            update(engine);
        },
        |engine| engine.resource::<Total>().map_or(0, |total| total.0),
    )
}

/// Swaps A and B, C and D, C and E. With `SPLIT`, each query splits its work between threads.
struct SwapAb<const SPLIT: bool>;
struct SwapCd<const SPLIT: bool>;
struct SwapCe<const SPLIT: bool>;

macro_rules! swapper {
    ($system:ident $first:ident $second:ident) => {
        impl<const SPLIT: bool> System for $system<SPLIT> {
            fn setup(setup: &mut Setup<Self>) {
                setup.update(Self::swap);
            }
        }

        impl<const SPLIT: bool> $system<SPLIT> {
            fn swap(&mut self, mut query: Query<(&mut $first, &mut $second)>) {
                let exchange = |(first, second): (&mut $first, &mut $second)| swap(&mut first.0, &mut second.0);
                if SPLIT {
                    query.par_for_each(exchange);
                } else {
                    query.iter_mut().for_each(exchange);
                }
            }
        }
    };
}
swapper!(SwapAb A B);
swapper!(SwapCd C D);
swapper!(SwapCe C E);

fn schedule<const SPLIT: bool>(mut engine: Engine, count: usize) -> Runner {
    spawn_shapes(&mut engine, count);
    let added = engine.add(SwapAb::<SPLIT>).and_then(|engine| engine.add(SwapCd::<SPLIT>));
    added.and_then(|engine| engine.add(SwapCe::<SPLIT>)).expect("the systems are valid");
    repeated(engine, update, shapes)
}

fn swaps(count: usize) -> Runner {
    let mut engine = Engine::new();
    spawn_shapes(&mut engine, count);
    repeated(
        engine,
        |engine| {
            engine.query::<(&mut A, &mut B)>().iter_mut().for_each(|(a, b)| swap(&mut a.0, &mut b.0));
            engine.query::<(&mut C, &mut D)>().iter_mut().for_each(|(c, d)| swap(&mut c.0, &mut d.0));
            engine.query::<(&mut C, &mut E)>().iter_mut().for_each(|(c, e)| swap(&mut c.0, &mut e.0));
        },
        shapes,
    )
}

fn spawn_shapes(engine: &mut Engine, count: usize) {
    let ab = |n| (A(swapped(n, 0)), B(swapped(n, 1)));
    let abc = |n| (A(swapped(n, 0)), B(swapped(n, 1)), C(swapped(n, 2)));
    for n in 0..count {
        engine.spawn(ab(n));
    }
    for n in count..2 * count {
        engine.spawn(abc(n));
    }
    for n in 2 * count..3 * count {
        let (a, b, c) = abc(n);
        engine.spawn((a, b, c, D(swapped(n, 3))));
    }
    for n in 3 * count..4 * count {
        let (a, b, c) = abc(n);
        engine.spawn((a, b, c, E(swapped(n, 4))));
    }
}

fn shapes(engine: &mut Engine) -> u64 {
    let a = sum(engine.query::<&A>().iter().map(|a| [a.0]));
    let c = sum(engine.query::<&C>().iter().map(|c| [c.0]));
    let d = sum(engine.query::<&D>().iter().map(|d| [d.0]));
    let e = sum(engine.query::<&E>().iter().map(|e| [e.0]));
    of_all_four([a, c, d, e])
}

/// Inverts matrices on all threads.
struct Inversions;

impl System for Inversions {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::invert);
    }
}

impl Inversions {
    fn invert(&mut self, mut query: Query<(&mut Transform, &mut Position)>) {
        query.par_for_each(|(transform, position)| invert(transform, position));
    }
}

fn matrices(count: usize) -> Runner {
    let mut engine = Engine::builder().threads(2).parallel_threshold(1).build();
    for n in 0..count {
        engine.spawn((transform(n), position(n)));
    }
    engine.add(Inversions).expect("the system is valid");
    repeated(engine, update, |engine| sum(engine.query::<&Position>().iter().map(|position| position.0)))
}
