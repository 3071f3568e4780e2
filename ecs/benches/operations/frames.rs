//! The cost of a frame: an empty one, and one with a chain of 100 empty systems, compared with 100 indirect calls.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use ecs::{Engine, Setup, System};

use super::FRAME;

/// An empty system. Each `N` is a function of its own.
struct Link<const N: usize>;

impl<const N: usize> Link<N> {
    fn update(&mut self) {
        black_box(N);
    }
}

macro_rules! chain {
    ($first:literal $($n:literal)*) => {
        chain!(@links [] $first $($n)*);

        /// Adds each link to the engine, and a call of it to `calls`.
        fn chain(engine: &mut Engine, calls: &mut Vec<Box<dyn FnMut()>>) {
            chain!(@add engine, calls, $first $($n)*);
        }
    };
    (@links [$($before:literal)?] $n:literal $($rest:literal)*) => {
        impl System for Link<$n> {
            fn setup(setup: &mut Setup<Self>) {
                setup$(.after_type::<Link<$before>>())?.update(Self::update);
            }
        }
        chain!(@links [$n] $($rest)*);
    };
    (@links [$last:literal]) => {};
    (@add $engine:ident, $calls:ident, $($n:literal)*) => {$(
        $engine.add(Link::<$n>).expect("the system is valid");
        $calls.push(Box::new(|| Link::<$n>.update()));
    )*};
}

chain! {
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
    25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49
    50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74
    75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99
}

#[divan::bench]
fn empty_frame(bencher: Bencher) {
    let mut engine = Engine::new();
    bencher.bench_local(|| engine.update(FRAME).expect("the frame succeeds"));
}

#[divan::bench]
fn floor_100_indirect_calls(bencher: Bencher) {
    let (mut engine, mut calls) = (Engine::new(), Vec::new());
    chain(&mut engine, &mut calls);
    let bencher = bencher.counter(ItemsCount::new(calls.len()));
    bencher.bench_local(|| black_box(&mut calls).iter_mut().for_each(|call| call()));
}

#[divan::bench]
fn chain_of_100_empty_systems(bencher: Bencher) {
    let (mut engine, mut calls) = (Engine::new(), Vec::new());
    chain(&mut engine, &mut calls);
    let bencher = bencher.counter(ItemsCount::new(calls.len()));
    bencher.bench_local(|| engine.update(FRAME).expect("the frame succeeds"));
}
