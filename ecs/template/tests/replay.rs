//! Plays without a window: the game must be the same at any number of threads, and in its replay.

use ecs::{StateHash, StepLoop};
use simulation::{Control, STEP, Score, new_game};

/// Plays half a minute, shows it again, and returns the hash of the end and the coins.
fn play(threads: usize) -> (StateHash, u32) {
    let (mut engine, mut steps) = (new_game(threads).unwrap(), StepLoop::new(STEP));
    steps.record(&mut engine).unwrap();
    for step in 0..1_800 {
        steps.hold(Control::Left, step / 50 % 4 == 0);
        steps.hold(Control::Right, step / 50 % 4 == 2);
        steps.hold(Control::Up, step / 35 % 4 == 1);
        steps.hold(Control::Down, step / 35 % 4 == 3);
        steps.advance(&mut engine, STEP).unwrap();
    }
    let end = (
        engine.state_hash().unwrap(),
        engine.resource::<Score>().unwrap().0,
    );
    assert!(steps.replay(&mut engine).unwrap());
    while steps.is_replaying() {
        steps.advance(&mut engine, STEP).unwrap();
    }
    assert_eq!(steps.divergence(), None);
    end
}

#[test]
fn game_is_the_same_at_one_and_four_threads_and_in_its_replay() {
    let end = play(1);
    assert!(end.1 > 0, "no coin was collected");
    assert_eq!(play(4), end);
}
