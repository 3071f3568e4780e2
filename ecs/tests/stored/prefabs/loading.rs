//! Registration and loading, and the state after a file is refused.

use ecs::prefab::Prefabs;

use crate::prefabs::kit::{Speed, prefabs};

#[test]
fn file_with_an_error_changes_nothing() {
    let mut prefabs = prefabs();
    prefabs.load("a.ron", r#"{ "a": (components: { "speed": (mps: 1) }) }"#).unwrap();
    let before = format!("{prefabs:?} {:?}", prefabs.explain("a"));
    let good_and_bad = [("b.ron", r#"{ "b": (like: "a") }"#), ("c.ron", r#"{ "c": (like: "d") }"#)];
    assert!(prefabs.load_all(good_and_bad).is_err());
    assert!(!prefabs.contains("b"));
    assert_eq!(format!("{prefabs:?} {:?}", prefabs.explain("a")), before);
    prefabs.load("b.ron", r#"{ "b": (like: "a") }"#).unwrap();
    assert!(prefabs.contains("b"));
}

#[test]
fn file_is_loaded_once() {
    let mut prefabs = prefabs();
    prefabs.load("a.ron", "{}").unwrap();
    let error = prefabs.load("a.ron", "{}").unwrap_err();
    assert_eq!(error.to_string(), "a.ron is loaded already: reload it to change it");
    assert!(prefabs.load_all([("b.ron", "{}"), ("b.ron", "{}")]).is_err());
}

#[test]
fn types_and_names_are_registered_once() {
    let mut prefabs = Prefabs::default();
    prefabs.register::<Speed>("speed").unwrap();
    let again = prefabs.register::<Speed>("pace").unwrap_err();
    assert_eq!(again.to_string(), "component type Speed is registered already, as `speed`");
    let taken = prefabs.register::<u8>("speed").unwrap_err();
    assert_eq!(taken.to_string(), "component type u8 needs another name: `speed` is taken");
    for name in ["", "a/b"] {
        let bad = prefabs.register::<u8>(name).unwrap_err().to_string();
        assert_eq!(bad, format!("`{name}` cannot be the name of u8: it must not be empty and have no `/`"));
    }
}

#[test]
fn explanation_of_a_prefab_includes_the_prefabs_it_extends() {
    let mut prefabs = prefabs();
    let text = r#"{
        "a": (components: { "speed": (radps: 1, mps: 2), "place": (1, 2) }, children: { "b": (components: { "solid": () }) }),
        "c": (like: "a", components: { "speed": (mps: /* fast */ 3 // really
        ) }),
    }"#;
    prefabs.load("test.ron", text).unwrap();
    assert_eq!(prefabs.explain("c").unwrap(), "speed: (radps: 1, mps: 3)\nplace: (1, 2)\nchild b\n  solid: ()\n");
    assert_eq!(prefabs.explain("d"), None);
}
