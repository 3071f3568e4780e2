//! Timers: a system that runs at an interval without drift, and one that runs once. Prints the first beats with the
//! time since the last one, the alarm, and the number of beats per minute at three frame rates.
//!
//! `cargo run -p lockstep_ecs --example timers`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;

/// Runs ten times a second at any frame rate.
struct Metronome {
    beats: u32,
}

impl System for Metronome {
    fn setup(setup: &mut Setup<Self>) {
        setup.every(Duration::from_millis(100)).update(Self::beat);
    }
}

impl Metronome {
    fn beat(&mut self, time: Time) {
        self.beats += 1;
        if self.beats <= 5 {
            println!("  beat {} in frame {}, {:?} after the last", self.beats, time.frame(), time.delta());
        }
    }
}

/// Runs once, after one second.
struct Alarm;

impl System for Alarm {
    fn setup(setup: &mut Setup<Self>) {
        setup.once_after(Duration::from_secs(1)).update(Self::ring);
    }
}

impl Alarm {
    fn ring(&mut self, time: Time) {
        println!("  the alarm rings at {:?}", time.elapsed());
    }
}

pub(crate) fn main() -> Result<(), Error> {
    for frames_per_second in [30, 60, 240] {
        let mut engine = Engine::new();
        engine.add(Metronome { beats: 0 })?.add(Alarm)?;
        println!("{frames_per_second} frames a second:");
        let frame = Duration::from_nanos(1_000_000_000_u64.div_ceil(frames_per_second));
        for _ in 0..frames_per_second * 60 {
            engine.update(frame)?;
        }
        let beats = engine.system::<Metronome>().map_or(0, |metronome| metronome.beats);
        println!("  {beats} beats in one minute");
    }
    Ok(())
}
