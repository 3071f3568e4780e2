//! Power-ups other than ghosts and mines: speed, a shield, a magnet and the double worth. One test per rule.

use std::f32::consts::PI;

use bounty_hunter::assets::Assets;
use bounty_hunter::config::CrownRules;
use bounty_hunter::events::{CrownClaimed, GameObjectKilled, PowerUpTaken};
use bounty_hunter::input::Inputs;
use bounty_hunter::physics::Pose;
use bounty_hunter::power_up::PowerUp;
use bounty_hunter::powers::Powers;
use bounty_hunter::simulation::MatchSetup;
use bounty_hunter::view::CollectorView;
use tests::{Game, play_at_one_and_two_threads, scenario, steps};

fn view(game: &Game, player: u32) -> CollectorView {
    let view = game.simulation().view();
    *view.collectors.iter().find(|collector| collector.player == player).expect("it is alive")
}

/// Drives player 0 over the power-up in front of it.
fn take(game: &mut Game) {
    game.drive(0, 1.0, 0.0).step_until(20, |game| game.count::<PowerUpTaken>() == 1);
    game.step(1);
}

#[test]
fn dash_raises_the_top_speed_for_its_time() {
    let mut game = scenario(">..p").with_power_up("Dash(seconds: 1.0, factor: 2.0)").begin();
    let way = |game: &mut Game| {
        let from = view(game, 0).position;
        (view(game.step(6), 0).position - from).length()
    };
    take(&mut game);
    assert_eq!(game.simulation().statistics().of(0).power_ups, 1);
    assert!(view(&game, 0).dash_seconds > 0.9);
    let (fast, slow) = (way(&mut game), way(game.step(steps(1.0))));
    assert!((fast / slow - 2.0).abs() < 0.05, "{fast} m and {slow} m");
    assert_eq!(view(&game, 0).dash_seconds, 0.0);
}

/// Player 0 takes a power-up and then meets player 1 head-on.
fn meeting(power_up: &str) -> Game {
    scenario(">..p").collector_at(1, 40.0, 0.0, PI / 2.0).with_power_up(power_up).begin()
}

#[test]
fn shield_holds_off_one_crash() {
    let mut game = meeting("Shield(seconds: 60.0)");
    take(&mut game);
    let (own, other) = (game.collector(0), game.collector(1));
    let place = game.pose(own);
    game.drive(0, 0.0, 0.0).put(other, place).step(3);
    assert_eq!((game.is_alive(0), game.is_alive(1)), (true, false));
    assert_eq!(view(&game, 0).shield_seconds, 0.0, "it is broken");
    game.step_until(steps(4.0), |game| game.is_alive(1));
    game.put(other, place).step(3);
    assert_eq!((game.is_alive(0), game.is_alive(1)), (false, false), "the second crash");
}

#[test]
fn shield_ends_with_its_time_and_with_its_holder() {
    let mut game = meeting("Shield(seconds: 1.0)");
    take(&mut game);
    assert!(view(&game, 0).shield_seconds > 0.9);
    game.drive(0, 0.0, 0.0).step(steps(1.1));
    assert_eq!(view(&game, 0).shield_seconds, 0.0);
    let mut game = meeting("Shield(seconds: 60.0)");
    take(&mut game);
    let own = game.collector(0);
    game.kill(own).step(2);
    assert_eq!(*game.component::<Powers>(own), Powers::default());
}

#[test]
fn shield_takes_a_hit_where_crashes_cost_health() {
    let scenario = scenario(">..p").collector_at(1, 40.0, 0.0, PI / 2.0).with_health();
    let mut game = scenario.with_power_up("Shield(seconds: 60.0)").begin();
    take(&mut game);
    let (own, other) = (game.collector(0), game.collector(1));
    let place = game.pose(own);
    game.drive(0, 0.0, 0.0).put(other, place).step(3);
    let health = |game: &Game, player| view(game, player).health;
    assert_eq!((health(&game, 0), health(&game, 1)), (Some(1.0), Some(0.6)));
    game.step(steps(0.6));
    assert_eq!(health(&game, 0), Some(0.6), "the next hit of the same touch");
}

#[test]
fn crown_is_safe_behind_a_shield() {
    let crown = |rules: &mut bounty_hunter::config::RulesConfig| rules.crown = Some(CrownRules { reward_share: 0.5 });
    let mut game = scenario(">..p")
        .collector_at(1, 40.0, 0.0, PI / 2.0)
        .with_rules(crown)
        .with_power_up("Shield(seconds: 60.0)")
        .begin();
    take(&mut game);
    game.drive(0, 0.0, 0.0).store(0, 50.0).step(steps(1.1)).carry(0, 40.0);
    let (own, other) = (game.collector(0), game.collector(1));
    let place = game.pose(own);
    game.put(other, place).step(3);
    assert_eq!((game.pocket(0), game.stashed(1), game.count::<CrownClaimed>()), (40.0, 0.0, 0));
}

#[test]
fn magnet_pulls_bounties_and_ends() {
    let magnet = "Magnet(seconds: 2.0, range_m: 20.0, speed_mps: 5.0)";
    let mut game =
        scenario(">..p").bounty_at(12.0, 15.0, 10.0).bounty_at(12.0, 50.0, 10.0).with_power_up(magnet).begin();
    take(&mut game);
    game.drive(0, 0.0, 0.0);
    assert_eq!(view(&game, 0).magnet_range, 20.0);
    let places = |game: &Game| game.bounties().iter().map(|bounty| bounty.position).collect::<Vec<_>>();
    let before = places(&game);
    let after = places(game.step(steps(1.0)));
    let own = view(&game, 0).position;
    let nearer = before[0].distance(own) - after[0].distance(own);
    assert!((nearer - 5.0).abs() < 0.3, "{nearer} m nearer");
    assert_eq!(after[1], before[1], "out of range");
    game.step(steps(1.2));
    assert_eq!(view(&game, 0).magnet_range, 0.0);
}

#[test]
fn magnet_that_is_taken_in_the_step_of_a_death_ends_with_it() {
    let mut game = meeting("Magnet(seconds: 60.0, range_m: 30.0, speed_mps: 10.0)");
    let place = Pose::new(game.simulation().view().power_ups[0].position, 0.0);
    let [own, other] = [0, 1].map(|player| game.collector(player));
    game.put(own, place).put(other, place).step(3);
    assert_eq!((game.is_alive(0), game.count::<PowerUpTaken>() > 0), (false, true));
    game.step_until(steps(4.0), |game| game.is_alive(0));
    game.step(2);
    assert_eq!(view(&game, 0).magnet_range, 0.0);
}

#[test]
fn double_doubles_what_is_taken() {
    let mut game = scenario(">..p..b").with_power_up("Double(seconds: 1.0)").begin();
    take(&mut game);
    game.step_until(20, |game| game.pocket(0) > 0.0);
    assert_eq!(game.pocket(0), 20.0);
    let mut late = scenario(">..p..b").with_power_up("Double(seconds: 1.0)").begin();
    take(&mut late);
    late.drive(0, 0.0, 0.0).step(steps(1.1)).drive(0, 1.0, 0.0).step_until(40, |game| game.pocket(0) > 0.0);
    assert_eq!(late.pocket(0), 10.0);
}

#[test]
fn match_deals_all_kinds_in_turn_and_is_equal_at_one_and_two_threads() {
    let mut assets = Assets::built_in().in_mode("power-ups").expect("the mode is built in");
    assets.game.countdown_seconds = 0.1;
    let power_ups = assets.game.rules.power_ups.as_mut().expect("the mode has them");
    power_ups.least_power_ups = 12;
    let setup = MatchSetup { play_seconds: Some(30.0), ..MatchSetup::of_ais(21, 16, "normal") };
    let played = play_at_one_and_two_threads(&assets, &setup, |_| Inputs::none());
    let taken = played.event_counts().get("PowerUpTaken").copied().unwrap_or(0);
    assert!(taken > 5, "only {taken} power-ups were taken");
    let mut kinds = [0; 6];
    played.engine().read_filtered::<&PowerUp, ecs::IncludeDisabled>().for_each(|power_up| {
        let kind = match power_up {
            PowerUp::Ghost { .. } => 0,
            PowerUp::Dash { .. } => 1,
            PowerUp::Shield { .. } => 2,
            PowerUp::Magnet { .. } => 3,
            PowerUp::Double { .. } => 4,
            PowerUp::Mine { .. } => 5,
        };
        kinds[kind] += 1;
    });
    assert_eq!(kinds, [2; 6]);
}

#[test]
fn hash_covers_powers() {
    let mut game = scenario(">..p").with_power_up("Shield(seconds: 9.0)").begin();
    let (own, before) = (game.collector(0), game.simulation_mut().state_hash());
    game.component_mut::<Powers>(own).shield_seconds = 1.0;
    assert_ne!(game.simulation_mut().state_hash(), before);
    assert_eq!(game.count::<GameObjectKilled>(), 0);
}
