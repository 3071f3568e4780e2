//! The course of a match: countdown, clock, endings and winners.

use bounty_hunter::assets::Assets;
use bounty_hunter::events::{CollisionBegin, GameObjectKilled, GameOver, StashFull};
use bounty_hunter::input::Intent;
use bounty_hunter::input::{Command, Inputs};
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::view::{Ending, GameState, MatchResult};
use tests::{Game, match_in, scenario};

/// A match with the built-in assets; all scripts drive at full speed from the first step.
fn usual_match(players: usize) -> Game {
    let seats = vec![Seat::Script; players];
    let simulation = Simulation::new(&Assets::built_in(), &MatchSetup { seed: 1, seats, play_seconds: None });
    let mut game = Game::playing(simulation.expect("the usual match can be set up"));
    for player in 0..players as u32 {
        game.drive(player, 1.0, 1.0);
    }
    game
}

/// The result of a match with these stashes whose clock runs out in the next step.
fn result_of(stashes: &[f32]) -> MatchResult {
    let mut game = scenario("").players(stashes.len()).lasting(1.0 / 60.0).begin();
    for (player, value) in stashes.iter().enumerate() {
        game.store(player, *value);
    }
    game.step(1);
    game.result().expect("the match is over")
}

fn by_time(winner: Option<u32>) -> MatchResult {
    MatchResult { ending: Ending::Time, winner }
}

#[test]
fn collectors_stand_still_in_a_countdown_of_180_steps() {
    let mut game = usual_match(4);
    game.step_until(5, |game| game.state() == GameState::Started);
    let built = game.simulation().view();
    assert_eq!(built.countdown_seconds, 3.0);
    assert_eq!(built.collectors.len(), 4);
    // Building the match has reset the intents.
    for player in 0..4 {
        game.drive(player, 1.0, 1.0);
    }
    for step in 1..=180 {
        assert_eq!(game.state(), GameState::Started, "step {step}");
        game.step(1);
        let view = game.simulation().view();
        for (before, now) in built.collectors.iter().zip(&view.collectors) {
            assert_eq!((before.position, before.heading), (now.position, now.heading), "step {step}");
        }
        assert_eq!(view.clock_seconds, 90.0);
    }
    assert_eq!((game.state(), game.count::<CollisionBegin>()), (GameState::Running, 0));
    let before = game.pose(game.collector(0)).position;
    game.step(1);
    assert!((game.pose(game.collector(0)).position.distance(before) - 25.0 / 60.0).abs() < 1e-3, "then they drive");
}

#[test]
fn objects_neither_expire_nor_die_in_the_countdown() {
    let mut game = usual_match(2);
    game.step_until(5, |game| game.state() == GameState::Started);
    game.step(2);
    let born = game.bounties();
    let victim = game.collector(0);
    game.step_until(180, |game| game.state() == GameState::Running);
    assert_eq!((game.bounties(), game.count::<GameObjectKilled>()), (born, 0));
    game.kill(victim).step(1);
    assert_eq!(game.count::<GameObjectKilled>(), 1);
}

#[test]
fn clock_runs_for_exactly_90_seconds_of_60_steps() {
    let mut game = usual_match(1);
    game.step_until(200, |game| game.state() == GameState::Running);
    for step in 0..5_400 {
        assert_eq!((game.state(), game.ticks_left().1), (GameState::Running, 5_400 - step));
        game.step(1);
    }
    assert_eq!((game.state(), game.ticks_left().1), (GameState::GameOver, 0));
    assert_eq!(game.result().map(|result| result.ending), Some(Ending::Time));
    let hash = game.simulation_mut().state_hash();
    let tick = game.simulation().tick();
    game.step(100);
    assert_eq!((game.state(), game.simulation().tick()), (GameState::GameOver, tick + 100));
    assert_ne!(hash, game.simulation_mut().state_hash(), "the hash covers the number of steps");
    assert_eq!(game.count::<GameOver>(), 1);
}

#[test]
fn seconds_of_a_match_may_be_set() {
    for (seconds, expected) in [(1.0, 60), (0.5, 30), (0.01, 1)] {
        let mut game = scenario("").lasting(seconds).begin();
        assert_eq!(game.step_until(100, |game| game.state() == GameState::GameOver), expected, "{seconds} s");
    }
}

#[test]
fn clock_stands_still_in_a_pause() {
    let mut game = scenario("").begin();
    let before = game.ticks_left();
    game.command(Command::Pause).step(1);
    let in_pause = game.ticks_left();
    game.step(500);
    assert_eq!((game.state(), game.ticks_left()), (GameState::Paused, in_pause));
    assert_eq!(in_pause.1, before.1 - 1);
}

#[test]
fn stash_that_reaches_exactly_250_ends_the_match() {
    let mut game = scenario(">..0").begin();
    game.carry(0, 60.0).store(0, 190.0).drive(0, 1.0, 0.0);
    game.step_until(10, |game| game.stashed(0) == 250.0);
    assert_eq!((game.state(), game.count::<StashFull>()), (GameState::GameOver, 1));
    assert_eq!(game.result(), Some(MatchResult { ending: Ending::StashFull, winner: Some(0) }));
}

#[test]
fn stash_one_point_below_its_capacity_does_not_end_the_match() {
    let mut game = scenario(">..0").begin();
    game.carry(0, 60.0).store(0, 189.0).drive(0, 1.0, 0.0).step(20);
    assert_eq!((game.stashed(0), game.state(), game.count::<StashFull>()), (249.0, GameState::Running, 0));
}

#[test]
fn stash_filled_by_a_rival_wins_for_its_owner() {
    let mut game = scenario(">..1").begin();
    game.carry(0, 60.0).store(1, 200.0).drive(0, 1.0, 0.0);
    game.step_until(10, |game| game.state() == GameState::GameOver);
    assert_eq!(game.result(), Some(MatchResult { ending: Ending::StashFull, winner: Some(1) }));
}

#[test]
fn two_stashes_full_in_one_step_are_a_draw() {
    let mut game = scenario(">..0.......1..<").begin();
    game.carry(0, 100.0).carry(1, 100.0).store(0, 150.0).store(1, 240.0);
    game.drive(0, 1.0, 0.0).drive(1, 1.0, 0.0);
    game.step_until(20, |game| game.state() == GameState::GameOver);
    assert_eq!((game.stashed(0), game.stashed(1), game.count::<StashFull>()), (250.0, 250.0, 2));
    assert_eq!(game.result(), Some(MatchResult { ending: Ending::StashFull, winner: None }));
}

#[test]
fn full_stash_in_the_last_step_takes_precedence_over_the_clock() {
    let mut game = scenario(">..0").begin();
    game.carry(0, 60.0).store(0, 190.0).drive(0, 1.0, 0.0);
    let steps = game.step_until(20, |game| game.state() == GameState::GameOver);
    let mut game = scenario(">..0").lasting(steps as f32 / 60.0).begin();
    game.carry(0, 60.0).store(0, 190.0).drive(0, 1.0, 0.0).step(steps);
    assert_eq!(game.result(), Some(MatchResult { ending: Ending::StashFull, winner: Some(0) }));
    assert_eq!(game.ticks_left().1, 0);
}

#[test]
fn match_cannot_be_paused_in_its_last_step() {
    let mut game = scenario(">..0").begin();
    game.carry(0, 60.0).store(0, 190.0).drive(0, 1.0, 0.0);
    let steps = game.step_until(20, |game| game.state() == GameState::GameOver);
    let mut game = scenario(">..0").begin();
    game.carry(0, 60.0).store(0, 190.0).drive(0, 1.0, 0.0).step(steps - 1);
    game.command(Command::Pause).step(1);
    assert_eq!((game.state(), game.stashed(0)), (GameState::GameOver, 250.0));
}

#[test]
fn highest_stash_wins_when_the_time_is_up() {
    assert_eq!(result_of(&[10.0, 30.0, 20.0]), by_time(Some(1)));
    assert_eq!(result_of(&[0.0, 0.0, 0.5]), by_time(Some(2)));
}

#[test]
fn tie_is_a_draw() {
    assert_eq!(result_of(&[30.0, 10.0, 30.0]), by_time(None));
    assert_eq!(result_of(&[0.0, 0.0]), by_time(None));
}

#[test]
fn pockets_do_not_count() {
    let mut game = scenario("").players(2).lasting(2.0 / 60.0).begin();
    // After the first step it stands on its stash, and the contact has already begun.
    game.step(1).carry(0, 100.0).store(1, 1.0).step(1);
    assert_eq!(game.result(), Some(by_time(Some(1))));
}

#[test]
fn nothing_moves_or_scores_after_the_end() {
    let mut game = scenario(">.....b").lasting(10.0 / 60.0).begin();
    game.drive(0, 1.0, 0.0).step(11);
    let (pose, bounties) = (game.pose(game.collector(0)), game.bounties());
    game.drive(0, 1.0, 0.0).step(100);
    assert_eq!((game.pose(game.collector(0)), game.bounties()), (pose, bounties));
}

#[test]
fn intents_of_a_script_last_until_the_next_one() {
    let seats = vec![Seat::Script; 2];
    let setup = MatchSetup { seed: 1, seats, play_seconds: None };
    let mut simulation = match_in(&Assets::built_in(), &setup, GameState::Running);
    simulation.step(&Inputs::none().intent(1, Intent { drive: 1.0, turn: 0.0 }));
    let first = simulation.view().collectors[1].position;
    simulation.step(&Inputs::none().intent(7, Intent { drive: 1.0, turn: 0.0 }));
    let second = simulation.view().collectors[1].position;
    assert!((first.distance(second) - 25.0 / 60.0).abs() < 1e-3);
}
