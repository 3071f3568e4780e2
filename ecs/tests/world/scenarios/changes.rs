//! Change detection: what counts as added and changed, for which method, and since when.

use std::time::Duration;

use ecs::prelude::*;
use ecs::query::{Mut, Ref};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Value(i32);
#[derive(Clone, Copy)]
struct Other(#[allow(dead_code)] i32);
struct Tag;

/// What the last update saw.
#[derive(Default)]
struct Watcher {
    changed: Vec<EntityId>,
    added: Vec<EntityId>,
}

impl System for Watcher {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::watch);
    }
}

impl Watcher {
    fn watch(&mut self, changed: Query<EntityId, Changed<Value>>, added: Query<EntityId, Added<Value>>) {
        self.changed = changed.iter().collect();
        self.added = added.iter().collect();
    }
}

fn frame(engine: &mut Engine) {
    engine.update(Duration::ZERO).unwrap();
}

/// What the watcher sees in the next frame.
fn changed(engine: &mut Engine) -> Vec<EntityId> {
    frame(engine);
    let mut changed = engine.system::<Watcher>().unwrap().changed.clone();
    changed.sort();
    changed
}

fn added(engine: &mut Engine) -> Vec<EntityId> {
    frame(engine);
    let mut added = engine.system::<Watcher>().unwrap().added.clone();
    added.sort();
    added
}

/// A watched world of four entities with a value, whose insertion was seen. The first two have `Other`, too.
fn watched() -> (Engine, [EntityId; 4]) {
    let mut engine = Engine::new();
    engine.add(Watcher::default()).unwrap();
    let ids = [0, 1, 2, 3].map(|n| engine.spawn((Value(n),)));
    ids[..2].iter().for_each(|id| engine.insert(*id, (Other(0),)).unwrap());
    frame(&mut engine);
    (engine, ids)
}

#[test]
fn first_run_sees_everything_and_later_ones_only_changes() {
    let mut engine = Engine::new();
    let early = engine.spawn((Value(0),));
    frame(&mut engine);
    engine.add(Watcher::default()).unwrap();
    let late = engine.spawn((Value(0),));
    frame(&mut engine);
    let watcher = engine.system::<Watcher>().unwrap();
    assert_eq!((&watcher.changed, &watcher.added), (&vec![early, late], &vec![early, late]));
    assert_eq!(changed(&mut engine), []);
    engine.get_mut::<Value>(late).unwrap().0 = 1;
    assert_eq!(changed(&mut engine), [late]);
    assert_eq!(changed(&mut engine), []);
}

#[test]
fn every_kind_of_insertion_counts_as_added() {
    let (mut engine, ids) = watched();
    let one = engine.spawn((Other(0), Value(0)));
    let many = engine.spawn_many((0..3).map(|n| (Value(n),)));
    let columns = engine.spawn_columns((vec![Value(0); 2], vec![Other(0); 2])).unwrap();
    let inserted = engine.spawn(());
    engine.insert(inserted, (Value(0),)).unwrap();
    let inserted_many: Vec<_> = (0..2).map(|_| engine.spawn(())).collect();
    engine.insert_many(inserted_many.iter().map(|id| (*id, (Value(0), Other(0))))).unwrap();
    let in_pool = engine.spawn(());
    engine.pool_mut::<Value>().insert(in_pool, Value(0)).unwrap();
    let expected = [vec![one], many, columns, vec![inserted], inserted_many, vec![in_pool]].concat();
    assert_eq!(added(&mut engine), expected);
    // A removed component that comes back was added; so was that of a new entity in an old slot.
    engine.remove::<Value>(ids[0]).unwrap();
    engine.insert(ids[0], (Value(0),)).unwrap();
    engine.despawn(ids[1]).unwrap();
    let recycled = engine.spawn((Value(0),));
    assert_eq!(added(&mut engine), [ids[0], recycled]);
    assert_eq!(added(&mut engine), []);
}

#[test]
fn commands_count_as_the_same_changes() {
    let (mut engine, ids) = watched();
    engine
        .run(|mut commands: Commands| {
            commands.insert(ids[0], (Value(9),));
            commands.spawn((Value(5),));
            commands.insert_many([(ids[2], (Value(7),))]);
        })
        .unwrap();
    assert_eq!(changed(&mut engine).len(), 3);
    let watcher = engine.system::<Watcher>().unwrap();
    assert!(watcher.added.len() == 1 && !ids.contains(&watcher.added[0]));
}

#[test]
fn replacing_a_value_changes_and_does_not_add() {
    let (mut engine, ids) = watched();
    engine.insert(ids[0], (Value(9),)).unwrap();
    engine.insert_many([(ids[1], (Value(9),))]).unwrap();
    engine.pool_mut::<Value>().insert(ids[2], Value(9)).unwrap();
    assert_eq!(changed(&mut engine), ids[..3]);
    assert_eq!(engine.system::<Watcher>().unwrap().added, []);
}

/// Every way to write to the values of the first two entities.
#[test]
fn every_kind_of_writing_counts_as_changed() {
    let ways: [fn(&mut Engine, [EntityId; 2]); 14] = [
        |engine, ids| ids.iter().for_each(|id| engine.get_mut::<Value>(*id).unwrap().0 += 1),
        |engine, ids| {
            let mut pool = engine.pool_mut::<Value>();
            ids.iter().for_each(|id| pool.get_mut(*id).unwrap().0 += 1);
        },
        |engine, _| {
            (&mut engine.query_filtered::<&mut Value, With<Other>>()).into_iter().for_each(|value| value.0 += 1)
        },
        |engine, _| {
            for (value, _) in &mut engine.query::<(&mut Value, &Other)>() {
                value.0 += 1;
            }
        },
        |engine, _| engine.query::<(&Other, &mut Value)>().par_for_each(|(_, value)| value.0 += 1),
        |engine, ids| ids.iter().for_each(|id| engine.query::<&mut Value>().get_mut(*id).unwrap().0 += 1),
        |engine, [a, b]| {
            let mut query = engine.query::<&mut Value>();
            let [a, b] = query.get_many_mut([a, b]).unwrap();
            std::mem::swap(a, b);
        },
        |engine, ids| {
            engine.insert(ids[0], (Tag,)).unwrap();
            engine.query_filtered::<&mut Value, With<Tag>>().single_mut().unwrap().0 += 1;
            engine.get_mut::<Value>(ids[1]).unwrap().0 += 1;
        },
        |engine, _| {
            for (_, value) in &mut engine.query::<(&Other, Option<&mut Value>)>() {
                value.unwrap().0 += 1;
            }
        },
        |engine, _| engine.run(|mut values: Query<(&mut Value, &Other)>| values.iter_mut().for_each(drop)).unwrap(),
        |engine, _| {
            engine.query_filtered::<Mut<Value>, With<Other>>().iter_mut().for_each(|mut value| value.0 += 1);
        },
        |engine, _| engine.query_filtered::<Mut<Value>, With<Other>>().par_for_each(|mut value| value.0 += 1),
        |engine, _| {
            let mut query = engine.query::<(&mut Value, &Other)>();
            query.slices_mut().flat_map(|(values, _)| values).for_each(|value| value.0 += 1);
        },
        |engine, _| {
            for (value, _) in &mut engine.query::<(&mut Value, &Other)>() {
                value.0 += 1;
            }
        },
    ];
    for (at, write) in ways.iter().enumerate() {
        let (mut engine, ids) = watched();
        write(&mut engine, [ids[0], ids[1]]);
        assert_eq!(changed(&mut engine), ids[..2], "way {at}");
        assert_eq!(engine.system::<Watcher>().unwrap().added, [], "way {at}");
        assert_eq!(changed(&mut engine), [], "way {at}");
    }
    let (mut engine, ids) = watched();
    engine.query::<&mut Value>().slices_mut().flatten().for_each(|value| value.0 = 1);
    assert_eq!(changed(&mut engine), ids);
}

#[test]
fn reading_changes_nothing() {
    let (mut engine, ids) = watched();
    let mut query = engine.query::<&mut Value>();
    assert_eq!(query.iter().count() + query.slices().flatten().count(), 8);
    assert!(query.contains(ids[0]) && query.get(ids[1]).is_some() && query.single().is_err());
    assert!(query.single_mut().is_err() && query.get_many_mut([ids[0], EntityId::default()]).is_err());
    assert!(engine.get::<Value>(ids[0]).is_some());
    engine.disable(ids[0]).unwrap();
    engine.enable(ids[0]).unwrap();
    assert_eq!(engine.query::<(EntityId, &mut Value, &Tag)>().iter_mut().count(), 0);
    assert_eq!(changed(&mut engine), []);
}

#[test]
fn only_handed_out_components_count_as_changed() {
    let (mut engine, ids) = watched();
    // The walk goes over the entities with `Other`, and ends early.
    let mut query = engine.query::<(&mut Value, &Other)>();
    query.iter_mut().next().unwrap().0.0 += 1;
    assert_eq!(changed(&mut engine), [ids[0]]);
    // The second entity lacks the tag, the third one's value is disabled.
    engine.insert(ids[0], (Tag,)).unwrap();
    engine.insert(ids[2], (Tag,)).unwrap();
    engine.disable_component::<Value>(ids[2]).unwrap();
    assert!(engine.query::<(&mut Value, &Tag)>().get_mut(ids[1]).is_none());
    for (_, value) in &mut engine.query::<(&Tag, Option<&mut Value>)>() {
        value.into_iter().for_each(|value| value.0 += 1);
    }
    assert_eq!(changed(&mut engine), [ids[0]]);
    engine.query_filtered::<&mut Value, IncludeDisabled>().slices_mut().for_each(drop);
    engine.enable_component::<Value>(ids[2]).unwrap();
    assert_eq!(changed(&mut engine), ids);
}

#[test]
fn mut_counts_only_what_is_written() {
    let (mut engine, ids) = watched();
    let mut query = engine.query::<(EntityId, Mut<Value>)>();
    for (id, mut value) in &mut query {
        assert!(!value.is_added());
        if id == ids[1] {
            value.0 += 10;
        } else if id == ids[2] {
            value.bypass_change_detection().0 += 10;
        } else {
            assert!(!value.set_if_neq(Value(value.0)));
        }
    }
    assert_eq!(changed(&mut engine), [ids[1]]);
    assert_eq!([ids[1], ids[2]].map(|id| engine.get::<Value>(id).unwrap().0), [11, 12]);
    let mut query = engine.query::<Mut<Value>>();
    let mut value = query.get_mut(ids[3]).unwrap();
    assert!(!value.is_changed() && value.set_if_neq(Value(99)) && value.is_changed());
    assert_eq!(changed(&mut engine), [ids[3]]);
}

#[test]
fn ref_tells_for_each_component() {
    let (mut engine, ids) = watched();
    engine.get_mut::<Value>(ids[0]).unwrap().0 = 7;
    let new = engine.spawn((Value(8),));
    let seen = |engine: &mut Engine| -> Vec<_> {
        let query = engine.read::<(EntityId, Ref<Value>)>();
        let mut all = Vec::new();
        query.iter().for_each(|(id, value)| all.push((id, value.0, value.is_changed(), value.is_added())));
        all.into_iter()
            .filter(|(.., is_changed, _)| *is_changed)
            .map(|(id, value, _, added)| (id, value, added))
            .collect()
    };
    assert_eq!(seen(&mut engine), [(ids[0], 7, false), (new, 8, true)]);
    frame(&mut engine);
    assert_eq!(seen(&mut engine), []);
    assert_eq!(engine.query::<Mut<Value>>().iter().filter(|value| value.is_changed()).count(), 0);
}

/// Adds one to each changed value that is not negative.
#[derive(Default)]
struct Increment {
    visited: usize,
}

impl System for Increment {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::increment);
    }
}

impl Increment {
    fn increment(&mut self, mut values: Query<&mut Value, Changed<Value>>) {
        self.visited = 0;
        for value in &mut values {
            value.0 += 1;
            self.visited += 1;
        }
    }
}

#[test]
fn method_does_not_see_what_it_wrote_itself() {
    let mut engine = Engine::new();
    engine.add(Increment::default()).unwrap();
    let id = engine.spawn((Value(0),));
    for _ in 0..3 {
        frame(&mut engine);
        assert_eq!(engine.get(id), Some(&Value(1)));
    }
    engine.get_mut::<Value>(id).unwrap().0 = 5;
    (0..3).for_each(|_| frame(&mut engine));
    assert_eq!(engine.get(id), Some(&Value(6)));
}

/// Writes the value of one entity in each frame.
struct Writer {
    to: EntityId,
}

impl System for Writer {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::write);
    }
}

impl Writer {
    fn write(&mut self, mut values: Query<&mut Value>) {
        values.get_mut(self.to).unwrap().0 += 1;
    }
}

#[test]
fn later_reader_sees_a_change_in_the_same_frame_and_an_earlier_one_in_the_next() {
    for threads in [1, 2, 4] {
        let mut engine = Engine::builder().threads(threads).parallel_threshold(0).build();
        let id = engine.spawn((Value(0),));
        engine.spawn((Value(0),));
        engine.add(Increment::default()).unwrap().add(Writer { to: id }).unwrap().add(Watcher::default()).unwrap();
        frame(&mut engine);
        for _ in 0..3 {
            assert_eq!(changed(&mut engine), [id]);
            assert_eq!(engine.system::<Increment>().unwrap().visited, 1);
        }
    }
}

/// Two methods of one phase that see each other's changes.
#[derive(Default)]
struct TwoMethods {
    first: Vec<usize>,
    second: Vec<usize>,
}

impl System for TwoMethods {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::first).update(Self::second);
    }
}

impl TwoMethods {
    fn first(&mut self, mut values: Query<&mut Value, Changed<Value>>) {
        self.first.push(values.iter_mut().count());
    }

    fn second(&mut self, mut values: Query<&mut Value, Changed<Value>>) {
        self.second.push(values.iter_mut().count());
    }
}

#[test]
fn methods_of_one_system_see_each_others_changes() {
    let mut engine = Engine::new();
    engine.add(TwoMethods::default()).unwrap();
    engine.spawn_many((0..3).map(|n| (Value(n),)));
    (0..3).for_each(|_| frame(&mut engine));
    let both = engine.system::<TwoMethods>().unwrap();
    assert_eq!((&both.first, &both.second), (&vec![3, 3, 3], &vec![3, 3, 3]));
}

#[derive(Clone, Copy)]
struct Asked;
#[derive(Clone, Copy)]
struct Write(EntityId);

/// Counts the changed values at each question.
#[derive(Default)]
struct Answers {
    seen: Vec<usize>,
}

impl System for Answers {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_asked).listen(Self::on_write);
    }
}

impl Answers {
    fn on_asked(&mut self, _: &Asked, values: Query<&Value, Changed<Value>>) {
        self.seen.push(values.count());
    }

    fn on_write(&mut self, write: &Write, mut values: Query<&mut Value>) {
        values.get_mut(write.0).unwrap().0 += 1;
    }
}

#[test]
fn each_call_of_a_listener_is_a_run() {
    let mut engine = Engine::new();
    engine.add(Answers::default()).unwrap();
    let ids = engine.spawn_many((0..3).map(|n| (Value(n),)));
    for event in [None, None, Some(0), Some(1), None, None, Some(2), None] {
        match event {
            None => engine.send(Asked),
            Some(at) => engine.send(Write(ids[at])),
        }
    }
    frame(&mut engine);
    assert_eq!(engine.system::<Answers>().unwrap().seen, [3, 0, 2, 0, 1]);
}

/// An exclusive system.
struct Exclusive;

impl System for Exclusive {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .update_exclusive(|_, world| world.query::<&mut Value>().iter_mut().take(2).for_each(|value| value.0 += 1));
    }
}

#[test]
fn changes_of_exclusive_methods_and_functions_are_seen_once() {
    for threads in [1, 2] {
        let mut engine = Engine::builder().threads(threads).parallel_threshold(0).build();
        let ids = engine.spawn_many((0..4).map(|n| (Value(n),)));
        engine.add(Exclusive).unwrap().add(Watcher::default()).unwrap();
        frame(&mut engine);
        assert_eq!(changed(&mut engine), ids[..2]);
        engine.disable_system::<Exclusive>().unwrap();
        assert_eq!(changed(&mut engine), []);
        let last = ids[3];
        engine
            .after(Duration::ZERO, move |mut values: Query<&mut Value>| values.get_mut(last).unwrap().0 += 1)
            .unwrap();
        // The function runs after the watcher.
        assert_eq!(changed(&mut engine), []);
        assert_eq!(changed(&mut engine), [last]);
        assert_eq!(changed(&mut engine), []);
    }
}

#[test]
fn outside_of_systems_changes_since_the_begin_of_the_last_frame_count() {
    let (mut engine, ids) = watched();
    let seen = |engine: &mut Engine| engine.query_filtered::<EntityId, Changed<Value>>().iter().collect::<Vec<_>>();
    engine.get_mut::<Value>(ids[0]).unwrap().0 = 1;
    frame(&mut engine);
    assert_eq!(seen(&mut engine), []);
    engine.add(Writer { to: ids[1] }).unwrap();
    frame(&mut engine);
    engine.get_mut::<Value>(ids[2]).unwrap().0 = 1;
    assert_eq!(seen(&mut engine), [ids[1], ids[2]]);
    let count = |values: Query<&Value, Changed<Value>>| values.count();
    assert_eq!((engine.run(count).unwrap(), engine.run(count).unwrap()), (2, 2));
    assert_eq!(engine.read_filtered::<&Value, Changed<Value>>().count(), 2);
}

#[test]
fn everything_counts_as_changed_where_nothing_was_tracked() {
    let mut engine = Engine::new();
    engine.spawn((Value(0),));
    frame(&mut engine);
    assert_eq!(engine.read_filtered::<&Value, Changed<Value>>().count(), 1);
    assert_eq!(engine.query_filtered::<&Value, Added<Value>>().count(), 1);
    frame(&mut engine);
    assert_eq!(engine.query_filtered::<&Value, Added<Value>>().count(), 0);
    assert_eq!(engine.read_filtered::<&Value, Changed<Value>>().count(), 0);
    assert_eq!(engine.query_filtered::<&Other, Changed<Other>>().count(), 0);
}

#[test]
fn filters_combine_with_others_and_with_every_order_of_rows() {
    let (mut engine, ids) = watched();
    engine.get_mut::<Value>(ids[1]).unwrap().0 = 1;
    engine.get_mut::<Value>(ids[2]).unwrap().0 = 1;
    engine.insert(ids[0], (Other(1),)).unwrap();
    fn seen<F: ecs::query::QueryFilter + 'static>(engine: &mut Engine) -> Vec<EntityId> {
        let mut query = engine.query_filtered::<(EntityId, &Value), F>();
        let one_by_one: Vec<_> = query.iter().map(|(id, _)| id).collect();
        let mut folded = Vec::new();
        query.iter_mut().for_each(|(id, _)| folded.push(id));
        assert_eq!(one_by_one, folded);
        assert_eq!(query.slices().map(|(ids, _)| ids.len()).sum::<usize>(), folded.len());
        folded
    }
    // Change detection of `Other` began before the last frame.
    engine.query::<Ref<Other>>();
    frame(&mut engine);
    engine.get_mut::<Value>(ids[1]).unwrap().0 = 1;
    engine.get_mut::<Value>(ids[2]).unwrap().0 = 1;
    engine.get_mut::<Other>(ids[0]).unwrap().0 = 1;
    assert_eq!(seen::<Changed<Value>>(&mut engine), [ids[1], ids[2]]);
    assert_eq!(seen::<(Changed<Value>, With<Other>)>(&mut engine), [ids[1]]);
    assert_eq!(seen::<(Changed<Value>, Without<Other>)>(&mut engine), [ids[2]]);
    assert_eq!(seen::<Changed<Other>>(&mut engine), [ids[0]]);
    assert_eq!(seen::<(Changed<Other>, Changed<Value>)>(&mut engine), []);
    assert_eq!(seen::<(Changed<Value>, IncludeDisabled)>(&mut engine), [ids[1], ids[2]]);
    engine.disable(ids[1]).unwrap();
    assert_eq!(seen::<Changed<Value>>(&mut engine), [ids[2]]);
    assert_eq!(seen::<(Changed<Value>, IncludeDisabled)>(&mut engine).len(), 2);
}

/// A method may write values and ask for their changes in another parameter, in any order.
struct WritesAndAsks;

impl System for WritesAndAsks {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::ask_first).post_update(Self::write_first);
    }
}

impl WritesAndAsks {
    fn ask_first(&mut self, changed: Query<EntityId, Changed<Value>>, mut values: Query<&mut Value>) {
        changed.iter().for_each(|id| values.get_mut(id).unwrap().0 += 1);
    }

    fn write_first(&mut self, mut values: Query<&mut Value, With<Tag>>, changed: Query<EntityId, Changed<Value>>) {
        values.iter_mut().for_each(|value| value.0 = 100);
        assert_eq!(changed.count(), 1);
    }
}

#[test]
fn method_may_write_what_it_asks_for() {
    let mut engine = Engine::new();
    engine.add(WritesAndAsks).unwrap();
    let id = engine.spawn((Value(0), Tag));
    frame(&mut engine);
    assert_eq!(engine.get(id), Some(&Value(100)));
}

#[test]
fn conflicts_of_systems_include_what_they_observe() {
    let mut engine = Engine::builder().threads(2).build();
    let to = engine.spawn((Value(0),));
    engine.add(Writer { to }).unwrap().add(Watcher::default()).unwrap();
    frame(&mut engine);
    assert!(engine.explain().unwrap().to_string().contains("component Value"), "{}", engine.explain().unwrap());
}

/// A system whose condition asks for changes.
struct Conditional;

impl System for Conditional {
    fn setup(setup: &mut Setup<Self>) {
        setup.run_if(|changed: Query<&Value, Changed<Value>>| !changed.is_empty());
    }
}

#[test]
fn condition_that_asks_for_changes_is_refused() {
    let error = Engine::new().add(Conditional).map(drop).unwrap_err().to_string();
    assert!(error.contains("has no last run"), "{error}");
}

#[test]
fn memory_report_includes_ticks() {
    let mut engine = Engine::new();
    let ids = engine.spawn_many((0..1_000).map(|n| (Value(n),)));
    let before = engine.memory().pools[0].index_bytes_held;
    engine.query::<Ref<Value>>();
    let tracked = engine.memory().pools[0].index_bytes_held;
    assert!(tracked >= before + 16_000, "{before} and {tracked}");
    engine.despawn_many(ids).unwrap();
    engine.shrink();
    assert!(engine.memory().pools[0].index_bytes_held <= before, "only which kinds have the component is left");
    let id = engine.spawn((Value(0),));
    engine.get_mut::<Value>(id).unwrap().0 = 1;
}

#[test]
fn optional_part_that_an_entity_lacks_marks_nothing() {
    let (mut engine, ids) = watched();
    assert_eq!(changed(&mut engine), []);
    engine.query::<(EntityId, Option<(&mut Value, &Other)>)>().iter_mut().for_each(drop);
    assert_eq!(changed(&mut engine), ids[..2]);
    for _ in &mut engine.query::<(&mut Other, Option<(&mut Value, &Tag)>)>() {}
    assert_eq!(changed(&mut engine), []);
}

#[test]
fn what_happens_to_disabled_components_is_seen_once_they_are_enabled() {
    type Switch = fn(&mut Engine, EntityId);
    let component: [Switch; 2] = [
        |engine, id| engine.disable_component::<Value>(id).unwrap(),
        |engine, id| engine.enable_component::<Value>(id).unwrap(),
    ];
    let entity: [Switch; 2] = [|engine, id| engine.disable(id).unwrap(), |engine, id| engine.enable(id).unwrap()];
    type Change = fn(&mut Engine, EntityId);
    let written: [Change; 4] = [
        |engine, id| engine.get_mut::<Value>(id).unwrap().0 += 1,
        |engine, id| engine.insert(id, (Value(9),)).unwrap(),
        |engine, id| engine.pool_mut::<Value>().get_mut(id).unwrap().0 += 1,
        |engine, id| engine.query_filtered::<&mut Value, IncludeDisabled>().get_mut(id).unwrap().0 += 1,
    ];
    for [disable, enable] in [component, entity] {
        for change in written {
            let (mut engine, ids) = watched();
            disable(&mut engine, ids[1]);
            assert_eq!(changed(&mut engine), []);
            change(&mut engine, ids[1]);
            assert_eq!(changed(&mut engine), []);
            enable(&mut engine, ids[1]);
            assert_eq!(changed(&mut engine), [ids[1]]);
            assert_eq!(engine.system::<Watcher>().unwrap().added, [], "it was there before");
            assert_eq!(changed(&mut engine), [], "once");
        }
        // Without a change there is none to be seen.
        let (mut engine, ids) = watched();
        disable(&mut engine, ids[1]);
        assert_eq!(changed(&mut engine), []);
        enable(&mut engine, ids[1]);
        assert_eq!(changed(&mut engine), []);
        // A change right before it was disabled, which nothing has seen.
        frame(&mut engine);
        engine.get_mut::<Value>(ids[2]).unwrap().0 += 1;
        disable(&mut engine, ids[2]);
        assert_eq!(changed(&mut engine), []);
        enable(&mut engine, ids[2]);
        assert_eq!(changed(&mut engine), [ids[2]]);
    }
}

#[test]
fn component_that_is_added_to_a_disabled_entity_is_seen_once_that_is_enabled() {
    let (mut engine, _) = watched();
    let (late, early) = (engine.spawn(()), engine.spawn((Value(0),)));
    engine.disable(late).unwrap();
    engine.disable(early).unwrap();
    engine.insert(late, (Value(0),)).unwrap();
    assert_eq!(added(&mut engine), []);
    engine.enable(late).unwrap();
    engine.enable(early).unwrap();
    assert_eq!(added(&mut engine), [late, early]);
    assert_eq!(added(&mut engine), []);
    engine.disable(late).unwrap();
    frame(&mut engine);
    engine.enable(late).unwrap();
    assert_eq!(added(&mut engine), [], "it was seen");
}

#[test]
fn query_that_includes_disabled_components_sees_their_changes_at_once() {
    let (mut engine, ids) = watched();
    frame(&mut engine);
    engine.disable_component::<Value>(ids[0]).unwrap();
    let seen = |engine: &mut Engine| {
        engine.query_filtered::<EntityId, (Changed<Value>, IncludeDisabled)>().iter().collect::<Vec<_>>()
    };
    assert_eq!(seen(&mut engine), []);
    engine.get_mut::<Value>(ids[0]).unwrap().0 += 1;
    assert_eq!(seen(&mut engine), [ids[0]]);
    assert!(!engine.query_filtered::<Ref<Value>, IncludeDisabled>().get(ids[1]).unwrap().is_changed());
}

#[test]
fn events_of_disabled_entities_do_not_wait() {
    let (mut engine, ids) = watched();
    engine.insert_resource(0_u32);
    engine.disable(ids[0]).unwrap();
    engine.listen(|_: &Added<Other>, mut heard: ResMut<u32>| *heard += 1).unwrap();
    engine.observe(ids[0], |_: &Added<Tag>, mut heard: ResMut<u32>| *heard += 10).unwrap();
    engine.remove::<Other>(ids[0]).unwrap();
    engine.insert(ids[0], (Other(1), Tag)).unwrap();
    frame(&mut engine);
    assert_eq!(*engine.resource::<u32>().unwrap(), 11);
    engine.enable(ids[0]).unwrap();
    frame(&mut engine);
    assert_eq!(*engine.resource::<u32>().unwrap(), 11);
}
