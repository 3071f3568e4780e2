//! Bodies of all shapes, and the replacement of shapes.

use glam::Vec2;

use super::{BodyHandle, BodyKey, Category, ContactKind, Physics, Pose};
use crate::physics::{Body, Shape};

const STEP_SECONDS: f32 = 1.0 / 60.0;

/// A body at the origin, and a collector that drives into it from the left.
fn run_into(shape: Shape, body: Body) -> (Physics, BodyHandle, BodyHandle) {
    let mut physics = Physics::new(STEP_SECONDS);
    let obstacle = physics.add_body(BodyKey(1), Pose::default(), shape, body);
    let collector = physics.add_collector(BodyKey(2), Pose::at(-10.0, 0.0), 1.5, 1.0);
    for _ in 0..60 {
        physics.set_velocity(collector, Vec2::new(25.0, 0.0), 0.0);
        physics.step();
    }
    (physics, obstacle, collector)
}

fn x(physics: &Physics, body: BodyHandle) -> f32 {
    physics.pose(body).expect("the body is there").position.x
}

#[test]
fn fixed_body_stays_and_stops_or_deflects_others() {
    for shape in [Shape::Square(2.0), Shape::Triangle(2.0), Shape::Rectangle(0.5, 3.0)] {
        let (physics, obstacle, collector) = run_into(shape, Body::fixed(Category::Default));
        assert_eq!(x(&physics, obstacle), 0.0, "{shape:?}");
        let place = physics.pose(collector).expect("it is there").position;
        assert!(place.x < 0.0 || place.y.abs() > 1.0, "{shape:?}: {place}");
    }
}

#[test]
fn lighter_body_is_pushed_further() {
    for shape in [Shape::Square(1.0), Shape::Triangle(1.0), Shape::Rectangle(0.5, 1.0)] {
        let pushed_m = |density| {
            let (physics, obstacle, _) = run_into(shape, Body::moving(Category::Default, density));
            x(&physics, obstacle)
        };
        let (light_m, heavy_m) = (pushed_m(0.01), pushed_m(50.0));
        assert!(light_m > 5.0 && heavy_m < light_m, "{shape:?}: {light_m} and {heavy_m}");
    }
}

#[test]
fn refit_body_keeps_its_pose_and_velocity() {
    let mut physics = Physics::new(STEP_SECONDS);
    let body = physics.add_collector(BodyKey(1), Pose::at(3.0, 4.0), 1.5, 1.0);
    physics.set_velocity(body, Vec2::new(6.0, 0.0), 0.0);
    assert!(physics.refit(body, Shape::Triangle(2.0), Body::moving(Category::Collector, 1.0)));
    physics.step();
    assert!((x(&physics, body) - 3.1).abs() < 1e-4);
}

#[test]
fn refit_body_reports_contacts_of_its_new_shape_and_category() {
    let mut physics = Physics::new(STEP_SECONDS);
    let stone = physics.add_body(BodyKey(1), Pose::default(), Shape::Square(1.0), Body::fixed(Category::Default));
    physics.add_collector(BodyKey(2), Pose::at(4.0, 0.0), 1.5, 1.0);
    physics.step();
    assert_eq!(physics.contacts(), []);
    physics.refit(stone, Shape::Square(3.0), Body::fixed(Category::Stash));
    physics.step();
    let [contact] = physics.contacts() else { panic!("{:?}", physics.contacts()) };
    assert_eq!((contact.kind, contact.a, contact.b), (ContactKind::Begin, BodyKey(2), BodyKey(1)));
    assert_eq!(contact.category_b, Category::Stash);
    physics.refit(stone, Shape::Square(1.0), Body::fixed(Category::Stash));
    physics.step();
    assert_eq!(physics.contacts()[0].kind, ContactKind::End);
}

#[test]
fn refit_keeps_a_disabled_body_disabled_and_refuses_a_removed_one() {
    let mut physics = Physics::new(STEP_SECONDS);
    let stone = physics.add_body(BodyKey(1), Pose::default(), Shape::Square(1.0), Body::fixed(Category::Default));
    physics.add_collector(BodyKey(2), Pose::at(1.0, 0.0), 1.5, 1.0);
    physics.set_enabled(stone, false);
    physics.refit(stone, Shape::Square(3.0), Body::fixed(Category::Default));
    physics.step();
    assert_eq!((physics.contacts().len(), physics.is_enabled(stone)), (0, Some(false)));
    physics.set_enabled(stone, true);
    physics.step();
    assert_eq!(physics.contacts().len(), 1);
    physics.remove(stone);
    assert!(!physics.refit(stone, Shape::Square(1.0), Body::fixed(Category::Default)));
}
