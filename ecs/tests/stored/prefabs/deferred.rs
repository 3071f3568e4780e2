//! Systems that spawn prefabs by command.

use std::time::Duration;

use ecs::{
    CommandFailure, Commands, Engine, Res, Setup, System, Time,
    prefab::{Prefab, Prefabs},
};
use serde::Deserialize;

use crate::prefabs::kit::{Pocket, Position, Speed, engine, prefabs};

/// Records commands in every frame.
struct Spawns(fn(&mut Commands));

impl System for Spawns {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::record);
    }
}

impl Spawns {
    fn record(&mut self, prefabs: Res<Prefabs>, mut commands: Commands) {
        assert!(prefabs.contains("collector"), "systems can read the prefabs");
        self.0(&mut commands);
    }
}

fn engine_after_a_frame(record: fn(&mut Commands)) -> Engine {
    let mut engine = engine(
        r#"{ "collector": (
            components: { "speed": (mps: 1), "pocket": (capacity: 2) },
            children: { "radar": (components: { "pocket": (capacity: 3) }) },
        ) }"#,
    );
    engine.add(Spawns(record)).unwrap();
    engine.update(Duration::from_millis(10)).unwrap();
    engine
}

#[test]
fn commands_spawn_at_the_end_of_the_frame_in_the_order_of_recording() {
    let engine = engine_after_a_frame(|commands| {
        commands.spawn_prefab("collector");
        commands.spawn((Position { x_m: 1.0 },));
        commands
            .spawn_prefab(Prefab::named("collector").with((Position { x_m: 2.0 },)).with_ron("speed", "(radps: 9)"));
        commands.spawn((Position { x_m: 3.0 },));
    });
    let positions: Vec<f32> = engine.components().pool::<Position>().unwrap().iter().map(|(_, at)| at.x_m).collect();
    assert_eq!(positions, [1.0, 3.0, 2.0], "the two that are alike come together");
    let speeds =
        engine.components().pool::<Speed>().unwrap().iter().map(|(_, speed)| speed.clone()).collect::<Vec<_>>();
    assert_eq!(speeds, [Speed { mps: 1.0, radps: 0.0 }, Speed { mps: 1.0, radps: 9.0 }]);
    assert_eq!(engine.components().pool::<Pocket>().unwrap().len(), 4);
    assert!(engine.command_errors().is_empty());
}

#[test]
fn failed_command_spawns_nothing_and_is_reported_with_its_system() {
    let engine = engine_after_a_frame(|commands| {
        commands.spawn_prefab(Prefab::named("colector").with((Position { x_m: 1.0 },)));
        commands.spawn_prefab(Prefab::named("collector").with((Position { x_m: 2.0 },)).with_ron("speed", "(mph: 9)"));
        commands.spawn_prefab(Prefab::named("collector").with((Position { x_m: 3.0 },)));
    });
    let errors: Vec<String> = engine.command_errors().iter().map(ToString::to_string).collect();
    let expected = [
        "Spawns asked to spawn: unknown prefab `colector`: `collector` may be meant",
        "Spawns asked to spawn: override of collector/speed:1:2: `speed` has no field `mph`, must be `mps` or `radps`: `mps` may be meant",
    ];
    assert_eq!(errors, expected);
    assert!(
        matches!(&engine.command_errors()[1].failure, CommandFailure::Prefab(error) if error.line_and_column() == Some((1, 2)))
    );
    assert_eq!(engine.entities().len(), 2);
    let positions: Vec<f32> = engine.components().pool::<Position>().unwrap().iter().map(|(_, at)| at.x_m).collect();
    assert_eq!(positions, [3.0], "overrides of failed spawns do not reach other entities");
}

/// Panics when it is deserialized from 666.
#[derive(Clone, Deserialize)]
#[serde(from = "u32")]
struct Trap;

impl From<u32> for Trap {
    fn from(number: u32) -> Self {
        assert!(number != 666, "666 cannot be read");
        Self
    }
}

#[test]
fn panic_of_a_deserialization_does_not_affect_the_next_command() {
    let mut prefabs = prefabs();
    prefabs.register::<Trap>("trap").unwrap();
    prefabs.load("test.ron", r#"{ "collector": (components: { "trap": 1 }) }"#).unwrap();
    let mut engine = Engine::new();
    engine.insert_resource(prefabs);
    let spawn = |time: Time, mut commands: Commands| {
        if time.frame() == 1 {
            let at = |x_m| (Position { x_m },);
            commands.spawn_prefab(Prefab::named("collector").with(at(1.0)).with_ron("trap", "666"));
            commands.spawn(at(2.0));
            commands.spawn_prefab(Prefab::named("collector").with(at(3.0)));
        }
    };
    engine.every(Duration::from_millis(10), spawn).unwrap();
    engine.update(Duration::from_millis(10)).unwrap();
    let errors: Vec<String> = engine.command_errors().iter().map(ToString::to_string).collect();
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert!(error.contains("the `Deserialize` of Trap panicked: 666 cannot be read"), "{error}");
    let positions = engine.components().pool::<Position>().unwrap();
    assert_eq!(positions.iter().map(|(_, at)| at.x_m).collect::<Vec<_>>(), [2.0, 3.0]);
}

#[test]
fn panic_of_a_deserialization_is_an_error_of_the_file() {
    let mut prefabs = prefabs();
    prefabs.register::<Trap>("trap").unwrap();
    let names: Vec<_> = prefabs.names().map(str::to_owned).collect();
    let problem =
        prefabs.load("test.ron", "{ \"collector\": (components: {\n  \"trap\": 666 }) }").unwrap_err().to_string();
    assert_eq!(problem, "test.ron:2:11: the `Deserialize` of Trap panicked: 666 cannot be read");
    assert!(prefabs.names().eq(names));
    prefabs.load("test.ron", r#"{ "collector": (components: { "trap": 1 }) }"#).unwrap();
}
