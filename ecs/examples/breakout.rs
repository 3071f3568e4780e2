//! Breakout without a window: a paddle, a ball, walls and 60 bricks. A simple autopilot steers, as keys would, with one
//! event per frame. Prints the end of the game, and plays it again on two threads with the same result.
//!
//! `cargo run -p lockstep_ecs --example breakout`

use std::time::Duration;

use ecs::prelude::*;

const WIDTH_M: f32 = 12.0;
const RADIUS_M: f32 = 0.15;
const BALL_MPS: f32 = 9.0;
const PADDLE_MPS: f32 = 6.8;
const SERVE: (Position, Velocity) = (Position([6.0, 2.0]), Velocity([2.0, BALL_MPS]));

/// Centre, in metres from the lower left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Position([f32; 2]);
#[derive(Clone, Copy)]
struct Velocity([f32; 2]);
/// A box that reflects the ball: half of its width and height, in metres.
struct Solid([f32; 2]);
struct Ball;
struct Paddle;
/// The points that it is worth.
struct Brick(u32);

/// Input: the direction of the paddle, from -1 to 1.
#[derive(Clone, Copy)]
struct Steered(f32);
/// The ball hit a solid.
#[derive(Clone, Copy)]
struct Hit(EntityId);
/// The ball fell below the paddle.
#[derive(Clone, Copy)]
struct BallLost;

/// The state of the game: a resource.
struct Game {
    score: u32,
    lives: u32,
}

fn steer(steered: &Steered, mut paddles: Query<&mut Velocity, With<Paddle>>) {
    paddles.iter_mut().for_each(|velocity| velocity.0[0] = steered.0.clamp(-1.0, 1.0) * PADDLE_MPS);
}

fn fly(time: Time, mut movers: Query<(&mut Position, &Velocity)>) {
    for (position, velocity) in &mut movers {
        position.0[0] = (position.0[0] + velocity.0[0] * time.delta_seconds()).clamp(0.0, WIDTH_M);
        position.0[1] += velocity.0[1] * time.delta_seconds();
    }
}

fn bounce(
    mut balls: Query<(&Position, &mut Velocity), With<Ball>>,
    solids: Query<(EntityId, &Position, &Solid, Option<&Paddle>)>,
    mut hits: Sender<Hit>,
    mut lost: Sender<BallLost>,
) {
    for (ball, velocity) in &mut balls {
        for (solid, at, half, paddle) in &solids {
            let away = [ball.0[0] - at.0[0], ball.0[1] - at.0[1]];
            let overlap = [0, 1].map(|axis| half.0[axis] + RADIUS_M - away[axis].abs());
            let axis = usize::from(overlap[1] < overlap[0]);
            if overlap[axis] > 0.0 && away[axis] * velocity.0[axis] < 0.0 {
                velocity.0[axis] *= -1.0;
                hits.send(Hit(solid));
                if paddle.is_some() {
                    velocity.0[0] = away[0] / half.0[0] * BALL_MPS; // The player aims with the place of the hit.
                }
            }
        }
        if ball.0[1] < 0.0 {
            lost.send(BallLost);
        }
    }
}

fn break_brick(hit: &Hit, bricks: Query<&Brick>, mut game: ResMut<Game>, mut commands: Commands) {
    let Some(brick) = bricks.get(hit.0) else { return };
    game.score += brick.0;
    commands.despawn(hit.0);
}

fn serve(_: &BallLost, mut balls: Query<(&mut Position, &mut Velocity), With<Ball>>, mut game: ResMut<Game>) {
    game.lives -= 1;
    balls.iter_mut().for_each(|(position, velocity)| (*position, *velocity) = SERVE);
}

fn new_game(threads: usize) -> Result<Engine, ecs::Error> {
    let mut engine = Engine::builder().threads(threads).build();
    engine.insert_resource(Game { score: 0, lives: 3 });
    engine.add((fly, bounce).chain())?.add((steer, break_brick, serve))?;
    engine.spawn((Ball, SERVE.0, SERVE.1));
    engine.spawn((Paddle, Position([WIDTH_M / 2.0, 0.5]), Velocity([0.0, 0.0]), Solid([1.0, 0.2])));
    for (x, y, half) in [(0.0, 5.0, [0.1, 5.0]), (WIDTH_M, 5.0, [0.1, 5.0]), (6.0, 10.0, [6.0, 0.1])] {
        engine.spawn((Position([x, y]), Solid(half)));
    }
    engine.spawn_many((0..60).map(|n| {
        let (column, row) = (n % 10, n / 10);
        (Brick(10 * (row + 1)), Position([1.5 + column as f32, 6.0 + 0.5 * row as f32]), Solid([0.45, 0.2]))
    }));
    Ok(engine)
}

/// Plays until no brick or no life is left; returns the number of frames, the score and the last place of the ball.
fn play(threads: usize) -> Result<(u64, u32, u32, Position), ecs::Error> {
    let mut engine = new_game(threads)?;
    loop {
        let ball = *engine.query_filtered::<&Position, With<Ball>>().single().expect("there is one ball");
        let paddle = *engine.query_filtered::<&Position, With<Paddle>>().single().expect("there is one paddle");
        let aim = (engine.time().frame() / 100 % 9) as f32 * 0.2 - 0.8;
        engine.send(Steered((ball.0[0] - aim - paddle.0[0]) * 4.0));
        engine.update(Duration::from_micros(16_667))?;
        let is_won = engine.query::<&Brick>().is_empty();
        let game = engine.resource::<Game>().expect("it was inserted");
        if is_won || game.lives == 0 {
            return Ok((engine.time().frame(), game.score, game.lives, ball));
        }
    }
}

pub(crate) fn main() -> Result<(), ecs::Error> {
    let end @ (frames, score, lives, ball) = play(1)?;
    println!("{score} points after {frames} frames, lives: {lives}, the ball is at {:?} m", ball.0);
    assert_eq!(score, 10 * (10 + 20 + 30 + 40 + 50 + 60), "all bricks are gone");
    assert_eq!(play(2)?, end, "the number of threads changes nothing");
    Ok(())
}
