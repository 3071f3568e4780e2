//! Slices while components are disabled: a disabled component leaves the slices at once, keeps its value, and comes
//! back when it is enabled. Prints how many positions move in each step.
//!
//! `cargo run -p lockstep_ecs --example toggled_slices`

use std::error::Error;
use std::time::Duration;

use ecs::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Position {
    x_m: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Velocity {
    x_mps: f32,
}

/// Moves runners with one loop over slices.
#[derive(Default)]
struct Movement {
    /// Rows of the slices in the last frame.
    moved: usize,
}

impl System for Movement {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::advance);
    }
}

impl Movement {
    fn advance(&mut self, time: Time, mut runners: Query<(&mut Position, &Velocity)>) {
        self.moved = 0;
        for (positions, velocities) in runners.slices_mut() {
            self.moved += positions.len();
            // Two slices of equal length: the compiler can vectorize this loop.
            for (position, velocity) in positions.iter_mut().zip(velocities) {
                position.x_m += velocity.x_mps * time.delta_seconds();
            }
        }
    }
}

/// The number of runners with an enabled velocity, and the number of all runners.
fn count(running: Query<(EntityId, &Velocity, &Position)>, all: Query<&Velocity, IncludeDisabled>) -> (usize, usize) {
    (running.iter().count(), all.iter().count())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::new();
    engine.add(Movement::default())?;
    let runners = engine.spawn_many((0..1_000).map(|_| (Position { x_m: 0.0 }, Velocity { x_mps: 2.0 })));
    let stone = engine.spawn((Position { x_m: 7.0 },));
    let second = Duration::from_secs(1);

    engine.update(second)?;
    println!("{} of {} positions moved", engine.system::<Movement>().map_or(0, |it| it.moved), runners.len() + 1);

    // Disable the velocity of every fourth runner: it keeps its value, and the slices become shorter.
    let resting: Vec<EntityId> = runners.iter().copied().step_by(4).collect();
    for &runner in &resting {
        engine.disable_component::<Velocity>(runner)?;
    }
    engine.update(second)?;
    let (running, all) = engine.run(count)?;
    println!("{running} of {all} are running, {} moved", engine.system::<Movement>().map_or(0, |it| it.moved));
    assert_eq!((running, all), (750, 1_000));

    // A disabled entity leaves the slices as well.
    let disabled = runners[1];
    engine.disable(disabled)?;
    engine.update(second)?;
    assert_eq!(engine.system::<Movement>().map(|it| it.moved), Some(749));

    engine.enable(disabled)?;
    for &runner in &resting {
        engine.enable_component::<Velocity>(runner)?;
    }
    engine.update(second)?;

    assert_eq!(engine.system::<Movement>().map(|it| it.moved), Some(1_000));
    let at = |entity| engine.get::<Position>(entity).map(|position| position.x_m);
    println!(
        "after 4 s: a runner is at {:?}, one that rested at {:?}, the stone at {:?}",
        at(runners[2]),
        at(resting[0]),
        at(stone)
    );
    for (n, &runner) in runners.iter().enumerate() {
        let expected = match n {
            1 => 6.0,
            n if n % 4 == 0 => 4.0,
            _ => 8.0,
        };
        assert_eq!(at(runner), Some(expected), "runner {n}");
    }
    assert_eq!(at(stone), Some(7.0));
    Ok(())
}
