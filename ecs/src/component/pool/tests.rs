//! The pool against a naive model: random operations on both, everything visible compared after each.

use std::collections::BTreeMap;

use proptest::prelude::*;
use slotmap::SlotMap;

use super::*;

#[derive(Clone, Debug)]
enum Operation {
    Spawn,
    Despawn(usize),
    Insert(usize, i32),
    Remove(usize),
    Switch(usize, bool),
    EnableEntity(usize, bool),
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        Just(Operation::Spawn),
        any::<usize>().prop_map(Operation::Despawn),
        (any::<usize>(), any::<i32>()).prop_map(|(at, value)| Operation::Insert(at, value)),
        any::<usize>().prop_map(Operation::Remove),
        (any::<usize>(), any::<bool>()).prop_map(|(at, on)| Operation::Switch(at, on)),
        (any::<usize>(), any::<bool>()).prop_map(|(at, on)| Operation::EnableEntity(at, on)),
    ]
}

#[derive(Clone, Copy)]
struct Model {
    value: i32,
    on: bool,
}

proptest! {
    #[test]
    fn pool_behaves_like_a_map(operations in prop::collection::vec(operation(), 1..300)) {
        let mut ids = SlotMap::<EntityId, ()>::with_key();
        let mut everybody = Vec::new();
        let mut entity_on = BTreeMap::new();
        let mut pool = Pool::of::<i32>();
        let mut model = BTreeMap::<EntityId, Model>::new();
        for operation in operations {
            let pick = |at: usize| (!everybody.is_empty()).then(|| everybody[at % everybody.len()]);
            match operation {
                Operation::Spawn => {
                    let id = ids.insert(());
                    everybody.push(id);
                    entity_on.insert(id, true);
                }
                Operation::Despawn(at) => if let Some(id) = pick(at) {
                    ids.remove(id);
                    prop_assert_eq!(pool.get_mut::<i32>(id, &mut 0).copied(), model.remove(&id).map(|m| m.value));
                    pool.remove(id, None);
                }
                Operation::Insert(at, value) => if let Some(id) = pick(at).filter(|id| ids.contains_key(*id)) {
                    let old = pool.typed().insert(id, value, entity_on[&id]);
                    prop_assert_eq!(old, model.get(&id).map(|m| m.value));
                    model.entry(id).and_modify(|m| m.value = value).or_insert(Model { value, on: true });
                }
                Operation::Remove(at) => if let Some(id) = pick(at) {
                    prop_assert_eq!(pool.get_mut::<i32>(id, &mut 0).copied(), model.remove(&id).map(|m| m.value));
                    pool.remove(id, None);
                }
                Operation::Switch(at, on) => if let Some(id) = pick(at) {
                    let had = pool.typed::<i32>().switch(id, on, entity_on[&id]);
                    prop_assert_eq!(had, model.contains_key(&id));
                    if let Some(m) = model.get_mut(&id) { m.on = on; }
                }
                Operation::EnableEntity(at, on) => if let Some(id) = pick(at) {
                    entity_on.insert(id, on);
                    pool.follow_entity(id, on);
                }
            }
            for &id in &everybody {
                let expected = model.get(&id);
                prop_assert_eq!(PoolRef::<i32>::new(&pool).unwrap().get(id).copied(), expected.map(|m| m.value));
                prop_assert_eq!(PoolRef::<i32>::new(&pool).unwrap().is_enabled(id), expected.map(|m| m.on && entity_on[&id]));
            }
            let pool = PoolRef::<i32>::new(&pool).unwrap();
            prop_assert_eq!(pool.len(), model.len());
            let mut enabled: Vec<_> = pool.owners().iter().copied().zip(pool.values().iter().copied()).collect();
            enabled.sort();
            let expected: Vec<_> = model.iter().filter(|(id, m)| m.on && entity_on[id]).map(|(id, m)| (*id, m.value)).collect();
            prop_assert_eq!(enabled, expected);
        }
    }
}

#[test]
fn tags_take_no_value_storage() {
    let mut ids = SlotMap::<EntityId, ()>::with_key();
    let mut pool = Pool::of::<()>();
    for _ in 0..100 {
        pool.typed().insert(ids.insert(()), (), true);
    }
    let pool = PoolRef::<()>::new(&pool).unwrap();
    assert_eq!(size_of_val(pool.values()), 0);
    assert_eq!(pool.values().len(), 100);
}

#[test]
fn removing_drops_exactly_once() {
    let mut ids = SlotMap::<EntityId, ()>::with_key();
    let token = std::sync::Arc::new(());
    let mut pool = Pool::of::<std::sync::Arc<()>>();
    let entities: Vec<_> = (0..10).map(|_| ids.insert(())).collect();
    for &entity in &entities {
        pool.typed().insert(entity, token.clone(), true);
    }
    pool.follow_entity(entities[3], false);
    pool.remove(entities[3], None);
    pool.remove(entities[0], None);
    assert_eq!(std::sync::Arc::strong_count(&token), 9);
    drop(pool);
    assert_eq!(std::sync::Arc::strong_count(&token), 1);
}
