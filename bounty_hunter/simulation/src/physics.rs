//! Rigid bodies, collision categories and contacts. The only folder that names rapier2d.
//!
//! | module | contents |
//! |---|---|
//! | `body` | the description, keys and handles of bodies |
//! | `categories` | the nine collision categories and the matrix of which of them meet |
//! | `contacts` | beginnings and ends of contacts, in an order independent of rapier |
//! | `collision_filter` | bodies that pass through others, and groups of them |
//! | `matter` | friction, restitution and damping |
//! | `parts` | the parts of a step in which a body is fast |
//! | `sensors` | bodies that only detect |
//! | `shape` | form and size of an object |
//! | `colliders` | colliders of hit boxes |
//! | `world` | [`Physics`]: adding, moving and stepping bodies |
//! | `inspection` | the hash and the description of all bodies |
//!
//! Units are metres, seconds and radians. A heading of 0 faces +y, positive headings turn counter-clockwise.

mod body;
mod categories;
mod colliders;
mod collision_filter;
mod contacts;
mod inspection;
mod matter;
mod parts;
mod sensors;
mod shape;
mod world;

#[cfg(test)]
mod determinism_tests;
#[cfg(test)]
mod parts_tests;
#[cfg(test)]
mod refit_tests;
#[cfg(test)]
mod world_tests;

pub use crate::data::arena::Pose;
pub use body::{Body, BodyHandle, BodyKey, Mobility, Velocity};
pub use categories::Category;
pub use collision_filter::{CollisionFilter, GroupMember};
pub use contacts::{Contact, ContactKind};
pub use inspection::BodyReport;
pub use matter::Matter;
pub use shape::Shape;
pub use world::Physics;

/// Bodies for tests.
#[cfg(test)]
impl Physics {
    fn add_collector(&mut self, key: BodyKey, pose: Pose, half_extent_m: f32, density: f32) -> BodyHandle {
        self.add_body(key, pose, Shape::Triangle(half_extent_m), Body::moving(Category::Collector, density))
    }

    fn add_bounty(&mut self, key: BodyKey, pose: Pose, half_extent_m: f32, density: f32) -> BodyHandle {
        self.add_body(key, pose, Shape::Square(half_extent_m), Body::moving(Category::Bounty, density))
    }

    fn add_stash(&mut self, key: BodyKey, pose: Pose, half_extent_m: f32) -> BodyHandle {
        self.add_body(key, pose, Shape::Square(half_extent_m), Body::fixed(Category::Stash))
    }
}
