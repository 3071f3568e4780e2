//! How a body is named, where it is and how fast it goes.

use glam::Vec2;
use rapier2d::dynamics::RigidBodyHandle;
use rapier2d::math::{Pose as RapierPose, Rotation};
use serde::{Deserialize, Serialize};

use crate::data::arena::Pose;
use crate::data::limits;
use crate::physics::categories::Category;

/// The caller's own name for a body, handed back in contacts; the game uses the bits of an entity's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BodyKey(pub u64);

/// The way to a body in constant time; it stays invalid for good once the body is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BodyHandle {
    index: u32,
    generation: u32,
}

/// How fast a body moves and turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Velocity {
    /// Metres per second.
    pub linear: Vec2,
    /// Radians per second, counter-clockwise.
    pub angular: f32,
}

impl Pose {
    pub(super) fn is_finite(self) -> bool {
        self.position.is_finite() && self.heading.is_finite()
    }

    pub(super) fn to_rapier(self) -> RapierPose {
        let rotation = Rotation::from_cos_sin_unchecked(libm::cosf(self.heading), libm::sinf(self.heading));
        RapierPose { translation: self.position, rotation }
    }

    pub(super) fn from_rapier(pose: &RapierPose) -> Self {
        Self { position: pose.translation, heading: libm::atan2f(pose.rotation.im, pose.rotation.re) }
    }
}

impl BodyHandle {
    pub(super) fn from_rapier(handle: RigidBodyHandle) -> Self {
        let (index, generation) = handle.into_raw_parts();
        Self { index, generation }
    }

    pub(super) fn to_rapier(self) -> RigidBodyHandle {
        RigidBodyHandle::from_raw_parts(self.index, self.generation)
    }
}

impl std::fmt::Display for BodyHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}v{}", self.index, self.generation)
    }
}

/// Component: how an object takes part in the physics, where it is as large as its [`Shape`](crate::physics::Shape).
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
