//! What the arena promises, for one player and for ten thousand.

use super::*;
use crate::assets::Assets;
use crate::random::{Purpose, RandomStream};

const CLEARANCE_M: f32 = 2.7;

fn level() -> Level {
    ring(0.9)
}

fn ring(ring_share: f32) -> Level {
    let stashes = StashPlaces::Ring { ring_share, grows_beyond_players: 64 };
    Level { world_half_extent_m: 75.0, stashes, bounty_region_share: 0.75, walls: Vec::new(), places: Vec::new() }
}

fn poses(players: u32) -> Vec<Pose> {
    stash_poses(&level(), players, half_extent_m(&level(), players), CLEARANCE_M)
}

#[test]
fn headings_follow_the_convention() {
    for (heading, expected) in [(0.0, Vec2::Y), (0.5, Vec2::NEG_X), (1.0, Vec2::NEG_Y), (1.5, Vec2::X)] {
        let heading = heading * std::f32::consts::PI;
        assert!(forward(heading).distance(expected) < 1e-6);
        assert!(forward(heading_along(expected)).distance(expected) < 1e-6);
    }
}

#[test]
fn area_grows_with_the_players_so_that_density_stays() {
    assert_eq!(half_extent_m(&level(), 1), 75.0);
    assert_eq!(half_extent_m(&level(), 64), 75.0);
    for players in [65, 256, 10_000] {
        let area_per_player = half_extent_m(&level(), players).powi(2) / players as f32;
        assert!((area_per_player / (75.0 * 75.0 / 64.0) - 1.0).abs() < 1e-5, "{players} players");
    }
}

#[test]
fn bounties_are_rounded_up_and_never_fewer_than_the_least() {
    let counts: Vec<u32> =
        [1, 8, 9, 16, 17, 10_000].into_iter().map(|n| bounty_count(&Assets::built_in().game, n)).collect();
    assert_eq!(counts, [6, 6, 7, 12, 13, 7_500]);
}

#[test]
fn a_ring_is_counter_clockwise_from_x() {
    let poses = poses(4);
    let expected = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y].map(|direction| direction * 67.5);
    for (pose, expected) in poses.iter().zip(expected) {
        assert!(pose.position.distance(expected) < 1e-4, "{pose:?}");
    }
}

#[test]
fn stashes_are_inside_clear_of_each_other_and_face_the_centre_for_any_number_of_players() {
    for players in [1, 2, 3, 16, 63, 64, 65, 100, 500, 2_000] {
        let half = half_extent_m(&level(), players);
        let poses = poses(players);
        assert_eq!(poses.len(), players as usize);
        for (i, pose) in poses.iter().enumerate() {
            assert!(pose.position.abs().max_element() <= half - CLEARANCE_M, "{players} players: {pose:?}");
            assert!(forward(pose.heading).distance(-pose.position.normalize()) < 1e-5, "{players} players: {pose:?}");
            for other in &poses[..i] {
                let gap = pose.position.distance(other.position);
                assert!(gap >= 2.0 * CLEARANCE_M, "{players} players: {gap} m between two of them");
            }
        }
    }
}

#[test]
fn a_ring_that_would_be_crowded_is_spread_out_and_one_beyond_the_edge_is_drawn_in() {
    let poses = stash_poses(&ring(0.1), 64, 75.0, CLEARANCE_M);
    for (i, pose) in poses.iter().enumerate() {
        assert!(poses[..i].iter().all(|other| other.position.distance(pose.position) >= 2.0 * CLEARANCE_M));
    }
    assert_eq!(stash_poses(&ring(1.0), 2, 75.0, CLEARANCE_M)[0].position, Vec2::new(72.3, 0.0));
}

#[test]
fn places_of_a_level_are_taken_in_their_order_and_its_world_does_not_grow() {
    let stashes = StashPlaces::Places { at_m: vec![(10.0, 0.0), (0.0, -20.0), (5.0, 5.0)] };
    let level = Level { stashes, ..level() };
    let poses = stash_poses(&level, 2, half_extent_m(&level, 2), CLEARANCE_M);
    let expected = [(Vec2::new(10.0, 0.0), Vec2::NEG_X), (Vec2::new(0.0, -20.0), Vec2::Y)];
    assert_eq!(poses.len(), expected.len());
    for (pose, (place, direction)) in poses.iter().zip(expected) {
        assert!(pose.position == place && forward(pose.heading).distance(direction) < 1e-6, "{pose:?}");
    }
    assert_eq!((half_extent_m(&level, 500), level.most_players()), (75.0, Some(3)));
}

#[test]
fn the_short_way_leads_across_the_edge() {
    let way = |from: (f32, f32), to: (f32, f32)| wrapped_delta(from.into(), to.into(), 75.0);
    assert_eq!(way((70.0, 0.0), (-70.0, 0.0)), Vec2::new(10.0, 0.0));
    assert_eq!(way((-70.0, -74.0), (70.0, 74.0)), Vec2::new(-10.0, -2.0));
    assert_eq!(way((-10.0, 5.0), (20.0, -5.0)), Vec2::new(30.0, -10.0));
    assert_eq!(way((76.0, 0.0), (-74.0, 0.0)), Vec2::ZERO);
}

#[test]
fn who_leaves_comes_back_on_the_other_side_and_stays_there() {
    assert_eq!(wrap(Vec2::new(75.0, -75.0), 75.0), None);
    assert_eq!(wrap(Vec2::new(75.5, 10.0), 75.0), Some(Vec2::new(-74.5, 10.0)));
    assert_eq!(wrap(Vec2::new(-76.0, 75.25), 75.0), Some(Vec2::new(74.0, -74.75)));
    assert_eq!(wrap(Vec2::new(f32::NAN, 0.0), 75.0), None);
    assert_eq!(wrap(Vec2::new(f32::INFINITY, 0.0), 75.0), None);
    let barely_outside = wrap(Vec2::new(75.0_f32.next_up(), 0.0), 75.0).unwrap();
    assert_eq!(wrap(barely_outside, 75.0), None);
}

#[test]
fn bounties_gather_near_the_rim_as_the_formula_says() {
    let mut random = RandomStream::new(1, Purpose::BountyPlace, 0);
    let radii: Vec<f32> =
        (0..20_000).map(|_| sample_bounty_position(random.unit(), random.unit(), 56.25).length()).collect();
    assert!(radii.iter().all(|radius| *radius <= 56.251));
    for share in [0.25_f32, 0.5, 0.75, 0.9] {
        let within = radii.iter().filter(|radius| **radius < share * 56.25).count() as f32 / radii.len() as f32;
        let expected = 1.0 - (1.0 - share * share).sqrt();
        assert!((within - expected).abs() < 0.01, "{within} within {share}, not {expected}");
    }
}
