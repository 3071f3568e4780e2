//! Breakout on this framework.

use ecs::prelude::*;

use super::{BALL_MPS, BRICK, FRAME, PADDLE, PADDLE_MPS, SERVE, Seen, WALLS, WIDTH_M, bounce, bricks};

struct Position([f32; 2]);
struct Velocity([f32; 2]);
/// Half of the width and height of what reflects the ball.
struct Solid([f32; 2]);
struct Ball;
struct Paddle;
/// Its points.
struct Brick(u32);

struct Score(u32);
struct Lives(u32);

#[derive(Clone, Copy)]
struct Steered(f32);
#[derive(Clone, Copy)]
struct Hit(EntityId);
#[derive(Clone, Copy)]
struct BallLost;

fn is_playing(lives: Res<Lives>) -> bool {
    lives.0 > 0
}

fn steer(steered: &Steered, mut paddles: Query<&mut Velocity, With<Paddle>>) {
    for velocity in &mut paddles {
        velocity.0[0] = steered.0.clamp(-1.0, 1.0) * PADDLE_MPS;
    }
}

fn advance(time: Time, mut movers: Query<(&mut Position, &Velocity)>) {
    for (position, velocity) in &mut movers {
        position.0[0] = (position.0[0] + velocity.0[0] * time.delta_seconds()).clamp(0.0, WIDTH_M);
        position.0[1] += velocity.0[1] * time.delta_seconds();
    }
}

fn reflect(
    mut balls: Query<(&Position, &mut Velocity), With<Ball>>,
    solids: Query<(EntityId, &Position, &Solid)>,
    mut hits: Sender<Hit>,
    mut lost: Sender<BallLost>,
) {
    for (ball, velocity) in &mut balls {
        let before = velocity.0;
        for (solid, at, half) in &solids {
            let away = [ball.0[0] - at.0[0], ball.0[1] - at.0[1]];
            if let Some(axis) = bounce(away, half.0, before) {
                velocity.0[axis] = -before[axis];
                hits.send(Hit(solid));
            }
        }
        if ball.0[1] < 0.0 {
            lost.send(BallLost);
        }
    }
}

fn break_bricks(hit: &Hit, bricks: Query<&Brick>, mut score: ResMut<Score>, mut commands: Commands) {
    if let Some(brick) = bricks.get(hit.0) {
        score.0 += brick.0;
        commands.despawn(hit.0);
    }
}

/// The player aims with the place of the hit.
fn aim(
    hit: &Hit,
    paddles: Query<(&Position, &Solid), With<Paddle>>,
    mut balls: Query<(&Position, &mut Velocity), With<Ball>>,
) {
    if let Some((paddle, half)) = paddles.get(hit.0) {
        for (ball, velocity) in &mut balls {
            velocity.0[0] = (ball.0[0] - paddle.0[0]) / half.0[0] * BALL_MPS;
        }
    }
}

fn serve(_: &BallLost, mut balls: Query<(&mut Position, &mut Velocity), With<Ball>>, mut lives: ResMut<Lives>) {
    lives.0 -= 1;
    for (position, velocity) in &mut balls {
        [position.0, velocity.0] = SERVE;
    }
}

pub(super) struct Game {
    engine: Engine,
}

impl Game {
    pub(super) fn new() -> Result<Self, ecs::Error> {
        let mut engine = Engine::new();
        engine.insert_resource(Score(0));
        engine.insert_resource(Lives(3));
        engine.add((advance, reflect).chain().run_if(is_playing))?.add((steer, break_bricks, aim, serve))?;
        engine.spawn((Ball, Position(SERVE[0]), Velocity(SERVE[1])));
        engine.spawn((Paddle, Position(PADDLE[0]), Velocity([0.0; 2]), Solid(PADDLE[1])));
        engine.spawn_many(WALLS.map(|[at, half]| (Position(at), Solid(half))));
        engine.spawn_many(bricks().map(|(points, at)| (Brick(points), Position(at), Solid(BRICK))));
        Ok(Self { engine })
    }

    pub(super) fn step(&mut self, direction: f32) -> Result<(), ecs::Error> {
        self.engine.send(Steered(direction));
        self.engine.update(FRAME)
    }

    pub(super) fn look(&mut self) -> Seen {
        let engine = &mut self.engine;
        let ball = engine.query_filtered::<&Position, With<Ball>>().single().unwrap().0;
        let paddle = engine.query_filtered::<&Position, With<Paddle>>().single().unwrap().0;
        let left = engine.query::<&Brick>().count();
        (ball, paddle, engine.resource::<Score>().unwrap().0, engine.resource::<Lives>().unwrap().0, left)
    }
}
