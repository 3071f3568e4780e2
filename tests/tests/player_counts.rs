//! Matches of one to ten thousand players.

use std::collections::BTreeMap;

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MAX_PLAYERS, MatchSetup, Seat, Simulation, SimulationError};
use bounty_hunter::view::{GameState, View};
use glam::Vec2;
use tests::{ai, match_in};

/// The steps of a match of the most players. The release build of the program plays whole ones.
const STEPS_OF_THE_CROWD: usize = 5;

fn start(players: usize) -> Simulation {
    start_of(&MatchSetup::of_ais(1, players, "normal"))
}

fn start_of(setup: &MatchSetup) -> Simulation {
    let mut assets = Assets::built_in();
    assets.game.countdown_seconds = 1.0 / 60.0;
    match_in(&assets, setup, GameState::Running)
}

/// The number of overlapping pairs of stashes, found with a grid of cells as large as a stash.
fn overlapping_stashes(view: &View) -> usize {
    let side = 2.0 * view.stashes[0].half_extent;
    let cell_of = |position: Vec2| ((position.x / side).floor() as i32, (position.y / side).floor() as i32);
    let mut cells: BTreeMap<(i32, i32), Vec<Vec2>> = BTreeMap::new();
    let mut overlapping = 0;
    for stash in &view.stashes {
        let (column, row) = cell_of(stash.position);
        for x in column - 1..=column + 1 {
            for y in row - 1..=row + 1 {
                let near = cells.get(&(x, y)).into_iter().flatten();
                overlapping += near.filter(|other| (**other - stash.position).abs().max_element() < side).count();
            }
        }
        cells.entry((column, row)).or_default().push(stash.position);
    }
    overlapping
}

#[test]
fn stashes_never_overlap_and_stand_inside_the_world() {
    for players in [1, 2, 3, 16, 63, 64, 65, 66, 100, 500, 2_000, 10_000] {
        let view = start(players).view();
        assert_eq!((view.stashes.len(), view.players.len()), (players, players));
        assert_eq!(overlapping_stashes(&view), 0, "{players} players");
        for stash in &view.stashes {
            let outermost = stash.position.abs().max_element() + stash.half_extent;
            assert!(outermost <= view.world_half_extent, "{players} players: {}", stash.position);
        }
    }
}

#[test]
fn search_for_overlapping_stashes_finds_them() {
    let mut view = start(100).view();
    view.stashes[7].position = view.stashes[60].position + Vec2::new(3.7, -3.7);
    assert!(overlapping_stashes(&view) >= 1);
}

#[test]
fn all_collectors_live_after_the_first_step() {
    for players in [2, 64, 65, 500] {
        let mut simulation = start(players);
        simulation.step(&Inputs::none());
        let view = simulation.view();
        assert_eq!((view.collectors.len(), view.state), (players, GameState::Running), "{players} players");
        for (collector, stash) in view.collectors.iter().zip(&view.stashes) {
            assert!(collector.position.distance(stash.position) < 1.0);
        }
    }
}

#[test]
fn density_of_players_and_bounties_stays_from_64_players_on() {
    let density = |players: usize| {
        let view = start(players).view();
        let area = (2.0 * view.world_half_extent).powi(2);
        (players as f32 / area, view.bounties.len() as f32 / area)
    };
    let (players, bounties) = density(64);
    for count in [65, 256, 2_000] {
        let (more_players, more_bounties) = density(count);
        assert!((more_players / players - 1.0).abs() < 0.01, "{count} players");
        assert!((more_bounties / bounties - 1.0).abs() < 0.03, "{count} players");
    }
    assert_eq!((start(2).view().world_half_extent, start(64).view().world_half_extent), (75.0, 75.0));
}

#[test]
fn single_player_wins() {
    let setup = MatchSetup { play_seconds: Some(20.0), ..MatchSetup::of_ais(5, 1, "hard") };
    let mut simulation = start_of(&setup);
    while simulation.step(&Inputs::none()).state != GameState::GameOver {}
    assert_eq!(simulation.result().and_then(|result| result.winner), Some(0));
}

#[test]
fn ten_thousand_players_take_their_first_steps() {
    let mut simulation = start(MAX_PLAYERS);
    let before = simulation.view();
    for _ in 0..STEPS_OF_THE_CROWD {
        simulation.step(&Inputs::none());
    }
    let view = simulation.view();
    assert_eq!((view.collectors.len(), view.state), (MAX_PLAYERS, GameState::Running));
    // Some of the 7,500 bounties spawned on collectors, which collected them at once.
    assert!((6_000..=7_500).contains(&view.bounties.len()), "{} bounties", view.bounties.len());
    let moved = before.collectors.iter().zip(&view.collectors).filter(|(one, other)| one.position != other.position);
    assert!(moved.count() > MAX_PLAYERS / 2);
}

#[test]
fn zero_players_and_too_many_are_refused_in_a_sentence() {
    for players in [0, MAX_PLAYERS + 1] {
        let setup = MatchSetup { seed: 1, seats: vec![Seat::Script; players], play_seconds: None };
        let error = Simulation::new(&Assets::built_in(), &setup).err().expect("it is refused");
        assert_eq!(error, SimulationError::Players(players));
        assert_eq!(error.to_string(), format!("a match has 1 to 10000 players, not {players}"));
    }
}

#[test]
fn seats_unknown_to_the_assets_are_refused_in_a_sentence() {
    let refuse = |seat: Seat, play_seconds: Option<f32>| {
        let setup = MatchSetup { seed: 1, seats: vec![seat], play_seconds };
        Simulation::new(&Assets::built_in(), &setup).err().expect("it is refused").to_string()
    };
    let unknown = refuse(ai("godlike"), None);
    assert!(
        unknown.starts_with("there is no AI profile \"godlike\", there are balanced, circling, easy, "),
        "{unknown}"
    );
    assert_eq!(refuse(Seat::Human { person: 4 }, None), "a seat is of person 5, must be of person 1 to 4");
    for (seconds, remedy) in [
        (0.0, "positive"),
        (-1.0, "positive"),
        (0.001, "at least 0.01"),
        (86_401.0, "at most 86400"),
        (1e30, "at most 86400"),
        (f32::NAN, "a finite number"),
    ] {
        let message = refuse(Seat::Script, Some(seconds));
        assert_eq!(message, format!("play_seconds is {seconds}, must be {remedy}"));
    }
    let message = refuse(Seat::Script, Some(f32::INFINITY));
    assert_eq!(message, "play_seconds is too large a number, must be at most 86400");
}
