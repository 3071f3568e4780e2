//! Tests of observations.

use super::*;
use crate::ai::learned::{SeenBounty, SeenCollector, SeenStash};
use crate::data::arena::{Pose, wrapped_delta};
use ecs::random::RandomStream;

/// Where the collectors begin.
const FIRST_COLLECTOR: usize = FIRST_BOUNTY + BOUNTIES * BOUNTY;

fn me(pose: Pose) -> Observer {
    Observer {
        player: 0,
        team: None,
        pose,
        is_alive: true,
        load: 0.5,
        respawn_seconds: 0.0,
        health: 1.0,
        lives: None,
        ghost_seconds: 0.0,
        spells: None,
    }
}

fn scene(bounties: &[(f32, f32)]) -> Scene {
    let mut scene = Scene { half_extent_m: 75.0, clock_seconds: 45.0, ..Scene::default() };
    let listed = (0..).zip(bounties);
    scene.bounties.extend(listed.map(|(key, &at)| SeenBounty {
        key,
        position: at.into(),
        value: 15.0,
        left_seconds: 3.5,
    }));
    scene.stashes.push(SeenStash { player: 0, position: Vec2::new(0.0, -70.0), fullness: 0.25 });
    scene.stashes.push(SeenStash { player: 1, position: Vec2::new(0.0, 10.0), fullness: 0.75 });
    scene.complete();
    scene
}

fn observed(scene: &Scene, me: &Observer) -> Vec<f32> {
    let mut numbers = vec![f32::NAN; OBSERVATION_LENGTH];
    observe(scene, me, &mut numbers);
    numbers
}

fn assert_near(numbers: &[f32], expected: &[f32]) {
    let is_near = numbers.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-4);
    assert!(is_near && numbers.len() == expected.len(), "{numbers:?} instead of {expected:?}");
}

#[test]
fn every_number_has_a_name_and_is_set() {
    assert_eq!(observation_fields().len(), OBSERVATION_LENGTH);
    let numbers = observed(&scene(&[(1.0, 2.0)]), &me(Pose::at(0.0, 0.0)));
    assert!(numbers.iter().all(|number| number.is_finite()));
}

#[test]
fn own_state_comes_first() {
    let numbers = observed(&scene(&[]), &me(Pose::at(0.0, 0.0)));
    assert_near(&numbers[..6], &[1.0, 0.5, 0.25, 0.75, 0.5, 1.0]);
}

#[test]
fn ways_are_in_the_frame_of_the_player_and_cross_the_edge() {
    // It faces up at the top, so its stash beyond the edge is straight ahead.
    let numbers = observed(&scene(&[]), &me(Pose::at(0.0, 70.0)));
    assert_near(&numbers[HOME..HOME + WAY], &[1.0, 0.0, 10.0 / 75.0, 0.5]);
    // At a heading of a quarter turn the collector faces the world's left, so a stash above is to its right.
    let numbers = observed(&scene(&[]), &me(Pose::new(Vec2::ZERO, std::f32::consts::FRAC_PI_2)));
    assert_near(&numbers[HOME + WAY..HOME + 2 * WAY], &[0.0, -1.0, 10.0 / 75.0, 0.5]);
}

#[test]
fn bounties_come_nearest_first_and_missing_ones_are_zeros() {
    let numbers = observed(&scene(&[(0.0, 30.0), (10.0, 0.0)]), &me(Pose::at(0.0, 0.0)));
    assert_near(&numbers[FIRST_BOUNTY..FIRST_BOUNTY + BOUNTY], &[0.0, -1.0, 10.0 / 75.0, 0.5, 1.0, 0.5, 0.5]);
    assert_near(&numbers[FIRST_BOUNTY + BOUNTY..][..2], &[1.0, 0.0]);
    assert_near(&numbers[FIRST_BOUNTY + 2 * BOUNTY..FIRST_COLLECTOR], &[0.0; 4 * BOUNTY]);
}

#[test]
fn other_collectors_are_seen_with_heading_and_load_and_the_own_one_is_not() {
    let mut scene = scene(&[]);
    scene.collectors.push(SeenCollector::new(0, 0, Pose::at(0.0, 0.0), 0.5));
    scene.collectors.push(SeenCollector::new(1, 1, Pose::new(Vec2::new(0.0, 10.0), std::f32::consts::PI), 0.75));
    scene.complete();
    let numbers = observed(&scene, &me(Pose::at(0.0, 0.0)));
    assert_near(
        &numbers[FIRST_COLLECTOR..FIRST_COLLECTOR + COLLECTOR],
        &[1.0, 0.0, 10.0 / 75.0, 0.5, 1.0, -1.0, 0.0, 0.75],
    );
    assert_eq!(numbers[FIRST_COLLECTOR + COLLECTOR..][..COLLECTOR], [0.0; COLLECTOR]);
}

#[test]
fn partner_is_not_seen() {
    let mut scene = scene(&[]);
    let there = SeenCollector::new(1, 1, Pose::at(0.0, 10.0), 0.75);
    scene.collectors.extend([SeenCollector { team: Some(4), ..there }, SeenCollector { key: 2, ..there }]);
    scene.complete();
    let numbers = observed(&scene, &Observer { team: Some(4), ..me(Pose::at(0.0, 0.0)) });
    let is_there = |index: usize| numbers[FIRST_COLLECTOR + index * COLLECTOR + WAY];
    assert_eq!((is_there(0), is_there(1)), (1.0, 0.0), "only the one without a team");
}

#[test]
fn wall_ahead_is_seen_by_the_ray_ahead_alone() {
    let mut scene = scene(&[]);
    scene.walls.push(Block { center: Vec2::new(0.0, 12.0), half_extents_m: Vec2::splat(2.0) });
    let numbers = observed(&scene, &me(Pose::at(0.0, 0.0)));
    assert_near(&numbers[OBSERVATION_LENGTH - RAYS..], &[0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn dead_player_sees_only_its_own_state() {
    let dead = Observer { is_alive: false, respawn_seconds: 2.0, ..me(Pose::at(0.0, 0.0)) };
    let numbers = observed(&scene(&[(1.0, 2.0)]), &dead);
    assert_near(&numbers[..1], &[0.0]);
    assert!((numbers[6] - 0.2).abs() < 1e-6 && numbers[SELF_FIELDS.len()..].iter().all(|number| *number == 0.0));
}

#[test]
fn long_lists_show_the_same_as_short_ones() {
    let mut random = RandomStream::new(1, "test");
    let mut place = || (random.between(-75.0, 75.0), random.between(-75.0, 75.0));
    let places: Vec<(f32, f32)> = (0..400).map(|_| place()).collect();
    let by_grid = scene(&places);
    assert!(!by_grid.bounty_grid.is_empty());
    let mut by_list = by_grid.clone();
    by_list.bounty_grid.fill(75.0, []);
    for (x, y) in (0..200).map(|_| place()) {
        let me = me(Pose::at(x, y));
        assert_eq!(observed(&by_grid, &me), observed(&by_list, &me));
    }
}

#[test]
fn directions_are_at_most_one_although_unit_vectors_are_rounded() {
    let mut beyond = 0;
    for step in 0..5_000_u16 {
        let heading = f32::from(step) * 0.001;
        let ahead = forward(heading);
        beyond += u32::from(ahead.dot(ahead) > 1.0);
        let mut scene = Scene { half_extent_m: 75.0, ..Scene::default() };
        let there = Pose::new(ahead * 30.0, heading);
        scene.collectors.push(SeenCollector::new(1, 1, there, 0.0));
        scene.complete();
        let numbers = observed(&scene, &me(Pose::new(Vec2::ZERO, heading)));
        assert!(numbers.iter().all(|number| number.abs() <= 1.0), "heading {heading}: {numbers:?}");
        assert!(numbers[FIRST_COLLECTOR + WAY + 1] > 0.999, "it has the same heading");
    }
    assert!(beyond > 100, "only {beyond} headings have a vector longer than 1");
}

#[test]
fn in_a_large_world_a_player_sees_what_is_within_its_sight_and_nothing_else() {
    let mut random = RandomStream::new(5, "test");
    let mut seen = [0; 2];
    for case in 0..40 {
        let half_extent_m = [160.0, 400.0, 900.0][case % 3];
        let mut place =
            || Vec2::new(random.between(-half_extent_m, half_extent_m), random.between(-half_extent_m, half_extent_m));
        let me = me(Pose::new(place(), 0.5));
        let places: Vec<Vec2> = (0..97 + case).map(|_| place()).collect();
        let mut scene = Scene { half_extent_m, clock_seconds: 45.0, ..Scene::default() };
        scene.bounties.extend((0..).zip(&places).map(|(key, &position)| SeenBounty {
            key,
            position,
            value: 15.0,
            left_seconds: 3.5,
        }));
        scene.stashes.push(SeenStash { player: 0, position: Vec2::ZERO, fullness: 0.25 });
        scene.complete();
        assert!(!scene.bounty_grid.is_empty());
        let way = |place: &Vec2| wrapped_delta(me.pose.position, *place, half_extent_m).abs();
        let near = places.iter().filter(|place| way(place).max_element() <= SIGHT_M).count().min(BOUNTIES);
        let numbers = observed(&scene, &me);
        let slots = numbers[FIRST_BOUNTY..].chunks(BOUNTY).take(BOUNTIES);
        let listed = slots.filter(|slot| slot.iter().any(|number| *number != 0.0)).count();
        assert_eq!(listed, near, "case {case}");
        seen[usize::from(near == BOUNTIES)] += 1;
    }
    assert!(seen[0] > 10, "{seen:?}: worlds with room to see beyond");
}
