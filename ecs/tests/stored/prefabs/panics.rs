//! Values whose clone or drop panics: the rest of the work is still done, and all events are sent.

use std::cell::Cell;

use ecs::{Engine, Setup, Spawned, System, hierarchy::Children};
use serde::Deserialize;

use crate::panics;
use crate::prefabs::kit::{Pocket, Speed, part, prefabs};

thread_local! {
    /// Clones that succeed before one panics.
    static COPIES: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Its clone panics when no clones are left; its drop panics if its flag is set.
#[derive(Debug, Deserialize)]
struct Brittle {
    #[serde(default)]
    is_marked: bool,
}

impl Clone for Brittle {
    fn clone(&self) -> Self {
        COPIES.set(COPIES.get().checked_sub(1).expect("no more copies"));
        Self { is_marked: self.is_marked }
    }
}

impl Drop for Brittle {
    fn drop(&mut self) {
        assert!(!self.is_marked || std::thread::panicking(), "marked");
    }
}

/// Logs spawned entities.
#[derive(Default)]
struct Births(Vec<ecs::EntityId>);

impl System for Births {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|own: &mut Self, born: &Spawned| own.0.push(born.entity));
    }
}

const SHIP: &str = r#"{ "ship": (
    components: { "brittle": (), "speed": (mps: 1) },
    children: {
        "bow": (components: { "brittle": (), "pocket": (capacity: 1) }),
        "stern": (components: { "brittle": (), "pocket": (capacity: 2) }),
    },
) }"#;

fn harbour() -> Engine {
    COPIES.set(usize::MAX);
    let mut prefabs = prefabs();
    prefabs.register::<Brittle>("brittle").unwrap();
    prefabs.load("test.ron", SHIP).unwrap();
    let mut engine = Engine::new();
    engine.insert_resource(prefabs);
    engine.add(Births::default()).unwrap();
    engine
}

#[test]
fn entity_whose_value_panicked_has_all_others_and_is_announced() {
    for copies in 0..3 {
        let mut engine = harbour();
        COPIES.set(copies);
        assert!(panics(|| engine.spawn_prefab("ship")));
        COPIES.set(usize::MAX);
        let all: Vec<_> = engine.entities().iter().collect();
        assert_eq!(all.len(), 3, "the parent and its children");
        let ship = all[0];
        assert_eq!(engine.get(ship), Some(&Speed { mps: 1.0, radps: 0.0 }));
        assert_eq!(engine.get(part(&engine, ship, "bow")), Some(&Pocket { capacity: 1 }));
        assert_eq!(engine.get(part(&engine, ship, "stern")), Some(&Pocket { capacity: 2 }));
        let have: Vec<bool> = all.iter().map(|entity| engine.has::<Brittle>(*entity)).collect();
        assert_eq!(
            have,
            [0, 1, 2].map(|entity| entity < copies),
            "those behind the panicking one lack the value as well"
        );
        engine.update(std::time::Duration::from_millis(10)).unwrap();
        assert_eq!(engine.system::<Births>().unwrap().0, all);
    }
}

#[test]
fn reload_updates_all_entities_despite_panics() {
    let mut engine = harbour();
    let ships: Vec<_> = (0..3).map(|_| engine.spawn_prefab("ship").unwrap()).collect();
    for ship in &ships[..2] {
        engine.get_mut::<Brittle>(*ship).unwrap().is_marked = true;
    }
    let bow = part(&engine, ships[2], "bow");
    engine.get_mut::<Brittle>(bow).unwrap().is_marked = true;
    let without_bow = r#"{ "ship": (
        components: { "speed": (mps: 2) },
        children: { "stern": (components: { "brittle": (), "pocket": (capacity: 3) }) },
    ) }"#;
    assert!(panics(|| engine.reload_prefabs([("test.ron", without_bow)])));
    for ship in ships {
        assert!(!engine.has::<Brittle>(ship), "a value whose drop panics is removed, too");
        assert_eq!(engine.get(ship), Some(&Speed { mps: 2.0, radps: 0.0 }));
        assert_eq!(engine.get::<Children>(ship).unwrap().len(), 1);
        assert_eq!(engine.get(part(&engine, ship, "stern")), Some(&Pocket { capacity: 3 }));
    }
    assert_eq!(engine.entities().len(), 6, "no bow is left");
}

#[test]
fn reload_adds_a_child_to_all_entities_despite_panicking_clones() {
    let mut engine = harbour();
    let ships: Vec<_> = (0..3).map(|_| engine.spawn_prefab("ship").unwrap()).collect();
    let mast = r#""mast": (components: { "brittle": (), "pocket": (capacity: 3) }), "stern""#;
    let with_mast = SHIP.replace("mps: 1", "mps: 2").replace("\"stern\"", mast);
    COPIES.set(1);
    assert!(panics(|| engine.reload_prefabs([("test.ron", with_mast)])));
    COPIES.set(usize::MAX);
    let masts: Vec<_> = ships.iter().map(|ship| part(&engine, *ship, "mast")).collect();
    assert!(ships.iter().all(|ship| engine.get::<Speed>(*ship).unwrap().mps == 2.0));
    assert!(masts.iter().all(|mast| engine.get(*mast) == Some(&Pocket { capacity: 3 })));
    assert!(masts.iter().map(|mast| engine.has::<Brittle>(*mast)).eq([true, false, false]));
}
