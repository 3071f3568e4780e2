//! What can be learned of prefabs without spawning anything, and sets of prefabs that are exchanged as a whole.

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
fn values_are_seen_as_they_will_be_spawned() {
    let prefabs = loaded(FILE);
    assert_eq!(prefabs.component("ghost"), Some(&Speed { mps: 40.0, radps: 3.0 }));
    assert_eq!(prefabs.component::<Pocket>("ghost"), None);
    assert_eq!(prefabs.component::<Shape>("collector"), None);
    assert_eq!(prefabs.component::<Speed>("gohst"), None);
    assert_eq!(prefabs.components("collector").collect::<Vec<_>>(), ["speed", "pocket"]);
    assert_eq!(prefabs.components("gohst").count(), 0);
}

#[test]
fn mistakes_that_an_application_finds_have_the_place_of_the_topmost_text() {
    let prefabs = loaded(FILE);
    let error = |prefab, component| prefabs.error_in(prefab, component, "is too fast").to_string();
    assert_eq!(error("ghost", "speed"), "test.ron:5:32: is too fast");
    assert_eq!(error("collector", "pocket"), "test.ron:2:73: is too fast");
    assert_eq!(error("ghost", "pocket"), "is too fast");
}

#[test]
fn prefabs_are_equal_that_spawn_the_same() {
    let (one, other) = (loaded(FILE), FILE.replace("mps: 40", "mps : 40 /* fast */"));
    let mut elsewhere = prefabs();
    elsewhere.load("elsewhere.ron", other).unwrap();
    assert_eq!(one, elsewhere);
    assert_ne!(one, loaded(&FILE.replace("mps: 25", "mps: 26")));
    assert_ne!(one, loaded(&FILE.replace("\"ghost\"", "\"spook\"")));
    assert_ne!(one, prefabs());
}

#[test]
fn an_exchange_brings_entities_into_line_as_a_reload_does() {
    let mut engine = engine(FILE);
    let ghost = engine.spawn_prefab("ghost").unwrap();
    let reloaded = engine.replace_prefabs(loaded(&FILE.replace("radps: 3", "radps: 6")));
    assert_eq!((reloaded.prefabs, reloaded.entities), (vec!["collector".to_owned(), "ghost".to_owned()], 1));
    assert_eq!(engine.get(ghost), Some(&Speed { mps: 40.0, radps: 6.0 }));
    // It is gone for a while.
    engine.replace_prefabs(prefabs());
    assert_eq!(engine.get(ghost), Some(&Speed { mps: 40.0, radps: 6.0 }));
    engine.replace_prefabs(loaded(FILE));
    assert_eq!(engine.get(ghost), Some(&Speed { mps: 40.0, radps: 3.0 }));
}

#[test]
fn an_exchange_for_none_is_an_insertion() {
    let mut engine = Engine::new();
    engine.replace_prefabs(loaded(FILE));
    assert!(engine.spawn_prefab("ghost").is_ok());
}
