//! Causal traces: a ship was despawned, and the engine tells why. Prints the chain of causes of the ship, of the
//! torpedo that hit it, and of the event.
//!
//! `cargo run -p lockstep_ecs --example why`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;

const FRAME: Duration = Duration::from_millis(16);

#[derive(Clone, Copy)]
struct KeyPressed(char);
#[derive(Clone, Copy)]
struct TorpedoLaunched {
    target: EntityId,
}
#[derive(Clone, Copy)]
struct Hit {
    ship: EntityId,
}

struct Ship {
    hull: i32,
}
struct Torpedo {
    target: EntityId,
    frames_left: u32,
}

/// Launches a torpedo at the first ship.
fn fire(key: &KeyPressed, ships: Query<(EntityId, &Ship)>, mut launches: Sender<TorpedoLaunched>) {
    if key.0 == ' '
        && let Some((target, _)) = ships.iter().next()
    {
        launches.send(TorpedoLaunched { target });
    }
}

fn launch(launched: &TorpedoLaunched, mut commands: Commands) {
    commands.spawn((Torpedo { target: launched.target, frames_left: 2 },));
}

/// Lets each torpedo hit its target after two frames.
fn run(mut torpedoes: Query<(EntityId, &mut Torpedo)>, mut hits: Sender<Hit>, mut commands: Commands) {
    for (entity, torpedo) in &mut torpedoes {
        torpedo.frames_left -= 1;
        if torpedo.frames_left == 0 {
            hits.send(Hit { ship: torpedo.target });
            commands.despawn(entity);
        }
    }
}

/// Damages the ship that is hit, and despawns it when its hull is used up.
fn damage(hit: &Hit, mut ships: Query<&mut Ship>, mut commands: Commands) {
    if let Some(ship) = ships.get_mut(hit.ship) {
        ship.hull -= 10;
        if ship.hull <= 0 {
            commands.despawn(hit.ship);
        }
    }
}

pub(crate) fn main() -> Result<(), Error> {
    // Keeps the causes of the last 600 frames. Without this line nothing is recorded, at no cost.
    let mut engine = Engine::builder().trace_causes(600).build();
    engine.add((fire, launch, run, damage))?;
    let ship = engine.spawn((Ship { hull: 10 },));

    engine.send(KeyPressed('x'));
    engine.send(KeyPressed(' '));
    engine.update(FRAME)?;
    let torpedo =
        engine.query::<(EntityId, &Torpedo)>().iter().map(|(entity, _)| entity).next().expect("it was launched");
    while engine.contains(ship) {
        engine.update(FRAME)?;
    }

    // A chain begins where a system acts in a phase, not in a listener: here with the hit.
    println!("{}", engine.why(ship));
    assert_eq!(engine.why(ship).to_string(), format!("entity {ship}: Hit (run, frame 3) → despawn (damage, frame 3)"));
    // The torpedo has two chains: its spawn, which the key press caused, and its despawn.
    println!("{}", engine.why(torpedo));
    let chains = engine.why(torpedo).chains;
    assert_eq!(chains[0].iter().map(|link| link.what).collect::<Vec<_>>(), ["KeyPressed", "TorpedoLaunched", "spawn"]);
    assert_eq!((chains[1][0].what, chains[1][0].system), ("despawn", Some("run")));
    println!("{}", engine.why_event::<Hit>());
    Ok(())
}
