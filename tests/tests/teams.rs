//! Teams: seats play together in pairs, and the sum of their stashes counts. One test per rule.

use std::f32::consts::{FRAC_PI_2, PI};

use bounty_hunter::ai_controller::explain;
use bounty_hunter::assets::Assets;
use bounty_hunter::balance::MatchCounts;
use bounty_hunter::config::{CrownRules, TeamRules};
use bounty_hunter::events::{BountyStashed, GameObjectKilled, MineExploded, NearMissed, StashFull};
use bounty_hunter::input::Inputs;
use bounty_hunter::mine::{CarriedMine, MineLayer};
use bounty_hunter::physics::{Category, Pose};
use bounty_hunter::replay::{Playback, Recorder, Replay};
use bounty_hunter::results::standings;
use bounty_hunter::senses::CollectorAvoider;
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::spell::Spell;
use bounty_hunter::team::Team;
use bounty_hunter::view::{Ending, GameState, MatchResult, PlayerView};
use ecs::Engine;
use tests::{Game, Scenario, ai, match_in, play_at_one_and_two_threads, scenario, steps};

/// A situation with teams of two, in which only stashes of the own team accept.
fn with_teams(picture: &str) -> Scenario {
    scenario(picture).with_rules(|rules| {
        rules.teams = Some(TeamRules { players_per_team: 2 });
        rules.only_own_stash_accepts = true;
    })
}

fn mode() -> Assets {
    Assets::built_in().in_mode("teams").expect("the mode is built in")
}

fn teams(game: &Game) -> Vec<Option<u32>> {
    game.simulation().view().players.iter().map(|player| player.team.map(|team| team.number)).collect()
}

/// Deaths until now.
fn crashes(game: &Game) -> u64 {
    game.count::<GameObjectKilled>()
}

#[test]
fn seats_are_dealt_into_pairs_in_their_order_and_an_odd_last_one_plays_alone() {
    let game = with_teams("").players(5).begin();
    assert_eq!(teams(&game), [Some(0), Some(0), Some(1), Some(1), Some(2)]);
    assert_eq!(game.simulation().teams(), [0, 0, 1, 1, 2]);
    let view = game.simulation().view();
    assert!(view.are_partners(2, 3) && !view.are_partners(1, 2) && !view.are_partners(4, 4));
    for player in 0..5 {
        let [collector, stash] = [game.collector(player), game.stash_of(player)];
        assert_eq!(game.component::<Team>(collector), game.component::<Team>(stash));
    }
    let classic = scenario("").players(4).begin();
    assert_eq!((teams(&classic), classic.simulation().teams()), (vec![None; 4], vec![]));
}

#[test]
fn two_people_at_one_keyboard_are_partners_and_one_alone_has_an_ai() {
    for people in [1, 2] {
        let mut setup = MatchSetup::of_ais(7, 8, "normal");
        for (seat, person) in setup.seats.iter_mut().zip(0..people) {
            *seat = Seat::Human { person };
        }
        let view = match_in(&mode(), &setup, GameState::Running).view();
        assert!(view.are_partners(0, 1) && view.is_here(0));
        assert_eq!(view.is_here(1), people == 2);
    }
}

#[test]
fn stashes_of_partners_are_neighbours() {
    for seed in 0..8 {
        let game = with_teams("").players(8).seed(seed).begin();
        let place = |player| game.pose(game.stash_of(player)).position;
        for first in [0, 2, 4, 6] {
            let to_partner_m = place(first).distance(place(first + 1));
            let nearest_m = (0..8).filter(|other| *other != first).map(|other| place(first).distance(place(other)));
            assert!(nearest_m.fold(f32::INFINITY, f32::min) >= 0.99 * to_partner_m, "seed {seed}, player {first}");
        }
    }
}

#[test]
fn player_unloads_into_the_stash_of_its_partner_but_not_into_that_of_a_rival() {
    let mut game = with_teams(">..1").players(4).begin();
    game.carry(0, 60.0).drive(0, 1.0, 0.0).step_until(60, |game| game.pocket(0) == 0.0);
    assert_eq!((game.stashed(0), game.stashed(1), game.count::<BountyStashed>()), (0.0, 60.0, 1));
    let scores: Vec<f32> = game.simulation().view().players.iter().map(PlayerView::score).collect();
    assert_eq!(scores, [60.0, 60.0, 0.0, 0.0]);
    let mut game = with_teams(">..2").players(4).begin();
    game.carry(0, 60.0).drive(0, 1.0, 0.0).step(60);
    assert_eq!((game.pocket(0), game.stashed(2)), (60.0, 0.0));
}

#[test]
fn stashes_of_a_team_are_full_together_and_the_excess_is_lost() {
    let mut game = with_teams(">..1").players(4).begin();
    game.store(0, 150.0).store(1, 30.0).store(2, 150.0).store(3, 90.0);
    game.carry(0, 69.0).drive(0, 1.0, 0.0).step_until(60, |game| game.pocket(0) == 0.0);
    assert_eq!((game.stashed(1), game.state(), game.count::<StashFull>()), (99.0, GameState::Running, 0));
    game.put(
        game.collector(0),
        Pose::new(game.pose(game.stash_of(1)).position - glam::Vec2::new(6.0, 0.0), -FRAC_PI_2),
    );
    game.step(2).carry(0, 40.0).drive(0, 1.0, 0.0).step_until(60, |game| game.state() == GameState::GameOver);
    assert_eq!((game.stashed(0), game.stashed(1), game.count::<StashFull>()), (150.0, 100.0, 1));
    assert_eq!(game.result(), Some(MatchResult { ending: Ending::StashFull, winner: Some(0) }));
    assert!(game.simulation().has_won(0) && game.simulation().has_won(1) && !game.simulation().has_won(2));
}

/// The end by the clock of a match in which the stashes hold this.
fn at_the_end(stashed: &[f32]) -> Game {
    let mut game = with_teams("").players(stashed.len()).lasting(1.0).begin();
    stashed.iter().enumerate().for_each(|(player, points)| _ = game.store(player, *points));
    game.step_until(steps(2.0), |game| game.state() == GameState::GameOver);
    game
}

#[test]
fn team_with_the_fullest_sum_wins_and_both_of_its_players_have_won() {
    let game = at_the_end(&[100.0, 0.0, 40.0, 70.0, 90.0]);
    assert_eq!(
        game.result(),
        Some(MatchResult { ending: Ending::Time, winner: Some(3) }),
        "the better one of the team"
    );
    let (view, all) = (game.simulation().view(), standings(game.simulation()));
    assert_eq!([0, 1, 2, 3, 4].map(|player| view.has_won(player)), [false, false, true, true, false]);
    assert_eq!([0, 1, 2, 3, 4].map(|player| game.simulation().has_won(player)), [false, false, true, true, false]);
    assert_eq!(all.iter().map(|player| player.place).collect::<Vec<_>>(), [2, 2, 1, 1, 3]);
}

#[test]
fn player_without_a_partner_can_win_and_equal_sums_are_a_draw() {
    let alone = at_the_end(&[100.0, 0.0, 40.0, 50.0, 110.0]);
    assert_eq!(alone.result().and_then(|result| result.winner), Some(4));
    let draw = at_the_end(&[100.0, 10.0, 55.0, 55.0]);
    assert_eq!(draw.result(), Some(MatchResult { ending: Ending::Time, winner: None }));
    assert!((0..4).all(|player| !draw.simulation().has_won(player) && !draw.simulation().view().has_won(player)));
    assert!(standings(draw.simulation()).iter().all(|player| player.place == 1));
}

#[test]
fn partners_drive_through_each_other_and_rivals_crash() {
    let head_on = |mut game: Game, [one, other]: [u32; 2]| {
        let before = [one, other].map(|player| game.pose(game.collector(player as usize)).position.x);
        game.drive(one, 1.0, 0.0).drive(other, 1.0, 0.0).step(steps(1.0));
        let after = [one, other].map(|player| game.pose(game.collector(player as usize)).position.x);
        (game, before, after)
    };
    let place = |first: usize, second: usize| {
        with_teams("")
            .players(4)
            .collector_at(first, -10.0, 0.0, -FRAC_PI_2)
            .collector_at(second, 10.0, 0.0, FRAC_PI_2)
            .begin()
    };
    let (game, before, after) = head_on(place(0, 1), [0, 1]);
    assert_eq!(crashes(&game), 0);
    assert!(before[0] < before[1] && after[0] > after[1], "{before:?} {after:?}");
    let (game, ..) = head_on(place(1, 2), [1, 2]);
    assert_eq!((crashes(&game), game.is_alive(1), game.is_alive(2)), (2, false, false));
}

#[test]
fn partners_never_die_by_each_other_whatever_the_rules_add() {
    // Health, chain and crown know of crashes and near misses.
    let setup = |first: usize, second: usize| {
        let crown = Some(CrownRules { reward_share: 0.5 });
        let spells = Assets::built_in().in_mode("spells").expect("the mode is built in");
        let mut game = with_teams("")
            .players(4)
            .with_health()
            .with_rules(|rules| (rules.crown, rules.chain) = (crown, spells.game.rules.chain))
            .collector_at(first, 0.0, -10.0, 0.0)
            .collector_at(second, 1.0, 10.0, PI)
            .begin();
        game.carry(first, 50.0).carry(second, 50.0).drive(first as u32, 1.0, 0.0).drive(second as u32, 1.0, 0.0);
        game.step(steps(1.0));
        let hits = [first, second].map(|player| game.simulation().statistics().of(player as u32).hits);
        (hits, game.count::<NearMissed>())
    };
    assert_eq!(setup(0, 1), ([0, 0], 0));
    assert_eq!(setup(1, 2).0, [1, 1]);
}

#[test]
fn strike_and_mine_spare_the_partner() {
    let mut game = with_teams("").players(4).with_spells().begin();
    game.make_ready(0).cast(0, Spell::Strike).step(3);
    assert_eq!([0, 1, 2, 3].map(|player| game.is_alive(player)), [true, true, false, false]);

    let exploded = |victim: usize| {
        let mut game =
            with_teams("").players(4).with_power_up("Mine(lay_seconds: 0.0, stash_clearance_m: 0.0)").begin();
        let (owner, victim, here) = (game.collector(0), game.collector(victim), Pose::at(0.0, 0.0));
        let carried = Some(CarriedMine { left_seconds: 0.0, stash_clearance_m: 0.0 });
        game.component_mut::<MineLayer>(owner).carried = carried;
        game.put(owner, here).step(2).put(owner, Pose::at(0.0, 30.0)).step(steps(1.1));
        game.put(victim, here).step(3).count::<MineExploded>()
    };
    assert_eq!((exploded(1), exploded(2)), (0, 1));
}

#[test]
fn ai_neither_rams_nor_shuns_its_partner() {
    // A rich collector ahead of an aggressive AI, at a distance at which it is prey, and then at one at which it is a
    // threat.
    let look = |player: usize| {
        let ahead = |y: f32| {
            let mut game = with_teams("")
                .players(4)
                .seat(0, ai("hard"))
                .with_assets(|assets| assets.ai.get_mut("hard").expect("it is built in").aggression = 1.0)
                .collector_at(0, 0.0, 0.0, 0.0)
                .collector_at(player, 0.0, y, PI)
                .begin();
            game.carry(player, 100.0).step(3);
            game
        };
        let (mut far, near) = (ahead(16.0), ahead(7.0));
        let (me, other) = (far.collector(0), far.collector(player));
        let seen = explain(far.simulation_mut().engine_mut(), me).expect("an AI drives it");
        let is_prey = seen.choices.iter().any(|choice| choice.entity == other);
        let me = near.collector(0);
        (is_prey, near.component::<CollectorAvoider>(me).collectors.as_slice().len())
    };
    assert_eq!(look(1), (false, 0));
    assert_eq!(look(2), (true, 1));
}

#[test]
fn ai_unloads_at_the_nearest_stash_of_its_team() {
    let mut game = with_teams("").players(4).seat(0, ai("normal")).collector_at(0, 0.0, 0.0, 0.0).begin();
    let (own, near) = (game.stash_of(0), game.stash_of(1));
    game.put(own, Pose::at(60.0, 0.0)).put(near, Pose::at(-20.0, 0.0)).carry(0, 95.0);
    game.step_until(steps(6.0), |game| game.pocket(0) == 0.0);
    assert_eq!((game.stashed(0), game.stashed(1)), (0.0, 95.0));
}

#[test]
fn leader_is_the_better_player_of_the_fullest_team() {
    let mut game = with_teams("").players(4).begin();
    let mut leader_with = |stashed: [f32; 4]| {
        (0..4).for_each(|player| _ = game.store(player, stashed[player]));
        game.step(steps(1.1)).simulation().view().leader
    };
    assert_eq!(leader_with([90.0, 0.0, 40.0, 60.0]), Some(3));
    assert_eq!(leader_with([100.0, 0.0, 40.0, 60.0]), None, "the teams tie");
    assert_eq!(leader_with([100.0, 1.0, 40.0, 60.0]), Some(0));
}

#[test]
fn lead_changes_between_teams_and_not_within_one() {
    let mut game = with_teams("").players(4).begin();
    let mut counts = MatchCounts::default();
    for stashed in [[30.0, 0.0, 0.0, 0.0], [30.0, 40.0, 0.0, 0.0], [80.0, 40.0, 0.0, 0.0], [0.0, 0.0, 60.0, 90.0]] {
        (0..4).for_each(|player| _ = game.store(player, stashed[player]));
        game.step(1);
        counts.watch(game.simulation().engine());
    }
    assert_eq!(counts.lead_changes, 1);
}

#[test]
fn match_of_lives_goes_on_while_two_teams_are_in() {
    let mut game = with_teams("").players(4).with_rules(|rules| rules.lives = Some(1)).begin();
    let mut kill = |player: usize| {
        let collector = game.collector(player);
        game.kill(collector).step(3).state()
    };
    assert_eq!((kill(0), kill(2)), (GameState::Running, GameState::Running), "one of each team is left");
    assert_eq!(kill(3), GameState::GameOver);
    assert_eq!(game.result(), Some(MatchResult { ending: Ending::LastStanding, winner: Some(0) }));
    assert!(game.simulation().has_won(0) && game.simulation().has_won(1) && !game.simulation().has_won(2));
}

#[test]
fn save_and_snapshot_between_go_on_alike() {
    let mut assets = mode();
    assets.game.countdown_seconds = 0.1;
    let begin =
        || Game::playing(Simulation::new(&assets, &MatchSetup::of_ais(9, 5, "normal")).expect("it can be set up"));
    for when in [30, 400, 900] {
        let mut game = begin();
        game.step(when);
        let snapshot = game.simulation_mut().snapshot().expect("it can be taken");
        let saved = game.simulation_mut().save().expect("it can be saved");
        let usual = game.step(500).simulation_mut().state_hash();
        game.simulation_mut().restore(&snapshot).expect("it is of this match");
        let mut loaded = begin();
        loaded.simulation_mut().load(&saved).expect("it is of this match");
        assert_eq!(loaded.simulation().teams(), [0, 0, 1, 1, 2]);
        let [restored, loaded] = [&mut game, &mut loaded].map(|game| game.step(500).simulation_mut().state_hash());
        assert_eq!((restored, loaded), (usual, usual), "{when}");
    }
}

#[test]
fn hash_covers_the_teams() {
    let mut game = with_teams("").players(4).begin();
    let before = game.simulation_mut().state_hash();
    let collector = game.collector(3);
    game.component_mut::<Team>(collector).number = 0;
    assert_ne!(game.simulation_mut().state_hash(), before);
}

#[test]
fn replay_of_a_match_of_teams_is_verified() {
    let (assets, setup) = (mode(), MatchSetup { play_seconds: Some(20.0), ..MatchSetup::of_ais(3, 6, "normal") });
    let mut simulation = Simulation::new(&assets, &setup).expect("it can be set up");
    let mut recorder = Recorder::new("teams", &assets, &setup).expect("it can be recorded");
    while simulation.state() != GameState::GameOver {
        simulation.step(&Inputs::none());
        recorder.note(&Inputs::none(), &mut simulation);
    }
    let replay = Replay::from_bytes(&recorder.replay(&mut simulation).to_bytes()).expect("it is a replay");
    assert_eq!(replay.about().mode, "teams");
    let mut playback = Playback::new(replay, &Assets::built_in(), Engine::builder()).expect("it is of these assets");
    playback.verify().expect("it plays as it was recorded");
    assert_eq!(playback.simulation().result(), simulation.result());
}

#[test]
fn mode_is_played_and_equal_at_one_and_two_threads() {
    let mut assets = mode();
    assets.game.countdown_seconds = 0.1;
    let setup = MatchSetup { play_seconds: Some(40.0), ..MatchSetup::of_ais(21, 12, "normal") };
    let played = play_at_one_and_two_threads(&assets, &setup, |_| Inputs::none());
    assert!(played.stashes().iter().sum::<f32>() > 500.0, "{:?}", played.stashes());
}

#[test]
fn no_partner_is_ever_touched_in_a_match() {
    let mut game = Game::playing(match_in(&mode(), &MatchSetup::of_ais(4, 16, "normal"), GameState::Running));
    let players = game.players();
    let mut touched = 0;
    for _ in 0..steps(45.0) {
        game.step(1);
        let physics = game.simulation().engine().resource::<bounty_hunter::physics::Physics>().expect("there is one");
        for contact in physics.contacts().iter().filter(|contact| contact.category_b == Category::Collector) {
            let seat = |key: u64| players.0.iter().position(|player| player.collector.bits() == key);
            if let Some((one, other)) = seat(contact.a.0).zip(seat(contact.b.0)) {
                assert_ne!(one / 2, other / 2);
                touched += 1;
            }
        }
    }
    assert!(touched > 10, "{touched} contacts of rivals");
}

#[test]
fn team_size_that_cannot_be_is_one_sentence() {
    for (size, remedy) in [("1", "must be at least 2"), ("0", "must be positive"), ("101", "must be at most 100")] {
        let text = format!(
            "(title: \"Odd\", description: \"Odd teams.\", game: (rules: (teams: Some((players_per_team: {size})))))"
        );
        let error = Assets::with_texts([("modes/odd.ron", text.as_str())]).unwrap_err().to_string();
        assert!(error.starts_with("modes/odd.ron:1:") && error.contains(remedy), "{error}");
        assert!(error.contains("players_per_team") && !error.contains('\n'), "{error}");
    }
}
