//! Saved snapshots of engines: bytes that load give a consistent world, and saving and loading it again gives an equal
//! one.

use std::time::Duration;

use ecs::{
    Configure, Engine, EntityId,
    relation::Relation,
    snapshot::{LoadError, SnapshotError, StableHash, StateHasher, TypeKind},
    state_machine::{Next, State, StateMachine},
    system::NextState,
};
use serde::{Deserialize, Serialize};

use crate::Basic;
use crate::hashes::{parts_of, save_of};
use crate::mutation::{Choice, change_parts, put};
use crate::world::{self, Dice, FRAME, Settings};

const SETTINGS: Settings = Settings { seed: 7, threads: 1, functions_own_values: false, traced_frames: 0 };

/// A component with every kind of field that serde knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Thing {
    Nothing,
    Number(i64),
    Named { name: String, weight: Option<f64> },
    Heap(Vec<(u16, char)>),
    Linked(Box<EntityId>),
}

/// Was a single number in version 1.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Size {
    width_m: f32,
    height_m: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Mood {
    Calm,
    Angry,
    Asleep,
}

impl State for Mood {
    const TRANSITIONS: &'static [(Self, Self)] = &[(Self::Calm, Self::Angry), (Self::Calm, Self::Asleep)];
}

/// A state machine with history.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Moods(StateMachine<Mood, 2>);

/// A relation with data.
#[derive(Clone, Serialize, Deserialize)]
struct Knows(u32);

impl Relation for Knows {}

impl StableHash for Knows {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&self.0);
    }
}

/// A set of systems.
struct Physics;

fn step(_: ecs::Time) {}

/// The world of the snapshot tests, with more component types, a relation, a state machine of the engine and a set.
fn empty() -> Engine {
    let mut engine = world::empty(SETTINGS);
    engine.add_state_machine(StateMachine::new(Mood::Calm)).expect("it is the only one");
    engine.add(step.in_set::<Physics>().run_if(|_: ecs::Time| true)).expect("it touches nothing");
    let mut register = || -> Result<(), SnapshotError> {
        let types = engine.types_mut();
        types.component_by("thing", |thing: &Thing, hash| _ = hash.printed(thing))?.save_with_text::<Thing>(1)?;
        types.component_by("size", |size: &Size, hash| _ = hash.printed(size))?.save_with_text::<Size>(2)?;
        types.convert(1, |m: f32| match m.is_finite() {
            true => Ok(Size { width_m: m, height_m: m }),
            false => Err(format!("{m} is not a size")),
        })?;
        types.relation::<Knows>("knows")?.save_relation::<Knows>(1)?.function("step", step)?;
        types.component_by("moods", |moods: &Moods, hash| _ = hash.printed(moods))?.save_with_text::<Moods>(1)?;
        types.removed(TypeKind::Component, "pest").removed(TypeKind::Resource, "weather");
        // The seeds of the corpus are older than the end of sets with a fixed step.
        types.removed(TypeKind::Resource, "ecs fixed step Physics");
        Ok(())
    };
    register().expect("each type has a name of its own");
    engine
}

/// The world as an older version of the program had it.
fn older() -> Engine {
    let mut engine = world::empty(SETTINGS);
    let mut register = || -> Result<(), SnapshotError> {
        let types = engine.types_mut();
        types.component::<f32>("size")?.save_with_text::<f32>(1)?.component::<u8>("pest")?.save_with_text::<u8>(1)?;
        types.resource::<u64>("weather")?.save_with_text::<u64>(1)?;
        Ok(())
    };
    register().expect("each type has a name of its own");
    engine
}

/// Engines after many changes, with many events and commands pending.
fn engines() -> Vec<Engine> {
    let mut engines = Vec::new();
    for seed in 0..6 {
        let (mut engine, mut dice) = (empty(), Dice(seed));
        for frame in 0..4 * seed {
            world::disturb(&mut engine, &mut dice);
            // The systems spawn without end; the file should stay small.
            if frame > 2 {
                let all: Vec<_> = engine.entities().iter().skip(6).collect();
                engine.despawn_many(all).expect("all of them exist");
            }
            engine.update(FRAME).expect("the systems fit together");
        }
        world::disturb(&mut engine, &mut dice);
        link_all(&mut engine);
        let entity = engine.spawn((Thing::Named { name: "stone".to_owned(), weight: Some(1.5) },));
        engine.spawn((Thing::Heap(vec![(7, 'x'), (8, 'ü')]), Size { width_m: 1.0, height_m: 2.0 }));
        engine.spawn((Thing::Linked(Box::new(entity)), Moods(moody())));
        engine.spawn_many([(Thing::Nothing,), (Thing::Number(-3),)]);
        engines.push(engine);
    }
    let mut engine = older();
    engine.spawn((1.5_f32, 7_u8));
    engine.spawn((2.5_f32,));
    engine.insert_resource(20_u64);
    engines.push(engine);
    engines
}

/// Links each entity to the next two, makes it the child of the first, and requests a transition.
fn link_all(engine: &mut Engine) {
    let all: Vec<_> = engine.entities().iter().collect();
    for at in 1..all.len() {
        engine.set_parent(all[at], all[0]).expect("both exist, and the first has no parent");
        for next in 1..3 {
            engine.relate(all[at], all[(at + next) % all.len()], Knows(at as u32)).expect("both exist");
        }
    }
    engine.resource_mut::<NextState<Mood>>().expect("there is a machine").push(Mood::Angry);
}

fn moody() -> StateMachine<Mood, 2> {
    let mut mood = StateMachine::new(Mood::Calm);
    mood.step(Next::Push(Mood::Angry)).expect("the table allows it");
    mood
}

/// Saved snapshots as bytes.
#[must_use]
pub fn saves() -> Vec<Vec<u8>> {
    let save = |mut engine: Engine| {
        let mut bytes = Vec::new();
        engine.save(&mut bytes).expect("all types are registered");
        let (format, parts) = parts_of(&bytes);
        assert_eq!(save_of(format, &parts), bytes, "the hashes are those of the framework");
        bytes
    };
    engines().into_iter().map(save).collect()
}

/// Saved snapshots as text.
#[must_use]
pub fn save_texts() -> Vec<String> {
    engines().into_iter().map(|mut engine| engine.save_text().expect("all types are registered")).collect()
}

/// Mutates a part of a saved snapshot and corrects the hashes; one time in eight mutates any bytes, to test the hashes.
pub fn change_save(bytes: &mut [u8], size: usize, seed: u32, basic: Basic<'_>) -> usize {
    let mut choice = Choice::new(seed);
    if choice.below(8) == 0 {
        return basic(bytes, size);
    }
    let (format, mut parts) = parts_of(&bytes[..size]);
    change_parts(&mut parts, &mut choice, bytes.len() - size, basic);
    put(&save_of(format, &parts), bytes, size, basic)
}

/// A save that loads can be saved again; that save loads as an equal world, and the world runs.
///
/// # Panics
/// If the check fails.
pub fn check_save(bytes: &[u8]) {
    let mut engine = empty();
    let Some(()) = accepted(&mut engine, |engine| engine.load(&mut &*bytes)) else { return };
    let mut saved = Vec::new();
    engine.save(&mut saved).expect("what was loaded can be saved");
    let mut again = empty();
    again.load(&mut saved.as_slice()).expect("what was saved can be loaded");
    compare(&mut engine, &mut again);
    go_on(&mut engine);
}

/// As [`check_save`], for a text.
///
/// # Panics
/// If the check fails.
pub fn check_save_text(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut engine = empty();
    let Some(()) = accepted(&mut engine, |engine| engine.load_text(text)) else { return };
    let saved = engine.save_text().expect("what was loaded can be saved");
    let mut again = empty();
    again.load_text(&saved).expect("what was saved can be loaded");
    compare(&mut engine, &mut again);
    go_on(&mut engine);
}

/// Whether it loads; an error has a message.
fn accepted<T>(engine: &mut Engine, load: impl FnOnce(&mut Engine) -> Result<T, LoadError>) -> Option<()> {
    match load(engine) {
        Ok(_) => Some(()),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

fn compare(engine: &mut Engine, again: &mut Engine) {
    let (first, second) = (engine.state_hash(), again.state_hash());
    assert_eq!(first.expect("all types are registered"), second.expect("all types are registered"));
}

/// Runs frames of one nanosecond: a longer frame would be much work for a system that is due every nanosecond.
fn go_on(engine: &mut Engine) {
    for _ in 0..3 {
        let all: Vec<_> = engine.entities().iter().take(1_000).collect();
        let _ = engine.despawn_many(all.iter().copied().step_by(3));
        all.iter().step_by(5).for_each(|entity| _ = engine.disable(*entity));
        if engine.update(Duration::from_nanos(1)).is_err() {
            break;
        }
    }
}
