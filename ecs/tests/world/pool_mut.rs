//! A borrowed pool (`PoolMut`) compared with the same changes by calls to the engine.

use std::time::Duration;

use ecs::{Added, CommandFailure, Engine, EntityId, NoSuchEntity, Removed, Setup, System};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq)]
struct A(u32);
#[derive(Clone, Copy, Debug, PartialEq)]
struct B(u32);
#[derive(Clone, Copy, Debug, PartialEq)]
struct C(u32);

#[derive(Clone, Debug)]
enum Change {
    Insert(usize, u32),
    Remove(usize),
    Toggle(usize, bool),
    Enable(usize, bool),
    Despawn(usize),
    Neighbour(usize, bool),
}

fn change() -> impl Strategy<Value = Change> {
    let target = || 0..24_usize;
    prop_oneof![
        6 => (target(), any::<u32>()).prop_map(|(target, value)| Change::Insert(target, value)),
        4 => target().prop_map(Change::Remove),
        2 => (target(), any::<bool>()).prop_map(|(target, on)| Change::Toggle(target, on)),
        2 => (target(), any::<bool>()).prop_map(|(target, on)| Change::Enable(target, on)),
        1 => target().prop_map(Change::Despawn),
        3 => (target(), any::<bool>()).prop_map(|(target, there)| Change::Neighbour(target, there)),
    ]
}

/// Logs the events that it receives.
#[derive(Default)]
struct Listener(Vec<String>);

impl System for Listener {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_added).listen(Self::on_removed);
    }
}

impl Listener {
    fn on_added(&mut self, event: &Added<A>) {
        self.0.push(format!("added {}", event.entity));
    }

    fn on_removed(&mut self, event: &Removed<A>) {
        self.0.push(format!("{event:?}"));
    }
}

/// Registers sixty-four types; their masks need no heap memory.
fn register_others(engine: &mut Engine) {
    macro_rules! register {
        ($($length:literal)*) => { $(engine.pool_mut::<[u8; $length]>();)* };
    }
    register!(
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36
        37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
    );
}

fn engine(is_late: bool, has_listener: bool) -> (Engine, Vec<EntityId>) {
    let mut engine = Engine::new();
    if is_late {
        register_others(&mut engine);
    }
    if has_listener {
        engine.add(Listener::default()).unwrap();
    }
    let ids = (0..24).map(|n| if n % 2 == 0 { engine.spawn((B(n), C(n))) } else { engine.spawn((C(n),)) }).collect();
    (engine, ids)
}

/// Makes a change and returns the result as text. With `in_pool`, components of type A are inserted and removed through
/// the pool.
fn apply(engine: &mut Engine, ids: &[EntityId], change: &Change, in_pool: bool) -> String {
    match *change {
        Change::Insert(target, value) if in_pool => {
            format!("{:?}", engine.pool_mut::<A>().insert(ids[target], A(value)))
        }
        Change::Insert(target, value) => format!("{:?}", engine.insert(ids[target], (A(value),))),
        Change::Remove(target) if in_pool => format!("{:?}", engine.pool_mut::<A>().remove(ids[target])),
        Change::Remove(target) => {
            // In bulk, which is a third path; each entity occurs once.
            format!("{:?}", engine.remove_many::<A>([ids[target]]))
        }
        Change::Toggle(target, true) => format!("{:?}", engine.enable_component::<A>(ids[target]).is_ok()),
        Change::Toggle(target, false) => format!("{:?}", engine.disable_component::<A>(ids[target]).is_ok()),
        Change::Enable(target, true) => format!("{:?}", engine.enable(ids[target])),
        Change::Enable(target, false) => format!("{:?}", engine.disable(ids[target])),
        Change::Despawn(target) => format!("{:?}", engine.despawn(ids[target])),
        Change::Neighbour(target, true) => format!("{:?}", engine.insert(ids[target], (B(0),))),
        Change::Neighbour(target, false) => format!("{:?}", engine.remove::<B>(ids[target]).is_ok()),
    }
}

/// All visible state: pools row by row, the masks.
fn dump(engine: &mut Engine, ids: &[EntityId]) -> String {
    let rows = |engine: &Engine| {
        let components = engine.components();
        let a = components
            .pool::<A>()
            .map(|pool| (pool.len(), pool.iter().map(|(owner, value)| (owner, *value)).collect::<Vec<_>>()));
        let b = components
            .pool::<B>()
            .map(|pool| (pool.len(), pool.iter().map(|(owner, value)| (owner, *value)).collect::<Vec<_>>()));
        let c = components
            .pool::<C>()
            .map(|pool| (pool.len(), pool.iter().map(|(owner, value)| (owner, *value)).collect::<Vec<_>>()));
        format!("{a:?} {b:?} {c:?}")
    };
    let has: Vec<_> = ids.iter().map(|id| (engine.has::<A>(*id), engine.get::<A>(*id).copied())).collect();
    let both = engine.query::<(EntityId, &A, &B, &C)>().iter().map(|(id, ..)| id).collect::<Vec<_>>();
    format!("{} {has:?} {both:?}", rows(engine))
}

proptest! {
    #[test]
    fn pool_mut_equals_calls_to_the_engine(
        changes in prop::collection::vec(change(), 1..150),
        is_late in any::<bool>(),
        has_listener in any::<bool>(),
    ) {
        let (mut left, ids) = engine(is_late, has_listener);
        let (mut right, same_ids) = engine(is_late, has_listener);
        prop_assert_eq!(&ids, &same_ids);
        // Both engines register the component, on either path.
        left.pool_mut::<A>();
        right.pool_mut::<A>();
        for change in changes {
            let expected = apply(&mut right, &ids, &change, false);
            prop_assert_eq!(apply(&mut left, &ids, &change, true), expected, "{:?}", change);
            prop_assert_eq!(dump(&mut left, &ids), dump(&mut right, &ids), "{:?}", change);
        }
        if has_listener {
            left.update(Duration::from_millis(16)).unwrap();
            right.update(Duration::from_millis(16)).unwrap();
            prop_assert_eq!(&left.system::<Listener>().unwrap().0, &right.system::<Listener>().unwrap().0);
        }
    }
}

#[test]
fn pool_mut_reports_despawned_entities_and_missing_components() {
    let mut engine = Engine::new();
    let (gone, bare) = (engine.spawn(()), engine.spawn(()));
    engine.despawn(gone).unwrap();
    let mut pool = engine.pool_mut::<A>();
    assert_eq!(pool.insert(gone, A(1)), Err(NoSuchEntity { entity: gone }));
    assert_eq!(pool.remove(gone), Err(CommandFailure::NoSuchEntity(NoSuchEntity { entity: gone })));
    assert_eq!(pool.remove(bare), Err(CommandFailure::NoSuchComponent { entity: bare, component: "A" }));
    assert!(pool.is_empty());
    pool.insert(bare, A(2)).unwrap();
    pool.get_mut(bare).unwrap().0 += 1;
    assert_eq!((pool.get(bare), pool.get(gone), pool.len()), (Some(&A(3)), None, 1));
}
