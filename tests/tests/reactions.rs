//! Reactions of levels: what happens at one place is done to another, from files alone.

use bounty_hunter::arena::Pose;
use bounty_hunter::assets::Assets;
use bounty_hunter::events::SignalSent;
use bounty_hunter::game_object::RigidBody;
use bounty_hunter::health::Health;
use bounty_hunter::input::Inputs;
use bounty_hunter::level::{Level, Place};
use bounty_hunter::match_setup::place_tag;
use bounty_hunter::physics::Physics;
use bounty_hunter::reactions::{ActsOn, Watches};
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::switch::Switch;
use bounty_hunter::view::{GameState, ObjectView};
use bounty_hunter::wall::SolidWalls;
use ecs::EntityId;
use ecs::prefab::RonText;
use tests::{Game, Scenario, eager, match_in, scenario, steps};

/// Kinds of the levels below.
const KINDS: &str = r##"{
    "door": (components: {
        "shape": Rectangle(half_width_m: 1.0, half_height_m: 6.0),
        "body": (category: Default, mobility: Fixed),
    }),
    "box": (like: "door", components: { "shape": Square(half_extent_m: 1.0), "life": () }),
    "plate": (components: {
        "shape": Square(half_extent_m: 1.5),
        "body": (category: Trigger, mobility: Fixed),
    }),
    "ball": (components: {
        "shape": Square(half_extent_m: 1.0),
        "body": (category: Default, mobility: Moving, density: 0.01),
    }),
}"##;

/// A scenario in whose level these places and reactions are.
fn level(picture: &str, places: &str, reactions: &str) -> Scenario {
    scenario(picture).with_assets(|assets| {
        assets.prefabs.load("test.ron", KINDS).expect("the kinds are valid");
        let text = format!(
            "(world_half_extent_m: 75.0, stashes: Places(at_m: []), bounty_region_share: 0.1, places: [{places}], \
             reactions: [{reactions}])"
        );
        let read: Level = RonText::new("test.ron", text).read().expect("a test has no mistake in its level");
        let arena = assets.levels.get_mut("arena").expect("it is built in");
        (arena.places, arena.reactions) = (read.places, read.reactions);
    })
}

/// The object at a named place.
fn named(simulation: &Simulation, name: &str) -> EntityId {
    simulation.engine().entity_lists().tagged(&place_tag(name)).expect("a place has this name")
}

fn seen(simulation: &Simulation, name: &str) -> Option<ObjectView> {
    let key = named(simulation, name).bits();
    simulation.view().objects.into_iter().find(|object| object.key == key)
}

fn x_of(game: &Game, player: usize) -> f32 {
    game.pose(game.collector(player)).position.x
}

const DOOR: &str =
    r#"(name: "door", prefab: "door", at_m: (20.0, 0.0)), (name: "plate", prefab: "plate", at_m: (8.0, 0.0))"#;

#[test]
fn lever_opens_a_distant_door_and_the_collector_passes() {
    let reactions = r#"(when: Touched("plate"), do: Open, to: "door")"#;
    let mut game = level(">", DOOR, reactions).begin();
    let solid = seen(game.simulation(), "door").expect("it is drawn");
    game.drive(0, 1.0, 0.0).step(120);
    assert!(x_of(&game, 0) > 30.0, "{}", x_of(&game, 0));
    let open = seen(game.simulation(), "door").expect("an open door is drawn");
    assert!(solid.alpha == 1.0 && open.alpha < 0.5, "{} and {}", solid.alpha, open.alpha);
    assert!(game.component::<Switch>(named(game.simulation(), "door")).is_open);
}

#[test]
fn without_its_reaction_the_door_stops_the_collector() {
    let mut game = level(">", DOOR, "").begin();
    game.drive(0, 1.0, 0.0).step(120);
    assert!((16.0..19.0).contains(&x_of(&game, 0)), "{}", x_of(&game, 0));
}

#[test]
fn nothing_bounces_from_a_trigger() {
    let mut game = level(">", r#"(prefab: "plate", at_m: (8.0, 0.0))"#, "").begin();
    game.drive(0, 1.0, 0.0).step(60);
    let straight = 25.0;
    assert!((x_of(&game, 0) - straight).abs() < 1.0, "{}", x_of(&game, 0));
}

#[test]
fn door_closes_when_the_last_one_has_left_the_plate() {
    let reactions = r#"(when: Touched("plate"), do: Open, to: "door"), (when: Left("plate"), do: Close, to: "door")"#;
    let places =
        r#"(name: "door", prefab: "door", at_m: (40.0, 0.0)), (name: "plate", prefab: "plate", at_m: (0.0, 0.0))"#;
    let mut game = level("", places, reactions)
        .collector_at(0, 0.0, -10.0, 0.0)
        .collector_at(1, 0.0, 10.0, std::f32::consts::PI)
        .begin();
    let is_open = |game: &Game| game.component::<Switch>(named(game.simulation(), "door")).is_open;
    let walls =
        |game: &Game| game.simulation().engine().resource::<SolidWalls>().expect("there are walls").blocks.len();
    assert!(!is_open(&game) && walls(&game) == 1);
    // Both reach the plate, and one of them leaves it.
    game.drive(0, 1.0, 0.0).step_until(60, is_open);
    assert_eq!(walls(&game), 0, "AIs see an open door as no obstacle");
    game.drive(0, 0.0, 0.0).step(2);
    let stays = game.collector(0);
    let there = game.pose(stays);
    game.drive(1, 1.0, 0.0).step_until(60, |game| game.pose(game.collector(1)).position.y < there.position.y + 6.0);
    let goes = game.collector(1);
    game.put(goes, Pose::at(0.0, 30.0)).drive(1, 0.0, 0.0).step(3);
    assert!(is_open(&game), "one is still there");
    game.put(stays, Pose::at(0.0, -30.0)).step(3);
    assert!(!is_open(&game) && walls(&game) == 1);
}

#[test]
fn reactions_come_late_once_and_again() {
    let places =
        r#"(name: "door", prefab: "door", at_m: (40.0, 0.0)), (name: "other", prefab: "door", at_m: (50.0, 0.0))"#;
    let reactions = r#"(when: At(seconds: 1.0), do: Open, to: "door"), (when: At(seconds: 1.0), do: Close, to: "door", after_seconds: 0.5),
        (when: Every(seconds: 0.5), do: Send("tick")), (when: Heard("tick"), do: Disable, to: "other"),
        (when: Heard("tick"), do: Enable, to: "other", after_seconds: 0.25)"#;
    let mut game = level("", places, reactions).begin();
    let is_open = |game: &Game| game.component::<Switch>(named(game.simulation(), "door")).is_open;
    let opened = game.step_until(90, is_open);
    assert!((59..=61).contains(&opened), "{opened}");
    let closed = game.step_until(60, |game| !is_open(game));
    assert!((29..=32).contains(&closed), "{closed}");
    game.step(120);
    assert!(!is_open(&game), "it happens once");
    let ticks = game.count::<SignalSent>();
    assert!((6..=8).contains(&ticks), "{ticks} ticks");
    // An object that is away is neither drawn nor hit.
    game.step_until(60, |game| seen(game.simulation(), "other").is_none());
    let back = game.step_until(60, |game| seen(game.simulation(), "other").is_some());
    assert!((14..=17).contains(&back), "{back}");
}

#[test]
fn touched_collector_is_teleported_and_seen_to_jump() {
    let reactions = r#"(when: Touched("plate"), do: Teleport(at_m: (-30.0, 20.0)))"#;
    let mut game = level(">", r#"(name: "plate", prefab: "plate", at_m: (8.0, 0.0))"#, reactions).begin();
    game.drive(0, 1.0, 0.0).step_until(60, |game| x_of(game, 0) < -20.0);
    let collector = game.simulation().view().collectors[0];
    assert!(collector.teleported && collector.position.distance((-30.0, 20.0).into()) < 1.0, "{collector:?}");
    assert!((collector.heading + std::f32::consts::FRAC_PI_2).abs() < 1e-3, "it faces as before");
    game.step(1);
    assert!(!game.simulation().view().collectors[0].teleported);
}

#[test]
fn crate_dies_and_comes_back_on_call_and_its_death_is_a_cause() {
    let places = r#"(name: "crate", prefab: "box", at_m: (20.0, 0.0)), (name: "plate", prefab: "plate", at_m: (8.0, 0.0)),
        (name: "door", prefab: "door", at_m: (50.0, 0.0))"#;
    let reactions = r#"(when: Touched("plate"), do: Kill, to: "crate"), (when: Killed("crate"), do: Open, to: "door"),
        (when: Killed("crate"), do: Spawn, to: "crate", after_seconds: 1.0), (when: Spawned("crate"), do: Close, to: "door")"#;
    let mut game = level(">", places, reactions).begin();
    let is_open = |game: &Game| game.component::<Switch>(named(game.simulation(), "door")).is_open;
    let is_there = |game: &Game| seen(game.simulation(), "crate").is_some();
    assert!(is_there(&game) && !is_open(&game));
    game.drive(0, 1.0, 0.0).step_until(60, |game| !is_there(game));
    game.drive(0, 0.0, 0.0).step_until(3, is_open);
    let back = game.step_until(90, is_there);
    assert!((55..=62).contains(&back), "{back}");
    game.step_until(3, |game| !is_open(game));
}

#[test]
fn killed_collector_loses_its_load() {
    let reactions = r#"(when: Touched("plate"), do: Kill)"#;
    let mut game = level(">.b", r#"(name: "plate", prefab: "plate", at_m: (4.0, 0.0))"#, reactions).begin();
    game.carry(0, 50.0).drive(0, 1.0, 0.0).step_until(60, |game| !game.is_alive(0));
    assert_eq!(game.pocket(0), 0.0);
}

#[test]
fn only_what_counts_presses_a_plate() {
    let places = r#"(name: "door", prefab: "door", at_m: (40.0, 0.0)), (name: "plate", prefab: "plate", at_m: (12.0, 0.0)),
        (name: "ball", prefab: "ball", at_m: (6.0, 0.0))"#;
    let is_open_after = |by: &str, steps: u32| {
        let reaction = format!(r#"(when: Touched("plate"), by: {by}, do: Open, to: "door")"#);
        let mut game = level(">", places, &reaction).begin();
        game.drive(0, 1.0, 0.0).step(steps);
        game.component::<Switch>(named(game.simulation(), "door")).is_open
    };
    // The ball, which the collector pushes, comes first.
    assert!(is_open_after("Object", 20) && !is_open_after("Collector", 20) && is_open_after("Any", 20));
    assert!(is_open_after("Collector", 60) && !is_open_after("Bounty", 60));
}

#[test]
fn happening_of_the_rules_is_a_cause() {
    let reactions = r#"(when: Happened(BountyStashed), do: Teleport(at_m: (0.0, -40.0), heading_rad: 0.0))"#;
    let mut game = level(">...0", "", reactions).begin();
    game.carry(0, 20.0).drive(0, 1.0, 0.0);
    game.step_until(60, |game| game.pose(game.collector(0)).position.y < -30.0);
    assert_eq!(game.stashed(0), 20.0);
}

#[test]
fn two_reactions_that_cause_each_other_alternate() {
    let reactions = r#"(when: At(seconds: 0.0), do: Send("ping")), (when: Heard("ping"), do: Send("pong")),
        (when: Heard("pong"), do: Send("ping"))"#;
    let mut game = level("", "", reactions).begin();
    game.step(100);
    let sent = game.count::<SignalSent>();
    assert!((98..=101).contains(&sent), "{sent}");
}

#[test]
fn links_are_relations_of_the_framework() {
    let game = level(">", DOOR, r#"(when: Touched("plate"), do: Open, to: "door")"#).begin();
    let (plate, door) = (named(game.simulation(), "plate"), named(game.simulation(), "door"));
    let engine = game.simulation().engine();
    let [reaction] = engine.related_to::<ActsOn>(door) else { panic!("one reaction acts on the door") };
    assert_eq!(engine.related_to::<Watches>(plate), [*reaction]);
}

fn vault() -> Assets {
    Assets::built_in().in_level("vault").expect("the level is built in")
}

/// A match of the vault whose first collector drives over the lever nearest to it.
fn at_the_lever(seats: usize) -> Simulation {
    let setup = MatchSetup { seats: vec![Seat::Script; seats], ..MatchSetup::of_ais(1, 0, "") };
    match_in(&vault(), &setup, GameState::Running)
}

#[test]
fn state_of_reactions_is_in_snapshots_saves_and_hashes() {
    let mut simulation = at_the_lever(2);
    let lever = named(&simulation, "east lever");
    let at = simulation.engine().get::<bounty_hunter::game_object::Transform>(lever).expect("it has a place").pose;
    let mut game = Game::playing(simulation);
    let collector = game.collector(0);
    game.put(collector, at).step(30);
    simulation = {
        let mut before = at_the_lever(2);
        let hash = before.state_hash();
        assert_ne!(hash, game.simulation_mut().state_hash());
        before
    };
    let snapshot = game.simulation_mut().snapshot().expect("it can be copied");
    let saved = game.simulation_mut().save().expect("it can be saved");
    let closes = |game: &mut Game| {
        let door = |game: &Game| game.component::<Switch>(named(game.simulation(), "west door")).is_open;
        assert!(door(game));
        let closed = game.step_until(steps(11.0), |game| !door(game));
        (closed, game.simulation_mut().state_hash())
    };
    let first = closes(&mut game);
    assert!((560..=600).contains(&first.0), "{first:?}");
    game.simulation_mut().restore(&snapshot).expect("it is of this match");
    assert_eq!(closes(&mut game), first);
    let mut loaded = simulation;
    loaded.load(&saved).expect("it is of this match");
    assert_eq!(closes(&mut Game::playing(loaded)), first);
}

#[test]
fn restarted_match_begins_with_closed_doors() {
    let mut game = Game::playing(at_the_lever(2));
    let count = |game: &Game| {
        let mut reactions = 0;
        game.simulation().engine().read::<&bounty_hunter::reaction::Reaction>().for_each(|_| reactions += 1);
        reactions
    };
    let (collector, lever) = (game.collector(0), named(game.simulation(), "east lever"));
    let at = game.pose(lever);
    game.put(collector, at).step(5);
    assert!(game.component::<Switch>(named(game.simulation(), "east door")).is_open);
    game.pause().restart().step(3);
    assert!(!game.component::<Switch>(named(game.simulation(), "east door")).is_open);
    assert_eq!(count(&game), 8);
}

#[test]
fn ais_play_the_vault_alike_at_any_number_of_threads() {
    let play = |threads: usize| {
        let setup = MatchSetup { play_seconds: Some(60.0), ..MatchSetup::of_ais(5, 8, "normal") };
        let mut simulation = Simulation::with_engine(&vault(), &setup, eager(threads)).unwrap();
        while simulation.step(&Inputs::none()).state != GameState::GameOver {}
        assert!(simulation.event_counts().contains_key("SignalSent"), "{:?}", simulation.event_counts());
        (simulation.state_hash(), simulation.stashes().iter().sum::<f32>())
    };
    let one = play(1);
    assert_eq!(play(2), one);
    assert!(one.1 > 100.0, "AIs bring home {}", one.1);
}

#[test]
fn reaction_to_a_place_that_is_gone_is_left_alone() {
    let reactions = r#"(when: Touched("plate"), do: Open, to: "door")"#;
    let mut game = level(">", DOOR, reactions)
        .with_assets(|assets| {
            let places = &mut assets.levels.get_mut("arena").expect("it is built in").places;
            places.retain(|place: &Place| place.name.as_deref() != Some("door"));
        })
        .begin();
    game.drive(0, 1.0, 0.0).step(120);
    assert!(x_of(&game, 0) > 30.0);
}

fn health(game: &Game, object: EntityId) -> f32 {
    game.component::<Health>(object).left
}

#[test]
fn reactions_hurt_and_heal_what_has_health() {
    let kind = r#"{ "egg": (like: "door", components: { "toughness": (points: 60.0) }) }"#;
    let places =
        r#"(name: "egg", prefab: "egg", at_m: (40.0, 0.0)), (name: "plate", prefab: "plate", at_m: (8.0, 0.0))"#;
    let reactions = r#"(when: At(seconds: 0.5), do: Damage(points: 50.0), to: "egg"), (when: At(seconds: 1.0), do: Heal(points: 5.0), to: "egg"),
        (when: Touched("plate"), do: Damage(points: 90.0)), (when: At(seconds: 2.0), do: Damage(points: 20.0), to: "egg")"#;
    let mut game = level(">", places, reactions)
        .with_health()
        .with_assets(|assets| _ = assets.prefabs.load("egg.ron", kind).expect("it extends the door"))
        .begin();
    let (egg, collector) = (named(game.simulation(), "egg"), game.collector(0));
    assert_eq!((health(&game, egg), health(&game, collector)), (60.0, 100.0));
    game.drive(0, 1.0, 0.0).step(45).drive(0, 0.0, 0.0);
    assert_eq!((health(&game, egg), health(&game, collector)), (10.0, 10.0));
    game.step(30);
    assert_eq!(health(&game, egg), 15.0);
    game.step_until(60, |game| seen(game.simulation(), "egg").is_none());
}

#[test]
fn thorns_hurt_and_crates_break_and_come_back_in_the_springs() {
    let assets = Assets::built_in().in_mode("brawl").expect("it is built in").in_level("springs").expect("it is, too");
    let setup = MatchSetup { seats: vec![Seat::Script; 2], ..MatchSetup::of_ais(1, 0, "") };
    let mut game = Game::playing(match_in(&assets, &setup, GameState::Running));
    let collector = game.collector(0);
    // Driven through the thorns in the north, to a crate.
    game.put(collector, Pose::new((0.0, 40.0).into(), std::f32::consts::PI)).drive(0, 1.0, 0.0).step(30);
    assert_eq!(health(&game, collector), 80.0);
    let there = |game: &Game| seen(game.simulation(), "north crate").is_some();
    game.put(collector, Pose::new((0.0, 18.0).into(), std::f32::consts::PI));
    let broken = game.step_until(120, |game| !there(game));
    assert!(broken > 30, "a crate of 60 points survives the first hit of a collector, which deals 35");
    game.put(collector, Pose::at(0.0, -6.0)).drive(0, 0.0, 0.0).step(2);
    game.drive(0, 1.0, 0.0).step(10).drive(0, 0.0, 0.0);
    assert_eq!(health(&game, collector), 100.0, "the spring heals");
    game.put(collector, Pose::at(50.0, -50.0));
    game.step_until(steps(8.0), there);
    assert_eq!(health(&game, named(game.simulation(), "north crate")), 60.0);
}

#[test]
fn portals_lead_behind_the_walls_and_ais_play_the_springs() {
    let assets = Assets::built_in().in_level("springs").expect("it is built in");
    let setup = MatchSetup { seats: vec![Seat::Script; 2], ..MatchSetup::of_ais(1, 0, "") };
    let mut game = Game::playing(match_in(&assets, &setup, GameState::Running));
    let collector = game.collector(0);
    game.put(collector, Pose::new((40.0, 0.0).into(), std::f32::consts::FRAC_PI_2)).drive(0, 1.0, 0.0);
    game.step_until(30, |game| game.pose(collector).position.x < 0.0);
    let setup = MatchSetup { play_seconds: Some(30.0), ..MatchSetup::of_ais(3, 8, "normal") };
    let mut simulation = match_in(&assets, &setup, GameState::Running);
    while simulation.step(&Inputs::none()).state != GameState::GameOver {}
    assert!(simulation.stashes().iter().sum::<f32>() > 50.0, "{:?}", simulation.stashes());
}

#[test]
fn stones_fall_around_the_falls_and_kill_and_updrafts_lift_bounties() {
    let assets = Assets::built_in().in_level("falls").expect("it is built in");
    let setup = MatchSetup { seats: vec![Seat::Script; 2], ..MatchSetup::of_ais(1, 0, "") };
    let mut game = Game::playing(match_in(&assets, &setup, GameState::Running));
    let stone = named(game.simulation(), "left stone");
    let before = game.pose(stone).position;
    game.step(30);
    let after = game.pose(stone).position;
    assert!(after.x == before.x && after.y < before.y - 0.4 && after.y > before.y - 0.7, "{before} and {after}");
    let fallen = game.step_until(steps(20.0), |game| game.pose(stone).position.y > 60.0);
    assert!(fallen > 60, "it falls around the world");
    let collector = game.collector(0);
    let below = game.pose(stone).position - glam::Vec2::new(0.0, 8.0);
    game.put(collector, Pose::new(below, 0.0)).step_until(120, |game| !game.is_alive(0));
    let bounties = game.simulation().view().bounties;
    let [one, other] = [0, 1].map(|index| EntityId::from_bits(bounties[index].key));
    let speed = |game: &Game, bounty| {
        let physics = game.simulation().engine().resource::<Physics>().expect("there is physics");
        physics.velocity(game.component::<RigidBody>(bounty).0).expect("it has a body").linear.y
    };
    let before = [one, other].map(|bounty| speed(&game, bounty));
    game.put(one, Pose::at(42.0, 0.0)).put(other, Pose::at(60.0, 0.0)).step(12);
    let after = [one, other].map(|bounty| speed(&game, bounty));
    let gained = [after[0] - before[0], after[1] - before[1]];
    assert!((gained[0] - 1.0).abs() < 0.1 && (gained[1] + 1.0).abs() < 0.1, "5 m/s² for 0.2 s: {gained:?}");
}

#[test]
fn weight_decides_how_gravity_counts_and_collectors_drive_as_before() {
    let kinds = r#"{ "feather": (like: "ball", components: { "weight": (factor: 0.1) }),
        "balloon": (like: "ball", components: { "weight": (factor: -1.0) }) }"#;
    let places = r#"(name: "ball", prefab: "ball", at_m: (20.0, 0.0)), (name: "feather", prefab: "feather", at_m: (30.0, 0.0)),
        (name: "balloon", prefab: "balloon", at_m: (40.0, 0.0))"#;
    let mut game = level(">", places, "")
        .with_assets(|assets| {
            assets.prefabs.load("weights.ron", kinds).expect("they extend the ball");
            assets.levels.get_mut("arena").expect("it is built in").gravity_mps2 = (0.0, -10.0);
        })
        .begin();
    game.drive(0, 1.0, 0.0).step(30);
    let y = |name: &str| game.pose(named(game.simulation(), name)).position.y;
    assert!((y("ball") + 1.3).abs() < 0.1 && (y("feather") + 0.13).abs() < 0.02, "{} and {}", y("ball"), y("feather"));
    assert!((y("balloon") - 1.3).abs() < 0.1, "{}", y("balloon"));
    assert!(game.pose(game.collector(0)).position.y.abs() < 0.01);
}

/// The files in RON of a section of the guide, in their order.
fn files_of_the_guide(section: &str) -> Vec<&'static str> {
    let guide = include_str!("../../bounty_hunter/GUIDE.md");
    let (_, rest) = guide.split_once(&format!("### {section}\n")).expect("the guide has this section");
    let text = rest.split_once("\n### ").map_or(rest, |(text, _)| text);
    text.split("```ron\n").skip(1).filter_map(|block| Some(block.split_once("```")?.0)).collect()
}

#[test]
fn room_of_the_guide_plays_as_it_is_written() {
    let files = files_of_the_guide("A room with a lever and a door");
    let texts = [("levels/room.ron", files[0]), ("prefabs/room.ron", files[1])];
    let assets = Assets::with_texts(texts).expect("the files are valid").in_level("room").expect("it is there");
    let setup = MatchSetup { seats: vec![Seat::Script; 2], ..MatchSetup::of_ais(1, 0, "") };
    let mut game = Game::playing(match_in(&assets, &setup, GameState::Running));
    let is_open = |game: &Game| game.component::<Switch>(named(game.simulation(), "door")).is_open;
    let (collector, lever) = (game.collector(0), named(game.simulation(), "lever"));
    // Through the gap of the door, from below.
    let below = Pose::at(0.0, -18.0);
    game.put(collector, below).drive(0, 1.0, 0.0).step(30);
    assert!(game.pose(collector).position.y < -14.0, "the door is shut");
    let at = game.pose(lever);
    game.put(collector, at).drive(0, 0.0, 0.0).step(3);
    assert!(is_open(&game));
    game.put(collector, below).drive(0, 1.0, 0.0).step(30);
    assert!(game.pose(collector).position.y > -10.0, "the door is open");
    let closed = game.step_until(steps(8.0), |game| !is_open(game));
    assert!((400..=460).contains(&closed), "{closed} steps");
}

#[test]
fn spring_of_the_guide_plays_as_it_is_written() {
    let files = files_of_the_guide("A spring, thorns and crates");
    let texts = [("prefabs/garden.ron", files[0]), ("levels/garden.ron", files[1])];
    let assets = Assets::with_texts(texts).expect("the files are valid");
    let assets = assets.in_mode("brawl").expect("it is built in").in_level("garden").expect("it is there");
    let setup = MatchSetup { seats: vec![Seat::Script; 2], ..MatchSetup::of_ais(1, 0, "") };
    let mut game = Game::playing(match_in(&assets, &setup, GameState::Running));
    let collector = game.collector(0);
    game.put(collector, Pose::at(-20.0, 0.0)).step(3);
    assert_eq!(health(&game, collector), 80.0);
    game.put(collector, Pose::at(0.0, 0.0)).step(3);
    assert_eq!(health(&game, collector), 100.0);
    game.put(collector, Pose::at(0.0, 30.0)).step(3);
    assert_eq!(game.pose(collector).position.to_array(), [0.0, -30.0]);
    game.put(collector, Pose::at(0.0, 6.0)).drive(0, 1.0, 0.0).step(30);
    assert_eq!(health(&game, named(game.simulation(), "barrel")), 40.0);
    game.put(collector, Pose::at(-20.0, 0.0)).drive(0, 0.0, 0.0).step(3);
    let before = health(&game, collector);
    game.put(collector, Pose::at(30.0, 30.0)).step(60);
    let gained = health(&game, collector) - before;
    assert!((9.0..=10.0).contains(&gained), "the pool gives 10 points in a second, and gave {gained}");
}

#[test]
fn way_points_of_the_guide_are_a_chain() {
    let files = files_of_the_guide("Way-points");
    let texts = [("prefabs/race.ron", files[0]), ("levels/race.ron", files[1])];
    let assets = Assets::with_texts(texts).expect("the files are valid").in_level("race").expect("it is there");
    let setup = MatchSetup { seats: vec![Seat::Script; 2], ..MatchSetup::of_ais(1, 0, "") };
    let mut game = Game::playing(match_in(&assets, &setup, GameState::Running));
    let collector = game.collector(0);
    let there = |game: &Game| ["first", "second", "third"].map(|name| seen(game.simulation(), name).is_some());
    let is_open = |game: &Game| game.component::<Switch>(named(game.simulation(), "gate")).is_open;
    game.step(3);
    assert_eq!(there(&game), [true, false, false]);
    game.put(collector, Pose::at(26.0, 0.0)).step(3);
    assert_eq!((there(&game), is_open(&game)), ([true, false, false], false), "the third one is not there yet");
    for (at, then) in
        [((-26.0, 0.0), [false, true, false]), ((0.0, 26.0), [false, false, true]), ((26.0, 0.0), [false; 3])]
    {
        assert!(!is_open(&game));
        game.put(collector, Pose::at(at.0, at.1)).step(3);
        assert_eq!(there(&game), then, "{at:?}");
    }
    assert!(is_open(&game));
    game.step_until(steps(8.1), |game| there(game) == [true, false, false] && !is_open(game));
}

#[test]
fn stones_of_the_guide_play_as_they_are_written() {
    let files = files_of_the_guide("Falling stones and an updraft");
    let texts = [("prefabs/sky.ron", files[0]), ("levels/sky.ron", files[1])];
    let assets = Assets::with_texts(texts).expect("the files are valid").in_level("sky").expect("it is there");
    let setup = MatchSetup { seats: vec![Seat::Script; 2], ..MatchSetup::of_ais(1, 0, "") };
    let mut game = Game::playing(match_in(&assets, &setup, GameState::Running));
    let fallen = |game: &Game, name: &str| 30.0 - game.pose(named(game.simulation(), name)).position.y;
    game.step(30);
    let (big, small) = (fallen(&game, "big"), fallen(&game, "small"));
    assert!((0.5..0.7).contains(&big) && (small / big - 0.5).abs() < 0.1, "{big} and {small}");
    let (collector, small) = (game.collector(0), named(game.simulation(), "small"));
    let below = game.pose(small).position - glam::Vec2::new(0.0, 5.0);
    game.put(collector, Pose::new(below, 0.0)).step_until(120, |game| !game.is_alive(0));
}
