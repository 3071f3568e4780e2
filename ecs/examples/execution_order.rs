//! The order of systems: dependencies, priorities and timers. Prints the order with its reasons, the systems that run
//! in each frame, a pause, and the error of a cycle.
//!
//! `cargo run -p lockstep_ecs --example execution_order`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;

fn think() {
    println!("  think");
}

fn collide() {
    println!("  collide");
}

fn judge() {
    println!("  judge");
}

fn autosave() {
    println!("  autosave");
}

/// Its dependencies form a cycle: think → collide → judge → confuse → think.
fn confuse() {}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    // Dependencies decide, so the order in the tuple does not matter here.
    engine.add((
        autosave.in_post_update().priority(Priority::LOW).every(Duration::from_millis(40)),
        judge.after(collide),
        collide.priority(Priority::HIGHEST),
        think.before(collide),
    ))?;
    println!("{}", engine.explain()?);

    for frame in 1..=3 {
        println!("frame {frame}:");
        engine.update(Duration::from_millis(16))?;
    }

    println!("paused, only the judge works:");
    let playing = engine.work_state();
    engine.set_work_state(&playing.clone().all_disabled().with_named("judge", true).expect("it was added"))?;
    engine.update(Duration::from_millis(16))?;
    println!("resumed:");
    engine.set_work_state(&playing)?;
    engine.update(Duration::from_millis(16))?;

    engine.add(confuse.after(judge).before(think))?;
    if let Err(error) = engine.update(Duration::from_millis(16)) {
        println!("\nerror: {error}");
    }
    Ok(())
}
