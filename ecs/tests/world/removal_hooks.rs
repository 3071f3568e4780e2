//! Hooks of removals: each value that leaves is shown once, whichever way it goes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ecs::component::Removal;
use ecs::prelude::*;
use ecs::relation::{Links, Relation};
use ecs::system::SetupError;

use crate::panics;

/// Stands for something outside that must be released.
#[derive(Clone, Debug, PartialEq)]
struct Handle(u32);

#[derive(Clone, Debug, PartialEq)]
struct Sound(u32);

/// What the hooks saw.
#[derive(Default)]
struct Seen(Vec<u32>);

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Seen::default());
    engine.on_remove(|it: Removal<Handle>| it.resource_mut::<Seen>().unwrap().0.push(it.value.0)).unwrap();
    engine
}

fn seen(engine: &mut Engine) -> Vec<u32> {
    std::mem::take(&mut engine.resource_mut::<Seen>().unwrap().0)
}

#[test]
fn a_value_is_shown_when_it_is_removed_replaced_or_despawned() {
    let mut engine = engine();
    let entity = engine.spawn((Handle(1), "plain"));
    engine.insert(entity, (Handle(2), 5_u8)).unwrap();
    assert_eq!(seen(&mut engine), [1]);
    engine.remove::<Handle>(entity).unwrap();
    assert_eq!(seen(&mut engine), [2]);
    engine.insert(entity, (Handle(3),)).unwrap();
    engine.insert(entity, (Handle(4),)).unwrap();
    assert_eq!(seen(&mut engine), [3]);
    engine.despawn(entity).unwrap();
    assert_eq!(seen(&mut engine), [4]);
    let other = engine.spawn((Handle(5),));
    engine.despawn(other).unwrap();
    assert_eq!(seen(&mut engine), [5]);
}

#[test]
fn changes_of_many_show_each_value() {
    let mut engine = engine();
    let all = engine.spawn_many((0..6).map(|n| (Handle(n), n)));
    engine.insert_many(all.iter().map(|entity| (*entity, (Handle(10),)))).unwrap();
    assert_eq!(seen(&mut engine), [0, 1, 2, 3, 4, 5]);
    engine.remove_many::<Handle>(all[..2].iter().copied()).unwrap();
    assert_eq!(seen(&mut engine), [10, 10]);
    engine.despawn_many(all).unwrap();
    assert_eq!(seen(&mut engine), [10, 10, 10, 10]);
    let bare = engine.spawn(());
    let mut pool = engine.pool_mut::<Handle>();
    pool.insert(bare, Handle(1)).unwrap();
    pool.insert(bare, Handle(2)).unwrap();
    pool.remove(bare).unwrap();
    assert_eq!(seen(&mut engine), [1, 2]);
}

#[test]
fn a_despawn_with_children_shows_the_values_of_all() {
    let mut engine = engine();
    let parent = engine.spawn((Handle(1),));
    engine.spawn_child(parent, (Handle(2),)).unwrap();
    engine.despawn(parent).unwrap();
    assert_eq!(seen(&mut engine), [1, 2]);
}

#[test]
fn a_value_for_an_entity_that_is_gone_is_shown() {
    let mut engine = engine();
    let gone = engine.spawn(());
    engine.despawn(gone).unwrap();
    engine.insert(gone, (Handle(1),)).unwrap_err();
    engine.insert_many([(gone, (Handle(2),))]).unwrap_err();
    engine.pool_mut::<Handle>().insert(gone, Handle(3)).unwrap_err();
    engine
        .run(move |mut commands: Commands| {
            commands.insert(gone, (Handle(4),));
            commands.spawn_child(gone, (Handle(5),));
        })
        .unwrap_err();
    assert_eq!(seen(&mut engine), [1, 2, 3, 4, 5]);
}

#[test]
fn a_value_that_another_system_already_inserted_is_shown() {
    let mut engine = engine();
    let entity = engine.spawn(());
    engine.every(Duration::ZERO, move |mut commands: Commands| commands.insert(entity, (Handle(1),))).unwrap();
    engine.every(Duration::ZERO, move |mut commands: Commands| commands.insert(entity, (Handle(2),))).unwrap();
    engine.every(Duration::ZERO, move |mut commands: Commands| commands.insert_many([(entity, (Handle(3),))])).unwrap();
    engine.update(Duration::ZERO).unwrap();
    assert_eq!(engine.get(entity), Some(&Handle(1)));
    assert_eq!(seen(&mut engine), [2, 3]);
    assert_eq!(engine.command_errors().len(), 2);
}

#[test]
fn a_value_that_is_taken_or_moved_is_not_shown_and_the_one_below_it_is() {
    let mut engine = engine();
    let [from, to] = [1, 2].map(|n| engine.spawn((Handle(n),)));
    engine.move_component::<Handle>(from, to).unwrap();
    assert_eq!(engine.get(to), Some(&Handle(1)));
    assert_eq!(seen(&mut engine), [2]);
    assert_eq!(engine.take::<Handle>(to).unwrap(), Handle(1));
    assert_eq!(seen(&mut engine), [0; 0]);
}

#[test]
fn disabled_values_are_shown_too() {
    let mut engine = engine();
    let [asleep, off] = [1, 2].map(|n| engine.spawn((Handle(n),)));
    engine.disable(asleep).unwrap();
    engine.disable_component::<Handle>(off).unwrap();
    engine.despawn_many([asleep, off]).unwrap();
    assert_eq!(seen(&mut engine), [1, 2]);
}

#[test]
fn a_restore_shows_what_it_replaces_and_not_what_stays() {
    let mut engine = engine();
    engine.types_mut().component_by::<Handle>("handle", |it, hash| _ = hash.add(&it.0)).unwrap();
    engine.types_mut().leave_out_resource::<Seen>();
    let kept = engine.spawn((Handle(1),));
    let snapshot = engine.snapshot().unwrap();
    engine.restore(&snapshot).unwrap();
    assert_eq!(seen(&mut engine), [0; 0], "nothing has changed");
    engine.get_mut::<Handle>(kept).unwrap().0 = 7;
    engine.spawn((Handle(2),));
    engine.restore(&snapshot).unwrap();
    assert_eq!(seen(&mut engine), [7, 2]);
    assert_eq!(engine.get(kept), Some(&Handle(1)));
}

#[test]
fn a_hook_may_change_the_value_for_the_listeners_of_its_event() {
    #[derive(Clone, Copy)]
    struct Loan(u32);
    let mut engine = Engine::new();
    engine.insert_resource(Seen::default());
    engine.on_remove(|it: Removal<Loan>| it.value.0 *= 10).unwrap();
    engine.listen(|it: &Removed<Loan>, mut seen: ResMut<Seen>| seen.0.push(it.value.unwrap().0)).unwrap();
    let entity = engine.spawn((Loan(4),));
    engine.despawn(entity).unwrap();
    engine.update(Duration::ZERO).unwrap();
    assert_eq!(seen(&mut engine), [40]);
}

#[test]
fn hooks_of_several_types_go_in_the_order_of_the_types() {
    let mut engine = engine();
    engine.on_remove(|it: Removal<Sound>| it.resource_mut::<Seen>().unwrap().0.push(100 + it.value.0)).unwrap();
    let entity = engine.spawn((Sound(1), Handle(1)));
    engine.insert(entity, (Sound(2), Handle(2))).unwrap();
    assert_eq!(seen(&mut engine), [101, 1], "as in the bundle");
    engine.despawn(entity).unwrap();
    assert_eq!(seen(&mut engine), [2, 102], "as the engine met them");
}

#[test]
fn a_hook_that_panics_lets_the_others_see_their_values() {
    let mut engine = engine();
    engine.on_remove(|_: Removal<Sound>| panic!("no sound card")).unwrap();
    let entity = engine.spawn((Sound(1), Handle(1)));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| engine.despawn(entity)));
    assert!(result.is_err() && !engine.contains(entity));
    assert_eq!(seen(&mut engine), [1]);
    let entity = engine.spawn((Sound(1), Handle(3)));
    let insert = |engine: &mut Engine| engine.insert(entity, (Sound(2), Handle(4), 'c'));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| insert(&mut engine)));
    assert!(result.is_err() && engine.has::<char>(entity));
    assert_eq!(seen(&mut engine), [3]);
    assert_eq!(engine.get(entity), Some(&Handle(4)));
    let entity = engine.spawn((Handle(2), Sound(1)));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| engine.despawn_many([entity])));
    assert!(result.is_err() && !engine.contains(entity));
    assert_eq!(seen(&mut engine), [2]);
}

#[test]
fn a_type_has_one_hook_and_links_have_none() {
    struct Likes;
    impl Relation for Likes {}
    let mut engine = engine();
    let again = engine.on_remove(|_: Removal<Handle>| {}).err().unwrap();
    assert!(matches!(again, ecs::Error::Setup(SetupError::Hook { component: "Handle", .. })), "{again}");
    assert_eq!(again.to_string(), "Handle cannot get a hook: it has one already: do both in one function");
    let link = engine.on_remove(|_: Removal<Links<Likes>>| {}).err().unwrap();
    assert!(
        link.to_string().ends_with("cannot get a hook: only the engine removes it: listen to `Unrelated`"),
        "{link}"
    );
}

#[test]
fn shared_handle_is_released_with_the_last_snapshot_that_holds_it() {
    /// A picture on the graphics card.
    #[derive(Clone)]
    struct Picture(Arc<str>);

    let mut engine = Engine::new();
    engine.types_mut().component_by("picture", |picture: &Picture, hash| _ = hash.add(&*picture.0)).unwrap();
    let [kept, made_later] = ["kept", "made later"].map(Arc::<str>::from);
    let released = [&kept, &made_later].map(Arc::downgrade);
    let ship = engine.spawn((Picture(kept),));
    let snapshot = engine.snapshot().unwrap();
    engine.spawn((Picture(made_later),));
    for _ in 0..2 {
        engine.restore(&snapshot).unwrap();
        let shown = engine.get::<Picture>(ship).unwrap();
        assert_eq!(&*shown.0, "kept", "the restored one is alive");
        engine.despawn(ship).unwrap();
        assert!(released[0].upgrade().is_some(), "the snapshot holds it");
    }
    drop(snapshot);
    // The engine keeps the copies of the last snapshot until the next one, to share what has not changed.
    drop(engine.snapshot().unwrap());
    assert!(released.iter().all(|picture| picture.upgrade().is_none()));
}

/// Each value has a number of its own, so that the books can be checked after any history.
#[test]
fn after_any_history_each_value_is_there_or_was_shown_once() {
    for seed in 0..40 {
        let mut random = seed * 7919 + 1;
        let mut draw = |below: u64| {
            random = u64::wrapping_mul(random, 6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        let mut engine = engine();
        let (mut all, mut given, mut taken) = (Vec::new(), 0, Vec::new());
        let mut new = || {
            given += 1;
            Handle(given)
        };
        for _ in 0..120 {
            let any = |draw: &mut dyn FnMut(u64) -> u64, all: &Vec<EntityId>| match all.len() {
                0 => EntityId::default(),
                len => all[draw(len as u64) as usize],
            };
            let entity = any(&mut draw, &all);
            match draw(12) {
                0 => all.push(engine.spawn((new(),))),
                1 => all.push(engine.spawn((new(), 1_u8))),
                2 => all.extend(engine.spawn_many([(2_u8, new()), (3_u8, new())])),
                3 => _ = engine.insert(entity, (new(), 4_u16)),
                4 => _ = engine.insert_many([(entity, (new(),)), (entity, (new(),))]),
                5 => _ = engine.remove::<Handle>(entity),
                6 => _ = engine.despawn(entity),
                7 => _ = engine.despawn_many([entity, any(&mut draw, &all), any(&mut draw, &all)]),
                8 => _ = engine.pool_mut::<Handle>().insert(entity, new()),
                9 => _ = engine.disable_component::<Handle>(entity),
                10 => taken.extend(engine.take::<Handle>(entity).ok().map(|handle| handle.0)),
                _ => {
                    let (one, other) = (new(), new());
                    // Fails if the entity is gone.
                    _ = engine.run(move |mut commands: Commands| {
                        commands.insert(entity, (one,));
                        commands.spawn_child(entity, (other,));
                        commands.despawn(entity);
                    });
                }
            }
        }
        let mut books: BTreeMap<u32, u32> = (1..=given).map(|number| (number, 0)).collect();
        let there = engine.components().pool::<Handle>().unwrap();
        let in_world: Vec<u32> = all.iter().filter_map(|entity| Some(there.get(*entity)?.0)).collect();
        let shown = seen(&mut engine);
        for number in in_world.into_iter().chain(shown).chain(taken) {
            *books.get_mut(&number).unwrap() += 1;
        }
        assert!(books.values().all(|times| *times == 1), "seed {seed}: {books:?}");
    }
}

/// An engine with hooks of two types that panic, beside that of handles.
fn broken_engine() -> Engine {
    let mut engine = engine();
    engine.on_remove(|_: Removal<Sound>| panic!("no sound card")).unwrap();
    engine.on_remove(|_: Removal<&str>| panic!("no text")).unwrap();
    engine
}

#[test]
fn two_hooks_that_panic_at_one_despawn_are_one_panic() {
    let mut engine = broken_engine();
    let entity = engine.spawn((Sound(1), "text", Handle(1)));
    assert!(panics(|| engine.despawn(entity)));
    assert_eq!(seen(&mut engine), [1]);
    let entity = engine.spawn((Handle(2), Sound(1)));
    engine.insert(entity, ("text",)).unwrap();
    assert!(panics(|| engine.despawn(entity)));
    assert_eq!(seen(&mut engine), [2]);
    assert!(engine.entities().is_empty());
}

#[test]
fn a_hook_that_panics_stops_no_change_of_many() {
    let mut engine = broken_engine();
    let all = engine.spawn_many((1..4).map(|n| (Sound(n), Handle(n))));
    assert!(panics(|| engine.remove_many::<Sound>(all.iter().copied())));
    assert_eq!(engine.query::<&Sound>().count(), 0);
    engine.insert_many(all.iter().map(|entity| (*entity, (Sound(9),)))).unwrap();
    assert!(panics(|| engine.despawn_many(all)));
    assert_eq!(seen(&mut engine), [1, 2, 3]);
    assert!(engine.entities().is_empty());
}

#[test]
fn a_hook_that_panics_hides_no_value_in_a_restore() {
    let mut engine = engine();
    engine.types_mut().leave_out_resource::<Seen>();
    engine.types_mut().component_by::<Sound>("sound", |it, hash| _ = hash.add(&it.0)).unwrap();
    engine.types_mut().component_by::<Handle>("handle", |it, hash| _ = hash.add(&it.0)).unwrap();
    let snapshot = engine.snapshot().unwrap();
    engine
        .on_remove(|it: Removal<Sound>| {
            it.resource_mut::<Seen>().unwrap().0.push(100 + it.value.0);
            panic!("no sound card");
        })
        .unwrap();
    engine.spawn_many((1..3).map(|n| (Sound(n), Handle(n))));
    assert!(panics(|| engine.restore(&snapshot)));
    let mut shown = seen(&mut engine);
    shown.sort_unstable();
    assert_eq!(shown, [1, 2, 101, 102]);
    assert!(engine.entities().is_empty());
}
