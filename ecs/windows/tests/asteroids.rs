//! Asteroids without its window: whole matches, at one and four threads, and their replays.
#![cfg(feature = "macroquad")]

use asteroids::{Control, Game, Phase, STEP, new_game};
use ecs::prelude::*;

#[allow(dead_code)]
#[path = "../examples/asteroids.rs"]
mod asteroids;

/// Plays with keys that turn, push and fire until the match is over; returns its hash and its score.
fn play(threads: usize) -> (ecs::StateHash, u32) {
    let (mut engine, mut steps) = (new_game(threads).unwrap(), StepLoop::new(STEP));
    engine.resource_mut::<NextState<Phase>>().unwrap().change(Phase::Playing);
    steps.record(&mut engine).unwrap();
    let mut step = 0;
    while step < 5 || engine.resource::<CurrentState<Phase>>().unwrap().current() == Phase::Playing {
        assert!(step < 60 * 600, "the match does not end");
        steps.hold(Control::Left, step / 40 % 3 == 0);
        steps.hold(Control::Thrust, step / 25 % 4 == 0);
        steps.hold(Control::Fire, step / 7 % 2 == 0);
        steps.advance(&mut engine, STEP).unwrap();
        assert!(engine.command_errors().is_empty(), "{:?}", engine.command_errors());
        step += 1;
    }
    let end = (engine.state_hash().unwrap(), engine.resource::<Game>().unwrap().score);
    assert!(steps.replay(&mut engine).unwrap());
    while steps.is_replaying() {
        steps.advance(&mut engine, STEP).unwrap();
    }
    assert_eq!(steps.divergence(), None);
    end
}

#[test]
fn match_is_the_same_at_any_number_of_threads_and_in_its_replay() {
    let (hash, score) = play(1);
    assert!(score > 200, "{score} points");
    assert_eq!(play(4), (hash, score));
}

#[test]
fn game_has_at_most_300_lines() {
    assert!(include_str!("../examples/asteroids.rs").lines().count() <= 300);
}
