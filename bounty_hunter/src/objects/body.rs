//! What kind of body an object has: what it touches, whether it moves, and how heavy it is.

use serde::{Deserialize, Serialize};

use crate::data::limits;
use crate::physics::Category;

/// Component: how an object takes part in the physics, where it is as large as its [`Shape`](crate::objects::shape::Shape).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// What it touches.
    pub category: Category,
    /// Whether it moves.
    pub mobility: Mobility,
    /// Mass per area, kilograms per square metre; of no consequence for what is fixed. 1 if a prefab does not say.
    #[serde(default = "usual_density", deserialize_with = "limits::read::density")]
    pub density: f32,
}

/// Whether a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mobility {
    /// It stays where it is, whoever pushes it.
    Fixed,
    /// It is driven or pushed about.
    Moving,
}

impl Body {
    /// A body that stays where it is.
    #[must_use]
    pub const fn fixed(category: Category) -> Self {
        Self { category, mobility: Mobility::Fixed, density: 1.0 }
    }

    /// A body that moves, of a mass per area in kilograms per square metre.
    #[must_use]
    pub const fn moving(category: Category, density: f32) -> Self {
        Self { category, mobility: Mobility::Moving, density }
    }

    /// Whether everybody runs into it and nobody moves it, as with a wall of a level.
    #[must_use]
    pub fn is_obstacle(self) -> bool {
        self.mobility == Mobility::Fixed && !self.category.is_sensor()
    }
}

fn usual_density() -> f32 {
    1.0
}
