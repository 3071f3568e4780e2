//! Component masks: queries by type and queries by name.
//!
//! `Movement` queries its components by type. Drawing matches a mask that is built from names at run time, as in a tool
//! or a script. The components of an entity are a mask too, so masks can be compared. Trees have no velocity and stand,
//! boxes fall, a ghost falls but is not drawn. Prints which masks match, the picture and the positions.
//!
//! `cargo run -p lockstep_ecs --example masks_and_gravity`

use std::error::Error;
use std::time::Duration;

use ecs::prelude::*;
use ecs::query::MaskQuery;

/// The change of speed in each step.
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

/// Moves every entity that has a displacement and a velocity, drawn or not.
fn fall(mut bodies: Query<(&mut Displacement, &mut Velocity)>) {
    for (displacement, velocity) in &mut bodies {
        velocity.y -= GRAVITY;
        displacement.x += velocity.x;
        displacement.y += velocity.y;
    }
}

/// The query for drawn entities, and the picture.
#[derive(Default)]
struct Picture {
    drawn: MaskQuery,
    letters: String,
}

/// Draws every entity that matches the mask.
fn draw(entities: Entities, appearances: Query<&Appearance>, mut picture: ResMut<Picture>) {
    let Picture { drawn, letters } = &mut *picture;
    letters.clear();
    letters.extend(entities.matching(drawn).filter_map(|entity| appearances.get(entity)).map(|it| it.letter));
}

/// The distance that an entity falls from rest in `steps` steps.
fn fallen(steps: u16) -> f32 {
    GRAVITY * f32::from(steps * (steps + 1) / 2)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::new();
    engine.add(fall)?;
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

    // The names could come from a file or a console.
    let drawn = engine.components().mask_by_names(["Displacement", "Appearance"])?;
    let moved = engine.mask_query::<(&mut Displacement, &mut Velocity), ()>();
    println!("drawn: entities with {}", MaskQuery::new(drawn.clone()).names(engine.components()));
    println!("moved: entities with {}", moved.names(engine.components()));
    for (name, entity) in [("a tree", trees[0]), ("a box", boxes[0]), ("the ghost", ghost)] {
        let mask = engine.entities().mask(entity).cloned().unwrap_or_default();
        let (is_drawn, is_moved) = (drawn.is_subset(&mask), moved.required.is_subset(&mask));
        println!("  {name} has {}: drawn {is_drawn}, moved {is_moved}", mask.names(engine.components()));
    }

    engine.resource_mut::<Picture>().expect("it was inserted").drawn = drawn.into();
    for _ in 0..STEPS {
        engine.update(Duration::from_millis(16))?;
    }
    engine.run(draw)?;

    let letters = engine.run(|picture: Res<Picture>| picture.letters.clone())?;
    println!("the picture is {letters:?}, without the ghost");
    assert_eq!(letters, "TTTBB");
    for (n, &tree) in trees.iter().enumerate() {
        assert_eq!(engine.get(tree), Some(&Displacement { x: n as f32 * 10.0, y: 0.0 }), "trees stand");
    }
    for (entity, x) in [(boxes[0], 5.0), (boxes[1], 5.0 + f32::from(STEPS)), (ghost, 0.0)] {
        let at = engine.get::<Displacement>(entity).expect("it has one");
        println!("{entity} is at {at:?}");
        assert_eq!(at.x, x);
        assert!((at.y - (100.0 - fallen(STEPS))).abs() < 0.001, "entities with a velocity fall: {at:?}");
    }
    Ok(())
}
