//! Kinds of entity without code: prefabs that a level or a mode names.

use bounty_hunter::appearance::{Appearance, Color};
use bounty_hunter::assets::Assets;
use bounty_hunter::bounty::Bounty;
use bounty_hunter::collector::Drive;
use bounty_hunter::config::Deal;
use bounty_hunter::events::{BountyCollected, GameObjectKilled};
use bounty_hunter::game_object::{GameObject, GameObjectKind};
use bounty_hunter::input::Inputs;
use bounty_hunter::level::Place;
use bounty_hunter::physics::{Body, BodyReport, Category, Matter, Mobility, Physics, Shape};
use bounty_hunter::simulation::{MatchSetup, Simulation, SimulationError};
use bounty_hunter::view::{GameState, ObjectView};
use bounty_hunter::wall::SolidWalls;
use ecs::{EntityId, IncludeDisabled, prefab::FromPrefab};
use glam::Vec2;
use tests::{Game, Scenario, match_in, scenario, steps};

/// A scenario with further prefabs and objects in its level.
fn with_places(picture: &str, prefabs: &str, places: &[(&str, f32, f32)]) -> Scenario {
    scenario(picture).with_assets(|assets| {
        assets.prefabs.load("test.ron", prefabs).expect("a test has no mistake in its prefabs");
        let level = assets.levels.get_mut("arena").expect("it is built in");
        level.places.extend(places.iter().map(|&(prefab, x, y)| Place {
            name: None,
            prefab: prefab.to_owned(),
            at_m: (x, y),
            heading_rad: 0.0,
            scale: 1.0,
        }));
    })
}

fn objects(game: &Game) -> Vec<ObjectView> {
    game.simulation().view().objects
}

/// Kinds without code.
const LOG: &str = r##"{
    "log": (components: {
        "shape": Rectangle(half_width_m: 1.0, half_height_m: 4.0),
        "body": (category: Default, mobility: Fixed),
        "appearance": (color: "#804020"),
    }),
    "raft": (like: "log", components: { "body": (mobility: Moving, density: 0.01) }),
    "ice": (
        like: "raft",
        components: { "lifespan": (lifetime_seconds: (1.0, 1.0)), "respawn delay": (delay_seconds: 0.5) },
    ),
}"##;

#[test]
fn new_kind_is_there_and_is_seen_without_any_code() {
    let game = with_places("", LOG, &[("log", 0.0, 10.0), ("log", 10.0, 0.0)]).begin();
    let seen = objects(&game);
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0].position.to_array(), [0.0, 10.0]);
    assert_eq!((seen[0].color, seen[0].alpha), (Some(Color([0x80, 0x40, 0x20])), 1.0));
    let entity = EntityId::from_bits(seen[0].key);
    assert_eq!(game.component::<GameObject>(entity).kind, GameObjectKind::Other);
    assert_eq!(game.component::<FromPrefab>(entity).name(), "log");
}

#[test]
fn new_kind_of_obstacle_stops_a_collector_and_does_not_kill_it() {
    let mut game = with_places(">", LOG, &[("log", 10.0, 0.0)]).begin();
    game.drive(0, 1.0, 0.0).step(120);
    let place = game.pose(game.collector(0)).position;
    assert!(game.is_alive(0) && (6.5..=9.0).contains(&place.x), "{place}");
    assert_eq!(objects(&game)[0].position.to_array(), [10.0, 0.0]);
}

#[test]
fn moving_object_is_pushed_and_seen_at_its_place() {
    let mut game = with_places(">", LOG, &[("raft", 10.0, 0.0)]).begin();
    game.drive(0, 1.0, 0.0).step(60);
    let raft = objects(&game)[0].position;
    assert!(raft.x > 15.0, "{raft}");
    assert!(game.is_alive(0));
}

/// The texts in RON of a section of the guide.
fn guide_texts(section: &str) -> Vec<String> {
    let guide = include_str!("../../bounty_hunter/GUIDE.md");
    let (_, text) = guide.split_once(&format!("### {section}\n")).expect("the guide has the section");
    let (text, _) = text.split_once("\n### ").expect("another section follows");
    let blocks =
        text.split("```ron\n").skip(1).map(|block| block.split_once("```").expect("a block ends").0.to_owned());
    blocks.collect()
}

#[test]
fn material_of_the_guide_gives_kinds_surface_mass_and_colour() {
    let [materials, kinds] = &*guide_texts("A material") else { panic!("a text of materials and one of kinds") };
    let names = ["cork block", "icy block", "damp block"];
    let places: Vec<_> = (0..).zip(names).map(|(n, name)| (name, 10.0, 12.0 * n as f32)).collect();
    let mut game = with_places(">", "{}", &places)
        .with_assets(|assets| {
            assets.prefabs.load_all([("kinds.ron", kinds.as_str()), ("cork.ron", materials)]).unwrap();
        })
        .begin();
    let of = |game: &Game, at: usize| {
        let entity = EntityId::from_bits(objects(game)[at].key);
        (*game.component::<Body>(entity), *game.component::<Matter>(entity), objects(game)[at].color)
    };
    let [cork, icy, damp] = [0, 1, 2].map(|at| of(&game, at));
    assert_eq!(cork.0, Body { category: Category::Default, mobility: Mobility::Moving, density: 0.3 });
    assert_eq!((icy.0.mobility, icy.0.density, icy.1.damping_per_second), (Mobility::Moving, 0.9, 0.02));
    assert_eq!((damp.1, damp.2), (Matter { restitution_share: 0.05, ..cork.1 }, cork.2));
    assert_ne!(cork.2, icy.2);
    // The collector pushes the block of cork, which then comes to rest by itself.
    game.drive(0, 1.0, 0.0).step(60);
    assert!(objects(&game)[0].position.x > 12.0, "{}", objects(&game)[0].position);
}

/// Materials say what several kinds have in common; the values of the kinds are those from before there were materials.
#[test]
fn built_in_kinds_have_the_values_of_their_materials() {
    let prefabs = Assets::built_in().prefabs;
    let of = |kind: &str| {
        let body = prefabs.component::<Body>(kind).expect("it has a body");
        let color = prefabs.component::<Appearance>(kind).expect("it has a colour").color;
        (body.mobility, body.density, prefabs.component::<Matter>(kind).copied(), String::from(color))
    };
    let (fixed, moving) = (Mobility::Fixed, Mobility::Moving);
    assert_eq!(of("rock"), (fixed, 1.0, None, "#6f7787".to_owned()));
    assert_eq!(of("boulder"), (moving, 0.4, None, "#9a8468".to_owned()));
    assert_eq!(of("crate"), (fixed, 1.0, None, "#a9743f".to_owned()));
    assert_eq!(of("vault door"), (fixed, 1.0, None, "#c08a3e".to_owned()));
    let braked = Matter { damping_per_second: 0.25, ..Matter::default() };
    assert_eq!(of("stone"), (moving, 5.0, Some(braked), "#8d8f98".to_owned()));
}

#[test]
fn materials_of_a_directory_replace_the_built_in_ones_and_a_missing_one_is_named() {
    let built_in = include_str!("../../assets/prefabs/materials.ron");
    let read = |text: &str| Assets::with_texts([("prefabs/materials.ron", text)]);
    let red = read(&built_in.replace("#6f7787", "#ff0000")).expect("it is another colour");
    let color = |kind: &str| red.prefabs.component::<Appearance>(kind).expect("it has a colour").color;
    assert_eq!((String::from(color("rock")), String::from(color("boulder"))), ("#ff0000".into(), "#9a8468".into()));
    let error = read(&built_in.replace("\"rocky\"", "\"rock-like\"")).expect_err("rocks need it").to_string();
    assert!(error.starts_with("assets/prefabs/obstacles.ron:5:16: unknown prefab `rocky`"), "{error}");
}

/// A large raft, and a rock of it that is fixed.
const SCALED: &str = r#"{
    "barge": (like: "raft", components: { "scale": (factor: 2.0) }),
    "cliff": (like: "log", components: { "scale": (factor: 2.0) }),
}"#;

/// A scenario with one object of a scaled kind, which its place scales as well.
fn with_scaled(picture: &str, kind: &str, scale: f32) -> Game {
    let scenario = with_places(picture, LOG, &[(kind, 20.0, 0.0)]).with_assets(|assets| {
        assets.prefabs.load("scaled.ron", SCALED).expect("they extend the kinds of the tests");
        assets.levels.get_mut("arena").expect("it is built in").places[0].scale = scale;
    });
    scenario.begin()
}

#[test]
fn scales_of_kind_and_place_change_picture_and_hit_box() {
    let mut game = with_scaled(">", "cliff", 1.5);
    assert_eq!(objects(&game)[0].shape, Shape::Rectangle(3.0, 12.0));
    game.drive(0, 1.0, 0.0).step(120);
    let place = game.pose(game.collector(0)).position;
    assert!((14.5..=17.0).contains(&place.x), "{place}");
    let walls = game.simulation().engine().resource::<SolidWalls>().expect("there are walls");
    assert_eq!(walls.blocks[0].half_extents_m.to_array(), [3.0, 12.0], "AIs know the size");
}

#[test]
fn mass_follows_the_scale() {
    let mass = |kind: &str, scale: f32| {
        let game = with_scaled("", kind, scale);
        let physics = game.simulation().engine().resource::<Physics>().expect("there is physics");
        let is_raft = |body: &BodyReport| {
            body.category == Category::Default && body.pose.position.distance(Vec2::new(20.0, 0.0)) < 0.01
        };
        physics.bodies().find(is_raft).expect("the raft has a body").mass
    };
    let usual = mass("raft", 1.0);
    assert!((mass("raft", 3.0) / usual - 9.0).abs() < 0.01, "a raft has {usual} kg");
    assert!((mass("barge", 1.5) / usual - 9.0).abs() < 0.01);
}

#[test]
fn object_of_damped_matter_comes_to_rest() {
    let damped = r#"{ "barge": (like: "raft", components: { "matter": (damping_per_second: 3.0) }) }"#;
    let drifts_by = |kind: &str| {
        let game = with_places(">", LOG, &[]).with_assets(|assets| {
            assets.prefabs.load("damped.ron", damped).expect("it extends the raft");
            let level = assets.levels.get_mut("arena").expect("it is built in");
            level.places.push(Place {
                name: None,
                prefab: kind.to_owned(),
                at_m: (10.0, 0.0),
                heading_rad: 0.0,
                scale: 1.0,
            });
        });
        let mut game = game.begin();
        game.drive(0, 1.0, 0.0).step(30).drive(0, -1.0, 0.0).step(120);
        let before = objects(&game)[0].position;
        game.step(30);
        before.distance(objects(&game)[0].position)
    };
    let (raft, barge) = (drifts_by("raft"), drifts_by("barge"));
    assert!(raft > 1.0 && barge < 0.1, "{raft} m and {barge} m");
}

#[test]
fn object_pushed_out_of_the_world_wraps_around() {
    let mut game =
        with_places("", LOG, &[("raft", 70.0, 0.0)]).collector_at(0, 60.0, 0.0, -std::f32::consts::FRAC_PI_2).begin();
    game.drive(0, 1.0, 0.0).step_until(120, |game| objects(game)[0].position.x < 0.0);
}

#[test]
fn object_with_a_lifespan_expires_and_respawns_in_place() {
    let mut game = with_places("", LOG, &[("ice", 0.0, 10.0)]).begin();
    let all = |game: &Game| objects(game).len();
    game.step(30);
    let fading = objects(&game)[0].alpha;
    assert!(fading < 0.9 && fading > 0.1, "{fading}");
    game.step_until(steps(1.0), |game| all(game) == 0);
    assert!(game.count::<GameObjectKilled>() >= 1);
    let gone = game.step_until(steps(1.0), |game| all(game) == 1);
    assert!((28..=32).contains(&gone), "{gone} steps");
    assert_eq!(objects(&game)[0].position.to_array(), [0.0, 10.0]);
    assert_eq!(objects(&game)[0].alpha, 1.0);
}

#[test]
fn kind_may_say_where_it_respawns() {
    let comet = r#"{ "comet": (like: "ice", components: { "respawn at": (at_m: (20.0, -5.0), heading_rad: 0.5) }) }"#;
    let game = with_places("", LOG, &[]).with_assets(|assets| {
        assets.prefabs.load("comet.ron", comet).expect("it extends the ice");
        let level = assets.levels.get_mut("arena").expect("it is built in");
        level.places.push(Place {
            name: None,
            prefab: "comet".to_owned(),
            at_m: (0.0, 10.0),
            heading_rad: 0.0,
            scale: 1.0,
        });
    });
    let mut game = game.begin();
    assert_eq!(objects(&game)[0].position.to_array(), [0.0, 10.0]);
    game.step_until(steps(2.0), |game| objects(game).is_empty());
    game.step_until(steps(1.0), |game| !objects(game).is_empty());
    let seen = &objects(&game)[0];
    assert_eq!((seen.position.to_array(), seen.heading), ([20.0, -5.0], 0.5));
}

#[test]
fn new_kind_can_be_a_bounty_with_a_fixed_place() {
    let pearl = r#"{ "pearl": (like: "bounty", components: { "worth": (value: (33.0, 33.0)) }) }"#;
    let mut game = with_places(">", pearl, &[("pearl", 6.0, 0.0)]).begin();
    game.drive(0, 1.0, 0.0).step_until(60, |game| game.count::<BountyCollected>() == 1);
    assert_eq!(game.pocket(0), 33.0);
    game.drive(0, -1.0, 0.0).step_until(steps(2.5), |game| game.bounties().len() == 1);
    assert_eq!(game.bounties()[0].position.to_array(), [6.0, 0.0]);
}

#[test]
fn files_alone_add_a_kind_and_a_level_with_it() {
    let level = r#"(world_half_extent_m: 60.0, bounty_region_share: 0.5,
        stashes: Places(at_m: [(40.0, 0.0), (-40.0, 0.0)]),
        places: [(prefab: "log", at_m: (0.0, 20.0), heading_rad: 1.0)])"#;
    let assets = Assets::with_texts([("prefabs/logs.ron", LOG), ("levels/river.ron", level)]).unwrap();
    let assets = assets.in_level("river").unwrap();
    let simulation = match_in(&assets, &MatchSetup::of_ais(1, 2, "normal"), GameState::Running);
    let view = simulation.view();
    assert_eq!((view.objects.len(), view.objects[0].heading), (1, 1.0));
}

#[test]
fn rocks_of_the_crossing_stay_and_boulders_move() {
    let assets = Assets::built_in().in_level("crossing").unwrap();
    let mut simulation = match_in(&assets, &MatchSetup::of_ais(3, 16, "normal"), GameState::Running);
    let before = simulation.view().objects;
    assert_eq!(before.len(), assets.levels["crossing"].places.len());
    while simulation.step(&Inputs::none()).state != GameState::GameOver {}
    let after = simulation.view().objects;
    let (mut rocks, mut pushed) = (0, 0);
    for (before, after) in before.iter().zip(&after) {
        let entity = EntityId::from_bits(before.key);
        let is_fixed = simulation.engine().get::<Body>(entity).unwrap().is_obstacle();
        rocks += usize::from(is_fixed);
        pushed += usize::from(before.position != after.position);
        assert!(!is_fixed || before.position == after.position);
    }
    assert_eq!(rocks, 4);
    assert!(pushed >= 1, "no boulder was pushed");
}

#[test]
fn power_up_mode_deals_golden_bounties() {
    let assets = Assets::built_in().in_mode("power-ups").unwrap();
    let simulation = match_in(&assets, &MatchSetup::of_ais(1, 16, "normal"), GameState::Running);
    let golden: Vec<_> = simulation.view().bounties.into_iter().filter(|bounty| bounty.color.is_some()).collect();
    assert_eq!(golden.len(), 2);
    assert!(golden.iter().all(|bounty| (40.0..=60.0).contains(&bounty.value)), "{golden:?}");
    let mut bounties = 0;
    simulation.engine().read_filtered::<&Bounty, IncludeDisabled>().for_each(|_| bounties += 1);
    assert_eq!(bounties, 16 + 2);
}

#[test]
fn rocks_can_be_dealt_and_bounties_keep_clear_of_them() {
    let mut assets = Assets::built_in();
    assets.game.deals = vec![Deal { prefab: "rock".to_owned(), objects_per_player: 0.5, least_objects: 3 }];
    let start = |seed| match_in(&assets, &MatchSetup::of_ais(seed, 16, "normal"), GameState::Running);
    let places =
        |simulation: &Simulation| simulation.view().objects.iter().map(|rock| rock.position).collect::<Vec<_>>();
    let simulation = start(1);
    assert_eq!(places(&simulation).len(), 8);
    let walls = simulation.engine().resource::<SolidWalls>().unwrap();
    assert_eq!(walls.blocks.len(), 8);
    assert!(simulation.view().bounties.iter().all(|bounty| walls.leave_room_at(bounty.position)));
    assert!(places(&start(1)) == places(&simulation) && places(&start(2)) != places(&simulation));
}

#[test]
fn variant_of_the_collector_is_played_by_its_name() {
    let mut game = scenario(">.b")
        .with_assets(|assets| assets.game.kinds.collector = "heavy collector".to_owned())
        .seat(0, bounty_hunter::simulation::Seat::Script)
        .begin();
    let collector = game.collector(0);
    let drive = game.component::<Drive>(collector);
    assert_eq!((drive.max_speed_mps, drive.max_turn_radps), (18.0, std::f32::consts::TAU));
    game.carry(0, 145.0).drive(0, 1.0, 0.0).step(60);
    assert_eq!(game.pocket(0), 150.0);
    let view = game.simulation().view();
    assert_eq!((view.pocket_capacity, view.collectors[0].half_extent), (150.0, 1.8));
}

#[test]
fn ais_play_heavy_collectors_as_well() {
    let stashed = |kind: &str| {
        let mut assets = Assets::built_in();
        assets.game.kinds.collector = kind.to_owned();
        let mut sum = 0.0;
        for seed in 1..=3 {
            let simulation = match_in(&assets, &MatchSetup::of_ais(seed, 8, "normal"), GameState::GameOver);
            sum += simulation.stashes().iter().sum::<f32>();
        }
        sum
    };
    let (heavy, usual) = (stashed("heavy collector"), stashed("collector"));
    assert!(heavy > 0.5 * usual, "{heavy} with heavy collectors, {usual} with the usual ones");
}

#[test]
fn prefab_that_is_missing_or_lacks_something_is_refused_before_the_match() {
    let refusal = |change: fn(&mut Assets)| {
        let mut assets = Assets::built_in();
        change(&mut assets);
        Simulation::new(&assets, &MatchSetup::of_ais(1, 2, "normal")).err().expect("it is refused")
    };
    let missing = refusal(|assets| assets.game.kinds.stash = "chest".to_owned());
    let known = "boulder, bounty, brass, camera, collector, crate, dash power-up, double power-up, edge, ghost power-up, gold, golden bounty, granite, heavy collector, icy, magnet power-up, mine, mine power-up, portal, rock, rocky, rubber, sandy, shield power-up, spring, stash, stone, thorns, updraft, vast stash, vault door, vault lever, wall, wooden";
    assert_eq!(missing, SimulationError::Prefab(format!("there is no prefab \"chest\", there are {known}")));
    let lacking = refusal(|assets| assets.game.kinds.bounty = "rock".to_owned());
    assert_eq!(lacking.to_string(), "prefab \"rock\" has no `worth`, which a bounty needs");
}

// Replacing prefabs during a match

/// The built-in assets with other numbers in a file.
fn changed(file: &str, from: &str, to: &str) -> Assets {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{file} has {from}");
    Assets::with_texts([(file, text.replacen(from, to, 1).as_str())]).unwrap()
}

fn running() -> Game {
    let assets = Assets::built_in().in_level("crossing").unwrap();
    let mut game = Game::playing(Simulation::new(&assets, &MatchSetup::of_ais(2, 4, "normal")).unwrap());
    game.step_until(300, |game| game.state() == GameState::Running);
    game.step(60);
    game
}

fn exchange(game: &mut Game, assets: &Assets) -> ecs::prefab::Reloaded {
    game.simulation_mut().replace_prefabs(assets.prefabs.clone()).unwrap()
}

#[test]
fn living_objects_get_new_numbers() {
    let mut game = running();
    let (pocket, pose) = (game.carry(0, 42.0).pocket(0), game.pose(game.collector(0)));
    let reloaded = exchange(&mut game, &changed("prefabs/collector.ron", "25.0", "10.0"));
    assert_eq!((reloaded.prefabs, reloaded.entities), (vec!["collector".to_owned()], 4));
    let collector = game.collector(0);
    assert_eq!(game.component::<Drive>(collector).max_speed_mps, 10.0);
    assert_eq!((game.pocket(0), game.pose(collector)), (pocket, pose), "momentary state stays");
    let before = game.pose(collector).position;
    game.step(1);
    let speed_mps = game.pose(collector).position.distance(before) * 60.0;
    assert!(speed_mps <= 10.1, "{speed_mps}");
}

#[test]
fn bodies_get_new_sizes() {
    let mut game = with_places(">", LOG, &[("log", 20.0, 0.0)]).begin();
    game.drive(0, 1.0, 0.0).step(120);
    let stopped_at = |game: &Game| game.pose(game.collector(0)).position.x;
    assert!((16.0..19.0).contains(&stopped_at(&game)), "{}", stopped_at(&game));
    let mut prefabs = Assets::built_in().prefabs;
    prefabs.load("bounty'.ron", r#"{ "bounty'": (like: "bounty") }"#).unwrap();
    prefabs.load("test.ron", LOG.replace("half_width_m: 1.0", "half_width_m: 0.1")).unwrap();
    game.simulation_mut().replace_prefabs(prefabs).unwrap();
    game.step(120);
    assert!(stopped_at(&game) > 17.5, "{}", stopped_at(&game));
    assert_eq!(objects(&game)[0].shape, bounty_hunter::physics::Shape::Rectangle(0.1, 4.0));
}

#[test]
fn fixed_object_can_become_moving_and_mortal() {
    let mut game = with_places(">", LOG, &[("log", 10.0, 0.0)]).begin();
    let mut prefabs = Assets::built_in().prefabs;
    prefabs.load("bounty'.ron", r#"{ "bounty'": (like: "bounty") }"#).unwrap();
    let text = LOG.replace("mobility: Fixed", "mobility: Moving, density: 0.01");
    prefabs
        .load(
            "test.ron",
            text.replace("\"appearance\"", "\"lifespan\": (lifetime_seconds: (2.0, 2.0)), \"appearance\""),
        )
        .unwrap();
    game.simulation_mut().replace_prefabs(prefabs).unwrap();
    game.drive(0, 1.0, 0.0).step(60);
    assert!(objects(&game)[0].position.x > 11.0, "{:?}", objects(&game));
    game.step(steps(1.1));
    assert_eq!(objects(&game), []);
}

#[test]
fn invalid_set_is_refused_and_the_old_one_stays() {
    let mut game = running();
    let hash = game.simulation_mut().state_hash();
    let mut prefabs = bounty_hunter::prefabs::known_components();
    let error = game.simulation_mut().replace_prefabs(prefabs.clone()).unwrap_err();
    assert_eq!(error.to_string(), "there is no prefab \"collector\", there are ");
    prefabs.load("a.ron", r#"{ "collector": () }"#).unwrap();
    let error = game.simulation_mut().replace_prefabs(prefabs).unwrap_err();
    assert_eq!(error.to_string(), "prefab \"collector\" has no `shape`, which a collector needs");
    assert_eq!(game.simulation_mut().state_hash(), hash);
    game.step(60);
}

#[test]
fn same_set_changes_nothing() {
    let (mut game, mut other) = (running(), running());
    let reloaded = exchange(&mut game, &Assets::built_in());
    assert_eq!(reloaded, ecs::prefab::Reloaded::default());
    assert_eq!(game.step(300).simulation_mut().state_hash(), other.step(300).simulation_mut().state_hash());
}

#[test]
fn next_match_is_built_from_the_new_set() {
    let mut game = running();
    exchange(&mut game, &changed("prefabs/stash.ron", "1.875", "2.5"));
    game.pause().restart();
    game.step_until(600, |game| game.state() == GameState::Running);
    assert!(game.simulation().view().stashes.iter().all(|stash| stash.half_extent == 2.5));
}
