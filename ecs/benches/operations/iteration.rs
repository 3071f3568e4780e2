//! Iteration over two components: position += velocity.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use ecs::{Engine, Query};

#[derive(Clone, Copy)]
struct Position([f32; 3]);
#[derive(Clone, Copy)]
struct Velocity([f32; 3]);

const COUNTS: [usize; 2] = [10_000, 1_000_000];

fn advance(position: &mut Position, velocity: &Velocity) {
    position.0[0] += velocity.0[0];
    position.0[1] += velocity.0[1];
    position.0[2] += velocity.0[2];
}

fn row(n: usize) -> (Position, Velocity) {
    (Position([n as f32, 0.0, 1.0]), Velocity([1.0, 2.0, n as f32]))
}

fn iterate(bencher: Bencher, count: usize, run: fn(Query<(&mut Position, &Velocity)>)) {
    let mut engine = Engine::new();
    engine.spawn_many((0..count).map(row));
    bencher.counter(ItemsCount::new(count)).bench_local(|| run(engine.query()));
}

#[divan::bench(args = COUNTS)]
fn floor_arrays(bencher: Bencher, count: usize) {
    let (mut positions, velocities): (Vec<_>, Vec<_>) = (0..count).map(row).unzip();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        let (positions, velocities) = (black_box(&mut positions), black_box(&velocities));
        positions.iter_mut().zip(velocities).for_each(|(position, velocity)| advance(position, velocity));
    });
}

#[divan::bench(args = COUNTS)]
fn slices(bencher: Bencher, count: usize) {
    iterate(bencher, count, |mut movers| {
        for (positions, velocities) in movers.slices_mut() {
            positions.iter_mut().zip(velocities).for_each(|(position, velocity)| advance(position, velocity));
        }
    });
}

#[divan::bench(args = COUNTS)]
fn one_kind_with_for_each(bencher: Bencher, count: usize) {
    iterate(bencher, count, |mut movers| {
        movers.iter_mut().for_each(|(position, velocity)| advance(position, velocity));
    });
}

#[divan::bench(args = COUNTS)]
fn one_kind_with_for_loop(bencher: Bencher, count: usize) {
    iterate(bencher, count, |mut movers| {
        for (position, velocity) in &mut movers {
            advance(position, velocity);
        }
    });
}

/// Velocities that were inserted later, in another order, so that each is looked up.
fn fragmented(count: usize) -> Engine {
    let mut engine = Engine::new();
    let ids = engine.spawn_many((0..count).map(|n| (row(n).0,)));
    // 7,919 is coprime to the counts, so each entity gets a velocity.
    engine.insert_many((0..count).map(|n| (ids[n * 7_919 % count], (row(n).1,)))).expect("the entities exist");
    engine
}

#[divan::bench(args = COUNTS)]
fn fragmented_with_for_each(bencher: Bencher, count: usize) {
    let mut engine = fragmented(count);
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        let mut movers = engine.query::<(&mut Position, &Velocity)>();
        movers.iter_mut().for_each(|(position, velocity)| advance(position, velocity));
    });
}

#[divan::bench(args = COUNTS)]
fn fragmented_with_for_loop(bencher: Bencher, count: usize) {
    let mut engine = fragmented(count);
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        for (position, velocity) in &mut engine.query::<(&mut Position, &Velocity)>() {
            advance(position, velocity);
        }
    });
}
