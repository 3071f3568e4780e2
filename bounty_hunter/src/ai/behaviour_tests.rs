//! Scenarios: AIs in a small world without physics.

use glam::Vec2;

use super::test_world::{AGILITY, HUNTING, STEP_SECONDS, TestWorld, profile};
use ecs::state_machine::State;

use super::{BrainState, seek};
use crate::data::arena::{Pose, forward, sample_bounty_position, wrap, wrapped_delta};
use crate::data::config::{AiProfile, Strategy};
use crate::random::{Purpose, RandomStream};

fn with_strategy(strategy: Strategy) -> AiProfile {
    AiProfile { strategy, ..profile() }
}

/// Every built-in profile, by name.
fn shipped() -> Vec<(&'static str, AiProfile)> {
    [
        ("first", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/ai/first.ron"))),
        ("nearest", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/ai/nearest.ron"))),
        ("greedy", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/ai/greedy.ron"))),
        ("balanced", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/ai/balanced.ron"))),
        ("wanderer", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/ai/wanderer.ron"))),
        ("easy", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/ai/easy.ron"))),
        ("hard", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/ai/hard.ron"))),
    ]
    .map(|(name, text)| (name, ron::from_str(text).expect(name)))
    .into()
}

#[test]
fn every_strategy_collects_nearby_bounties_and_brings_them_home() {
    for strategy in HUNTING {
        let mut world = TestWorld::new().collector(with_strategy(strategy), (67.5, 0.0), (67.5, 0.0));
        for (i, value) in [30.0, 10.0, 25.0, 20.0].into_iter().enumerate() {
            world = world.bounty(55.0 - 5.0 * i as f32, 6.0 - 4.0 * i as f32, value);
        }
        let seconds = world.run_until(|world| world.collectors[0].stashed == 85.0);
        assert!(seconds.is_some_and(|seconds| seconds < 30.0), "{strategy:?} took {seconds:?} s");
        assert!(world.bounties.iter().all(|bounty| !bounty.is_there), "{strategy:?}");
    }
}

#[test]
fn strategies_collect_the_same_bounties_in_different_orders() {
    let first_taken = HUNTING.map(|strategy| {
        let mut world = TestWorld::new().collector(with_strategy(strategy), (0.0, -20.0), (0.0, -70.0));
        world = world.bounty(15.0, -5.0, 6.0).bounty(4.0, -11.0, 5.0).bounty(-3.0, 4.0, 30.0).bounty(-9.0, -13.0, 19.0);
        world.run_until(|world| world.bounties.iter().any(|bounty| !bounty.is_there)).unwrap();
        world.bounties.iter().position(|bounty| !bounty.is_there).unwrap()
    });
    assert_eq!(first_taken, [0, 1, 2, 3]);
}

#[test]
fn way_home_may_cross_the_edge() {
    let mut world = TestWorld::new().collector(profile(), (60.0, 30.0), (-67.5, 30.0));
    world.collectors[0].pocket = 90.0;
    let seconds = world.run_until(|world| world.collectors[0].stashed == 90.0).unwrap();
    assert!(seconds < 22.5 / 37.5 + 0.7, "{seconds} s for 22.5 m and half a turn");
}

#[test]
fn bounty_beyond_the_edge_is_seen_and_collected() {
    let mut world = TestWorld::new().collector(profile(), (70.0, 1.0), (0.0, 0.0)).bounty(-65.0, 0.0, 10.0);
    world.collectors[0].pose.heading = -std::f32::consts::FRAC_PI_2;
    let seconds = world.run_until(|world| !world.bounties[0].is_there).unwrap();
    assert!(seconds < 0.6, "{seconds} s for 15 m");
}

#[test]
fn position_is_reached_from_every_direction_at_any_steering() {
    for target_steering in [1.0, 0.5, 0.2] {
        let profile = AiProfile { target_steering, ..profile() };
        for (i, distance_m) in (0..360).flat_map(|i| [0.8, 3.0, 6.0, 12.0, 25.0].map(|distance_m| (i, distance_m))) {
            let mut me = Pose::new(Vec2::new(74.0, -74.0), (i as f32).to_radians());
            let target = Vec2::new(74.0, -74.0 + distance_m);
            let steps = (0..60 * 20).take_while(|_| {
                let intent = seek(&profile, AGILITY, me, target, 75.0);
                me.position += forward(me.heading) * intent.drive * AGILITY.max_speed_mps * STEP_SECONDS;
                me.position = wrap(me.position, 75.0).unwrap_or(me.position);
                me.heading += intent.turn * AGILITY.max_turn_radps * STEP_SECONDS;
                wrapped_delta(me.position, target, 75.0).length() > 0.57
            });
            let seconds = steps.count() as f32 * STEP_SECONDS;
            let most = distance_m / AGILITY.max_speed_mps + 0.8 / target_steering;
            assert!(seconds < most, "{seconds} s for {distance_m} m at {i} degrees, steering {target_steering}");
        }
    }
}

#[test]
fn head_on_collectors_pass_each_other_and_reach_their_homes() {
    for offset_m in [-1.4, -0.7, 0.0, 0.7, 1.4] {
        let mut world = TestWorld::new().collector(profile(), (-30.0, 0.0), (40.0, 0.0)).collector(
            profile(),
            (30.0, offset_m),
            (-40.0, offset_m),
        );
        world.collectors.iter_mut().for_each(|collector| collector.pocket = 90.0);
        let seconds = world.run_until(|world| world.collectors.iter().all(|collector| collector.stashed > 0.0));
        assert_eq!(world.collectors[0].crashes, 0, "offset {offset_m}");
        assert!(seconds.is_some_and(|seconds| seconds < 6.0), "offset {offset_m}: {seconds:?}");
    }
}

#[test]
fn late_ai_brings_its_load_home() {
    let mut world = TestWorld::new().collector(profile(), (0.0, 10.0), (0.0, -67.5)).bounty(0.0, 5.0, 10.0);
    world.clock_seconds = 9.0;
    // A trail of bounties that leads away from home.
    for i in 1..12 {
        world = world.bounty(5.0 * i as f32, 6.0, 5.0);
    }
    let seconds = world.run_until(|world| world.collectors[0].stashed > 0.0);
    assert!(seconds.is_some(), "nothing was stashed, {:?}", world.collectors[0].brain);
}

#[test]
fn loaded_ai_on_its_own_stash_leaves_it_and_returns() {
    let mut world = TestWorld::new().collector(profile(), (40.0, 0.0), (40.0, 0.0));
    world.collectors[0].pocket = 100.0;
    let seconds = world.run_until(|world| world.collectors[0].stashed == 100.0);
    assert!(seconds.is_some_and(|seconds| seconds < 5.0), "{seconds:?}");
}

/// Plays a match of 16 AIs that cycle through `profiles`, with 2 new bounties per second.
fn play_match(profiles: &[AiProfile], seed: u64) -> TestWorld {
    let mut random = RandomStream::new(seed, Purpose::BountyPlace, 0);
    let mut world = TestWorld::new();
    for (player, profile) in profiles.iter().cycle().take(16).enumerate() {
        let place = forward(player as f32 * std::f32::consts::TAU / 16.0) * 67.5;
        world = world.collector(profile.clone(), place.into(), place.into());
    }
    for _ in 0..12 {
        world = world.bounty(0.0, 0.0, 10.0);
    }
    let mut steps = 0_usize;
    while world.clock_seconds > 0.0 {
        // Every half second one bounty reappears elsewhere.
        if steps.is_multiple_of(30) {
            let bounty = &mut world.bounties[steps / 30 % 12];
            bounty.position = sample_bounty_position(random.unit(), random.unit(), 56.25);
            bounty.value = random.between(5.0, 30.0);
            bounty.is_there = true;
        }
        world.step();
        steps += 1;
    }
    world
}

fn shipped_named(name: &str) -> AiProfile {
    shipped().into_iter().find(|(shipped, _)| *shipped == name).unwrap().1
}

#[test]
fn crowd_of_any_profile_keeps_moving_scores_and_seldom_crashes() {
    for (name, profile) in shipped() {
        let world = play_match(&[profile], 1);
        for collector in &world.collectors {
            assert!(collector.pose.position.is_finite());
            assert!(collector.longest_idle_steps <= 2, "{name} idled {} steps", collector.longest_idle_steps);
        }
        let stashed: f32 = world.collectors.iter().map(|collector| collector.stashed).sum();
        let crashes: u32 = world.collectors.iter().map(|collector| collector.crashes).sum();
        // They crash about 160 times without avoidance, and about 70 times with the original's.
        assert!(stashed > 1_000.0 && crashes < 20, "{name} stashed {stashed} and crashed {crashes} times");
    }
}

#[test]
fn same_seed_plays_the_same_match() {
    let end = |seed| {
        let world = play_match(&[profile()], seed);
        world.collectors.iter().map(|collector| (collector.pose, collector.brain)).collect::<Vec<_>>()
    };
    assert_eq!(end(1), end(1));
    assert_ne!(end(1), end(2));
}

#[test]
fn harder_profile_beats_an_easier_one() {
    let levels = ["easy", "nearest", "hard"].map(shipped_named);
    let mut stashed = [0.0; 3];
    for seed in 0..4 {
        let world = play_match(&levels, seed);
        for (i, collector) in world.collectors[..15].iter().enumerate() {
            stashed[i % 3] += collector.stashed;
        }
    }
    let [easy, normal, hard] = stashed;
    assert!(easy * 1.2 < normal && normal * 1.2 < hard, "{stashed:?}");
}

#[test]
fn match_uses_every_transition() {
    let world = play_match(&[profile()], 1);
    for change in BrainState::TRANSITIONS {
        assert!(world.changes.contains(change), "{change:?} never happened");
    }
}
