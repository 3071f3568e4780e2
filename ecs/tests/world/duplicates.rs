//! Copies of entities.

use std::time::Duration;

use ecs::prelude::*;
use ecs::snapshot::SnapshotError;
use ecs::{Disabled, Error};

#[derive(Clone, Debug, PartialEq, ecs::snapshot::StableHash)]
struct Name(String);

#[derive(Clone, Copy, Debug, PartialEq, ecs::snapshot::StableHash)]
struct Health(i32);

/// Of this type the engine knows no copy.
struct Secret;

#[derive(Default)]
struct Heard(Vec<EntityId>);

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.types_mut().component::<Name>("name").unwrap().component::<Health>("health").unwrap();
    engine
}

#[test]
fn a_copy_has_equal_components_and_a_life_of_its_own() {
    let mut engine = engine();
    let original = engine.spawn((Name("Ada".to_owned()),));
    engine.insert(original, (Health(3),)).unwrap();
    let copy = engine.duplicate(original).unwrap();
    engine.get_mut::<Health>(original).unwrap().0 = 9;
    engine.get_mut::<Name>(copy).unwrap().0.push('m');
    assert_eq!((engine.get(copy), engine.get(original)), (Some(&Health(3)), Some(&Health(9))));
    assert_eq!(engine.get::<Name>(original).unwrap().0, "Ada");
    engine.despawn(original).unwrap();
    assert_eq!(engine.get::<Name>(copy).unwrap().0, "Adam");
}

#[test]
fn what_is_disabled_is_disabled_in_the_copy() {
    let mut engine = engine();
    let original = engine.spawn((Name("Ada".to_owned()), Health(3)));
    engine.disable_component::<Health>(original).unwrap();
    engine.disable(original).unwrap();
    let copy = engine.duplicate(original).unwrap();
    assert_eq!(engine.query::<&Name>().count(), 0);
    engine.enable(copy).unwrap();
    assert_eq!((engine.query::<&Name>().count(), engine.query::<&Health>().count()), (1, 0));
    engine.enable_component::<Health>(copy).unwrap();
    assert_eq!(engine.query::<&Health>().count(), 1);
}

#[test]
fn a_copy_has_no_links() {
    let mut engine = engine();
    let parent = engine.spawn((Name("parent".to_owned()),));
    let child = engine.spawn_child(parent, (Name("child".to_owned()),)).unwrap();
    let copy = engine.duplicate(child).unwrap();
    assert_eq!((engine.parent(copy), engine.children(parent)), (None, &[child][..]));
    let other = engine.duplicate(parent).unwrap();
    assert!(engine.children(other).is_empty());
}

#[test]
fn events_of_a_copy_are_those_of_a_spawn() {
    let mut engine = engine();
    engine.insert_resource(Heard::default());
    let original = engine.spawn((Health(1),));
    engine.listen(|it: &Added<Health>, mut heard: ResMut<Heard>| heard.0.push(it.entity)).unwrap();
    engine.listen(|it: &Spawned, mut heard: ResMut<Heard>| heard.0.push(it.entity)).unwrap();
    engine.listen(|it: &Disabled, mut heard: ResMut<Heard>| heard.0.push(it.entity)).unwrap();
    let copy = engine.duplicate(original).unwrap();
    engine.update(Duration::ZERO).unwrap();
    assert_eq!(engine.resource::<Heard>().unwrap().0, [copy, copy]);
}

#[test]
fn an_entity_that_is_gone_and_a_type_without_a_copy_are_errors_that_change_nothing() {
    let mut engine = engine();
    let original = engine.spawn((Health(1), Secret));
    let error = engine.duplicate(original).unwrap_err();
    assert!(matches!(error, Error::Snapshot(SnapshotError::NotRegistered { .. })), "{error}");
    assert!(error.to_string().contains("Secret"), "{error}");
    assert_eq!(engine.entities().len(), 1);
    engine.despawn(original).unwrap();
    assert!(matches!(engine.duplicate(original), Err(Error::NoSuchEntity(_))));
}

#[test]
fn a_clone_that_panics_leaves_no_half_of_a_copy() {
    struct Frail;
    impl Clone for Frail {
        fn clone(&self) -> Self {
            panic!("it broke")
        }
    }
    let mut engine = engine();
    engine.types_mut().component_by::<Frail>("frail", |_, _| {}).unwrap();
    let original = engine.spawn((Health(1), Frail));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| engine.duplicate(original)));
    assert!(result.is_err());
    assert_eq!(engine.entities().len(), 1);
}
