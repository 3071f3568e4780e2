//! Snapshots of 100,000 entities with four plain components, compared with copying the component arrays.

use divan::Bencher;
use ecs::{Engine, Snapshot};

const COUNT: usize = 100_000;

type Column = Vec<[f32; 4]>;

#[derive(Clone, Copy)]
struct Plain<const N: usize>(#[allow(dead_code)] [f32; 4]);

fn engine() -> Engine {
    let mut engine = Engine::new();
    let types = engine.types_mut();
    fn hash<const N: usize>(plain: &Plain<N>, hash: &mut ecs::snapshot::StateHasher) {
        hash.add(&plain.0);
    }
    let named = types.component_by("0", hash::<0>).and_then(|types| types.component_by("1", hash::<1>));
    let named = named.and_then(|types| types.component_by("2", hash::<2>)?.component_by("3", hash::<3>));
    assert!(named.is_ok(), "four types, four names");
    let value = |n: usize| [n as f32; 4];
    engine.spawn_many(
        (0..COUNT).map(|n| (Plain::<0>(value(n)), Plain::<1>(value(n)), Plain::<2>(value(n)), Plain::<3>(value(n)))),
    );
    engine
}

/// Marks all values as changed.
fn write(engine: &mut Engine) {
    engine.query::<(&mut Plain<0>, &mut Plain<1>, &mut Plain<2>, &mut Plain<3>)>();
}

/// Marks the structure of all pools as changed.
fn restructure(engine: &mut Engine) {
    let value = [0.0; 4];
    let entity = engine.spawn((Plain::<0>(value), Plain::<1>(value), Plain::<2>(value), Plain::<3>(value)));
    engine.despawn(entity).expect("it was just spawned");
}

fn snapshot_and_restore(bencher: Bencher, change: fn(&mut Engine)) {
    let mut engine = engine();
    let mut snapshot = Snapshot::new();
    bencher.bench_local(|| {
        change(&mut engine);
        engine.snapshot_into(&mut snapshot).expect("all types are registered");
        change(&mut engine);
        engine.restore(&snapshot).expect("it was just taken");
    });
}

#[divan::bench]
fn floor_copy_arrays_out_and_in(bencher: Bencher) {
    let mut columns: [Column; 4] = std::array::from_fn(|_| (0..COUNT).map(|n| [n as f32; 4]).collect());
    let mut copies = columns.clone();
    bencher.bench_local(|| {
        copies.iter_mut().zip(&columns).for_each(|(copy, column)| copy.clone_from(column));
        std::hint::black_box(&mut copies);
        columns.iter_mut().zip(&copies).for_each(|(column, copy)| column.clone_from(copy));
        std::hint::black_box(&mut columns);
    });
}

#[divan::bench]
fn values_changed(bencher: Bencher) {
    snapshot_and_restore(bencher, write);
}

#[divan::bench]
fn values_and_structure_changed(bencher: Bencher) {
    snapshot_and_restore(bencher, |engine| {
        write(engine);
        restructure(engine);
    });
}

#[divan::bench]
fn nothing_changed(bencher: Bencher) {
    snapshot_and_restore(bencher, |_| {});
}

#[divan::bench]
fn state_hash(bencher: Bencher) {
    let mut engine = engine();
    let mut hash = ecs::StateHash::default();
    bencher.bench_local(|| engine.state_hash_into(&mut hash).expect("all types are registered"));
}
