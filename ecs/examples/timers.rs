//! Timers: an interval that does not drift, a one-shot, and what time a system is told.
//!
//! `cargo run -p lockstep_ecs --example timers`

use std::time::Duration;

use ecs::{Engine, Error, Setup, System, Time};

/// Ten times a second, whatever the length of a frame.
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

/// Once, after a second.
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
        println!("  {beats} beats in a minute");
    }
    Ok(())
}
