//! Groups keep components that are queried together in the same order, so a query can return them as slices. Also: memory, how to
//! reserve it, report it and free it.
//!
//! Prints the groups that the engine proposes, the error of slices without a group, the order of systems, and the memory report.
//!
//! `cargo run -p lockstep_ecs --example groups_and_slices`

use std::error::Error;
use std::time::Duration;

use ecs::prelude::*;

struct Position([f32; 3]);
struct Velocity([f32; 3]);
struct Mass {
    kg: f32,
}

/// Moves every entity that has a velocity.
struct Movement;

impl System for Movement {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::advance);
    }
}

impl Movement {
    fn advance(&mut self, time: Time, mut movers: Query<(&mut Position, &Velocity)>) {
        let seconds = time.delta_seconds();
        // `for_each` iterates pools that were filled together without look-ups, grouped or not.
        movers.iter_mut().for_each(|(position, velocity)| {
            position.0.iter_mut().zip(velocity.0).for_each(|(x, v)| *x += v * seconds);
        });
    }
}

/// The sum of all speeds along x. Row `n` of both slices belongs to the same entity.
fn speed_mps(movers: Query<(&Velocity, &Position)>, masses: Query<&Mass>) -> Result<f32, ecs::query::NotGrouped> {
    let (velocities, positions) = movers.slices()?;
    let all_kg: f32 = masses.values().iter().map(|mass| mass.kg).sum();
    println!("of {all_kg} kg, {} birds move, the first one is at {:?}", velocities.len(), positions[0].0);
    Ok(velocities.iter().map(|velocity| velocity.0[0]).sum())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::new();
    engine.add(Movement)?;
    engine.reserve::<(Position, Mass)>(3_000);
    // Rocks and birds alternate, so the pools are not in the same order.
    for n in 0..1_000 {
        engine.spawn((Position([n as f32, 0.0, 0.0]), Mass { kg: 9.0 }));
        engine.spawn((Position([n as f32, 5.0, 0.0]), Mass { kg: 0.1 }, Velocity([1.0, 0.0, 0.0])));
    }
    engine.update(Duration::from_secs(1))?;
    print!("{}", engine.propose_groups()?);
    println!("without the group: {}", engine.run(speed_mps)?.unwrap_err());

    engine.group::<(Position, Velocity)>()?;
    engine.update(Duration::from_secs(1))?;
    println!("sum of all speeds: {} m/s", engine.run(speed_mps)??);
    print!("{}", engine.explain()?);

    let birds: Vec<_> = engine.components().pool::<Velocity>().map_or(Vec::new(), |birds| birds.owners().to_vec());
    engine.despawn_many(birds)?;
    engine.shrink();
    print!("{}", engine.memory());
    Ok(())
}
