//! Events. The floor pushes to vectors and iterates over them.

use std::hint::black_box;

use super::{Case, Work};
use crate::events::{First, HEAVY_LISTENERS, Hit, LISTENERS, Second, TYPES, Third};
use crate::stopwatch::{Runner, repeated};

pub(super) const CASES: [Case; 8] = [
    Case::new("events", "1,000,000 events, one type, one listener", Work::Events, (1_000_000, 2), 1.5),
    Case::new("events-100-types", "100 types × 10,000 events in turn", Work::EventsOfManyTypes, (10_000, 2), 3.0),
    Case::new(
        "events-100-systems",
        "100 types × 1,000 events in turn, 100 listening systems",
        Work::EventsToManySystems,
        (1_000, 20),
        3.0,
    ),
    Case::new(
        "events-100-systems-10",
        "100 types × 10 events in turn, 100 listening systems",
        Work::EventsToManySystems,
        (10, 2_000),
        4.0,
    ),
    Case::new("fan-out", "100,000 events to 10 listeners", Work::FanOut, (100_000, 5), 2.0),
    Case::new(
        "heavy-listeners",
        "100,000 events to 4 heavy listeners, 2 threads",
        Work::HeavyListeners,
        (100_000, 2),
        0.6,
    ),
    Case::new("observers", "10,000 observed entities, an event to each", Work::Observers, (10_000, 20), 10.0),
    Case::new("cascade", "100,000 cascades of 3 rounds", Work::Cascade, (100_000, 5), 2.0),
];

pub(super) fn floor(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::Events => events(count),
        Work::EventsOfManyTypes | Work::EventsToManySystems => events_of_many_types(count),
        Work::FanOut => fan_out(count),
        Work::HeavyListeners => heavy_listeners(count),
        Work::Observers => observers(count),
        Work::Cascade => cascade(count),
        _ => return None,
    })
}

fn total(events: &[Hit]) -> u64 {
    black_box(events).iter().map(Hit::value).fold(0, u64::wrapping_add)
}

fn events(count: usize) -> Runner {
    repeated(
        (Vec::new(), 0_u64),
        move |(queue, sum)| {
            queue.clear();
            (0..count).for_each(|n| queue.push(Hit::new(n)));
            *sum = sum.wrapping_add(total(queue));
        },
        |(_, sum)| *sum,
    )
}

fn events_of_many_types(count: usize) -> Runner {
    let queues: Vec<Vec<Hit>> = vec![Vec::new(); TYPES];
    repeated(
        (queues, 0_u64),
        move |(queues, sum)| {
            queues.iter_mut().for_each(Vec::clear);
            for n in 0..count {
                queues.iter_mut().for_each(|queue| queue.push(Hit::new(n)));
            }
            *sum = queues.iter().map(|queue| total(queue)).fold(*sum, u64::wrapping_add);
        },
        |(_, sum)| *sum,
    )
}

fn fan_out(count: usize) -> Runner {
    repeated(
        (Vec::new(), [0_u64; LISTENERS]),
        move |(queue, sums)| {
            queue.clear();
            (0..count).for_each(|n| queue.push(Hit::new(n)));
            sums.iter_mut().for_each(|sum| *sum = sum.wrapping_add(total(queue)));
        },
        |(_, sums)| sums.iter().copied().fold(0, u64::wrapping_add),
    )
}

fn heavy_listeners(count: usize) -> Runner {
    repeated(
        (Vec::new(), [0_u64; HEAVY_LISTENERS]),
        move |(queue, sums)| {
            queue.clear();
            (0..count).for_each(|n| queue.push(Hit::new(n)));
            for sum in sums {
                *sum = black_box(&*queue).iter().map(Hit::heavy_value).fold(*sum, u64::wrapping_add);
            }
        },
        |(_, sums)| sums.iter().copied().fold(0, u64::wrapping_add),
    )
}

/// The observers are functions in a list by entity.
fn observers(count: usize) -> Runner {
    fn hear(total: &mut u64, hit: &Hit) {
        *total = total.wrapping_add(hit.value());
    }
    let observers: Vec<fn(&mut u64, &Hit)> = vec![hear; count];
    repeated(
        (Vec::new(), observers, 0_u64),
        move |(queue, observers, total)| {
            queue.clear();
            (0..count).for_each(|n| queue.push(Hit::new(n)));
            for hit in black_box(&*queue) {
                black_box(observers[hit.target as usize])(total, hit);
            }
        },
        |(.., total)| *total,
    )
}

fn cascade(count: usize) -> Runner {
    type Queues = (Vec<First>, Vec<Second>, Vec<Third>, u64);
    repeated(
        Queues::default(),
        move |(first, second, third, sum)| {
            first.clear();
            second.clear();
            third.clear();
            (0..count).for_each(|n| first.push(First::new(n)));
            second.extend(black_box(first).iter().map(First::cause));
            third.extend(black_box(second).iter().map(Second::cause));
            *sum = black_box(third).iter().map(Third::value).fold(*sum, u64::wrapping_add);
        },
        |(.., sum)| *sum,
    )
}
