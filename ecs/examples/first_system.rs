//! A first system: spawn entities with components, move them by a function, run a few frames. Prints the
//! positions after each frame.
//!
//! `cargo run -p lockstep_ecs --example first_system`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;

/// In metres.
struct Position {
    x_m: f32,
}

/// In metres per second.
struct Speed {
    x_mps: f32,
}

/// Moves every entity that has a position and a speed.
// The parameters declare the access: this function reads the time and `Speed`, and writes `Position`.
fn advance(time: Time, mut movers: Query<(&Speed, &mut Position)>) {
    for (speed, position) in &mut movers {
        position.x_m += speed.x_mps * time.delta_seconds();
    }
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.add(advance)?;

    let runner = engine.spawn((Position { x_m: 0.0 }, Speed { x_mps: 4.0 }));
    let walker = engine.spawn((Position { x_m: 10.0 }, Speed { x_mps: 1.5 }));
    let tree = engine.spawn((Position { x_m: 3.0 },));

    for _ in 0..3 {
        engine.update(Duration::from_millis(500))?;
        println!("after {:?}:", engine.time().elapsed());
        for (name, entity) in [("runner", runner), ("walker", walker), ("tree", tree)] {
            let position = engine.get::<Position>(entity).map_or(f32::NAN, |position| position.x_m);
            println!("  {name} ({entity}) is at {position:.2} m");
        }
    }

    engine.despawn(runner)?;
    println!("the runner is gone: {:?}", engine.get::<Position>(runner).map(|position| position.x_m));
    let left: Vec<EntityId> = engine.query::<(EntityId, &Position)>().iter().map(|(entity, _)| entity).collect();
    println!("{left:?} are left");
    Ok(())
}
