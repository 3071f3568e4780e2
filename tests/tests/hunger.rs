//! Hunger: a collector that delivers nothing for a while starves. One test per rule.

use bounty_hunter::config::{HungerRules, RulesConfig};
use bounty_hunter::events::GameObjectKilled;
use bounty_hunter::hunger::{Hunger, Starve};
use bounty_hunter::view::{Ending, GameState};
use tests::{ai, scenario, steps};

#[test]
fn idle_collector_starves_loses_its_load_and_comes_back_sated() {
    let mut game = scenario("^").with_hunger(5.0).begin();
    game.carry(0, 30.0).step(steps(4.9));
    assert_eq!((game.is_alive(0), game.pocket(0)), (true, 30.0));
    game.step(steps(0.2));
    assert_eq!((game.is_alive(0), game.pocket(0), game.count::<GameObjectKilled>()), (false, 0.0, 1));
    let waited = game.step_until(steps(3.5), |game| game.is_alive(0));
    assert!(waited > steps(2.5), "{waited} steps");
    let hunger = *game.component::<Hunger>(game.collector(0));
    assert!(hunger.left_seconds > 4.9, "{hunger:?}");
}

#[test]
fn delivery_sates_and_taking_a_bounty_does_not() {
    let mut game = scenario(">..b..0").with_hunger(5.0).begin();
    game.step(steps(2.0)).drive(0, 1.0, 0.0).step_until(steps(1.0), |game| game.pocket(0) > 0.0);
    let left = |game: &tests::Game| game.component::<Hunger>(game.collector(0)).left_seconds;
    assert!(left(&game) < 3.0, "{} s after a bounty", left(&game));
    game.step_until(steps(1.0), |game| game.stashed(0) > 0.0);
    assert!(left(&game) > 4.9, "{} s after a delivery", left(&game));
}

#[test]
fn hunger_grows_with_the_clock() {
    let grows = |rules: &mut RulesConfig| rules.hunger = Some(HungerRules { starve_seconds: (2.0, 10.0) });
    let mut game = scenario("^").lasting(20.0).with_rules(grows).begin();
    game.step_until(steps(11.0), |game| !game.is_alive(0));
    game.step_until(steps(4.0), |game| game.is_alive(0));
    // Seven of 20 seconds are left: 2 s and 0.35 of the other 8 s.
    let left = game.component::<Hunger>(game.collector(0)).left_seconds;
    assert!((left - 4.8).abs() < 0.1, "{left} s");
}

#[test]
fn player_that_stands_still_starves_life_by_life_and_the_other_wins() {
    let mut game = scenario("^").players(2).with_hunger(2.0).with_rules(|rules| rules.lives = Some(2)).begin();
    for second in 0..12 {
        let other = game.collector(1);
        game.component_mut::<Hunger>(other).left_seconds = 2.0;
        game.step(steps(1.0));
        assert!(game.state() == GameState::Running || second > 5, "over after {second} s");
    }
    let result = game.result().expect("player 0 is out after two hungry lives");
    assert_eq!((result.ending, result.winner), (Ending::LastStanding, Some(1)));
}

#[test]
fn hungry_ai_brings_home_what_little_it_has() {
    // Far out, with too little to turn back for without hunger.
    let stashed = |starve_seconds: f32| {
        let mut game = scenario("^").seat(0, ai("normal")).with_hunger(starve_seconds).begin();
        game.carry(0, 10.0).step(steps(9.0));
        (game.stashed(0), game.count::<GameObjectKilled>())
    };
    assert_eq!(stashed(9.5), (10.0, 0));
    assert_eq!(stashed(600.0), (0.0, 0));
}

#[test]
fn matches_without_hunger_have_none_of_it() {
    let mut game = scenario("^").begin();
    game.step(steps(30.0));
    assert!(game.is_alive(0));
    assert_eq!(game.simulation().view().collectors[0].starves_in_seconds, None);
    let engine = game.simulation().engine();
    assert!(
        engine.components().pool::<Hunger>().is_none_or(|pool| pool.is_empty()) && engine.system::<Starve>().is_none()
    );
}

#[test]
fn hash_covers_hunger() {
    let mut game = scenario("^").with_hunger(9.0).begin();
    let (collector, before) = (game.collector(0), game.simulation_mut().state_hash());
    game.component_mut::<Hunger>(collector).left_seconds = 1.0;
    assert_ne!(game.simulation_mut().state_hash(), before);
}
