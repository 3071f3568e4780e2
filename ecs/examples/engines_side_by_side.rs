//! Several engines in one process: they share nothing, run on any thread, and the same seed gives the same run. Prints
//! the result of each seed.
//!
//! `cargo run -p lockstep_ecs --example engines_side_by_side`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;

/// A seeded random number generator, kept in the world like all state.
struct Dice(u64);

impl Dice {
    /// A number below `sides`.
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

struct Cell {
    energy: u64,
}

/// Cells eat, divide and die.
fn live(mut cells: Query<(EntityId, &mut Cell)>, mut dice: ResMut<Dice>, mut commands: Commands) {
    let food = if cells.count() < 300 { 6 } else { 4 };
    for (entity, cell) in &mut cells {
        cell.energy += dice.roll(food);
        match cell.energy {
            0..2 => commands.despawn(entity),
            8.. => {
                cell.energy /= 2;
                commands.spawn((Cell { energy: cell.energy },));
            }
            _ => cell.energy -= 2,
        }
    }
}

/// The number of cells after 100 frames, and their total energy.
fn simulate(seed: u64) -> Result<(usize, u64), Error> {
    let mut engine = Engine::builder().entities(1_000).build();
    engine.insert_resource(Dice(seed));
    engine.add(live)?;
    for _ in 0..200 {
        engine.spawn((Cell { energy: 5 },));
    }
    for _ in 0..100 {
        engine.update(Duration::from_millis(16))?;
    }
    let energy = engine.query::<&Cell>().iter().map(|cell| cell.energy).sum();
    Ok((engine.entities().len(), energy))
}

pub(crate) fn main() -> Result<(), Error> {
    let seeds = [1, 2, 3, 1];
    let runs = seeds.map(|seed| std::thread::spawn(move || simulate(seed)));
    let mut results = Vec::new();
    for (seed, run) in seeds.into_iter().zip(runs) {
        let (cells, energy) = run.join().expect("no simulation panics")?;
        println!("seed {seed}: {cells} cells with {energy} units of energy");
        results.push((cells, energy));
    }
    assert_eq!(results[0], results[3], "the same seed gives the same run");
    Ok(())
}
