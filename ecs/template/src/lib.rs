//! The simulation: a ball rolls where it is pushed, and collects coins. It has no window, so tests play it, too.

use std::time::Duration;

use ecs::prelude::*;
use ecs::random::Purpose;
use ecs::snapshot::{Saved, StableHash};

/// The length of a step: the simulation counts time in these, at any frame rate.
pub const STEP: Duration = Duration::from_micros(16_667);
/// The width and the height of the field, in metres.
pub const FIELD_M: [f32; 2] = [16.0, 12.0];

/// What a person can do, whatever the key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Control {
    Left,
    Right,
    Up,
    Down,
}

/// The centre after the last two steps: a window draws between them.
#[derive(Clone, StableHash, Saved)]
#[saved(name = "place")]
struct Place {
    before_m: [f32; 2],
    now_m: [f32; 2],
}

#[derive(Clone, Default, StableHash, Saved)]
#[saved(name = "ball")]
struct Ball {
    velocity_mps: [f32; 2],
    /// By `Control`.
    held: [bool; 4],
}

#[derive(Clone, StableHash, Saved)]
#[saved(name = "coin")]
struct Coin;

/// The coins that were collected: a resource.
#[derive(Clone, Default, StableHash, Saved)]
#[saved(resource, name = "score")]
pub struct Score(pub u32);

/// The random numbers for coins. Another purpose has numbers of its own.
struct Coins;

impl Purpose for Coins {
    const NAME: &'static str = "coins";
}

/// Hears each key once, in the step after it was pressed or released.
fn steer(input: &Input<Control>, mut balls: Query<&mut Ball>) {
    for ball in &mut balls {
        ball.held[*input.control() as usize] = input.is_pressed();
    }
}

fn roll(time: Time, mut balls: Query<(&mut Ball, &mut Place)>) {
    for (ball, place) in &mut balls {
        let [left, right, up, down] = ball.held.map(f32::from);
        place.before_m = place.now_m;
        for (axis, push) in [right - left, down - up].into_iter().enumerate() {
            let velocity_mps = &mut ball.velocity_mps[axis];
            *velocity_mps = 0.98 * (*velocity_mps + 30.0 * push * time.delta_seconds());
            place.now_m[axis] += *velocity_mps * time.delta_seconds();
            if !(0.0..=FIELD_M[axis]).contains(&place.now_m[axis]) {
                place.now_m[axis] = place.now_m[axis].clamp(0.0, FIELD_M[axis]);
                *velocity_mps *= -0.8;
            }
        }
    }
}

fn drop_coin(coins: Query<&Coin>, mut random: Random<Coins>, mut commands: Commands) {
    if coins.count() < 5 {
        let at_m = FIELD_M.map(|length_m| random.between(0.5, length_m - 0.5));
        commands.spawn((
            Coin,
            Place {
                before_m: at_m,
                now_m: at_m,
            },
        ));
    }
}

fn collect(
    balls: Query<&Place, With<Ball>>,
    coins: Query<(EntityId, &Place), With<Coin>>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    for (coin, place) in &coins {
        let is_near =
            |ball: &Place| (0..2).all(|axis| (ball.now_m[axis] - place.now_m[axis]).abs() < 0.7);
        if balls.iter().any(is_near) {
            score.0 += 1;
            commands.despawn(coin);
        }
    }
}

/// A new game, on so many threads.
pub fn new_game(threads: usize) -> Result<Engine, ecs::Error> {
    let mut engine = Engine::builder().threads(threads).build();
    // The names of what a recording begins with. One that is missing is an error that says so.
    engine
        .types_mut()
        .add::<Place>()?
        .add::<Ball>()?
        .add::<Coin>()?
        .add::<Score>()?;
    engine.insert_resource(Score::default());
    engine.add((
        steer,
        (roll, collect).chain(),
        drop_coin.every(Duration::from_millis(500)),
    ))?;
    let centre_m = FIELD_M.map(|length_m| length_m / 2.0);
    engine.spawn((
        Ball::default(),
        Place {
            before_m: centre_m,
            now_m: centre_m,
        },
    ));
    Ok(engine)
}

/// All discs to draw, each with its centre and whether it is the ball, `fraction` of a step after the last but one.
pub fn discs(engine: &mut Engine, fraction: f32) -> Vec<([f32; 2], bool)> {
    let between = |place: &Place, axis: usize| {
        place.before_m[axis] + (place.now_m[axis] - place.before_m[axis]) * fraction
    };
    let things = engine.query::<(&Place, Has<Ball>)>();
    things
        .iter()
        .map(|(place, is_ball)| ([0, 1].map(|axis| between(place, axis)), is_ball))
        .collect()
}
