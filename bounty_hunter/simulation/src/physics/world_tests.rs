//! Moving, disabling, removing and resizing bodies.

use std::f32::consts::{PI, TAU};

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use glam::Vec2;

use super::determinism_tests::state_hash;
use super::{Body, BodyHandle, BodyKey, Category, Contact, ContactKind, Physics, Pose, Shape};

const STEP_SECONDS: f32 = 1.0 / 60.0;

fn empty_world() -> Physics {
    Physics::new(STEP_SECONDS)
}

fn collector(physics: &mut Physics, key: u64, x: f32, y: f32) -> BodyHandle {
    physics.add_collector(BodyKey(key), Pose::at(x, y), 1.5, 1.0)
}

fn bounty(physics: &mut Physics, key: u64, x: f32, y: f32) -> BodyHandle {
    physics.add_bounty(BodyKey(key), Pose::at(x, y), 0.5, 0.0001)
}

/// The contacts of one step as kind, categories and keys.
fn step(physics: &mut Physics) -> Vec<(ContactKind, Category, u64, Category, u64)> {
    physics.step();
    let plain = |contact: &Contact| (contact.kind, contact.category_a, contact.a.0, contact.category_b, contact.b.0);
    physics.contacts().iter().map(plain).collect()
}

#[test]
fn collector_turns_on_the_spot_and_drives_at_the_set_speed() {
    let mut physics = empty_world();
    let body = collector(&mut physics, 1, 3.0, 4.0);
    physics.set_velocity(body, Vec2::ZERO, TAU);
    for _ in 0..15 {
        physics.step();
    }
    let pose = physics.pose(body).expect("the collector is there");
    assert_eq!(pose.position, Vec2::new(3.0, 4.0));
    assert!((pose.heading - TAU / 4.0).abs() < 0.001, "heading {}", pose.heading);
    let forward = physics.forward(body).expect("the collector is there");
    assert!((forward - Vec2::new(-1.0, 0.0)).length() < 0.001, "-x is counter-clockwise of +y");
    physics.set_velocity(body, forward * 25.0, 0.0);
    for _ in 0..60 {
        physics.step();
    }
    let moved = physics.pose(body).expect("the collector is there").position - Vec2::new(3.0, 4.0);
    assert!((moved - Vec2::new(-25.0, 0.0)).length() < 0.05, "moved {moved}");
}

#[test]
fn speed_is_unlimited() {
    let mut physics = empty_world();
    let body = collector(&mut physics, 1, 0.0, 0.0);
    physics.set_velocity(body, Vec2::new(6000.0, 0.0), 0.0);
    physics.step();
    let x = physics.pose(body).expect("the collector is there").position.x;
    assert!((x - 100.0).abs() < 0.1, "moved {x} m in a step");
}

#[test]
fn hit_box_of_a_collector_is_its_drawn_triangle() {
    let corners_inside = [(1.35, -1.4), (-1.35, -1.4), (0.0, 1.3), (0.5, 0.0), (-0.5, 0.0)];
    let corners_outside = [(1.4, 1.4), (-1.4, 1.4), (1.2, 0.0), (-1.2, 0.0), (0.0, -1.7), (0.0, 1.7)];
    for ((x, y), is_inside) in
        corners_inside.map(|at| (at, true)).into_iter().chain(corners_outside.map(|at| (at, false)))
    {
        let mut physics = empty_world();
        collector(&mut physics, 1, 0.0, 0.0);
        physics.add_bounty(BodyKey(2), Pose::at(x, y), 0.05, 1.0);
        assert_eq!(!step(&mut physics).is_empty(), is_inside, "({x}, {y})");
    }
}

#[test]
fn collectors_at_top_speed_do_not_tunnel() {
    for offset in 0..25 {
        let mut physics = empty_world();
        let one = collector(&mut physics, 1, 0.0, -20.0 + 0.05 * offset as f32);
        let other = physics.add_collector(BodyKey(2), Pose::new(Vec2::new(0.0, 20.0), PI), 1.5, 1.0);
        let mut begun = 0;
        for _ in 0..60 {
            physics.set_velocity(one, Vec2::new(0.0, 37.5), 0.0);
            physics.set_velocity(other, Vec2::new(0.0, -37.5), 0.0);
            begun += step(&mut physics).iter().filter(|contact| contact.0 == ContactKind::Begin).count();
        }
        assert!(begun > 0, "offset {offset}");
    }
}

#[test]
fn disabling_a_body_ends_its_contacts_and_enabling_it_begins_them() {
    let mut physics = empty_world();
    let me = collector(&mut physics, 1, 0.0, 0.0);
    physics.add_stash(BodyKey(2), Pose::at(0.0, 0.0), 1.875);
    bounty(&mut physics, 3, 0.0, 1.0);
    let expect = |kind| {
        vec![(kind, Category::Collector, 1, Category::Stash, 2), (kind, Category::Collector, 1, Category::Bounty, 3)]
    };
    assert_eq!(step(&mut physics), expect(ContactKind::Begin));
    physics.set_pose(me, Pose::at(0.0, 0.0));
    assert!(physics.set_enabled(me, false));
    assert_eq!(step(&mut physics), expect(ContactKind::End));
    assert_eq!(step(&mut physics), []);
    assert!(physics.set_enabled(me, true));
    assert_eq!(step(&mut physics), expect(ContactKind::Begin));
}

#[test]
fn disabling_a_body_ends_its_solid_contacts() {
    let mut physics = empty_world();
    let one = collector(&mut physics, 1, 0.0, 0.0);
    let other = collector(&mut physics, 2, 1.0, 0.0);
    let pair = |kind| vec![(kind, Category::Collector, 1, Category::Collector, 2)];
    assert_eq!(step(&mut physics), pair(ContactKind::Begin));
    physics.set_enabled(one, false);
    physics.set_enabled(other, false);
    assert_eq!(step(&mut physics), pair(ContactKind::End));
}

#[test]
fn disabled_body_stays_where_it_is_put() {
    let mut physics = empty_world();
    let body = collector(&mut physics, 1, 0.0, 0.0);
    physics.set_velocity(body, Vec2::new(0.0, 25.0), 0.0);
    physics.set_enabled(body, false);
    physics.step();
    assert_eq!(physics.pose(body), Some(Pose::at(0.0, 0.0)));
    physics.set_pose(body, Pose::at(7.0, 8.0));
    physics.set_velocity(body, Vec2::new(0.0, 25.0), 1.0);
    for _ in 0..3 {
        physics.step();
    }
    assert_eq!(physics.pose(body), Some(Pose::at(7.0, 8.0)));
    assert_eq!(physics.is_enabled(body), Some(false));
    physics.set_enabled(body, true);
    physics.set_velocity(body, Vec2::ZERO, 0.0);
    bounty(&mut physics, 2, 7.0, 8.0);
    assert_eq!(step(&mut physics), [(ContactKind::Begin, Category::Collector, 1, Category::Bounty, 2)]);
}

#[test]
fn removed_body_ends_its_contacts_even_if_its_slot_is_reused() {
    let mut physics = empty_world();
    let me = collector(&mut physics, 1, 0.0, 0.0);
    physics.add_stash(BodyKey(2), Pose::at(0.0, 0.0), 1.875);
    physics.add_stash(BodyKey(3), Pose::at(0.0, 10.0), 1.875);
    assert_eq!(step(&mut physics), [(ContactKind::Begin, Category::Collector, 1, Category::Stash, 2)]);
    assert!(physics.remove(me));
    let successor = collector(&mut physics, 9, 0.0, 10.0);
    assert_eq!(
        step(&mut physics),
        [
            (ContactKind::End, Category::Collector, 1, Category::Stash, 2),
            (ContactKind::Begin, Category::Collector, 9, Category::Stash, 3),
        ]
    );
    assert_ne!(me, successor);
}

#[test]
fn handle_of_a_removed_body_is_invalid() {
    let mut physics = empty_world();
    let gone = bounty(&mut physics, 1, 0.0, 0.0);
    assert!(physics.remove(gone));
    let successor = bounty(&mut physics, 2, 5.0, 0.0);
    let untouched = state_hash(&physics);
    assert!(!physics.remove(gone));
    assert!(!physics.set_enabled(gone, false));
    assert!(!physics.set_pose(gone, Pose::at(1.0, 1.0)));
    assert!(!physics.set_velocity(gone, Vec2::ONE, 1.0));
    assert!(!physics.resize_bounty(gone, 2.0));
    assert_eq!(physics.pose(gone), None);
    assert_eq!(physics.forward(gone), None);
    assert_eq!(physics.velocity(gone), None);
    assert_eq!(physics.is_enabled(gone), None);
    assert_eq!(state_hash(&physics), untouched);
    assert_eq!((physics.pose(successor), physics.body_count()), (Some(Pose::at(5.0, 0.0)), 1));
}

#[test]
fn resized_bounty_has_its_new_size_even_if_resized_while_disabled() {
    let mut physics = empty_world();
    collector(&mut physics, 1, 0.0, 0.0);
    let square = bounty(&mut physics, 2, 0.0, 3.0);
    assert_eq!(step(&mut physics), []);
    assert!(physics.resize_bounty(square, 1.6));
    assert_eq!(step(&mut physics), [(ContactKind::Begin, Category::Collector, 1, Category::Bounty, 2)]);
    physics.set_enabled(square, false);
    physics.step();
    physics.resize_bounty(square, 0.5);
    physics.set_pose(square, Pose::at(0.0, 3.0));
    physics.set_velocity(square, Vec2::ZERO, 0.0);
    physics.set_enabled(square, true);
    assert_eq!(step(&mut physics), []);
    let mass = physics.bodies().find(|body| body.key == BodyKey(2)).expect("it has a body").mass;
    assert!((mass - 0.0001).abs() < 0.00005, "{mass}");
}

#[test]
fn collector_touches_a_wall_at_its_inner_face_and_leaves_it_by_wrapping() {
    let mut physics = empty_world();
    let wall = Shape::Rectangle(0.75, 84.375);
    physics.add_body(BodyKey(1), Pose::at(78.0, 0.0), wall, Body::fixed(Category::Wall));
    let me = physics.add_collector(BodyKey(2), Pose::new(Vec2::new(70.0, 0.0), -PI / 2.0), 1.5, 1.0);
    physics.set_velocity(me, Vec2::new(25.0, 0.0), 0.0);
    let mut begun_at = None;
    for _ in 0..60 {
        let at = physics.pose(me).expect("the collector is there").position.x;
        if step(&mut physics) == [(ContactKind::Begin, Category::Collector, 2, Category::Wall, 1)] {
            begun_at = Some(at);
            break;
        }
    }
    let tip = begun_at.expect("it reaches the wall") + 1.5;
    assert!((77.2..77.7).contains(&tip), "the tip is at {tip}");
    physics.set_pose(me, Pose::new(Vec2::new(-74.0, 0.0), -PI / 2.0));
    assert_eq!(step(&mut physics), [(ContactKind::End, Category::Collector, 2, Category::Wall, 1)]);
    assert!(physics.velocity(me).expect("the collector is there").linear.x > 24.9);
}

#[test]
fn invalid_numbers_are_refused() {
    let mut physics = empty_world();
    let me = collector(&mut physics, 1, 0.0, 0.0);
    let square = bounty(&mut physics, 2, 5.0, 0.0);
    let untouched = state_hash(&physics);
    for bad in [f32::NAN, f32::INFINITY] {
        assert!(!physics.set_pose(me, Pose::at(bad, 0.0)));
        assert!(!physics.set_pose(me, Pose::new(Vec2::ZERO, bad)));
        assert!(!physics.set_velocity(me, Vec2::new(0.0, bad), 0.0));
        assert!(!physics.set_velocity(me, Vec2::ZERO, bad));
    }
    for bad in [f32::NAN, f32::INFINITY, 0.0, -1.0] {
        assert!(!physics.resize_bounty(square, bad));
    }
    assert!(!physics.resize_bounty(me, 1.0), "a collector is not a bounty");
    assert_eq!(state_hash(&physics), untouched);
}

#[test]
fn body_with_invalid_numbers_does_not_affect_others() {
    let mut physics = empty_world();
    let me = collector(&mut physics, 1, 0.0, 0.0);
    for (key, bad) in [f32::NAN, f32::INFINITY, 0.0, -1.0].into_iter().enumerate() {
        physics.add_collector(BodyKey(10 + key as u64), Pose::at(30.0, 0.0), bad, 1.0);
        physics.add_bounty(BodyKey(20 + key as u64), Pose::at(-30.0, 0.0), bad, 1.0);
        physics.add_stash(BodyKey(30 + key as u64), Pose::at(bad, 30.0), 1.0);
    }
    physics.set_velocity(me, Vec2::new(0.0, 6.0), 0.0);
    for _ in 0..10 {
        physics.step();
    }
    let at = physics.pose(me).expect("the collector is there").position;
    assert!((at - Vec2::new(0.0, 1.0)).length() < 0.01, "at {at}");
}

#[test]
fn each_body_is_reported_with_its_key() {
    let mut physics = empty_world();
    let me = collector(&mut physics, 17, 1.0, 2.0);
    physics.add_stash(BodyKey(18), Pose::at(0.0, 0.0), 1.875);
    physics.set_enabled(me, false);
    let bodies: Vec<_> = physics.bodies().map(|body| (body.key.0, body.category, body.is_enabled)).collect();
    assert_eq!(bodies, [(17, Category::Collector, false), (18, Category::Stash, true)]);
    let position = physics.bodies().next().expect("there are two").pose.position;
    assert!((position - Vec2::new(1.0, 2.0)).length() < 1e-6, "{position}");
}

#[test]
fn step_time_is_measured_with_the_given_clock() {
    let mut physics = Physics::new(1.0 / 60.0);
    physics.step();
    assert_eq!(physics.step_time(), Duration::ZERO);
    // This clock advances by one second per call.
    static CALLS: AtomicU64 = AtomicU64::new(0);
    physics.measure(|| Duration::from_secs(CALLS.fetch_add(1, Ordering::Relaxed)));
    physics.step();
    physics.step();
    assert_eq!(physics.step_time(), Duration::from_secs(2));
}
