//! Parents and children.

use ecs::EntityId;
use ecs::hierarchy::{ChildOf, Children};
use ecs::prefab::FromPrefab;

use crate::prefabs::kit::{Pocket, Shape, Speed, engine, part};

const TANKS: &str = r#"{
    "tank": (
        components: { "speed": (mps: 10, radps: 1) },
        children: {
            "turret": (
                components: { "speed": (mps: 0, radps: 2) },
                children: { "barrel": (like: "pipe", components: { "pocket": (capacity: 40) }) },
            ),
            "hatch": (components: { "shape": Circle }),
        },
    ),
    "pipe": (components: { "shape": Triangle(1.0) }),
    "howitzer": (
        like: "tank",
        children: {
            "turret": (components: { "speed": (radps: 0.5) }, children: { "barrel": (components: { "pocket": (capacity: 5) }) }),
            "flag": (components: { "shape": Circle }),
        },
    ),
    "jeep": (like: "tank", without_children: ["turret"], children: { "hatch": (like: "pipe") }),
}"#;

#[test]
fn children_know_their_parent_which_knows_them_by_name() {
    let mut engine = engine(TANKS);
    let tank = engine.spawn_prefab("tank").unwrap();
    let turret = part(&engine, tank, "turret");
    let barrel = part(&engine, tank, "turret/barrel");
    assert_eq!(engine.entities().len(), 4);
    assert_eq!(engine.get::<ChildOf>(turret).map(|part| (part.parent(), part.name())), Some((tank, Some("turret"))));
    assert_eq!(engine.get::<ChildOf>(barrel).map(|part| (part.parent(), part.name())), Some((turret, Some("barrel"))));
    assert!(!engine.has::<ChildOf>(tank));
    assert_eq!(engine.get(barrel), Some(&Shape::Triangle(1.0)));
    assert_eq!(engine.get(barrel), Some(&Pocket { capacity: 40 }));
    assert_eq!(engine.get::<FromPrefab>(barrel).unwrap().name(), "tank");
    assert_eq!(engine.child_named(tank, "wheel"), None);
}

#[test]
fn children_and_their_ids_are_in_the_order_of_the_file() {
    let mut engine = engine(TANKS);
    let howitzer = engine.spawn_prefab("howitzer").unwrap();
    let parts = ["turret", "hatch", "flag"].map(|name| part(&engine, howitzer, name));
    assert_eq!(engine.children(howitzer), parts);
    let ids: Vec<EntityId> = engine.entities().iter().collect();
    let barrel = part(&engine, howitzer, "turret/barrel");
    assert_eq!(ids, [howitzer, parts[0], parts[1], parts[2], barrel]);
}

#[test]
fn variant_changes_nested_children() {
    let mut engine = engine(TANKS);
    let howitzer = engine.spawn_prefab("howitzer").unwrap();
    let turret = part(&engine, howitzer, "turret");
    let barrel = part(&engine, howitzer, "turret/barrel");
    assert_eq!(engine.get(turret), Some(&Speed { mps: 0.0, radps: 0.5 }));
    assert_eq!(engine.get(barrel), Some(&Pocket { capacity: 5 }));
    assert_eq!(engine.get(barrel), Some(&Shape::Triangle(1.0)));
}

#[test]
fn variant_removes_children_and_replaces_others() {
    let mut engine = engine(TANKS);
    let jeep = engine.spawn_prefab("jeep").unwrap();
    assert_eq!(engine.get::<Children>(jeep).unwrap().len(), 1);
    assert_eq!(engine.get(part(&engine, jeep, "hatch")), Some(&Shape::Triangle(1.0)));
}

#[test]
fn child_can_extend_the_same_prefab_as_its_variant() {
    let mut engine = engine(
        r#"{ "a": (components: { "speed": (mps: 1) }), "b": (like: "a", children: { "little": (like: "a") }) }"#,
    );
    let b = engine.spawn_prefab("b").unwrap();
    assert_eq!(engine.get(part(&engine, b, "little")), Some(&Speed { mps: 1.0, radps: 0.0 }));
}

#[test]
fn despawn_of_a_parent_despawns_its_children() {
    let mut engine = engine(TANKS);
    let tank = engine.spawn_prefab("tank").unwrap();
    let other = engine.spawn_prefab("tank").unwrap();
    engine.despawn(tank).unwrap();
    assert_eq!(engine.entities().len(), 4);
    assert!(engine.contains(part(&engine, other, "turret/barrel")));
}

#[test]
fn despawn_many_despawns_all_children() {
    let mut engine = engine(TANKS);
    let tanks: Vec<EntityId> = (0..10).map(|_| engine.spawn_prefab("tank").unwrap()).collect();
    let bystander = engine.spawn(());
    engine.despawn_many(tanks).unwrap();
    assert_eq!(engine.entities().iter().collect::<Vec<_>>(), [bystander]);
}

#[test]
fn children_are_despawned_even_if_a_component_of_the_parent_panics() {
    struct Mine;
    impl Drop for Mine {
        fn drop(&mut self) {
            panic!("bang");
        }
    }
    let mut engine = engine(TANKS);
    let tank = engine.spawn_prefab("tank").unwrap();
    engine.insert(tank, (Mine,)).unwrap();
    let bang = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| engine.despawn(tank)));
    assert!(bang.is_err());
    assert!(engine.entities().is_empty());
}

#[test]
fn despawned_child_is_no_child_any_more() {
    let mut engine = engine(TANKS);
    let tank = engine.spawn_prefab("tank").unwrap();
    let turret = part(&engine, tank, "turret");
    engine.despawn(turret).unwrap();
    assert_eq!(engine.entities().len(), 2, "its barrel is despawned, too");
    assert_eq!(engine.child_named(tank, "turret"), None);
    assert_eq!(engine.children(tank).len(), 1);
    engine.despawn(tank).unwrap();
    assert!(engine.entities().is_empty());
}
