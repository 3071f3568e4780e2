//! Timers: a function that runs at an interval without drift, and one that runs once. Prints the first beats with the
//! time since the last one, the alarm, and the number of beats per minute at three frame rates.
//!
//! `cargo run -p lockstep_ecs --example timers`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;

/// The beats so far: a resource.
struct Beats(u32);

/// Runs ten times a second at any frame rate.
fn beat(time: Time, mut beats: ResMut<Beats>) {
    beats.0 += 1;
    if beats.0 <= 5 {
        println!("  beat {} in frame {}, {:?} after the last", beats.0, time.frame(), time.delta());
    }
}

/// Runs once, after one second.
fn ring(time: Time) {
    println!("  the alarm rings at {:?}", time.elapsed());
}

pub(crate) fn main() -> Result<(), Error> {
    for frames_per_second in [30, 60, 240] {
        let mut engine = Engine::new();
        engine.insert_resource(Beats(0));
        engine.add((beat.every(Duration::from_millis(100)), ring.once_after(Duration::from_secs(1))))?;
        println!("{frames_per_second} frames a second:");
        let frame = Duration::from_nanos(1_000_000_000_u64.div_ceil(frames_per_second));
        for _ in 0..frames_per_second * 60 {
            engine.update(frame)?;
        }
        let beats = engine.resource::<Beats>().map_or(0, |beats| beats.0);
        println!("  {beats} beats in one minute");
    }
    Ok(())
}
