//! Parts of a step: where a body is fast, a step is taken in several parts, so that no body passes through another one.
//!
//! In a part no point of a body moves further than from the middle of the body to its nearest side, plus half the
//! thinnest wall. So two bodies that meet overlap after some part while their middles are still on the sides on which
//! they came, and are pushed apart to these sides.

use glam::Vec2;
use rapier2d::dynamics::{IntegrationParameters, RigidBodyHandle};
use rapier2d::geometry::Shape as RapierShape;

use super::colliders;
use super::contacts::{Contact, ContactKind};
use super::shape::Shape;
use super::world::Physics;
use crate::data::arena::{Pose, wrap};

/// The most parts of a second: they bound the work for tiny bodies, which then move no faster than
/// [`Shape::fastest_mps`].
const MAX_PER_SECOND: f32 = 10_000.0;

/// How far a body moves in a part, in distances from its middle to its nearest side, where no wall is thin.
const REACH: f32 = 1.5;

/// Up to this speed, and in parts of at least this length, the usual softness of contacts stops a body within its size.
const USUAL_MPS: f32 = 100.0;
const USUAL_SECONDS: f32 = 0.999 / 60.0;

/// Hertz times seconds: the stiffness of contacts of fast bodies, which lose two thirds of an overlap in a part.
const STIFFNESS: f32 = 4.0;

/// A moving body before a part.
pub(super) struct Mover {
    body: RigidBodyHandle,
    position: Vec2,
    /// The speed of its fastest point, at most.
    speed_mps: f32,
    /// How far it may move.
    reach_m: f32,
}

/// The next part of a step.
pub(super) struct Part {
    seconds: f32,
    pub(super) is_last: bool,
    is_usual: bool,
}

impl Shape {
    /// The greatest speed of a body of this shape, metres per second; the speed of its corners as it turns counts.
    #[must_use]
    pub fn fastest_mps(self) -> f32 {
        MAX_PER_SECOND * radii_m(&*colliders::shape(self)).0
    }

    /// The greatest speed of a point of a body of this shape.
    #[must_use]
    pub fn speed_of_corners_mps(self, speed_mps: f32, turn_radps: f32) -> f32 {
        speed_mps + turn_radps * radii_m(&*colliders::shape(self)).1
    }
}

/// The distances from the origin of a shape to its nearest side and to its farthest corner, metres.
fn radii_m(shape: &dyn RapierShape) -> (f32, f32) {
    if let Some(cuboid) = shape.as_cuboid() {
        return (cuboid.half_extents.min_element(), cuboid.half_extents.length());
    }
    // The triangle of `colliders.rs`: (h, −h), (0, h), (−h, −h).
    shape.as_triangle().map_or((f32::INFINITY, 0.0), |triangle| (triangle.b.y / 5.0_f32.sqrt(), triangle.a.length()))
}

impl Part {
    /// Sets the length of the part, and for fast bodies stiffer contacts.
    pub(super) fn apply(&self, parameters: &mut IntegrationParameters) {
        parameters.dt = self.seconds;
        if !self.is_usual {
            parameters.contact_softness.natural_frequency = STIFFNESS / self.seconds;
            parameters.static_contact_softness.natural_frequency = STIFFNESS / self.seconds;
            parameters.normalized_max_corrective_velocity = f32::MAX;
        }
    }

    /// The seconds that are left after it.
    pub(super) fn rest_of(&self, left_seconds: f32) -> f32 {
        left_seconds - self.seconds
    }
}

impl Physics {
    /// Notes the moving bodies, and returns the next part of the `left_seconds` of a step.
    pub(super) fn next_part(&mut self, left_seconds: f32) -> Part {
        let Self { world, movers, .. } = self;
        let (mut thinnest_m, mut fastest_mps) = (f32::INFINITY, 0.0_f32);
        movers.clear();
        for (body, rigid_body) in world.bodies.iter().filter(|(_, body)| body.is_enabled()) {
            let Some(hit_box) = rigid_body.colliders().first().and_then(|part| world.colliders.get(*part)) else {
                continue;
            };
            let (inner_m, outer_m) = radii_m(hit_box.shape());
            if rigid_body.is_fixed() {
                thinnest_m = thinnest_m.min(inner_m.max(0.0));
            } else if inner_m > 0.0 {
                let speed_mps = rigid_body.linvel().length() + rigid_body.angvel().abs() * outer_m;
                fastest_mps = fastest_mps.max(speed_mps);
                movers.push(Mover { body, position: rigid_body.translation(), speed_mps, reach_m: inner_m });
            }
        }
        let mut parts = 1.0_f32;
        for mover in movers {
            mover.reach_m = (REACH * mover.reach_m).min(mover.reach_m + thinnest_m);
            parts = parts.max((mover.speed_mps * left_seconds / mover.reach_m).ceil());
        }
        let parts = parts.min((left_seconds * MAX_PER_SECOND).ceil().max(1.0));
        let seconds = left_seconds / parts;
        Part { seconds, is_last: parts <= 1.0, is_usual: fastest_mps <= USUAL_MPS && seconds >= USUAL_SECONDS }
    }

    /// Puts back each body that was pushed further in the last part than it may move.
    pub(super) fn hold_back(&mut self) {
        for &Mover { body, position, reach_m, .. } in &self.movers {
            let Some(rigid_body) = self.world.bodies.get(body) else { continue };
            let way = rigid_body.translation() - position;
            if way.length_squared() > reach_m * reach_m
                && let Some(rigid_body) = self.world.bodies.get_mut(body)
            {
                rigid_body.set_translation(position + way.clamp_length_max(reach_m), true);
            }
        }
    }

    /// Lets the bodies that left the world on one side re-enter on the other.
    pub(super) fn wrap_around(&mut self, half_extent_m: f32) {
        for &Mover { body, .. } in &self.movers {
            let Some(rigid_body) = self.world.bodies.get(body) else { continue };
            let pose = Pose::from_rapier(rigid_body.position());
            if let Some(position) = wrap(pose.position, half_extent_m)
                && let Some(rigid_body) = self.world.bodies.get_mut(body)
            {
                rigid_body.set_position(Pose::new(position, pose.heading).to_rapier(), true);
            }
        }
    }
}

/// Adds the contacts of a further part to those of the step, which are sorted: a pair ends at most once, then begins at
/// most once. The end of a contact that began in this step is left to the next one.
pub(super) fn add_contacts(of_step: &mut Vec<Contact>, of_part: &[Contact], of_next_step: &mut Vec<Contact>) {
    for &contact in of_part {
        let begin = Contact { kind: ContactKind::Begin, ..contact };
        let end = Contact { kind: ContactKind::End, ..contact };
        let is_begun = of_step.binary_search(&begin).is_ok();
        match contact.kind {
            ContactKind::Begin if is_begun => of_next_step.retain(|other| *other != end),
            ContactKind::End if is_begun => of_next_step.push(end),
            _ => {
                if let Err(index) = of_step.binary_search(&contact) {
                    of_step.insert(index, contact);
                }
            }
        }
    }
}
