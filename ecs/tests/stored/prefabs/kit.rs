//! The components in the texts of these tests, and engines to spawn them.

use ecs::{Engine, EntityId, prefab::Prefabs};
use serde::Deserialize;

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) enum Shape {
    Circle,
    Triangle(f32),
    Box { width_m: f32, height_m: f32 },
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Speed {
    pub(crate) mps: f32,
    #[serde(default)]
    pub(crate) radps: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub(crate) struct Pocket {
    pub(crate) capacity: u32,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Size {
    pub(crate) width_m: f32,
    pub(crate) height_m: f32,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Body {
    pub(crate) size: Size,
    pub(crate) tags: Vec<String>,
    pub(crate) mass_kg: Option<f32>,
}

/// A tag.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Solid;

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Place(pub(crate) f32, pub(crate) f32);

/// Must be positive.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "f32")]
pub(crate) struct Health(pub(crate) f32);

impl TryFrom<f32> for Health {
    type Error = String;

    fn try_from(points: f32) -> Result<Self, String> {
        if points > 0.0 { Ok(Self(points)) } else { Err(format!("{points} is not above 0")) }
    }
}

/// A component without a name in texts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Position {
    pub(crate) x_m: f32,
}

/// Empty prefabs with the components of this file registered.
pub(crate) fn prefabs() -> Prefabs {
    let mut prefabs = Prefabs::default();
    prefabs.register::<Shape>("shape").unwrap().register::<Speed>("speed").unwrap();
    prefabs.register::<Pocket>("pocket").unwrap().register::<Body>("body").unwrap();
    prefabs.register::<Solid>("solid").unwrap().register::<Place>("place").unwrap();
    prefabs.register::<Health>("health").unwrap();
    prefabs
}

/// An engine with the prefabs of one text.
pub(crate) fn engine(text: &str) -> Engine {
    let mut prefabs = prefabs();
    prefabs.load("test.ron", text).unwrap();
    let mut engine = Engine::new();
    engine.insert_resource(prefabs);
    engine
}

/// The descendant of `parent` at a path such as `turret/barrel`.
pub(crate) fn part(engine: &Engine, parent: EntityId, path: &str) -> EntityId {
    let step = |parent, name| engine.child_named(parent, name).unwrap_or_else(|| panic!("no {name} of {path}"));
    path.split('/').fold(parent, step)
}
