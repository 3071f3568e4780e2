//! The loop of a window with a studio around each step: `StepLoop::advance_by`.

use std::time::Duration;

use ecs::prelude::*;
use ecs_studio::Studio;
use serde_json::json;

use crate::ask;

const STEP: Duration = Duration::from_millis(10);

/// A ball that is thrown by a key, with a recording that has begun.
fn watched() -> (Engine, Studio<Engine>, StepLoop<char>) {
    let (mut engine, ball) = crate::engine();
    let throw = move |input: &Input<char>, mut balls: Query<&mut crate::Ball>| {
        let ball = balls.get_mut(ball).unwrap();
        ball.speed_mps += if input.is_pressed() { 3.0 } else { -1.0 };
    };
    engine.listen(throw).unwrap();
    engine.types_mut().event::<Input<char>>("input").unwrap();
    let (mut studio, mut steps) = (Studio::new(), StepLoop::new(STEP));
    steps.record(&mut engine).unwrap();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    (engine, studio, steps)
}

fn frames(engine: &mut Engine, studio: &mut Studio<Engine>, steps: &mut StepLoop<char>, count: u32) -> u32 {
    let frame = |_| steps.advance_by(engine, STEP, |engine, step| studio.frame(engine, step)).unwrap().steps;
    (0..count).map(frame).sum()
}

#[test]
fn paused_program_takes_no_steps_and_hears_what_was_pressed_when_it_goes_on() {
    let (mut engine, mut studio, mut steps) = watched();
    assert_eq!(frames(&mut engine, &mut studio, &mut steps, 3), 3);
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    steps.press('t');
    assert_eq!(frames(&mut engine, &mut studio, &mut steps, 50), 0);
    ask(&mut studio, &mut engine, json!({ "op": "step" }));
    assert_eq!(frames(&mut engine, &mut studio, &mut steps, 50), 1);
    assert_eq!(steps.recording().unwrap().inputs().next(), Some((4, &vec![Input::Pressed('t')])));
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    assert_eq!(frames(&mut engine, &mut studio, &mut steps, 50), 50);
}

#[test]
fn run_that_goes_on_from_the_past_is_recorded_from_there_and_replayed() {
    let (mut engine, mut studio, mut steps) = watched();
    for press in ['a', 'b', 'c'] {
        steps.tap(press);
        frames(&mut engine, &mut studio, &mut steps, 10);
    }
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 12 }));
    assert_eq!(engine.time().frame(), 12);
    assert_eq!(frames(&mut engine, &mut studio, &mut steps, 5), 0);
    ask(&mut studio, &mut engine, json!({ "op": "run", "from_here": true }));
    steps.tap('d');
    assert_eq!(frames(&mut engine, &mut studio, &mut steps, 8), 8);
    let heard: Vec<_> =
        steps.recording().unwrap().inputs().map(|(frame, inputs)| (frame, *inputs[0].control())).collect();
    assert_eq!(heard, [(1, 'a'), (11, 'b'), (13, 'd')]);
    let present = engine.state_hash().unwrap();

    assert!(steps.replay(&mut engine).unwrap());
    assert_eq!(frames(&mut engine, &mut studio, &mut steps, 19), 19);
    assert!(steps.is_replaying());
    // Back and forth within the replay.
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 5 }));
    ask(&mut studio, &mut engine, json!({ "op": "run", "from_here": true }));
    frames(&mut engine, &mut studio, &mut steps, 14);
    assert!(steps.is_replaying());
    frames(&mut engine, &mut studio, &mut steps, 1);
    assert_eq!((steps.is_replaying(), steps.divergence()), (false, None));
    assert_eq!(engine.state_hash().unwrap(), present);
    assert_eq!(frames(&mut engine, &mut studio, &mut steps, 5), 5);
}

/// The speed of the ball, which tells what was heard.
fn speed_mps(engine: &mut Engine) -> f32 {
    engine.query::<&crate::Ball>().single().unwrap().speed_mps
}

#[test]
fn look_at_the_past_keeps_the_recording_and_hears_each_key_once() {
    let (mut engine, mut studio, mut steps) = watched();
    let mut plain = watched();
    steps.tap('a');
    plain.2.tap('a');
    assert_eq!(frames(&mut engine, &mut studio, &mut steps, 5), 5);
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    for (frame, press) in [(1, 'b'), (3, 'c'), (5, 'd')] {
        steps.press(press);
        frames(&mut engine, &mut studio, &mut steps, 2);
        ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": frame }));
        assert_eq!(frames(&mut engine, &mut studio, &mut steps, 3), 0);
        steps.release(&press);
    }
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 2 }));
    frames(&mut engine, &mut studio, &mut steps, 1);
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    assert_eq!(frames(&mut engine, &mut studio, &mut steps, 4), 4);
    assert_eq!(steps.recording().map(|recording| recording.frames()), Some(9));

    let (engine_of_plain, studio_of_plain, steps_of_plain) = (&mut plain.0, &mut plain.1, &mut plain.2);
    frames(engine_of_plain, studio_of_plain, steps_of_plain, 5);
    ['b', 'c', 'd'].into_iter().for_each(|key| steps_of_plain.tap(key));
    frames(engine_of_plain, studio_of_plain, steps_of_plain, 4);
    assert_eq!(speed_mps(&mut engine), speed_mps(engine_of_plain));
}

#[test]
fn middle_of_a_frame_hears_what_the_whole_frame_hears() {
    let (mut engine, mut studio, mut steps) = watched();
    frames(&mut engine, &mut studio, &mut steps, 59);
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    steps.tap('t');
    let mut stepped = 0;
    while engine.time().frame() < 60 || ask(&mut studio, &mut engine, json!({ "op": "status" }))["middle"].is_object() {
        ask(&mut studio, &mut engine, json!({ "op": "step_system" }));
        frames(&mut engine, &mut studio, &mut steps, 1);
        stepped += 1;
        assert!(stepped < 20, "the frame ends");
    }
    assert!(stepped > 1);
    let (mut plain, mut studio_of_plain, mut steps_of_plain) = watched();
    frames(&mut plain, &mut studio_of_plain, &mut steps_of_plain, 59);
    steps_of_plain.tap('t');
    frames(&mut plain, &mut studio_of_plain, &mut steps_of_plain, 1);
    assert_eq!(speed_mps(&mut engine), speed_mps(&mut plain));
    let heard: Vec<_> = steps.recording().unwrap().inputs().map(|(frame, inputs)| (frame, inputs.len())).collect();
    assert_eq!(heard, [(60, 2)]);
    assert!(steps.replay(&mut engine).unwrap());
    steps.advance(&mut engine, 60 * STEP).unwrap();
    assert_eq!(steps.divergence(), None);
}
