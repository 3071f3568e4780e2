//! Balls that bounce, to be watched in a browser: `cargo run -p lockstep_ecs_studio --example balls`, then open the
//! address that it prints. `balls 100000 127.0.0.1:0` has so many of them, at another address.

use std::sync::OnceLock;
use std::thread::park_timeout;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_studio::{CountingHeap, Studio};

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Ball {
    height_m: f32,
    speed_mps: f32,
    /// The share of the speed that is left after a bounce.
    bounce: f32,
}

#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
struct Bounced {
    ball: EntityId,
    speed_mps: f32,
}

struct Gravity;

impl System for Gravity {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::fall);
    }
}

impl Gravity {
    fn fall(&mut self, time: Time, mut balls: Query<(EntityId, &mut Ball)>, mut bounced: Sender<Bounced>) {
        for (entity, ball) in &mut balls {
            ball.speed_mps -= 9.81 * time.delta_seconds();
            ball.height_m += ball.speed_mps * time.delta_seconds();
            if ball.height_m < 0.0 && ball.speed_mps < 0.0 {
                ball.speed_mps *= -ball.bounce;
                bounced.send(Bounced { ball: entity, speed_mps: ball.speed_mps });
            }
        }
    }
}

/// Replaces a ball that has come to rest by a new one.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
struct Renewal {
    /// The balls that it has replaced.
    replaced: u32,
}

impl System for Renewal {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_bounced);
    }
}

impl Renewal {
    fn on_bounced(&mut self, bounced: &Bounced, mut commands: Commands) {
        if bounced.speed_mps < 0.5 {
            self.replaced += 1;
            commands.despawn(bounced.ball);
            commands.spawn((ball(10),));
        }
    }
}

fn ball(number: u16) -> Ball {
    Ball { height_m: 1.0 + f32::from(number), speed_mps: 0.0, bounce: 0.8 }
}

#[global_allocator]
static HEAP: CountingHeap = CountingHeap;

/// The engine reads no clock itself; this one measures its systems.
fn now() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut engine = Engine::builder().clock(now).count_allocations(CountingHeap::of_this_thread).build();
    engine.add(Gravity)?.add(Renewal::default())?;
    // The names are those of snapshots and saves: what can be saved can be inspected.
    let types = engine.types_mut();
    types.component_by::<Ball>("ball", |ball, hash| _ = hash.printed(ball))?.save::<Ball>(1)?;
    types.event_by::<Bounced>("bounced", |bounced, hash| _ = hash.add(&bounced.ball))?.save::<Bounced>(1)?;
    types.system_by::<Renewal>("renewal", |renewal, hash| _ = hash.add(&renewal.replaced))?.save::<Renewal>(1)?;
    let mut arguments = std::env::args().skip(1);
    let count: u32 = arguments.next().map_or(Ok(20), |count| count.parse())?;
    engine.spawn_many((0..count).map(|number| (ball((number % 20) as u16),)));

    let mut studio = Studio::new();
    let address = studio.listen(arguments.next().as_deref().unwrap_or("127.0.0.1:7878"), None)?;
    println!("open http://{address}");
    loop {
        studio.frame(&mut engine, |engine| engine.update(Duration::from_millis(16))).unwrap_or(Ok(()))?;
        park_timeout(Duration::from_millis(16));
    }
}
