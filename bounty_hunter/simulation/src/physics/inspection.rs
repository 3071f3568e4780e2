//! The hash and the description of all bodies.

use ecs::snapshot::{StableHash, StateHasher};
use glam::Vec2;
use rapier2d::dynamics::RigidBody;
use rapier2d::geometry::Collider;

use super::body::BodyHandle;
use super::categories::Category;
use super::contacts::Label;
use super::world::Physics;
use crate::data::arena::Pose;

/// The largest gap between bodies that touch, metres.
const TOUCHING_M: f32 = 0.02;

impl StableHash for Physics {
    /// Adds each body, in the order of the handles: handle, enabled flag, colliders, pose and velocity, bit for bit.
    fn stable_hash(&self, hash: &mut StateHasher) {
        for (handle, body) in self.world.bodies.iter() {
            hash.add(&handle.into_raw_parts()).add(&body.is_enabled());
            for hit_box in body.colliders().iter().filter_map(|&hit_box| self.world.colliders.get(hit_box)) {
                hash.add(&hit_box.user_data).add(&hit_box.shape().compute_local_aabb().maxs.x);
            }
            let (pose, speed) = (body.position(), body.linvel());
            hash.add(&[pose.translation.x, pose.translation.y, pose.rotation.re, pose.rotation.im]);
            hash.add(&[speed.x, speed.y, body.angvel()]);
        }
        for sensor in &self.sensors.all {
            hash.add(&sensor.label.pack()).add(&sensor.shape.compute_local_aabb().maxs.x);
        }
    }
}

impl Physics {
    /// The points at which bodies touch, for debug drawing, but not those of two collectors, which
    /// [`Touching`](crate::objects::touch::Touching) tells.
    pub fn contact_points(&self) -> impl Iterator<Item = Vec2> + '_ {
        let world = &self.world;
        let active = world.narrow_phase.contact_pairs().filter(|pair| pair.has_any_active_contact());
        active.flat_map(|pair| {
            let colliders = [pair.collider1, pair.collider2].map(|collider| world.colliders.get(collider));
            let is_collector = |collider: &Option<&Collider>| {
                collider.is_none_or(|collider| Label::unpack(collider.user_data).category == Category::Collector)
            };
            let [Some(one), Some(_)] = colliders else { return Vec::new() };
            if colliders.iter().all(is_collector) {
                return Vec::new();
            }
            let points = pair.manifolds().iter().flat_map(|manifold| &manifold.points);
            let touching = points.filter(|point| point.dist <= TOUCHING_M);
            touching.map(|point| one.position() * point.local_p1).map(|at| Vec2::new(at.x, at.y)).collect()
        })
    }

    /// One line per body, in the order of their handles.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for (handle, body) in self.world.bodies.iter() {
            text.push_str(&describe_body(BodyHandle::from_rapier(handle), body));
            text.push('\n');
        }
        text
    }
}

fn describe_body(handle: BodyHandle, body: &RigidBody) -> String {
    let Label { category, key } = Label::unpack(body.user_data);
    let Pose { position, heading } = Pose::from_rapier(body.position());
    let (speed, turn) = (body.linvel(), body.angvel());
    format!(
        "{handle} {category:?} key {}: at ({:.2}, {:.2}) m, heading {heading:.2} rad, \
         moves ({:.2}, {:.2}) m/s, turns {turn:.2} rad/s, mass {:.4}{}",
        key.0,
        position.x,
        position.y,
        speed.x,
        speed.y,
        body.mass(),
        if body.is_enabled() { "" } else { ", disabled" }
    )
}
