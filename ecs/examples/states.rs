//! States: a game with a menu, a round and a pause. A table allows transitions, functions are called when a state
//! is entered or left, and conditions run functions in one state only. Prints what happens in each frame.
//!
//! `cargo run -p lockstep_ecs --example states`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;
use ecs::state_machine::{Next, State, StateMachine};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Screen {
    Menu,
    Playing,
    Paused,
}
use Screen::{Menu, Paused, Playing};

impl State for Screen {
    const TRANSITIONS: &'static [(Self, Self)] =
        &[(Menu, Playing), (Playing, Paused), (Paused, Playing), (Playing, Menu)];
}

/// A pressed key requests a transition.
#[derive(Clone, Copy)]
struct Pressed(Next<Screen>);

struct Alien;

fn begin(mut commands: Commands) {
    (0..3).for_each(|_| commands.spawn((Alien,)));
}

fn end(aliens: Query<EntityId, With<Alien>>, mut commands: Commands) {
    aliens.iter().for_each(|alien| commands.despawn(alien));
}

fn press(pressed: &Pressed, mut next: ResMut<NextState<Screen>>) {
    next.set(pressed.0);
}

/// Counts the frames of the round; it stands still in the pause.
struct Clock {
    frames: u32,
}

fn count(mut clock: ResMut<Clock>) {
    clock.frames += 1;
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.add_state_machine(StateMachine::new(Menu))?;
    engine.insert_resource(Clock { frames: 0 });
    engine.add((begin.on_enter(Playing), end.on_exit(Playing), press, count.run_if(in_state(Playing))))?;
    let keys =
        [Next::Stay, Next::Change(Playing), Next::Stay, Next::Push(Paused), Next::Stay, Next::Pop, Next::Change(Menu)];
    let mut seen = Vec::new();
    for key in keys {
        engine.send(Pressed(key));
        engine.update(Duration::from_millis(16))?;
        let screen = engine.resource::<CurrentState<Screen>>().expect("it was added").current();
        let (aliens, frames) =
            (engine.query::<&Alien>().count(), engine.resource::<Clock>().map_or(0, |clock| clock.frames));
        println!("{screen:?}: {aliens} aliens, {frames} frames of play");
        seen.push((screen, aliens, frames));
    }
    assert_eq!(seen[2], (Playing, 3, 1));
    assert_eq!(seen[4], (Paused, 3, 2));
    assert_eq!(seen[6], (Playing, 3, 3));
    engine.update(Duration::from_millis(16))?;
    assert_eq!(engine.entities().len(), 0);

    // The table does not allow a pause in the menu.
    engine.send(Pressed(Next::Push(Paused)));
    engine.update(Duration::from_millis(16))?;
    let refused = engine.update(Duration::from_millis(16)).unwrap_err();
    println!("{refused}");
    Ok(())
}
