//! A pool that is borrowed for changes, against the same changes by calls to the engine.

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
    Switch(usize, bool),
    Enable(usize, bool),
    Despawn(usize),
    Neighbour(usize, bool),
}

fn change() -> impl Strategy<Value = Change> {
    let who = || 0..24_usize;
    prop_oneof![
        6 => (who(), any::<u32>()).prop_map(|(who, value)| Change::Insert(who, value)),
        4 => who().prop_map(Change::Remove),
        2 => (who(), any::<bool>()).prop_map(|(who, on)| Change::Switch(who, on)),
        2 => (who(), any::<bool>()).prop_map(|(who, on)| Change::Enable(who, on)),
        1 => who().prop_map(Change::Despawn),
        3 => (who(), any::<bool>()).prop_map(|(who, there)| Change::Neighbour(who, there)),
    ]
}

/// Writes down what it hears.
#[derive(Default)]
struct Ear(Vec<String>);

impl System for Ear {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_added).listen(Self::on_removed);
    }
}

impl Ear {
    fn on_added(&mut self, event: &Added<A>) {
        self.0.push(format!("added {}", event.entity));
    }

    fn on_removed(&mut self, event: &Removed<A>) {
        self.0.push(format!("{event:?}"));
    }
}

/// Meets sixty-four types, for which masks need no memory of their own.
fn meet_others(engine: &mut Engine) {
    macro_rules! meet {
        ($($length:literal)*) => { $(engine.pool_mut::<[u8; $length]>();)* };
    }
    meet!(
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36
        37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
    );
}

fn engine(is_late: bool, groups: usize, is_heard: bool) -> (Engine, Vec<EntityId>) {
    let mut engine = Engine::new();
    if is_late {
        meet_others(&mut engine);
    }
    if groups > 0 {
        engine.group::<(A, B)>().unwrap();
    }
    if groups > 1 {
        engine.group::<(C, B, A)>().unwrap();
    }
    if is_heard {
        engine.add(Ear::default()).unwrap();
    }
    let ids = (0..24).map(|n| if n % 2 == 0 { engine.spawn((B(n), C(n))) } else { engine.spawn((C(n),)) }).collect();
    (engine, ids)
}

/// Carries a change out; what came of it as a text. `in_pool` says by which way a component of type A comes and goes.
fn carry_out(engine: &mut Engine, ids: &[EntityId], change: &Change, in_pool: bool) -> String {
    match *change {
        Change::Insert(who, value) if in_pool => format!("{:?}", engine.pool_mut::<A>().insert(ids[who], A(value))),
        Change::Insert(who, value) => format!("{:?}", engine.insert(ids[who], (A(value),))),
        Change::Remove(who) if in_pool => format!("{:?}", engine.pool_mut::<A>().remove(ids[who])),
        Change::Remove(who) => {
            // By way of many, which is another way still; an entity is removed from once.
            format!("{:?}", engine.remove_many::<A>([ids[who]]))
        }
        Change::Switch(who, true) => format!("{:?}", engine.enable_component::<A>(ids[who]).is_ok()),
        Change::Switch(who, false) => format!("{:?}", engine.disable_component::<A>(ids[who]).is_ok()),
        Change::Enable(who, true) => format!("{:?}", engine.enable(ids[who])),
        Change::Enable(who, false) => format!("{:?}", engine.disable(ids[who])),
        Change::Despawn(who) => format!("{:?}", engine.despawn(ids[who])),
        Change::Neighbour(who, true) => format!("{:?}", engine.insert(ids[who], (B(0),))),
        Change::Neighbour(who, false) => format!("{:?}", engine.remove::<B>(ids[who]).is_ok()),
    }
}

/// All that can be seen: pools row by row, the groups, the masks.
fn picture(engine: &mut Engine, ids: &[EntityId]) -> String {
    let rows = |engine: &Engine| {
        let components = engine.components();
        let a = components.pool::<A>().map(|pool| (pool.len(), pool.owners().to_vec(), pool.values().to_vec()));
        let b = components.pool::<B>().map(|pool| (pool.len(), pool.owners().to_vec(), pool.values().to_vec()));
        let c = components.pool::<C>().map(|pool| (pool.len(), pool.owners().to_vec(), pool.values().to_vec()));
        let groups: Vec<_> = components.groups().map(|(_, len)| len).collect();
        format!("{a:?} {b:?} {c:?} {groups:?}")
    };
    let has: Vec<_> = ids.iter().map(|id| (engine.has::<A>(*id), engine.get::<A>(*id).copied())).collect();
    let both = engine.query::<(EntityId, &A, &B, &C)>().iter().map(|(id, ..)| id).collect::<Vec<_>>();
    format!("{} {has:?} {both:?}", rows(engine))
}

proptest! {
    #[test]
    fn pool_changes_what_the_engine_changes(
        changes in prop::collection::vec(change(), 1..150),
        is_late in any::<bool>(),
        groups in 0..3_usize,
        is_heard in any::<bool>(),
    ) {
        let (mut left, ids) = engine(is_late, groups, is_heard);
        let (mut right, same_ids) = engine(is_late, groups, is_heard);
        prop_assert_eq!(&ids, &same_ids);
        // Both have met the component, whichever way it comes first.
        left.pool_mut::<A>();
        right.pool_mut::<A>();
        for change in changes {
            let expected = carry_out(&mut right, &ids, &change, false);
            prop_assert_eq!(carry_out(&mut left, &ids, &change, true), expected, "{:?}", change);
            prop_assert_eq!(picture(&mut left, &ids), picture(&mut right, &ids), "{:?}", change);
        }
        if is_heard {
            left.update(Duration::from_millis(16)).unwrap();
            right.update(Duration::from_millis(16)).unwrap();
            prop_assert_eq!(&left.system::<Ear>().unwrap().0, &right.system::<Ear>().unwrap().0);
        }
    }
}

#[test]
fn pool_names_who_is_gone_and_who_has_none() {
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
