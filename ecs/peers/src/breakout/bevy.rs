//! Breakout on bevy_ecs.

use bevy_ecs::prelude::*;

use super::{BALL_MPS, BRICK, FRAME, PADDLE, PADDLE_MPS, SERVE, Seen, WALLS, WIDTH_M, bounce, bricks};

#[derive(Component)]
struct Position([f32; 2]);
#[derive(Component)]
struct Velocity([f32; 2]);
/// Half of the width and height of what reflects the ball.
#[derive(Component)]
struct Solid([f32; 2]);
#[derive(Component)]
struct Ball;
#[derive(Component)]
struct Paddle;
/// Its points.
#[derive(Component)]
struct Brick(u32);

#[derive(Resource)]
struct DeltaSeconds(f32);
#[derive(Resource)]
struct Score(u32);
#[derive(Resource)]
struct Lives(u32);

#[derive(Message)]
struct Steered(f32);
#[derive(Message)]
struct Hit(Entity);
#[derive(Message)]
struct BallLost;

fn is_playing(lives: Res<Lives>) -> bool {
    lives.0 > 0
}

fn steer(mut steered: MessageReader<Steered>, mut paddle: Single<&mut Velocity, With<Paddle>>) {
    for direction in steered.read() {
        paddle.0[0] = direction.0.clamp(-1.0, 1.0) * PADDLE_MPS;
    }
}

fn advance(delta: Res<DeltaSeconds>, mut movers: Query<(&mut Position, &Velocity)>) {
    for (mut position, velocity) in &mut movers {
        position.0[0] = (position.0[0] + velocity.0[0] * delta.0).clamp(0.0, WIDTH_M);
        position.0[1] += velocity.0[1] * delta.0;
    }
}

fn reflect(
    mut balls: Query<(&Position, &mut Velocity), With<Ball>>,
    solids: Query<(Entity, &Position, &Solid)>,
    mut hits: MessageWriter<Hit>,
    mut lost: MessageWriter<BallLost>,
) {
    for (ball, mut velocity) in &mut balls {
        let before = velocity.0;
        for (solid, at, half) in &solids {
            let away = [ball.0[0] - at.0[0], ball.0[1] - at.0[1]];
            if let Some(axis) = bounce(away, half.0, before) {
                velocity.0[axis] = -before[axis];
                hits.write(Hit(solid));
            }
        }
        if ball.0[1] < 0.0 {
            lost.write(BallLost);
        }
    }
}

fn break_bricks(mut hits: MessageReader<Hit>, bricks: Query<&Brick>, mut score: ResMut<Score>, mut commands: Commands) {
    for hit in hits.read() {
        if let Ok(brick) = bricks.get(hit.0) {
            score.0 += brick.0;
            commands.entity(hit.0).despawn();
        }
    }
}

/// The player aims with the place of the hit.
fn aim(
    mut hits: MessageReader<Hit>,
    paddles: Query<(&Position, &Solid), With<Paddle>>,
    mut balls: Query<(&Position, &mut Velocity), With<Ball>>,
) {
    for hit in hits.read() {
        if let Ok((paddle, half)) = paddles.get(hit.0) {
            for (ball, mut velocity) in &mut balls {
                velocity.0[0] = (ball.0[0] - paddle.0[0]) / half.0[0] * BALL_MPS;
            }
        }
    }
}

fn serve(
    mut lost: MessageReader<BallLost>,
    mut balls: Query<(&mut Position, &mut Velocity), With<Ball>>,
    mut lives: ResMut<Lives>,
) {
    for _ in lost.read() {
        lives.0 -= 1;
        for (mut position, mut velocity) in &mut balls {
            [position.0, velocity.0] = SERVE;
        }
    }
}

fn forget<M: Message>(mut messages: ResMut<Messages<M>>) {
    messages.update();
}

pub(super) struct Game {
    world: World,
    schedule: Schedule,
}

impl Game {
    pub(super) fn new() -> Self {
        let mut world = World::new();
        world.insert_resource(DeltaSeconds(FRAME.as_secs_f32()));
        world.insert_resource(Score(0));
        world.insert_resource(Lives(3));
        world.init_resource::<Messages<Steered>>();
        world.init_resource::<Messages<Hit>>();
        world.init_resource::<Messages<BallLost>>();
        let mut schedule = Schedule::default();
        let play = (advance, reflect).chain().run_if(is_playing);
        schedule.add_systems((steer, play, break_bricks, aim, serve).chain());
        schedule.add_systems((forget::<Steered>, forget::<Hit>, forget::<BallLost>).after(serve));
        world.spawn((Ball, Position(SERVE[0]), Velocity(SERVE[1])));
        world.spawn((Paddle, Position(PADDLE[0]), Velocity([0.0; 2]), Solid(PADDLE[1])));
        world.spawn_batch(WALLS.map(|[at, half]| (Position(at), Solid(half))));
        world.spawn_batch(bricks().map(|(points, at)| (Brick(points), Position(at), Solid(BRICK))));
        Self { world, schedule }
    }

    pub(super) fn step(&mut self, direction: f32) {
        self.world.write_message(Steered(direction));
        self.schedule.run(&mut self.world);
    }

    pub(super) fn look(&mut self) -> Seen {
        let world = &mut self.world;
        let ball = world.query_filtered::<&Position, With<Ball>>().single(world).unwrap().0;
        let paddle = world.query_filtered::<&Position, With<Paddle>>().single(world).unwrap().0;
        let left = world.query::<&Brick>().iter(world).count();
        (ball, paddle, world.resource::<Score>().0, world.resource::<Lives>().0, left)
    }
}
