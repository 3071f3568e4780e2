//! Colliders: hit boxes, which equal the drawn shapes.

use glam::Vec2;
use rapier2d::dynamics::MassProperties;
use rapier2d::geometry::{ColliderBuilder, SharedShape};
use rapier2d::pipeline::ActiveEvents;

use super::body::BodyKey;
use super::contacts::Label;
use crate::physics::{Body, Mobility, Shape};

/// The greatest mass, kilograms: with more, the solver of rapier rounds the effect of a contact down to none.
const MAX_MASS_KG: f32 = 1e9;

/// The density at which a hit box of this area has no more than the greatest mass.
pub(super) fn limited_density(density: f32, area_m2: f32) -> f32 {
    density.min(MAX_MASS_KG / area_m2)
}

/// The shape of a hit box.
pub(super) fn shape(shape: Shape) -> SharedShape {
    match shape {
        Shape::Square(half) => SharedShape::cuboid(half, half),
        Shape::Triangle(half) => triangle(half),
        Shape::Rectangle(x, y) => SharedShape::cuboid(x, y),
    }
}

/// The hit box of a solid body. Its category decides what it meets.
pub(super) fn hit_box(key: BodyKey, shape: Shape, body: Body) -> ColliderBuilder {
    let collider = ColliderBuilder::new(self::shape(shape))
        .user_data(Label { category: body.category, key }.pack())
        .collision_groups(body.category.groups())
        .active_events(ActiveEvents::COLLISION_EVENTS)
        .friction(0.0)
        .restitution(0.0)
        .density(0.0);
    let density = limited_density(body.density, shape.area_m2());
    match (body.mobility, shape) {
        (Mobility::Fixed, _) => collider,
        (Mobility::Moving, Shape::Triangle(half)) => collider.mass_properties(triangle_mass(half, density)),
        (Mobility::Moving, _) => collider.density(density),
    }
}

/// The triangle (−h, −h), (0, h), (h, −h) that points along +y.
fn triangle(half_extent: f32) -> SharedShape {
    let h = half_extent;
    SharedShape::triangle(Vec2::new(h, -h), Vec2::new(0.0, h), Vec2::new(-h, -h))
}

/// The mass of the triangle, with the centre of mass at the body's origin, the middle of the drawing.
///
/// About its true centre of mass, h/3 lower, the position of a turning collector would circle. Area 2h²; moment of
/// inertia m·7/18·h² about the centre of mass plus m·h²/9 about the origin, in total m·h²/2.
fn triangle_mass(half_extent: f32, density: f32) -> MassProperties {
    let square = half_extent * half_extent;
    let mass = density * 2.0 * square;
    MassProperties::new(Vec2::ZERO, mass, mass * square / 2.0)
}
