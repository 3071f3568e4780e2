//! Rewind: a ring buffer of snapshots, one per frame, whose memory is reused. Running again from an older snapshot
//! gives the same state. Prints the frame and the state hash after each run.
//!
//! `cargo run -p lockstep_ecs --example rewind`

use std::time::Duration;

use ecs::prelude::*;
use ecs::snapshot::{StableHash, StateHasher};
use ecs::{Error, Snapshot};

/// Frames that can be rewound.
const RING: usize = 60;
const FRAME: Duration = Duration::from_millis(16);

#[derive(Clone, Copy)]
struct Ball {
    height_m: f32,
    speed_mps: f32,
}

impl StableHash for Ball {
    fn stable_hash(&self, hash: &mut StateHasher) {
        let Self { height_m, speed_mps } = self;
        hash.add(height_m).add(speed_mps);
    }
}

/// Makes balls fall and bounce; a new ball replaces one that hardly bounces.
#[derive(Clone)]
struct Bouncing {
    random: u32,
}

impl StableHash for Bouncing {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&self.random);
    }
}

impl System for Bouncing {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::bounce);
    }
}

impl Bouncing {
    fn bounce(&mut self, time: Time, mut balls: Query<(EntityId, &mut Ball)>, mut commands: Commands) {
        for (entity, ball) in &mut balls {
            ball.speed_mps -= 9.81 * time.delta_seconds();
            ball.height_m += ball.speed_mps * time.delta_seconds();
            if ball.height_m < 0.0 {
                ball.height_m = 0.0;
                ball.speed_mps *= -0.7;
                if ball.speed_mps < 1.0 {
                    commands.despawn(entity);
                    commands.spawn((self.new_ball(),));
                }
            }
        }
    }

    fn new_ball(&mut self) -> Ball {
        self.random = self.random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Ball { height_m: 1.0 + (self.random >> 24) as f32 / 100.0, speed_mps: 0.0 }
    }
}

/// Snapshots of the last frames.
struct Rewind {
    ring: Vec<Snapshot>,
    newest: usize,
}

impl Rewind {
    fn new() -> Self {
        Self { ring: (0..RING).map(|_| Snapshot::new()).collect(), newest: 0 }
    }

    /// Replaces the oldest snapshot by the current state.
    fn record(&mut self, engine: &mut Engine) -> Result<(), Error> {
        self.newest = (self.newest + 1) % RING;
        engine.snapshot_into(&mut self.ring[self.newest])
    }

    /// Restores the state of `frames` frames ago.
    fn go_back(&mut self, engine: &mut Engine, frames: usize) -> Result<(), Error> {
        self.newest = (self.newest + RING - frames) % RING;
        engine.restore(&self.ring[self.newest])
    }
}

fn run(engine: &mut Engine, rewind: &mut Rewind, frames: usize) -> Result<u64, Error> {
    for _ in 0..frames {
        engine.update(FRAME)?;
        rewind.record(engine)?;
    }
    Ok(engine.state_hash()?.whole)
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.add(Bouncing { random: 1 })?;
    engine.types_mut().component::<Ball>("ball")?.system::<Bouncing>("bouncing")?;
    engine.spawn_many((1..=5).map(|n| (Ball { height_m: n as f32, speed_mps: 0.0 },)));

    let mut rewind = Rewind::new();
    let first = run(&mut engine, &mut rewind, 300)?;
    println!("frame {}: {first:016x}", engine.time().frame());

    rewind.go_back(&mut engine, 50)?;
    println!("frame {}: {:016x}, 50 frames back", engine.time().frame(), engine.state_hash()?.whole);

    let second = run(&mut engine, &mut rewind, 50)?;
    println!("frame {}: {second:016x}, run again", engine.time().frame());
    assert_eq!(first, second, "the same frames give the same state");

    // From the same frame, with one more ball.
    rewind.go_back(&mut engine, 50)?;
    engine.spawn((Ball { height_m: 10.0, speed_mps: 0.0 },));
    let other = run(&mut engine, &mut rewind, 50)?;
    println!("frame {}: {other:016x}, with one more ball", engine.time().frame());
    assert_ne!(first, other);
    Ok(())
}
