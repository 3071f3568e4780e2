//! Health: collisions that cost points instead of lives. One test per rule.

use bounty_hunter::arena::Pose;
use bounty_hunter::assets::Assets;
use bounty_hunter::events::{DamageTaken, GameObjectKilled};
use bounty_hunter::health::{Damage, DealDamage, Health};
use bounty_hunter::input::Inputs;
use bounty_hunter::level::Place;
use bounty_hunter::simulation::MatchSetup;
use bounty_hunter::touch::Touching;
use bounty_hunter::view::GameState;
use ecs::EntityId;
use tests::{Game, play_at_one_and_two_threads, scenario, steps};

/// Two collectors that meet head-on.
const HEAD_ON: &str = ">..<";

/// Player 0 pushes player 1; they have just begun to touch.
fn pushing() -> Game {
    let mut game = scenario(">.>").with_health().begin();
    game.drive(0, 0.2, 0.0).step_until(20, |game| !touches(game).is_empty());
    game
}

/// The pairs of touching collectors.
fn touches(game: &Game) -> Vec<[EntityId; 2]> {
    let mut pairs = Vec::new();
    game.simulation().engine().read::<&Touching>().for_each(|touching| pairs.push([touching.a, touching.b]));
    pairs
}

fn health(game: &Game, player: usize) -> f32 {
    game.component::<Health>(game.collector(player)).left
}

// Touching

#[test]
fn contact_is_there_from_the_beginning_of_a_touch_to_its_end() {
    let mut game = pushing();
    assert_eq!(touches(&game), [[game.collector(0), game.collector(1)]]);
    game.step(10);
    assert_eq!(touches(&game).len(), 1);
    game.drive(0, -0.5, 0.0).step(20);
    assert_eq!(touches(&game), [] as [[EntityId; 2]; 0]);
}

#[test]
fn collector_in_a_crowd_has_a_contact_with_each_of_them() {
    let mut game = scenario("")
        .with_health()
        .collector_at(0, 30.0, 0.0, 0.0)
        .collector_at(1, 30.4, 0.0, 0.0)
        .collector_at(2, 29.6, 0.2, 0.0)
        .begin();
    game.step(1);
    let mut pairs = touches(&game);
    pairs.sort_unstable();
    let [a, b, c] = [0, 1, 2].map(|player| game.collector(player));
    assert_eq!(pairs, [[a, b], [a, c], [b, c]]);
}

#[test]
fn contact_ends_when_a_collector_dies() {
    let mut game = pushing();
    let other = game.collector(1);
    game.kill(other).step(2);
    assert_eq!((touches(&game).len(), game.is_alive(0)), (0, true));
}

#[test]
fn bounties_and_stashes_make_no_contacts() {
    let mut game = scenario(">..b..0").with_health().begin();
    game.drive(0, 1.0, 0.0).step(30);
    assert_eq!((touches(&game).len(), game.stashed(0), health(&game, 0)), (0, 10.0, 100.0));
}

#[test]
fn ghosts_have_no_contacts() {
    let mut game = scenario(HEAD_ON).with_health().with_power_ups(600.0).begin();
    game.make_ghost(0, 600.0);
    game.drive(0, 1.0, 0.0).drive(1, 1.0, 0.0).step(10);
    assert_eq!((touches(&game).len(), health(&game, 0), health(&game, 1)), (0, 100.0, 100.0));
}

// Damage

#[test]
fn crash_costs_both_collectors_health_but_not_life_or_load() {
    let mut game = scenario(HEAD_ON).with_health().begin();
    game.carry(0, 50.0).drive(0, 1.0, 0.0).drive(1, 1.0, 0.0).step_until(10, |game| !touches(game).is_empty());
    game.step(1);
    assert_eq!([health(&game, 0), health(&game, 1)], [60.0, 60.0]);
    assert_eq!((game.living(), game.pocket(0), game.count::<DamageTaken>()), (2, 50.0, 2));
}

/// A match with health in which an object of a kind with these components stands before the collector.
fn before_an_object(components: &str) -> Game {
    let kind = format!("{{ \"thing\": (components: {{ {components} }}) }}");
    let place = Place { name: None, prefab: "thing".into(), at_m: (8.0, 0.0), heading_rad: 0.0, scale: 1.0 };
    let scenario = scenario(">").with_health().with_assets(|assets| {
        assets.prefabs.load("test.ron", kind).expect("the kind is valid");
        assets.levels.get_mut("arena").expect("it is built in").places.push(place);
    });
    scenario.begin()
}

#[test]
fn touching_what_heals_gives_health_as_long_as_it_lasts_and_no_more_than_all() {
    let box_of = |more: &str| {
        let mut game = before_an_object(&format!(
            "\"shape\": Square(half_extent_m: 2.0), \"body\": (category: Trigger), \"healing\": (points_per_second: 30.0){more}"
        ));
        let collector = game.collector(0);
        game.component_mut::<Health>(collector).left = 20.0;
        game
    };
    let mut game = box_of("");
    let collector = game.collector(0);
    game.step(60);
    assert_eq!(health(&game, 0), 20.0, "it does not touch it yet");
    game.put(collector, Pose::at(8.0, 0.0)).step(61);
    let after = health(&game, 0);
    assert!((49.0..=51.0).contains(&after), "{after}");
    game.put(collector, Pose::at(-20.0, 0.0)).step(2);
    let left = health(&game, 0);
    game.step(60);
    assert_eq!(health(&game, 0), left, "it has left the box");
    game.put(collector, Pose::at(8.0, 0.0)).step(180);
    assert_eq!(health(&game, 0), 100.0);
    // What hurts as well may kill, and what has no health left is not healed.
    let mut game = box_of(", \"damage\": (points: 60.0)");
    let collector = game.collector(0);
    game.put(collector, Pose::at(8.0, 0.0)).step(3);
    assert!(!game.is_alive(0));
}

#[test]
fn solid_things_heal_what_touches_them_and_what_has_no_health_is_left_alone() {
    let mut game =
        before_an_object("\"shape\": Square(half_extent_m: 2.0), \"body\": (), \"healing\": (points_per_second: 30.0)");
    let collector = game.collector(0);
    game.component_mut::<Health>(collector).left = 20.0;
    game.drive(0, 1.0, 0.0).step(60);
    assert!(health(&game, 0) > 25.0, "{}", health(&game, 0));
    let kind = r#"{ "well": (components: { "shape": Square(half_extent_m: 2.0), "body": (), "healing": (points_per_second: 0) }) }"#;
    let error = Assets::with_texts([("prefabs/well.ron", kind)]).unwrap_err().to_string();
    let sentence = "`healing.points_per_second` is refused: it is 0, must be positive";
    assert_eq!(error, format!("prefabs/well.ron:1:106: {sentence}"));
}

#[test]
fn hurt_collectors_have_a_grace_period_and_are_hurt_again_after_it() {
    let mut game = pushing();
    game.step(1);
    game.step(28);
    assert_eq!(health(&game, 0), 60.0);
    game.step(4);
    assert_eq!(health(&game, 0), 20.0);
}

#[test]
fn collector_without_health_dies_and_loses_its_load() {
    let mut game = pushing();
    game.carry(0, 50.0).step(steps(1.2));
    assert_eq!((game.living(), game.count::<GameObjectKilled>(), game.pocket(0)), (0, 2, 0.0));
}

#[test]
fn each_collector_takes_the_damage_of_the_other() {
    let mut game = scenario(HEAD_ON).with_health().begin();
    let strong = game.collector(0);
    game.component_mut::<Damage>(strong).points = 100.0;
    game.drive(0, 1.0, 0.0).drive(1, 1.0, 0.0).step_until(10, |game| !touches(game).is_empty());
    game.step(1);
    assert_eq!((game.is_alive(0), game.is_alive(1), health(&game, 0)), (true, false, 60.0));
}

#[test]
fn respawned_collector_has_full_health() {
    let mut game = pushing();
    game.step_until(steps(1.2), |game| game.living() == 0);
    assert_eq!(health(&game, 0), 0.0);
    game.drive(0, 0.0, 0.0).step_until(steps(3.5), |game| game.living() == 2);
    assert_eq!([health(&game, 0), health(&game, 1)], [100.0, 100.0]);
}

#[test]
fn collector_that_dies_of_a_crash_collects_nothing_in_the_same_step() {
    let mut game = scenario("")
        .with_health()
        .collector_at(0, 30.0, 0.0, 0.0)
        .collector_at(1, 30.5, 0.0, 0.0)
        .bounty_at(0.0, 0.0, 10.0)
        .begin();
    let (weak, bounty) = (game.collector(0), game.bounty_entities()[0]);
    game.component_mut::<Health>(weak).left = 1.0;
    // They touch in the first step. The bounty arrives in the second step, in which the weak one dies.
    game.step(1).put(bounty, Pose::new(glam::Vec2::new(28.0, 0.0), 0.0)).step(1);
    assert_eq!((game.is_alive(0), game.pocket(0), game.bounties().len()), (false, 0.0, 1));
}

#[test]
fn health_does_not_regenerate() {
    let mut game = pushing();
    game.step(1).drive(0, -0.5, 0.0).step(steps(3.0));
    assert_eq!(health(&game, 0), 60.0);
}

#[test]
fn view_shows_health() {
    let mut game = pushing();
    game.step(1);
    let view = game.simulation().view();
    assert_eq!((view.players[0].health, view.collectors[0].health), (Some(0.6), Some(0.6)));
    let classic = scenario(HEAD_ON).begin().simulation().view();
    assert_eq!((classic.players[0].health, classic.collectors[0].health), (None, None));
}

// Classic matches, restarts, events and determinism

#[test]
fn classic_match_has_no_health_contacts_and_their_systems() {
    let mut game = scenario(HEAD_ON).begin();
    game.drive(0, 1.0, 0.0).drive(1, 1.0, 0.0).step(10);
    assert_eq!((game.living(), touches(&game).len()), (0, 0));
    let engine = game.simulation().engine();
    assert!(engine.components().pool::<Health>().is_none_or(|pool| pool.is_empty()));
    assert!(engine.system::<DealDamage>().is_none());
    assert!(!game.simulation().event_counts().contains_key("DamageTaken"));
}

#[test]
fn restarted_match_has_no_contacts_and_full_health() {
    let mut game = pushing();
    game.step(3).pause();
    assert_eq!(touches(&game).len(), 1, "they touch during the pause");
    game.restart().step_until(20, |game| game.state() == GameState::Running);
    assert_eq!((touches(&game).len(), health(&game, 0)), (0, 100.0));
}

#[test]
fn damage_has_its_sender_and_listener() {
    let route = scenario("^").with_health().begin().route("DamageTaken");
    assert_eq!((route.senders, route.listeners), (vec!["DealDamage"], vec!["DealDamage"]));
}

#[test]
fn hash_covers_health_and_damage() {
    let mut game = scenario("^").with_health().begin();
    let (collector, before) = (game.collector(0), game.simulation_mut().state_hash());
    game.component_mut::<Health>(collector).left = 1.0;
    let after = game.simulation_mut().state_hash();
    game.component_mut::<Damage>(collector).points = 1.0;
    assert!(after != before && game.simulation_mut().state_hash() != after);
}

#[test]
fn brawl_is_equal_at_one_and_two_threads_and_every_time() {
    let mut assets = Assets::built_in().in_mode("brawl").expect("the mode is built in");
    assets.game.countdown_seconds = 0.1;
    let setup = MatchSetup { play_seconds: Some(30.0), ..MatchSetup::of_ais(5, 16, "normal") };
    let played = play_at_one_and_two_threads(&assets, &setup, |_| Inputs::none());
    let counts = played.event_counts();
    let hurt = counts.get("DamageTaken").copied().unwrap_or(0);
    assert!(hurt > 5, "damage was taken only {hurt} times: {counts:?}");
}
