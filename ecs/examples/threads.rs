//! Threads: systems that access different components run in parallel, queries split their work, and the run is the
//! same, bit for bit, at any number of threads. Prints the schedule, and the state hash at 2 and 4 threads.
//!
//! `cargo run -p lockstep_ecs --example threads`

use std::error::Error;
use std::time::Duration;

use ecs::StateHash;
use ecs::prelude::*;

#[derive(Clone)]
struct Position([f32; 3]);
#[derive(Clone)]
struct Velocity([f32; 3]);
#[derive(Clone)]
struct Heat {
    celsius: f32,
}

/// A meteor reached the ground.
#[derive(Clone, Copy)]
struct Landed {
    meteor: EntityId,
}

/// Moves meteors. They do not depend on each other, so the query may split its work.
fn fall(time: Time, mut meteors: Query<(&mut Position, &mut Velocity)>) {
    let seconds = time.delta_seconds();
    meteors.par_for_each(|(position, velocity)| {
        velocity.0[1] -= 9.81 * seconds;
        position.0.iter_mut().zip(velocity.0).for_each(|(x, v)| *x += v * seconds);
    });
}

/// Cools meteors. It shares no component with `fall`, so both run in parallel.
fn cool(time: Time, mut meteors: Query<&mut Heat>) {
    meteors.par_for_each(|heat| heat.celsius *= 1.0 - 0.1 * time.delta_seconds());
}

/// Finds meteors that have landed. It reads positions, so it runs after `fall`, which was added before it.
fn detect(meteors: Query<(EntityId, &Position)>, mut landed: Sender<Landed>) {
    for (meteor, position) in &meteors {
        if position.0[1] < 0.0 {
            landed.send(Landed { meteor });
        }
    }
}

fn land(landed: &Landed, mut commands: Commands) {
    commands.despawn(landed.meteor);
}

fn shower(threads: usize) -> Result<(Engine, StateHash), Box<dyn Error>> {
    let mut engine = Engine::builder().threads(threads).entities(20_000).build();
    engine.add((fall, cool, detect, land))?;
    let types = engine.types_mut();
    types.component_by("position", |position: &Position, hash| _ = hash.add(&position.0))?;
    types.component_by("velocity", |velocity: &Velocity, hash| _ = hash.add(&velocity.0))?;
    types.component_by("heat", |heat: &Heat, hash| _ = hash.add(&heat.celsius))?;
    let meteor = |n: u16| {
        let height_m = 10.0 + f32::from(n) * 0.01;
        (Position([f32::from(n), height_m, 0.0]), Velocity([1.0, -1.0, 0.0]), Heat { celsius: 900.0 })
    };
    engine.spawn_many((0..20_000).map(meteor));
    for _ in 0..120 {
        engine.update(Duration::from_millis(16))?;
    }
    let hash = engine.state_hash()?;
    Ok((engine, hash))
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let (mut alone, expected) = shower(1)?;
    // The order of systems, which of them run in parallel, and which conflict.
    print!("{}", alone.explain()?);
    for threads in [2, 4] {
        let (engine, hash) = shower(threads)?;
        println!(
            "on {threads} threads: {} meteors are left, the state hash is {:016x}",
            engine.entities().len(),
            hash.whole
        );
        assert_eq!(hash, expected, "the number of threads changes nothing");
    }
    Ok(())
}
