//! Entities that are made with the same components lie side by side, so a query can return them as slices. Also:
//! memory, how to reserve it, report it and free it.
//!
//! Prints the speeds, the order of systems with the kinds of entities, and the memory report.
//!
//! `cargo run -p lockstep_ecs --example kinds_and_slices`

use std::error::Error;
use std::time::Duration;

use ecs::prelude::*;

struct Position([f32; 3]);
struct Velocity([f32; 3]);
struct Mass {
    kg: f32,
}

/// Moves every entity that has a velocity.
fn advance(time: Time, mut movers: Query<(&mut Position, &Velocity)>) {
    let seconds = time.delta_seconds();
    for (position, velocity) in &mut movers {
        position.0.iter_mut().zip(velocity.0).for_each(|(x, v)| *x += v * seconds);
    }
}

/// The sum of all speeds along x. Row `n` of both slices belongs to the same entity.
fn speed_mps(movers: Query<(&Velocity, &Position)>, masses: Query<&Mass>) -> f32 {
    let all_kg: f32 = masses.iter().map(|mass| mass.kg).sum();
    let mut sum_mps = 0.0;
    for (velocities, positions) in movers.slices() {
        println!("of {all_kg} kg, {} move side by side, the first one at {:?}", velocities.len(), positions[0].0);
        sum_mps += velocities.iter().map(|velocity| velocity.0[0]).sum::<f32>();
    }
    sum_mps
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::new();
    engine.add(advance)?;
    engine.reserve::<(Position, Mass)>(3_000);
    // Rocks and birds alternate; each kind lies together.
    let mut birds = Vec::new();
    for n in 0..1_000 {
        engine.spawn((Position([n as f32, 0.0, 0.0]), Mass { kg: 9.0 }));
        birds.push(engine.spawn((Position([n as f32, 5.0, 0.0]), Mass { kg: 0.1 }, Velocity([1.0, 0.0, 0.0]))));
    }
    // One rock is thrown: its velocity comes later, so it is looked up.
    let rock = engine.spawn((Position([0.0; 3]), Mass { kg: 9.0 }));
    engine.insert(rock, (Velocity([7.0, 0.0, 0.0]),))?;
    engine.update(Duration::from_secs(1))?;
    println!("sum of all speeds: {} m/s", engine.run(speed_mps)?);
    print!("{}", engine.explain()?);

    engine.despawn_many(birds)?;
    engine.shrink();
    print!("{}", engine.memory());
    Ok(())
}
