//! The order of systems: dependencies, priorities and timers. Prints the order with its reasons, the systems that run
//! in each frame, a pause, and the error of a cycle.
//!
//! `cargo run -p lockstep_ecs --example execution_order`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;

struct Ai;
struct Physics;
struct Rules;
struct Autosave;

impl System for Ai {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self| println!("  ai")).before::<Physics>();
    }
}

impl System for Physics {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self| println!("  physics")).priority(Priority::HIGHEST);
    }
}

impl System for Rules {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self| println!("  rules")).after::<Physics>();
    }
}

impl System for Autosave {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .post_update(|_: &mut Self| println!("  autosave"))
            .priority(Priority::LOW)
            .every(Duration::from_millis(40));
    }
}

/// Its dependencies form a cycle: Ai → Physics → Rules → Confused → Ai.
struct Confused;

impl System for Confused {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self| {}).after::<Rules>().before::<Ai>();
    }
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    // Dependencies decide, so the order of these calls does not matter here.
    engine.add(Autosave)?.add(Rules)?.add(Physics)?.add(Ai)?;
    println!("{}", engine.explain()?);

    for frame in 1..=3 {
        println!("frame {frame}:");
        engine.update(Duration::from_millis(16))?;
    }

    println!("paused, only the rules run:");
    let playing = engine.work_state();
    engine.set_work_state(&playing.clone().all_disabled().with::<Rules>(true))?;
    engine.update(Duration::from_millis(16))?;
    println!("resumed:");
    engine.set_work_state(&playing)?;
    engine.update(Duration::from_millis(16))?;

    engine.add(Confused)?;
    if let Err(error) = engine.update(Duration::from_millis(16)) {
        println!("\nerror: {error}");
    }
    Ok(())
}
