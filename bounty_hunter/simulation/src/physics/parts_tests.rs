//! Fast bodies: none passes through another, at any speed, size and thickness that the limits allow.

use std::f32::consts::FRAC_PI_2;

use glam::Vec2;

use super::{Body, BodyHandle, BodyKey, Category, CollisionFilter, Contact, ContactKind, Physics, Pose, Shape};
use crate::data::arena::forward;
use ecs::random::RandomStream;

const CASES: u64 = 100;
/// Half the length of walls; bodies are not driven around their ends.
const WALL_M: f32 = 10_000.0;

fn any(random: &mut RandomStream, least: f32, most: f32) -> f32 {
    match (random.unit() * 8.0) as u32 {
        0 => least,
        1 => most,
        // Each order of magnitude equally often.
        _ => random.between(least.ln(), most.ln()).exp().clamp(least, most),
    }
}

fn any_shape(random: &mut RandomStream) -> Shape {
    let half_m = any(random, 0.01, 100.0);
    match (random.unit() * 3.0) as u32 {
        0 => Shape::Square(half_m),
        1 => Shape::Triangle(half_m),
        _ => Shape::Rectangle(half_m, (half_m * random.between(0.1, 1.0)).max(0.01)),
    }
}

/// Drives a body of any shape, speed and mass against a wall of any thickness for a while; returns where it came to be
/// beyond.
fn drive_against_a_wall(seed: u64) -> Option<String> {
    let mut random = RandomStream::new(seed, "test");
    let steps_per_second = any(&mut random, 1.0, 1_000.0).round();
    let (shape, half_wall_m) = (any_shape(&mut random), any(&mut random, 0.01, 100.0));
    let mut turn_radps = if random.chance(0.5) { 0.0 } else { random.between(-100.0, 100.0) };
    let mut speed_mps = any(&mut random, 1.0, 1_000.0);
    let excess = shape.speed_of_corners_mps(speed_mps, turn_radps.abs()) / shape.fastest_mps();
    if excess > 1.0 {
        // A match with such a collector is refused.
        (speed_mps, turn_radps) = (speed_mps / excess, turn_radps / excess);
    }
    let direction_rad = random.between(-1.2, 1.2);
    let density = any(&mut random, 0.000_001, 1_000_000.0);
    let gap_m = random.unit() * speed_mps / steps_per_second * 3.0;
    let start_m = -(half_wall_m + 2.0 * shape.half_extent_m() + gap_m);

    let mut physics = Physics::new(1.0 / steps_per_second);
    let wall = Shape::Rectangle(WALL_M, half_wall_m);
    physics.add_body(BodyKey(1), Pose::at(0.0, 0.0), wall, Body::fixed(Category::Default));
    let start = Pose::new(Vec2::new(0.0, start_m), direction_rad);
    let body = physics.add_body(BodyKey(2), start, shape, Body::moving(Category::Collector, density));
    let way_m = (start_m / direction_rad.cos()).abs();
    let steps = (way_m / speed_mps * steps_per_second) as usize + 30;
    for step in 0..steps.min(300) {
        if (step as f32 * speed_mps / steps_per_second) > WALL_M / 2.0 {
            break;
        }
        physics.set_velocity(body, forward(direction_rad) * speed_mps, turn_radps);
        physics.step();
        let place = physics.pose(body).expect("it is there").position;
        let is_before_the_wall = place.y < 0.0;
        if !is_before_the_wall {
            return Some(format!(
                "seed {seed}, step {step}: {place}, {steps_per_second} steps per second, {speed_mps} m/s in direction \
                 {direction_rad}, {turn_radps} rad/s, {shape:?}, half a wall {half_wall_m}, density {density}"
            ));
        }
    }
    None
}

#[test]
fn no_body_passes_through_a_wall_at_any_speed_size_and_thickness() {
    let beyond: Vec<String> = (0..CASES).filter_map(drive_against_a_wall).collect();
    assert!(beyond.is_empty(), "{}", beyond.join("\n"));
}

/// A collector that is driven towards +x from the middle of the world.
fn fast_collector(physics: &mut Physics, speed_mps: f32) -> BodyHandle {
    let me = Pose::new(Vec2::ZERO, -FRAC_PI_2);
    let body = physics.add_body(BodyKey(1), me, Shape::Triangle(1.5), Body::moving(Category::Collector, 1.0));
    physics.set_velocity(body, Vec2::new(speed_mps, 0.0), 0.0);
    body
}

fn met(physics: &Physics, kind: ContactKind) -> Vec<u64> {
    let of_kind = physics.contacts().iter().filter(|contact| contact.kind == kind && contact.a == BodyKey(1));
    of_kind.map(|contact| contact.b.0).collect()
}

#[test]
fn fast_collector_meets_all_that_it_passes_over_in_a_step() {
    let mut physics = Physics::new(1.0 / 60.0);
    fast_collector(&mut physics, 1_000.0);
    physics.add_stash(BodyKey(2), Pose::at(4.0, 0.0), 0.05);
    physics.add_bounty(BodyKey(3), Pose::at(8.0, 0.0), 0.75, 0.0001);
    physics.add_body(BodyKey(4), Pose::at(11.0, 0.0), Shape::Square(1.2), Body::fixed(Category::PowerUp));
    physics.add_collector(BodyKey(5), Pose::at(14.0, 0.0), 1.5, 1.0);
    physics.step();
    assert_eq!(met(&physics, ContactKind::Begin), [2, 3, 4, 5]);
}

#[test]
fn contact_that_begins_and_ends_in_a_step_ends_in_the_next() {
    let mut physics = Physics::new(1.0 / 60.0);
    fast_collector(&mut physics, 1_000.0);
    physics.add_stash(BodyKey(2), Pose::at(8.0, 0.0), 1.875);
    physics.step();
    assert_eq!((met(&physics, ContactKind::Begin), met(&physics, ContactKind::End)), (vec![2], vec![]));
    let mut same = physics.clone();
    physics.step();
    assert_eq!((met(&physics, ContactKind::Begin), met(&physics, ContactKind::End)), (vec![], vec![2]));
    same.step();
    assert_eq!(same.contacts(), physics.contacts());
    physics.step();
    assert_eq!(physics.contacts(), []);
}

#[test]
fn fast_ghost_passes_through_what_it_ignores() {
    let mut physics = Physics::new(1.0 / 60.0);
    let me = fast_collector(&mut physics, 1_000.0);
    let other = physics.add_collector(BodyKey(5), Pose::at(8.0, 0.0), 1.5, 1.0);
    let ghosts = vec![(BodyKey(1), me)];
    physics.exchange_filters(&mut vec![CollisionFilter { ghosts, ignored: vec![BodyKey(5)] }]);
    physics.step();
    assert_eq!((physics.contacts(), physics.pose(other)), (&[][..], Some(Pose::at(8.0, 0.0))));
    assert!((physics.pose(me).expect("it is there").position.x - 1_000.0 / 60.0).abs() < 0.01);
}

#[test]
fn fast_body_is_stopped_behind_the_edge_of_the_world() {
    let mut physics = Physics::new(1.0 / 60.0);
    let me = fast_collector(&mut physics, 1_000.0);
    physics.set_pose(me, Pose::new(Vec2::new(70.0, 0.0), -FRAC_PI_2));
    physics.add_body(BodyKey(2), Pose::at(-70.0, 0.0), Shape::Rectangle(0.5, 9.0), Body::fixed(Category::Default));
    for _ in 0..20 {
        physics.set_velocity(me, Vec2::new(1_000.0, 0.0), 0.0);
        physics.step_within(75.0);
        let x = physics.pose(me).expect("it is there").position.x;
        assert!(!(-70.0..=0.0).contains(&x), "{x}");
    }
}

#[test]
fn light_body_that_is_hit_by_a_fast_one_stays_before_the_wall() {
    for half_m in [0.05, 0.3, 1.2] {
        let mut physics = Physics::new(1.0 / 60.0);
        let me = fast_collector(&mut physics, 1_000.0);
        let stone = Body::moving(Category::Default, 0.4);
        let stone = physics.add_body(BodyKey(2), Pose::at(9.0, 0.0), Shape::Square(half_m), stone);
        physics.add_body(BodyKey(3), Pose::at(14.0, 0.0), Shape::Rectangle(0.5, 50.0), Body::fixed(Category::Default));
        for step in 0..10 {
            physics.set_velocity(me, Vec2::new(1_000.0, 0.0), 0.0);
            physics.step();
            for body in [me, stone] {
                let x = physics.pose(body).expect("it is there").position.x;
                assert!(x < 14.0, "half a side {half_m}, step {step}: {x}");
            }
        }
    }
}

#[test]
fn ends_and_beginnings_of_a_pair_alternate_from_part_to_part() {
    use ContactKind::{Begin, End};
    let of = |kind| Contact {
        a: BodyKey(1),
        b: BodyKey(2),
        category_a: Category::Collector,
        category_b: Category::Stash,
        kind,
    };
    #[rustfmt::skip]
    let table: [(&[ContactKind], &[ContactKind], bool); 6] = [
        (&[Begin], &[Begin], false),
        (&[End], &[End], false),
        (&[Begin, End], &[Begin], true),
        (&[Begin, End, Begin], &[Begin], false),
        (&[End, Begin], &[End, Begin], false),
        (&[End, Begin, End], &[End, Begin], true),
    ];
    for (parts, expected, ends_later) in table {
        let (mut step, mut next) = (Vec::new(), Vec::new());
        parts.iter().for_each(|&kind| super::parts::add_contacts(&mut step, &[of(kind)], &mut next));
        assert_eq!(step, expected.iter().map(|&kind| of(kind)).collect::<Vec<_>>(), "{parts:?}");
        assert_eq!(next, if ends_later { vec![of(End)] } else { vec![] }, "{parts:?}");
    }
}
