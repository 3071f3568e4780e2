//! Gold rushes: a bounty of great worth is announced, appears, drives through the arena and is taken. One test per
//! rule.

use bounty_hunter::assets::Assets;
use bounty_hunter::config::GoldRushRules;
use bounty_hunter::events::BountyCollected;
use bounty_hunter::gold_rush::GoldRush;
use bounty_hunter::input::Inputs;
use bounty_hunter::level::LevelWall;
use bounty_hunter::physics::Pose;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::{BountyView, GameState, GoldRushView};
use tests::{Game, Scenario, ai, match_in, play_at_one_and_two_threads, scenario, steps};

fn rush(game: &Game) -> Option<GoldRushView> {
    game.simulation().view().gold_rush
}

/// The gold, if it is in the arena.
fn gold(game: &Game) -> Option<BountyView> {
    let rush = rush(game).filter(|rush| rush.appears_in_seconds == 0.0)?;
    let view = game.simulation().view();
    Some(*view.bounties.iter().find(|bounty| bounty.key == rush.key).expect("it is a bounty"))
}

fn with(change: impl FnOnce(&mut GoldRushRules)) -> Scenario {
    scenario("").with_gold_rush().with_rules(|rules| change(rules.gold_rush.as_mut().expect("it is on")))
}

/// A match in which the gold has just appeared.
fn rushed(scenario: Scenario) -> Game {
    let mut game = scenario.begin();
    game.step_until(steps(3.0), |game| gold(game).is_some());
    game
}

#[test]
fn gold_is_announced_and_appears_where_and_when_it_was_said() {
    let mut game = with(|rules| rules.region_share = 0.5).begin();
    let announced = game.step_until(steps(2.0), |game| rush(game).is_some());
    assert!((58..=61).contains(&announced), "after {announced} steps");
    let said = rush(&game).expect("it is announced");
    assert!((0.95..=1.0).contains(&said.appears_in_seconds) && said.value == 100.0, "{said:?}");
    assert!(game.bounties().is_empty());
    let waited = game.step_until(steps(2.0), |game| gold(game).is_some());
    assert!((58..=61).contains(&waited), "{waited} steps later");
    let there = gold(&game).expect("it has appeared");
    assert_eq!((there.position, there.value, there.half_extent), (said.position, 100.0, 3.0));
    assert!(there.position.length() > 0.1, "{there:?}");
}

#[test]
fn gold_shines_until_its_last_seconds_and_comes_again() {
    let mut game = rushed(with(|_| {}));
    game.step(steps(10.5));
    assert_eq!(gold(&game).map(|gold| gold.alpha), Some(1.0));
    game.step(steps(2.0));
    assert!(gold(&game).is_some_and(|gold| gold.alpha < 0.6), "{:?}", gold(&game));
    game.step_until(steps(2.0), |game| gold(game).is_none());
    assert_eq!(rush(&game), None);
    let waited = game.step_until(steps(3.0), |game| gold(game).is_some());
    assert!((118..=123).contains(&waited), "{waited} steps");
}

#[test]
fn gold_drives_on_a_curve_and_around_the_world() {
    let mut game = rushed(with(|rules| (rules.speed_mps, rules.most_turn_radps) = (20.0, 0.5)));
    let mut way_m = 0.0;
    let mut headings = Vec::new();
    let mut before = gold(&game).expect("it is there").position;
    for _ in 0..steps(8.0) {
        game.step(1);
        let now = gold(&game).expect("it is there").position;
        assert!(now.abs().max_element() <= 75.0, "{now}");
        let step = now - before;
        // A jump is a wrap around the world.
        if step.length() < 1.0 {
            way_m += step.length();
            headings.push(step.normalize_or_zero());
        }
        before = now;
    }
    assert!((155.0..165.0).contains(&way_m), "{way_m} m in 8 s");
    let turn = headings[5].perp_dot(headings[100]);
    assert!(turn.abs() > 0.01, "{turn}");
}

#[test]
fn gold_bounces_off_walls() {
    let room = |assets: &mut Assets| {
        let wall =
            |x: f32, y: f32, half_x: f32, half_y: f32| LevelWall { at_m: (x, y), half_extents_m: (half_x, half_y) };
        let level = assets.levels.get_mut("arena").expect("it is the usual level");
        level.walls = vec![
            wall(0.0, 15.0, 15.0, 1.0),
            wall(0.0, -15.0, 15.0, 1.0),
            wall(15.0, 0.0, 1.0, 15.0),
            wall(-15.0, 0.0, 1.0, 15.0),
        ];
    };
    for seed in 0..4 {
        let scenario = with(|rules| (rules.speed_mps, rules.most_turn_radps) = (15.0, 0.6)).seed(seed);
        let mut game = rushed(scenario.with_assets(room));
        let (mut before, mut way_m) = (gold(&game).expect("it is there").position, 0.0);
        for _ in 0..steps(13.0) {
            game.step(1);
            let now = gold(&game).expect("it is there").position;
            assert!(now.abs().max_element() < 12.0, "seed {seed}: it is in the wall at {now}");
            way_m += now.distance(before);
            before = now;
        }
        assert!(way_m > 0.9 * 13.0 * 15.0, "seed {seed}: it was stuck, {way_m} m");
    }
}

/// Puts the collector of player 0 onto the gold.
fn take(game: &mut Game) {
    let (own, place) = (game.collector(0), gold(game).expect("it is there").position);
    game.put(own, Pose::new(place, 0.0)).step_until(5, |game| gold(game).is_none());
}

#[test]
fn gold_fills_an_empty_pocket_and_counts() {
    let mut game = rushed(with(|_| {}));
    take(&mut game);
    game.step(2);
    assert_eq!((game.pocket(0), game.bounties().len()), (100.0, 0), "nothing is left of it");
    let statistics = game.simulation().statistics().of(0);
    assert_eq!((statistics.gold, statistics.bounties, game.count::<BountyCollected>()), (1, 1, 1));
}

#[test]
fn rest_that_does_not_fit_spills_out_of_reach() {
    let mut game = rushed(with(|_| {}));
    game.carry(0, 65.0);
    take(&mut game);
    game.step(2);
    let own = game.pose(game.collector(0)).position;
    assert_eq!(game.pocket(0), 100.0);
    let spilled: Vec<(f32, bool)> =
        game.bounties().iter().map(|bounty| (bounty.value, bounty.position.distance(own) > 5.0)).collect();
    assert_eq!(spilled, [(16.25, true); 4], "65 points in the most bounties that there are");
    let mut game = rushed(with(|rules| (rules.spilled_bounties, rules.spilled_points) = (10, 15.0)));
    game.carry(0, 40.0);
    take(&mut game);
    game.step(2);
    assert_eq!(game.bounties().iter().map(|bounty| bounty.value).collect::<Vec<_>>(), [40.0 / 3.0; 3]);
}

#[test]
fn next_rush_begins_to_wait_when_the_gold_is_taken() {
    let mut game = rushed(with(|_| {}));
    take(&mut game);
    let waited = game.step_until(steps(3.0), |game| gold(game).is_some());
    assert!((118..=123).contains(&waited), "{waited} steps");
}

#[test]
fn save_and_snapshot_between_go_on_alike() {
    let begin = || {
        let change = |rules: &mut GoldRushRules| {
            (rules.speed_mps, rules.most_turn_radps, rules.region_share) = (12.0, 0.4, 0.5);
            rules.wait_seconds = (1.5, 2.5);
        };
        with(change).players(3).seat(1, ai("normal")).seat(2, ai("hard")).begin()
    };
    for when in [30, 100, 300, 700] {
        let mut game = begin();
        game.step(when);
        let snapshot = game.simulation_mut().snapshot().expect("it can be taken");
        let saved = game.simulation_mut().save().expect("it can be saved");
        let usual = game.step(500).simulation_mut().state_hash();
        game.simulation_mut().restore(&snapshot).expect("it is of this match");
        let mut loaded = begin();
        loaded.simulation_mut().load(&saved).expect("it is of this match");
        let [restored, loaded] = [&mut game, &mut loaded].map(|game| game.step(500).simulation_mut().state_hash());
        assert_eq!((restored, loaded), (usual, usual), "{when}");
    }
}

#[test]
fn hash_covers_the_rush_and_other_matches_have_none() {
    let mut game = with(|_| {}).begin();
    game.step(2);
    let before = game.simulation_mut().state_hash();
    game.simulation_mut().engine_mut().resource_mut::<GoldRush>().expect("it is there").turn_radps = 0.1;
    assert_ne!(game.simulation_mut().state_hash(), before);
    let classic = scenario("").begin();
    assert!(classic.simulation().engine().resource::<GoldRush>().is_none());
}

#[test]
fn ais_leave_nearer_bounties_for_gold_that_they_see() {
    for profile in ["easy", "normal", "hard", "nearest", "greedy"] {
        let scenario = with(|_| {}).players(2).seat(1, ai(profile));
        let mut game = rushed(scenario.bounty_at(3.0, -9.0, 10.0));
        let driver = game.collector(1);
        game.put(driver, Pose::at(0.0, -13.0));
        game.step_until(steps(3.0), |game| gold(game).is_none());
        assert!(game.pocket(1) >= 100.0 && game.simulation().statistics().of(1).gold == 1, "{profile}");
    }
}

#[test]
fn mode_has_rushes_that_are_taken_and_is_equal_at_one_and_two_threads() {
    let mut assets = Assets::built_in().in_mode("gold-rush").expect("the mode is built in");
    assets.game.countdown_seconds = 0.1;
    let setup = MatchSetup { play_seconds: Some(40.0), ..MatchSetup::of_ais(21, 12, "normal") };
    let played = play_at_one_and_two_threads(&assets, &setup, |_| Inputs::none());
    let taken: u32 = played.statistics().players.iter().map(|player| player.gold).sum();
    assert!(taken >= 2, "{taken} were taken");
}

#[test]
fn restarted_match_has_rushes_of_its_own() {
    let assets = Assets::built_in().in_mode("gold-rush").expect("the mode is built in");
    let mut game = Game::playing(match_in(&assets, &MatchSetup::of_ais(5, 4, "normal"), GameState::Running));
    game.step_until(steps(20.0), |game| gold(game).is_some());
    game.pause().restart().step_until(steps(5.0), |game| game.state() == GameState::Running);
    assert_eq!(rush(&game), None);
    game.step_until(steps(20.0), |game| gold(game).is_some());
}

#[test]
fn gold_that_cannot_be_is_one_sentence() {
    let refusal = |change: &dyn Fn(&mut GoldRushRules)| {
        let mut assets = Assets::built_in().in_mode("gold-rush").expect("the mode is built in");
        change(assets.game.rules.gold_rush.as_mut().expect("the mode has it"));
        Simulation::new(&assets, &MatchSetup::of_ais(1, 2, "normal")).err().expect("it is refused").to_string()
    };
    assert_eq!(
        refusal(&|rules| rules.prefab = "rock".into()),
        "prefab \"rock\" has no `worth`, which the bounty of a gold rush needs"
    );
    let fast = refusal(&|rules| rules.speed_mps = 1e6);
    assert!(fast.starts_with("speed_mps is 1000000, must be at most ") && fast.contains("\"gold\", 3"), "{fast}");
    let text = "(title: \"Odd\", description: \"Odd gold.\", game: (rules: (gold_rush: Some((prefab: \"gold\", wait_seconds: (0.0, 1.0))))))";
    let error = Assets::with_texts([("modes/odd.ron", text)]).unwrap_err().to_string();
    assert!(error.starts_with("modes/odd.ron:1:") && error.contains("the lower end is 0, must be positive"), "{error}");
}
