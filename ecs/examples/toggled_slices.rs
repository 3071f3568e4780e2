//! A system over slices of a group, and a component that is switched off for some entities: they drop out of the slices at
//! once, keep their values, and come back where they stopped.
//!
//! `cargo run -p lockstep_ecs --example toggled_slices`

use std::error::Error;
use std::time::Duration;

use ecs::{Engine, EntityId, IncludeDisabled, Query, Setup, System, Time, query::NotGrouped};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Position {
    x_m: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Velocity {
    x_mps: f32,
}

/// Moves runners, whole slices at a time.
#[derive(Default)]
struct Movement {
    /// How many moved in the last frame.
    moved: usize,
    flaw: Option<NotGrouped>,
}

impl System for Movement {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::advance);
    }
}

impl Movement {
    fn advance(&mut self, time: Time, mut runners: Query<(&mut Position, &Velocity)>) {
        match runners.slices_mut() {
            Ok((positions, velocities)) => {
                self.moved = positions.len();
                // Two plain slices of one length: a loop that the compiler can turn into vector instructions.
                for (position, velocity) in positions.iter_mut().zip(velocities) {
                    position.x_m += velocity.x_mps * time.delta_seconds();
                }
            }
            Err(flaw) => self.flaw = Some(flaw),
        }
    }
}

/// Who is in the slices, and who only has the components.
fn count(running: Query<(EntityId, &Velocity, &Position)>, all: Query<&Velocity, IncludeDisabled>) -> (usize, usize) {
    (running.iter().count(), all.iter().count())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::new();
    engine.add(Movement::default())?;
    engine.group::<(Position, Velocity)>()?;
    let runners = engine.spawn_many((0..1_000).map(|_| (Position { x_m: 0.0 }, Velocity { x_mps: 2.0 })));
    let stone = engine.spawn((Position { x_m: 7.0 },));
    let second = Duration::from_secs(1);

    engine.update(second)?;
    println!("{} of {} positions moved", engine.system::<Movement>().map_or(0, |it| it.moved), runners.len() + 1);

    // Every fourth runner rests: the component stays with its value, and the slices become shorter.
    let resting: Vec<EntityId> = runners.iter().copied().step_by(4).collect();
    for &runner in &resting {
        engine.disable_component::<Velocity>(runner)?;
    }
    engine.update(second)?;
    let (running, all) = engine.run(count)?;
    println!("{running} of {all} are running, {} moved", engine.system::<Movement>().map_or(0, |it| it.moved));
    assert_eq!((running, all), (750, 1_000));

    // A runner that is disabled as a whole drops out as well.
    let away = runners[1];
    engine.disable(away)?;
    engine.update(second)?;
    assert_eq!(engine.system::<Movement>().map(|it| it.moved), Some(749));

    engine.enable(away)?;
    for &runner in &resting {
        engine.enable_component::<Velocity>(runner)?;
    }
    engine.update(second)?;

    let moved = engine.system::<Movement>().expect("it was added");
    assert_eq!((moved.moved, moved.flaw), (1_000, None));
    let at = |entity| engine.get::<Position>(entity).map(|position| position.x_m);
    println!(
        "after 4 s: a runner is at {:?}, who rested at {:?}, the stone at {:?}",
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
