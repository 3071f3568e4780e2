//! The hash and a report of all bodies.

use ecs::snapshot::{StableHash, StateHasher};
use glam::Vec2;
use rapier2d::dynamics::RigidBody;
use rapier2d::geometry::Collider;

use super::body::BodyKey;
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

    /// All bodies, in the order of their handles.
    pub fn bodies(&self) -> impl Iterator<Item = BodyReport> + '_ {
        self.world.bodies.iter().map(|(_, body)| BodyReport::of(body))
    }
}

/// A body as it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyReport {
    /// Its key.
    pub key: BodyKey,
    /// Its category.
    pub category: Category,
    /// Its pose.
    pub pose: Pose,
    /// Its velocity, metres per second.
    pub velocity_mps: Vec2,
    /// Its turn rate, counter-clockwise.
    pub turn_radps: f32,
    /// Its mass; kilograms if densities are kilograms per square metre.
    pub mass: f32,
    /// Whether it takes part in the simulation.
    pub is_enabled: bool,
}

impl BodyReport {
    fn of(body: &RigidBody) -> Self {
        let Label { category, key } = Label::unpack(body.user_data);
        let speed = body.linvel();
        Self {
            key,
            category,
            pose: Pose::from_rapier(body.position()),
            velocity_mps: Vec2::new(speed.x, speed.y),
            turn_radps: body.angvel(),
            mass: body.mass(),
            is_enabled: body.is_enabled(),
        }
    }
}
