//! Reading prefabs without spawning them, and replacing all prefabs at once.

use ecs::{Engine, prefab::Prefabs};

use crate::prefabs::kit::{Pocket, Shape, Speed, engine, prefabs};

const FILE: &str = r#"{
    "collector": (components: { "speed": (mps: 25, radps: 3), "pocket": (capacity: 100) }),
    "ghost": (
        like: "collector",
        components: { "speed": (mps: 40) },
        without: ["pocket"],
    ),
}"#;

fn loaded(text: &str) -> Prefabs {
    let mut prefabs = prefabs();
    prefabs.load("test.ron", text).unwrap();
    prefabs
}

#[test]
fn values_are_read_as_they_are_spawned() {
    let prefabs = loaded(FILE);
    assert_eq!(prefabs.component("ghost"), Some(&Speed { mps: 40.0, radps: 3.0 }));
    assert_eq!(prefabs.component::<Pocket>("ghost"), None);
    assert_eq!(prefabs.component::<Shape>("collector"), None);
    assert_eq!(prefabs.component::<Speed>("gohst"), None);
    assert_eq!(prefabs.components("collector").collect::<Vec<_>>(), ["speed", "pocket"]);
    assert_eq!(prefabs.components("gohst").count(), 0);
}

#[test]
fn later_ones_of_several_parents_are_laid_over_earlier_ones() {
    let prefabs = loaded(
        r#"{
            "car": (components: { "speed": (mps: 25, radps: 3), "pocket": (capacity: 100) }),
            "fast": (components: { "speed": (mps: 90, radps: 1) }),
            "rolling": (like: "car", components: { "speed": (radps: 7) }),
            "empty": (like: "car", without: ["pocket"]),
            "fast car": (like: ["car", "fast"]),
            "fast car that turns": (like: ["car", "fast"], components: { "speed": (radps: 9) }),
            "car of one": (like: ["car"]),
            "of nothing": (like: []),
            "empty rolling car": (like: ["empty", "rolling"]),
            "fleet": (children: {
                "first": (like: ["fast", "rolling"]),
                "second": (like: ["rolling", "fast"], without: ["pocket"]),
            }),
        }"#,
    );
    let speed = |prefab| prefabs.component::<Speed>(prefab).map(|speed| (speed.mps, speed.radps));
    assert_eq!(speed("fast car"), Some((90.0, 1.0)));
    assert_eq!(prefabs.component("fast car"), Some(&Pocket { capacity: 100 }));
    assert_eq!(speed("fast car that turns"), Some((90.0, 9.0)));
    assert_eq!((speed("car of one"), speed("of nothing")), (Some((25.0, 3.0)), None));
    // Both are cars: what the first does without does not come back by the second.
    assert_eq!(speed("empty rolling car"), Some((25.0, 7.0)));
    assert_eq!(prefabs.component::<Pocket>("empty rolling car"), None);
    let mut engine = Engine::new();
    engine.insert_resource(prefabs);
    let fleet = engine.spawn_prefab("fleet").unwrap();
    let speed =
        |name| engine.get::<Speed>(engine.child_named(fleet, name).unwrap()).map(|speed| (speed.mps, speed.radps));
    assert_eq!((speed("first"), speed("second")), (Some((25.0, 7.0)), Some((90.0, 1.0))));
}

#[test]
fn many_common_parents_take_no_time() {
    // Each of forty pairs is like both of the pair before it: 2^40 ways lead down.
    let pair = |n: usize| match n {
        0 => r#""a0": (components: { "pocket": (capacity: 1) }), "b0": (),"#.to_owned(),
        _ => format!(r#""a{n}": (like: ["a{0}", "b{0}"]), "b{n}": (like: ["b{0}", "a{0}"]),"#, n - 1),
    };
    let prefabs = loaded(&format!("{{{}}}", (0..40).map(pair).collect::<String>()));
    assert_eq!(prefabs.component("b39"), Some(&Pocket { capacity: 1 }));
}

#[test]
fn error_in_names_the_text_that_sets_the_component() {
    let prefabs = loaded(FILE);
    let error = |prefab, component| prefabs.error_in(prefab, component, "is too fast").to_string();
    assert_eq!(error("ghost", "speed"), "test.ron:5:32: is too fast");
    assert_eq!(error("collector", "pocket"), "test.ron:2:73: is too fast");
    assert_eq!(error("ghost", "pocket"), "is too fast");
}

#[test]
fn prefabs_are_equal_if_they_spawn_the_same() {
    let (one, other) = (loaded(FILE), FILE.replace("mps: 40", "mps : 40 /* fast */"));
    let mut elsewhere = prefabs();
    elsewhere.load("elsewhere.ron", other).unwrap();
    assert_eq!(one, elsewhere);
    assert_ne!(one, loaded(&FILE.replace("mps: 25", "mps: 26")));
    assert_ne!(one, loaded(&FILE.replace("\"ghost\"", "\"spook\"")));
    assert_ne!(one, prefabs());
}

#[test]
fn replace_prefabs_updates_entities_like_a_reload() {
    let mut engine = engine(FILE);
    let ghost = engine.spawn_prefab("ghost").unwrap();
    let reloaded = engine.replace_prefabs(loaded(&FILE.replace("radps: 3", "radps: 6")));
    assert_eq!((reloaded.prefabs, reloaded.entities), (vec!["collector".to_owned(), "ghost".to_owned()], 1));
    assert_eq!(engine.get(ghost), Some(&Speed { mps: 40.0, radps: 6.0 }));
    // The resource is removed for a while.
    engine.replace_prefabs(prefabs());
    assert_eq!(engine.get(ghost), Some(&Speed { mps: 40.0, radps: 6.0 }));
    engine.replace_prefabs(loaded(FILE));
    assert_eq!(engine.get(ghost), Some(&Speed { mps: 40.0, radps: 3.0 }));
}

#[test]
fn replace_prefabs_without_earlier_prefabs_inserts_them() {
    let mut engine = Engine::new();
    engine.replace_prefabs(loaded(FILE));
    assert!(engine.spawn_prefab("ghost").is_ok());
}
