//! Steps of one length at any frame rate: `Engine::advance`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::event::EntityEvent;
use ecs::prelude::*;
use ecs::snapshot::StateHash;
use ecs::state_machine::{State, StateMachine};
use ecs::system::condition::in_state;
use ecs::system::{ErrorPolicy, NextState};
use proptest::prelude::*;

use super::log::{Log, engine, logged};
use crate::{ms, panics};

const STEP: Duration = ms(10);

/// The event of the bug report: one event and one spawn.
#[derive(Clone, Copy)]
struct Shot;

struct Bullet;

fn shoot(bullets: Query<&Bullet>, mut shots: Sender<Shot>, mut hits: ResMut<u32>) {
    match bullets.iter().count() {
        0 => shots.send(Shot),
        bullets => *hits += bullets as u32,
    }
}

#[test]
fn a_second_gives_the_same_hits_at_every_frame_rate() {
    let hits = |rate: u32| {
        let mut engine = Engine::new();
        engine.insert_resource(0_u32);
        engine.add(shoot).unwrap();
        engine.listen(|_: &Shot, mut commands: Commands| commands.spawn((Bullet,))).unwrap();
        let mut clock = StepClock::new(STEP);
        let mut steps = 0;
        for _ in 0..rate {
            steps += engine.advance(&mut clock, Duration::from_secs(1) / rate, |_| {}).unwrap().steps;
        }
        assert_eq!(steps, 100);
        *engine.resource::<u32>().unwrap()
    };
    assert_eq!([10, 25, 50, 100, 200].map(hits), [99; 5]);
}

#[test]
fn advancing_says_what_it_did_and_what_it_dropped() {
    let mut engine = Engine::new();
    let mut clock = StepClock::new(STEP).most_steps(4);
    let mut advance = |milliseconds| engine.advance(&mut clock, ms(milliseconds), |_| {}).unwrap();
    let advanced = advance(25);
    assert_eq!((advanced.steps, advanced.dropped, advanced.overstep_fraction), (2, ms(0), 0.5));
    let advanced = advance(1_000);
    assert_eq!((advanced.steps, advanced.dropped, advanced.overstep_fraction), (4, ms(960), 0.5));
    let advanced = advance(4);
    assert_eq!((advanced.steps, advanced.dropped), (0, ms(0)));
    assert_eq!((engine.time().frame(), engine.time().elapsed()), (6, ms(60)));
}

/// A key goes down or up.
#[derive(Clone, Copy)]
struct Key(bool);

#[test]
fn what_is_pressed_between_steps_is_neither_lost_nor_doubled() {
    let mut engine = engine();
    engine.listen(|key: &Key, mut log: ResMut<Log>| log.note(if key.0 { "down" } else { "up" })).unwrap();
    engine.add(|mut log: ResMut<Log>| log.note("step")).unwrap();
    let mut clock = StepClock::new(STEP);
    // A key that is tapped within a step is heard; one that is pressed before a late frame is heard once.
    for (is_down, elapsed) in [(true, 3), (false, 3), (true, 3), (false, 31)] {
        engine.send(Key(is_down));
        engine.advance(&mut clock, ms(elapsed), |_| {}).unwrap();
    }
    assert_eq!(logged(&mut engine), "down up down up step step step step");
}

#[test]
fn inputs_are_asked_for_before_each_step() {
    let mut engine = engine();
    engine.listen(|key: &Key, mut log: ResMut<Log>| log.note(key.0)).unwrap();
    let mut clock = StepClock::new(STEP);
    let mut asked = 0;
    let mut send = |engine: &mut Engine| {
        asked += 1;
        let is_even = engine.time().frame().is_multiple_of(2);
        engine.send(Key(is_even));
    };
    engine.advance(&mut clock, ms(9), &mut send).unwrap();
    engine.advance(&mut clock, ms(31), &mut send).unwrap();
    assert_eq!(asked, 4);
    assert_eq!(logged(&mut engine), "true false true false");
}

#[test]
fn a_step_that_fails_or_panics_leaves_the_others_due() {
    for threads in [1, 2] {
        let mut engine = Engine::builder().threads(threads).parallel_threshold(0).on_error(ErrorPolicy::Stop).build();
        engine.insert_resource(Log::default());
        let fragile = |time: Time, mut log: ResMut<Log>| {
            log.note(time.frame());
            assert!(time.frame() != 2, "the second step");
            if time.frame() == 3 { Err("the third step") } else { Ok(()) }
        };
        engine.add(fragile).unwrap();
        let mut clock = StepClock::new(STEP);
        assert!(panics(|| engine.advance(&mut clock, ms(40), |_| {})));
        assert_eq!((logged(&mut engine).as_str(), clock.due_steps()), ("1 2", 2));
        assert!(engine.advance(&mut clock, ms(0), |_| {}).is_err());
        assert_eq!((logged(&mut engine).as_str(), clock.due_steps()), ("3", 1));
        engine.advance(&mut clock, ms(5), |_| {}).unwrap();
        assert_eq!((logged(&mut engine).as_str(), clock.overstep()), ("4", ms(5)));
    }
}

/// The states of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weather {
    Calm,
    Storm,
}

impl State for Weather {
    const TRANSITIONS: &'static [(Self, Self)] = &[(Self::Calm, Self::Storm), (Self::Storm, Self::Calm)];
}

/// A domino in the last two steps. A push is an event that despawns it or spawns another.
#[derive(Clone, Debug, PartialEq)]
struct Tilt {
    before: u64,
    now: u64,
}

#[derive(Clone, Copy)]
struct Pushed(EntityId, u64);

impl EntityEvent for Pushed {
    fn entity(&self) -> EntityId {
        self.0
    }
}

/// What a person did before a step.
#[derive(Clone, Copy, Debug)]
struct Input(u64);

fn tilt(time: Time, mut all: Query<(EntityId, &mut Tilt)>, mut pushed: Sender<Pushed>) {
    for (entity, tilt) in &mut all {
        *tilt = Tilt { before: tilt.now, now: tilt.now.wrapping_mul(31).wrapping_add(time.delta().as_nanos() as u64) };
        if tilt.now % 3 == 0 {
            pushed.send(Pushed(entity, tilt.now));
        }
    }
}

/// A simulation with events in a cascade, commands, lifecycle events, timers, conditions and states.
fn dominoes(threads: usize) -> Engine {
    let mut engine = Engine::builder().threads(threads).parallel_threshold(0).build();
    engine.insert_resource(0_u64);
    engine.add_state_machine(StateMachine::new(Weather::Calm)).unwrap();
    engine.add(tilt).unwrap();
    let blow = |mut all: Query<&mut Tilt>| all.iter_mut().for_each(|tilt| tilt.now ^= 5);
    engine.add(blow.every(3 * STEP)).unwrap();
    let rise = |sum: Res<u64>, mut next: ResMut<NextState<Weather>>| {
        if sum.is_multiple_of(2) {
            next.change(Weather::Storm);
        }
    };
    engine.add(rise.every(2 * STEP).run_if(in_state(Weather::Calm))).unwrap();
    let fall = |mut sum: ResMut<u64>, mut next: ResMut<NextState<Weather>>| {
        *sum = sum.wrapping_add(1);
        next.change(Weather::Calm);
    };
    engine.add(fall.every(3 * STEP).run_if(in_state(Weather::Storm))).unwrap();
    let on_push = |pushed: &Pushed, mut commands: Commands, mut sum: ResMut<u64>| {
        *sum = sum.wrapping_mul(7).wrapping_add(pushed.1);
        match pushed.1 % 4 {
            0 => commands.despawn(pushed.0),
            _ => commands.spawn((Tilt { before: 0, now: pushed.1 / 2 },)),
        }
    };
    engine.listen(on_push).unwrap();
    let on_input = |input: &Input, mut commands: Commands| commands.spawn((Tilt { before: 0, now: input.0 },));
    engine.listen(on_input).unwrap();
    engine.listen(|_: &Spawned, mut sum: ResMut<u64>| *sum = sum.wrapping_add(1)).unwrap();
    engine.listen(|_: &Despawned, mut sum: ResMut<u64>| *sum = sum.wrapping_mul(3)).unwrap();
    engine.spawn_many((0..5).map(|now| (Tilt { before: 0, now },)));
    let types = engine.types_mut();
    types.component_by("tilt", |tilt: &Tilt, hash| _ = hash.number(tilt.before).number(tilt.now)).unwrap();
    types.resource::<u64>("sum").unwrap();
    types.function("tilt", tilt).unwrap();
    types.leave_out_resource::<Vec<f32>>();
    engine
}

/// Draws between the last two steps, and counts changes.
fn watch(engine: &mut Engine) {
    engine.insert_resource(Vec::<f32>::new());
    let draw = |time: Time, all: Query<&Tilt, Changed<Tilt>>, mut drawn: ResMut<Vec<f32>>| {
        drawn.clear();
        let between =
            |tilt: &Tilt| tilt.before as f32 + (tilt.now as f32 - tilt.before as f32) * time.overstep_fraction();
        drawn.extend(all.iter().map(between));
    };
    engine.presentation().add(draw).unwrap();
}

/// The hashes after each of 40 steps, by frames of these lengths, repeated.
fn hashes(threads: usize, frames: &[u64], inputs: &[Option<u64>], is_watched: bool) -> Vec<StateHash> {
    let mut engine = dominoes(threads);
    if is_watched {
        watch(&mut engine);
    }
    let mut clock = StepClock::new(STEP);
    let mut hashes = Vec::new();
    for elapsed in frames.iter().cycle() {
        let advanced = engine.advance(&mut clock, ms(*elapsed), |engine| {
            if hashes.len() < 40 {
                hashes.push(engine.state_hash().unwrap());
            }
            let step = engine.time().frame() as usize;
            inputs.get(step).copied().flatten().into_iter().for_each(|input| engine.send(Input(input)));
        });
        assert_eq!(advanced.unwrap().dropped, ms(0));
        if hashes.len() == 40 {
            break;
        }
    }
    hashes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// The same inputs by step give the same state after each step: at any frame rate, at any number of threads, drawn
    /// or not.
    #[test]
    fn same_inputs_by_step_give_the_same_hash_at_any_frame_rate(
        inputs in prop::collection::vec(prop::option::weighted(0.3, 0_u64..1_000), 0..40),
        frames in prop::collection::vec(prop_oneof![3 => 1_u64..25, 1 => 25_u64..240], 1..12),
    ) {
        let expected = hashes(1, &[10], &inputs, false);
        prop_assert_eq!(expected.len(), 40);
        for (threads, is_watched) in [(1, true), (2, false), (4, true)] {
            prop_assert_eq!(&hashes(threads, &frames, &inputs, is_watched), &expected);
        }
    }

    /// Inputs that are sent when they happen: by the time of the step that hears them, whatever the frames before it.
    #[test]
    fn sent_inputs_are_heard_once_in_order_at_any_frame_rate(frames in prop::collection::vec(0_u64..70, 1..60)) {
        let mut engine = Engine::new();
        engine.insert_resource(Vec::<u64>::new());
        engine.listen(|input: &Input, mut heard: ResMut<Vec<u64>>| heard.push(input.0)).unwrap();
        let mut clock = StepClock::new(STEP);
        for (number, elapsed) in frames.iter().enumerate() {
            engine.send(Input(number as u64));
            engine.advance(&mut clock, ms(*elapsed), |_| {}).unwrap();
        }
        engine.advance(&mut clock, STEP, |_| {}).unwrap();
        let expected: Vec<_> = (0..frames.len() as u64).collect();
        prop_assert_eq!(&*engine.resource::<Vec<u64>>().unwrap(), &expected);
    }
}

#[test]
fn a_snapshot_between_frames_restores_into_an_engine_with_another_presentation() {
    let step_on = |engine: &mut Engine, frames: &[u64]| {
        let mut clock = StepClock::new(STEP);
        frames.iter().for_each(|elapsed| _ = engine.advance(&mut clock, ms(*elapsed), |_| {}).unwrap());
        engine.state_hash().unwrap()
    };
    let (mut plain, mut watched) = (dominoes(1), dominoes(2));
    watch(&mut watched);
    step_on(&mut watched, &[33, 4, 54, 9]);
    let snapshot = watched.snapshot().unwrap();
    plain.restore(&snapshot).unwrap();
    let expected = step_on(&mut plain, &[100]);
    assert_eq!(step_on(&mut watched, &[33, 3, 3, 3, 58]), expected);
    watched.restore(&snapshot).unwrap();
    // What is drawn by changes sees the restored world as changed.
    watched.present(ms(1), 0.0).unwrap();
    let all = watched.query::<&Tilt>().iter().count();
    assert_eq!((watched.resource::<Vec<f32>>().unwrap().len(), all > 0), (all, true));
    assert_eq!(step_on(&mut watched, &[7, 93]), expected);
}

#[test]
fn catching_up_by_hand_is_the_same_as_advancing() {
    let (mut advanced, mut by_hand) = (dominoes(1), dominoes(1));
    let mut clock = StepClock::new(STEP);
    for elapsed in [25, 3, 40] {
        advanced.advance(&mut clock, ms(elapsed), |_| {}).unwrap();
    }
    (0..6).for_each(|_| by_hand.update(STEP).unwrap());
    assert_eq!(advanced.state_hash().unwrap(), by_hand.state_hash().unwrap());
    assert!(catch_unwind(AssertUnwindSafe(|| StepClock::new(ms(0)))).is_err());
}
