//! Prefabs replaced during a match: components are added to and removed from existing objects.

use bounty_hunter::assets::Assets;
use bounty_hunter::events::StashFull;
use bounty_hunter::game_object::{Life, RigidBody};
use bounty_hunter::level::Place;
use bounty_hunter::lifetime::Lifetime;
use bounty_hunter::physics::{Matter, Physics};
use bounty_hunter::view::{Ending, GameState};
use bounty_hunter::wall::SolidWalls;
use ecs::EntityId;
use glam::Vec2;
use tests::{Game, Scenario, scenario, steps};

const ICE: &str = r#"{
    "ice": (components: {
        "shape": Square(half_extent_m: 2.0),
        "body": (category: Default, mobility: Moving, density: 0.01),
        "lifespan": (lifetime_seconds: (1.0, 1.0)),
        "respawn delay": (delay_seconds: 0.5),
        "life": (),
    }),
    "log": (components: { "shape": Square(half_extent_m: 2.0), "body": (category: Default, mobility: Fixed) }),
}"#;
const LIFESPAN: &str = r#""lifespan": (lifetime_seconds: (1.0, 1.0)),"#;
const RESPAWN: &str = r#""respawn delay": (delay_seconds: 0.5),"#;
const LIFE: &str = r#""life": (),"#;
/// Where further components of the log are inserted.
const OF_LOG: &str = "\"log\": (components: {";

/// A match with an object of the kind at (0, 10).
fn with_one(kind: &str) -> Game {
    let kind = kind.to_owned();
    let scenario: Scenario = scenario("").with_assets(|assets| {
        assets.prefabs.load("test.ron", ICE).expect("a test has no mistake in its prefabs");
        let level = assets.levels.get_mut("arena").expect("it is built in");
        level.places.push(Place { name: None, prefab: kind, at_m: (0.0, 10.0), heading_rad: 0.0, scale: 1.0 });
    });
    let mut game = scenario.begin();
    game.step(5);
    game
}

#[test]
fn object_follows_the_scale_of_its_kind() {
    let mut game = with_one("log");
    let half_m = |game: &Game| game.simulation().view().objects[0].shape.half_extent_m();
    assert_eq!(half_m(&game), 2.0);
    reload(&mut game, &changed(OF_LOG, &format!("{OF_LOG} \"scale\": (factor: 3.0),")));
    assert_eq!(half_m(&game), 6.0);
    let walls = game.simulation().engine().resource::<SolidWalls>().expect("there are walls").clone();
    assert_eq!(walls.blocks[0].half_extents_m.to_array(), [6.0, 6.0]);
    reload(
        &mut game,
        &changed(
            "Square(half_extent_m: 2.0), \"body\": (category: Default, mobility: Fixed)",
            "Square(half_extent_m: 1.0), \"scale\": (factor: 3.0), \"body\": (category: Default, mobility: Fixed)",
        ),
    );
    assert_eq!(half_m(&game), 3.0);
    reload(&mut game, ICE);
    assert_eq!(half_m(&game), 2.0);
}

/// Replaces the prefabs of this test by another text.
fn reload(game: &mut Game, text: &str) {
    let mut prefabs = Assets::built_in().prefabs;
    prefabs.load("bounty'.ron", r#"{ "bounty'": (like: "bounty") }"#).unwrap();
    prefabs.load("test.ron", text).unwrap();
    game.simulation_mut().replace_prefabs(prefabs).unwrap();
}

/// The prefabs of this test with another component.
fn changed(from: &str, to: &str) -> String {
    assert!(ICE.contains(from), "{from} is there");
    ICE.replacen(from, to, 1)
}

fn is_there(game: &Game) -> bool {
    !game.simulation().view().objects.is_empty()
}

/// The number of steps, of `of`, in which the object is present.
fn steps_there(game: &mut Game, of: u32) -> u32 {
    (0..of).map(|_| u32::from(is_there(game.step(1)))).sum()
}

#[test]
fn object_keeps_its_life_if_the_prefab_loses_it() {
    let (mut game, mut other) = (with_one("ice"), with_one("ice"));
    reload(&mut game, &changed(LIFE, ""));
    let there = steps_there(&mut game, steps(6.0));
    assert_eq!(there, steps_there(&mut other, steps(6.0)));
    assert!((200..300).contains(&there), "{there}");
}

#[test]
fn object_that_loses_its_lifespan_stays() {
    let mut game = with_one("ice");
    reload(&mut game, &changed(LIFESPAN, ""));
    assert_eq!(steps_there(&mut game, steps(5.0)), steps(5.0));
    let ice = EntityId::from_bits(game.simulation().view().objects[0].key);
    assert!(!game.simulation().engine().has::<Lifetime>(ice));
}

#[test]
fn absent_object_that_loses_its_lifespan_respawns_and_stays() {
    let mut game = with_one("ice");
    game.step_until(steps(2.0), |game| !is_there(game));
    reload(&mut game, &changed(LIFESPAN, ""));
    game.step_until(steps(0.6), is_there);
    assert_eq!(steps_there(&mut game, steps(5.0)), steps(5.0));
}

#[test]
fn object_that_loses_its_respawn_stays_away_until_the_prefab_has_it_again() {
    let mut game = with_one("ice");
    reload(&mut game, &changed(RESPAWN, ""));
    game.step_until(steps(2.0), |game| !is_there(game));
    assert_eq!(steps_there(&mut game, steps(3.0)), 0);
    reload(&mut game, ICE);
    game.step_until(steps(0.6), is_there);
}

#[test]
fn waiting_object_that_loses_its_respawn_stays_away() {
    let mut game = with_one("ice");
    game.step_until(steps(2.0), |game| !is_there(game));
    reload(&mut game, &changed(RESPAWN, ""));
    assert_eq!(steps_there(&mut game, steps(3.0)), 0);
}

#[test]
fn permanent_object_expires_and_respawns_with_its_new_prefab() {
    let mut game = with_one("log");
    reload(&mut game, &changed(OF_LOG, &format!("{OF_LOG} {LIFESPAN} {RESPAWN}")));
    let there = steps_there(&mut game, steps(6.0));
    assert!((200..300).contains(&there), "{there} of 360 steps");
    assert_eq!(game.simulation().engine().resource::<SolidWalls>().unwrap().blocks, []);
    game.step_until(steps(2.0), |game| !is_there(game));
    reload(&mut game, ICE);
    assert_eq!(steps_there(&mut game, steps(3.0)), steps(3.0), "an object that cannot die is present");
    let log = EntityId::from_bits(game.simulation().view().objects[0].key);
    assert!(!game.simulation().engine().has::<Life>(log));
    assert_eq!(game.simulation().engine().resource::<SolidWalls>().unwrap().blocks.len(), 1);
}

#[test]
fn object_gets_the_matter_of_its_new_prefab_and_loses_it_again() {
    let mut game = with_one("ice");
    let damped = r#""matter": (damping_per_second: 3.0), "life": (),"#;
    for (text, damping) in [(changed(LIFE, damped), 3.0), (changed(LIFE, LIFE), 0.0)] {
        reload(&mut game, &text);
        let ice = EntityId::from_bits(game.simulation().view().objects[0].key);
        let physics = game.simulation().engine().resource::<Physics>().expect("a match has physics");
        let matter = physics.matter(game.component::<RigidBody>(ice).0).expect("it has a body");
        assert_eq!(matter, Matter { damping_per_second: damping, ..Matter::default() });
    }
}

#[test]
fn moving_object_gets_the_lifetime_of_its_new_prefab() {
    let mut game = with_one("ice");
    reload(&mut game, &changed(LIFESPAN, ""));
    game.step(60);
    reload(&mut game, &changed(LIFESPAN, r#""lifespan": (lifetime_seconds: (3.0, 3.0)),"#));
    let lived = game.step_until(steps(4.0), |game| !is_there(game));
    assert!((steps(3.0) - 2..=steps(3.0) + 2).contains(&lived), "{lived} steps");
}

#[test]
fn grown_obstacle_needs_more_room() {
    let mut game = with_one("log");
    let has_room = |game: &Game| {
        let walls = game.simulation().engine().resource::<SolidWalls>().unwrap();
        walls.leave_room_at(Vec2::new(7.0, 10.0))
    };
    assert!(has_room(&game));
    let log_grown = ICE.replace(
        "\"log\": (components: { \"shape\": Square(half_extent_m: 2.0)",
        "\"log\": (components: { \"shape\": Square(half_extent_m: 8.0)",
    );
    reload(&mut game, &log_grown);
    assert!(!has_room(&game));
}

/// The built-in prefabs with other capacities.
fn with_capacities(stash: f32, pocket: f32) -> ecs::prefab::Prefabs {
    let mut prefabs = bounty_hunter::prefabs::known_components();
    for file in ["bounty", "collector", "materials", "obstacles", "power_up", "stash", "wall"] {
        let path = format!("{}/../assets/prefabs/{file}.ron", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let text = text.replace("points: 250.0", &format!("points: {stash:?}"));
        prefabs.load(file, text.replace("points: 100.0", &format!("points: {pocket:?}"))).unwrap();
    }
    prefabs.load("bounty'.ron", r#"{ "bounty'": (like: "bounty") }"#).unwrap();
    prefabs
}

#[test]
fn content_is_cut_to_a_smaller_capacity() {
    let mut game = scenario(">..0").with_rules(|rules| rules.full_stash_ends_match = false).begin();
    game.store(0, 150.0).carry(0, 80.0);
    game.simulation_mut().replace_prefabs(with_capacities(100.0, 50.0)).unwrap();
    game.step(1);
    let view = game.simulation().view();
    assert_eq!((view.stashes[0].fullness, view.collectors[0].fullness), (1.0, 1.0));
    assert_eq!(game.count::<StashFull>(), 1);
    game.simulation_mut().replace_prefabs(with_capacities(60.0, 50.0)).unwrap();
    assert_eq!(game.step(1).count::<StashFull>(), 1, "it was already full");
}

#[test]
fn stash_full_by_a_smaller_capacity_ends_the_match() {
    let mut game = scenario(">..0").begin();
    game.store(0, 150.0);
    game.simulation_mut().replace_prefabs(with_capacities(150.0, 100.0)).unwrap();
    game.step(2);
    assert_eq!(game.state(), GameState::GameOver);
    assert_eq!(game.result().unwrap().ending, Ending::StashFull);
}
