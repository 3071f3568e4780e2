//! Colliders: hit boxes, which equal the drawn shapes, and the sensors of AIs.

use std::f32::consts::TAU;

use glam::Vec2;
use rapier2d::dynamics::MassProperties;
use rapier2d::geometry::{ColliderBuilder, SharedShape};
use rapier2d::math::Pose as RapierPose;
use rapier2d::pipeline::ActiveEvents;

use super::body::BodyKey;
use super::categories::Category;
use super::contacts::Label;
use crate::physics::{Body, Mobility, Shape};

/// Points on the arc of a fan; its apex at the body's origin is an eighth point.
const ARC_POINTS: usize = 7;

/// A fan wider than this (170°) is composed of narrower ones, since polygons must be convex.
const WIDEST_FAN_RAD: f32 = 170.0 / 360.0 * TAU;

/// The greatest opening angle (120°) of those narrower fans.
const PART_FAN_RAD: f32 = TAU / 3.0;

/// A collider of a category. The category decides what it meets and whether it is a sensor.
pub(super) fn part(shape: SharedShape, category: Category, key: BodyKey) -> ColliderBuilder {
    ColliderBuilder::new(shape)
        .user_data(Label { category, key }.pack())
        .collision_groups(category.groups())
        .sensor(category.is_sensor())
        .active_events(ActiveEvents::COLLISION_EVENTS)
        .friction(0.0)
        .restitution(0.0)
        .density(0.0)
}

/// The hit box of a body: a collider of its shape.
pub(super) fn hit_box(key: BodyKey, shape: Shape, body: Body) -> ColliderBuilder {
    let solid = match shape {
        Shape::Square(half) => SharedShape::cuboid(half, half),
        Shape::Triangle(half) => triangle(half),
        Shape::Rectangle(x, y) => SharedShape::cuboid(x, y),
    };
    let part = part(solid, body.category, key);
    match (body.mobility, shape) {
        (Mobility::Fixed, _) => part,
        (Mobility::Moving, Shape::Triangle(half)) => part.mass_properties(triangle_mass(half, body.density)),
        (Mobility::Moving, _) => part.density(body.density),
    }
}

/// The triangle (−h, −h), (0, h), (h, −h) that points along +y.
pub(super) fn triangle(half_extent: f32) -> SharedShape {
    let h = half_extent;
    SharedShape::triangle(Vec2::new(h, -h), Vec2::new(0.0, h), Vec2::new(-h, -h))
}

/// The mass of the triangle, with the centre of mass at the body's origin, the middle of the drawing.
///
/// About its true centre of mass, h/3 lower, the position of a turning collector would circle. Area 2h²; moment of inertia
/// m·7/18·h² about the centre of mass plus m·h²/9 about the origin, in total m·h²/2.
pub(super) fn triangle_mass(half_extent: f32, density: f32) -> MassProperties {
    let square = half_extent * half_extent;
    let mass = density * 2.0 * square;
    MassProperties::new(Vec2::ZERO, mass, mass * square / 2.0)
}

/// A cone around +y; `None` unless angle and range are positive.
///
/// Up to 170° it is one polygon of eight points, beyond that a union of such polygons, and from 2π on a disc.
pub(super) fn radar(angle_rad: f32, range: f32) -> Option<SharedShape> {
    if !(is_positive(angle_rad) && is_positive(range)) {
        return None;
    }
    if angle_rad >= TAU {
        return Some(SharedShape::ball(range));
    }
    let first = -angle_rad / 2.0;
    if angle_rad <= WIDEST_FAN_RAD {
        return fan(first, angle_rad, range);
    }
    let parts = libm::ceilf(angle_rad / PART_FAN_RAD);
    let part_angle = angle_rad / parts;
    let fans: Option<Vec<_>> = (0..parts as usize)
        .map(|i| Some((RapierPose::IDENTITY, fan(first + i as f32 * part_angle, part_angle, range)?)))
        .collect();
    Some(SharedShape::compound(fans?))
}

/// A box ahead of the body, from its origin to `range`; `None` unless the sizes are positive.
pub(super) fn avoider(half_width: f32, range: f32) -> Option<(SharedShape, Vec2)> {
    let is_box = is_positive(half_width) && is_positive(range);
    is_box.then(|| (SharedShape::cuboid(half_width, range / 2.0), Vec2::new(0.0, range / 2.0)))
}

pub(super) fn is_positive(length: f32) -> bool {
    length.is_finite() && length > 0.0
}

fn fan(first_rad: f32, angle_rad: f32, range: f32) -> Option<SharedShape> {
    let mut points = vec![Vec2::ZERO];
    points.extend((0..ARC_POINTS).map(|i| {
        let heading = first_rad + angle_rad * i as f32 / (ARC_POINTS - 1) as f32;
        Vec2::new(-libm::sinf(heading), libm::cosf(heading)) * range
    }));
    SharedShape::convex_polyline(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the radar covers the point at `degrees` from straight ahead, at 90 % of its range.
    fn covers(angle_degrees: f32, degrees: f32) -> bool {
        let shape = radar(angle_degrees.to_radians(), 25.0).expect("the radar has a shape");
        let heading = degrees.to_radians();
        let point = Vec2::new(-libm::sinf(heading), libm::cosf(heading)) * 22.5;
        shape.contains_point(&RapierPose::IDENTITY, point)
    }

    #[test]
    fn radar_covers_exactly_its_angle() {
        for angle in [20.0, 60.0, 120.0, 170.0, 175.0, 200.0, 240.0, 300.0, 350.0] {
            for side in [-1.0, 1.0] {
                assert!(covers(angle, 0.0), "{angle} degrees, straight ahead");
                assert!(covers(angle, side * (angle / 2.0 - 2.0)), "{angle} degrees, just inside");
                assert!(!covers(angle, side * (angle / 2.0 + 2.0)), "{angle} degrees, just outside");
            }
        }
        for degrees in [0.0, 90.0, 179.0, -90.0] {
            assert!(covers(360.0, degrees));
        }
    }

    #[test]
    fn radar_of_120_degrees_is_a_polygon_of_eight_points() {
        let shape = radar(120.0_f32.to_radians(), 25.0).expect("the radar has a shape");
        assert_eq!(shape.as_convex_polygon().expect("a polygon").points().len(), 8);
    }

    #[test]
    fn sensor_without_a_size_has_no_shape() {
        for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(radar(bad, 25.0).is_none() && radar(1.0, bad).is_none());
            assert!(avoider(bad, 18.75).is_none() && avoider(1.5, bad).is_none());
        }
    }
}
