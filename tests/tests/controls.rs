//! Keys of people, and cheats.

use bounty_hunter::ai_controller::AiController;
use bounty_hunter::arena::{Pose, forward};
use bounty_hunter::assets::Assets;
use bounty_hunter::collector::Controls;
use bounty_hunter::display::DisplayState;
use bounty_hunter::events::{BountyCollected, BountyStashed, GameObjectKilled};
use bounty_hunter::input::Intent;
use bounty_hunter::input::{InputEvent, Key};
use bounty_hunter::level::LevelWall;
use bounty_hunter::physics::Shape;
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::view::{DebugShape, GameState};
use tests::{Game, STANDING, Scenario, ai, scenario, steps, vary_collectors};

fn human(keys: usize) -> Seat {
    Seat::Human { keys }
}

/// The intents of the first players.
fn intents<const N: usize>(game: &Game) -> [Intent; N] {
    std::array::from_fn(|player| game.component::<Controls>(game.collector(player)).intent)
}

fn intent(drive: f32, turn: f32) -> Intent {
    Intent { drive, turn }
}

// The keyboard

#[test]
fn two_people_share_a_keyboard() {
    let mut game = scenario("^....^").seat(0, human(0)).seat(1, human(1)).begin();
    let starts = [0, 1].map(|player| game.pose(game.collector(player)));
    game.press(Key::W).press(Key::Up).press(Key::Left).step(1);
    assert_eq!(intents(&game), [intent(1.0, 0.0), intent(1.0, 1.0)]);
    game.release(Key::W).press(Key::D).release(Key::Left).press(Key::Down).step(1);
    assert_eq!(intents(&game), [intent(0.0, -1.0), intent(-0.5, 0.0)]);
    game.release(Key::Down).step(1);
    assert_eq!(intents(&game), [intent(0.0, -1.0), intent(1.0, 0.0)], "up is still down");
    for (player, start) in starts.into_iter().enumerate() {
        assert_ne!(game.pose(game.collector(player)), start);
    }
}

#[test]
fn four_people_have_keys_of_their_own() {
    let mut scene: Scenario = scenario("^...^...^...^");
    for person in 0..4 {
        scene = scene.seat(person, human(person));
    }
    let mut game = scene.begin();
    for (person, key) in [Key::W, Key::Up, Key::I, Key::T].into_iter().enumerate() {
        game.press(key).step(1);
        let mut expected = [Intent::IDLE; 4];
        expected[person] = intent(1.0, 0.0);
        assert_eq!(intents::<4>(&game), expected);
        game.release(key).step(1);
    }
}

#[test]
fn last_pressed_of_two_opposite_keys_counts() {
    let mut game = scenario("^").seat(0, human(0)).begin();
    game.press(Key::A).step(1).press(Key::D).step(1);
    assert_eq!(intents(&game), [intent(0.0, -1.0)]);
    game.release(Key::D).step(1);
    assert_eq!(intents(&game), [intent(0.0, 1.0)]);
    game.release(Key::A).step(1);
    assert_eq!(intents(&game), [Intent::IDLE]);
}

#[test]
fn collector_goes_25_metres_a_second_and_turns_once_in_a_second() {
    let mut game = scenario("^").seat(0, human(0)).begin();
    let start = game.pose(game.collector(0));
    game.press(Key::W).step(60);
    let end = game.pose(game.collector(0));
    assert!((end.position - start.position - glam::Vec2::new(0.0, 25.0)).length() < 0.01);
    game.release(Key::W).press(Key::A).step(15);
    let quarter = game.pose(game.collector(0));
    assert!(forward(quarter.heading).distance(glam::Vec2::NEG_X) < 0.01, "a quarter to the left");
    assert!(quarter.position.distance(end.position) < 1e-3, "on the spot");
    game.release(Key::A).step(30);
    assert_eq!(game.pose(game.collector(0)), quarter, "it stands while no key is held");
}

#[test]
fn person_plays_a_round_with_nothing_but_keys() {
    let mut game = scenario("0...^..b").seat(0, human(0)).begin();
    game.press(Key::D).step(15).release(Key::D).press(Key::W).step(20).release(Key::W);
    assert_eq!((game.pocket(0), game.count::<BountyCollected>()), (10.0, 1));
    game.press(Key::A).step(30).release(Key::A).press(Key::W).step(60);
    assert_eq!((game.stashed(0), game.count::<BountyStashed>()), (10.0, 1));
}

#[test]
fn key_released_in_a_pause_is_not_held_afterwards() {
    let mut game = scenario("^").seat(0, human(0)).begin();
    game.press(Key::W).press(Key::A).step(5).tap(Key::P);
    assert_eq!(game.state(), GameState::Paused);
    game.release(Key::W).step(5).tap(Key::P);
    let place = game.pose(game.collector(0)).position;
    game.step(10);
    assert_eq!(intents(&game), [intent(0.0, 1.0)], "only the other key is held");
    assert!(game.pose(game.collector(0)).position.distance(place) < 1e-3);
}

#[test]
fn key_pressed_in_a_pause_or_countdown_counts_afterwards() {
    let setup = MatchSetup { seed: 1, seats: vec![human(0)], play_seconds: None };
    let mut game = Game::playing(Simulation::new(&Assets::built_in(), &setup).expect("the match can be set up"));
    game.step(10).press(Key::W).step(10);
    assert_eq!((game.state(), intents(&game)), (GameState::Started, [Intent::IDLE]));
    game.step_until(300, |game| game.state() == GameState::Running);
    game.step(1);
    assert_eq!(intents(&game), [intent(1.0, 0.0)]);
}

#[test]
fn minimising_releases_all_keys() {
    let mut game = scenario("^").seat(0, human(0)).begin();
    game.press(Key::W).step(5).input(InputEvent::WindowMinimized).step(5).input(InputEvent::WindowRestored);
    game.tap(Key::P).step(2);
    assert_eq!((game.state(), intents(&game)), (GameState::Running, [Intent::IDLE]));
}

#[test]
fn held_key_survives_a_restart() {
    let mut game = scenario("^").seat(0, human(0)).begin();
    game.press(Key::W).step(5).tap(Key::P).tap(Key::R).step_until(20, |game| game.state() == GameState::Running);
    game.step(1);
    assert_eq!(intents(&game), [intent(1.0, 0.0)]);
}

// Toggles and the camera

#[test]
fn toggles_work_in_every_state() {
    let mut game = scenario("^").begin();
    let display = |game: &Game| *game.simulation().engine().resource::<DisplayState>().expect("it is there");
    for _ in 0..2 {
        game.tap(Key::F1).tap(Key::F2);
        assert!(display(&game).is_fullscreen && display(&game).is_debug_drawn);
        game.tap(Key::F1).tap(Key::F2);
        assert!(!display(&game).is_fullscreen && !display(&game).is_debug_drawn);
        game.tap(Key::P);
    }
    game.input(InputEvent::WindowMinimized).step(1);
    assert!(display(&game).is_minimized);
    game.input(InputEvent::WindowRestored).step(1);
    assert!(!display(&game).is_minimized);
}

#[test]
fn debug_drawing_shows_the_perception_and_the_goal_of_an_ai_and_all_hit_boxes() {
    let mut game = scenario("^").seat(0, ai("normal")).bounty_at(0.0, 20.0, 5.0).begin();
    game.step(5);
    assert_eq!(game.simulation().view().debug, []);
    game.tap(Key::F2).step(1);
    let view = game.simulation().view();
    let pose = game.pose(game.collector(0));
    let radar = view.debug.iter().find_map(|shape| match *shape {
        DebugShape::Radar { position, heading, range, .. } => Some((position, heading, range > 0.0)),
        _ => None,
    });
    assert_eq!(radar, Some((pose.position, pose.heading, true)));
    let target = view.debug.iter().find_map(|shape| match *shape {
        DebugShape::Target { from, to } => Some((from, to.distance(view.bounties[0].position) < 0.1)),
        _ => None,
    });
    assert_eq!(target, Some((pose.position, true)));
    for object in [game.collector(0), game.bounty_entities()[0]] {
        let corners = game.component::<Shape>(object).corners(game.pose(object));
        assert!(view.debug.contains(&DebugShape::HitBox { corners }), "{corners:?} in {:?}", view.debug);
    }
}

#[test]
fn debug_drawing_shows_the_way_around_a_wall_and_collectors_that_touch() {
    let wall = LevelWall { at_m: (0.0, 10.0), half_extents_m: (6.0, 1.0) };
    let mut game = scenario("^")
        .seat(0, ai("normal"))
        .with_assets(|assets| assets.levels.get_mut("arena").expect("it is built in").walls.push(wall))
        .bounty_at(1.0, 20.0, 5.0)
        .begin();
    game.step(5).tap(Key::F2).step(1);
    let view = game.simulation().view();
    let ways = view.debug.iter().filter_map(|shape| match *shape {
        DebugShape::Way { from, to } | DebugShape::Target { from, to } => Some((from, to)),
        _ => None,
    });
    let ways: Vec<_> = ways.collect();
    assert_eq!(ways[0].0, game.pose(game.collector(0)).position);
    assert!(
        ways.len() >= 2 && ways.windows(2).all(|pair| pair[0].1 == pair[1].0),
        "one leg follows the other: {ways:?}"
    );
    assert!(ways[0].1.x > 6.0, "it turns at a corner on the shorter side: {ways:?}");
    assert!(ways.last().is_some_and(|(_, to)| to.distance(view.bounties[0].position) < 0.1), "{ways:?}");
    assert!(!view.debug.iter().any(|shape| matches!(shape, DebugShape::Contact { .. })));

    let mut game = scenario(">.>").with_health().begin();
    game.tap(Key::F2).drive(0, 0.2, 0.0);
    let contact = |game: &Game| {
        game.simulation().view().debug.iter().find_map(|shape| match *shape {
            DebugShape::Contact { at } => Some(at),
            _ => None,
        })
    };
    game.step_until(30, |game| contact(game).is_some());
    let [one, other] = [0, 1].map(|player| game.pose(game.collector(player)).position);
    assert!(contact(&game).is_some_and(|at| at.distance((one + other) / 2.0) < 0.01));

    // A wall in the way is touched at its face.
    let wall = LevelWall { at_m: (12.0, 0.0), half_extents_m: (2.0, 6.0) };
    let mut game = scenario(">")
        .with_assets(|assets| assets.levels.get_mut("arena").expect("it is built in").walls.push(wall))
        .begin();
    game.tap(Key::F2).drive(0, 1.0, 0.0);
    game.step_until(120, |game| contact(game).is_some());
    let at = contact(&game).expect("it was found just now");
    assert!((at.x - 10.0).abs() < 0.1 && at.y.abs() < 6.0, "{at}");
}

// Cheats

/// Four seats; the second and the last are AIs.
fn crowd() -> Game {
    scenario("").players(4).seat(0, human(1)).seat(1, ai("normal")).seat(3, ai("normal")).begin()
}

/// The possessed players.
fn possessed(game: &Game) -> Vec<usize> {
    let players = game.players().0;
    (0..players.len()).filter(|player| players[*player].possessed_with.is_some()).collect()
}

#[test]
fn possession_cycles_through_the_seats_of_ais() {
    let mut game = crowd();
    for (key, expected) in [
        (Key::F6, vec![]),
        (Key::F7, vec![]),
        (Key::F8, vec![]),
        (Key::F5, vec![1]),
        (Key::F5, vec![1]),
        (Key::F7, vec![3]),
        (Key::F7, vec![1]),
        (Key::F8, vec![3]),
        (Key::F8, vec![1]),
        (Key::F6, vec![]),
        (Key::F6, vec![]),
        (Key::F5, vec![1]),
    ] {
        game.tap(key);
        assert_eq!(possessed(&game), expected, "after {key:?}");
        let players = game.simulation().view().players;
        assert_eq!(players.iter().filter(|player| player.is_person() && player.is_here()).count(), 1 + expected.len());
        for player in [1, 3] {
            let is_relieved = game.component::<AiController>(game.collector(player)).is_relieved;
            assert_eq!(is_relieved, expected.contains(&player), "player {player} after {key:?}");
        }
    }
}

#[test]
fn possessed_collector_obeys_the_keys_of_the_first_person_and_released_its_ai() {
    let mut game = scenario("").players(2).seat(0, ai("normal")).begin();
    game.tap(Key::F5).press(Key::W).press(Key::D).step(2);
    assert_eq!(game.component::<Controls>(game.collector(0)).intent, intent(1.0, -1.0));
    game.tap(Key::F6).step(1);
    let before = game.component::<AiController>(game.collector(0)).clone();
    game.step(200);
    let after = game.component::<AiController>(game.collector(0));
    assert_ne!(before.random, after.random, "the AI thinks again");
    assert_eq!(game.component::<Controls>(game.collector(0)).intent, after.brain.last_intent);
}

#[test]
fn possessed_collector_obeys_keys_that_no_person_uses() {
    let mut game = scenario("").players(2).seat(0, human(0)).seat(1, ai("normal")).begin();
    game.tap(Key::F5).press(Key::W).press(Key::Left).step(2);
    assert_eq!(game.component::<Controls>(game.collector(0)).intent, intent(1.0, 0.0));
    assert_eq!(game.component::<Controls>(game.collector(1)).intent, intent(0.0, 1.0));
}

#[test]
fn match_without_ais_has_no_collector_to_possess() {
    let mut game = scenario("").players(2).seat(0, human(0)).begin();
    game.tap(Key::F5).tap(Key::F7);
    assert!(possessed(&game).is_empty());
}

#[test]
fn released_ai_has_up_to_date_sensors() {
    let mut game = scenario("^")
        .seat(0, ai("normal"))
        .with_assets(|assets| {
            vary_collectors(assets, STANDING);
        })
        .bounty_at(0.0, 20.0, 10.0)
        .begin();
    let seen = |game: &Game| {
        let radar = game.component::<bounty_hunter::senses::BountyRadar>(game.collector(0));
        radar.bounties.as_slice().len()
    };
    game.step(2).tap(Key::F5);
    assert_eq!(seen(&game), 1);
    let bounty = game.bounty_entities()[0];
    game.put(bounty, Pose::at(0.0, 60.0)).step(3).tap(Key::F6);
    assert_eq!(seen(&game), 0, "sensors keep working while a person drives");
}

#[test]
fn possession_ends_with_the_match() {
    let mut game = crowd();
    game.tap(Key::F5).tap(Key::P).tap(Key::R).step_until(20, |game| game.state() == GameState::Running);
    assert!(possessed(&game).is_empty());
    assert!(!game.component::<AiController>(game.collector(1)).is_relieved);
}

#[test]
fn killing_all_collectors_kills_each_once() {
    let mut game = scenario("").players(5).begin();
    game.carry(0, 40.0).step(1).carry(1, 40.0);
    game.press(Key::F9).press(Key::F9).step(1);
    assert_eq!((game.living(), game.count::<GameObjectKilled>()), (0, 5));
    game.step(10).tap(Key::F9);
    assert_eq!(game.count::<GameObjectKilled>(), 5);
    game.step_until(steps(3.5), |game| game.living() == 5);
}

#[test]
fn killing_all_bounties_kills_each_once() {
    let mut game = scenario("b.....b....b").players(2).begin();
    game.press(Key::F10).press(Key::F10).step(1);
    assert_eq!((game.bounties().len(), game.living(), game.count::<GameObjectKilled>()), (0, 2, 3));
    game.step_until(steps(2.5), |game| game.bounties().len() == 3);
}

#[test]
fn dumping_the_physics_changes_nothing() {
    let hash_after = |key: Key| {
        let mut game = scenario("^").players(2).begin();
        game.tap(key).step(1);
        game.simulation_mut().state_hash()
    };
    assert_eq!(hash_after(Key::F11), hash_after(Key::F12));
}

#[test]
fn cheats_work_only_while_the_match_runs() {
    let mut game = crowd();
    game.tap(Key::P).tap(Key::F5).tap(Key::F9).tap(Key::F10);
    assert_eq!((possessed(&game), game.count::<GameObjectKilled>()), (vec![], 0));
}
