//! Prefabs whose components need others.

use ecs::prefab::Prefab;

use crate::prefabs::kit::{Pocket, Solid, Speed, engine, part, prefabs};

const BEFORE: &str =
    r#"{ "wall": (components: { "solid": (), "pocket": (capacity: 7) }), "bare": (components: { "solid": () }) }"#;

#[test]
fn what_a_prefab_gives_counts_before_what_is_made() {
    let mut engine = engine(BEFORE);
    engine.require::<Solid, _>(|| Pocket { capacity: 1 }).unwrap();
    engine.require::<Speed, _>(|| Pocket { capacity: 2 }).unwrap();
    let wall = engine.spawn_prefab("wall").unwrap();
    assert_eq!(engine.get(wall), Some(&Pocket { capacity: 7 }));
    let bare = engine.spawn_prefab("bare").unwrap();
    assert_eq!(engine.get(bare), Some(&Pocket { capacity: 1 }));
    let fast = engine.spawn_prefab(Prefab::named("wall").with((Speed { mps: 1.0, radps: 1.0 },))).unwrap();
    assert_eq!(engine.get(fast), Some(&Pocket { capacity: 7 }));
    let own = engine.spawn_prefab(Prefab::named("wall").with((Pocket { capacity: 9 },))).unwrap();
    assert_eq!(engine.get(own), Some(&Pocket { capacity: 9 }));
}

#[test]
fn a_reload_takes_away_what_is_needed_with_what_needs_it_and_brings_both() {
    let mut engine = engine(BEFORE);
    engine.require::<Solid, _>(|| Pocket { capacity: 1 }).unwrap();
    let wall = engine.spawn_prefab("wall").unwrap();
    let mut reload = |text: &str| {
        engine.reload_prefabs([("test.ron", text)]).unwrap();
        (engine.has::<Solid>(wall), engine.get::<Pocket>(wall).map(|pocket| pocket.capacity))
    };
    assert_eq!(reload(r#"{ "wall": (components: { }), "bare": () }"#), (false, None));
    assert_eq!(reload(BEFORE), (true, Some(7)));
}

/// Of a text with `requires`, what the prefabs consist of.
fn explained(text: &str, prefab: &str) -> Vec<String> {
    let mut prefabs = prefabs();
    prefabs.load("test.ron", text).unwrap();
    prefabs.explain(prefab).expect("it is in the text").lines().map(str::to_owned).collect()
}

#[test]
fn required_components_are_added_in_the_order_of_what_requires_them_with_what_they_require_in_turn() {
    let text = r#"{
        "rules": (requires: {
            "pocket": { "speed": (mps: 5.0) },
            "solid": { "place": (1, 2), "pocket": (capacity: 3) },
        }),
        "free": (like: "rules", components: { "health": 4 }),
        "box": (like: "rules", components: { "health": 4, "solid": () }),
        "bag": (like: "rules", components: { "pocket": (capacity: 9), "solid": () }),
    }"#;
    assert_eq!(explained(text, "free"), ["health: 4"]);
    let of_box = ["health: 4", "solid: ()", "place: (1, 2)", "pocket: (capacity: 3)", "speed: (mps: 5.0)"];
    assert_eq!(explained(text, "box"), of_box);
    let of_bag = ["pocket: (capacity: 9)", "solid: ()", "speed: (mps: 5.0)", "place: (1, 2)"];
    assert_eq!(explained(text, "bag"), of_bag);
}

#[test]
fn fields_that_a_prefab_names_win_over_required_ones_and_later_requirements_over_earlier_ones() {
    let text = r#"{
        "slow": (requires: { "solid": { "speed": (mps: 1.0, radps: 2.0) } }),
        "fast": (like: "slow", requires: { "solid": { "speed": (mps: 8.0) } }),
        "cart": (like: "fast", components: { "solid": () }),
        "own": (like: "cart", components: { "speed": (radps: 7.0) }),
        "loose": (like: "cart", without: ["solid"]),
        "parent": (children: { "wheel": (like: "cart") }),
    }"#;
    assert_eq!(explained(text, "cart"), ["solid: ()", "speed: (mps: 8.0, radps: 2.0)"]);
    assert_eq!(explained(text, "own"), ["solid: ()", "speed: (mps: 8.0, radps: 7.0)"]);
    assert_eq!(explained(text, "loose"), [] as [&str; 0]);
    let mut engine = engine(text);
    let parent = engine.spawn_prefab("parent").unwrap();
    assert!(engine.has::<Speed>(part(&engine, parent, "wheel")) && !engine.has::<Speed>(parent));
}

#[test]
fn two_components_may_require_each_other_and_a_reload_brings_and_takes_what_is_required() {
    let rules = r#""solid": { "pocket": (capacity: 1) }, "pocket": { "solid": () }"#;
    let with = format!("{{ \"box\": (components: {{ \"pocket\": (capacity: 2) }}, requires: {{ {rules} }}) }}");
    let without = with.replace(rules, "");
    let mut engine = engine(&without);
    let entity = engine.spawn_prefab("box").unwrap();
    assert!(!engine.has::<Solid>(entity));
    engine.reload_prefabs([("test.ron", with.as_str())]).unwrap();
    assert!(engine.has::<Solid>(entity));
    assert_eq!(engine.get(entity), Some(&Pocket { capacity: 2 }));
    engine.reload_prefabs([("test.ron", without.as_str())]).unwrap();
    assert!(!engine.has::<Solid>(entity));
}
