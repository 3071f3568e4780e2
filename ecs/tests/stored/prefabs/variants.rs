//! The parts of a prefab that a variant changes and keeps.

use crate::prefabs::kit::{Body, Place, Pocket, Shape, Size, Solid, Speed, engine, prefabs};

const COLLECTOR: &str = r#"{
    "collector": (components: {
        "shape": Triangle(1.5),
        "speed": (mps: 25.0, radps: 3.0),
        "pocket": (capacity: 100),
        "solid": (),
    }),
    "ghost": (like: "collector", components: { "speed": (mps: 40.0) }, without: ["pocket"]),
    "wisp": (like: "ghost", components: { "shape": Circle, "pocket": (capacity: 1) }),
}"#;

#[test]
fn prefab_is_a_named_bundle() {
    let mut engine = engine(COLLECTOR);
    let collector = engine.spawn_prefab("collector").unwrap();
    assert_eq!(engine.get(collector), Some(&Shape::Triangle(1.5)));
    assert_eq!(engine.get(collector), Some(&Speed { mps: 25.0, radps: 3.0 }));
    assert_eq!(engine.get(collector), Some(&Pocket { capacity: 100 }));
    assert_eq!(engine.get(collector), Some(&Solid));
}

#[test]
fn variant_changes_the_fields_that_it_names_and_keeps_the_rest() {
    let mut engine = engine(COLLECTOR);
    let ghost = engine.spawn_prefab("ghost").unwrap();
    assert_eq!(engine.get(ghost), Some(&Speed { mps: 40.0, radps: 3.0 }));
    assert_eq!(engine.get(ghost), Some(&Shape::Triangle(1.5)));
}

#[test]
fn variant_removes_the_components_that_it_names() {
    let mut engine = engine(COLLECTOR);
    let ghost = engine.spawn_prefab("ghost").unwrap();
    assert!(!engine.has::<Pocket>(ghost));
}

#[test]
fn variant_of_a_variant_overrides_both() {
    let mut engine = engine(COLLECTOR);
    let wisp = engine.spawn_prefab("wisp").unwrap();
    assert_eq!(engine.get(wisp), Some(&Shape::Circle));
    assert_eq!(engine.get(wisp), Some(&Speed { mps: 40.0, radps: 3.0 }));
    assert_eq!(engine.get(wisp), Some(&Pocket { capacity: 1 }));
}

#[test]
fn nested_structs_are_merged_by_field_and_other_values_replaced() {
    let mut engine = engine(
        r#"{
            "box": (components: { "body": (size: (width_m: 1, height_m: 2), tags: ["a", "b"], mass_kg: Some(3)), "place": (1, 2) }),
            "tall": (like: "box", components: { "body": (size: (height_m: 9), tags: ["c"]), "place": (5, 6) }),
            "light": (like: "tall", components: { "body": (mass_kg: None, size: (width_m: 8)) }),
        }"#,
    );
    let tall = engine.spawn_prefab("tall").unwrap();
    let size = Size { width_m: 1.0, height_m: 9.0 };
    assert_eq!(engine.get(tall), Some(&Body { size, tags: vec!["c".into()], mass_kg: Some(3.0) }));
    assert_eq!(engine.get(tall), Some(&Place(5.0, 6.0)));
    let light = engine.spawn_prefab("light").unwrap();
    let size = Size { width_m: 8.0, height_m: 9.0 };
    assert_eq!(engine.get(light), Some(&Body { size, tags: vec!["c".into()], mass_kg: None }));
}

#[test]
fn enum_is_replaced_as_a_whole() {
    let mut engine = engine(
        r#"{
            "a": (components: { "shape": Box(width_m: 1, height_m: 2) }),
            "b": (like: "a", components: { "shape": Box(width_m: 3, height_m: 4) }),
        }"#,
    );
    let b = engine.spawn_prefab("b").unwrap();
    assert_eq!(engine.get(b), Some(&Shape::Box { width_m: 3.0, height_m: 4.0 }));
}

#[test]
fn component_removed_and_added_again_keeps_no_field() {
    let mut engine = engine(
        r#"{
            "a": (components: { "speed": (mps: 1, radps: 2) }),
            "b": (like: "a", without: ["speed"], components: { "speed": (mps: 3) }),
        }"#,
    );
    let b = engine.spawn_prefab("b").unwrap();
    assert_eq!(engine.get(b), Some(&Speed { mps: 3.0, radps: 0.0 }));
}

#[test]
fn variants_extend_prefabs_of_other_files_in_any_order() {
    let mut prefabs = prefabs();
    prefabs
        .load_all([
            ("b.ron", r#"{ "b": (like: "a", components: { "speed": (radps: 2) }) }"#),
            ("a.ron", r#"{ "a": (components: { "speed": (mps: 1) }) }"#),
        ])
        .unwrap()
        .load("c.ron", r#"{ "c": (like: "b") }"#)
        .unwrap();
    assert_eq!(prefabs.explain("c").unwrap(), "speed: (mps: 1, radps: 2)\n");
    assert_eq!(prefabs.names().collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(prefabs.files().collect::<Vec<_>>(), ["a.ron", "b.ron", "c.ron"]);
}

#[test]
fn components_are_in_the_order_of_the_files() {
    let mut prefabs = prefabs();
    prefabs.load("test.ron", COLLECTOR).unwrap();
    let order = |name| -> Vec<String> {
        let lines = prefabs.explain(name).unwrap();
        lines.lines().map(|line| line.split(':').next().unwrap().to_owned()).collect()
    };
    assert_eq!(order("collector"), ["shape", "speed", "pocket", "solid"]);
    assert_eq!(order("wisp"), ["shape", "speed", "solid", "pocket"]);
}
