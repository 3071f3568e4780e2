//! What the studio costs: `cargo run --release -p lockstep_ecs_studio --example cost`. Prints the median time of a
//! frame without a studio, with one that is closed, with one that listens, and with one that is watched.

use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_studio::Studio;

/// Entities of the program.
const ENTITIES: u16 = 10_000;
/// Frames of a round, and rounds. The cases take turns, so that a busy machine slows all of them.
const FRAMES: u32 = 20;
const ROUNDS: usize = 101;

#[derive(Clone, serde::Serialize, serde::Deserialize)]
struct Place([f32; 2]);

#[derive(Clone, serde::Serialize, serde::Deserialize)]
struct Speed([f32; 2]);

#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
struct Moved(u32);

struct Movement;

impl System for Movement {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::advance).listen(|_: &mut Self, _: &Moved| {});
    }
}

impl Movement {
    fn advance(&mut self, time: Time, mut movers: Query<(&mut Place, &Speed)>, mut moved: Sender<Moved>) {
        let seconds = time.delta_seconds();
        for (place, speed) in &mut movers {
            place.0[0] += speed.0[0] * seconds;
            place.0[1] += speed.0[1] * seconds;
        }
        (0..100).for_each(|number| moved.send(Moved(number)));
    }
}

fn engine() -> Result<Engine, ecs::Error> {
    let mut engine = Engine::new();
    engine.add(Movement)?;
    let types = engine.types_mut();
    types.component_by::<Place>("place", |place, hash| _ = hash.printed(&place.0))?.save::<Place>(1)?;
    types.component_by::<Speed>("speed", |speed, hash| _ = hash.printed(&speed.0))?.save::<Speed>(1)?;
    types.event_by::<Moved>("moved", |moved, hash| _ = hash.add(&moved.0))?.save::<Moved>(1)?;
    engine.spawn_many((0..ENTITIES).map(|n| (Place([f32::from(n), 0.0]), Speed([1.0, 2.0]))));
    Ok(engine)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let delta = Duration::from_millis(16);
    let names = ["without a studio", "with a closed one", "with one that listens", "with one that is watched"];
    let mut engines = Vec::new();
    let mut studios: Vec<Studio<Engine>> = Vec::new();
    for _ in names {
        engines.push(engine()?);
        studios.push(Studio::new());
    }
    studios[2].listen("127.0.0.1:0", None)?;
    studios[3].answer(&mut engines[3], r#"{ "op": "status" }"#);
    let mut times = vec![Vec::new(); names.len()];
    for _ in 0..ROUNDS {
        for (case, engine) in engines.iter_mut().enumerate() {
            let begun = Instant::now();
            for _ in 0..FRAMES {
                match case {
                    0 => engine.update(delta)?,
                    _ => studios[case].frame(engine, |engine| engine.update(delta)).unwrap_or(Ok(()))?,
                }
            }
            times[case].push(begun.elapsed() / FRAMES);
        }
    }
    times.iter_mut().for_each(|times| times.sort_unstable());
    let median = |case: usize| times[case][ROUNDS / 2].as_secs_f64() * 1e6;
    for (case, name) in names.iter().enumerate() {
        println!("{name}: {:.2} µs a frame, {:.3} times", median(case), median(case) / median(0));
    }
    Ok(())
}
