//! Stars fall, and a basket catches them: the game in all windows of this package. It knows none of them.

pub mod high_score;
#[cfg(feature = "macroquad")]
pub mod sound;

use std::time::Duration;

use ecs::prelude::*;
use ecs::random::Purpose;
use ecs::snapshot::{Saved, StableHash};
use ecs_studio::{ServerError, Studio};

/// The length of a step.
pub const STEP: Duration = Duration::from_micros(16_667);
/// The width and the height of the field, in metres.
pub const FIELD_M: [f32; 2] = [16.0, 12.0];

const BASKET_MPS: f32 = 14.0;
const STAR_MPS: f32 = 5.0;

/// What a person can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, StableHash)]
pub enum Control {
    /// Move the basket to the left.
    Left,
    /// Move the basket to the right.
    Right,
}

/// The centre after the last two steps, in metres from the upper left corner.
#[derive(Clone, StableHash, Saved)]
#[saved(name = "place")]
struct Place {
    before_m: [f32; 2],
    now_m: [f32; 2],
}

impl Place {
    fn new(at_m: [f32; 2]) -> Self {
        Self { before_m: at_m, now_m: at_m }
    }

    fn move_by(&mut self, way_m: [f32; 2]) {
        self.before_m = self.now_m;
        self.now_m = [self.now_m[0] + way_m[0], self.now_m[1] + way_m[1]];
    }
}

#[derive(Clone, StableHash, Saved)]
#[saved(name = "star")]
struct Star;

/// The controls that are held, from -1 (left) to 1.
#[derive(Clone, StableHash, Saved)]
#[saved(name = "basket")]
struct Basket {
    direction: i8,
}

/// How many stars were caught and missed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, StableHash, Saved)]
#[saved(resource, name = "score")]
pub struct Score {
    /// Stars in the basket.
    pub caught: u32,
    /// Stars on the ground.
    pub missed: u32,
}

struct Stars;

impl Purpose for Stars {
    const NAME: &'static str = "stars";
}

fn steer(input: &Input<Control>, mut baskets: Query<&mut Basket>) {
    let change = match input {
        Input::Pressed(Control::Left) | Input::Released(Control::Right) => -1,
        Input::Pressed(Control::Right) | Input::Released(Control::Left) => 1,
    };
    baskets.iter_mut().for_each(|basket| basket.direction += change);
}

fn run(time: Time, mut baskets: Query<(&Basket, &mut Place)>) {
    for (basket, place) in &mut baskets {
        place.move_by([f32::from(basket.direction) * BASKET_MPS * time.delta_seconds(), 0.0]);
        place.now_m[0] = place.now_m[0].clamp(1.0, FIELD_M[0] - 1.0);
    }
}

fn rise(mut random: Random<Stars>, mut commands: Commands) {
    commands.spawn((Star, Place::new([random.between(0.5, FIELD_M[0] - 0.5), 0.0])));
}

fn fall(
    time: Time,
    mut stars: Query<(EntityId, &mut Place), With<Star>>,
    baskets: Query<&Place, Without<Star>>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    for (star, place) in &mut stars {
        place.move_by([0.0, STAR_MPS * time.delta_seconds()]);
        let is_in = |basket: &Place| {
            (basket.now_m[0] - place.now_m[0]).abs() < 1.2 && (basket.now_m[1] - place.now_m[1]).abs() < 0.4
        };
        if baskets.iter().any(is_in) {
            score.caught += 1;
            commands.despawn(star);
        } else if place.now_m[1] > FIELD_M[1] {
            score.missed += 1;
            commands.despawn(star);
        }
    }
}

/// A new game, on so many threads.
///
/// # Errors
/// None that a program could cause.
pub fn new_game(threads: usize) -> Result<Engine, ecs::Error> {
    let mut engine = Engine::builder().threads(threads).seed(7).build();
    // Names for what a recording begins with.
    let types = engine.types_mut();
    types.add::<Place>()?.add::<Star>()?.add::<Basket>()?.add::<Score>()?.event::<Input<Control>>("input")?;
    engine.insert_resource(Score::default());
    engine.add((steer, (run, fall).chain(), rise.every(Duration::from_millis(700))))?;
    engine.spawn((Basket { direction: 0 }, Place::new([FIELD_M[0] / 2.0, FIELD_M[1] - 1.0])));
    Ok(engine)
}

/// What a window shows of a thing: a box around its centre, in metres, and its colour as red, green and blue.
pub struct Picture {
    /// The centre from the upper left corner.
    pub at_m: [f32; 2],
    /// The width and the height.
    pub size_m: [f32; 2],
    /// The colour.
    pub colour: [u8; 3],
}

/// All things, a `fraction` of a step after the last but one.
pub fn pictures(engine: &mut Engine, fraction: f32) -> Vec<Picture> {
    let things = engine.query::<(&Place, Option<&Basket>)>();
    let picture = |(place, basket): (&Place, Option<&Basket>)| {
        let between = |axis: usize| place.before_m[axis] + (place.now_m[axis] - place.before_m[axis]) * fraction;
        let (size_m, colour) = match basket {
            Some(_) => ([2.0, 0.5], [240, 160, 60]),
            None => ([0.4, 0.4], [250, 240, 150]),
        };
        Picture { at_m: [between(0), between(1)], size_m, colour }
    };
    things.iter().map(picture).collect()
}

/// The line of text above the field.
#[must_use]
pub fn headline(engine: &Engine, steps: &StepLoop<Control>) -> String {
    let Score { caught, missed } = engine.resource::<Score>().map_or(Score::default(), |score| *score);
    let replay = match (steps.is_replaying(), steps.divergence()) {
        (true, _) => "  replay: press R to end it".to_owned(),
        (false, Some(divergence)) => format!("  {divergence}"),
        (false, None) => "  R: replay".to_owned(),
    };
    format!("caught {caught}, missed {missed}{replay}")
}

/// The key R: shows the game again from its beginning, or returns to the present.
///
/// # Errors
/// As [`StepLoop::replay`].
pub fn toggle_replay(engine: &mut Engine, steps: &mut StepLoop<Control>) -> Result<(), ecs::Error> {
    match steps.is_replaying() {
        true => steps.end_replay(engine),
        false => steps.replay(engine).map(drop),
    }
}

/// A studio, which listens if the program is called with `--studio`.
///
/// # Errors
/// As [`Studio::listen`].
pub fn studio() -> Result<Studio<Engine>, ServerError> {
    let mut studio = Studio::new();
    if std::env::args().any(|argument| argument == "--studio") {
        studio.listen("127.0.0.1:7878", None)?;
    }
    Ok(studio)
}

#[cfg(test)]
mod tests {
    use super::{Control, STEP, Score, new_game};
    use ecs::prelude::*;

    /// Plays ten seconds, then shows them again; returns the hash and the score.
    fn play(threads: usize) -> (ecs::StateHash, Score) {
        let (mut engine, mut steps) = (new_game(threads).unwrap(), StepLoop::new(STEP));
        steps.record(&mut engine).unwrap();
        for step in 0..600 {
            steps.hold(Control::Left, step / 30 % 3 == 0);
            steps.hold(Control::Right, step / 30 % 3 == 1);
            steps.advance(&mut engine, STEP).unwrap();
        }
        let hash = engine.state_hash().unwrap();
        assert!(steps.replay(&mut engine).unwrap());
        while steps.is_replaying() {
            steps.advance(&mut engine, STEP).unwrap();
        }
        assert_eq!(steps.divergence(), None);
        (hash, *engine.resource::<Score>().unwrap())
    }

    #[test]
    fn game_is_the_same_at_any_number_of_threads_and_in_its_replay() {
        let (hash, score) = play(1);
        assert!(score.caught > 0 && score.missed > 0, "{score:?}");
        assert_eq!(play(4), (hash, score));
    }
}
