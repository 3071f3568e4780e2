//! Commands that wait in a save and panic when they are carried out do what they would have done without the save.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::{Commands, Engine, EntityId, Setup, System};
use serde::{Deserialize, Serialize};

thread_local! {
    static IS_FRAME: Cell<bool> = const { Cell::new(false) };
}

/// A component whose drop panics within frames where it is told to.
#[derive(Clone, Serialize, Deserialize)]
struct Fragile(bool);

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(!(self.0 && IS_FRAME.get()) || std::thread::panicking(), "told to");
    }
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Number(u32);

/// Replaces what can not be dropped, in the first frame, and spawns what replaces parts of itself if it is told to.
#[derive(Clone, Serialize, Deserialize)]
struct Replaces {
    whose: Vec<EntityId>,
    spawns: bool,
}

impl System for Replaces {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::replace);
    }
}

impl Replaces {
    fn replace(&mut self, mut commands: Commands) {
        for (entity, number) in self.whose.drain(..).zip(1..) {
            commands.insert(entity, (Number(number), Fragile(false), number));
        }
        if std::mem::take(&mut self.spawns) {
            let twins = |number| (Fragile(number < 9), Number(number), Fragile(false));
            commands.spawn_many([7, 8].map(twins));
            commands.spawn(twins(9));
            commands.spawn_many([10, 11].map(twins));
        }
    }
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.add(Replaces { whose: Vec::new(), spawns: false }).unwrap();
    let types = engine.types_mut();
    types.component_by("fragile", |fragile: &Fragile, hash| _ = hash.number(fragile.0.into())).unwrap();
    types.component_by("number", |number: &Number, hash| _ = hash.add(&number.0)).unwrap();
    types.component_by("plain", |number: &u32, hash| _ = hash.add(number)).unwrap();
    types.system_by("replaces", |own: &Replaces, hash| _ = hash.add(&own.whose)).unwrap();
    types.save::<Fragile>(1).unwrap().save::<Number>(1).unwrap().save::<u32>(1).unwrap().save::<Replaces>(1).unwrap();
    engine
}

fn frame_panics(engine: &mut Engine) -> bool {
    IS_FRAME.set(true);
    let frame = catch_unwind(AssertUnwindSafe(|| engine.update(Duration::from_millis(10))));
    IS_FRAME.set(false);
    frame.is_err()
}

#[test]
fn loaded_bundle_that_replaces_what_panics_is_inserted_as_a_whole() {
    let mut engine = self::engine();
    let entities: Vec<_> = (0..2).map(|_| engine.spawn((Fragile(true),))).collect();
    engine.system_mut::<Replaces>().unwrap().whose.clone_from(&entities);
    assert!(frame_panics(&mut engine), "with the first, and the second waits");
    let mut saved = Vec::new();
    engine.save(&mut saved).unwrap();
    let mut loaded = self::engine();
    loaded.load(&mut saved.as_slice()).unwrap();
    for engine in [&mut engine, &mut loaded] {
        assert!(engine.get::<Fragile>(entities[1]).unwrap().0);
        assert!(frame_panics(engine), "with the second");
        assert_eq!(engine.get(entities[1]), Some(&Number(2)));
        assert!(!engine.get::<Fragile>(entities[1]).unwrap().0);
        assert_eq!(engine.get(entities[1]), Some(&2_u32), "also what stands behind the one that panicked");
        assert!(!frame_panics(engine));
    }
    assert_eq!(engine.state_hash().unwrap().whole, loaded.state_hash().unwrap().whole);
}

#[test]
fn loaded_bundles_behind_one_that_panics_are_gone_with_their_command() {
    let mut engine = self::engine();
    let entity = engine.spawn((Fragile(true),));
    *engine.system_mut().unwrap() = Replaces { whose: vec![entity], spawns: true };
    assert!(frame_panics(&mut engine), "with the insertion, and all spawns wait");
    let mut saved = Vec::new();
    engine.save(&mut saved).unwrap();
    let mut loaded = self::engine();
    loaded.load(&mut saved.as_slice()).unwrap();
    for engine in [&mut engine, &mut loaded] {
        assert!(frame_panics(engine), "with the first of the many");
        assert!(!frame_panics(engine));
        let numbers: Vec<u32> = engine.query::<&Number>().iter().map(|number| number.0).collect();
        assert_eq!(numbers, [1, 7, 9, 10, 11], "all but the one behind that");
        engine.save(&mut Vec::new()).unwrap();
    }
    assert_eq!(engine.state_hash().unwrap().whole, loaded.state_hash().unwrap().whole);
}
