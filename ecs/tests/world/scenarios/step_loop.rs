//! The loop of a program with a window: `StepLoop`.

mod shown;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::Snapshot;
use ecs::prelude::*;
use ecs::system::ErrorPolicy;
use proptest::prelude::*;

use crate::ms;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Control {
    Left,
    Right,
    Fire,
}

use Control::{Fire, Left, Right};

/// What the simulation knows: the place, the course, and all that it heard with the frame.
#[derive(Clone, Debug, Default, PartialEq)]
struct Ship {
    at: i64,
    course: i64,
    heard: Vec<(u64, Input<Control>)>,
}

fn hear(input: &Input<Control>, time: Time, mut ship: ResMut<Ship>) {
    ship.heard.push((time.frame(), *input));
    ship.course += match input {
        Input::Pressed(Left) | Input::Released(Right) => -1,
        Input::Pressed(Right) | Input::Released(Left) => 1,
        _ => 0,
    };
}

fn fly(mut ship: ResMut<Ship>) {
    ship.at += ship.course;
}

fn new() -> (Engine, StepLoop<Control>) {
    (with_ship(Engine::new()), StepLoop::new(ms(10)))
}

fn with_ship(mut engine: Engine) -> Engine {
    engine.insert_resource(Ship::default());
    engine.types_mut().resource_by("ship", |ship: &Ship, hash| _ = hash.printed(ship)).unwrap();
    engine.add((hear, fly)).unwrap();
    engine
}

fn ship(engine: &Engine) -> Ship {
    engine.resource::<Ship>().unwrap().clone()
}

/// Takes steps one by one.
fn steps(engine: &mut Engine, steps: &mut StepLoop<Control>, count: u32) {
    for _ in 0..count {
        assert_eq!(steps.advance(engine, ms(10)).unwrap().steps, 1);
    }
}

#[test]
fn key_that_is_tapped_between_two_steps_is_heard_once_and_in_order() {
    let (mut engine, mut keys) = new();
    keys.press(Left);
    assert_eq!(keys.advance(&mut engine, ms(3)).unwrap().steps, 0);
    keys.release(&Left);
    keys.press(Left);
    keys.press(Left); // Repeated by the keyboard.
    keys.release(&Left);
    keys.release(&Left);
    keys.release(&Right); // Pressed before the program began.
    assert_eq!(keys.advance(&mut engine, ms(3)).unwrap().steps, 0);
    assert_eq!(keys.advance(&mut engine, ms(34)).unwrap().steps, 4);
    let [down, up] = [Input::Pressed(Left), Input::Released(Left)];
    assert_eq!(ship(&engine).heard, [(1, down), (1, up), (1, down), (1, up)]);
}

#[test]
fn minute_of_silence_owes_a_quarter_of_a_second() {
    let (mut engine, mut keys) = new();
    keys.press(Right);
    let advanced = keys.advance(&mut engine, Duration::from_secs(60)).unwrap();
    assert_eq!((advanced.steps, advanced.dropped), (25, Duration::from_millis(59_750)));
    assert_eq!(ship(&engine).at, 25);
    // A program that pauses gives no time; what is pressed waits.
    keys.press(Fire);
    assert_eq!(keys.advance(&mut engine, Duration::ZERO).unwrap().steps, 0);
    steps(&mut engine, &mut keys, 1);
    assert_eq!(ship(&engine).heard.last(), Some(&(26, Input::Pressed(Fire))));
}

#[test]
fn lost_focus_releases_what_is_held_once() {
    let (mut engine, mut keys) = new();
    keys.press(Left);
    keys.press(Fire);
    steps(&mut engine, &mut keys, 2);
    keys.release_all();
    keys.release(&Left); // The window hears of it after all.
    steps(&mut engine, &mut keys, 5);
    assert_eq!(ship(&engine).heard[2..], [(3, Input::Released(Left)), (3, Input::Released(Fire))]);
    assert_eq!(ship(&engine).course, 0);
}

#[test]
fn replay_shows_each_step_again_and_returns_to_the_present() {
    let (mut engine, mut keys) = new();
    steps(&mut engine, &mut keys, 7);
    keys.record(&mut engine).unwrap();
    let mut places = Vec::new();
    for step in 0..200 {
        keys.hold(Right, step % 7 < 3);
        keys.hold(Left, step % 11 < 2);
        if step == 50 {
            keys.tap(Fire);
        }
        steps(&mut engine, &mut keys, 1);
        places.push(ship(&engine).at);
    }
    let present = ship(&engine);

    assert!(keys.replay(&mut engine).unwrap());
    for (step, place) in places.iter().enumerate() {
        assert!(keys.is_replaying(), "step {step}");
        steps(&mut engine, &mut keys, 1);
        assert_eq!(ship(&engine).at, *place, "step {step}");
    }
    assert!(!keys.is_replaying());
    assert_eq!((ship(&engine), keys.divergence()), (present, None));
    assert_eq!(engine.time().frame(), 207);
    // It goes on, also in the recording, and can be replayed twice.
    steps(&mut engine, &mut keys, 3);
    assert_eq!(keys.recording().unwrap().frames(), 203);
    assert!(keys.replay(&mut engine).unwrap());
    steps(&mut engine, &mut keys, 100);
    assert!(keys.is_replaying());
    keys.end_replay(&mut engine).unwrap();
    assert_eq!(engine.time().frame(), 210);
}

/// All orders of pressing, replaying and releasing leave the simulation with the controls that the window holds.
#[test]
fn present_hears_what_changed_during_a_replay() {
    for ends_early in [false, true] {
        for before in [&[][..], &[Left], &[Left, Right]] {
            for after in [&[][..], &[Left], &[Right], &[Left, Right]] {
                let (mut engine, mut keys) = new();
                keys.record(&mut engine).unwrap();
                before.iter().for_each(|control| keys.press(*control));
                steps(&mut engine, &mut keys, 5);
                keys.tap(Fire); // It waits for the present.
                keys.replay(&mut engine).unwrap();
                steps(&mut engine, &mut keys, 2);
                keys.release_all();
                keys.tap(Fire); // It says nothing to the present.
                after.iter().for_each(|control| keys.press(*control));
                match ends_early {
                    true => keys.end_replay(&mut engine).unwrap(),
                    false => steps(&mut engine, &mut keys, 3),
                }
                assert!(!keys.is_replaying());
                steps(&mut engine, &mut keys, 1);
                let expected = after.contains(&Right) as i64 - after.contains(&Left) as i64;
                let ship = ship(&engine);
                assert_eq!(ship.course, expected, "{before:?} {after:?}");
                let shots = ship.heard.iter().filter(|(_, input)| *input == Input::Pressed(Fire)).count();
                assert_eq!(shots, 1, "{before:?} {after:?}");
            }
        }
    }
}

#[test]
fn recording_that_has_ended_is_replayed_alone() {
    let (mut engine, mut keys) = new();
    assert!(!keys.replay(&mut engine).unwrap(), "nothing was recorded");
    keys.record(&mut engine).unwrap();
    assert!(!keys.replay(&mut engine).unwrap(), "no step was recorded");
    keys.press(Right);
    steps(&mut engine, &mut keys, 4);
    keys.end_recording(&mut engine).unwrap();
    keys.end_recording(&mut engine).unwrap();
    steps(&mut engine, &mut keys, 30);
    for _ in 0..2 {
        assert!(keys.replay(&mut engine).unwrap());
        steps(&mut engine, &mut keys, 3);
        assert_eq!((ship(&engine).at, keys.is_replaying()), (3, true));
        steps(&mut engine, &mut keys, 1);
        assert_eq!((ship(&engine).at, keys.is_replaying()), (34, false));
    }
    // It can end while it is shown.
    keys.record(&mut engine).unwrap();
    steps(&mut engine, &mut keys, 4);
    assert!(keys.replay(&mut engine).unwrap());
    keys.end_recording(&mut engine).unwrap();
    steps(&mut engine, &mut keys, 6);
    assert_eq!((keys.is_replaying(), keys.recording().unwrap().frames()), (false, 4));
    // The next recording replaces it, also from within a replay, and begins in the present.
    assert!(keys.replay(&mut engine).unwrap());
    steps(&mut engine, &mut keys, 1);
    keys.record(&mut engine).unwrap();
    assert_eq!(ship(&engine).at, 40);
    steps(&mut engine, &mut keys, 2);
    assert_eq!(keys.recording().unwrap().frames(), 2);
}

#[test]
fn replay_that_differs_ends_there_and_says_so() {
    let (mut engine, mut keys) = new();
    keys.record(&mut engine).unwrap();
    steps(&mut engine, &mut keys, 130);
    // Not by an input.
    engine.resource_mut::<Ship>().unwrap().at = 1_000;
    steps(&mut engine, &mut keys, 60);
    let present = ship(&engine);
    keys.replay(&mut engine).unwrap();
    for _ in 0..190 {
        keys.advance(&mut engine, ms(10)).unwrap();
    }
    let divergence = keys.divergence().expect("the place differs").to_string();
    assert_eq!(divergence, "the replay differs after frame 180, and agrees until frame 120: resource \"ship\" differs");
    assert!(!keys.is_replaying());
    assert_eq!(ship(&engine), present);
    assert_eq!(engine.time().frame(), 200, "it ended early, and the other frames were live");
}

#[test]
fn recording_follows_a_run_that_is_taken_back() {
    let (mut engine, mut keys) = new();
    let beginning = engine.snapshot().unwrap();
    steps(&mut engine, &mut keys, 5);
    keys.record(&mut engine).unwrap();
    keys.press(Right);
    steps(&mut engine, &mut keys, 5);
    let earlier = engine.snapshot().unwrap();
    keys.tap(Fire);
    steps(&mut engine, &mut keys, 5);
    engine.restore(&earlier).unwrap();
    steps(&mut engine, &mut keys, 2);
    assert_eq!(keys.recording().unwrap().frames(), 7);
    assert!(keys.replay(&mut engine).unwrap());
    steps(&mut engine, &mut keys, 7);
    assert_eq!((ship(&engine).at, keys.is_replaying(), keys.divergence()), (7, false, None));
    // To a moment before the recording: nothing of it has happened.
    engine.restore(&beginning).unwrap();
    assert!(!keys.replay(&mut engine).unwrap());
    steps(&mut engine, &mut keys, 1);
    assert_eq!(keys.recording(), None);
}

#[test]
fn program_that_is_halted_takes_no_time_and_its_inputs_wait() {
    let (mut engine, mut keys) = new();
    steps(&mut engine, &mut keys, 3);
    keys.press(Right);
    for _ in 0..100 {
        let advanced = keys.advance_by(&mut engine, ms(7), |_, _| None).unwrap();
        assert_eq!(advanced.steps, 0);
    }
    let mut asked = 0;
    let advanced = keys.advance_by(&mut engine, ms(7), |_, _| {
        asked += 1;
        None
    });
    assert_eq!((asked, advanced.unwrap().overstep_fraction), (1, 1.0), "each frame asks once and draws the last step");
    assert_eq!(ship(&engine).heard, []);
    let advanced = keys.advance_by(&mut engine, ms(7), |engine, step| Some(step(engine))).unwrap();
    assert_eq!((advanced.steps, advanced.overstep_fraction), (1, 0.0));
    assert_eq!(ship(&engine).heard, [(4, Input::Pressed(Right))]);
    assert_eq!(keys.advance(&mut engine, ms(15)).unwrap().steps, 1);
}

#[test]
fn frame_that_could_not_begin_is_not_recorded_and_its_inputs_are() {
    let (mut engine, mut keys) = new();
    keys.record(&mut engine).unwrap();
    let gone = engine.remove_resource::<Ship>().unwrap();
    keys.press(Right);
    keys.advance(&mut engine, ms(10)).unwrap_err();
    engine.insert_resource(gone);
    steps(&mut engine, &mut keys, 3);
    assert_eq!((ship(&engine).at, keys.recording().unwrap().frames()), (3, 3));
    keys.replay(&mut engine).unwrap();
    steps(&mut engine, &mut keys, 3);
    assert_eq!((keys.is_replaying(), keys.divergence()), (false, None));
}

#[test]
fn frame_that_ends_with_an_error_is_recorded() {
    let mut engine = with_ship(Engine::builder().on_error(ErrorPolicy::Stop).build());
    let mut keys = StepLoop::new(ms(10));
    let fail = |ship: Res<Ship>| match ship.at == 2 {
        true => Err("it is at 2"),
        false => Ok(()),
    };
    engine.add(fail.in_post_update()).unwrap();
    keys.record(&mut engine).unwrap();
    keys.press(Right);
    steps(&mut engine, &mut keys, 1);
    keys.advance(&mut engine, ms(10)).unwrap_err();
    steps(&mut engine, &mut keys, 1);
    assert_eq!((ship(&engine).at, keys.recording().unwrap().frames()), (3, 3));
}

/// A component that nothing names.
struct Spark;

#[test]
fn what_lacks_a_name_is_told_in_the_step_that_brings_it() {
    let late = |mut commands: Commands, ship: Res<Ship>| {
        if ship.heard.len() == 1 {
            commands.after(ms(15), |mut ship: ResMut<Ship>| ship.at = 0);
        }
    };
    let sparks = |mut commands: Commands, sparks: Query<EntityId, With<Spark>>| match sparks.iter().next() {
        Some(spark) => commands.despawn(spark),
        None => commands.spawn((Spark,)),
    };
    // Neither lives until a hash is taken.
    let told = |prepare: &dyn Fn(&mut Engine)| {
        let (mut engine, mut keys) = new();
        prepare(&mut engine);
        keys.record(&mut engine).unwrap();
        keys.press(Right);
        let error = keys.advance(&mut engine, ms(10)).unwrap_err().to_string();
        assert_eq!((engine.time().frame(), keys.recording().unwrap().frames()), (1, 1), "nothing is lost");
        error
    };
    let function = told(&|engine| _ = engine.add(late).unwrap());
    assert!(function.contains("give it a name with engine.types_mut().function("), "{function}");
    let component = told(&|engine| _ = engine.add(sparks).unwrap());
    assert!(component.starts_with("component Spark is not registered"), "{component}");
    // It will have ended when the replay begins.
    let (mut engine, mut keys) = new();
    engine.add((|mut ship: ResMut<Ship>| ship.at = 0).once_after(ms(35))).unwrap();
    let refused = keys.record(&mut engine).unwrap_err().to_string();
    assert!(refused.contains("runs once or captures values, so it cannot be copied"), "{refused}");
    // With a name, it is recorded and replayed.
    fn home(mut ship: ResMut<Ship>) {
        ship.at = 0;
    }
    let (mut engine, mut keys) = new();
    engine.types_mut().function("home", home).unwrap();
    engine.add(home.once_after(ms(35))).unwrap();
    keys.record(&mut engine).unwrap();
    keys.press(Right);
    steps(&mut engine, &mut keys, 10);
    assert!(keys.replay(&mut engine).unwrap());
    steps(&mut engine, &mut keys, 12);
    assert_eq!((keys.is_replaying(), keys.divergence()), (false, None));
}

#[test]
fn frame_that_panics_is_recorded_and_replayed() {
    let (mut engine, mut keys) = new();
    let stumble = |ship: Res<Ship>| assert!(ship.at != 2, "as wanted");
    engine.add(stumble.in_post_update()).unwrap();
    keys.record(&mut engine).unwrap();
    keys.press(Right);
    let mut play = |keys: &mut StepLoop<Control>| {
        steps(&mut engine, keys, 1);
        assert!(catch_unwind(AssertUnwindSafe(|| keys.advance(&mut engine, ms(10)))).is_err());
        assert_eq!(engine.time().frame(), 2);
        steps(&mut engine, keys, 2);
        assert_eq!((ship(&engine).at, keys.recording().unwrap().frames()), (4, 4));
        keys.replay(&mut engine).unwrap()
    };
    assert!(play(&mut keys));
    assert!(play(&mut keys), "the replay has panicked, went on, and is at its end");
    assert_eq!(keys.divergence(), None);
}

#[test]
fn same_inputs_by_step_are_heard_at_any_frame_rate_while_it_is_recorded_and_replayed() {
    let run = |frame: Duration, threads: usize| {
        let mut engine = with_ship(Engine::builder().threads(threads).parallel_threshold(0).build());
        let mut keys = StepLoop::new(ms(10));
        keys.record(&mut engine).unwrap();
        for second in 0..4 {
            keys.hold(Right, second % 2 == 0);
            keys.tap(Fire);
            (0..Duration::from_secs(1).as_micros() / frame.as_micros()).for_each(|_| {
                keys.advance(&mut engine, frame).unwrap();
            });
        }
        let live = engine.state_hash().unwrap();
        keys.replay(&mut engine).unwrap();
        while keys.is_replaying() {
            keys.advance(&mut engine, frame).unwrap();
        }
        assert_eq!(keys.divergence(), None);
        live
    };
    let first = run(ms(10), 1);
    for frame in [ms(1), ms(2), ms(5), ms(40), ms(100), ms(200)] {
        assert_eq!(run(frame, 2), first, "{frame:?}");
    }
}

/// While the program is halted, inputs wait in the engine, where a restore takes them away, and a snapshot has them.
#[test]
fn what_waits_in_a_halted_program_is_heard_once_whatever_is_restored_and_recorded() {
    let (mut engine, mut keys) = new();
    engine.types_mut().event_by::<Input<Control>>("input", |input, hash| _ = hash.printed(input)).unwrap();
    steps(&mut engine, &mut keys, 2);
    let earlier = engine.snapshot().unwrap();
    steps(&mut engine, &mut keys, 3);
    let halt = |engine: &mut Engine, keys: &mut StepLoop<Control>| _ = keys.advance_by(engine, ms(10), |_, _| None);
    keys.press(Right);
    halt(&mut engine, &mut keys);
    engine.restore(&earlier).unwrap();
    keys.press(Fire);
    halt(&mut engine, &mut keys);
    keys.record(&mut engine).unwrap();
    keys.release(&Right);
    halt(&mut engine, &mut keys);
    steps(&mut engine, &mut keys, 3);
    let heard = [(3, Input::Pressed(Right)), (3, Input::Pressed(Fire)), (3, Input::Released(Right))];
    assert_eq!(ship(&engine).heard, heard);
    assert!(keys.replay(&mut engine).unwrap());
    halt(&mut engine, &mut keys);
    halt(&mut engine, &mut keys);
    steps(&mut engine, &mut keys, 2);
    assert_eq!((ship(&engine).heard, keys.is_replaying()), (heard.to_vec(), true));
    steps(&mut engine, &mut keys, 1);
    assert_eq!((keys.is_replaying(), keys.divergence()), (false, None));
}

/// The course of a ship that has heard of each control that is held, and of no other.
fn course(held: &BTreeSet<Control>) -> i64 {
    i64::from(held.contains(&Right)) - i64::from(held.contains(&Left))
}

#[test]
fn no_key_sticks_when_a_state_is_restored() {
    let (mut engine, mut keys) = new();
    steps(&mut engine, &mut keys, 2);
    let free = engine.snapshot().unwrap();
    keys.press(Right);
    steps(&mut engine, &mut keys, 3);
    let held = engine.snapshot().unwrap();
    keys.release(&Right);
    engine.restore(&held).unwrap();
    steps(&mut engine, &mut keys, 1);
    assert_eq!(ship(&engine).heard, [(3, Input::Pressed(Right)), (6, Input::Released(Right))]);
    keys.press(Left);
    engine.restore(&free).unwrap();
    steps(&mut engine, &mut keys, 2);
    assert_eq!(ship(&engine).heard, [(3, Input::Pressed(Left))], "it waited, and comes once");
    // Forwards, too, and into another engine.
    for mut engine in [engine, with_ship(Engine::new())] {
        engine.restore(&held).unwrap();
        steps(&mut engine, &mut keys, 1);
        assert_eq!(ship(&engine).heard[1..], [(6, Input::Released(Right)), (6, Input::Pressed(Left))]);
    }
}

#[test]
fn inputs_are_not_sent_again_to_another_state_of_the_same_frame() {
    let (mut engine, mut keys) = new();
    steps(&mut engine, &mut keys, 1);
    let earlier = engine.snapshot().unwrap();
    steps(&mut engine, &mut keys, 1);
    let free = engine.snapshot().unwrap();
    engine.restore(&earlier).unwrap();
    keys.press(Right);
    steps(&mut engine, &mut keys, 1);
    keys.release(&Right);
    keys.press(Left);
    steps(&mut engine, &mut keys, 1);
    engine.restore(&free).unwrap();
    steps(&mut engine, &mut keys, 1);
    assert_eq!(ship(&engine).heard, [(3, Input::Pressed(Left))]);
}

#[test]
fn no_key_is_lost_or_doubled_when_a_state_of_a_replay_is_restored() {
    let (mut engine, mut keys) = new();
    keys.record(&mut engine).unwrap();
    keys.press(Right);
    steps(&mut engine, &mut keys, 2);
    keys.press(Left);
    steps(&mut engine, &mut keys, 1);
    keys.press(Fire);
    steps(&mut engine, &mut keys, 1);
    assert!(keys.replay(&mut engine).unwrap());
    steps(&mut engine, &mut keys, 1);
    let of_replay = engine.snapshot().unwrap();
    steps(&mut engine, &mut keys, 1);
    keys.end_replay(&mut engine).unwrap();
    engine.restore(&of_replay).unwrap();
    steps(&mut engine, &mut keys, 1);
    let (pressed, caught_up) = ((1, Input::Pressed(Right)), [(2, Input::Pressed(Fire)), (2, Input::Pressed(Left))]);
    let heard = ship(&engine).heard;
    assert_eq!((heard[0], heard.len()), (pressed, 3));
    assert!(caught_up.iter().all(|input| heard.contains(input)), "{heard:?}");
}

proptest! {
    #[test]
    fn state_knows_the_controls_that_are_held(acts in prop::collection::vec((0_u8..12, 0_usize..3), 1..60)) {
        let (mut engine, mut keys) = new();
        let mut slots: [Option<Snapshot>; 3] = Default::default();
        let mut held = BTreeSet::new();
        // A recording that goes on from a state of another run is not what happened: its replay has states that never
        // were.
        let mut was_restored = false;
        for (act, which) in acts {
            let control = [Left, Right, Fire][which];
            match act {
                0..3 => {
                    keys.press(control);
                    held.insert(control);
                }
                3..5 => {
                    keys.release(&control);
                    held.remove(&control);
                }
                5 => {
                    keys.tap(control);
                    held.remove(&control);
                }
                6 if was_restored && keys.is_replaying() => {}
                6 => slots[which] = Some(engine.snapshot().unwrap()),
                7 | 8 => {
                    if let Some(slot) = &slots[which] {
                        keys.end_replay(&mut engine).unwrap();
                        engine.restore(slot).unwrap();
                        was_restored = true;
                    }
                }
                9 if keys.recording().is_none() => keys.record(&mut engine).unwrap(),
                9 => _ = keys.replay(&mut engine).unwrap(),
                10 => keys.end_replay(&mut engine).unwrap(),
                _ => {}
            }
            if act > 1 {
                steps(&mut engine, &mut keys, 1);
                if !keys.is_replaying() {
                    steps(&mut engine, &mut keys, 1);
                    prop_assert!(keys.is_replaying() || ship(&engine).course == course(&held));
                }
            }
        }
    }
}

#[cfg(feature = "inspect")]
#[test]
fn frames_that_are_run_again_know_the_controls() {
    let (mut engine, mut keys) = new();
    engine.types_mut().event_by("input", |input: &Input<Control>, hash| _ = hash.printed(input)).unwrap();
    let beginning = engine.snapshot().unwrap();
    engine.inspector().record_frames(true);
    keys.press(Right);
    steps(&mut engine, &mut keys, 3);
    keys.release(&Right);
    steps(&mut engine, &mut keys, 3);
    let frames = engine.inspector().record_frames(false);
    engine.restore(&beginning).unwrap();
    for frame in frames.into_iter().take(2) {
        if let Some(events) = frame.waiting.unwrap() {
            engine.inspector().set_waiting_events(&events).unwrap();
        }
        engine.update(frame.delta).unwrap();
    }
    assert_eq!(ship(&engine).course, 1);
    steps(&mut engine, &mut keys, 1);
    assert_eq!(ship(&engine).course, 0, "the release is heard where it goes on");
}
