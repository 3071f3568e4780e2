//! The chain and the crown: bounties that are worth more and more, near misses, loads that spill, and what the crown
//! pays. One test per rule.

use std::f32::consts::PI;

use bounty_hunter::assets::Assets;
use bounty_hunter::bounty::Bounty;
use bounty_hunter::config::{ChainRules, CrownRules};
use bounty_hunter::events::{CrownClaimed, NearMissed};
use tests::{Game, Scenario, ai, scenario, steps};

const CHAIN: ChainRules = ChainRules {
    growth_share: 0.5,
    most_links: 2,
    near_miss_m: 5.0,
    near_miss_mps: 20.0,
    spill_share: 0.5,
    spilled_bounties: 3,
    spilled_points: 10.0,
};

fn with_chain(picture: &str) -> Scenario {
    scenario(picture).with_rules(|rules| rules.chain = Some(CHAIN))
}

fn with_crown(scenario: Scenario) -> Scenario {
    scenario.with_rules(|rules| rules.crown = Some(CrownRules { reward_share: 0.5 }))
}

/// The values of the bounties in the arena.
fn values(game: &Game) -> Vec<f32> {
    game.bounties().iter().map(|bounty| bounty.value).collect()
}

fn factor(game: &Game, player: u32) -> f32 {
    let view = game.simulation().view();
    view.collectors.iter().find(|collector| collector.player == player).expect("it is alive").chain_factor
}

/// Two collectors that drive towards each other on lines that lie so far apart.
fn passing(gap_m: f32) -> Scenario {
    with_chain("").collector_at(0, 0.0, -20.0, 0.0).collector_at(1, gap_m, 20.0, PI)
}

#[test]
fn each_bounty_of_a_chain_is_worth_more_and_a_delivery_ends_it() {
    let mut game = with_chain(">.b.b.b.b.0.b").begin();
    let mut loads = Vec::new();
    game.drive(0, 1.0, 0.0);
    for _ in 0..4 {
        let load = game.pocket(0);
        game.step_until(30, |game| game.pocket(0) > load);
        loads.push(game.pocket(0));
    }
    assert_eq!(loads, [10.0, 25.0, 45.0, 65.0], "ten, fifteen, and from then on twenty");
    assert_eq!(factor(&game, 0), 2.0);
    game.step_until(30, |game| game.stashed(0) > 0.0);
    assert_eq!((game.stashed(0), factor(&game, 0)), (65.0, 1.0));
    game.step_until(30, |game| game.pocket(0) > 0.0);
    assert_eq!(game.pocket(0), 10.0);
    assert_eq!(game.simulation().statistics().of(0).longest_chain, 4);
}

#[test]
fn near_miss_is_a_link_for_whoever_carries_something() {
    let mut game = passing(4.0).begin();
    game.carry(0, 5.0).drive(0, 1.0, 0.0).drive(1, 1.0, 0.0).step(steps(1.5));
    assert_eq!((game.is_alive(0), game.is_alive(1), game.count::<NearMissed>()), (true, true, 1));
    assert_eq!((factor(&game, 0), factor(&game, 1)), (1.5, 1.0));
    assert_eq!([0, 1].map(|player| game.simulation().statistics().of(player).near_misses), [1, 1]);
}

#[test]
fn far_slow_and_ghostly_meetings_are_no_near_misses() {
    let misses = |game: &mut Game, drive: f32| {
        game.drive(0, drive, 0.0).drive(1, drive, 0.0).step(steps(1.5 / drive));
        assert_eq!((game.is_alive(0), game.is_alive(1)), (true, true));
        game.count::<NearMissed>()
    };
    assert_eq!(misses(&mut passing(6.0).begin(), 1.0), 0, "too far");
    assert_eq!(misses(&mut passing(4.0).begin(), 0.3), 0, "too slow");
    let mut with_ghost = passing(4.0).with_power_ups(9.0).begin();
    assert_eq!(misses(with_ghost.make_ghost(1, 9.0), 1.0), 0, "a ghost risks nothing");
    let mut without = scenario("").collector_at(0, 0.0, -20.0, 0.0).collector_at(1, 4.0, 20.0, PI).begin();
    assert_eq!(misses(&mut without, 1.0), 0, "a match without the rule");
}

#[test]
fn load_spills_where_its_collector_dies_and_others_can_take_it() {
    let mut game = with_chain("").collector_at(0, 0.0, 0.0, 0.0).collector_at(1, 0.0, -30.0, 0.0).begin();
    let wreck = game.collector(0);
    game.carry(0, 60.0).kill(wreck).step(2);
    assert_eq!((game.pocket(0), values(&game)), (0.0, vec![10.0; 3]), "half of it, in three bounties");
    assert!(game.bounties().iter().all(|bounty| (bounty.position.length() - 3.0).abs() < 0.1));
    game.drive(1, 1.0, 0.0).step_until(steps(2.0), |game| game.pocket(1) > 0.0);
    assert!(game.pocket(1) >= 10.0);
}

#[test]
fn spilled_bounties_fade_and_spill_again_but_never_respawn() {
    let mut game = with_chain("").mortal_bounties().collector_at(0, 0.0, 0.0, 0.0).begin();
    for load in [60.0, 120.0, 15.0] {
        let wreck = game.collector(0);
        game.carry(0, load).kill(wreck).step(2);
        let spilled = values(&game);
        assert_eq!(spilled.iter().sum::<f32>(), load / 2.0, "{spilled:?}");
        game.step(steps(12.0));
        assert_eq!(game.bounties().len(), 0);
    }
}

#[test]
fn without_the_rule_a_load_is_lost() {
    let mut game = scenario("").collector_at(0, 0.0, 0.0, 0.0).begin();
    let wreck = game.collector(0);
    game.carry(0, 60.0).kill(wreck).step(2);
    assert_eq!((game.pocket(0), game.bounties().len()), (0.0, 0));
    let engine = game.simulation_mut().engine_mut();
    assert_eq!(engine.query_filtered::<&Bounty, ecs::IncludeDisabled>().iter().count(), 0, "none waits for it");
}

/// Player 0 leads with this load; both collectors touch in the first steps.
fn crash(scenario: Scenario, load: f32) -> Game {
    let mut game = with_crown(scenario).collector_at(0, 0.0, 0.0, 0.0).collector_at(1, 10.0, 0.0, PI / 2.0).begin();
    game.store(0, 50.0).step(steps(1.1)).carry(0, load).carry(1, 8.0);
    assert_eq!(game.simulation().view().leader, Some(0));
    game.drive(1, 1.0, 0.0);
    game
}

#[test]
fn crown_pays_half_of_the_leaders_load_to_whoever_crashes_into_it() {
    let mut game = crash(scenario(""), 40.0);
    game.step_until(steps(1.0), |game| !game.is_alive(0));
    assert_eq!((game.is_alive(1), game.stashed(0), game.stashed(1)), (false, 50.0, 20.0));
    assert_eq!((game.pocket(0), game.pocket(1), game.count::<CrownClaimed>()), (0.0, 0.0, 1));
    assert_eq!([0, 1].map(|player| game.simulation().statistics().of(player).crowns), [0, 1]);
    let mut empty = crash(scenario(""), 0.0);
    empty.step_until(steps(1.0), |game| !game.is_alive(0));
    assert_eq!((empty.stashed(1), empty.count::<CrownClaimed>()), (0.0, 0), "there was nothing to take");
}

#[test]
fn what_the_crown_pays_does_not_spill() {
    let mut game = crash(with_chain(""), 40.0);
    game.step_until(steps(1.0), |game| !game.is_alive(0));
    game.step(1);
    let mut values = values(&game);
    values.sort_by(f32::total_cmp);
    assert_eq!((game.stashed(1), values), (20.0, vec![4.0, 10.0]), "half of 8 and half of the other 20");
}

#[test]
fn with_health_the_last_hit_is_paid() {
    let mut game = crash(scenario("").with_health(), 40.0);
    let (leader, hunter) = (game.collector(0), game.collector(1));
    let meet = |game: &mut Game| {
        let place = game.pose(leader);
        game.drive(1, 0.0, 0.0).step(steps(0.6)).put(hunter, place).step(2);
    };
    for left in [0.6, 0.2] {
        meet(&mut game);
        let health = game.simulation().view().players[0].health.expect("the rule is on");
        assert!((health - left).abs() < 0.01, "{health}");
        assert_eq!((game.stashed(1), game.pocket(0)), (0.0, 40.0));
    }
    meet(&mut game);
    assert!(!game.is_alive(0));
    assert_eq!((game.stashed(1), game.count::<CrownClaimed>()), (20.0, 1));
}

#[test]
fn match_with_spilled_bounties_goes_on_alike_from_a_save() {
    let make = || {
        let bounties = |assets: &mut Assets| (assets.game.least_bounties, assets.game.bounties_per_player) = (14, 0.0);
        let mut scenario = with_crown(with_chain("")).mortal_bounties().with_assets(bounties).players(6);
        for player in 0..6 {
            scenario = scenario.seat(player, ai("hard"));
        }
        scenario.begin()
    };
    let (mut game, mut twin) = (make(), make());
    game.step_until(steps(60.0), |game| game.bounties().len() > 14);
    let saved = game.simulation_mut().save().expect("a match can be saved");
    twin.simulation_mut().load(&saved).expect("what was saved can be loaded");
    for _ in 0..steps(10.0) {
        assert_eq!(game.simulation_mut().state_hash(), twin.simulation_mut().state_hash());
        game.step(1);
        twin.step(1);
    }
}
