//! Saves that are loaded into engines with other systems, or taken after a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::{Engine, ResMut, Setup, System};
use serde::{Deserialize, Serialize};

use crate::ms;

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Tick(u32);

/// The log of received events.
#[derive(Clone, Default)]
struct Newcomer(Vec<u32>);

impl System for Newcomer {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|newcomer: &mut Self, tick: &Tick| newcomer.0.push(tick.0));
    }
}

fn bytes_of(engine: &mut Engine) -> Vec<u8> {
    let mut bytes = Vec::new();
    engine.save(&mut bytes).unwrap();
    bytes
}

#[test]
fn listener_missing_in_the_save_receives_waiting_and_later_events() {
    let make = || {
        let mut engine = Engine::new();
        engine
            .types_mut()
            .event_by("tick", |tick: &Tick, hash| _ = hash.add(&tick.0))
            .unwrap()
            .save::<Tick>(1)
            .unwrap();
        engine
    };
    let mut old = make();
    old.send(Tick(1));
    let saved = bytes_of(&mut old);

    let mut engine = make();
    engine.add(Newcomer::default()).unwrap();
    engine.types_mut().system_by("newcomer", |_: &Newcomer, _| {}).unwrap();
    for _ in 0..1000 {
        engine.send(Tick(0));
    }
    engine.update(ms(10)).unwrap();
    engine.system_mut::<Newcomer>().unwrap().0.clear();
    let loaded = engine.load(&mut saved.as_slice()).unwrap();
    assert_eq!(loaded.new_systems.len(), 1);
    engine.send(Tick(2));
    engine.update(ms(10)).unwrap();
    assert_eq!(engine.system::<Newcomer>().unwrap().0, [1, 2]);
}

/// Panics in its next frame if it is lit.
#[derive(Default, Clone, Serialize, Deserialize)]
struct Bomb {
    is_lit: bool,
}

impl System for Bomb {
    fn setup(setup: &mut Setup<Self>) {
        setup.pre_update(|bomb: &mut Self| assert!(!std::mem::take(&mut bomb.is_lit), "the bomb is lit"));
    }
}

#[test]
fn save_after_a_panic_is_loaded_and_catches_up() {
    let make = || {
        let mut engine = Engine::new();
        engine.add(Bomb::default()).unwrap();
        engine.insert_resource(0_u32);
        engine.every(ms(20), |mut runs: ResMut<u32>| *runs += 1).unwrap();
        let types = engine.types_mut();
        types.resource::<u32>("runs").unwrap().save::<u32>(1).unwrap();
        types.system_by("bomb", |bomb: &Bomb, hash| _ = hash.number(u64::from(bomb.is_lit))).unwrap();
        types.save::<Bomb>(1).unwrap();
        engine
    };
    let mut engine = make();
    engine.system_mut::<Bomb>().unwrap().is_lit = true;
    assert!(catch_unwind(AssertUnwindSafe(|| engine.update(ms(25)).unwrap())).is_err());
    let saved = bytes_of(&mut engine);

    let mut later = make();
    later.load(&mut saved.as_slice()).unwrap();
    for engine in [&mut engine, &mut later] {
        engine.update(ms(1)).unwrap();
        assert_eq!(*engine.resource::<u32>().unwrap(), 1, "it was due");
    }
}

#[test]
fn functions_with_equal_short_names_are_distinguished() {
    let make = || {
        let mut engine = Engine::new();
        engine.insert_resource(0_u32);
        engine.every(ms(10), |mut sum: ResMut<u32>| *sum += 1).unwrap();
        engine.every(ms(20), |mut sum: ResMut<u32>| *sum += 10).unwrap();
        engine.types_mut().resource::<u32>("sum").unwrap().save::<u32>(1).unwrap();
        engine
    };
    let mut engine = make();
    engine.update(ms(10)).unwrap();
    let saved = bytes_of(&mut engine);
    let mut later = make();
    later.load(&mut saved.as_slice()).unwrap();
    later.update(ms(10)).unwrap();
    assert_eq!(*later.resource::<u32>().unwrap(), 12);
}

/// Not registered, so it has no stable name.
struct Silent;

impl System for Silent {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self, mut sum: ResMut<u32>| *sum += 1);
    }
}

/// Registered under the short name of the unnamed system.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Loud {
    shouts: u32,
}

impl System for Loud {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|loud: &mut Self, _: ecs::Time| loud.shouts += 1);
    }
}

#[test]
fn unnamed_system_is_distinguished_from_a_system_registered_under_its_name() {
    let make = || {
        let mut engine = Engine::new();
        engine.add(Silent).unwrap().add(Loud::default()).unwrap();
        engine.insert_resource(0_u32);
        let types = engine.types_mut();
        types.resource::<u32>("sum").unwrap().save::<u32>(1).unwrap();
        types.system_by("Silent", |loud: &Loud, hash| _ = hash.add(&loud.shouts)).unwrap().save::<Loud>(1).unwrap();
        engine
    };
    let mut engine = make();
    engine.disable_system::<Silent>().unwrap();
    engine.update(ms(10)).unwrap();
    let saved = bytes_of(&mut engine);
    let mut later = make();
    later.load(&mut saved.as_slice()).unwrap();
    later.update(ms(10)).unwrap();
    assert_eq!((later.system::<Loud>().unwrap().shouts, *later.resource::<u32>().unwrap()), (2, 0));
}
