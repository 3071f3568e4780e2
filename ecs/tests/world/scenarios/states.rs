//! State machines of engines: transitions, the methods of systems for them, and conditions.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::prelude::*;
use ecs::state_machine::{Hook, State, StateMachine};
use ecs::system::condition::{in_state, not};
use ecs::system::{CurrentState, NextState, SetupError};
use ecs::{Error, System};

use super::log::{Log, engine, frame, logged};
use crate::ms;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Screen {
    Menu,
    Playing,
    Paused,
}
use Screen::{Menu, Paused, Playing};

impl State for Screen {
    const TRANSITIONS: &'static [(Self, Self)] =
        &[(Menu, Playing), (Playing, Menu), (Playing, Paused), (Paused, Playing)];
}

/// An entity of the state [`Playing`].
#[derive(Clone)]
struct Ball;

#[derive(Clone, Copy)]
struct Key(Option<Screen>);

struct Game;

impl System for Game {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .on_enter(Menu, |_: &mut Self, mut log: ResMut<Log>| log.note("enter-menu"))
            .on_exit(Menu, |_: &mut Self, mut log: ResMut<Log>| log.note("exit-menu"))
            .on_enter(Playing, |_: &mut Self, mut log: ResMut<Log>, mut commands: Commands| {
                log.note("enter-playing");
                commands.spawn((Ball,));
            })
            .on_exit(Playing, |_: &mut Self, balls: Query<EntityId, With<Ball>>, mut commands: Commands| {
                balls.iter().for_each(|ball| commands.despawn(ball));
            })
            .on_transition(Hook::Paused(Playing), |_: &mut Self, mut log: ResMut<Log>| log.note("pause"))
            .on_transition(Hook::Resumed(Playing), |_: &mut Self, mut log: ResMut<Log>| log.note("resume"));
    }
}

/// Requests states, as listener and between frames.
struct Keyboard;

impl System for Keyboard {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, key: &Key, mut next: ResMut<NextState<Screen>>| match key.0 {
            Some(Paused) => next.push(Paused),
            Some(screen) => next.change(screen),
            None => next.pop(),
        });
    }
}

/// Runs while playing.
struct Motion;

impl System for Motion {
    fn setup(setup: &mut Setup<Self>) {
        setup.run_if(in_state(Playing)).update(|_: &mut Self, balls: Query<&Ball>, mut log: ResMut<Log>| {
            log.note(format!("move-{}", balls.count()));
        });
    }
}

fn game() -> Engine {
    let mut engine = engine();
    engine.types_mut().leave_out_resource::<Log>();
    engine.types_mut().component_by("ball", |_: &Ball, _| {}).unwrap();
    engine.add_state_machine(StateMachine::new(Menu)).unwrap();
    engine.add(Game).unwrap().add(Keyboard).unwrap().add(Motion).unwrap();
    engine
}

fn request(engine: &mut Engine, screen: Screen) {
    engine.resource_mut::<NextState<Screen>>().unwrap().change(screen);
}

#[test]
fn transitions_are_made_when_a_frame_begins_and_entities_of_the_state_are_there() {
    let mut engine = game();
    assert_eq!(frame(&mut engine), "enter-menu");
    assert_eq!(frame(&mut engine), "");
    request(&mut engine, Playing);
    assert_eq!(frame(&mut engine), "exit-menu enter-playing move-1");
    engine.send(Key(Some(Menu)));
    assert_eq!(frame(&mut engine), "move-1", "the request of a listener waits for the next frame");
    assert_eq!(frame(&mut engine), "enter-menu");
    assert_eq!(engine.entities().len(), 0);
}

#[test]
fn paused_states_resume() {
    let mut engine = game();
    request(&mut engine, Playing);
    assert_eq!(frame(&mut engine), "enter-menu exit-menu enter-playing move-1");
    engine.send(Key(Some(Paused)));
    assert_eq!([frame(&mut engine), frame(&mut engine)], ["move-1", "pause"]);
    assert_eq!(engine.resource::<CurrentState<Screen>>().unwrap().paused().collect::<Vec<_>>(), [Playing]);
    engine.send(Key(None));
    assert_eq!([frame(&mut engine), frame(&mut engine)], ["", "resume move-1"]);
}

#[test]
fn transition_that_is_not_in_the_table_is_refused() {
    let mut engine = game();
    frame(&mut engine);
    request(&mut engine, Paused);
    let error = engine.update(ms(1)).unwrap_err();
    let text = "a transition of Screen was refused: `Paused` may not follow `Menu`: allowed after `Menu` are `Playing`";
    assert_eq!(error.to_string(), text);
    assert_eq!(frame(&mut engine), "", "the request is dropped");
    assert_eq!(engine.resource::<CurrentState<Screen>>().unwrap().current(), Menu);
}

#[test]
fn events_of_state_methods_are_delivered_in_step_1_and_lifecycle_events_too() {
    #[derive(Clone, Copy)]
    struct Started;

    struct Referee;
    impl System for Referee {
        fn setup(setup: &mut Setup<Self>) {
            setup
                .on_enter(Playing, |_: &mut Self, mut started: Sender<Started>| started.send(Started))
                .listen(|_: &mut Self, _: &Started, mut log: ResMut<Log>| log.note("started"))
                .listen(|_: &mut Self, _: &Spawned, mut log: ResMut<Log>| log.note("spawned"))
                .listen(|_: &mut Self, _: &Key, mut log: ResMut<Log>| log.note("key"));
        }
    }
    let mut engine = game();
    engine.add(Referee).unwrap();
    frame(&mut engine);
    request(&mut engine, Playing);
    engine.send(Key(None));
    engine.resource_mut::<NextState<Screen>>().unwrap().change(Playing);
    assert_eq!(frame(&mut engine), "exit-menu enter-playing key started spawned move-1");
}

#[test]
fn disabled_systems_are_not_called() {
    let mut engine = game();
    engine.disable_system::<Game>().unwrap();
    assert_eq!(frame(&mut engine), "");
    engine.enable_system::<Game>().unwrap();
    request(&mut engine, Playing);
    assert_eq!(frame(&mut engine), "exit-menu enter-playing move-1");
}

#[test]
fn methods_for_states_without_a_machine_are_refused() {
    let mut engine = engine();
    engine.add(Game).unwrap();
    let unknown = SetupError::UnknownStates { system: "Game", states: "Screen" };
    assert_eq!(engine.update(ms(1)), Err(unknown.into()));
    engine.add_state_machine(StateMachine::new(Playing)).unwrap();
    assert_eq!(frame(&mut engine), "enter-playing");
    let again = engine.add_state_machine(StateMachine::new(Playing)).err();
    assert_eq!(again, Some(Error::Setup(SetupError::StateMachineAlreadyAdded { states: "Screen" })));
}

#[test]
fn state_that_is_asked_for_without_a_machine_is_missing() {
    let mut engine = engine();
    engine.add(Motion).unwrap();
    assert!(matches!(engine.update(ms(1)), Err(Error::MissingResource { system: "Motion", .. })));
}

#[test]
fn panic_in_a_state_method_leaves_the_transition_made() {
    struct Bad;
    impl System for Bad {
        fn setup(setup: &mut Setup<Self>) {
            setup.on_enter(Playing, |_: &mut Self| panic!("no ball"));
        }
    }
    let mut engine = game();
    engine.add(Bad).unwrap();
    frame(&mut engine);
    request(&mut engine, Playing);
    let panic = catch_unwind(AssertUnwindSafe(|| engine.update(ms(1)))).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>().unwrap(), "system Bad panicked in a transition: no ball");
    assert_eq!(logged(&mut engine), "exit-menu enter-playing");
    assert_eq!(frame(&mut engine), "move-0", "the commands wait for step 6");
    assert_eq!(frame(&mut engine), "move-1");
}

#[test]
fn state_and_request_are_in_snapshots_and_hashes() {
    let mut engine = game();
    frame(&mut engine);
    let menu = engine.state_hash().unwrap();
    request(&mut engine, Playing);
    let requested = engine.state_hash().unwrap();
    assert_eq!(menu.first_difference(&requested).unwrap().to_string(), "resource \"ecs next state Screen\"");
    let snapshot = engine.snapshot().unwrap();
    assert_eq!(frame(&mut engine), "exit-menu enter-playing move-1");
    let playing = engine.state_hash().unwrap();
    engine.restore(&snapshot).unwrap();
    assert_eq!(frame(&mut engine), "exit-menu enter-playing move-1");
    assert_eq!(engine.state_hash().unwrap(), playing);
    let mut fresh = game();
    fresh.restore(&snapshot).unwrap();
    assert_eq!(frame(&mut fresh), "exit-menu enter-playing move-1");
    assert_eq!(fresh.state_hash().unwrap(), playing);
}

#[cfg(feature = "serde")]
#[test]
fn states_are_saved_by_their_names() {
    let mut engine = game();
    request(&mut engine, Playing);
    frame(&mut engine);
    engine.resource_mut::<NextState<Screen>>().unwrap().push(Paused);
    let balls: Vec<_> = engine.query::<EntityId>().iter().collect();
    engine.despawn_many(balls).unwrap();
    engine.update(ms(0)).unwrap();
    logged(&mut engine);
    engine.resource_mut::<NextState<Screen>>().unwrap().pop();
    let text = engine.save_text().unwrap();
    let mut loaded = game();
    loaded.load_text(&text).unwrap();
    assert_eq!(loaded.state_hash().unwrap(), engine.state_hash().unwrap());
    assert_eq!(frame(&mut loaded), "resume move-0");
    // An editor may have stored it in its own way.
    let mut edited = game();
    edited.load_text(&format!("\u{feff}{}", text.replace('\n', "\r\n"))).unwrap();
    assert_eq!(edited.state_hash().unwrap(), engine.state_hash().unwrap());
    let broken = text.replace("Paused", "Frozen");
    let error = game().load_text(&broken).unwrap_err().to_string();
    assert!(error.contains("no transition of Screen names a state `Frozen`"), "{error}");
}

#[test]
fn conditions_of_states_combine() {
    struct Music;
    impl System for Music {
        fn setup(setup: &mut Setup<Self>) {
            setup.run_if(not(in_state(Playing))).update(|_: &mut Self, mut log: ResMut<Log>| log.note("music"));
        }
    }
    let mut engine = game();
    engine.add(Music).unwrap();
    assert_eq!(frame(&mut engine), "enter-menu music");
    request(&mut engine, Playing);
    assert_eq!(frame(&mut engine), "exit-menu enter-playing move-1");
}
