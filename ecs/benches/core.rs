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

fn main() {
    events();
    queries();
    structure();
    frames();
}
