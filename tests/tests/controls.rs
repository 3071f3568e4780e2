//! Intents of people, debug drawing, and cheats.

use bounty_hunter::ai_controller::AiController;
use bounty_hunter::arena::{Pose, forward};
use bounty_hunter::assets::Assets;
use bounty_hunter::collector::Controls;
use bounty_hunter::events::{BountyCollected, BountyStashed, GameObjectKilled};
use bounty_hunter::input::{Cheat, Command, Intent};
use bounty_hunter::level::LevelWall;
use bounty_hunter::physics::Shape;
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::view::{DebugShape, GameState, View};
use tests::{Game, STANDING, Scenario, ai, scenario, steps, vary_collectors};

fn human(person: u8) -> Seat {
    Seat::Human { person }
}

/// The intents of the first players.
fn intents<const N: usize>(game: &Game) -> [Intent; N] {
    std::array::from_fn(|player| game.component::<Controls>(game.collector(player)).intent)
}

fn intent(drive: f32, turn: f32) -> Intent {
    Intent { drive, turn }
}

// People

#[test]
fn collector_goes_25_metres_a_second_and_turns_once_in_a_second() {
    let mut game = scenario("^").seat(0, human(0)).begin();
    let start = game.pose(game.collector(0));
    game.drive(0, 1.0, 0.0).step(60);
    let end = game.pose(game.collector(0));
    assert!((end.position - start.position - glam::Vec2::new(0.0, 25.0)).length() < 0.01);
    game.drive(0, 0.0, 1.0).step(15);
    let quarter = game.pose(game.collector(0));
    assert!(forward(quarter.heading).distance(glam::Vec2::NEG_X) < 0.01, "a quarter to the left");
    assert!(quarter.position.distance(end.position) < 1e-3, "on the spot");
    game.drive(0, 0.0, 0.0).step(30);
    assert_eq!(game.pose(game.collector(0)), quarter, "it stands without an intent");
}

#[test]
fn person_plays_a_round_with_nothing_but_intents() {
    let mut game = scenario("0...^..b").seat(0, human(0)).begin();
    game.drive(0, 0.0, -1.0).step(15).drive(0, 1.0, 0.0).step(20).drive(0, 0.0, 0.0);
    assert_eq!((game.pocket(0), game.count::<BountyCollected>()), (10.0, 1));
    game.drive(0, 0.0, 1.0).step(30).drive(0, 1.0, 0.0).step(60);
    assert_eq!((game.stashed(0), game.count::<BountyStashed>()), (10.0, 1));
}

#[test]
fn intent_counts_from_the_countdown_and_through_a_pause_until_the_match_begins_again() {
    let setup = MatchSetup { seed: 1, seats: vec![human(0)], play_seconds: None };
    let mut game = Game::playing(Simulation::new(&Assets::built_in(), &setup).expect("the match can be set up"));
    game.step(10).drive(0, 1.0, 0.0).step(10);
    assert_eq!((game.state(), intents(&game)), (GameState::Started, [Intent::IDLE]));
    game.step_until(300, |game| game.state() == GameState::Running);
    assert_eq!(intents(game.step(1)), [intent(1.0, 0.0)]);
    game.pause().drive(0, 0.0, 1.0).step(5).resume();
    assert_eq!(intents(game.step(1)), [intent(0.0, 1.0)], "the last one in the pause");
    game.pause().restart().step_until(300, |game| game.state() == GameState::Running);
    assert_eq!(intents(game.step(1)), [Intent::IDLE]);
}

#[test]
fn intent_for_the_seat_of_an_ai_changes_nothing() {
    let mut game = scenario("^").seat(0, ai("normal")).begin();
    game.drive(0, -1.0, 0.5).step(2);
    let last = game.component::<AiController>(game.collector(0)).brain.last_intent;
    assert_eq!(intents(&game), [last]);
}

// Debug drawing

/// The view of a window that shows what is behind the match.
fn debug_view(game: &Game) -> View {
    let mut view = View { is_debug_drawn: true, ..View::empty() };
    game.simulation().view_into(&mut view);
    view
}

#[test]
fn debug_drawing_shows_the_perception_and_the_goal_of_an_ai_and_all_hit_boxes() {
    let mut game = scenario("^").seat(0, ai("normal")).bounty_at(0.0, 20.0, 5.0).begin();
    game.step(5);
    assert_eq!(game.simulation().view().debug, []);
    let view = debug_view(&game);
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
    game.step(5);
    let view = debug_view(&game);
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
    game.drive(0, 0.2, 0.0);
    let contact = |game: &Game| {
        debug_view(game).debug.iter().find_map(|shape| match *shape {
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
    game.drive(0, 1.0, 0.0);
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
    (0..players.len()).filter(|player| players[*player].possessed_by.is_some()).collect()
}

#[test]
fn possession_cycles_through_the_seats_of_ais() {
    let mut game = crowd();
    for (cheat, expected) in [
        (Cheat::Release, vec![]),
        (Cheat::Next, vec![]),
        (Cheat::Previous, vec![]),
        (Cheat::Possess, vec![1]),
        (Cheat::Possess, vec![1]),
        (Cheat::Next, vec![3]),
        (Cheat::Next, vec![1]),
        (Cheat::Previous, vec![3]),
        (Cheat::Previous, vec![1]),
        (Cheat::Release, vec![]),
        (Cheat::Release, vec![]),
        (Cheat::Possess, vec![1]),
    ] {
        game.cheat(cheat);
        assert_eq!(possessed(&game), expected, "after {cheat:?}");
        let players = game.simulation().view().players;
        assert_eq!(players.iter().filter(|player| player.is_person() && player.is_here()).count(), 1 + expected.len());
        for player in [1, 3] {
            let is_relieved = game.component::<AiController>(game.collector(player)).is_relieved;
            assert_eq!(is_relieved, expected.contains(&player), "player {player} after {cheat:?}");
        }
    }
}

#[test]
fn possessed_collector_obeys_intents_and_released_its_ai() {
    let mut game = scenario("").players(2).seat(0, ai("normal")).begin();
    game.cheat(Cheat::Possess).drive(0, 1.0, -1.0).step(2);
    assert_eq!(game.component::<Controls>(game.collector(0)).intent, intent(1.0, -1.0));
    game.cheat(Cheat::Release).step(1);
    let before = game.component::<AiController>(game.collector(0)).clone();
    game.step(200);
    let after = game.component::<AiController>(game.collector(0));
    assert_ne!(before.brain, after.brain, "the AI thinks again");
    assert_eq!(game.component::<Controls>(game.collector(0)).intent, after.brain.last_intent);
    game.cheat(Cheat::Possess).step(1);
    assert_eq!(game.component::<Controls>(game.collector(0)).intent, Intent::IDLE, "the old intent is forgotten");
}

#[test]
fn possessed_seat_is_that_of_the_first_person_without_one() {
    let mut game = scenario("").players(2).seat(0, human(0)).seat(1, ai("normal")).begin();
    game.cheat(Cheat::Possess);
    assert_eq!(game.players().0[1].person(), Some(1));
    let mut scene: Scenario = scenario("").players(5).seat(4, ai("normal"));
    for person in 0..4 {
        scene = scene.seat(usize::from(person), human(person));
    }
    let mut game = scene.begin();
    game.cheat(Cheat::Possess);
    assert!(possessed(&game).is_empty(), "a screen has four people at most");
}

#[test]
fn match_without_ais_has_no_collector_to_possess() {
    let mut game = scenario("").players(2).seat(0, human(0)).begin();
    game.cheat(Cheat::Possess).cheat(Cheat::Next);
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
    game.step(2).cheat(Cheat::Possess);
    assert_eq!(seen(&game), 1);
    let bounty = game.bounty_entities()[0];
    game.put(bounty, Pose::at(0.0, 60.0)).step(3).cheat(Cheat::Release);
    assert_eq!(seen(&game), 0, "sensors keep working while a person drives");
}

#[test]
fn possession_ends_with_the_match() {
    let mut game = crowd();
    game.cheat(Cheat::Possess).pause().restart().step_until(20, |game| game.state() == GameState::Running);
    assert!(possessed(&game).is_empty());
    assert!(!game.component::<AiController>(game.collector(1)).is_relieved);
}

#[test]
fn killing_all_collectors_kills_each_once() {
    let mut game = scenario("").players(5).begin();
    game.carry(0, 40.0).step(1).carry(1, 40.0);
    game.command(Command::Cheat(Cheat::KillCollectors)).cheat(Cheat::KillCollectors);
    assert_eq!((game.living(), game.count::<GameObjectKilled>()), (0, 5));
    game.step(10).cheat(Cheat::KillCollectors);
    assert_eq!(game.count::<GameObjectKilled>(), 5);
    game.step_until(steps(3.5), |game| game.living() == 5);
}

#[test]
fn killing_all_bounties_kills_each_once() {
    let mut game = scenario("b.....b....b").players(2).begin();
    game.command(Command::Cheat(Cheat::KillBounties)).cheat(Cheat::KillBounties);
    assert_eq!((game.bounties().len(), game.living(), game.count::<GameObjectKilled>()), (0, 2, 3));
    game.step_until(steps(2.5), |game| game.bounties().len() == 3);
}

#[test]
fn dumping_the_physics_changes_nothing() {
    let hash_after = |inputs: &[Command]| {
        let mut game = scenario("^").players(2).begin();
        inputs.iter().for_each(|command| _ = game.command(*command));
        game.step(2);
        game.simulation_mut().state_hash()
    };
    assert_eq!(hash_after(&[Command::Cheat(Cheat::LogPhysics)]), hash_after(&[]));
}

#[test]
fn cheats_work_only_while_the_match_runs() {
    let mut game = crowd();
    game.pause().cheat(Cheat::Possess).cheat(Cheat::KillCollectors).cheat(Cheat::KillBounties);
    assert_eq!((possessed(&game), game.count::<GameObjectKilled>()), (vec![], 0));
}
