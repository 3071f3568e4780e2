//! Bodies, what may touch what, and who touched whom in a step. The only folder that names rapier2d.
//!
//! | module | what lives there |
//! |---|---|
//! | `body` | how a body is named and where it is |
//! | `categories` | the eight collision categories and the drawing of which of them meet |
//! | `contacts` | beginnings and ends of contacts, in an order that does not depend on rapier |
//! | `collision_filter` | who passes through whom |
//! | `shape` | how large an object is, and in which form |
//! | `colliders` | hit boxes and sensors |
//! | `world` | [`Physics`]: adding, moving and stepping bodies |
//! | `inspection` | hash and description of all bodies |
//!
//! Units are metres, seconds and radians. A heading of 0 faces +y, positive headings turn counter-clockwise.

mod body;
mod categories;
mod colliders;
mod collision_filter;
mod contacts;
mod inspection;
mod shape;
mod world;

#[cfg(test)]
mod determinism_tests;
#[cfg(test)]
mod matrix_tests;
#[cfg(test)]
mod refit_tests;
#[cfg(test)]
mod world_tests;

pub use crate::data::arena::Pose;
pub use body::{Body, BodyHandle, BodyKey, Mobility, Velocity};
pub use categories::Category;
pub use collision_filter::CollisionFilter;
pub use contacts::{Contact, ContactKind};
pub use shape::Shape;
pub use world::Physics;
