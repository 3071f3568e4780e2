//! What an entity has decides what happens to it: trees are seen and stand, boxes are seen and fall, a ghost falls unseen.
//!
//! Movement asks for its components by types. Drawing asks by a mask that is put together from names while the program runs,
//! as a tool or a script would; the set of components of each entity is a mask as well, and the two are compared.
//!
//! `cargo run -p lockstep_ecs --example masks_and_gravity`

use std::error::Error;
use std::time::Duration;

use ecs::{Engine, Entities, Query, Res, ResMut, Setup, System, query::MaskQuery};

/// What gravity adds to the speed in each step.
const GRAVITY: f32 = 0.98;
const STEPS: u16 = 10;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Displacement {
    x: f32,
    y: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Velocity {
    x: f32,
    y: f32,
}

struct Appearance {
    letter: char,
}

/// Moves whatever has a displacement and a velocity, seen or unseen.
struct Movement;

impl System for Movement {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::fall);
    }
}

impl Movement {
    fn fall(&mut self, mut bodies: Query<(&mut Displacement, &mut Velocity)>) {
        for (displacement, velocity) in &mut bodies {
            velocity.y -= GRAVITY;
            displacement.x += velocity.x;
            displacement.y += velocity.y;
        }
    }
}

/// What is drawn, and the picture that comes of it.
#[derive(Default)]
struct Picture {
    of: MaskQuery,
    letters: String,
}

/// Draws whatever matches the mask.
fn draw(entities: Entities, appearances: Query<&Appearance>, mut picture: ResMut<Picture>) {
    let Picture { of, letters } = &mut *picture;
    letters.clear();
    letters.extend(entities.matching(of).filter_map(|entity| appearances.get(entity)).map(|seen| seen.letter));
}

/// How far something has fallen after some steps, if it began at rest.
fn fallen(steps: u16) -> f32 {
    GRAVITY * f32::from(steps * (steps + 1) / 2)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::new();
    engine.add(Movement)?;
    engine.insert_resource(Picture::default());

    let trees = engine.spawn_many((0..3_u8).map(|n| {
        let at = Displacement { x: f32::from(n * 10), y: 0.0 };
        (at, Appearance { letter: 'T' })
    }));
    let boxes = engine.spawn_many((0..2_u8).map(|n| {
        let thrown = Velocity { x: f32::from(n), y: 0.0 };
        (Displacement { x: 5.0, y: 100.0 }, thrown, Appearance { letter: 'B' })
    }));
    let ghost = engine.spawn((Displacement { x: 0.0, y: 100.0 }, Velocity::default()));

    // The names would come from a file or from a console.
    let seen = engine.components().mask_by_names(["Displacement", "Appearance"])?;
    let moved = engine.mask_query::<(&mut Displacement, &mut Velocity), ()>();
    println!("drawn are {}", MaskQuery::new(seen.clone()).names(engine.components()));
    println!("moved are {}", moved.names(engine.components()));
    for (what, entity) in [("a tree", trees[0]), ("a box", boxes[0]), ("the ghost", ghost)] {
        let mask = engine.entities().mask(entity).cloned().unwrap_or_default();
        let (is_seen, is_moved) = (seen.is_subset(&mask), moved.required.is_subset(&mask));
        println!("  {what} has {}: drawn {is_seen}, moved {is_moved}", mask.names(engine.components()));
    }

    engine.resource_mut::<Picture>().expect("it was inserted").of = seen.into();
    for _ in 0..STEPS {
        engine.update(Duration::from_millis(16))?;
    }
    engine.run(draw)?;

    let letters = engine.run(|picture: Res<Picture>| picture.letters.clone())?;
    println!("the picture is {letters:?}: the ghost is not in it");
    assert_eq!(letters, "TTTBB");
    for (n, &tree) in trees.iter().enumerate() {
        assert_eq!(engine.get(tree), Some(&Displacement { x: n as f32 * 10.0, y: 0.0 }), "trees stand");
    }
    for (entity, x) in [(boxes[0], 5.0), (boxes[1], 5.0 + f32::from(STEPS)), (ghost, 0.0)] {
        let at = engine.get::<Displacement>(entity).expect("it has one");
        println!("{entity} is at {at:?}");
        assert_eq!(at.x, x);
        assert!((at.y - (100.0 - fallen(STEPS))).abs() < 0.001, "what has a velocity falls, seen or unseen: {at:?}");
    }
    Ok(())
}
