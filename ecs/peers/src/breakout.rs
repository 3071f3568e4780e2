//! The core of Breakout on this framework and on bevy_ecs, each as a user would write it: same rules, same inputs, same
//! end.
//!
//! `cargo test -p ecs_peers --no-default-features --features bevy_ecs breakout`

mod bevy;
mod ours;

use std::time::Duration;

const FRAME: Duration = Duration::from_micros(16_667);
const WIDTH_M: f32 = 12.0;
const RADIUS_M: f32 = 0.15;
const BALL_MPS: f32 = 9.0;
const PADDLE_MPS: f32 = 7.4;
const SERVE: [[f32; 2]; 2] = [[6.0, 2.0], [2.0, BALL_MPS]];
const PADDLE: [[f32; 2]; 2] = [[6.0, 0.5], [1.0, 0.2]];
const BRICK: [f32; 2] = [0.45, 0.2];
/// Places and halves of the sizes of the walls.
const WALLS: [[[f32; 2]; 2]; 3] = [[[0.0, 5.0], [0.1, 5.0]], [[WIDTH_M, 5.0], [0.1, 5.0]], [[6.0, 10.0], [6.0, 0.1]]];

/// Points and places of the bricks.
fn bricks() -> impl Iterator<Item = (u32, [f32; 2])> {
    (0..60).map(|n| (10 * (n / 10 + 1), [1.5 + (n % 10) as f32, 6.0 + 0.5 * (n / 10) as f32]))
}

/// The axis on which a ball at `away` from the centre of a box with velocity `velocity` bounces, if it does.
fn bounce(away: [f32; 2], half: [f32; 2], velocity: [f32; 2]) -> Option<usize> {
    let overlap = [0, 1].map(|axis| half[axis] + RADIUS_M - away[axis].abs());
    let axis = usize::from(overlap[1] < overlap[0]);
    (overlap[axis] > 0.0 && away[axis] * velocity[axis] < 0.0).then_some(axis)
}

/// What is compared: places of the ball and the paddle, points, lives, and the number of bricks.
type Seen = ([f32; 2], [f32; 2], u32, u32, usize);

/// The player: follows the ball and aims in turn at all places.
fn direction(frame: u64, ball: [f32; 2], paddle: [f32; 2]) -> f32 {
    (ball[0] - ((frame / 100 % 9) as f32 * 0.2 - 0.8) - paddle[0]) * 4.0
}

#[test]
fn both_games_are_equal_in_every_frame() {
    let (mut ours, mut bevys) = (ours::Game::new().unwrap(), bevy::Game::new());
    let mut seen = ours.look();
    let mut frame = 0;
    while seen.3 > 0 && seen.4 > 0 {
        let direction = direction(frame, seen.0, seen.1);
        ours.step(direction).unwrap();
        bevys.step(direction);
        (seen, frame) = (ours.look(), frame + 1);
        assert_eq!(seen, bevys.look(), "frame {frame}");
        assert!(frame < 100_000, "the game does not end");
    }
    assert_eq!((seen.2, seen.4), (2100, 0), "all bricks are gone after {frame} frames");
}

#[test]
fn our_game_needs_no_more_lines() {
    let lines =
        |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count();
    let (ours, bevys) = (lines(include_str!("breakout/ours.rs")), lines(include_str!("breakout/bevy.rs")));
    println!("lines of code: ours {ours}, bevy_ecs {bevys}");
    assert!(ours <= bevys, "ours {ours}, bevy_ecs {bevys}");
}
