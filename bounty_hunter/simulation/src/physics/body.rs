//! Bodies: their description, keys, handles and velocities.

use glam::Vec2;
use rapier2d::dynamics::RigidBodyHandle;
use rapier2d::math::{Pose as RapierPose, Rotation};
use serde::{Deserialize, Serialize};

use crate::data::arena::Pose;
use crate::data::limits;
use crate::physics::categories::Category;

/// The caller's key of a body, reported in contacts; the game uses the bits of an entity id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BodyKey(pub u64);

/// The handle of a body; invalid for good once the body is removed.
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

/// Component: the rigid body of an object; its size is its [`Shape`](crate::physics::Shape).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Its collision category.
    #[serde(default = "default_category")]
    pub category: Category,
    /// Whether it moves.
    #[serde(default)]
    pub mobility: Mobility,
    /// Mass per area, kilograms per square metre; ignored for fixed bodies. Defaults to 1. A body weighs at most 1e9
    /// kg.
    #[serde(default = "default_density", deserialize_with = "limits::read::density")]
    pub density: f32,
}

/// Whether a body moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mobility {
    /// It never moves.
    #[default]
    Fixed,
    /// It moves by its velocity and can be pushed.
    Moving,
}

impl Body {
    /// A fixed body.
    #[must_use]
    pub const fn fixed(category: Category) -> Self {
        Self { category, mobility: Mobility::Fixed, density: 1.0 }
    }

    /// A moving body with a density in kilograms per square metre.
    #[must_use]
    pub const fn moving(category: Category, density: f32) -> Self {
        Self { category, mobility: Mobility::Moving, density }
    }

    /// Whether it is solid and fixed, such as a wall of a level.
    #[must_use]
    pub fn is_obstacle(self) -> bool {
        self.mobility == Mobility::Fixed && !self.category.is_sensor()
    }
}

fn default_category() -> Category {
    Category::Default
}

fn default_density() -> f32 {
    1.0
}
