//! [`Physics`]: adds, moves and steps bodies.

use std::time::Duration;

use glam::Vec2;
use rapier2d::dynamics::{CCDSolver, RigidBody, RigidBodyBuilder, RigidBodyType};
use rapier2d::geometry::{ColliderHandle, SharedShape};
use rapier2d::pipeline::{ActiveHooks, CollisionPipeline, PhysicsPipeline, PhysicsWorld};
use serde::{Deserialize, Serialize};

use super::body::{BodyHandle, BodyKey, Velocity};
use super::categories::Category;
use super::colliders;
use super::collision_filter::{CollisionFilter, CollisionFilters, GroupMember};
use super::contacts::{Contact, ContactRecorder, Label};
use super::parts::{self, Mover};
use super::sensors::Sensors;
use crate::data::arena::Pose;
use crate::physics::{Body, Mobility, Shape};

/// All bodies of a world without gravity, and the contacts of its last step.
///
/// The same calls in the same order give the same poses bit for bit on every platform, also after a clone, or after
/// writing and reading with the same version of rapier. Methods that take the handle of a removed body return `None` or
/// `false` and change nothing.
#[derive(Serialize, Deserialize)]
pub struct Physics {
    pub(super) world: PhysicsWorld,
    pub(super) sensors: Sensors,
    recorder: ContactRecorder,
    contacts: Vec<Contact>,
    /// The moving bodies before a part of a step, and the contacts of a part; the memory is kept.
    #[serde(skip)]
    pub(super) movers: Vec<Mover>,
    #[serde(skip)]
    contacts_of_part: Vec<Contact>,
    /// Set again before each step.
    #[serde(skip)]
    filters: CollisionFilters,
    /// Measures the time of rapier; not part of the state.
    #[serde(skip)]
    clock: Option<fn() -> Duration>,
    #[serde(skip)]
    step_time: Duration,
}

impl Physics {
    /// An empty world; a step advances it by `step_seconds`.
    #[must_use]
    pub fn new(step_seconds: f32) -> Self {
        let mut world = PhysicsWorld { gravity: Vec2::ZERO, ..PhysicsWorld::default() };
        let parameters = &mut world.integration_parameters;
        parameters.dt = step_seconds;
        // Removes rapier's default speed limit of 400 m/s.
        parameters.normalized_max_linear_velocity = f32::MAX;
        // Continuous collision detection would sweep fast bodies against fixed ones only; they move in parts of a step
        // instead.
        parameters.max_ccd_substeps = 0;
        Self {
            world,
            sensors: Sensors::default(),
            recorder: ContactRecorder::default(),
            contacts: Vec::new(),
            movers: Vec::new(),
            contacts_of_part: Vec::new(),
            filters: CollisionFilters::default(),
            clock: None,
            step_time: Duration::ZERO,
        }
    }

    /// Measures the time of later steps with `now`. Without this no clock is read.
    pub fn measure(&mut self, now: fn() -> Duration) {
        self.clock = Some(now);
    }

    /// The total time of measured steps.
    #[must_use]
    pub fn step_time(&self) -> Duration {
        self.step_time
    }

    /// Adds a body whose hit box is its shape; a moving body gets the mass of the shape. Sensors never move.
    pub fn add_body(&mut self, key: BodyKey, pose: Pose, shape: Shape, body: Body) -> BodyHandle {
        let label = Label { category: body.category, key };
        // Sleeping bodies would save little here and make cost and order harder to predict.
        let rigid_body =
            RigidBodyBuilder::new(body_type(body)).pose(pose.to_rapier()).can_sleep(false).user_data(label.pack());
        let handle = BodyHandle::from_rapier(self.world.insert_body(rigid_body));
        self.give_hit_box(handle, key, shape, body, true);
        handle
    }

    /// Replaces shape and description of a body, which keeps its key, pose and velocity. The next step reports the ends
    /// of old contacts and the beginnings of new ones.
    pub fn refit(&mut self, handle: BodyHandle, shape: Shape, body: Body) -> bool {
        let Some(rigid_body) = self.rigid_body(handle) else { return false };
        let (key, is_enabled) = (Label::unpack(rigid_body.user_data).key, rigid_body.is_enabled());
        self.forget_later(handle);
        if let Some(old) = self.hit_box(handle) {
            self.world.remove_collider(old);
        }
        self.sensors.remove(handle);
        self.sensors.end_contacts(key);
        let rigid_body = &mut self.world.bodies[handle.to_rapier()];
        rigid_body.user_data = Label { category: body.category, key }.pack();
        rigid_body.set_body_type(body_type(body), true);
        self.give_hit_box(handle, key, shape, body, is_enabled);
        true
    }

    /// Removes a body; the next step reports the ends of its contacts.
    pub fn remove(&mut self, body: BodyHandle) -> bool {
        self.forget_later(body);
        self.sensors.remove(body);
        self.world.remove_body(body.to_rapier()).is_some()
    }

    /// Disables or enables a body. The next step reports the ends or beginnings of its contacts. A disabled body does
    /// not move, but can be posed and resized.
    pub fn set_enabled(&mut self, body: BodyHandle, is_enabled: bool) -> bool {
        let Some(rigid_body) = self.world.bodies.get_mut(body.to_rapier()) else { return false };
        rigid_body.set_enabled(is_enabled);
        if is_enabled && let Some(hit_box) = self.hit_box(body) {
            // `refit` disabled the hit box of a body that was refitted while disabled.
            self.world.colliders[hit_box].set_enabled(true);
        }
        self.note_change_of_sensor(body);
        true
    }

    /// Whether a body is enabled.
    #[must_use]
    pub fn is_enabled(&self, body: BodyHandle) -> Option<bool> {
        Some(self.rigid_body(body)?.is_enabled())
    }

    /// Sets the pose of a body; its velocity stays. Returns `false` for a pose that is not finite.
    pub fn set_pose(&mut self, body: BodyHandle, pose: Pose) -> bool {
        let Some(rigid_body) = self.world.bodies.get_mut(body.to_rapier()).filter(|_| pose.is_finite()) else {
            return false;
        };
        rigid_body.set_position(pose.to_rapier(), true);
        self.note_change_of_sensor(body);
        true
    }

    /// Sets the linear (m/s) and angular (rad/s) velocity of a body. Returns `false` for values that are not finite.
    pub fn set_velocity(&mut self, body: BodyHandle, linear: Vec2, angular: f32) -> bool {
        let is_finite = linear.is_finite() && angular.is_finite();
        let Some(rigid_body) = self.world.bodies.get_mut(body.to_rapier()).filter(|_| is_finite) else { return false };
        rigid_body.set_linvel(linear, true);
        rigid_body.set_angvel(angular, true);
        true
    }

    /// Resizes a bounty. Returns `false` for other bodies and for sizes that are not positive.
    pub fn resize_bounty(&mut self, bounty: BodyHandle, half_extent: f32) -> bool {
        let is_bounty = |body: &RigidBody| Label::unpack(body.user_data).category == Category::Bounty;
        let is_size = half_extent.is_finite() && half_extent > 0.0;
        if !is_size || !self.rigid_body(bounty).is_some_and(is_bounty) {
            return false;
        }
        let Some(hit_box) = self.hit_box(bounty) else { return false };
        let hit_box = &mut self.world.colliders[hit_box];
        hit_box.set_shape(SharedShape::cuboid(half_extent, half_extent));
        let (density, area_m2) = (hit_box.density(), Shape::Square(half_extent).area_m2());
        if colliders::limited_density(density, area_m2) < density {
            hit_box.set_density(colliders::limited_density(density, area_m2));
        }
        true
    }

    /// The pose of a body.
    #[must_use]
    pub fn pose(&self, body: BodyHandle) -> Option<Pose> {
        Some(Pose::from_rapier(self.rigid_body(body)?.position()))
    }

    /// The unit vector along a body's heading; cheaper and more exact than from the heading.
    #[must_use]
    pub fn forward(&self, body: BodyHandle) -> Option<Vec2> {
        let rotation = self.rigid_body(body)?.rotation();
        Some(Vec2::new(-rotation.im, rotation.re))
    }

    /// The velocity of a body.
    #[must_use]
    pub fn velocity(&self, body: BodyHandle) -> Option<Velocity> {
        let rigid_body = self.rigid_body(body)?;
        Some(Velocity { linear: rigid_body.linvel(), angular: rigid_body.angvel() })
    }

    /// The number of bodies, including disabled ones.
    #[must_use]
    pub fn body_count(&self) -> usize {
        self.world.bodies.len()
    }

    /// Replaces the collision filters and returns the old ones, whose memory can be reused.
    ///
    /// Contacts that a new filter drops end; overlaps that a removed filter dropped begin.
    pub fn exchange_filters(&mut self, filters: &mut Vec<CollisionFilter>) {
        filters.iter_mut().for_each(CollisionFilter::sort);
        std::mem::swap(&mut self.filters.lists, filters);
        self.update_hooks(filters.iter().flat_map(|before| &before.ghosts).copied());
    }

    /// Replaces all groups of bodies that pass through each other and returns the old ones, as
    /// [`Physics::exchange_filters`] does. A body is in one group at most.
    pub fn exchange_groups(&mut self, members: &mut Vec<GroupMember>) {
        members.sort_unstable();
        std::mem::swap(&mut self.filters.members, members);
        self.update_hooks(members.iter().map(|before| (before.key, before.body)));
    }

    /// Lets rapier ask about the bodies that the filters concern, and no longer about others of `before`.
    fn update_hooks(&mut self, before: impl Iterator<Item = (BodyKey, BodyHandle)>) {
        let Self { world, filters: now, .. } = self;
        for (_, body) in before.filter(|(key, _)| !now.concern(*key)) {
            set_hooks(world, body, ActiveHooks::empty());
        }
        for (_, body) in now.concerned() {
            set_hooks(world, body, ActiveHooks::FILTER_CONTACT_PAIRS);
        }
    }

    /// Finds the contacts that began and ended since the last step, then moves the bodies, in a world without edges.
    pub fn step(&mut self) {
        self.step_within(f32::INFINITY);
    }

    /// As [`Physics::step`], in a world of this half extent that wraps around. A step in which a body is fast is taken
    /// in parts, so that no body passes through another one. After the last part, bodies may be beyond an edge.
    pub fn step_within(&mut self, half_extent_m: f32) {
        let started = self.clock.map(|now| now());
        self.contacts.clear();
        let usual = self.world.integration_parameters;
        let mut left_seconds = usual.dt;
        loop {
            let part = self.next_part(left_seconds);
            part.apply(&mut self.world.integration_parameters);
            self.find_contacts_and_move();
            self.hold_back();
            if part.is_last {
                break;
            }
            left_seconds = part.rest_of(left_seconds);
            self.wrap_around(half_extent_m);
        }
        self.world.integration_parameters = usual;
        if let (Some(now), Some(started)) = (self.clock, started) {
            self.step_time += now().saturating_sub(started);
        }
    }

    fn find_contacts_and_move(&mut self) {
        let mut contacts = std::mem::take(&mut self.contacts_of_part);
        contacts.clear();
        self.sensors.detect(&self.world, &self.filters, &mut contacts);
        self.world.step_with_events(&self.filters, &self.recorder);
        self.recorder.drain_into(&mut contacts, &self.world.colliders);
        parts::add_contacts(&mut self.contacts, &contacts, self.sensors.ended_mut());
        self.contacts_of_part = contacts;
    }

    /// The contacts that began or ended in the last step, each once, in the order of [`Contact`].
    #[must_use]
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Each moving body and sensor that touched in the last step, always in the same order.
    pub fn sensor_contacts(&self) -> impl Iterator<Item = (BodyKey, BodyKey)> + '_ {
        self.sensors.contacts()
    }

    fn rigid_body(&self, body: BodyHandle) -> Option<&RigidBody> {
        self.world.bodies.get(body.to_rapier())
    }

    /// The collider of a body; a sensor has none.
    pub(super) fn hit_box(&self, body: BodyHandle) -> Option<ColliderHandle> {
        self.rigid_body(body)?.colliders().first().copied()
    }

    fn give_hit_box(&mut self, handle: BodyHandle, key: BodyKey, shape: Shape, body: Body, is_enabled: bool) {
        if body.category.is_sensor() {
            self.sensors.insert(handle, Label { category: body.category, key }, colliders::shape(shape));
        } else {
            // Rapier enables new colliders of disabled bodies.
            let hit_box = colliders::hit_box(key, shape, body).enabled(is_enabled);
            self.world.insert_collider(hit_box, Some(handle.to_rapier()));
        }
    }

    /// Lets the recorder name a body's collider that is about to be removed.
    fn forget_later(&mut self, body: BodyHandle) {
        if let Some(hit_box) = self.hit_box(body) {
            self.recorder.forget_later(hit_box, &self.world.colliders[hit_box]);
        }
    }

    fn note_change_of_sensor(&mut self, body: BodyHandle) {
        let is_sensor = |body: &RigidBody| Label::unpack(body.user_data).category.is_sensor();
        if self.rigid_body(body).is_some_and(is_sensor) {
            self.sensors.note_change();
        }
    }
}

impl Clone for Physics {
    /// Copies all state. New scratch pipelines of rapier do not change the results.
    fn clone(&self) -> Self {
        let world = PhysicsWorld {
            gravity: self.world.gravity,
            integration_parameters: self.world.integration_parameters,
            physics_pipeline: PhysicsPipeline::new(),
            collision_pipeline: CollisionPipeline::new(),
            islands: self.world.islands.clone(),
            broad_phase: self.world.broad_phase.clone(),
            narrow_phase: self.world.narrow_phase.clone(),
            bodies: self.world.bodies.clone(),
            colliders: self.world.colliders.clone(),
            impulse_joints: self.world.impulse_joints.clone(),
            multibody_joints: self.world.multibody_joints.clone(),
            soft_bodies: self.world.soft_bodies.clone(),
            ccd_solver: CCDSolver::new(),
        };
        Self {
            world,
            sensors: self.sensors.clone(),
            recorder: self.recorder.clone(),
            contacts: self.contacts.clone(),
            movers: Vec::new(),
            contacts_of_part: Vec::new(),
            filters: self.filters.clone(),
            clock: self.clock,
            step_time: self.step_time,
        }
    }
}

/// Sets the active hooks of a body's hit box if they differ.
fn set_hooks(world: &mut PhysicsWorld, body: BodyHandle, hooks: ActiveHooks) {
    let hit_box = world.bodies.get(body.to_rapier()).and_then(|body| body.colliders().first().copied());
    if let Some(hit_box) = hit_box.filter(|&hit_box| world.colliders[hit_box].active_hooks() != hooks) {
        world.colliders[hit_box].set_active_hooks(hooks);
    }
}

fn body_type(body: Body) -> RigidBodyType {
    match body.mobility {
        Mobility::Moving if !body.category.is_sensor() => RigidBodyType::Dynamic,
        _ => RigidBodyType::Fixed,
    }
}
