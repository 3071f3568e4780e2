//! Prefabs: kinds of entities as RON text, with variants, children and overrides; errors with line and column;
//! reloading while entities live. Prints the entities before and after the reload, and the errors.
//!
//! `cargo run -p lockstep_ecs --features prefabs --example prefabs`

use std::time::Duration;

use ecs::Error;
use ecs::hierarchy::ChildOf;
use ecs::prefab::{Prefab, Prefabs};
use ecs::prelude::*;
use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
enum Shape {
    Circle(f32),
    Triangle(f32),
}

#[derive(Clone, Debug, Deserialize)]
struct Speed {
    mps: f32,
    radps: f32,
}

#[derive(Clone, Debug, Deserialize)]
struct Pocket {
    capacity: u32,
}

#[derive(Clone, Debug, Deserialize)]
struct Reach {
    m: f32,
}

/// Only code inserts positions, so this component needs no name in the RON text.
struct Position {
    x_m: f32,
    y_m: f32,
}

// The framework reads no files: the application supplies the texts.
const PARTS: &str = r#"{ "radar": (components: { "shape": Circle(0.5), "reach": (m: 30.0) }) }"#;

const PLAYERS: &str = r#"{
    "collector": (
        components: { "shape": Triangle(1.5), "speed": (mps: 25.0, radps: 3.0), "pocket": (capacity: 100) },
        children: { "radar": (like: "radar") },
    ),
    "ghost": (
        like: "collector",
        components: { "speed": (mps: 40.0) },
        without: ["pocket"],
        children: { "radar": (components: { "reach": (m: 60.0) }) },
    ),
}"#;

/// Spawns a ghost in each frame, and tries to spawn a prefab that does not exist.
fn appear(mut commands: Commands) {
    commands.spawn_prefab(Prefab::named("ghost").with((Position { x_m: 0.0, y_m: 0.0 },)));
    commands.spawn_prefab("gost");
}

fn print(engine: &Engine, entity: EntityId) {
    let shape = match engine.get(entity) {
        Some(Shape::Circle(radius_m)) => format!("a circle of {radius_m} m"),
        Some(Shape::Triangle(size_m)) => format!("a triangle of {size_m} m"),
        None => "no shape".to_owned(),
    };
    let speed = engine.get::<Speed>(entity).map(|speed| (speed.mps, speed.radps));
    let capacity = engine.get::<Pocket>(entity).map(|pocket| pocket.capacity);
    let at = engine.get::<Position>(entity).map(|position| (position.x_m, position.y_m));
    println!("  {entity}: {shape}, speed {speed:?}, pocket {capacity:?}, at {at:?}");
    for child in engine.children(entity) {
        let name = engine.get::<ChildOf>(*child).and_then(ChildOf::name);
        let reach_m = engine.get::<Reach>(*child).map(|reach| reach.m);
        println!("    child {name:?} {child} reaches {reach_m:?} m, parent {:?}", engine.parent(*child));
    }
}

pub(crate) fn main() -> Result<(), Error> {
    let mut prefabs = Prefabs::default();
    prefabs.register::<Shape>("shape")?.register::<Speed>("speed")?;
    prefabs.register::<Pocket>("pocket")?.register::<Reach>("reach")?;
    prefabs.load_all([("players.ron", PLAYERS), ("parts.ron", PARTS)])?;
    println!("the prefab of a ghost:\n{}", prefabs.explain("ghost").unwrap_or_default());

    let mut engine = Engine::new();
    engine.insert_resource(prefabs);
    let collector = engine.spawn_prefab("collector")?;
    let ghost = engine.spawn_prefab("ghost")?;
    let heavy = Prefab::named("collector").with((Position { x_m: 3.0, y_m: 4.0 },)).with_ron("speed", "(mps: 5.0)");
    let heavy = engine.spawn_prefab(heavy.with_ron("radar/reach", "(m: 10.0)"))?;
    for entity in [collector, ghost, heavy] {
        print(&engine, entity);
    }

    engine.add(appear)?;
    engine.update(Duration::from_millis(16))?;
    println!("{} entities after a frame; error: {}", engine.entities().len(), engine.command_errors()[0]);

    let mistake = PLAYERS.replace("mps: 40.0", "mph: 90.0");
    if let Err(error) = engine.reload_prefabs([("players.ron", mistake)]) {
        println!("refused: {error}");
    }
    let reloaded = engine.reload_prefabs([("players.ron", PLAYERS.replace("radps: 3.0", "radps: 6.0"))])?;
    println!("changed: {reloaded:?}");
    for entity in [collector, ghost, heavy] {
        print(&engine, entity);
    }

    engine.despawn(ghost)?;
    println!("{} entities after the first ghost and its radar are despawned", engine.entities().len());
    Ok(())
}
