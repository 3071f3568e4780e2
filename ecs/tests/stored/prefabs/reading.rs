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
