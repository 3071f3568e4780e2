//! Components: inserted, replaced, removed and dropped, of many types and layouts.

use std::sync::Arc;
use std::time::Duration;

use ecs::{Added, CommandFailure, Commands, Component, Engine, EntityId, Query, Removed, Setup, System};

#[derive(Debug, PartialEq, Clone, Copy)]
struct Position(f32, f32);

#[test]
fn inserting_replaces_and_drops_the_old_value_once() {
    let mut engine = Engine::new();
    let (old, new) = (Arc::new(1), Arc::new(2));
    let entity = engine.spawn((old.clone(),));
    engine.insert(entity, (new.clone(),)).unwrap();
    assert_eq!((Arc::strong_count(&old), Arc::strong_count(&new)), (1, 2));
    assert_eq!(engine.get::<Arc<i32>>(entity), Some(&new));
    engine.remove::<Arc<i32>>(entity).unwrap();
    assert_eq!(Arc::strong_count(&new), 1);
}

#[test]
fn each_component_is_dropped_once() {
    let token = Arc::new(());
    let mut engine = Engine::new();
    let all: Vec<_> = (0..10).map(|_| engine.spawn((token.clone(), [token.clone(), token.clone()]))).collect();
    assert_eq!(Arc::strong_count(&token), 31);
    engine.disable(all[4]).unwrap();
    engine.despawn(all[4]).unwrap();
    engine.despawn(all[9]).unwrap();
    assert_eq!(Arc::strong_count(&token), 25);
    let error = engine.insert(all[4], (token.clone(),));
    assert!(error.is_err());
    assert_eq!(Arc::strong_count(&token), 25, "a bundle without an entity is dropped");
    drop(engine);
    assert_eq!(Arc::strong_count(&token), 1);
}

#[test]
fn removal_of_a_missing_component_names_entity_and_component() {
    let mut engine = Engine::new();
    let entity = engine.spawn(('x',));
    let never_met = engine.remove::<Position>(entity).unwrap_err();
    assert_eq!(never_met, CommandFailure::NoSuchComponent { entity, component: "Position" });
    assert_eq!(never_met.to_string(), "entity 1v1 has no Position");
    engine.remove::<char>(entity).unwrap();
    assert_eq!(engine.remove::<char>(entity), Err(CommandFailure::NoSuchComponent { entity, component: "char" }));
}

#[test]
fn bundles_have_up_to_twelve_components() {
    let mut engine = Engine::new();
    let entity =
        engine.spawn((1_u8, 2_u16, 3_u32, 4_u64, 5_u128, 6_i8, 7_i16, 8_i32, 9_i64, 10_i128, 11_usize, 12_isize));
    assert_eq!(engine.entities().mask(entity).unwrap().len(), 12);
    assert_eq!(engine.get::<isize>(entity), Some(&12));
}

#[derive(Debug, PartialEq)]
#[repr(align(64))]
struct CacheLine(u8);

#[test]
fn components_of_any_layout_are_stored() {
    let mut engine = Engine::new();
    let all: Vec<_> = (0..100_u8).map(|n| engine.spawn((CacheLine(n), [n; 200], [(); 2], n))).collect();
    for entity in all.iter().step_by(3) {
        engine.despawn(*entity).unwrap();
    }
    for (n, entity) in all.iter().enumerate().filter(|(n, _)| n % 3 != 0) {
        let line = engine.get::<CacheLine>(*entity).unwrap();
        assert_eq!(line, &CacheLine(n as u8));
        assert_eq!(std::ptr::from_ref(line) as usize % 64, 0);
        assert_eq!(engine.get::<[u8; 200]>(*entity), Some(&[n as u8; 200]));
        assert_eq!(engine.get::<[(); 2]>(*entity), Some(&[(); 2]));
    }
}

#[test]
fn pool_returns_its_enabled_components_with_their_owners() {
    let mut engine = Engine::new();
    let all: Vec<_> = (0..5_u8).map(|n| engine.spawn((n,))).collect();
    engine.remove::<u8>(all[1]).unwrap();
    engine.disable(all[3]).unwrap();
    let pool = engine.components().pool::<u8>().unwrap();
    let mut pairs: Vec<_> = pool.iter().map(|(entity, value)| (entity, *value)).collect();
    pairs.sort();
    assert_eq!(pairs, [(all[0], 0), (all[2], 2), (all[4], 4)]);
    assert_eq!((pool.len(), pool.is_empty()), (4, false));
    assert_eq!((pool.is_enabled(all[3]), pool.is_enabled(all[1])), (Some(false), None));
    assert_eq!(pool.get(all[3]), Some(&3));
}

#[test]
fn component_types_are_listed_in_the_order_of_first_use() {
    let mut engine = Engine::new();
    let entity = engine.spawn((Position(0.0, 0.0), 'x'));
    engine.spawn(('y',));
    engine.disable(entity).unwrap();
    let infos: Vec<_> = engine.components().iter().map(|i| (i.name, i.len, i.enabled, i.value_bytes)).collect();
    assert_eq!(infos, [("Position", 1, 0, 8), ("char", 2, 1, 4)]);
    let letter = engine.components().id_of::<char>().unwrap();
    assert_eq!((letter.index(), engine.components().name(letter)), (1, "char"));
    assert!(engine.components().id_of::<u8>().is_none());
    assert!(engine.components().pool::<u8>().is_none());
}

/// One of 400 component types.
#[derive(Debug, PartialEq)]
struct Numbered<const TENS: usize, const ONES: usize>(usize);

macro_rules! for_400_types {
    ($visit:ident, $engine:expr, $entity:expr) => {
        for_400_types!(@ $visit, $engine, $entity; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    };
    (@ $visit:ident, $engine:expr, $entity:expr; $($tens:literal)*) => {
        $(for_400_types!(# $visit, $engine, $entity; $tens; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);)*
    };
    (# $visit:ident, $engine:expr, $entity:expr; $tens:literal; $($ones:literal)*) => {
        $($visit::<$tens, $ones>($engine, $entity);)*
    };
}

#[test]
fn four_hundred_component_types_live_together() {
    let mut engine = Engine::new();
    let (first, second) = (engine.spawn(()), engine.spawn(()));
    fn insert<const T: usize, const O: usize>(engine: &mut Engine, entity: ecs::EntityId) {
        engine.insert(entity, (Numbered::<T, O>(T * 100 + O),)).unwrap();
    }
    fn check<const T: usize, const O: usize>(engine: &mut Engine, entity: ecs::EntityId) {
        assert_eq!(engine.get::<Numbered<T, O>>(entity), Some(&Numbered(T * 100 + O)));
    }
    for_400_types!(insert, &mut engine, first);
    for_400_types!(insert, &mut engine, second);
    for_400_types!(check, &mut engine, first);
    assert_eq!(engine.entities().mask(first).unwrap().len(), 400);
    engine.despawn(first).unwrap();
    for_400_types!(check, &mut engine, second);
    assert!(engine.components().iter().all(|info| info.len == 1));
    let mut query = engine.query::<(&Numbered<0, 0>, &mut Numbered<19, 19>)>();
    let (low, high) = query.single_mut().unwrap();
    assert_eq!((low.0, high.0), (0, 1919));
}

#[test]
fn systems_reach_components_beyond_the_first_sixty_four() {
    let mut engine = Engine::new();
    fn register<const T: usize, const O: usize>(engine: &mut Engine, entity: ecs::EntityId) {
        engine.insert(entity, (Numbered::<T, O>(0),)).unwrap();
    }
    let entity = engine.spawn(());
    for_400_types!(register, &mut engine, entity);
    fn add(mut late: Query<(&mut Numbered<19, 1>, &Numbered<0, 1>)>) {
        for (late, _) in &mut late {
            late.0 += 5;
        }
    }
    engine.run(add).unwrap();
    assert_eq!(engine.get::<Numbered<19, 1>>(entity).unwrap().0, 5);
}

#[test]
fn any_send_sync_type_is_a_component() {
    fn is_component<T: Component>() {}
    is_component::<String>();
    is_component::<fn(u8) -> u8>();
    is_component::<Box<dyn Fn() + Send + Sync>>();
    let mut engine = Engine::new();
    let next: fn(u8) -> u8 = |n| n + 1;
    let entity = engine.spawn((String::from("a name"), "a text", next, [1.0_f32; 3], vec![(1, Some(2))]));
    assert_eq!(engine.get::<String>(entity).unwrap(), "a name");
    assert_eq!(engine.get::<fn(u8) -> u8>(entity).map(|next| next(1)), Some(2));
}

/// Its drop panics if it holds `true`.
struct Grenade(bool);

impl Drop for Grenade {
    fn drop(&mut self) {
        assert!(!self.0, "the flag is set");
    }
}

#[test]
fn panicking_drop_of_a_replaced_component_still_inserts_the_whole_bundle() {
    let mut engine = Engine::new();
    let entity = engine.spawn((Grenade(true),));
    let replace = std::panic::AssertUnwindSafe(|| engine.insert(entity, (1_u8, Grenade(false), 2_u16)));
    assert!(std::panic::catch_unwind(replace).is_err());
    assert!(engine.has::<u8>(entity) && engine.get::<Grenade>(entity).is_some_and(|grenade| !grenade.0));
    assert_eq!(engine.get::<u16>(entity), Some(&2), "replaced values are dropped after all insertions");
    assert_eq!(engine.query::<(EntityId, &u8, &Grenade)>().iter().map(|(id, ..)| id).collect::<Vec<_>>(), [entity]);
    engine.insert(entity, (3_u16,)).unwrap();
    assert_eq!(engine.get::<u16>(entity), Some(&3));
    engine.despawn(entity).unwrap();
    assert_eq!(engine.query::<&u8>().count() + engine.query::<&u16>().count(), 0);
}

/// Owns memory and is not `Clone`.
struct Purse(Vec<u32>);

#[derive(Clone, Copy)]
struct Crown(u32);

/// What happened to crowns.
#[derive(Default)]
struct Chronicle(Vec<(&'static str, EntityId, u32)>);

impl System for Chronicle {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(|it: &mut Self, lost: &Removed<Crown>| {
                it.0.push(("lost", lost.entity, lost.value.as_ref().map_or(0, |crown| crown.0)))
            })
            .listen(Self::on_won);
    }
}

impl Chronicle {
    fn on_won(&mut self, won: &Added<Crown>, crowns: Query<&Crown>) {
        self.0.push(("won", won.entity, crowns.get(won.entity).map_or(0, |crown| crown.0)));
    }
}

#[test]
fn component_is_taken_and_moved_without_cloning() {
    let mut engine = Engine::new();
    let (old, new) = (engine.spawn((Purse(vec![1, 2]), Crown(1))), engine.spawn((Purse(vec![3]), Crown(2))));
    engine.move_component::<Purse>(old, new).unwrap();
    assert!(!engine.has::<Purse>(old));
    assert_eq!(engine.get::<Purse>(new).unwrap().0, [1, 2], "the one that was there is replaced");
    engine.move_component::<Purse>(new, new).unwrap();
    assert_eq!(engine.take::<Purse>(new).unwrap().0, [1, 2]);
    let lacks = CommandFailure::NoSuchComponent { entity: new, component: "Purse" };
    assert_eq!(engine.take::<Purse>(new).err(), Some(lacks.clone()));
    assert_eq!(engine.move_component::<Purse>(new, old), Err(lacks));
    engine.insert(old, (Purse(vec![9]),)).unwrap();
    engine.despawn(new).unwrap();
    assert!(engine.move_component::<Purse>(old, new).is_err());
    assert_eq!(engine.get::<Purse>(old).unwrap().0, [9], "nothing is lost");
    assert_eq!(engine.query::<(&Purse, &Crown)>().count(), 1);
}

#[test]
fn moving_sends_the_events_of_removing_and_adding() {
    let mut engine = Engine::new();
    engine.add(Chronicle::default()).unwrap();
    let (old, new) = (engine.spawn((Crown(7),)), engine.spawn(()));
    engine.after(Duration::ZERO, move |mut commands: Commands| commands.move_component::<Crown>(old, new)).unwrap();
    engine.update(Duration::ZERO).unwrap();
    engine.take::<Crown>(new).unwrap();
    engine.update(Duration::ZERO).unwrap();
    let chronicle = &engine.system::<Chronicle>().unwrap().0;
    let lost_without_value = [("lost", old, 0), ("lost", new, 0)];
    assert_eq!(*chronicle, [("won", old, 7), lost_without_value[0], ("won", new, 7), lost_without_value[1]]);
}

#[test]
fn two_systems_that_give_one_entity_a_component_conflict_also_by_moving() {
    let mut engine = Engine::new();
    let (a, b, heir) = (engine.spawn((Crown(1),)), engine.spawn((Crown(2),)), engine.spawn(()));
    engine.after(Duration::ZERO, move |mut commands: Commands| commands.move_component::<Crown>(a, heir)).unwrap();
    engine.after(Duration::ZERO, move |mut commands: Commands| commands.move_component::<Crown>(b, heir)).unwrap();
    engine.update(Duration::ZERO).unwrap();
    assert!(matches!(engine.command_errors(), [error] if matches!(error.failure, CommandFailure::Conflict { .. })));
    assert_eq!((engine.get::<Crown>(heir).unwrap().0, engine.get::<Crown>(b).unwrap().0), (1, 2));
}
