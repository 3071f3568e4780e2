//! Prefabs whose components need others.

use ecs::prefab::Prefab;

use crate::prefabs::kit::{Pocket, Solid, Speed, engine};

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
