//! The hash and the description of all bodies.

use std::fmt::Write;

use ecs::snapshot::{StableHash, StateHasher};
use rapier2d::dynamics::RigidBody;

use super::body::BodyHandle;
use super::contacts::Label;
use super::world::Physics;
use crate::data::arena::Pose;

impl StableHash for Physics {
    /// Adds each body, in the order of the handles: handle, enabled flag, colliders, pose and velocity, bit for bit.
    fn stable_hash(&self, hash: &mut StateHasher) {
        for (handle, body) in self.world.bodies.iter() {
            hash.add(&handle.into_raw_parts()).add(&body.is_enabled());
            for (_, part) in self.parts(body) {
                hash.add(&part.user_data).add(&part.shape().compute_local_aabb().maxs.x);
            }
            let (pose, speed) = (body.position(), body.linvel());
            hash.add(&[pose.translation.x, pose.translation.y, pose.rotation.re, pose.rotation.im]);
            hash.add(&[speed.x, speed.y, body.angvel()]);
        }
    }
}

impl Physics {
    /// One line per body, in the order of their handles.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for (handle, body) in self.world.bodies.iter() {
            text.push_str(&self.describe_body(BodyHandle::from_rapier(handle), body));
            text.push('\n');
        }
        text
    }

    fn describe_body(&self, handle: BodyHandle, body: &RigidBody) -> String {
        let Label { category, key } = Label::unpack(body.user_data);
        let Pose { position, heading } = Pose::from_rapier(body.position());
        let (speed, turn) = (body.linvel(), body.angvel());
        let mut line = format!(
            "{handle} {category:?} key {}: at ({:.2}, {:.2}) m, heading {heading:.2} rad, \
             moves ({:.2}, {:.2}) m/s, turns {turn:.2} rad/s, mass {:.4}",
            key.0,
            position.x,
            position.y,
            speed.x,
            speed.y,
            body.mass()
        );
        for (_, part) in self.parts(body).skip(1) {
            // Writing to a string cannot fail.
            let _ = write!(line, ", {:?}", Label::unpack(part.user_data).category);
        }
        if !body.is_enabled() {
            line.push_str(", disabled");
        }
        line
    }
}
