//! Wrapping: an object that leaves the world re-enters on the opposite side.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use bounty_hunter::arena::forward;
use bounty_hunter::events::CollisionBegin;
use bounty_hunter::physics::{Category, Contact, Physics};
use glam::Vec2;
use tests::{Game, scenario};

const HALF_M: f32 = 75.0;
const SIDE_M: f32 = 150.0;
const STEP_M: f32 = 25.0 / 60.0;

/// The wrapped coordinate.
fn on_torus(coordinate: f32) -> f32 {
    (coordinate + HALF_M).rem_euclid(SIDE_M) - HALF_M
}

fn alone(x: f32, y: f32, heading: f32) -> Game {
    let mut game = scenario("").collector_at(0, x, y, heading).begin();
    let stash = game.stash_of(0);
    game.put(stash, bounty_hunter::arena::Pose::at(30.0, 20.0));
    game.drive(0, 1.0, 0.0);
    game
}

/// Drives along `heading` and compares each step with arithmetic; returns the number of jumps of the collector.
fn follow(x: f32, y: f32, heading: f32, steps: u32) -> usize {
    let mut game = alone(x, y, heading);
    let mut jumps = 0;
    for step in 1..=steps {
        game.step(1);
        let pose = game.pose(game.collector(0));
        let plain = Vec2::new(x, y) + forward(heading) * STEP_M * step as f32;
        let expected = Vec2::new(on_torus(plain.x), on_torus(plain.y));
        let apart = (pose.position - expected).abs();
        let apart = apart.min((Vec2::splat(SIDE_M) - apart).abs());
        assert!(apart.max_element() < 0.01, "step {step}: {} instead of {expected}", pose.position);
        assert!(pose.position.abs().max_element() <= HALF_M, "step {step}: {}", pose.position);
        assert!(forward(pose.heading).distance(forward(heading)) < 1e-4, "it keeps its heading");
        let view = game.simulation().view().collectors[0];
        jumps += usize::from(view.teleported);
    }
    jumps
}

#[test]
fn four_sides_lead_to_their_opposites_without_losing_a_metre() {
    for (x, y, heading) in [(74.0, 5.0, -FRAC_PI_2), (-74.0, 5.0, FRAC_PI_2), (5.0, 74.0, 0.0), (5.0, -74.0, PI)] {
        assert_eq!(follow(x, y, heading, 60), 1, "from ({x}, {y})");
    }
}

#[test]
fn corners_lead_to_the_opposite_corners() {
    for (x, y, heading) in [
        (74.5, 74.5, -FRAC_PI_4),
        (-74.5, 74.5, FRAC_PI_4),
        (-74.5, -74.5, 3.0 * FRAC_PI_4),
        (74.5, -74.5, -3.0 * FRAC_PI_4),
    ] {
        assert!((1..=2).contains(&follow(x, y, heading, 40)), "from ({x}, {y})");
    }
}

#[test]
fn collector_can_circle_the_world_repeatedly() {
    // 150 m at 25 m/s take 360 steps.
    assert_eq!(follow(0.0, 5.0, -FRAC_PI_2, 1_000), 3);
    assert!(follow(0.0, 0.0, -0.3, 1_000) >= 2);
}

#[test]
fn collector_wraps_around_backwards() {
    let mut game = alone(-74.9, 0.0, -FRAC_PI_2);
    game.drive(0, -1.0, 0.0).step(2);
    assert!(game.pose(game.collector(0)).position.x > 74.0);
}

#[test]
fn collectors_wrap_around_before_they_touch_a_wall() {
    let mut game = scenario("").players(16).begin();
    for player in 0..16 {
        game.drive(player, 1.0, 0.03 * (player as f32 - 8.0));
    }
    let mut jumps = 0;
    for step in 0..1_200 {
        game.step(1);
        for collector in game.simulation().view().collectors {
            assert!(collector.position.abs().max_element() <= HALF_M);
            jumps += usize::from(collector.teleported);
        }
        let physics = game.simulation().engine().resource::<Physics>().expect("there is physics");
        let touches_wall = |contact: &Contact| contact.category_b == Category::Wall;
        assert!(!physics.contacts().iter().any(touches_wall), "step {step}");
    }
    assert!(jumps > 50, "only {jumps} jumps to the opposite edge");
}

#[test]
fn collectors_collide_just_after_wrapping_around() {
    let mut game = scenario("").collector_at(0, 74.0, 30.0, -FRAC_PI_2).collector_at(1, -70.0, 30.0, FRAC_PI_2).begin();
    game.drive(0, 1.0, 0.0);
    game.step_until(20, |game| game.count::<CollisionBegin>() > 0);
    assert_eq!(game.living(), 0);
}
