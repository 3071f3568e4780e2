//! Timed systems and functions in frames that span several of their intervals.

use std::time::Duration;

use ecs::{Commands, Configure, Engine, Query, ResMut, Sender, Setup, System, Time, World, system::CatchUp};
use proptest::prelude::*;

use crate::ms;

/// A log of calls in order, with the time that was passed.
#[derive(Debug, Default, PartialEq)]
struct Diary(Vec<(&'static str, u128)>);

impl Diary {
    fn note(&mut self, what: &'static str, time: Time) {
        self.0.push((what, time.delta().as_millis()));
    }
}

#[derive(Clone, Copy)]
struct Ticked(u32);

/// Runs once per interval, in every phase and in its exclusive method.
#[derive(Default)]
struct Stepper {
    ticks: u32,
    heard: Vec<u32>,
}

impl System for Stepper {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .every(ms(100))
            .catch_up(CatchUp::EachInterval)
            .pre_update(Self::begin)
            .update(Self::step)
            .update_exclusive(Self::exclusive)
            .post_update(Self::end)
            .listen(Self::on_ticked);
    }
}

impl Stepper {
    fn begin(&mut self, time: Time, mut diary: ResMut<Diary>) {
        diary.note("begin", time);
    }

    fn step(&mut self, time: Time, mut diary: ResMut<Diary>, mut ticked: Sender<Ticked>, mut commands: Commands) {
        self.ticks += 1;
        diary.note("step", time);
        ticked.send(Ticked(self.ticks));
        commands.spawn((self.ticks,));
    }

    fn exclusive(&mut self, world: &mut World) {
        world.resource_mut::<Diary>().unwrap().0.push(("exclusive", 0));
    }

    fn end(&mut self, time: Time, mut diary: ResMut<Diary>) {
        diary.note("end", time);
    }

    fn on_ticked(&mut self, event: &Ticked) {
        self.heard.push(event.0);
    }
}

/// Runs once with the sum, after the stepper.
struct Summer;

impl System for Summer {
    fn setup(setup: &mut Setup<Self>) {
        setup.every(ms(100)).after_type::<Stepper>().update(Self::sum);
    }
}

impl Summer {
    fn sum(&mut self, time: Time, mut diary: ResMut<Diary>) {
        diary.note("sum", time);
    }
}

fn engine_with_diary() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Diary::default());
    engine
}

#[test]
fn each_phase_runs_once_per_interval_at_its_position() {
    let mut engine = engine_with_diary();
    engine.add(Summer).unwrap().add(Stepper::default()).unwrap();
    engine.update(ms(250)).unwrap();
    let expected = [
        ("begin", 100),
        ("begin", 100),
        ("step", 100),
        ("exclusive", 0),
        ("step", 100),
        ("exclusive", 0),
        ("sum", 250),
        ("end", 100),
        ("end", 100),
    ];
    assert_eq!(engine.resource::<Diary>().unwrap().0, expected);
    let stepper = engine.system::<Stepper>().unwrap();
    assert_eq!(stepper.heard, [1, 2], "each event is delivered once");
    let values: Vec<u32> = engine.query::<&u32>().iter().copied().collect();
    assert_eq!(values, [1, 2], "commands are applied in the order of the runs");
}

#[test]
fn remainder_of_a_long_frame_counts_for_the_next_interval() {
    let mut engine = engine_with_diary();
    engine.add(Stepper::default()).unwrap();
    let mut ticks = Vec::new();
    for delta in [350, 49, 1, 0, 99, 1] {
        engine.update(ms(delta)).unwrap();
        ticks.push(engine.system::<Stepper>().unwrap().ticks);
    }
    assert_eq!(ticks, [3, 3, 4, 4, 4, 5]);
}

#[test]
fn catch_up_survives_changes_of_priority_and_interval() {
    let mut engine = engine_with_diary();
    engine.add(Stepper::default()).unwrap();
    engine.run_every::<Stepper>(ms(10)).unwrap();
    engine.update(ms(35)).unwrap();
    assert_eq!(engine.system::<Stepper>().unwrap().ticks, 3);
    assert!(engine.explain().unwrap().to_string().contains("every 10ms, once for each interval"));
}

#[test]
fn functions_catch_up_like_systems() {
    let mut engine = engine_with_diary();
    let each = |time: Time, mut diary: ResMut<Diary>| diary.note("each", time);
    engine.add(each.every(ms(100)).catch_up(CatchUp::EachInterval)).unwrap();
    engine.every(ms(100), |time: Time, mut diary: ResMut<Diary>| diary.note("sum", time)).unwrap();
    engine.update(ms(330)).unwrap();
    assert_eq!(engine.resource::<Diary>().unwrap().0, [("each", 100), ("each", 100), ("each", 100), ("sum", 330)]);
}

#[test]
fn panic_ends_the_runs_of_its_system_only() {
    let mut engine = engine_with_diary();
    let mut runs = 0;
    let fails = move |mut commands: Commands| {
        runs += 1;
        commands.spawn((runs,));
        assert!(runs != 2, "the second run fails");
    };
    let other = |mut diary: ResMut<Diary>| diary.0.push(("other", 0));
    engine.add((fails, other).every(ms(10)).catch_up(CatchUp::EachInterval)).unwrap();
    let frame = std::panic::AssertUnwindSafe(|| engine.update(ms(30)));
    let message = *std::panic::catch_unwind(frame).unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("{{closure}} panicked in update: the second run fails"), "{message}");
    assert_eq!(engine.resource::<Diary>().unwrap().0.len(), 3);
    engine.update(Duration::ZERO).unwrap();
    let spawned: Vec<i32> = engine.query::<&i32>().iter().copied().collect();
    assert_eq!(spawned, [1, 2], "commands before the panic are kept");
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Place(u64);

/// Moves all entities by the time that it is passed, and counts its runs.
fn advance(time: Time, mut places: Query<&mut Place>, mut runs: ResMut<u64>) {
    places.iter_mut().for_each(|place| place.0 += time.delta().as_nanos() as u64);
    *runs += 1;
}

/// The position and the number of runs after frames of these lengths.
fn advanced(interval: u64, catch_up: CatchUp, frames: &[u64], threads: usize) -> (u64, u64) {
    let mut engine = Engine::builder().threads(threads).parallel_threshold(0).build();
    engine.insert_resource(0_u64);
    let walker = engine.spawn((Place(0),));
    engine.add(advance.every(Duration::from_nanos(interval)).catch_up(catch_up)).unwrap();
    frames.iter().for_each(|frame| engine.update(Duration::from_nanos(*frame)).unwrap());
    (engine.get::<Place>(walker).unwrap().0, *engine.resource::<u64>().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// However time is divided into frames, nothing drifts.
    #[test]
    fn nothing_drifts_however_time_is_divided(
        interval in 1_u64..100_000,
        frames in prop::collection::vec(0_u64..150_000, 1..60),
    ) {
        let total: u64 = frames.iter().sum();
        let whole = total / interval;
        prop_assert_eq!(advanced(interval, CatchUp::EachInterval, &frames, 1), (whole * interval, whole));
        let (place, runs) = advanced(interval, CatchUp::Sum, &frames, 1);
        // With the sum, it is at the end of the frame in which its last interval ended.
        let mut ended = 0;
        let mut last_due = 0;
        for frame in &frames {
            let before = ended / interval;
            ended += frame;
            last_due = if ended / interval > before { ended } else { last_due };
        }
        prop_assert_eq!(place, last_due);
        prop_assert!(runs <= whole);
    }
}

#[test]
fn catching_up_is_equal_at_any_number_of_threads() {
    let frames: Vec<u64> = (0..200).map(|n| n * 7_919 % 50_000).collect();
    for catch_up in [CatchUp::Sum, CatchUp::EachInterval] {
        assert_eq!(advanced(9_999, catch_up, &frames, 1), advanced(9_999, catch_up, &frames, 2));
    }
}
