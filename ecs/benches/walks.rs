//! Walking two components, position += velocity: what a query costs beside arrays written by hand, as a ratio in one run.
//!
//! `cargo bench -p ecs --bench walks`

use std::hint::black_box;
use std::time::{Duration, Instant};

use ecs::{Engine, Query};

#[derive(Clone, Copy)]
struct Position([f32; 3]);
#[derive(Clone, Copy)]
struct Velocity([f32; 3]);

fn advance(position: &mut Position, velocity: &Velocity) {
    position.0[0] += velocity.0[0];
    position.0[1] += velocity.0[1];
    position.0[2] += velocity.0[2];
}

fn start(n: usize) -> (Position, Velocity) {
    (Position([n as f32, 0.0, 1.0]), Velocity([1.0, 2.0, n as f32]))
}

fn engine(count: usize, is_grouped: bool) -> Engine {
    let mut engine = Engine::new();
    if is_grouped {
        engine.group::<(Position, Velocity)>().expect("nothing else is grouped");
    }
    (0..count).for_each(|n| _ = engine.spawn(start(n)));
    engine
}

fn per_item(mut movers: Query<(&mut Position, &Velocity)>) {
    for (position, velocity) in &mut movers {
        advance(position, velocity);
    }
}

fn each(mut movers: Query<(&mut Position, &Velocity)>) {
    movers.iter_mut().for_each(|(position, velocity)| advance(position, velocity));
}

fn slices(mut movers: Query<(&mut Position, &Velocity)>) {
    let (positions, velocities) = movers.slices_mut().expect("the group was declared");
    positions.iter_mut().zip(velocities).for_each(|(position, velocity)| advance(position, velocity));
}

/// Runs the contestants in turn and prints the median of each, per entity and as a multiple of the first.
fn compete(count: usize, contestants: &mut [(&str, &mut dyn FnMut())]) {
    let repeats = (1_000_000 / count).max(1);
    let mut times = vec![Vec::new(); contestants.len()];
    for _ in 0..21 {
        for ((_, run), times) in contestants.iter_mut().zip(&mut times) {
            let started = Instant::now();
            (0..repeats).for_each(|_| run());
            times.push(started.elapsed());
        }
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2].as_nanos() as f64 / (repeats * count) as f64
    };
    let medians: Vec<_> = times.iter_mut().map(median).collect();
    for ((name, _), nanos) in contestants.iter().zip(&medians) {
        println!("{count:>9}  {name:<28} {nanos:>7.3} ns  {:>5.2} x", nanos / medians[0]);
    }
}

fn main() {
    for count in [10_000, 1_000_000] {
        let (mut positions, velocities): (Vec<_>, Vec<_>) = (0..count).map(start).unzip();
        let mut plain = engine(count, false);
        let mut grouped = [engine(count, true), engine(count, true), engine(count, true)];
        let [first, second, third] = &mut grouped;
        let mut floor = || {
            let (positions, velocities) = (black_box(&mut positions), black_box(&velocities));
            positions.iter_mut().zip(velocities).for_each(|(position, velocity)| advance(position, velocity));
        };
        compete(
            count,
            &mut [
                ("arrays by hand", &mut floor),
                ("slices of a group", &mut || slices(first.query())),
                ("group, for_each", &mut || each(second.query())),
                ("group, per item", &mut || per_item(third.query())),
                ("no group, per item", &mut || per_item(plain.query())),
            ],
        );
    }
}
