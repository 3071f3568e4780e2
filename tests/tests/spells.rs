//! Spells: purge, strike and magnet, their casters and cool-downs. One test per rule.

use bounty_hunter::assets::Assets;
use bounty_hunter::events::{CastSpell, SpellCast, SpellRefused};
use bounty_hunter::input::{Cheat, Inputs};
use bounty_hunter::level::{Level, LevelWall};
use bounty_hunter::simulation::{MatchSetup, Seat};
use bounty_hunter::spell::{Magnet, Spell, SpellCaster};
use bounty_hunter::view::GameState;
use ecs::{Setup, System};
use tests::{Game, Scenario, ai, match_in, play_at_one_and_two_threads, scenario, steps};

/// Starts a match in which all spells are ready.
fn ready(scene: Scenario) -> Game {
    let mut game = scene.with_spells().begin();
    (0..game.players().0.len()).for_each(|player| _ = game.make_ready(player));
    game
}

fn left_seconds(game: &Game, player: usize, spell: Spell) -> f32 {
    game.component::<SpellCaster>(game.collector(player)).left_seconds[spell.index()]
}

/// The numbers of cast and refused spells.
fn cast_and_refused(game: &Game) -> (u64, u64) {
    (game.count::<SpellCast>(), game.count::<SpellRefused>())
}

// Effects

#[test]
fn purge_destroys_every_bounty_without_payment() {
    let mut game = ready(scenario("^..b...b..b"));
    game.carry(0, 30.0).cast(0, Spell::Purge).step(2);
    assert_eq!((game.bounties().len(), game.pocket(0), game.living()), (0, 30.0, 1));
    game.step_until(steps(3.0), |game| game.bounties().len() == 3);
}

#[test]
fn strike_kills_all_other_collectors_and_they_lose_their_loads() {
    let mut game = ready(scenario("^....v....^...b"));
    (0..3).for_each(|player| _ = game.carry(player, 40.0));
    game.cast(1, Spell::Strike).step(2);
    assert_eq!([0, 1, 2].map(|player| game.is_alive(player)), [false, true, false]);
    assert_eq!([0, 1, 2].map(|player| game.pocket(player)), [0.0, 40.0, 0.0]);
    assert_eq!(game.bounties().len(), 1);
    game.step_until(steps(3.5), |game| game.living() == 3);
}

#[test]
fn strike_spares_ghosts() {
    let mut game = ready(scenario("^....^....^").with_power_ups(600.0));
    game.make_ghost(2, 600.0);
    game.cast(0, Spell::Strike).step(2);
    assert_eq!([0, 1, 2].map(|player| game.is_alive(player)), [true, false, true]);
}

#[test]
fn two_collectors_that_strike_each_other_both_die() {
    let mut game = ready(scenario("^....^"));
    game.cast(1, Spell::Strike).cast(0, Spell::Strike).step(2);
    assert_eq!((game.living(), cast_and_refused(&game)), (0, (2, 0)));
}

#[test]
fn magnet_pulls_bounties_in_range_until_it_expires() {
    let mut game =
        ready(scenario("").collector_at(0, 0.0, 0.0, 0.0).bounty_at(15.0, 0.0, 10.0).bounty_at(0.0, 40.0, 10.0));
    let [near, far] = game.bounty_entities()[..] else { panic!("there are two") };
    game.cast(0, Spell::Magnet).step(1 + steps(1.0));
    let x = game.pose(near).position.x;
    assert!((4.5..5.5).contains(&x), "{x} after a second at 10 m/s");
    assert_eq!(game.pose(far).position.y, 40.0);
    game.step(steps(1.0));
    assert_eq!(game.pocket(0), 10.0, "it reached the caster");
    assert!(game.simulation().engine().has::<Magnet>(game.collector(0)));
    game.step(steps(1.1));
    assert!(!game.simulation().engine().has::<Magnet>(game.collector(0)));
}

#[test]
fn bounty_stops_when_the_magnet_expires() {
    let mut game = ready(scenario("").collector_at(0, 0.0, 0.0, 0.0).bounty_at(19.0, 0.0, 10.0));
    let bounty = game.bounty_entities()[0];
    game.cast(0, Spell::Magnet).step(steps(1.0));
    let caster = game.collector(0);
    game.component_mut::<Magnet>(caster).left_seconds = 0.01;
    game.step(2);
    let place = game.pose(bounty);
    game.step(steps(1.0));
    assert_eq!(game.pose(bounty), place);
}

#[test]
fn magnet_pulls_across_the_edge_of_the_world() {
    let mut game = ready(scenario("").collector_at(0, 72.0, 0.0, 0.0).bounty_at(-70.0, 0.0, 10.0));
    game.cast(0, Spell::Magnet).step(steps(1.0));
    assert_eq!(game.pocket(0), 10.0);
}

#[test]
fn magnet_pulls_nothing_through_a_wall() {
    let walls = vec![LevelWall { at_m: (8.0, 0.0), half_extents_m: (1.0, 6.0) }];
    let scene = scenario("").collector_at(0, 0.0, 0.0, 0.0).bounty_at(15.0, 0.0, 10.0).with_assets(|assets| {
        let level: &mut Level = assets.levels.get_mut("arena").expect("it is built in");
        level.walls = walls;
    });
    let mut game = ready(scene);
    let bounty = game.bounty_entities()[0];
    game.cast(0, Spell::Magnet).step(steps(2.5));
    let place = game.pose(bounty).position;
    assert!((9.5..10.5).contains(&place.x) && place.y.abs() < 0.5, "the wall stops it, at {place}");
    assert_eq!(game.pocket(0), 0.0);
}

#[test]
fn nearer_of_two_magnets_gets_the_bounty() {
    let mut game =
        ready(scenario("").collector_at(0, -10.0, 0.0, 0.0).collector_at(1, 6.0, 0.0, 0.0).bounty_at(0.0, 0.0, 10.0));
    game.cast(0, Spell::Magnet).cast(1, Spell::Magnet).step(steps(1.0));
    assert_eq!([0, 1].map(|player| game.pocket(player)), [0.0, 10.0]);
}

#[test]
fn killed_collector_loses_its_magnet_in_every_step() {
    // The magnet lasts 180 steps from the second step on; deaths before, in and after its last step.
    for step in [1, 50, 178, 179, 180, 181, 182, 183] {
        let mut game = ready(scenario("^....^").bounty_at(15.0, 0.0, 10.0));
        game.cast(0, Spell::Magnet).step(step);
        let caster = game.collector(0);
        game.kill(caster).step(1);
        assert!(!game.simulation().engine().has::<Magnet>(caster), "killed in step {step}");
        let errors = game.simulation().engine().command_errors();
        assert!(errors.is_empty(), "killed in step {step}: {errors:?}");
        game.step_until(steps(3.5), |game| game.is_alive(0));
        assert_eq!(game.simulation().view().collectors[0].magnet_range, 0.0);
    }
}

#[test]
fn struck_collector_does_not_keep_the_magnet_that_it_casts_in_the_same_step() {
    let mut game = ready(scenario("^....^"));
    game.cast(0, Spell::Strike).cast(1, Spell::Magnet).step(2);
    assert_eq!((game.is_alive(1), cast_and_refused(&game)), (false, (2, 0)));
    assert!(!game.simulation().engine().has::<Magnet>(game.collector(1)));
}

// Cool-downs

#[test]
fn cooling_spell_is_refused() {
    let mut game = ready(scenario("^....b"));
    game.cast(0, Spell::Purge).step(1);
    assert_eq!(left_seconds(&game, 0, Spell::Purge), 10.0);
    game.step(steps(9.9)).cast(0, Spell::Purge).step(2);
    assert_eq!(cast_and_refused(&game), (1, 1));
    game.step(steps(0.2)).cast(0, Spell::Purge).step(2);
    assert_eq!(cast_and_refused(&game), (2, 1));
}

#[test]
fn cool_downs_of_spells_and_players_are_independent() {
    let mut game = ready(scenario("^....^"));
    game.cast(0, Spell::Purge).step(1).cast(0, Spell::Magnet).cast(1, Spell::Purge).step(2);
    assert_eq!(cast_and_refused(&game), (3, 0));
    assert!(left_seconds(&game, 0, Spell::Strike) == 0.0 && left_seconds(&game, 1, Spell::Magnet) == 0.0);
}

#[test]
fn spells_cool_down_from_the_start_of_a_match() {
    let mut game = scenario("^....b").with_spells().begin();
    game.cast(0, Spell::Purge).step(steps(9.9));
    assert_eq!(cast_and_refused(&game), (0, 1));
    game.step(steps(0.2)).cast(0, Spell::Purge).step(2);
    assert_eq!(cast_and_refused(&game), (1, 1));
}

#[test]
fn dead_collector_cools_down_and_cannot_cast() {
    let mut game = ready(scenario("^....^"));
    game.cast(0, Spell::Purge).step(1);
    let caster = game.collector(0);
    game.kill(caster).step(1);
    game.cast(0, Spell::Strike).step(steps(2.0));
    assert_eq!((cast_and_refused(&game), game.is_alive(1)), ((1, 1), true));
    assert!((7.5..8.5).contains(&left_seconds(&game, 0, Spell::Purge)));
}

#[test]
fn spells_of_one_step_are_cast_in_the_order_of_seats() {
    #[derive(Default)]
    struct Witness(Vec<(ecs::EntityId, Spell)>);
    impl System for Witness {
        fn setup(setup: &mut Setup<Self>) {
            setup.listen(Self::on_cast);
        }
    }
    impl Witness {
        fn on_cast(&mut self, event: &SpellCast) {
            self.0.push((event.caster, event.spell));
        }
    }
    let mut game = ready(scenario("^....^....^"));
    game.simulation_mut().engine_mut().add(Witness::default()).expect("it fits in");
    game.cast(2, Spell::Magnet).cast(0, Spell::Magnet).cast(1, Spell::Purge).cast(0, Spell::Purge).step(2);
    let seen = &game.simulation().engine().system::<Witness>().expect("it is there").0;
    let expected = [(0, Spell::Purge), (0, Spell::Magnet), (1, Spell::Purge), (2, Spell::Magnet)];
    assert_eq!(*seen, expected.map(|(player, spell)| (game.collector(player), spell)));
}

#[test]
fn spells_are_cast_only_while_the_match_runs() {
    let mut game = ready(scenario("^....^....b"));
    game.cast(0, Spell::Strike).pause().cast(0, Spell::Purge).step(3).resume().step(5);
    assert_eq!((game.state(), cast_and_refused(&game)), (GameState::Running, (0, 0)));
    assert_eq!((game.living(), game.bounties().len()), (2, 1));
}

#[test]
fn pause_stops_cool_downs_and_magnets() {
    let mut game = ready(scenario("^....^"));
    game.cast(0, Spell::Magnet).step(30).pause();
    let before = (left_seconds(&game, 0, Spell::Magnet), *game.component::<Magnet>(game.collector(0)));
    game.step(steps(5.0));
    assert_eq!((left_seconds(&game, 0, Spell::Magnet), *game.component::<Magnet>(game.collector(0))), before);
}

// Requests

/// An AI with three bounties ahead.
fn bounties_ahead() -> Scenario {
    let scene = scenario("^").seat(0, ai("normal"));
    scene.bounty_at(-4.0, 18.0, 10.0).bounty_at(0.0, 18.0, 10.0).bounty_at(4.0, 18.0, 10.0)
}

#[test]
fn ai_pulls_in_bounties_when_it_sees_several() {
    let mut game = ready(bounties_ahead());
    let taken = game.step_until(steps(2.0), |game| game.count::<SpellCast>() == 1);
    assert!(taken <= 31, "it took {taken} steps");
    assert!(game.simulation().engine().has::<Magnet>(game.collector(0)));
}

#[test]
fn relieved_ai_casts_nothing() {
    let mut game = ready(bounties_ahead());
    game.cheat(Cheat::Possess).step(60);
    assert_eq!(game.count::<CastSpell>(), 0);
}

#[test]
fn ai_strikes_a_rival_about_to_win() {
    let mut game = ready(scenario("^....^").seat(1, ai("normal")));
    game.store(0, 240.0).step_until(31, |game| game.count::<SpellCast>() == 1);
    game.step(2);
    assert_eq!([0, 1].map(|player| game.is_alive(player)), [false, true]);
}

#[test]
fn view_shows_cool_downs_and_magnets() {
    let mut game = ready(scenario("^....^"));
    game.cast(0, Spell::Magnet).step(1);
    let view = game.simulation().view();
    let spells = view.players[0].spells.expect("there are spells");
    assert_eq!(spells.map(|spell| spell.left_seconds), [0.0, 0.0, 30.0]);
    assert_eq!(spells.map(|spell| spell.cooldown_seconds), [10.0, 20.0, 30.0]);
    assert_eq!([view.collectors[0].magnet_range, view.collectors[1].magnet_range], [20.0, 0.0]);
}

// Classic matches, restarts, events and determinism

#[test]
fn classic_match_has_no_spells_and_ignores_requests() {
    let mut game = scenario("^....^....b").begin();
    game.cast(0, Spell::Strike).cast(1, Spell::Purge).step(3);
    let engine = game.simulation().engine();
    assert!(engine.components().pool::<SpellCaster>().is_none_or(|pool| pool.is_empty()));
    assert!(engine.system::<bounty_hunter::spell::Spells>().is_none());
    assert_eq!((game.living(), game.bounties().len(), game.count::<CastSpell>()), (2, 1, 0));
    assert_eq!(game.simulation().view().players[0].spells, None);
}

#[test]
fn request_of_an_unknown_player_is_ignored() {
    let mut game = ready(scenario("^....^"));
    game.cast(2, Spell::Strike).cast(u32::MAX, Spell::Purge).step(2);
    assert_eq!(cast_and_refused(&game), (0, 0));
}

#[test]
fn restarted_match_has_exhausted_casters_and_no_magnets() {
    let mut game = ready(scenario("^....^"));
    game.cast(0, Spell::Magnet).step(5).cast(0, Spell::Purge).pause().restart();
    game.step_until(20, |game| game.state() == GameState::Running);
    let caster = game.component::<SpellCaster>(game.collector(0));
    assert_eq!((caster.is_asked_for, caster.left_seconds), ([false; 3], [10.0, 20.0, 30.0]));
    assert!(!game.simulation().engine().has::<Magnet>(game.collector(0)));
}

#[test]
fn events_of_spells_have_their_senders_and_listeners() {
    let mut game = scenario("^").with_spells().begin();
    let requested = game.route("CastSpell");
    assert!(requested.comes_from_outside);
    assert_eq!((requested.senders, requested.listeners), (vec!["AiSpellRequests"], vec!["Spells"]));
    for event in ["SpellCast", "SpellRefused"] {
        let route = game.route(event);
        assert!(route.comes_from_outside && route.senders.is_empty(), "`cast_spells` alone sends {event}");
        assert_eq!(route.listeners, ["Spells"], "{event}");
    }
}

#[test]
fn hash_covers_cool_downs_and_magnets() {
    let mut game = ready(scenario("^"));
    let (caster, before) = (game.collector(0), game.simulation_mut().state_hash());
    game.component_mut::<SpellCaster>(caster).left_seconds[1] = 1.0;
    let after = game.simulation_mut().state_hash();
    assert_ne!(after, before);
    let magnet = (Magnet { left_seconds: 1.0, range_m: 20.0, speed_mps: 10.0 },);
    game.simulation_mut().engine_mut().insert(caster, magnet).expect("it is there");
    assert_ne!(game.simulation_mut().state_hash(), after);
}

#[test]
fn match_with_spells_is_equal_at_one_and_two_threads_and_every_time() {
    let mut assets = Assets::built_in().in_mode("spells").expect("the mode is built in");
    assets.game.countdown_seconds = 0.1;
    let spells = assets.game.rules.spells.as_mut().expect("they are on");
    (spells.purge_cooldown_seconds, spells.strike_cooldown_seconds) = (4.0, 6.0);
    spells.magnet_cooldown_seconds = 5.0;
    let mut setup = MatchSetup { play_seconds: Some(40.0), ..MatchSetup::of_ais(5, 12, "normal") };
    setup.seats[0] = Seat::Script;
    // The script requests all the time, one spell after the other.
    let script = |tick: u64| Inputs::none().cast(0, Spell::ALL[(tick / 50) as usize % Spell::COUNT]);
    let played = play_at_one_and_two_threads(&assets, &setup, script);
    let counts = played.event_counts();
    let count = |name: &str| counts.get(name).copied().unwrap_or(0);
    assert!(count("SpellCast") > 20, "only {} spells were cast", count("SpellCast"));
    assert!(count("SpellRefused") > 20 && count("GameObjectKilled") > 50);
}

#[test]
fn ais_cast_spells_and_bring_bounty_home() {
    let assets = Assets::built_in().in_mode("spells").expect("the mode is built in");
    let (mut cast, mut stashed) = (0, 0);
    for seed in [1, 4] {
        let setup = MatchSetup::of_ais(seed, assets.game.players as usize, &assets.game.ai);
        let simulation = match_in(&assets, &setup, GameState::GameOver);
        let counts = simulation.event_counts();
        cast += counts["SpellCast"];
        stashed += counts["BountyStashed"];
    }
    assert!(cast > 20 && stashed > 15, "{cast} spells, {stashed} times stashed");
}
