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
