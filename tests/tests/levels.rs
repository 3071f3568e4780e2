//! Levels: the places of stashes and objects, and solid walls.

use bounty_hunter::arena::Block;
use bounty_hunter::assets::Assets;
use bounty_hunter::game_object::GameObjectKind;
use bounty_hunter::input::Inputs;
use bounty_hunter::level::{LevelWall, StashPlaces};
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation, SimulationError};
use bounty_hunter::view::{GameState, View};
use bounty_hunter::wall::SolidWalls;
use glam::Vec2;
use tests::{eager, match_in, scenario, vary_bounties};

fn crossing() -> Assets {
    Assets::built_in().in_level("crossing").expect("the level is built in")
}

fn begin(assets: &Assets, setup: &MatchSetup) -> Simulation {
    match_in(assets, setup, GameState::Running)
}

/// The number of collectors whose middle lies in a solid wall.
fn in_walls(view: &View) -> usize {
    let solid = view.walls.iter().filter(|wall| wall.is_solid);
    let blocks: Vec<Block> =
        solid.map(|wall| Block { center: wall.position, half_extents_m: wall.half_extents }).collect();
    let is_in = |place: Vec2| blocks.iter().any(|block| block.contains(place));
    view.collectors.iter().filter(|collector| is_in(collector.position)).count()
}

#[test]
fn stashes_and_collectors_stand_where_the_level_says() {
    let assets = crossing();
    let mut simulation = begin(&assets, &MatchSetup { seats: vec![Seat::Script; 16], ..MatchSetup::of_ais(1, 0, "") });
    simulation.step(&Inputs::none());
    let view = simulation.view();
    let StashPlaces::Places { at_m } = &assets.levels["crossing"].stashes else { panic!("it has places") };
    let first = at_m.iter().position(|place| Vec2::from(*place) == view.stashes[0].position).expect("it is a place");
    let place_of = |player: usize| Vec2::from(at_m[(first + player) % at_m.len()]);
    for (player, stash) in view.stashes.iter().enumerate() {
        assert_eq!(stash.position, place_of(player));
    }
    for collector in &view.collectors {
        assert_eq!(collector.position, place_of(collector.player as usize));
    }
    assert_eq!((view.stashes.len(), view.collectors.len()), (16, 16));
}

#[test]
fn first_seat_has_each_place_in_some_match() {
    let (assets, mut seats) = (Assets::built_in(), [0; 3]);
    for seed in 0..60 {
        let simulation = begin(&assets, &MatchSetup::of_ais(seed, 3, "normal"));
        // To the right, to the left above, to the left below.
        let place = simulation.view().stashes[0].position;
        seats[if place.x > 0.0 { 0 } else { 1 + usize::from(place.y < 0.0) }] += 1;
    }
    assert!(seats.iter().all(|times| (10..=30).contains(times)), "{seats:?}");
}

#[test]
fn walls_of_a_level_are_objects_like_any_other() {
    let simulation = begin(&crossing(), &MatchSetup::of_ais(1, 4, "normal"));
    let view = simulation.view();
    assert_eq!(view.walls.iter().filter(|wall| wall.is_solid).count(), 5);
    assert_eq!(view.walls.len(), 9, "including those beyond the edges");
    let mut walls = 0;
    simulation.engine().read::<&bounty_hunter::game_object::GameObject>().for_each(|object| {
        walls += usize::from(object.kind == GameObjectKind::Wall);
    });
    assert_eq!(walls, 9);
}

#[test]
fn wall_stops_a_collector_and_does_not_kill_it() {
    let wall = LevelWall { at_m: (10.0, 0.0), half_extents_m: (1.0, 8.0) };
    let mut game = scenario(">")
        .with_assets(|assets| {
            let level = assets.levels.get_mut("arena").expect("it is built in");
            level.walls.push(wall);
        })
        .begin();
    game.drive(0, 1.0, 0.0).step(120);
    let place = game.pose(game.collector(0)).position;
    assert!(game.is_alive(0));
    assert!((6.5..=9.0).contains(&place.x), "{place}");
}

#[test]
fn bounties_do_not_appear_in_walls() {
    let mut assets = crossing();
    let short = r#""lifespan": (lifetime_seconds: (0.1, 0.2)), "respawn delay": (delay_seconds: 0.1)"#;
    vary_bounties(&mut assets, short);
    let mut simulation = begin(&assets, &MatchSetup { seats: vec![Seat::Script; 16], ..MatchSetup::of_ais(1, 0, "") });
    let mut seen = 0;
    for _ in 0..300 {
        simulation.step(&Inputs::none());
        let walls = simulation.engine().resource::<SolidWalls>().expect("there are walls").clone();
        for bounty in simulation.view().bounties.iter().filter(|bounty| bounty.teleported) {
            assert!(walls.leave_room_at(bounty.position), "{}", bounty.position);
            seen += 1;
        }
    }
    assert!(seen > 200, "only {seen} appeared");
}

#[test]
fn ais_play_the_crossing_well() {
    let usual = Assets::built_in();
    let stashed = |assets: &Assets| {
        let mut sum = 0.0;
        for seed in 1..=3 {
            let mut simulation = begin(assets, &MatchSetup::of_ais(seed, 16, "normal"));
            while simulation.step(&Inputs::none()).state != GameState::GameOver {
                if simulation.tick().is_multiple_of(30) {
                    assert_eq!(in_walls(&simulation.view()), 0);
                }
            }
            let stashes = simulation.stashes();
            let empty = stashes.iter().filter(|stashed| **stashed == 0.0).count();
            assert!(empty <= 4, "{empty} of 16 brought nothing home: {stashes:?}");
            sum += stashes.iter().sum::<f32>();
        }
        sum
    };
    let (walled, open) = (stashed(&crossing()), stashed(&usual));
    assert!(walled > 0.6 * open, "{walled} in the crossing, {open} in the arena");
}

#[test]
fn same_seed_gives_the_same_match_in_the_crossing_at_any_number_of_threads() {
    let play = |threads: usize| {
        let setup = MatchSetup::of_ais(5, 12, "hard");
        let mut simulation = Simulation::with_engine(&crossing(), &setup, eager(threads)).unwrap();
        for _ in 0..900 {
            simulation.step(&Inputs::none());
        }
        simulation.state_hash()
    };
    let one = play(1);
    assert_eq!((play(1), play(2), play(4)), (one, one, one));
}

#[test]
fn more_players_than_places_are_refused() {
    let error = Simulation::new(&crossing(), &MatchSetup::of_ais(1, 17, "normal")).err().expect("it is refused");
    assert_eq!(error, SimulationError::Places { level: "crossing".to_owned(), places: 16, players: 17 });
    assert_eq!(error.to_string(), "the level \"crossing\" has places for 16 players, not for 17");
}

#[test]
fn unknown_level_is_refused_with_the_known_ones() {
    let error = Assets::built_in().in_level("moon").unwrap_err();
    assert_eq!(error.to_string(), "there is no level \"moon\", there are arena, crossing, falls, pit, springs, vault");
    let mut assets = Assets::built_in();
    assets.game.level = "moon".to_owned();
    let error = Simulation::new(&assets, &MatchSetup::of_ais(1, 2, "normal")).err().expect("it is refused");
    assert_eq!(error.to_string(), "there is no level \"moon\", there are arena, crossing, falls, pit, springs, vault");
}
