//! Bounties: lifetimes, respawns, values and looks.

use bounty_hunter::arena::Pose;
use bounty_hunter::bounty::Bounty;
use bounty_hunter::game_object::{Life, RigidBody};
use bounty_hunter::lifetime::Lifetime;
use bounty_hunter::physics::{Body, BodyKey, Category, Physics, Shape};
use bounty_hunter::senses::{BountyRadar, CollectorAvoider};
use bounty_hunter::view::GameState;
use ecs::EntityId;
use glam::Vec2;
use tests::{Game, STANDING, ai, scenario, steps, vary_bounties, vary_collectors};

/// A match with the usual number of bounties for `players`, whose collectors stand still.
fn garden(players: usize, seed: u64) -> Game {
    scenario("")
        .players(players)
        .seed(seed)
        .with_assets(|assets| {
            let usual = bounty_hunter::assets::Assets::built_in();
            assets.game =
                bounty_hunter::config::GameConfig { countdown_seconds: assets.game.countdown_seconds, ..usual.game };
        })
        .begin()
}

/// One life, or one absence.
struct Span {
    steps: u32,
    value: f32,
    place: Vec2,
}

/// All lives and absences that start and end within `seconds`.
fn lives_and_absences(game: &mut Game, seconds: f32) -> (Vec<Span>, Vec<Span>) {
    let bounties = game.bounty_entities();
    let mut since: Vec<Option<u32>> = vec![None; bounties.len()];
    let mut was_alive = vec![true; bounties.len()];
    let (mut lives, mut absences) = (Vec::new(), Vec::new());
    for step in 0..steps(seconds) {
        for (index, bounty) in bounties.iter().enumerate() {
            let is_alive = game.component::<Life>(*bounty).is_alive;
            if is_alive != was_alive[index] {
                if let Some(since) = since[index] {
                    let spans = if was_alive[index] { &mut lives } else { &mut absences };
                    let place = game.pose(*bounty).position;
                    spans.push(Span { steps: step - since, value: game.component::<Bounty>(*bounty).value, place });
                }
                (since[index], was_alive[index]) = (Some(step), is_alive);
            }
        }
        game.step(1);
    }
    (lives, absences)
}

#[test]
fn bounties_live_4_to_7_seconds_and_respawn_2_seconds_later_elsewhere_with_a_new_value() {
    let (lives, absences) = lives_and_absences(&mut garden(64, 3), 40.0);
    assert!(lives.len() > 150, "{} lives", lives.len());
    let (shortest, longest) = (lives.iter().map(|life| life.steps).min(), lives.iter().map(|life| life.steps).max());
    assert!(lives.iter().all(|life| (steps(4.0)..=steps(7.0) + 1).contains(&life.steps)), "{shortest:?} {longest:?}");
    assert!(shortest < Some(steps(4.2)) && longest > Some(steps(6.8)), "all of the range: {shortest:?} {longest:?}");
    assert!(absences.iter().all(|absence| (steps(2.0)..=steps(2.0) + 1).contains(&absence.steps)));
    for (index, life) in lives.iter().enumerate() {
        assert!((5.0..=30.0).contains(&life.value) && life.place.length() <= 0.75 * 75.0);
        let duplicates = lives[..index].iter().filter(|other| other.place == life.place || other.value == life.value);
        assert_eq!(duplicates.count(), 0, "each life has another place and another value");
    }
}

#[test]
fn bounties_of_a_match_are_14_and_more_beyond_18_players() {
    for (players, expected) in [(2, 14), (16, 14), (20, 15), (64, 48)] {
        assert_eq!(garden(players, 1).bounty_entities().len(), expected, "{players} players");
    }
}

#[test]
fn size_and_colour_of_a_bounty_follow_from_its_value() {
    let mut game = garden(64, 5);
    game.step(1);
    let mut values = Vec::new();
    for bounty in game.bounties() {
        assert!((5.0..=30.0).contains(&bounty.value));
        let worth = (bounty.value - 5.0) / 25.0;
        assert!((bounty.worth - worth).abs() < 1e-6, "yellow at 5, red at 30");
        assert!((bounty.half_extent - (0.75 + 1.5 * worth)).abs() < 1e-5, "0.75 m at 5, 2.25 m at 30");
        values.push(bounty.value);
    }
    values.sort_by(f32::total_cmp);
    assert!(values[0] < 8.0 && values[values.len() - 1] > 27.0, "{values:?}");
}

#[test]
fn bounty_is_hit_at_the_size_at_which_it_is_drawn() {
    let mut game = garden(16, 5);
    game.step(1);
    assert!(game.bounties().len() > 5);
    for bounty in game.bounties() {
        // The gap between the right corner of a collector and the edge of the bounty.
        for (gap_m, touches) in [(0.1, false), (-0.1, true)] {
            let mut physics = game.simulation().engine().resource::<Physics>().expect("there is physics").clone();
            let body = game.component::<RigidBody>(EntityId::from_bits(bounty.key)).0;
            physics.set_pose(body, Pose::default());
            let beside = Pose::at(-bounty.half_extent - 1.5 - gap_m, 1.0);
            let collector = Body::moving(Category::Collector, 1.0);
            physics.add_body(BodyKey(u64::MAX), beside, Shape::Triangle(1.5), collector);
            physics.step();
            let touched =
                physics.contacts().iter().any(|contact| contact.b.0 == bounty.key || contact.a.0 == bounty.key);
            assert_eq!(touched, touches, "{} m, gap {gap_m}", bounty.half_extent);
        }
        let shape = *game.component::<Shape>(EntityId::from_bits(bounty.key));
        assert_eq!(shape, Shape::Square(bounty.half_extent));
    }
}

#[test]
fn bounty_fades_during_the_last_4_seconds_of_its_life() {
    let mut game = garden(2, 9);
    let bounty = game.bounty_entities()[0];
    *game.component_mut::<Lifetime>(bounty) = Lifetime::lasting(6.0, 4.0);
    let mut alpha_after = |seconds: f32| {
        game.step(steps(seconds));
        game.bounties().iter().find(|view| view.key == bounty.bits()).map(|view| view.alpha)
    };
    assert_eq!(alpha_after(1.9), Some(1.0));
    let half = alpha_after(2.1).expect("it lives");
    assert!((half - 0.5).abs() < 0.01, "{half}");
    let last = alpha_after(1.95).expect("it lives");
    assert!((0.0..0.02).contains(&last), "{last}");
    assert_eq!(alpha_after(0.1), None);
}

#[test]
fn pushed_bounty_respawns_at_rest() {
    let mut game = scenario("b").begin();
    let bounty = game.bounty_entities()[0];
    let body = game.component::<RigidBody>(bounty).0;
    let physics = game.simulation_mut().engine_mut().resource_mut::<Physics>().expect("there is physics");
    physics.set_velocity(body, Vec2::new(3.0, 0.0), 1.0);
    let place = game.pose(bounty);
    game.step(10);
    assert_ne!(game.pose(bounty), place, "it was pushed");
    game.kill(bounty).step(1).step_until(steps(2.5), |game| game.bounties().len() == 1);
    let place = game.pose(bounty);
    game.step(30);
    assert_eq!(game.pose(bounty), place);
}

#[test]
fn expired_bounty_leaves_all_radars() {
    let mut game = scenario("^")
        .seat(0, ai("wanderer"))
        .with_assets(|assets| {
            vary_collectors(assets, STANDING);
            vary_bounties(assets, r#""lifespan": (lifetime_seconds: (1.0, 1.0))"#);
        })
        .bounty_at(0.0, 12.0, 10.0)
        .begin();
    let seen = |game: &Game| game.component::<BountyRadar>(game.collector(0)).bounties.as_slice().len();
    game.step(2);
    assert_eq!(seen(&game), 1);
    game.step_until(steps(1.1), |game| game.bounties().is_empty());
    game.step(1);
    assert_eq!(seen(&game), 0, "the step after its death");
}

#[test]
fn dead_collector_leaves_all_avoiders_and_forgets_its_detections() {
    let mut game = scenario("^")
        .seat(0, ai("wanderer"))
        .with_assets(|assets| {
            vary_collectors(assets, STANDING);
        })
        .collector_at(1, 0.0, 8.0, 0.0)
        .bounty_at(3.0, 12.0, 10.0)
        .begin();
    let sensed = |game: &Game| {
        let collector = game.collector(0);
        let radar = game.component::<BountyRadar>(collector).bounties.as_slice().len();
        (radar, game.component::<CollectorAvoider>(collector).collectors.as_slice().len())
    };
    game.step(2);
    assert_eq!(sensed(&game), (1, 1));
    let [me, other] = [0, 1].map(|player| game.collector(player));
    game.kill(me).step(1);
    assert_eq!(sensed(&game), (0, 0), "a killed collector forgets at once");
    game.step_until(steps(3.5), |game| game.is_alive(0));
    game.put(me, Pose::at(0.0, 0.0)).step(2);
    assert_eq!(sensed(&game), (1, 1), "and detects again after its respawn");
    game.kill(other).step(2);
    assert_eq!(sensed(&game), (1, 0));
}

#[test]
fn collector_killed_by_a_collision_forgets_its_detections_in_the_same_step() {
    let mut game =
        scenario("").seat(0, ai("wanderer")).collector_at(0, 0.0, 0.0, 0.0).collector_at(1, 0.0, 2.0, 0.0).begin();
    game.step(1);
    assert!(!game.is_alive(0));
    assert_eq!(game.component::<CollectorAvoider>(game.collector(0)).collectors.as_slice(), []);
}

#[test]
fn second_match_draws_other_places_than_the_first() {
    let mut game = garden(8, 7);
    let places = |game: &Game| -> Vec<Vec2> { game.bounties().iter().map(|bounty| bounty.position).collect() };
    let first = places(&game);
    assert_eq!(first.len(), 14);
    game.pause().restart().step_until(steps(1.0), |game| game.state() == GameState::Running);
    for _ in 0..steps(15.0) {
        game.step(1);
        assert!(places(&game).iter().all(|place| !first.contains(place)));
    }
}
