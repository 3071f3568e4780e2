//! Sizes of objects, as factors of the shapes of their kinds.

use ecs::prefab::{FromPrefab, Prefabs};
use ecs::{Engine, EntityId};
use serde::{Deserialize, Serialize};

use crate::data::limits;
use crate::objects::prefabs::add;
use crate::physics::Shape;

/// Component: the size of a kind; its shape, its mass and its picture follow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scale {
    /// The factor of all lengths of its shape.
    #[serde(deserialize_with = "limits::read::scale")]
    pub factor: f32,
}

/// Component: the size of an object at its place, in sizes of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaceScale(pub f32);

/// The shape of a prefab's objects, as large as they are; `None` if the prefab has none.
#[must_use]
pub fn shape(prefabs: &Prefabs, name: &str) -> Option<Shape> {
    let factor = prefabs.component::<Scale>(name).map_or(1.0, |scale| scale.factor);
    prefabs.component::<Shape>(name).map(|shape| shape.scaled(factor))
}

/// Whether an object has another size than the shape of its prefab.
pub(crate) fn is_scaled(engine: &Engine, entity: EntityId) -> bool {
    engine.has::<Scale>(entity) || engine.has::<PlaceScale>(entity)
}

/// Gives an object the shape of its prefab, as large as its kind and its place make it.
pub(crate) fn resize(engine: &mut Engine, entity: EntityId) {
    let (Some(origin), Some(prefabs)) = (engine.get::<FromPrefab>(entity), engine.resource::<Prefabs>()) else {
        return;
    };
    let Some(shape) = shape(&prefabs, origin.name()) else { return };
    let factor = engine.get::<PlaceScale>(entity).map_or(1.0, |scale| scale.0);
    drop(prefabs);
    add(engine, entity, (shape.scaled(factor),));
}
