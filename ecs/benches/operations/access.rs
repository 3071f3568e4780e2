//! Access to the components of 100,000 entities by id, in random order.

use divan::Bencher;
use divan::counter::ItemsCount;
use ecs::{Engine, EntityId};

const COUNT: usize = 100_000;

struct Position(f32);

/// The numbers below `COUNT` in a pseudo-random order with a fixed seed.
fn shuffled() -> Vec<usize> {
    let mut order: Vec<usize> = (0..COUNT).collect();
    let mut state = 1_u64;
    for at in (1..COUNT).rev() {
        // Multiplier and increment of Knuth's MMIX.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(at, (state >> 33) as usize % (at + 1));
    }
    order
}

fn world() -> (Engine, Vec<EntityId>) {
    let mut engine = Engine::new();
    let ids = engine.spawn_many((0..COUNT).map(|n| (Position(n as f32),)));
    let ids = shuffled().into_iter().map(|at| ids[at]).collect();
    (engine, ids)
}

#[divan::bench]
fn floor_index_into_an_array(bencher: Bencher) {
    let (values, order): (Vec<f32>, _) = ((0..COUNT).map(|n| n as f32).collect(), shuffled());
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| order.iter().map(|at| values[*at]).sum::<f32>());
}

#[divan::bench]
fn engine_get(bencher: Bencher) {
    let (engine, ids) = world();
    let bencher = bencher.counter(ItemsCount::new(COUNT));
    bencher.bench_local(|| ids.iter().filter_map(|id| engine.get::<Position>(*id)).map(|p| p.0).sum::<f32>());
}

#[divan::bench]
fn query_get(bencher: Bencher) {
    let (mut engine, ids) = world();
    let query = engine.query::<&Position>();
    let bencher = bencher.counter(ItemsCount::new(COUNT));
    bencher.bench_local(|| ids.iter().filter_map(|id| query.get(*id)).map(|p| p.0).sum::<f32>());
}
