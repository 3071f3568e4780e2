//! Entities and components coming and going, beside arrays and a sparse set written by hand, as ratios in one run.
//!
//! `cargo bench -p ecs --bench structure`

use std::hint::black_box;
use std::time::{Duration, Instant};

use ecs::{Engine, EntityId};
use slotmap::SlotMap;

const COUNT: usize = 10_000;

#[derive(Clone, Copy)]
struct Transform(#[allow(dead_code)] [f32; 16]);
#[derive(Clone, Copy)]
struct Position([f32; 3]);
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

    fn clear(&mut self) {
        self.0.clear();
        self.1.clear();
        self.2.clear();
        self.3.clear();
    }
}

/// A sparse set as one would write it by hand.
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

/// Runs the contestants in turn and prints the median of each, per entity and as a multiple of the first.
fn compete(title: &str, contestants: &mut [(&str, &mut dyn FnMut())]) {
    let mut times = vec![Vec::new(); contestants.len()];
    for _ in 0..41 {
        for ((_, run), times) in contestants.iter_mut().zip(&mut times) {
            let started = Instant::now();
            run();
            times.push(started.elapsed());
        }
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2].as_nanos() as f64 / COUNT as f64
    };
    let medians: Vec<_> = times.iter_mut().map(median).collect();
    println!("{title}");
    for ((name, _), nanos) in contestants.iter().zip(&medians) {
        println!("    {name:<44} {nanos:>7.2} ns  {:>5.2} x", nanos / medians[0]);
    }
}

fn spawning() {
    let fresh = || {
        let mut engine = Engine::new();
        engine.query::<(&Transform, &Position, &Rotation, &Velocity)>();
        engine
    };
    compete(
        "spawn 10k with 4 components into a new world",
        &mut [
            ("pushes to arrays", &mut || {
                let mut arrays = Arrays::default();
                (0..COUNT).for_each(|n| arrays.push(black_box(row(n))));
                black_box(arrays);
            }),
            ("pushes to arrays, and ids from a slot map", &mut || {
                let (mut arrays, mut ids) = (Arrays::default(), SlotMap::<EntityId, u64>::with_key());
                let mut owners = Vec::new();
                (0..COUNT).for_each(|n| arrays.push(black_box(row(n))));
                owners.extend((0..COUNT).map(|n| ids.insert(n as u64)));
                black_box((arrays, ids, owners));
            }),
            ("one by one", &mut || {
                let mut engine = fresh();
                (0..COUNT).for_each(|n| _ = engine.spawn(black_box(row(n))));
                black_box(engine);
            }),
            ("spawn_many", &mut || {
                let mut engine = fresh();
                black_box(engine.spawn_many((0..COUNT).map(|n| black_box(row(n)))));
                black_box(engine);
            }),
            ("spawn_columns", &mut || {
                let mut engine = fresh();
                let mut arrays = Arrays::default();
                (0..COUNT).for_each(|n| arrays.push(black_box(row(n))));
                let Arrays(a, b, c, d) = arrays;
                black_box(engine.spawn_columns((a, b, c, d))).expect("the columns are equal");
                black_box(engine);
            }),
        ],
    );
    let (mut arrays, mut one, mut many) = (Arrays::default(), fresh(), fresh());
    let (mut one_ids, mut many_ids) = (Vec::new(), Vec::new());
    compete(
        "despawn and respawn 10k with 4 components",
        &mut [
            ("clear and push to arrays", &mut || {
                arrays.clear();
                (0..COUNT).for_each(|n| arrays.push(black_box(row(n))));
                black_box(&mut arrays);
            }),
            ("one by one", &mut || {
                one_ids.drain(..).for_each(|id| one.despawn(id).expect("it is there"));
                one_ids.extend((0..COUNT).map(|n| one.spawn(black_box(row(n)))));
            }),
            ("despawn_many and spawn_many", &mut || {
                many.despawn_many(many_ids.drain(..)).expect("they are there");
                many_ids = many.spawn_many((0..COUNT).map(|n| black_box(row(n))));
            }),
        ],
    );
}

fn inserting() {
    let build = |is_grouped: bool| {
        let mut engine = Engine::new();
        if is_grouped {
            engine.group::<(Position, Mark)>().expect("nothing else is grouped");
        }
        let ids = engine.spawn_many((0..COUNT).map(|n| (row(n).1,)));
        (engine, ids)
    };
    let mut set = SparseSet { sparse: vec![u32::MAX; COUNT + 1], ..SparseSet::default() };
    let ((mut plain, ids), (mut many, many_ids), (mut grouped, grouped_ids)) =
        (build(false), build(false), build(true));
    compete(
        "insert, then remove a component on 10k",
        &mut [
            ("sparse set by hand", &mut || {
                (0..COUNT as u32).for_each(|index| set.insert(black_box(index), Mark(1.0)));
                (0..COUNT as u32).for_each(|index| set.remove(black_box(index)));
            }),
            ("one by one", &mut || {
                ids.iter().for_each(|id| plain.insert(*id, (Mark(1.0),)).expect("it is there"));
                ids.iter().for_each(|id| plain.remove::<Mark>(*id).expect("it is there"));
            }),
            ("insert_many, remove_many", &mut || {
                many.insert_many(many_ids.iter().map(|id| (*id, (Mark(1.0),)))).expect("they are there");
                many.remove_many::<Mark>(many_ids.iter().copied()).expect("they are there");
            }),
            ("one by one, in a group", &mut || {
                grouped_ids.iter().for_each(|id| grouped.insert(*id, (Mark(1.0),)).expect("it is there"));
                grouped_ids.iter().for_each(|id| grouped.remove::<Mark>(*id).expect("it is there"));
            }),
        ],
    );
}

fn getting() {
    let count = COUNT * 10;
    let mut engine = Engine::new();
    let mut ids = engine.spawn_many((0..count).map(|n| (row(n).1,)));
    // A fixed shuffle.
    let mut state = 1_u64;
    let mut order: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(at, (state >> 33) as usize % (at + 1));
    }
    ids = order.iter().map(|at| ids[*at]).collect();
    let plain: Vec<Position> = (0..count).map(|n| row(n).1).collect();
    let mut sums = [0.0_f32; 3];
    let [first, second, third] = &mut sums;
    compete(
        "get a component of 100k entities in random order (× 10)",
        &mut [
            ("index into an array", &mut || *first += order.iter().map(|at| plain[*at].0[0]).sum::<f32>()),
            ("Engine::get", &mut || {
                *second += ids.iter().filter_map(|id| engine.get::<Position>(*id)).map(|p| p.0[0]).sum::<f32>();
            }),
            ("Query::get", &mut || {
                let mut read = engine.read::<&Position>();
                let query = read.query();
                *third += ids.iter().filter_map(|id| query.get(*id)).map(|p| p.0[0]).sum::<f32>();
            }),
        ],
    );
    black_box(sums);
}

fn main() {
    // `cargo bench` passes `--bench`; a name runs one part.
    let part = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    for (name, run) in [("spawning", spawning as fn()), ("inserting", inserting), ("getting", getting)] {
        if part.as_deref().is_none_or(|part| part == name) {
            run();
        }
    }
}
