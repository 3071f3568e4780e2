//! Spawning and despawning, inserting and removing, 10,000 at a time, compared with hand-written arrays and a sparse
//! set.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use ecs::{Commands, Engine, EntityId, Query, Setup, System};

use super::FRAME;

const COUNT: usize = 10_000;

#[derive(Clone, Copy)]
struct Transform(#[allow(dead_code)] [f32; 16]);
#[derive(Clone, Copy)]
struct Position(#[allow(dead_code)] [f32; 3]);
#[derive(Clone, Copy)]
struct Rotation(#[allow(dead_code)] [f32; 3]);
#[derive(Clone, Copy)]
struct Velocity(#[allow(dead_code)] [f32; 3]);
#[derive(Clone, Copy)]
struct Mark(#[allow(dead_code)] f32);

type Row = (Transform, Position, Rotation, Velocity);

fn row(n: usize) -> Row {
    (Transform([1.0; 16]), Position([n as f32, 0.0, 0.0]), Rotation([0.0; 3]), Velocity([1.0; 3]))
}

#[derive(Default)]
struct Arrays(Vec<Transform>, Vec<Position>, Vec<Rotation>, Vec<Velocity>);

impl Arrays {
    fn push(&mut self, row: Row) {
        self.0.push(row.0);
        self.1.push(row.1);
        self.2.push(row.2);
        self.3.push(row.3);
    }
}

/// A minimal hand-written sparse set.
#[derive(Default)]
struct SparseSet {
    sparse: Vec<u32>,
    owners: Vec<u32>,
    values: Vec<Mark>,
}

impl SparseSet {
    fn insert(&mut self, index: u32, value: Mark) {
        self.sparse[index as usize] = self.owners.len() as u32;
        self.owners.push(index);
        self.values.push(value);
    }

    fn remove(&mut self, index: u32) {
        let position = std::mem::replace(&mut self.sparse[index as usize], u32::MAX) as usize;
        self.owners.swap_remove(position);
        self.values.swap_remove(position);
        if let Some(moved) = self.owners.get(position) {
            self.sparse[*moved as usize] = position as u32;
        }
    }
}

fn fresh() -> Engine {
    let mut engine = Engine::new();
    engine.query::<(&Transform, &Position, &Rotation, &Velocity)>();
    engine
}

fn items() -> ItemsCount {
    ItemsCount::new(COUNT)
}

#[divan::bench]
fn spawn_floor_pushes_to_arrays(bencher: Bencher) {
    bencher.counter(items()).with_inputs(Arrays::default).bench_local_refs(|arrays| {
        (0..COUNT).for_each(|n| arrays.push(black_box(row(n))));
    });
}

#[divan::bench]
fn spawn_one_by_one(bencher: Bencher) {
    bencher.counter(items()).with_inputs(fresh).bench_local_refs(|engine| {
        (0..COUNT).for_each(|n| _ = engine.spawn(black_box(row(n))));
    });
}

#[divan::bench]
fn spawn_many(bencher: Bencher) {
    bencher
        .counter(items())
        .with_inputs(fresh)
        .bench_local_refs(|engine| engine.spawn_many((0..COUNT).map(|n| black_box(row(n)))));
}

#[divan::bench]
fn spawn_columns(bencher: Bencher) {
    let columns = || {
        let mut arrays = Arrays::default();
        (0..COUNT).for_each(|n| arrays.push(row(n)));
        (fresh(), (arrays.0, arrays.1, arrays.2, arrays.3))
    };
    bencher.counter(items()).with_inputs(columns).bench_local_values(|(mut engine, columns)| {
        let ids = engine.spawn_columns(columns).expect("the columns are equal");
        (engine, ids)
    });
}

#[divan::bench]
fn respawn_one_by_one(bencher: Bencher) {
    let mut engine = fresh();
    let mut ids = Vec::new();
    bencher.counter(items()).bench_local(|| {
        ids.drain(..).for_each(|id| engine.despawn(id).expect("the entity exists"));
        ids.extend((0..COUNT).map(|n| engine.spawn(black_box(row(n)))));
    });
}

#[divan::bench]
fn respawn_many(bencher: Bencher) {
    let mut engine = fresh();
    let mut ids = Vec::new();
    bencher.counter(items()).bench_local(|| {
        engine.despawn_many(ids.drain(..)).expect("the entities exist");
        ids = engine.spawn_many((0..COUNT).map(|n| black_box(row(n))));
    });
}

/// Despawns all entities and spawns as many again.
struct Renewal;

impl System for Renewal {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::renew);
    }
}

impl Renewal {
    fn renew(&mut self, all: Query<(EntityId, &Position)>, mut commands: Commands) {
        for (entity, _) in &all {
            commands.despawn(entity);
            commands.spawn(row(1));
        }
    }
}

#[divan::bench]
fn respawn_by_command(bencher: Bencher) {
    let mut engine = fresh();
    engine.add(Renewal).expect("the system is valid");
    engine.spawn_many((0..COUNT).map(row));
    bencher.counter(items()).bench_local(|| engine.update(FRAME).expect("the frame succeeds"));
}

#[divan::bench]
fn insert_and_remove_floor_sparse_set(bencher: Bencher) {
    let mut set = SparseSet { sparse: vec![u32::MAX; COUNT + 1], ..SparseSet::default() };
    bencher.counter(items()).bench_local(|| {
        (0..COUNT as u32).for_each(|index| set.insert(black_box(index), Mark(1.0)));
        (0..COUNT as u32).for_each(|index| set.remove(black_box(index)));
    });
}

fn with_positions() -> (Engine, Vec<EntityId>) {
    let mut engine = Engine::new();
    let ids = engine.spawn_many((0..COUNT).map(|n| (row(n).1,)));
    (engine, ids)
}

#[divan::bench]
fn insert_and_remove_one_by_one(bencher: Bencher) {
    let (mut engine, ids) = with_positions();
    bencher.counter(items()).bench_local(|| {
        ids.iter().for_each(|id| engine.insert(*id, (Mark(1.0),)).expect("the entity exists"));
        ids.iter().for_each(|id| engine.remove::<Mark>(*id).expect("the entity exists"));
    });
}

#[divan::bench]
fn insert_and_remove_many(bencher: Bencher) {
    let (mut engine, ids) = with_positions();
    bencher.counter(items()).bench_local(|| {
        engine.insert_many(ids.iter().map(|id| (*id, (Mark(1.0),)))).expect("the entities exist");
        engine.remove_many::<Mark>(ids.iter().copied()).expect("the entities exist");
    });
}

/// Inserts a mark into all entities and removes it again.
struct Marking(Vec<EntityId>);

impl System for Marking {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::mark);
    }
}

impl Marking {
    fn mark(&mut self, mut commands: Commands) {
        self.0.iter().for_each(|id| commands.insert(*id, (Mark(1.0),)));
        self.0.iter().for_each(|id| commands.remove::<Mark>(*id));
    }
}

/// A second source of commands: with two sources, the engine must track which one inserts what.
struct Bystander(EntityId);

impl System for Bystander {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::enable);
    }
}

impl Bystander {
    fn enable(&mut self, mut commands: Commands) {
        commands.enable(self.0);
    }
}

/// With one system that records commands, and with two.
#[divan::bench(args = [1, 2])]
fn insert_and_remove_by_command(bencher: Bencher, systems: usize) {
    let (mut engine, ids) = with_positions();
    let first = ids[0];
    engine.add(Marking(ids)).expect("the system is valid");
    if systems == 2 {
        engine.add(Bystander(first)).expect("the system is valid");
    }
    bencher.counter(items()).bench_local(|| engine.update(FRAME).expect("the frame succeeds"));
}

fn with_marks() -> (Engine, Vec<EntityId>) {
    let (mut engine, ids) = with_positions();
    engine.insert_many(ids.iter().map(|id| (*id, (Mark(1.0),)))).expect("the entities exist");
    (engine, ids)
}

/// Compare with `insert_and_remove_one_by_one`.
#[divan::bench]
fn disable_and_enable_a_component(bencher: Bencher) {
    let (mut engine, ids) = with_marks();
    bencher.counter(items()).bench_local(|| {
        ids.iter().for_each(|id| engine.disable_component::<Mark>(*id).expect("the entity exists"));
        ids.iter().for_each(|id| engine.enable_component::<Mark>(*id).expect("the entity exists"));
    });
}

#[divan::bench]
fn disable_and_enable_an_entity(bencher: Bencher) {
    let (mut engine, ids) = with_marks();
    bencher.counter(items()).bench_local(|| {
        ids.iter().for_each(|id| engine.disable(*id).expect("the entity exists"));
        ids.iter().for_each(|id| engine.enable(*id).expect("the entity exists"));
    });
}
