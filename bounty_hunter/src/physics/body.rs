//! How a body is named, where it is and how fast it goes.

use glam::Vec2;
use rapier2d::dynamics::RigidBodyHandle;
use rapier2d::math::{Pose as RapierPose, Rotation};
use serde::{Deserialize, Serialize};

use crate::data::arena::Pose;

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
    /// A pose that faces +y.
    #[must_use]
    pub const fn at(x: f32, y: f32) -> Self {
        Self { position: Vec2::new(x, y), heading: 0.0 }
    }

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
