//! Components that need others.

use std::time::Duration;

use ecs::component::Removal;
use ecs::prelude::*;
use ecs::relation::{Links, Relation};
use ecs::{CommandFailure, Error};

use crate::panics;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Burning;
#[derive(Clone, Copy, Debug, PartialEq)]
struct Health(u32);
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mortal(u32);

#[derive(Default)]
struct Log(Vec<String>);

/// Burning needs health, and health mortality.
fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.require::<Health, _>(|| Mortal(1)).unwrap();
    engine.require::<Burning, _>(|| Health(100)).unwrap();
    engine
}

fn has_all(engine: &Engine, entity: EntityId) -> bool {
    (engine.get(entity), engine.get(entity), engine.get(entity))
        == (Some(&Burning), Some(&Health(100)), Some(&Mortal(1)))
}

#[test]
fn whichever_way_a_component_comes_it_brings_what_it_needs() {
    let mut engine = engine();
    let spawned = engine.spawn((Burning,));
    let many = engine.spawn_many([(Burning, 1_u8), (Burning, 2_u8)]);
    let columns = engine.spawn_columns((vec![Burning], vec![7_u8])).unwrap();
    let [inserted, bulk, pool, bare, command] = [0, 1, 2, 3, 4].map(|n| engine.spawn((n,)));
    engine.insert(inserted, (Burning,)).unwrap();
    engine.insert_many([(bulk, (Burning,))]).unwrap();
    engine.pool_mut::<Burning>().insert(pool, Burning).unwrap();
    engine.remove::<i32>(bare).unwrap();
    engine.pool_mut::<Burning>().insert(bare, Burning).unwrap();
    engine.run(move |mut commands: Commands| commands.insert(command, (Burning,))).unwrap();
    let reserved = engine.run(|mut spawner: Spawner| spawner.spawn((Burning,))).unwrap();
    let child = engine.spawn_child(spawned, (Burning,)).unwrap();
    let moved = engine.spawn(());
    engine.move_component::<Burning>(inserted, moved).unwrap();
    engine.insert(inserted, (Burning,)).unwrap();
    let all = [spawned, inserted, bulk, pool, bare, command, reserved, child, moved, columns[0], many[0], many[1]];
    for (at, entity) in all.into_iter().enumerate() {
        assert!(has_all(&engine, entity), "{at}: {:?}", engine.inspect(entity));
    }
    // What is spawned with what it needs lies in one piece.
    assert_eq!(engine.query::<(&Burning, &Health, &Mortal)>().iter().count(), all.len());
}

#[test]
fn what_is_there_stays() {
    let mut engine = engine();
    let troll = engine.spawn((Health(7), Burning));
    assert_eq!((engine.get(troll), engine.get(troll)), (Some(&Health(7)), Some(&Mortal(1))));
    let log = engine.spawn((Health(3), Mortal(9)));
    engine.insert(log, (Burning,)).unwrap();
    assert_eq!((engine.get(log), engine.get(log)), (Some(&Health(3)), Some(&Mortal(9))));
}

#[test]
fn entities_that_exist_get_it_when_it_is_declared() {
    let mut engine = Engine::new();
    let all = engine.spawn_many([(Burning,), (Burning,)]);
    engine.require::<Burning, _>(|| Health(5)).unwrap();
    assert!(all.into_iter().all(|entity| engine.get(entity) == Some(&Health(5))));
}

#[test]
fn a_needed_component_cannot_be_removed_before_what_needs_it() {
    let mut engine = engine();
    let entity = engine.spawn((Burning,));
    let needed = CommandFailure::Needed { entity, component: "Health", by: "Burning" };
    assert_eq!(engine.remove::<Health>(entity), Err(needed.clone()));
    assert_eq!(engine.take::<Health>(entity).unwrap_err(), needed);
    assert_eq!(engine.remove_many::<Health>([entity]), Err(needed.clone()));
    assert_eq!(engine.pool_mut::<Health>().remove(entity), Err(needed.clone()));
    let other = engine.spawn(());
    assert_eq!(engine.move_component::<Health>(entity, other), Err(needed.clone()));
    let by_command = engine.run(move |mut commands: Commands| commands.remove::<Health>(entity)).unwrap_err();
    assert!(matches!(&by_command, Error::Command(failure) if *failure == needed), "{by_command}");
    assert!(has_all(&engine, entity));
    engine.remove::<Burning>(entity).unwrap();
    engine.remove::<Health>(entity).unwrap();
    engine.remove::<Mortal>(entity).unwrap();
    engine.despawn(entity).unwrap();
}

#[test]
fn events_tell_of_it_in_a_fixed_order() {
    let mut engine = engine();
    engine.insert_resource(Log::default());
    engine.listen(|_: &Added<Burning>, mut log: ResMut<Log>| log.0.push("burning".to_owned())).unwrap();
    engine.listen(|_: &Added<Health>, mut log: ResMut<Log>| log.0.push("health".to_owned())).unwrap();
    engine.listen(|_: &Added<Mortal>, mut log: ResMut<Log>| log.0.push("mortal".to_owned())).unwrap();
    engine.listen(|_: &Spawned, mut log: ResMut<Log>| log.0.push("spawned".to_owned())).unwrap();
    engine.spawn((Burning,));
    engine.update(Duration::ZERO).unwrap();
    assert_eq!(engine.resource::<Log>().unwrap().0, ["burning", "health", "mortal", "spawned"]);
}

#[test]
fn a_circle_of_needs_ends() {
    let mut engine = Engine::new();
    engine.require::<Burning, _>(|| Health(1)).unwrap();
    engine.require::<Health, _>(|| Burning).unwrap();
    let entity = engine.spawn((Health(4),));
    assert_eq!((engine.get(entity), engine.get(entity)), (Some(&Burning), Some(&Health(4))));
}

#[test]
fn mistakes_are_named() {
    struct Likes;
    impl Relation for Likes {}
    let mut engine = engine();
    let problem = |result: Result<&mut Engine, Error>| result.err().unwrap().to_string();
    let again = problem(engine.require::<Burning, _>(|| Health(1)));
    assert_eq!(again, "Burning cannot need Health: it is declared already");
    assert_eq!(problem(engine.require::<Health, _>(|| Health(1))), "Health cannot need Health: they are the same");
    let link = problem(engine.require::<Links<Likes>, _>(|| Health(1)));
    assert!(link.ends_with("cannot need Health: only the engine changes one of the two"), "{link}");
}

#[test]
fn what_is_disabled_counts_as_there() {
    let mut engine = engine();
    let entity = engine.spawn((Health(3),));
    engine.disable_component::<Health>(entity).unwrap();
    engine.insert(entity, (Burning,)).unwrap();
    assert_eq!(engine.get(entity), Some(&Health(3)));
    assert!(engine.remove::<Health>(entity).is_err());
}

#[test]
fn a_panic_of_what_is_replaced_leaves_no_need_open() {
    struct Frail;
    let mut engine = engine();
    engine.on_remove(|_: Removal<Frail>| panic!("it broke")).unwrap();
    let entity = engine.spawn((Frail,));
    assert!(panics(|| engine.insert(entity, (Frail, Burning))));
    assert!(has_all(&engine, entity));
}

#[test]
fn a_maker_that_panics_stops_neither_the_others_nor_the_announcement() {
    let mut engine = Engine::new();
    engine.require::<Burning, u8>(|| panic!("no number")).unwrap();
    engine.require::<Burning, _>(|| Health(100)).unwrap();
    engine.insert_resource(Log::default());
    engine.listen(|_: &Spawned, mut log: ResMut<Log>| log.0.push("spawned".to_owned())).unwrap();
    assert!(panics(|| engine.spawn((Burning,))));
    engine.update(Duration::ZERO).unwrap();
    assert_eq!(engine.query::<(&Burning, &Health)>().count(), 1);
    assert_eq!(engine.resource::<Log>().unwrap().0, ["spawned"]);
    let bare = engine.spawn(());
    assert!(panics(|| engine.pool_mut::<Burning>().insert(bare, Burning)));
    assert!(engine.has::<Health>(bare));
    let before = engine.spawn_many([(1_i8,), (2_i8,)]);
    engine.require::<i8, u32>(|| 7).unwrap();
    engine.remove_many::<i8>(before.iter().copied()).unwrap();
    engine.remove_many::<u32>(before.iter().copied()).unwrap();
    engine.insert_many(before.iter().map(|entity| (*entity, (3_i8,)))).unwrap();
    assert!(panics(|| engine.require::<i8, u16>(|| panic!("no number")).map(drop)));
    assert!(before.into_iter().all(|entity| engine.has::<u32>(entity)));
}

#[test]
fn a_copy_brings_its_own_values_and_makes_none() {
    let mut engine = Engine::new();
    // The engine meets them in the order of the needs.
    engine.require::<Burning, _>(|| Health(100)).unwrap();
    engine.require::<Health, _>(|| Mortal(1)).unwrap();
    engine.types_mut().component_by::<Burning>("burning", |_, _| {}).unwrap();
    engine.types_mut().component_by::<Health>("health", |_, _| {}).unwrap();
    engine.types_mut().component_by::<Mortal>("mortal", |_, _| {}).unwrap();
    engine.insert_resource(Log::default());
    engine
        .on_remove(|it: Removal<Health>| it.resource_mut::<Log>().unwrap().0.push(format!("{:?}", it.value)))
        .unwrap();
    engine.listen(|it: &Replaced<Mortal>, mut log: ResMut<Log>| log.0.push(format!("{:?}", it.old))).unwrap();
    let original = engine.spawn((Burning, Health(7), Mortal(8)));
    let copy = engine.duplicate(original).unwrap();
    assert_eq!((engine.get(copy), engine.get(copy)), (Some(&Health(7)), Some(&Mortal(8))));
    engine.update(Duration::ZERO).unwrap();
    assert!(engine.resource::<Log>().unwrap().0.is_empty(), "{:?}", engine.resource::<Log>().unwrap().0);
}
