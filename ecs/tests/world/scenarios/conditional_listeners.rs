//! Functions that listen and have conditions, which are checked right before each event.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::event::Despawning;
use ecs::prelude::*;
use ecs::state_machine::{State, StateMachine};
use ecs::system::condition::resource_exists;

use crate::ms;

#[derive(Clone, Copy)]
struct Hit(u32);

#[derive(Clone)]
struct Lives(u32);

#[derive(Clone, Default)]
struct Log(Vec<u32>);

fn is_alive(lives: Res<Lives>) -> bool {
    lives.0 > 0
}

/// Writes what its condition reads.
fn lose(hit: &Hit, mut lives: ResMut<Lives>, mut log: ResMut<Log>) {
    lives.0 -= 1;
    log.0.push(hit.0);
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Lives(3));
    engine.insert_resource(Log::default());
    engine
}

fn log(engine: &mut Engine) -> Vec<u32> {
    std::mem::take(&mut engine.resource_mut::<Log>().unwrap().0)
}

fn hit(engine: &mut Engine, hits: std::ops::Range<u32>) {
    hits.for_each(|hit| engine.send(Hit(hit)));
    engine.update(ms(10)).unwrap();
}

#[test]
fn listener_gets_the_events_for_which_its_condition_holds() {
    for is_traced in [false, true] {
        let builder = Engine::builder();
        let mut engine = if is_traced { builder.trace_causes(8).build() } else { builder.build() };
        engine.insert_resource(Lives(3));
        engine.insert_resource(Log::default());
        engine.add(lose.run_if(is_alive)).unwrap();
        hit(&mut engine, 0..5);
        assert_eq!(log(&mut engine), [0, 1, 2], "events of one run");
        hit(&mut engine, 5..7);
        assert!(log(&mut engine).is_empty(), "what was passed over does not come later");
        engine.insert_resource(Lives(1));
        hit(&mut engine, 7..9);
        assert_eq!(log(&mut engine), [7]);
        assert_eq!(engine.events().counters::<Hit>().unwrap().delivered, 4);
    }
}

#[test]
fn other_listeners_get_every_event_in_order() {
    let mut engine = engine();
    let count = |hit: &Hit, mut log: ResMut<Log>| log.0.push(100 + hit.0);
    engine.add((lose.run_if(is_alive).run_if(|log: Res<Log>| log.0.len() != 1), count)).unwrap();
    hit(&mut engine, 0..3);
    assert_eq!(log(&mut engine), [0, 100, 101, 102]);
}

#[test]
fn systems_send_to_it_and_it_sends() {
    #[derive(Clone, Copy)]
    struct Lost;
    let mut engine = engine();
    engine.insert_resource(Lives(2));
    let cry = |_: &Lost, mut log: ResMut<Log>| log.0.push(9);
    let lose = |_: &Hit, mut lives: ResMut<Lives>, mut lost: Sender<Lost>| {
        lives.0 -= 1;
        lost.send(Lost);
    };
    engine.add((|mut hits: Sender<Hit>| (0..4).for_each(|n| hits.send(Hit(n))), lose.run_if(is_alive), cry)).unwrap();
    engine.update(ms(10)).unwrap();
    assert_eq!(log(&mut engine), [9, 9]);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Game {
    Menu,
    Playing,
}

impl State for Game {
    const TRANSITIONS: &'static [(Self, Self)] = &[(Self::Menu, Self::Playing), (Self::Playing, Self::Menu)];
}

#[test]
fn tuple_of_listeners_and_functions_has_one_condition() {
    let mut engine = engine();
    engine.add_state_machine(StateMachine::new(Game::Menu)).unwrap();
    let step = |mut log: ResMut<Log>| log.0.push(50);
    engine.add((lose, step).run_if(in_state(Game::Playing))).unwrap();
    hit(&mut engine, 0..1);
    assert!(log(&mut engine).is_empty());
    // In the frame that begins with the transition, also the events of its first step.
    engine.resource_mut::<NextState<Game>>().unwrap().change(Game::Playing);
    hit(&mut engine, 1..2);
    assert_eq!(log(&mut engine), [1, 50]);
}

#[test]
fn conditions_of_a_set_do_not_concern_listeners() {
    struct Never;
    let mut engine = engine();
    engine.configure_set::<Never>(|set| set.run_if(|_: Time| false)).unwrap();
    engine.add(lose.in_set::<Never>().run_if(is_alive)).unwrap();
    hit(&mut engine, 0..1);
    assert_eq!(log(&mut engine), [0]);
}

#[test]
fn despawning_is_announced_if_the_condition_holds() {
    let mut engine = engine();
    let note = |_: &Despawning, mut lives: ResMut<Lives>, mut log: ResMut<Log>| {
        lives.0 -= 1;
        log.0.push(lives.0);
    };
    engine.add(note.run_if(is_alive)).unwrap();
    engine
        .add(|all: Query<EntityId, With<u8>>, mut commands: Commands| all.iter().for_each(|e| commands.despawn(e)))
        .unwrap();
    (0..5_u8).for_each(|n| _ = engine.spawn((n,)));
    engine.update(ms(10)).unwrap();
    assert_eq!((log(&mut engine), engine.query::<&u8>().count()), (vec![2, 1, 0], 0));
}

#[test]
fn panic_in_the_condition_passes_over_its_event_alone() {
    let mut engine = engine();
    let is_fine = |log: Res<Log>| {
        assert!(log.0.len() != 1, "one is too few");
        true
    };
    let also = |hit: &Hit, mut log: ResMut<Log>| log.0.extend([hit.0; 2]);
    engine.add((lose.run_if(is_fine), also)).unwrap();
    (0..3).for_each(|n| engine.send(Hit(n)));
    let panic = catch_unwind(AssertUnwindSafe(|| engine.update(ms(10)))).unwrap_err();
    let expected = "system lose panicked in its listener for Hit: one is too few";
    assert_eq!(panic.downcast_ref::<String>().unwrap(), expected);
    engine.update(ms(10)).unwrap();
    // `lose` got the first, lost the second to the panic, and got the third in the next frame.
    assert_eq!(log(&mut engine), [0, 0, 0, 1, 1, 2, 2, 2]);
    assert_eq!(engine.resource::<Lives>().unwrap().0, 1);
}

#[test]
fn resource_that_the_condition_lacks_is_named() {
    struct Missing;
    let mut engine = engine();
    engine.add(lose.run_if(|_: Res<Missing>| true)).unwrap();
    let error = engine.update(ms(10)).unwrap_err().to_string();
    assert_eq!(error, "lose needs the resource Missing, which does not exist: insert it, or ask for an Option");
    engine.insert_resource(Missing);
    hit(&mut engine, 0..1);
    assert_eq!(log(&mut engine), [0]);
    let mut engine = self::engine();
    engine.add(lose.run_if(resource_exists::<Missing>)).unwrap();
    hit(&mut engine, 0..1);
    assert!(log(&mut engine).is_empty());
}

#[test]
fn restored_listener_has_its_condition() {
    let mut engine = engine();
    engine
        .types_mut()
        .resource_by("lives", |lives: &Lives, hash| _ = hash.add(&lives.0))
        .and_then(|types| types.resource_by("log", |log: &Log, hash| _ = hash.add(&log.0.len())))
        .unwrap();
    engine.add(lose.run_if(is_alive)).unwrap();
    hit(&mut engine, 0..1);
    let snapshot = engine.snapshot().unwrap();
    let function = engine.systems().ids_of(lose).next().unwrap();
    assert!(engine.cancel(function));
    engine.update(Duration::ZERO).unwrap();
    engine.restore(&snapshot).unwrap();
    hit(&mut engine, 1..9);
    assert_eq!(log(&mut engine), [0, 1, 2]);
}
