//! The hash and the description of all bodies.

use std::fmt::Write;

use rapier2d::dynamics::RigidBody;

use super::body::BodyHandle;
use super::contacts::Label;
use super::world::Physics;
use crate::data::arena::Pose;

impl Physics {
    /// Writes the bytes of the state of each body, in the order of their handles: handle, enabled flag, colliders, pose and
    /// velocity, bit for bit.
    pub fn hash_into(&self, write: &mut impl FnMut(&[u8])) {
        for (handle, body) in self.world.bodies.iter() {
            let (index, generation) = handle.into_raw_parts();
            for number in [index, generation, u32::from(body.is_enabled())] {
                write(&number.to_le_bytes());
            }
            for (_, part) in self.parts(body) {
                write(&part.user_data.to_le_bytes());
                write(&part.shape().compute_local_aabb().maxs.x.to_bits().to_le_bytes());
            }
            let (pose, speed) = (body.position(), body.linvel());
            let pose = [pose.translation.x, pose.translation.y, pose.rotation.re, pose.rotation.im];
            for number in pose.into_iter().chain([speed.x, speed.y, body.angvel()]) {
                write(&number.to_bits().to_le_bytes());
            }
        }
    }

    /// The 64-bit FNV-1a hash of [`hash_into`](Self::hash_into): equal for equal runs.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = 0xCBF2_9CE4_8422_2325_u64;
        self.hash_into(&mut |bytes| {
            for &byte in bytes {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
            }
        });
        hash
    }

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
