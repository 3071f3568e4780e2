//! What the core costs, beside what the same work costs with plain vectors: nanoseconds per event, row or entity.
//!
//! `cargo bench -p ecs`

use std::hint::black_box;
use std::time::{Duration, Instant};

use ecs::{Commands, Engine, EntityId, Query, ResMut, Sender, Setup, System};

const COUNT: usize = 1_000_000;
const FRAME: Duration = Duration::from_millis(16);

/// Prints the best of some runs: the one that was disturbed least.
fn measure(name: &str, per: usize, mut run: impl FnMut()) {
    run();
    let best = (0..12)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .min();
    let nanos = best.unwrap_or_default().as_nanos() as f64 / per as f64;
    println!("{name:<52} {nanos:>8.2} ns");
}

#[derive(Clone, Copy)]
struct Hit {
    target: u32,
    damage: u32,
}

/// Sends a million events and hears them.
#[derive(Default)]
struct Hits {
    total: u64,
}

impl System for Hits {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send).listen(Self::on_hit);
    }
}

impl Hits {
    fn send(&mut self, mut hits: Sender<Hit>) {
        (0..COUNT as u32).for_each(|n| hits.send(Hit { target: n, damage: n & 3 }));
    }

    fn on_hit(&mut self, hit: &Hit) {
        self.total += u64::from(hit.damage ^ hit.target);
    }
}

/// As [`Hits`], with a parameter in the listener.
struct Ledger;

impl System for Ledger {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send).listen(Self::on_hit);
    }
}

impl Ledger {
    fn send(&mut self, mut hits: Sender<Hit>) {
        (0..COUNT as u32).for_each(|n| hits.send(Hit { target: n, damage: n & 3 }));
    }

    fn on_hit(&mut self, hit: &Hit, mut total: ResMut<u64>) {
        *total += u64::from(hit.damage ^ hit.target);
    }
}

fn events() {
    let mut plain = Vec::new();
    let mut total = 0;
    measure("events: push to a Vec and walk it", COUNT, || {
        plain.clear();
        (0..COUNT as u32).for_each(|n| plain.push(Hit { target: n, damage: n & 3 }));
        total += black_box(&plain).iter().map(|hit| u64::from(hit.damage ^ hit.target)).sum::<u64>();
    });
    let mut engine = Engine::new();
    engine.add(Hits::default()).expect("the system fits");
    measure("events: send and listen", COUNT, || engine.update(FRAME).expect("the frame succeeds"));
    let mut engine = Engine::new();
    engine.insert_resource(0_u64);
    engine.add(Ledger).expect("the system fits");
    measure("events: send and listen with a resource", COUNT, || engine.update(FRAME).expect("the frame succeeds"));
}

struct Position([f32; 2]);
struct Velocity([f32; 2]);

fn queries() {
    let mut positions: Vec<_> = (0..COUNT).map(|_| [0.0_f32; 2]).collect();
    let velocities: Vec<_> = (0..COUNT).map(|n| [n as f32, 1.0]).collect();
    measure("query: two vectors side by side", COUNT, || {
        for (position, velocity) in black_box(&mut positions).iter_mut().zip(&velocities) {
            position[0] += velocity[0];
            position[1] += velocity[1];
        }
    });
    let mut engine = Engine::new();
    for n in 0..COUNT {
        engine.spawn((Position([0.0; 2]), Velocity([n as f32, 1.0])));
    }
    fn advance(mut movers: Query<(&mut Position, &Velocity)>) {
        for (position, velocity) in &mut movers {
            position.0[0] += velocity.0[0];
            position.0[1] += velocity.0[1];
        }
    }
    measure("query: two components", COUNT, || engine.run(advance).expect("the function fits"));
    fn slice(mut positions: Query<&mut Position>) {
        positions.values_mut().iter_mut().for_each(|position| position.0[0] += 1.0);
    }
    measure("query: one component as a slice", COUNT, || engine.run(slice).expect("the function fits"));
    let ids: Vec<EntityId> = engine.query::<EntityId>().iter().collect();
    let mut sum = 0.0;
    measure("get: one component by id", COUNT, || {
        sum += ids.iter().filter_map(|id| engine.get::<Position>(*id)).map(|position| position.0[0]).sum::<f32>();
    });
    black_box(sum);
}

/// Despawns everybody and spawns as many anew.
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
            commands.spawn((Position([0.0; 2]), Velocity([0.0; 2])));
        }
    }
}

fn structure() {
    const ENTITIES: usize = COUNT / 10;
    measure("structure: spawn with two components, and drop", ENTITIES, || {
        let mut engine = Engine::new();
        for n in 0..ENTITIES {
            engine.spawn((Position([n as f32; 2]), Velocity([0.0; 2])));
        }
        black_box(&engine);
    });
    let mut engine = Engine::new();
    engine.add(Renewal).expect("the system fits");
    for _ in 0..ENTITIES {
        engine.spawn((Position([0.0; 2]), Velocity([0.0; 2])));
    }
    measure("structure: despawn and spawn by command", ENTITIES, || engine.update(FRAME).expect("the frame succeeds"));
}

/// One of twenty systems that do nothing.
struct Idle<const N: usize>;

impl<const N: usize> System for Idle<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update);
    }
}

impl<const N: usize> Idle<N> {
    fn update(&mut self, _: Query<&Position>) {}
}

fn frames() {
    let mut engine = Engine::new();
    measure("frame: nothing at all", 1_000, || {
        (0..1_000).for_each(|_| engine.update(FRAME).expect("the frame succeeds"));
    });
    macro_rules! add {
        ($($n:literal)*) => { $(engine.add(Idle::<$n>).expect("the system fits");)* };
    }
    add!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    measure("frame: one of twenty systems that do nothing", 20_000, || {
        (0..1_000).for_each(|_| engine.update(FRAME).expect("the frame succeeds"));
    });
}

/// A link of a chain of systems that do nothing, each a function of its own.
struct Link<const N: usize>;

impl<const N: usize> Link<N> {
    fn update(&mut self) {
        black_box(N);
    }
}

macro_rules! chain {
    ($first:literal $($n:literal)*) => {
        chain!(@links [] $first $($n)*);

        /// Adds one link after the other to the engine, and a call of each to the list.
        fn chain(engine: &mut Engine, calls: &mut Vec<Box<dyn FnMut()>>) {
            chain!(@add engine, calls, $first $($n)*);
        }
    };
    (@links [$($before:literal)?] $n:literal $($rest:literal)*) => {
        impl System for Link<$n> {
            fn setup(setup: &mut Setup<Self>) {
                setup$(.after::<Link<$before>>())?.update(Self::update);
            }
        }
        chain!(@links [$n] $($rest)*);
    };
    (@links [$last:literal]) => {};
    (@add $engine:ident, $calls:ident, $($n:literal)*) => {$(
        $engine.add(Link::<$n>).expect("the system fits");
        $calls.push(Box::new(|| Link::<$n>.update()));
    )*};
}

chain! {
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
    25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49
    50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74
    75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99
}

/// What the frame adds to a system: beside it the least that any framework pays, a call through a pointer. Both are
/// measured in turns, so that a disturbance hits both; the ratio is the median of all turns.
fn empty_systems() {
    const FRAMES: u32 = 1_000;
    let mut engine = Engine::new();
    let mut calls = Vec::new();
    chain(&mut engine, &mut calls);
    let per_call = |act: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..FRAMES).for_each(|_| act());
        start.elapsed().as_nanos() as f64 / f64::from(FRAMES) / 100.0
    };
    let mut turns: Vec<_> = (0..101)
        .map(|_| {
            let floor = per_call(&mut || black_box(&mut calls).iter_mut().for_each(|call| call()));
            (per_call(&mut || engine.update(FRAME).expect("the frame succeeds")), floor)
        })
        .collect();
    let mut median = |key: fn(&(f64, f64)) -> f64| {
        turns.sort_by(|a, b| key(a).total_cmp(&key(b)));
        key(&turns[turns.len() / 2])
    };
    println!("{:<52} {:>8.2} ns", "frame: a call through a pointer", median(|turn| turn.1));
    println!("{:<52} {:>8.2} ns", "frame: one of 100 empty systems in a chain", median(|turn| turn.0));
    println!("{:<52} {:>8.2} x", "frame: the ratio of these two", median(|turn| turn.0 / turn.1));
}

fn main() {
    empty_systems();
    events();
    queries();
    structure();
    frames();
}
