//! Systems. The floor uses indirect calls and loops.

use std::collections::VecDeque;
use std::hint::black_box;
use std::mem::swap;

use super::{Case, Work};
use crate::components::{A, B, C, D, E, Position, Transform, invert, position, sum, transform};
use crate::events::for_each_type;
use crate::stopwatch::{Runner, repeated};

/// Swaps are repeated an odd number of times; an even number would restore the initial values.
pub(super) const CASES: [Case; 7] = [
    Case::new("empty-systems", "100 empty systems in a chain", Work::EmptySystems, (100, 2_000), 3.0),
    Case::new(
        "resource-chain",
        "100 systems in a chain that write one resource",
        Work::ResourceChain,
        (100, 2_000),
        4.0,
    ),
    Case::new("waiting", "1,000 waiting functions, one comes and one ends", Work::Waiting, (1_000, 100), 1_000.0),
    Case::new("schedule", "3 systems, 5 components, 40,000 entities, 1 thread", Work::Schedule, (10_000, 31), 1.1),
    Case::new(
        "schedule-1m",
        "the same, 1,000,000 entities, 2 threads",
        Work::ScheduleOnTwoThreads,
        (250_000, 21),
        0.65,
    ),
    Case::new("swaps", "3 queries outside of systems, 4 × 250,000 entities", Work::Swaps, (250_000, 3), 2.0),
    Case::new("matrices", "1,000 × 100 inversions of 4×4, 2 threads", Work::Matrices, (1_000, 5), 1.0),
];

pub(super) fn floor(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::EmptySystems => empty_systems(),
        Work::ResourceChain => resource_chain(),
        Work::Waiting => waiting(count),
        Work::Swaps | Work::Schedule | Work::ScheduleOnTwoThreads => schedule(count),
        Work::Matrices => matrices(count),
        _ => return None,
    })
}

/// The functions differ, as those of systems do; the compiler would merge identical ones.
fn empty_systems() -> Runner {
    fn nothing<const N: usize>() {
        black_box(N);
    }
    macro_rules! functions {
        ($($number:literal)*) => { [$(nothing::<$number>),*] };
    }
    let systems: [fn(); 100] = for_each_type!(functions);
    repeated(systems, |systems| black_box(systems).iter().for_each(|system| system()), |_| 0)
}

/// What each system of a chain does to the resource: the order of the systems changes the result.
pub(crate) fn follow(total: u64, n: usize) -> u64 {
    (total ^ n as u64).wrapping_mul(3)
}

/// Boxed closures that count down the steps.
fn waiting(count: usize) -> Runner {
    type Wait = (usize, Box<dyn FnOnce(&mut u64)>);
    let function = |n: usize| move |total: &mut u64| *total = follow(*total, n);
    let waiting: VecDeque<Wait> = (1..=count).map(|n| -> Wait { (n, Box::new(function(n))) }).collect();
    repeated(
        (waiting, count, 0_u64),
        move |(waiting, added, total)| {
            *added += 1;
            waiting.push_back((count + 1, Box::new(function(*added))));
            waiting.iter_mut().for_each(|(left, _)| *left -= 1);
            while let Some((_, run)) = waiting.pop_front_if(|(left, _)| *left == 0) {
                run(total);
            }
        },
        |(_, _, total)| *total,
    )
}

fn resource_chain() -> Runner {
    fn write<const N: usize>(total: &mut u64) {
        *total = follow(*total, N);
    }
    macro_rules! functions {
        ($($number:literal)*) => { [$(write::<$number>),*] };
    }
    let systems: [fn(&mut u64); 100] = for_each_type!(functions);
    repeated(
        (systems, 0),
        |(systems, total)| black_box(systems).iter().for_each(|system| system(total)),
        |(_, total)| *total,
    )
}

/// The value of component number `component` of entity `n`.
pub(crate) fn swapped(n: usize, component: usize) -> f32 {
    (n * 8 + component) as f32
}

/// Combines the sums of A, C, D and E, so that swapped values change the result.
pub(crate) fn of_all_four(sums: [u64; 4]) -> u64 {
    sums.into_iter().zip([1, 3, 5, 7]).map(|(sum, factor)| sum.wrapping_mul(factor)).fold(0, u64::wrapping_add)
}

/// An equal number of entities with AB, ABC, ABCD and ABCE.
struct Shapes {
    a: Vec<A>,
    b: Vec<B>,
    /// First the entities with neither D nor E, then those with D, then those with E.
    c: Vec<C>,
    d: Vec<D>,
    e: Vec<E>,
}

fn schedule(count: usize) -> Runner {
    let world = Shapes {
        a: (0..4 * count).map(|n| A(swapped(n, 0))).collect(),
        b: (0..4 * count).map(|n| B(swapped(n, 1))).collect(),
        c: (count..4 * count).map(|n| C(swapped(n, 2))).collect(),
        d: (2 * count..3 * count).map(|n| D(swapped(n, 3))).collect(),
        e: (3 * count..4 * count).map(|n| E(swapped(n, 4))).collect(),
    };
    repeated(
        world,
        move |Shapes { a, b, c, d, e }| {
            black_box(&mut *a).iter_mut().zip(b).for_each(|(a, b)| swap(&mut a.0, &mut b.0));
            let (with_d, with_e) = black_box(c)[count..].split_at_mut(count);
            with_d.iter_mut().zip(d).for_each(|(c, d)| swap(&mut c.0, &mut d.0));
            with_e.iter_mut().zip(e).for_each(|(c, e)| swap(&mut c.0, &mut e.0));
        },
        |Shapes { a, c, d, e, .. }| {
            let [a, c] = [sum(a.iter().map(|a| [a.0])), sum(c.iter().map(|c| [c.0]))];
            let [d, e] = [sum(d.iter().map(|d| [d.0])), sum(e.iter().map(|e| [e.0]))];
            of_all_four([a, c, d, e])
        },
    )
}

fn matrices(count: usize) -> Runner {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads can be started");
    let world: (Vec<Transform>, Vec<Position>) = (0..count).map(|n| (transform(n), position(n))).unzip();
    fn half(transforms: &mut [Transform], positions: &mut [Position]) {
        transforms.iter_mut().zip(positions).for_each(|(transform, position)| invert(transform, position));
    }
    repeated(
        world,
        move |(transforms, positions)| {
            let (first_transforms, last_transforms) = black_box(transforms).split_at_mut(count / 2);
            let (first_positions, last_positions) = positions.split_at_mut(count / 2);
            threads.join(|| half(first_transforms, first_positions), || half(last_transforms, last_positions));
        },
        |(_, positions)| sum(positions.iter().map(|position| position.0)),
    )
}
