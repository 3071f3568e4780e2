//! Spawning from prefabs, with overrides for one entity.

use ecs::engine::Limits;
use ecs::{
    Commands, Engine, Error,
    prefab::{FromPrefab, Prefab},
};

use crate::prefabs::kit::{Pocket, Position, Speed, engine, part, prefabs};

const COLLECTOR: &str = r#"{
    "collector": (
        components: { "speed": (mps: 25.0, radps: 3.0), "pocket": (capacity: 100) },
        children: { "radar": (components: { "speed": (mps: 1, radps: 1) }) },
    ),
}"#;

#[test]
fn each_entity_has_its_own_values_and_names_its_prefab() {
    let mut engine = engine(COLLECTOR);
    let a = engine.spawn_prefab("collector").unwrap();
    let b = engine.spawn_prefab(String::from("collector")).unwrap();
    engine.get_mut::<Pocket>(a).unwrap().capacity = 1;
    assert_eq!(engine.get(b), Some(&Pocket { capacity: 100 }));
    assert_eq!(engine.get::<FromPrefab>(b).unwrap().name(), "collector");
}

#[test]
fn typed_override_replaces_or_adds_the_component() {
    let mut engine = engine(COLLECTOR);
    let bundle = (Position { x_m: 2.0 }, Pocket { capacity: 5 });
    let collector = engine.spawn_prefab(Prefab::named("collector").with(bundle)).unwrap();
    assert_eq!(engine.get(collector), Some(&Position { x_m: 2.0 }));
    assert_eq!(engine.get(collector), Some(&Pocket { capacity: 5 }));
    assert_eq!(engine.get(collector), Some(&Speed { mps: 25.0, radps: 3.0 }));
}

#[test]
fn text_override_changes_the_fields_that_it_names() {
    let mut engine = engine(COLLECTOR);
    let collector = engine.spawn_prefab(Prefab::named("collector").with_ron("speed", " (mps: 3.0) // slow\n")).unwrap();
    assert_eq!(engine.get(collector), Some(&Speed { mps: 3.0, radps: 3.0 }));
    let next = engine.spawn_prefab("collector").unwrap();
    assert_eq!(engine.get(next), Some(&Speed { mps: 25.0, radps: 3.0 }), "the prefab is unchanged");
}

#[test]
fn text_override_reaches_a_child_by_path_and_adds_missing_components() {
    let mut engine = engine(COLLECTOR);
    let prefab =
        Prefab::named("collector").with_ron("radar/speed", "(radps: 9)").with_ron("radar/pocket", "(capacity: 7)");
    let collector = engine.spawn_prefab(prefab).unwrap();
    let radar = part(&engine, collector, "radar");
    assert_eq!(engine.get(radar), Some(&Speed { mps: 1.0, radps: 9.0 }));
    assert_eq!(engine.get(radar), Some(&Pocket { capacity: 7 }));
}

#[test]
fn later_text_overrides_of_one_component_win() {
    let mut engine = engine(COLLECTOR);
    let prefab = Prefab::named("collector").with_ron("speed", "(mps: 1)").with_ron("speed", "(radps: 2)");
    let collector = engine.spawn_prefab(prefab).unwrap();
    assert_eq!(engine.get(collector), Some(&Speed { mps: 1.0, radps: 2.0 }));
}

/// Asserts that this prefab is not spawned, and returns the error.
fn refusal(engine: &mut Engine, prefab: Prefab<'_>) -> String {
    let before = engine.entities().len();
    let error = engine.spawn_prefab(prefab).unwrap_err();
    assert_eq!(engine.entities().len(), before, "nothing was spawned");
    Error::from(error).to_string()
}

#[test]
fn invalid_spawn_is_refused_with_one_sentence_and_spawns_nothing() {
    let mut engine = engine(COLLECTOR);
    let table = [
        (Prefab::named("colector"), "unknown prefab `colector`: `collector` may be meant"),
        (
            Prefab::named("collector").with_ron("sped", "()"),
            "override of collector/sped: unknown component `sped`: `speed` may be meant",
        ),
        (
            Prefab::named("collector").with_ron("rader/speed", "()"),
            "prefab `collector` has no child `rader`: `radar` may be meant",
        ),
        (
            Prefab::named("collector").with_ron("radar/speed", "(mps: 1,\n mph: 2)"),
            "override of collector/radar/speed:2:2: `speed` has no field `mph`, must be `mps` or `radps`: `mps` may be meant",
        ),
        (
            Prefab::named("collector").with_ron("speed", "(mps: \"fast\")"),
            "override of collector/speed:1:7: `speed.mps` must be a number",
        ),
        (
            Prefab::named("collector").with_ron("speed", "(mps: 1"),
            "override of collector/speed:1:8: the text ends too early, a closing bracket may be missing",
        ),
        (
            Prefab::named("collector").with_ron("speed", "(mps: 1) 2"),
            "override of collector/speed:1:10: the text must end here: what follows does not belong to it",
        ),
    ];
    for (prefab, expected) in table {
        assert_eq!(refusal(&mut engine, prefab), expected);
    }
}

#[test]
fn override_by_value_and_by_text_is_refused() {
    let mut engine = engine(COLLECTOR);
    let twice = || Prefab::named("collector").with((Speed { mps: 9.0, radps: 0.0 },)).with_ron("speed", "(mps: 4.0)");
    let expected = "override of collector/speed: it is given as a value as well, leave one of the two out";
    let before = engine.entities().len();
    assert_eq!(engine.spawn_prefab(twice()).unwrap_err().to_string(), expected);
    let ordered =
        engine.after(std::time::Duration::ZERO, move |mut commands: ecs::Commands| commands.spawn_prefab(twice()));
    ordered.unwrap();
    engine.update(std::time::Duration::ZERO).unwrap();
    assert_eq!(engine.command_errors().len(), 1);
    assert!(engine.command_errors()[0].to_string().ends_with(expected), "{}", engine.command_errors()[0]);
    assert_eq!(engine.entities().len(), before);
    let of_part =
        Prefab::named("collector").with((Speed { mps: 9.0, radps: 0.0 },)).with_ron("radar/speed", "(mps: 4.0)");
    assert!(engine.spawn_prefab(of_part).is_ok(), "the child is another entity");
}

#[test]
fn spawn_without_the_resource_is_an_error() {
    let mut engine = Engine::new();
    let error = engine.spawn_prefab("ghost").unwrap_err();
    assert_eq!(error.to_string(), "prefab `ghost` needs the resource Prefabs, which is not there: insert it");
    assert_eq!((error.file(), error.line_and_column()), (None, None));
}

#[test]
fn component_with_another_name_in_snapshots_is_refused() {
    let mut engine = engine(COLLECTOR);
    engine.types_mut().component_by::<Pocket>("pocket", |_, _| {}).unwrap();
    engine.spawn_prefab("collector").unwrap();
    engine.types_mut().component_by::<Speed>("pace", |_, _| {}).unwrap();
    let refused = engine.spawn_prefab("collector").unwrap_err().to_string();
    assert_eq!(
        refused,
        "component Speed is called `speed` in prefabs and `pace` in snapshots and saves: give it one name"
    );
    assert_eq!(engine.entities().len(), 2, "the collector and its radar");
}

#[test]
fn prefab_without_room_for_all_of_it_spawns_nothing() {
    let mut engine = Engine::builder().limits(Limits { entities: 3, ..Limits::default() }).build();
    let mut loaded = prefabs();
    let tree = r#"{ "tree": (children: { "a": (), "b": (children: { "c": () }) }), "twig": () }"#;
    engine.insert_resource(loaded.load("tree.ron", tree).unwrap().clone());
    let outcome = engine.run(|mut commands: Commands| {
        commands.spawn_prefab("tree");
        commands.spawn_prefab("twig");
    });
    let Err(Error::Limit(error)) = outcome else { panic!("a tree has four entities") };
    assert!(error.message.contains("the limit of 3 entities"), "{error}");
    assert_eq!(engine.entities().len(), 1, "the twig");

    // A child that has no room is left out, and all others are updated.
    let mut engine = Engine::builder().limits(Limits { entities: 3, ..Limits::default() }).build();
    let mut loaded = prefabs();
    engine.insert_resource(loaded.load("tree.ron", r#"{ "tree": () }"#).unwrap().clone());
    let trees = [(); 2].map(|()| engine.spawn_prefab("tree").unwrap());
    let more = r#"{ "tree": (components: { "pocket": (capacity: 2) }, children: { "a": () }) }"#;
    assert!(
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| engine.reload_prefabs([("tree.ron", more)]))).is_err()
    );
    assert_eq!(trees.map(|tree| engine.get::<Pocket>(tree).copied()), [Some(Pocket { capacity: 2 }); 2]);
    assert_eq!(trees.map(|tree| engine.children(tree).len()), [1, 0]);
    assert_eq!(engine.entities().len(), 3);
}
