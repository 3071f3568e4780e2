//! Power-ups and ghosts: a power-up lets its collector pass through others for a while. One test per rule.

use std::f32::consts::FRAC_PI_2;

use bounty_hunter::arena::Pose;
use bounty_hunter::assets::Assets;
use bounty_hunter::config::PowerUpRules;
use bounty_hunter::events::{GameObjectKilled, PowerUpTaken};
use bounty_hunter::game_object::GameObjectKind;
use bounty_hunter::ghost::Ghost;
use bounty_hunter::input::Inputs;
use bounty_hunter::level::Place;
use bounty_hunter::power_up::PowerUp;
use bounty_hunter::senses::CollectorAvoider;
use bounty_hunter::simulation::MatchSetup;
use bounty_hunter::view::GameState;
use bounty_hunter::wall::SolidWalls;
use tests::{
    Game, STANDING, add_variant, ai, match_in, play_at_one_and_two_threads, scenario, steps, vary_collectors,
    vary_power_ups,
};

/// Long enough to drive through a picture.
const LONG_SECONDS: f32 = 5.0;

/// The ghost time of a living collector as shown in the view; `None` for a dead one.
fn ghost_seconds(game: &Game, player: u32) -> Option<f32> {
    let view = game.simulation().view();
    view.collectors.iter().find(|collector| collector.player == player).map(|collector| collector.ghost_seconds)
}

// Taking

#[test]
fn collector_that_touches_a_power_up_becomes_a_ghost() {
    let mut game = scenario(">..p").with_power_ups(LONG_SECONDS).begin();
    assert_eq!((ghost_seconds(&game, 0), game.simulation().view().power_ups.len()), (Some(0.0), 1));
    game.drive(0, 1.0, 0.0).step(10);
    assert!(ghost_seconds(&game, 0) > Some(LONG_SECONDS - 0.2));
    assert_eq!((game.count::<PowerUpTaken>(), game.simulation().view().power_ups.len()), (1, 0));
}

#[test]
fn power_up_pays_nothing_and_does_not_slow_its_collector() {
    let way = |picture: &str| {
        let mut game = scenario(picture).with_power_ups(LONG_SECONDS).begin();
        game.drive(0, 1.0, 0.0).step(20);
        (game.pocket(0), game.pose(game.collector(0)))
    };
    assert_eq!(way(">..p"), way(">..."));
}

#[test]
fn only_one_of_two_collectors_takes_a_power_up() {
    let mut game = scenario(">.p.<").with_power_ups(LONG_SECONDS).begin();
    game.drive(0, 1.0, 0.0).drive(1, 1.0, 0.0);
    game.step_until(10, |game| game.count::<PowerUpTaken>() > 0);
    game.step(1);
    assert_eq!(game.count::<PowerUpTaken>(), 1);
    assert!(ghost_seconds(&game, 0) > Some(0.0) && ghost_seconds(&game, 1) == Some(0.0));
}

#[test]
fn power_up_respawns_elsewhere() {
    let mut game = scenario(">.p")
        .with_power_ups(LONG_SECONDS)
        .with_assets(|assets| vary_power_ups(assets, r#""respawn delay": (delay_seconds: 1.0)"#))
        .begin();
    let before = game.simulation().view().power_ups[0].clone();
    game.drive(0, 1.0, 0.0).step_until(10, |game| game.count::<PowerUpTaken>() == 1);
    game.drive(0, 0.0, 0.0).step(steps(0.9));
    assert_eq!(game.simulation().view().power_ups, []);
    game.step(steps(0.2));
    let [after] = &game.simulation().view().power_ups[..] else { panic!("it has come back") };
    assert!(after.key == before.key && after.position != before.position, "{}", after.position);
}

#[test]
fn untaken_power_up_expires() {
    let mut game = scenario("p")
        .with_power_ups(LONG_SECONDS)
        .with_assets(|assets| {
            let short = r#""lifespan": (lifetime_seconds: (1.0, 1.5)), "respawn delay": (delay_seconds: 600.0)"#;
            vary_power_ups(assets, short);
        })
        .begin();
    game.step(steps(0.9));
    assert_eq!(game.simulation().view().power_ups.len(), 1);
    game.step(steps(0.7));
    assert_eq!(game.simulation().view().power_ups, []);
}

#[test]
fn number_of_power_ups_follows_the_rules() {
    let mut assets = Assets::built_in();
    add_power_ups(&mut assets);
    let setup = MatchSetup::of_ais(1, 10, "normal");
    let simulation = match_in(&assets, &setup, GameState::Running);
    assert_eq!(simulation.view().power_ups.len(), 3);
}

#[test]
fn ai_that_sees_no_bounty_goes_for_a_power_up() {
    let mut game = scenario("^").seat(0, ai("normal")).with_power_ups(LONG_SECONDS).power_up_at(8.0, 16.0).begin();
    game.step_until(steps(2.0), |game| game.count::<PowerUpTaken>() == 1);
}

#[test]
fn ai_that_is_a_ghost_goes_for_bounty_only() {
    let mut game = scenario("^")
        .seat(0, ai("first"))
        .with_power_ups(600.0)
        .power_up_at(8.0, 14.0)
        .bounty_at(-8.0, 14.0, 10.0)
        .begin();
    game.make_ghost(0, 600.0);
    game.step_until(steps(2.0), |game| game.pocket(0) > 0.0);
    assert_eq!(game.count::<PowerUpTaken>(), 0);
}

// Passing

/// Player 0 takes a power-up and drives into player 1.
fn pass(ghost_seconds: f32) -> Game {
    let mut game = scenario(">..p....^....").with_power_ups(ghost_seconds).begin();
    game.drive(0, 1.0, 0.0).step(steps(1.0));
    game
}

#[test]
fn ghost_passes_through_a_collector_without_a_death_or_a_push() {
    let mut alone = scenario(">..p.........").with_power_ups(LONG_SECONDS).begin();
    alone.drive(0, 1.0, 0.0).step(steps(1.0));
    let game = pass(LONG_SECONDS);
    assert!(game.is_alive(0) && game.is_alive(1));
    assert_eq!(game.pose(game.collector(0)), alone.pose(alone.collector(0)), "as if it were alone");
    let place = game.pose(game.collector(1)).position;
    assert_eq!((place.x, place.y), (4.0, 0.0), "it was not pushed");
    assert!(game.pose(game.collector(0)).position.x > 8.0, "it has passed the other one");
}

#[test]
fn collectors_without_a_power_up_collide() {
    let mut game = scenario(">.......^....").with_power_ups(LONG_SECONDS).begin();
    game.drive(0, 1.0, 0.0).step(steps(1.0));
    assert!(!game.is_alive(0) && !game.is_alive(1));
}

#[test]
fn ghost_ends_after_its_time() {
    let mut game = scenario(">..p").with_power_ups(1.0).begin();
    game.drive(0, 1.0, 0.0).step_until(10, |game| game.count::<PowerUpTaken>() == 1);
    let lasted = game.step_until(steps(2.0), |game| ghost_seconds(game, 0) == Some(0.0));
    assert!((59..=61).contains(&lasted), "{lasted} steps");
}

#[test]
fn second_power_up_gives_the_full_time_again() {
    let mut game = scenario(">..p.....p").with_power_ups(1.0).begin();
    game.drive(0, 1.0, 0.0).step_until(60, |game| game.count::<PowerUpTaken>() == 2);
    game.step(1);
    assert!(ghost_seconds(&game, 0) > Some(0.95));
}

#[test]
fn ghost_that_ends_inside_another_collector_collides_with_it() {
    let mut game = scenario(">..p....^....").with_power_ups(600.0).begin();
    game.drive(0, 1.0, 0.0).step_until(60, |game| game.pose(game.collector(0)).position.x > 3.5);
    game.drive(0, 0.0, 0.0).step(10);
    assert!(game.is_alive(0) && game.is_alive(1), "they overlap");
    let ghost = game.collector(0);
    game.component_mut::<Ghost>(ghost).left_seconds = 0.05;
    game.step(6);
    assert!(!game.is_alive(0) && !game.is_alive(1));
    assert_eq!(game.count::<GameObjectKilled>(), 3, "the power-up and both");
}

#[test]
fn ghosts_still_take_bounty_and_bring_it_home() {
    let mut game = scenario(">..p..b..0").with_power_ups(LONG_SECONDS).begin();
    game.drive(0, 1.0, 0.0).step(steps(1.0));
    assert_eq!(game.stashed(0), 10.0);
}

#[test]
fn ghost_passes_through_what_its_power_up_lists() {
    let list = r#""power-up": Ghost(seconds: 5.0, passes: [Category(Bounty)])"#;
    let scenario = scenario(">..p..b..^....").with_power_ups(LONG_SECONDS);
    let mut game = scenario.with_assets(|assets| vary_power_ups(assets, list)).begin();
    game.drive(0, 1.0, 0.0).step(steps(1.0));
    assert_eq!((game.pocket(0), game.bounties().len()), (0.0, 1), "the ghost passes through bounties");
    assert!(!game.is_alive(0) && !game.is_alive(1), "and collides with collectors");
}

/// The kinds of the guide that pass through something.
fn passing_kinds() -> &'static str {
    let guide = include_str!("../../bounty_hunter/GUIDE.md");
    let (_, section) = guide.split_once("### What passes through what\n").expect("the guide has this section");
    let (_, text) = section.split_once("```ron\n").expect("it has kinds");
    text.split_once("```").expect("they end").0
}

/// A match with the kinds of the guide, in which power-ups are of the last one, and an object of `kind` stands at 12 m.
fn with_passing_kinds(picture: &str, kind: &str) -> Game {
    let place = Place { name: None, prefab: kind.into(), at_m: (12.0, 0.0), heading_rad: 0.0, scale: 1.0 };
    let scenario = scenario(picture).with_power_ups(LONG_SECONDS).with_assets(|assets| {
        assets.prefabs.load("test.ron", passing_kinds()).expect("the kinds are valid");
        assets.game.rules.power_ups.as_mut().expect("they are on").prefabs = vec!["stone ghost power-up".into()];
        assets.levels.get_mut("arena").expect("it is built in").places.push(place);
    });
    scenario.begin()
}

#[test]
fn list_names_kinds_and_materials() {
    let x_after = |kind: &str| {
        let mut game = with_passing_kinds(">..p....", kind);
        game.drive(0, 1.0, 0.0).step(steps(1.0));
        game.pose(game.collector(0)).position.x
    };
    assert!(x_after("rock") > 14.0, "a rock is of the material: {}", x_after("rock"));
    assert!(x_after("boulder") > 14.0, "a boulder is like a rock");
    assert!(x_after("crate") > 14.0, "a crate is of the kind");
    assert!(x_after("vault door") < 14.0, "a door is neither");
    // The list is that of the power-up: other collectors are not on it.
    let mut game = with_passing_kinds(">..p.^..", "rock");
    game.drive(0, 1.0, 0.0).step(steps(1.0));
    assert!(!game.is_alive(0) && !game.is_alive(1));
}

#[test]
fn kind_with_a_list_is_passed_seen_through_and_no_obstacle() {
    let mut game = with_passing_kinds(">...", "mist");
    let mist = game.simulation().view().objects[0];
    assert!(mist.alpha < 0.5, "{}", mist.alpha);
    let walls = game.simulation().engine().resource::<SolidWalls>().expect("there are walls").clone();
    assert_eq!(walls.blocks, [], "AIs drive through it");
    game.drive(0, 1.0, 0.0).step(steps(1.0));
    let place = game.pose(game.collector(0)).position;
    assert!(place.x > 18.0 && game.is_alive(0), "{place}");
}

#[test]
fn lists_are_in_saves_and_snapshots() {
    let mut game = with_passing_kinds(">..p....", "rock");
    game.drive(0, 1.0, 0.0).step_until(steps(1.0), |game| game.count::<PowerUpTaken>() == 1);
    let simulation = game.simulation_mut();
    let (saved, snapshot) = (simulation.save().unwrap(), simulation.snapshot().unwrap());
    let go_on = |game: &mut Game| {
        game.drive(0, 1.0, 0.0).step(steps(0.6));
        (game.pose(game.collector(0)).position.x, game.simulation_mut().state_hash())
    };
    let first = go_on(&mut game);
    assert!(first.0 > 10.0, "{}", first.0);
    game.simulation_mut().load(&saved).unwrap();
    assert_eq!(go_on(&mut game), first);
    game.simulation_mut().restore(&snapshot).unwrap();
    assert_eq!(go_on(&mut game), first);
}

#[test]
fn wrong_lists_are_refused_with_their_place() {
    let refusal = |list: &str| {
        let kinds = format!("{{ \"mist\": (like: \"rock\",\n components: {{ \"passes\": {list} }}) }}");
        let file = [("prefabs/mist.ron", kinds.as_str())];
        Assets::with_texts(file).unwrap_err().to_string().replace("prefabs/mist.ron:2:26: ", "")
    };
    assert_eq!(refusal("[]"), "`passes` is refused: it has 0 elements, must have 1 to 16");
    let unknown = [refusal("[Kind(\"rok\")]"), refusal("[Material(\"woden\")]")];
    assert!(
        unknown[0].starts_with("there is no prefab \"rok\", there are ")
            && unknown[0].ends_with(": `rock` may be meant")
    );
    assert!(unknown[1].starts_with("there is no prefab \"woden\"") && unknown[1].ends_with(": `wooden` may be meant"));
    assert_eq!(refusal("[Category(Radar)]"), "`passes` has Radar, the category of a sense, must have one of bodies");
    assert_eq!(refusal("[Kind(\"rock\"), Kind(\"rock\")]"), "`passes` is refused: it has Kind(\"rock\") twice");
}

#[test]
fn ghosts_and_ignored_collectors_do_not_see_each_other() {
    let seen = |ghost_seconds: f32| {
        let mut game = scenario("")
            .with_power_ups(600.0)
            .with_assets(|assets| {
                vary_collectors(assets, STANDING);
            })
            .collector_at(0, 0.0, 0.0, 0.0)
            .collector_at(1, 0.0, 10.0, std::f32::consts::PI)
            .seat(0, ai("normal"))
            .seat(1, ai("normal"))
            .begin();
        if ghost_seconds > 0.0 {
            game.make_ghost(0, ghost_seconds);
        }
        game.step(3);
        [0, 1].map(|player| game.component::<CollectorAvoider>(game.collector(player)).collectors.as_slice().len())
    };
    assert_eq!((seen(0.0), seen(600.0)), ([1, 1], [0, 0]));
}

// Dying

#[test]
fn killed_ghost_respawns_solid() {
    let mut game = pass(600.0);
    let ghost = game.collector(0);
    game.kill(ghost).step(1);
    assert!(!game.is_alive(0));
    game.step_until(steps(3.5), |game| game.is_alive(0));
    assert_eq!(ghost_seconds(&game, 0), Some(0.0));
    let stands = game.pose(game.collector(1)).position;
    game.put(ghost, Pose::new(stands, FRAC_PI_2)).step(3);
    assert!(!game.is_alive(0) && !game.is_alive(1));
}

#[test]
fn collector_killed_while_taking_a_power_up_respawns_solid() {
    // Both touch each other and the power-up in the same step.
    let heap = scenario("").with_power_ups(600.0).collector_at(0, 30.0, 0.0, 0.0).collector_at(1, 30.5, 0.0, 0.0);
    let mut game = heap.power_up_at(30.0, 0.0).begin();
    game.step(2);
    assert_eq!((game.count::<PowerUpTaken>(), game.is_alive(0), game.is_alive(1)), (1, false, false));
    game.step_until(steps(3.5), |game| game.is_alive(0) && game.is_alive(1));
    assert_eq!((ghost_seconds(&game, 0), ghost_seconds(&game, 1)), (Some(0.0), Some(0.0)));
}

// Classic matches, restarts, events and determinism

/// Adds enough power-ups that collectors take some in most matches.
fn add_power_ups(assets: &mut Assets) {
    let kind = r#""lifespan": (lifetime_seconds: (6.0, 10.0)), "respawn delay": (delay_seconds: 3.0)"#;
    let prefab = add_variant(assets, "ghost power-up", kind);
    let rules = PowerUpRules { prefabs: vec![prefab], power_ups_per_player: 0.25, least_power_ups: 3, mine: None };
    assets.game.rules.power_ups = Some(rules);
}

#[test]
fn classic_match_has_no_power_ups_ghosts_and_their_systems() {
    let mut game = scenario(">.b").begin();
    game.drive(0, 1.0, 0.0).step(20);
    let engine = game.simulation().engine();
    assert!(engine.components().pool::<PowerUp>().is_none_or(|pool| pool.is_empty()));
    assert!(engine.components().pool::<Ghost>().is_none_or(|pool| pool.is_empty()));
    assert!(engine.system::<bounty_hunter::ghost::Ghosts>().is_none());
    assert!(!game.simulation().event_counts().contains_key("PowerUpTaken"));
}

#[test]
fn match_with_ghosts_is_equal_at_one_and_two_threads_and_every_time() {
    let mut assets = Assets::built_in();
    assets.game.countdown_seconds = 0.1;
    add_power_ups(&mut assets);
    let setup = MatchSetup { play_seconds: Some(30.0), ..MatchSetup::of_ais(21, 24, "normal") };
    let played = play_at_one_and_two_threads(&assets, &setup, |_| Inputs::none());
    let taken = played.event_counts().get("PowerUpTaken").copied().unwrap_or(0);
    assert!(taken > 5, "only {taken} power-ups were taken");
}

#[test]
fn hash_covers_ghosts() {
    let mut game = scenario(">..p").with_power_ups(LONG_SECONDS).begin();
    let (ghost, before) = (game.collector(0), game.simulation_mut().state_hash());
    game.component_mut::<Ghost>(ghost).left_seconds = 1.0;
    assert_ne!(game.simulation_mut().state_hash(), before);
}

#[test]
fn taken_power_up_has_its_sender_and_listener() {
    let route = scenario(">..p").with_power_ups(LONG_SECONDS).begin().route("PowerUpTaken");
    assert_eq!((route.senders, route.listeners), (vec!["PowerUps"], vec!["Ghosts", "UsePowers"]));
}

#[test]
fn restarted_match_has_no_old_power_ups_and_ghosts() {
    let mut game = pass(600.0);
    game.pause().restart();
    game.step_until(20, |game| game.state() == GameState::Running);
    let mut power_ups = 0;
    game.simulation().engine().read::<&bounty_hunter::game_object::GameObject>().for_each(|object| {
        power_ups += usize::from(object.kind == GameObjectKind::PowerUp);
    });
    assert_eq!((power_ups, ghost_seconds(&game, 0)), (0, Some(0.0)));
}
