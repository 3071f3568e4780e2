//! Game modes: files that override rules.

use bounty_hunter::assets::Assets;
use bounty_hunter::capacity::Capacity;
use bounty_hunter::events::PlayerEliminated;
use bounty_hunter::input::Inputs;
use bounty_hunter::lives::Lives;
use bounty_hunter::respawn::Respawn;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::{Ending, GameState, MatchResult};
use tests::{Game, Scenario, match_in, scenario, steps};

/// Two collectors that meet head-on in the middle.
const HEAD_ON: &str = ">....<";

fn with_lives(picture: &str, lives: u32) -> Scenario {
    scenario(picture).with_assets(|assets| assets.game.rules.lives = Some(lives))
}

/// Kills the collectors of some players at once and waits for their respawns.
fn kill_all(game: &mut Game, players: &[usize]) {
    for &player in players {
        let collector = game.collector(player);
        game.kill(collector);
    }
    game.step(steps(3.1));
}

fn play_out(mode: &str, seed: u64) -> Simulation {
    let assets = Assets::built_in().in_mode(mode).expect("the mode is built in");
    let setup = MatchSetup::of_ais(seed, assets.game.players as usize, &assets.game.ai);
    match_in(&assets, &setup, GameState::GameOver)
}

#[test]
fn every_mode_has_a_title_and_a_description() {
    let assets = Assets::built_in();
    let names: Vec<&str> = assets.modes.keys().map(String::as_str).collect();
    assert_eq!(names, ["brawl", "classic", "gold-rush", "power-ups", "sandbox", "spells", "survival", "teams"]);
    for mode in assets.modes.values() {
        assert!(!mode.title.is_empty() && mode.description.ends_with('.'), "{mode:?}");
    }
}

#[test]
fn classic_mode_changes_nothing() {
    let assets = Assets::built_in();
    assert_eq!(assets.clone().in_mode("classic"), Ok(assets));
}

#[test]
fn mode_overrides_the_named_numbers_and_keeps_the_rest() {
    let usual = Assets::built_in();
    let survival = usual.clone().in_mode("survival").unwrap().game;
    assert_eq!((survival.rules.lives, usual.game.rules.lives), (Some(4), None));
    assert_eq!(survival.rules.full_stash_ends_match, usual.game.rules.full_stash_ends_match);
    assert_eq!(survival.countdown_seconds, usual.game.countdown_seconds);
    assert_ne!((survival.play_seconds, &survival.level), (usual.game.play_seconds, &usual.game.level));
}

#[test]
fn unknown_mode_is_refused_with_the_known_ones() {
    let error = Assets::built_in().in_mode("clasic").unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no mode \"clasic\", there are brawl, classic, gold-rush, power-ups, sandbox, spells, survival, teams: `classic` may be meant"
    );
}

#[test]
fn last_one_standing_ends_a_survival_match_of_ais() {
    let simulation = play_out("survival", 1);
    assert_eq!(simulation.result().expect("it has ended").ending, Ending::LastStanding);
    let view = simulation.view();
    let eliminated = view.players.iter().filter(|player| player.lives == Some(0)).count();
    assert!(eliminated + 1 >= view.players.len(), "{eliminated} are out");
    assert!(view.players.iter().all(|player| player.out_at_clock_seconds.is_some() == (player.lives == Some(0))));
    assert_eq!(simulation.event_counts()["PlayerEliminated"], eliminated as u64);
}

#[test]
fn same_seed_gives_the_same_survival() {
    let (mut one, mut other, mut different) =
        (play_out("survival", 7), play_out("survival", 7), play_out("survival", 8));
    assert_eq!((one.state_hash(), one.result()), (other.state_hash(), other.result()));
    assert_ne!(one.state_hash(), different.state_hash());
}

#[test]
fn a_thousand_collectors_with_power_ups_play_in_the_sandbox() {
    let assets = Assets::built_in().in_mode("sandbox").unwrap();
    let setup = MatchSetup::of_ais(1, assets.game.players as usize, &assets.game.ai);
    let mut simulation = match_in(&assets, &setup, GameState::Running);
    simulation.step(&Inputs::none());
    let view = simulation.view();
    assert_eq!(view.collectors.len(), 1_000);
    assert!(view.power_ups.len() > 100, "{} power-ups", view.power_ups.len());
    let mut most_ghosts = 0;
    for _ in 0..steps(3.0) {
        simulation.step(&Inputs::none());
        let ghosts = simulation.view().collectors.iter().filter(|collector| collector.ghost_seconds > 0.0).count();
        most_ghosts = most_ghosts.max(ghosts);
    }
    assert!(most_ghosts >= 10, "{most_ghosts} at a time");
    let stashed = simulation.stashes();
    assert!(stashed.iter().sum::<f32>() > 0.0 && simulation.state() == GameState::Running);
}

#[test]
fn sandbox_match_cannot_fill_a_stash() {
    let assets = Assets::built_in().in_mode("sandbox").unwrap();
    let stash = assets.prefabs.component::<Capacity>(&assets.game.kinds.stash).expect("it is a stash");
    // A full pocket every three seconds is faster than possible.
    let most = 100.0 * assets.game.play_seconds / 3.0;
    assert!(stash.points >= most && !assets.game.rules.full_stash_ends_match, "{stash:?}");
}

#[test]
fn each_death_costs_a_life_and_the_last_one_the_respawn() {
    let mut game = with_lives(HEAD_ON, 2).players(3).begin();
    game.drive(0, 1.0, 0.0).drive(1, 1.0, 0.0);
    game.step_until(60, |game| !game.is_alive(0) && !game.is_alive(1));
    game.drive(0, 0.0, 0.0).drive(1, 0.0, 0.0).step(steps(3.1));
    assert!(game.is_alive(0) && game.is_alive(1));
    assert_eq!(game.component::<Lives>(game.collector(0)).left, 1);

    kill_all(&mut game, &[0]);
    assert!(!game.is_alive(0));
    assert_eq!(game.simulation().engine().get::<Respawn>(game.collector(0)), None);
    assert_eq!((game.count::<PlayerEliminated>(), game.state()), (1, GameState::Running));
    let view = game.simulation().view();
    let lives: Vec<_> = view.players.iter().map(|player| player.lives).collect();
    assert_eq!(lives, [Some(0), Some(1), Some(2)]);
    assert!(view.players[0].out_at_clock_seconds.is_some() && view.players[1].out_at_clock_seconds.is_none());
}

#[test]
fn last_player_wins_whatever_the_stashes_hold() {
    let mut game = with_lives(">.>.>", 1).begin();
    game.store(0, 200.0).store(1, 5.0);
    kill_all(&mut game, &[0]);
    assert_eq!(game.state(), GameState::Running);
    kill_all(&mut game, &[2]);
    assert_eq!(game.result(), Some(MatchResult { ending: Ending::LastStanding, winner: Some(1) }));
}

#[test]
fn fuller_stash_wins_if_the_last_two_players_die_together() {
    let mut game = with_lives(HEAD_ON, 1).players(3).begin();
    game.store(0, 10.0).store(1, 20.0).store(2, 90.0);
    kill_all(&mut game, &[2]);
    game.drive(0, 1.0, 0.0).drive(1, 1.0, 0.0);
    game.step_until(60, |game| game.state() == GameState::GameOver);
    assert_eq!(game.result(), Some(MatchResult { ending: Ending::LastStanding, winner: Some(1) }));
}

#[test]
fn fullest_stash_of_the_players_still_in_wins_by_time() {
    let mut game = with_lives(">.>.>", 1).lasting(5.0).begin();
    game.store(0, 200.0).store(1, 5.0).store(2, 6.0);
    kill_all(&mut game, &[0]);
    game.step(steps(5.0));
    assert_eq!(game.result(), Some(MatchResult { ending: Ending::Time, winner: Some(2) }));
}

#[test]
fn single_player_continues_until_its_last_life() {
    let mut game = with_lives(">", 2).begin();
    kill_all(&mut game, &[0]);
    assert_eq!(game.state(), GameState::Running);
    kill_all(&mut game, &[0]);
    assert_eq!(game.result(), Some(MatchResult { ending: Ending::LastStanding, winner: Some(0) }));
}

#[test]
fn new_match_restores_all_lives() {
    let mut game = with_lives(">.>", 1).begin();
    kill_all(&mut game, &[0]);
    assert_eq!(game.state(), GameState::GameOver);
    game.restart().step(steps(1.0));
    assert_eq!(game.state(), GameState::Running);
    assert!(game.is_alive(0) && game.is_alive(1));
}

#[test]
fn full_stash_ends_the_match_only_if_the_rules_say_so() {
    for is_ending in [true, false] {
        let rules = |assets: &mut Assets| assets.game.rules.full_stash_ends_match = is_ending;
        let mut game = scenario(".>.0.").with_assets(rules).begin();
        game.carry(0, 100.0).store(0, 240.0).drive(0, 1.0, 0.0).step(60);
        assert_eq!(game.stashed(0), 250.0);
        assert_eq!(game.state() == GameState::GameOver, is_ending);
    }
}
