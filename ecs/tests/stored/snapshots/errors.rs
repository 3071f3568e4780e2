//! Refused snapshots and restores, with their messages.

use std::time::Duration;

use ecs::{Engine, EntityId, ResMut, Sender, Setup, Snapshot, System};

fn message<T>(result: Result<T, impl std::fmt::Display>) -> String {
    result.err().expect("it is refused").to_string()
}

#[derive(Clone, Copy)]
struct Fuel(#[allow(dead_code)] f32);

fn add_fuel(engine: &mut Engine) {
    engine.types_mut().component_by("fuel", |fuel: &Fuel, hash| _ = hash.add(&fuel.0)).unwrap();
}

#[derive(Clone)]
struct Counting(#[allow(dead_code)] u32);

impl System for Counting {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self, _: ecs::Time| {});
    }
}

struct Stateless;

impl System for Stateless {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self, _: ecs::Time| {});
    }
}

#[test]
fn unnamed_component_is_refused_and_named() {
    let mut engine = Engine::new();
    engine.spawn((Fuel(1.0),));
    let expected = "component Fuel is not registered: give it a name at set-up: \
                    engine.types_mut().component::<Fuel>(\"…\")";
    assert_eq!(message(engine.snapshot()), expected);
    assert_eq!(message(engine.state_hash()), expected);
    add_fuel(&mut engine);
    assert!(engine.snapshot().is_ok());
}

#[test]
fn unused_type_needs_no_name() {
    let mut engine = Engine::new();
    let entity = engine.spawn((Fuel(1.0),));
    engine.remove::<Fuel>(entity).unwrap();
    engine.insert_resource(1_u8);
    engine.remove_resource::<u8>();
    engine.add(Stateless).unwrap();
    let snapshot = engine.snapshot().unwrap();
    engine.insert(entity, (Fuel(2.0),)).unwrap();
    engine.restore(&snapshot).unwrap();
    assert!(!engine.has::<Fuel>(entity));
}

#[test]
fn unnamed_resource_event_and_system_are_refused() {
    let mut engine = Engine::new();
    engine.insert_resource(Fuel(1.0));
    assert!(message(engine.snapshot()).starts_with("resource Fuel is not registered"));
    engine.types_mut().leave_out_resource::<Fuel>();
    engine.send(7_u16);
    assert!(message(engine.snapshot()).starts_with("event u16 is not registered"));
    engine.types_mut().event::<u16>("seven").unwrap();
    engine.add(Counting(0)).unwrap();
    assert!(message(engine.snapshot()).starts_with("system Counting is not registered"));
    engine.types_mut().system_by("counting", |_: &Counting, _| {}).unwrap();
    assert!(engine.snapshot().is_ok());
}

#[test]
fn all_unnamed_types_are_in_one_error() {
    let mut engine = Engine::new();
    engine.insert_resource(Fuel(1.0));
    engine.send(7_u16);
    engine.send(8_u16);
    engine.add(Counting(0)).unwrap().add(Stateless).unwrap();
    engine.spawn((Fuel(1.0), 'x'));
    engine.types_mut().component_by("letter", |_: &char, _| {}).unwrap();
    let expected = "component Fuel, resource Fuel, system Counting, event u16 are not registered: give each a name at set-up: \
                    engine.types_mut().component::<Fuel>(\"…\")?.resource::<Fuel>(\"…\")?.system::<Counting>(\"…\")?.event::<u16>(\"…\"), \
                    or leave out what has no influence: .leave_out_resource::<Fuel>()";
    assert_eq!(message(engine.snapshot()), expected);
    assert_eq!(message(engine.state_hash()), expected);
}

#[test]
fn types_left_out_of_snapshots_are_kept_on_restore() {
    let mut engine = Engine::new();
    engine.insert_resource(1_u8);
    engine.types_mut().leave_out_resource::<u8>();
    let snapshot = engine.snapshot().unwrap();
    engine.insert_resource(2_u8);
    engine.restore(&snapshot).unwrap();
    assert_eq!(engine.resource::<u8>().as_deref(), Some(&2));
}

#[test]
fn each_type_has_one_name_and_each_name_one_type() {
    let mut engine = Engine::new();
    add_fuel(&mut engine);
    add_fuel(&mut engine);
    let taken = engine.types_mut().component::<u32>("fuel").err().unwrap().to_string();
    assert_eq!(taken, "component u32 cannot be called \"fuel\": Fuel is; give it another name");
    let twice = engine.types_mut().component_by("petrol", |_: &Fuel, _| {}).err().unwrap().to_string();
    assert_eq!(twice, "component Fuel is called \"fuel\" and cannot be called \"petrol\" too: name it once");
}

#[test]
fn incomplete_snapshot_is_refused() {
    let mut engine = Engine::new();
    let expected = "the snapshot is empty or incomplete: take one first, and do not use one that could not be taken";
    let mut snapshot = Snapshot::new();
    assert_eq!(message(engine.restore(&snapshot)), expected);
    engine.snapshot_into(&mut snapshot).unwrap();
    engine.spawn((Fuel(1.0),));
    assert!(engine.snapshot_into(&mut snapshot).is_err());
    assert_eq!(message(engine.restore(&snapshot)), expected);
}

#[test]
fn restore_into_an_incompatible_engine_is_refused_and_changes_nothing() {
    let mut engine = Engine::new();
    add_fuel(&mut engine);
    engine.spawn((Fuel(1.0),));
    let snapshot = engine.snapshot().unwrap();

    let mut other = Engine::new();
    let kept = other.spawn((5_u32,));
    assert!(
        message(other.restore(&snapshot))
            .starts_with("the snapshot has a component called \"fuel\", which this engine")
    );
    other.types_mut().component::<u64>("fuel").unwrap();
    assert!(
        message(other.restore(&snapshot))
            .starts_with("the snapshot means another component by \"fuel\" than this engine")
    );
    assert_eq!(other.get::<u32>(kept), Some(&5));

    let mut other = Engine::new();
    add_fuel(&mut other);
    other.add(Stateless).unwrap();
    assert!(
        message(other.restore(&snapshot)).starts_with("system Stateless was not there when the snapshot was taken")
    );
}

#[test]
fn unnamed_functions_are_in_snapshots_if_they_own_nothing_and_still_exist() {
    fn blow(mut wind: ecs::ResMut<u64>) {
        *wind += 1;
    }
    let mut engine = Engine::new();
    engine.insert_resource(0_u64);
    engine.types_mut().resource::<u64>("wind").unwrap();
    let blowing = engine.every(super::world::FRAME * 3, blow).unwrap();
    engine.update(super::world::FRAME * 2).unwrap();
    let snapshot = engine.snapshot().unwrap();
    for _ in 0..2 {
        engine.update(super::world::FRAME).unwrap();
        assert_eq!(engine.resource::<u64>().as_deref(), Some(&1));
        engine.restore(&snapshot).unwrap();
        assert_eq!(engine.resource::<u64>().as_deref(), Some(&0));
    }
    let late = engine.after(super::world::FRAME, blow).unwrap();
    let expected = "function blow runs once or captures values, so it cannot be copied: give it a name with \
                    engine.types_mut().function(\"…\", blow) at set-up, or make it a system";
    assert_eq!(message(engine.snapshot()), expected);
    assert_eq!(message(engine.state_hash()), expected);
    engine.restore(&snapshot).unwrap();
    assert!(engine.systems().function(late).is_none(), "it did not exist at the time of the snapshot");
    engine.cancel(blowing);
    let expected = "the snapshot was taken with system blow, which this engine does not have: add it first; what comes \
                    and goes is given a name, a function with engine.types_mut().function(\"…\", blow), a system with \
                    engine.types_mut().system::<blow>(\"…\")";
    assert_eq!(message(engine.restore(&snapshot)), expected);
}

#[test]
fn ended_functions_with_a_name_are_restored() {
    fn blow(mut wind: ecs::ResMut<u64>) {
        *wind += 1;
    }
    let mut engine = Engine::new();
    engine.insert_resource(0_u64);
    engine.types_mut().resource::<u64>("wind").unwrap().function("blow", blow).unwrap();
    let blowing = engine.after(super::world::FRAME * 2, blow).unwrap();
    engine.update(super::world::FRAME).unwrap();
    let snapshot = engine.snapshot().unwrap();
    for _ in 0..2 {
        assert!(engine.systems().function(blowing).is_some());
        engine.update(super::world::FRAME).unwrap();
        assert_eq!(engine.resource::<u64>().as_deref(), Some(&1));
        assert!(engine.systems().function(blowing).is_none());
        engine.restore(&snapshot).unwrap();
    }
}

#[test]
fn failed_snapshot_cannot_be_restored() {
    struct Touchy(bool);
    impl Clone for Touchy {
        fn clone(&self) -> Self {
            assert!(!self.0, "touchy");
            Self(self.0)
        }
    }
    let mut engine = Engine::new();
    add_fuel(&mut engine);
    engine.types_mut().component_by("touchy", |_: &Touchy, _| {}).unwrap();
    let entity = engine.spawn((Fuel(1.0), Touchy(false)));
    let whole = engine.snapshot().unwrap();
    engine.get_mut::<Touchy>(entity).unwrap().0 = true;
    let mut broken = Snapshot::new();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| engine.snapshot_into(&mut broken)));
    assert!(caught.is_err() && engine.has::<Touchy>(entity), "taking a snapshot changes nothing");
    assert!(engine.restore(&broken).is_err());
    engine.restore(&whole).unwrap();
    assert!(!engine.get::<Touchy>(entity).unwrap().0);
}

#[test]
fn kind_with_a_type_that_the_engine_does_not_know_is_no_hindrance() {
    let named = || {
        let mut engine = Engine::new();
        engine.types_mut().component::<u32>("number").unwrap();
        engine
    };
    let mut engine = named();
    // It is gone before the snapshot, but its kind is still there.
    let gone = engine.spawn((1_u32, 0.5_f32));
    engine.despawn(gone).unwrap();
    let entity = engine.spawn((7_u32,));
    let snapshot = engine.snapshot().unwrap();

    let mut other = named();
    other.restore(&snapshot).unwrap();
    assert_eq!(other.get(entity), Some(&7_u32));
    // The second type of this one is another.
    let mut other = named();
    let old = other.spawn((1_u32, "text"));
    other.restore(&snapshot).unwrap();
    let both = other.spawn((2_u32, "both"));
    let half = other.spawn((3_u32, 0.5_f32));
    assert!(old != both && other.get(entity) == Some(&7_u32));
    assert_eq!(other.query::<(EntityId, &&str)>().single(), Ok((both, &"both")));
    assert_eq!(other.query::<(EntityId, &f32)>().single(), Ok((half, &0.5)));
    assert_eq!(other.query::<&u32>().iter().sum::<u32>(), 12);
}

/// What a function sent before it was cancelled is delivered, also from a snapshot or a save of the time between.
#[test]
fn cancelled_functions_whose_events_wait_are_restored() {
    #[derive(Clone, Copy)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    struct Call(u32);
    fn call(mut calls: Sender<Call>) {
        (0..3).for_each(|number| calls.send(Call(number)));
    }
    fn answer(call: &Call, mut calls: Sender<Call>) {
        if call.0 < 10 {
            calls.send(Call(call.0 + 10));
        }
    }
    fn hear(call: &Call, mut heard: ResMut<Vec<u32>>) {
        heard.push(call.0);
        assert!(call.0 > 0, "the first call is too loud");
    }
    let new = || {
        let mut engine = Engine::new();
        engine.insert_resource(Vec::<u32>::new());
        let types = engine.types_mut().resource::<Vec<u32>>("heard").unwrap().function("call", call).unwrap();
        types.event_by("call", |call: &Call, hash| _ = hash.add(&call.0)).unwrap();
        #[cfg(feature = "serde")]
        types.save::<Call>(1).unwrap().save::<Vec<u32>>(1).unwrap();
        engine.add(hear).unwrap();
        engine
    };
    let mut engine = new();
    let (answering, calling) = (engine.listen(answer).unwrap(), engine.after(Duration::ZERO, call).unwrap());
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| engine.update(super::world::FRAME)));
    assert!(caught.is_err());
    assert!(engine.cancel(calling) && engine.cancel(answering));
    let (snapshot, hash) = (engine.snapshot().unwrap(), engine.state_hash().unwrap());
    #[cfg(feature = "serde")]
    let saved = {
        let mut saved = Vec::new();
        engine.save(&mut saved).unwrap();
        saved
    };
    let mut after = Vec::new();
    for _ in 0..2 {
        engine.update(super::world::FRAME).unwrap();
        assert_eq!(*engine.resource::<Vec<u32>>().unwrap(), [0, 1, 2, 10, 11, 12]);
        after.push(engine.state_hash().unwrap());
        engine.restore(&snapshot).unwrap();
        assert_eq!(engine.state_hash().unwrap(), hash);
    }
    assert_eq!(after[0], after[1]);
    #[cfg(feature = "serde")]
    {
        let mut loaded = new();
        loaded.load(&mut saved.as_slice()).unwrap();
        assert_eq!(loaded.state_hash().unwrap(), hash);
        loaded.update(super::world::FRAME).unwrap();
        assert_eq!(*loaded.resource::<Vec<u32>>().unwrap(), [0, 1, 2, 10, 11, 12]);
    }
}
