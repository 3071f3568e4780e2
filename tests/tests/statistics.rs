//! The statistics of players: what they count, how long they are kept, and that the match does not depend on them.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::spell::Spell;
use bounty_hunter::statistics::{Awards, PlayerStatistics, Statistics};
use bounty_hunter::view::GameState;
use tests::{Game, match_in, scenario, steps};

fn of(game: &Game, player: u32) -> PlayerStatistics {
    game.simulation().statistics().of(player)
}

#[test]
fn collected_bounties_and_deliveries_are_those_of_the_collector() {
    let mut game = scenario(">.b.b.1").worth(20.0).players(2).begin();
    game.drive(0, 1.0, 0.0).step_until(120, |game| game.stashed(1) > 0.0);
    let (bounties, deliveries, best_delivery, longest_chain) = (2, 1, 40.0, 2);
    let usual = PlayerStatistics::default();
    let expected = PlayerStatistics { bounties, deliveries, best_delivery, longest_chain, ..usual };
    assert_eq!((of(&game, 0), of(&game, 1)), (expected, usual), "the stash is that of a rival");
    game.carry(0, 30.0);
    assert_eq!(game.simulation().view().players[0].statistics, expected);
}

#[test]
fn each_player_that_goes_out_has_its_place() {
    let mut game = scenario(">..........<").players(3).with_assets(|assets| assets.game.rules.lives = Some(2)).begin();
    for player in [2, 0, 2, 0] {
        let collector = game.collector(player);
        game.kill(collector).step(steps(3.2));
    }
    let found: Vec<_> = game.simulation().statistics().players.iter().map(|one| (one.deaths, one.out_as)).collect();
    assert_eq!(found, [(2, Some(2)), (0, None), (2, Some(3))]);
    let awards = game.simulation().statistics().awards;
    assert_eq!(game.state(), GameState::GameOver);
    assert_eq!(awards.fewest_deaths.map(|award| (award.player, award.amount)), Some((1, 0.0)));
    assert_eq!((awards.most_bounties, awards.best_delivery), (None, None), "nobody has collected anything");
}

#[test]
fn cast_and_refused_spells_are_counted() {
    let mut game = scenario(">..........<").with_spells().begin();
    game.make_ready(0).cast(0, Spell::Magnet).step(1).cast(0, Spell::Magnet).step(2);
    assert_eq!((of(&game, 0).spells, of(&game, 0).refused_spells), (1, 1));
    assert_eq!((of(&game, 1).spells, of(&game, 1).refused_spells), (0, 0));
}

#[test]
fn collectors_that_hurt_each_other_are_hit() {
    let mut game = scenario(">....<").with_health().begin();
    game.drive(0, 1.0, 0.0).drive(1, 1.0, 0.0).step_until(60, |game| of(game, 0).hits > 0);
    assert_eq!((of(&game, 0).hits, of(&game, 1).hits), (1, 1));
}

#[test]
fn pauses_are_measured_in_steps() {
    let mut game = scenario(">...").begin();
    game.pause().step(50).resume().step(20).pause().step(7).resume().step(1);
    let paused = game.simulation().statistics().paused_ticks;
    assert!((57..=61).contains(&paused), "{paused} steps");
    assert_eq!(game.simulation().view().paused_seconds, paused as f32 / 60.0);
}

#[test]
fn a_restart_begins_anew() {
    let mut game = scenario(">...").begin();
    let collector = game.collector(0);
    game.kill(collector).step(2).pause().step(9).restart().step(3);
    assert_eq!((of(&game, 0), game.simulation().statistics().paused_ticks), (PlayerStatistics::default(), 0));
}

fn of_ais() -> Simulation {
    let assets = Assets::built_in().in_mode("spells").expect("the mode is built in");
    match_in(&assets, &MatchSetup::of_ais(7, 6, "normal"), GameState::Running)
}

fn after(simulation: &mut Simulation, steps: u32) -> Statistics {
    (0..steps).for_each(|_| _ = simulation.step(&Inputs::none()));
    simulation.statistics().clone()
}

#[test]
fn restored_and_loaded_matches_continue_with_their_statistics() {
    let mut simulation = of_ais();
    let then = after(&mut simulation, 1_800);
    assert!(then.players.iter().any(|player| player.bounties > 0 && player.deaths > 0), "{then:?}");
    let (snapshot, bytes) = (simulation.snapshot().unwrap(), simulation.save().unwrap());
    let later = after(&mut simulation, 600);
    assert_ne!(then, later);
    simulation.restore(&snapshot).unwrap();
    assert_eq!(*simulation.statistics(), then);
    assert_eq!(after(&mut simulation, 600), later);
    let mut loaded = of_ais();
    loaded.load(&bytes).unwrap();
    assert_eq!(*loaded.statistics(), then);
    assert_eq!(after(&mut loaded, 600), later);
}

#[test]
fn the_match_does_not_depend_on_its_statistics() {
    let mut simulation = of_ais();
    let mut forged = of_ais();
    forged.engine_mut().insert_resource(Statistics::default());
    assert_eq!(forged.state_hash(), simulation.state_hash());
    assert_ne!(after(&mut forged, 900), after(&mut simulation, 900));
    assert_eq!(forged.state_hash(), simulation.state_hash());
}

#[test]
fn a_whole_match_has_awards_that_fit_its_players() {
    let mut simulation = of_ais();
    while simulation.step(&Inputs::none()).state != GameState::GameOver {}
    let statistics = simulation.statistics();
    assert_ne!(statistics.awards, Awards::default(), "{:?}", *statistics);
    let counts = simulation.event_counts();
    let sum = |count: fn(&PlayerStatistics) -> u32| u64::from(statistics.players.iter().map(count).sum::<u32>());
    assert_eq!(sum(|player| player.bounties), counts["BountyCollected"]);
    assert_eq!(sum(|player| player.deliveries), counts["BountyStashed"]);
    assert_eq!(sum(|player| player.spells), counts["SpellCast"]);
    let best = statistics.players.iter().map(|player| player.best_delivery).fold(0.0, f32::max);
    assert!(statistics.awards.best_delivery.is_none_or(|award| award.amount == best));
}
