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

/// Its copy panics.
struct Frail;

impl Clone for Frail {
    fn clone(&self) -> Self {
        panic!("it broke")
    }
}

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
    let mut engine = engine();
    engine.types_mut().component_by::<Frail>("frail", |_, _| {}).unwrap();
    let original = engine.spawn((Health(1), Frail));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| engine.duplicate(original)));
    assert!(result.is_err());
    assert_eq!(engine.entities().len(), 1);
}

#[test]
fn a_command_copies_what_is_there_at_its_place_among_the_commands() {
    let mut engine = engine();
    let original = engine.spawn((Health(1),));
    engine
        .run(move |mut commands: Commands| {
            commands.duplicate(original);
            commands.insert(original, (Health(2), Name("Ada".to_owned())));
            commands.duplicate(original);
        })
        .unwrap();
    let healths: Vec<_> = engine.query::<&Health>().iter().map(|health| health.0).collect();
    assert_eq!(healths.iter().filter(|health| **health == 2).count(), 2, "{healths:?}");
    assert_eq!((healths.len(), engine.query::<&Name>().count()), (3, 2));
}

#[test]
fn a_command_of_a_system_copies_in_the_frame_and_its_failure_names_the_system() {
    fn divide(cells: Query<(EntityId, &Health)>, mut commands: Commands) {
        cells.iter().for_each(|(cell, _)| commands.duplicate(cell));
    }
    let mut engine = engine();
    engine.add(divide).unwrap();
    let [_, secret] = [engine.spawn((Health(1),)), engine.spawn((Health(2), Secret))];
    engine.update(Duration::ZERO).unwrap();
    assert_eq!((engine.entities().len(), engine.command_errors().len()), (3, 1));
    let error = engine.command_errors()[0].to_string();
    assert!(error.starts_with("divide asked to duplicate: ") && error.contains("Secret"), "{error}");
    let gone = engine.run(move |mut commands: Commands| {
        commands.despawn(secret);
        commands.duplicate(secret);
    });
    assert!(matches!(gone, Err(Error::Command(ecs::CommandFailure::NoSuchEntity(_)))), "{gone:?}");
}

#[test]
fn a_clone_that_panics_in_a_command_leaves_no_half_of_a_copy_and_the_commands_behind_it_follow() {
    let mut engine = engine();
    engine.types_mut().component_by::<Frail>("frail", |_, _| {}).unwrap();
    let original = engine.spawn((Health(1), Frail));
    engine
        .after(Duration::ZERO, move |mut commands: Commands| {
            commands.duplicate(original);
            commands.spawn((Health(2),));
        })
        .unwrap();
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| engine.update(Duration::ZERO)));
    assert!(result.is_err());
    engine.update(Duration::ZERO).unwrap();
    assert_eq!(engine.query::<&Health>().iter().map(|health| health.0).sum::<i32>(), 3);
    assert_eq!(engine.entities().len(), 2);
}
