//! Unchanged parts are shared between snapshots, not copied; the tests count clones of values.

use std::cell::Cell;
use std::sync::Arc;

use ecs::{Engine, Query, Setup, Snapshot, System};

use super::world::FRAME;

thread_local! {
    static CLONES: Cell<u32> = const { Cell::new(0) };
}

#[derive(Debug)]
struct Counted(u32);

impl Clone for Counted {
    fn clone(&self) -> Self {
        CLONES.set(CLONES.get() + 1);
        Self(self.0)
    }
}

#[derive(Clone)]
struct Still;

impl System for Still {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self, counted: Query<&Counted>| assert!(counted.iter().count() < 100));
    }
}

fn clones(act: impl FnOnce()) -> u32 {
    let before = CLONES.get();
    act();
    CLONES.get() - before
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    let types = engine.types_mut();
    types.component_by("counted", |counted: &Counted, hash| _ = hash.add(&counted.0)).unwrap();
    types.resource_by("resource", |counted: &Counted, hash| _ = hash.add(&counted.0)).unwrap();
    engine.insert_resource(Counted(0));
    engine.spawn_many((0..9).map(|n| (Counted(n),)));
    engine.add(Still).unwrap();
    engine
}

#[test]
fn unchanged_values_are_shared_between_snapshots() {
    let mut engine = engine();
    let mut ring: Vec<Snapshot> = (0..3).map(|_| Snapshot::new()).collect();
    assert_eq!(clones(|| engine.snapshot_into(&mut ring[0]).unwrap()), 10);
    for frame in 1..9 {
        engine.update(FRAME).unwrap();
        assert_eq!(clones(|| engine.snapshot_into(&mut ring[frame % 3]).unwrap()), 0);
        assert_eq!(clones(|| engine.restore(&ring[frame % 3]).unwrap()), 0);
    }
    engine.query::<&mut Counted>();
    assert_eq!(clones(|| engine.snapshot_into(&mut ring[0]).unwrap()), 9);
    engine.resource_mut::<Counted>().unwrap().0 = 7;
    assert_eq!(clones(|| engine.snapshot_into(&mut ring[1]).unwrap()), 1);
    assert_eq!(clones(|| engine.restore(&ring[0]).unwrap()), 1);
    assert_eq!(engine.resource::<Counted>().unwrap().0, 0);
}

#[test]
fn shared_values_are_not_overwritten() {
    let mut engine = engine();
    let entity = engine.spawn((Counted(50),));
    let first = engine.snapshot().unwrap();
    let mut second = engine.snapshot().unwrap();
    engine.get_mut::<Counted>(entity).unwrap().0 = 51;
    engine.snapshot_into(&mut second).unwrap();
    engine.restore(&first).unwrap();
    assert_eq!(engine.get::<Counted>(entity).unwrap().0, 50);
    engine.restore(&second).unwrap();
    assert_eq!(engine.get::<Counted>(entity).unwrap().0, 51);
}

#[test]
fn snapshot_can_be_reused_by_another_engine() {
    let (mut one, mut two) = (engine(), engine());
    let mut snapshot = one.snapshot().unwrap();
    two.restore(&snapshot).unwrap();
    let entity = two.spawn((Counted(1),));
    two.snapshot_into(&mut snapshot).unwrap();
    one.restore(&snapshot).unwrap();
    assert!(one.has::<Counted>(entity));
}

#[test]
fn toggling_without_moving_a_row_is_a_change() {
    let mut engine = engine();
    let entity = engine.spawn((Counted(1),));
    engine.disable(entity).unwrap();
    let on = engine.snapshot().unwrap();
    // The component is the first disabled one, so nothing moves.
    engine.disable_component::<Counted>(entity).unwrap();
    let off = engine.snapshot().unwrap();
    for (snapshot, is_enabled) in [(&on, true), (&off, false), (&on, true)] {
        engine.restore(snapshot).unwrap();
        engine.enable(entity).unwrap();
        assert_eq!(engine.components().pool::<Counted>().unwrap().is_enabled(entity), Some(is_enabled));
    }
}

/// All copies share one counter.
#[derive(Clone)]
struct Held(Arc<()>);

#[test]
fn two_engines_alternating_on_one_ring_keep_a_bounded_number_of_copies() {
    let held = Arc::new(());
    let make = |held: &Arc<()>| {
        let mut engine = Engine::new();
        engine.types_mut().resource_by("held", |_: &Held, _| {}).unwrap();
        engine.insert_resource(Held(held.clone()));
        engine
    };
    let (mut busy, mut still) = (make(&held), make(&held));
    let (mut ring, _of_still) = ([Snapshot::new(), Snapshot::new()], still.snapshot().unwrap());
    for _ in 0..100 {
        for snapshot in &mut ring {
            assert!(Arc::ptr_eq(&busy.resource_mut::<Held>().unwrap().0, &held));
            busy.snapshot_into(snapshot).unwrap();
        }
        ring.iter_mut().for_each(|snapshot| still.snapshot_into(snapshot).unwrap());
    }
    assert!(Arc::strong_count(&held) < 10, "{} copies", Arc::strong_count(&held));
}
