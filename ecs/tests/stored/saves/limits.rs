//! Limits on load are also checked on save, so a save that cannot be loaded is never written.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::random::Purpose;
use ecs::{Engine, Random, Removed, Setup, System, snapshot::SaveError, system::CatchUp};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Tick;

/// Asserts that saving fails with this sentence, as bytes and as text.
fn refused(engine: &mut Engine, sentence: &str) {
    let mut bytes = Vec::new();
    let errors: [SaveError; 2] = [engine.save(&mut bytes).unwrap_err(), engine.save_text().unwrap_err()];
    errors.iter().for_each(|error| assert_eq!(error.to_string(), sentence));
    assert!(Engine::new().load(&mut bytes.as_slice()).is_err(), "an incomplete save cannot be loaded");
}

#[test]
fn too_many_waiting_events_are_not_saved() {
    let mut engine = Engine::new();
    engine.types_mut().event_by("tick", |_: &Tick, _| {}).unwrap().save_with_text::<Tick>(1).unwrap();
    for _ in 0..=1 << 24 {
        engine.send(Tick);
    }
    refused(
        &mut engine,
        "the snapshot cannot be saved, because it could not be loaded (events): more than 16777216 wait; save after another frame",
    );
    engine.update(Duration::ZERO).unwrap();
    engine.save(&mut Vec::new()).unwrap();
}

/// Panics in each frame, before all updates.
struct Bomb;

impl System for Bomb {
    fn setup(setup: &mut Setup<Self>) {
        setup.pre_update(|_: &mut Self| panic!("every frame"));
    }
}

/// Is due a billion times per second.
struct Whirring;

impl System for Whirring {
    fn setup(setup: &mut Setup<Self>) {
        setup.every(Duration::from_nanos(1)).catch_up(CatchUp::EachInterval).update(|_: &mut Self, _: ecs::Time| {});
    }
}

#[test]
fn timer_with_too_many_pending_intervals_stands_still_and_is_saved() {
    let mut engine = Engine::new();
    engine.add(Bomb).unwrap().add(Whirring).unwrap();
    let frame = |engine: &mut Engine| {
        assert!(catch_unwind(AssertUnwindSafe(|| engine.update(Duration::from_millis(16)).unwrap())).is_err());
    };
    frame(&mut engine);
    let mut bytes = Vec::new();
    engine.save(&mut bytes).unwrap();
    let mut later = Engine::new();
    later.add(Bomb).unwrap().add(Whirring).unwrap().load(&mut bytes.as_slice()).unwrap();
    // Another 16,000,000 runs would be too many in a frame.
    frame(&mut engine);
    let mut bytes = Vec::new();
    engine.save(&mut bytes).unwrap();
    let mut later = Engine::new();
    later.add(Bomb).unwrap().add(Whirring).unwrap().load(&mut bytes.as_slice()).unwrap();
}

#[test]
fn too_large_frame_numbers_are_not_saved() {
    let mut engine = Engine::new();
    let text = engine.save_text().unwrap();
    let last = text.replacen("frame: 0", "frame: 4611686018427387904", 1);
    assert_ne!(text, last);
    engine.load_text(&last).unwrap();
    engine.update(Duration::ZERO).unwrap();
    refused(
        &mut engine,
        "the snapshot cannot be saved, because it could not be loaded (frame): its numbers are too large; begin with a new engine",
    );
}

/// Nests to any depth.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Doll {
    within: Option<Box<Doll>>,
}

impl Doll {
    fn of(depth: usize) -> Self {
        (0..depth).fold(Self::default(), |doll, _| Self { within: Some(Box::new(doll)) })
    }
}

impl System for Doll {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, _: &Removed<Label>| {});
    }
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Label(u8);

#[test]
fn deeply_nested_value_is_either_loadable_from_text_or_not_saved_as_text() {
    let make = || {
        let mut engine = Engine::new();
        let types = engine.types_mut();
        types.component_by("doll", |_: &Doll, _| {}).unwrap().save_with_text::<Doll>(1).unwrap();
        engine
    };
    let mut deepest = 0;
    for depth in 0..80 {
        let mut engine = make();
        let entity = engine.spawn((Doll::of(depth),));
        let Ok(text) = engine.save_text() else { continue };
        let mut later = make();
        later.load_text(&text).unwrap_or_else(|error| panic!("{depth} deep: {error}"));
        assert_eq!(later.get(entity), Some(&Doll::of(depth)));
        deepest = depth;
    }
    assert!((30..79).contains(&deepest), "{deepest}");
}

struct Dust;

impl Purpose for Dust {
    const NAME: &'static str = "dust";
}

#[test]
fn too_many_streams_of_random_numbers_are_not_loaded() {
    let mut engine = Engine::new();
    engine.run(|mut dust: Random<Dust>| _ = dust.next_u64()).unwrap();
    let text = engine.save_text().unwrap();
    let more: String = (0..4_096).map(|n| format!("(\"dust {n}\",1),")).collect();
    let forged = text.replace("(\"dust\"", &format!("{more}(\"dust\""));
    assert_ne!(forged, text);
    let error = Engine::new().load_text(&forged).unwrap_err().to_string();
    assert!(error.contains("there are more than 4096 streams"), "{error}");
}
