//! A fixed step: the simulation of a gun and its bullets runs in steps of 10 ms, whatever the frame rate, and drawing
//! interpolates between the last two steps. Prints what happens in a frame of 30 ms, and the bullets after a second at
//! five frame rates.
//!
//! `cargo run -p lockstep_ecs --example fixed_step`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;

const STEP: Duration = Duration::from_millis(10);

/// The height in the last two steps.
struct Height {
    before_m: f32,
    now_m: f32,
}

struct Speed {
    y_mps: f32,
}

/// The person pulls the trigger.
#[derive(Clone, Copy)]
struct Triggered;

#[derive(Default)]
struct Log(Vec<&'static str>);

/// Moves the bullets, and removes those that have landed.
fn fly(
    time: Time,
    mut bullets: Query<(EntityId, &mut Height, &mut Speed)>,
    mut commands: Commands,
    mut log: ResMut<Log>,
) {
    log.0.push("fly");
    for (bullet, height, speed) in &mut bullets {
        speed.y_mps -= 9.81 * time.delta_seconds();
        *height = Height { before_m: height.now_m, now_m: height.now_m + speed.y_mps * time.delta_seconds() };
        if height.now_m < 0.0 {
            commands.despawn(bullet);
        }
    }
}

/// Shoots: the bullet flies from the next step on, also if that is in the same frame.
fn shoot(_: &Triggered, mut commands: Commands, mut log: ResMut<Log>) {
    log.0.push("shoot");
    commands.spawn((Height { before_m: 0.0, now_m: 0.0 }, Speed { y_mps: 3.0 }));
}

/// Draws the bullets once a frame, between the last two steps.
#[derive(Default)]
struct Draw {
    frames: u32,
    drawn_m: Vec<f32>,
}

impl System for Draw {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::draw);
    }
}

impl Draw {
    fn draw(&mut self, time: Time, bullets: Query<&Height>) {
        let between = |height: &Height| height.before_m + (height.now_m - height.before_m) * time.overstep_fraction();
        self.drawn_m.clear();
        self.drawn_m.extend(bullets.iter().map(between));
        self.frames += 1;
    }
}

fn engine() -> Result<Engine, Error> {
    let mut engine = Engine::new();
    engine.insert_resource(Log::default());
    engine.add((fly, shoot))?;
    engine.presentation().add(Draw::default())?;
    Ok(engine)
}

pub(crate) fn main() -> Result<(), Error> {
    let (mut one, mut clock) = (engine()?, StepClock::new(STEP));
    // The trigger is pulled between two steps: the next one hears it.
    one.send(Triggered);
    one.advance(&mut clock, 3 * STEP, |_| {})?;
    let log = std::mem::take(&mut one.resource_mut::<Log>().expect("it was inserted").0);
    println!("{}", log.join(" "));
    assert_eq!(log, ["shoot", "fly", "fly", "fly"]);

    let mut heights = Vec::new();
    for frames_per_second in [10, 25, 50, 100, 200] {
        let (mut engine, mut clock) = (engine()?, StepClock::new(STEP));
        for _ in 0..frames_per_second {
            // The trigger is pulled in every fifth step.
            let pull = |engine: &mut Engine| {
                if engine.time().frame().is_multiple_of(5) {
                    engine.send(Triggered);
                }
            };
            engine.advance(&mut clock, Duration::from_secs(1) / frames_per_second, pull)?;
        }
        let now: Vec<_> = engine.query::<&Height>().iter().map(|height| height.now_m.to_bits()).collect();
        let presentation = engine.presentation();
        let draw = presentation.system::<Draw>().expect("it was added");
        println!("{frames_per_second:>3} frames a second: {} frames, {} bullets", draw.frames, draw.drawn_m.len());
        heights.push(now);
    }
    assert!(heights.iter().all(|now| *now == heights[0]), "{heights:?}");
    Ok(())
}
