//! States: a game with a menu, a round and a pause. A table allows transitions, systems are called when a state is
//! entered or left, and conditions run systems in one state only. Prints what happens in each frame.
//!
//! `cargo run -p lockstep_ecs --example states`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;
use ecs::state_machine::{Next, State, StateMachine};
use ecs::system::condition::in_state;

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

/// Sets up and clears the round.
struct Round;

impl System for Round {
    fn setup(setup: &mut Setup<Self>) {
        setup.on_enter(Playing, Self::begin).on_exit(Playing, Self::end).listen(Self::on_pressed);
    }
}

impl Round {
    fn begin(&mut self, mut commands: Commands) {
        (0..3).for_each(|_| commands.spawn((Alien,)));
    }

    fn end(&mut self, aliens: Query<EntityId, With<Alien>>, mut commands: Commands) {
        aliens.iter().for_each(|alien| commands.despawn(alien));
    }

    fn on_pressed(&mut self, pressed: &Pressed, mut next: ResMut<NextState<Screen>>) {
        next.set(pressed.0);
    }
}

/// Counts the frames of the round; it stands still in the pause.
struct Clock {
    frames: u32,
}

impl System for Clock {
    fn setup(setup: &mut Setup<Self>) {
        setup.run_if(in_state(Playing)).update(Self::count);
    }
}

impl Clock {
    fn count(&mut self) {
        self.frames += 1;
    }
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.add_state_machine(StateMachine::new(Menu))?;
    engine.add(Round)?.add(Clock { frames: 0 })?;
    let keys =
        [Next::Stay, Next::Change(Playing), Next::Stay, Next::Push(Paused), Next::Stay, Next::Pop, Next::Change(Menu)];
    let mut seen = Vec::new();
    for key in keys {
        engine.send(Pressed(key));
        engine.update(Duration::from_millis(16))?;
        let screen = engine.resource::<CurrentState<Screen>>().expect("it was added").current();
        let (aliens, frames) =
            (engine.query::<&Alien>().count(), engine.system::<Clock>().map_or(0, |clock| clock.frames));
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
