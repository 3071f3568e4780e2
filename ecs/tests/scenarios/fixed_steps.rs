//! Sets with a fixed step.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::prelude::*;
use ecs::system::{Backlog, FixedStep, SetupError, Timing};
use ecs::{Error, System};
use proptest::prelude::*;

use super::log::{Log, engine, logged};
use crate::ms;

struct Physics;

/// A system of the set that notes its name in a phase.
macro_rules! system {
    ($name:ident in $phase:ident $(, $more:ident::<$other:ty>())*) => {
        struct $name;

        impl System for $name {
            fn setup(setup: &mut Setup<Self>) {
                setup$(.$more::<$other>())*.$phase(|_: &mut Self, mut log: ResMut<Log>| log.note(stringify!($name)));
            }
        }
    };
}

system!(Hit in update, in_set::<Physics>());
system!(Move in update, in_set::<Physics>(), before::<Hit>());
system!(Free in update);
system!(Before in update, before::<Hit>());
system!(After in update, after::<Move>());

fn frame_of(engine: &mut Engine, milliseconds: u64) -> String {
    engine.update(ms(milliseconds)).unwrap();
    logged(engine)
}

fn step_of_10_ms(engine: &mut Engine) {
    engine.configure_set::<Physics>(|set| set.fixed_step(ms(10))).unwrap();
}

#[test]
fn systems_of_the_set_run_as_a_block_once_for_each_step() {
    let mut engine = engine();
    engine.add(Hit).unwrap().add(Free).unwrap().add(Move).unwrap().add(After).unwrap().add(Before).unwrap();
    step_of_10_ms(&mut engine);
    assert_eq!(frame_of(&mut engine, 30), "Free Before Move Hit Move Hit Move Hit After");
    assert_eq!(frame_of(&mut engine, 9), "Free Before After");
    assert_eq!(frame_of(&mut engine, 1), "Free Before Move Hit After");
}

#[test]
fn delta_is_the_step_and_the_rest_is_the_overstep() {
    let mut engine = engine();
    step_of_10_ms(&mut engine);
    let note = |time: Time, mut log: ResMut<Log>| log.note(time.delta().as_millis());
    engine.add_function(Timing::every(ms(0)).in_set::<Physics>(), note).unwrap();
    let read = |clock: Res<FixedStep<Physics>>, mut log: ResMut<Log>| log.note(clock.overstep_fraction());
    engine.every(ms(0), read).unwrap();
    assert_eq!(frame_of(&mut engine, 25), "10 10 0.5");
    let clock = engine.resource::<FixedStep<Physics>>().unwrap();
    assert_eq!((clock.step(), clock.overstep()), (ms(10), ms(5)));
}

#[test]
fn each_phase_repeats_its_methods() {
    struct Both;
    impl System for Both {
        fn setup(setup: &mut Setup<Self>) {
            setup
                .in_set::<Physics>()
                .pre_update(|_: &mut Self, mut log: ResMut<Log>| log.note("pre"))
                .update_exclusive(|_: &mut Self, world: &mut World| {
                    world.resource_mut::<Log>().unwrap().note("update")
                });
        }
    }
    let mut engine = engine();
    engine.add(Both).unwrap();
    step_of_10_ms(&mut engine);
    assert_eq!(frame_of(&mut engine, 20), "pre pre update update");
}

#[test]
fn events_of_steps_are_delivered_in_step_5_in_order() {
    #[derive(Clone, Copy)]
    struct Moved(u32);

    struct Mover(u32);
    impl System for Mover {
        fn setup(setup: &mut Setup<Self>) {
            setup.in_set::<Physics>().update(|mover: &mut Self, mut log: ResMut<Log>, mut moved: Sender<Moved>| {
                mover.0 += 1;
                log.note("move");
                moved.send(Moved(mover.0));
            });
        }
    }
    struct Second;
    impl System for Second {
        fn setup(setup: &mut Setup<Self>) {
            setup.in_set::<Physics>().update(|_: &mut Self, mut moved: Sender<Moved>| moved.send(Moved(0)));
            setup.listen(|_: &mut Self, moved: &Moved, mut log: ResMut<Log>| log.note(moved.0));
        }
    }
    for threads in [1, 2] {
        let mut engine = Engine::builder().threads(threads).parallel_threshold(0).build();
        engine.insert_resource(Log::default());
        engine.add(Mover(0)).unwrap().add(Second).unwrap();
        step_of_10_ms(&mut engine);
        assert_eq!(frame_of(&mut engine, 20), "move move 1 0 2 0", "{threads} threads");
    }
}

#[test]
fn steps_above_the_limit_are_dropped_or_kept() {
    let mut dropping = engine();
    dropping.add(Hit).unwrap();
    dropping.configure_set::<Physics>(|set| set.fixed_step(ms(10)).most_steps(2, Backlog::Drop)).unwrap();
    assert_eq!([frame_of(&mut dropping, 55), frame_of(&mut dropping, 5)], ["Hit Hit", "Hit"]);
    let mut keeping = engine();
    keeping.add(Hit).unwrap();
    keeping.configure_set::<Physics>(|set| set.fixed_step(ms(10)).most_steps(2, Backlog::Keep)).unwrap();
    assert_eq!(
        [frame_of(&mut keeping, 55), frame_of(&mut keeping, 0), frame_of(&mut keeping, 5)],
        ["Hit Hit", "Hit Hit", "Hit Hit"]
    );
    assert_eq!(frame_of(&mut keeping, 0), "");
}

#[test]
fn clock_stands_still_while_conditions_do_not_hold() {
    struct Paused(bool);
    let mut engine = engine();
    engine.insert_resource(Paused(false));
    engine.add(Hit).unwrap();
    engine.configure_set::<Physics>(|set| set.fixed_step(ms(10)).run_if(|paused: Res<Paused>| !paused.0)).unwrap();
    assert_eq!(frame_of(&mut engine, 14), "Hit");
    engine.insert_resource(Paused(true));
    assert_eq!(frame_of(&mut engine, 1000), "");
    engine.insert_resource(Paused(false));
    assert_eq!([frame_of(&mut engine, 5), frame_of(&mut engine, 1)], ["", "Hit"]);
}

#[test]
fn priority_of_a_block_is_the_highest_in_it() {
    let mut engine = engine();
    engine.add(Free).unwrap().add(Hit).unwrap().add(Move).unwrap();
    step_of_10_ms(&mut engine);
    assert_eq!(frame_of(&mut engine, 10), "Free Move Hit");
    engine.set_priority::<Hit>(Priority::HIGH).unwrap();
    assert_eq!(frame_of(&mut engine, 10), "Move Hit Free");
}

#[test]
fn sets_within_the_set_are_in_the_block() {
    struct Contacts;
    struct Outer;
    system!(Solve in update, in_set::<Contacts>());
    system!(Draw in update, after::<Contacts>());
    let mut engine = engine();
    engine.add(Draw).unwrap().add(Solve).unwrap().add(Move).unwrap().add(Hit).unwrap();
    step_of_10_ms(&mut engine);
    engine.configure_set::<Contacts>(|set| set.in_set::<Physics>().before::<Move>()).unwrap();
    engine.configure_set::<Physics>(|set| set.in_set::<Outer>()).unwrap();
    assert_eq!(frame_of(&mut engine, 20), "Solve Move Hit Solve Move Hit Draw");
}

#[test]
fn system_between_two_of_the_block_is_a_cycle() {
    system!(Between in update, after::<Move>(), before::<Hit>());
    let mut engine = engine();
    engine.add(Move).unwrap().add(Hit).unwrap().add(Between).unwrap();
    step_of_10_ms(&mut engine);
    let cycle = SetupError::Cycle { systems: vec!["Physics", "Between"] };
    assert_eq!(engine.order(), Err(cycle.into()));
}

#[test]
fn impossible_steps_are_refused() {
    struct Other;
    let problem = |error: Error| match error {
        Error::Setup(SetupError::Set { set, problem }) => format!("{set}: {problem}"),
        other => panic!("{other}"),
    };
    let mut engine = engine();
    let zero = engine.configure_set::<Physics>(|set| set.fixed_step(ms(0))).err().unwrap();
    assert_eq!(problem(zero), "Physics: its step is zero: give it a length");
    let limit = engine.configure_set::<Physics>(|set| set.most_steps(3, Backlog::Drop)).err().unwrap();
    assert_eq!(problem(limit), "Physics: it has a limit of steps, but no step: call `fixed_step` first");
    engine.add(Move).unwrap().add(Hit).unwrap();
    step_of_10_ms(&mut engine);
    engine.run_every::<Hit>(ms(5)).unwrap();
    let timer = problem(engine.update(ms(10)).unwrap_err());
    assert!(timer.starts_with("Physics: its system Hit has a timer"), "{timer}");
    engine.run_every::<Hit>(ms(0)).unwrap();
    assert_eq!(frame_of(&mut engine, 10), "Move Hit");
    engine.configure_set::<Other>(|set| set.fixed_step(ms(5))).unwrap();
    engine.configure_set::<Physics>(|set| set.in_set::<Other>()).unwrap();
    let two = problem(engine.update(ms(10)).unwrap_err());
    assert!(two.starts_with("Physics: its system Move is also in set Other"), "{two}");
}

#[test]
fn panic_ends_the_steps_of_the_phase_and_a_panic_before_the_block_loses_no_step() {
    #[derive(Clone, Copy, PartialEq)]
    enum Bomb {
        None,
        Early,
        InStep,
    }
    struct Fragile;
    impl System for Fragile {
        fn setup(setup: &mut Setup<Self>) {
            setup.in_set::<Physics>().update(|_: &mut Self, bomb: Res<Bomb>, mut log: ResMut<Log>| {
                log.note("step");
                assert!(*bomb != Bomb::InStep, "in a step");
            });
        }
    }
    struct Early;
    impl System for Early {
        fn setup(setup: &mut Setup<Self>) {
            setup.pre_update(|_: &mut Self, bomb: Res<Bomb>| assert!(*bomb != Bomb::Early, "early"));
        }
    }
    for threads in [1, 2] {
        let mut engine = Engine::builder().threads(threads).parallel_threshold(0).build();
        engine.insert_resource(Log::default());
        engine.insert_resource(Bomb::InStep);
        engine.add(Fragile).unwrap().add(Early).unwrap().add(Hit).unwrap();
        step_of_10_ms(&mut engine);
        assert!(catch_unwind(AssertUnwindSafe(|| engine.update(ms(30)))).is_err());
        assert_eq!(logged(&mut engine), "step Hit", "{threads} threads");
        engine.insert_resource(Bomb::Early);
        assert!(catch_unwind(AssertUnwindSafe(|| engine.update(ms(20)))).is_err());
        assert_eq!(logged(&mut engine), "");
        engine.insert_resource(Bomb::None);
        assert_eq!(frame_of(&mut engine, 0), "step Hit step Hit");
    }
}

#[test]
fn fixed_step_is_explained() {
    let mut engine = engine();
    engine.add(Move).unwrap().add(Hit).unwrap();
    step_of_10_ms(&mut engine);
    let text = engine.explain().unwrap().to_string();
    assert!(text.contains("set Physics: Move, Hit\n       as a block, once for each step of 10ms\n"), "{text}");
}

/// Counts its steps.
#[derive(Clone)]
struct Counter(u64);

impl System for Counter {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .in_set::<Physics>()
            .update(|counter: &mut Self| counter.0 += 1)
            .types(|types| types.system_by("counter", |counter: &Self, hash| _ = hash.number(counter.0)));
    }
}

fn counting(threads: usize) -> Engine {
    let mut engine = Engine::builder().threads(threads).parallel_threshold(0).build();
    engine.add(Counter(0)).unwrap();
    engine.configure_set::<Physics>(|set| set.fixed_step(ms(7)).most_steps(3, Backlog::Keep)).unwrap();
    engine
}

proptest! {
    /// The clock is in snapshots and hashes, and the number of steps is the one of whole numbers.
    #[test]
    fn restored_engine_makes_the_same_steps(
        before in prop::collection::vec(0_u64..60, 0..10),
        after in prop::collection::vec(0_u64..60, 1..10),
    ) {
        let (mut waited, mut steps) = (0, 0);
        let mut count = |delta: u64| {
            waited += delta;
            let made = (waited / 7).min(3);
            waited -= made * 7;
            steps += made;
            steps
        };
        let mut engine = counting(1);
        for delta in before {
            engine.update(ms(delta)).unwrap();
            prop_assert_eq!(engine.system::<Counter>().unwrap().0, count(delta));
        }
        let snapshot = engine.snapshot().unwrap();
        let mut others = [counting(2), counting(4)];
        for other in &mut others {
            other.restore(&snapshot).unwrap();
        }
        for delta in after {
            engine.update(ms(delta)).unwrap();
            prop_assert_eq!(engine.system::<Counter>().unwrap().0, count(delta));
            for other in &mut others {
                other.update(ms(delta)).unwrap();
                prop_assert_eq!(other.state_hash().unwrap(), engine.state_hash().unwrap());
            }
        }
        engine.restore(&snapshot).unwrap();
        prop_assert_eq!(engine.snapshot().unwrap().time(), snapshot.time());
    }
}

#[cfg(feature = "serde")]
#[test]
fn clock_is_saved_and_a_save_from_before_the_step_begins_with_an_empty_one() {
    let make = || {
        let mut engine = engine();
        engine.types_mut().leave_out_resource::<Log>();
        engine
    };
    let stepped = || {
        let mut engine = make();
        engine.add(Hit).unwrap();
        step_of_10_ms(&mut engine);
        engine
    };
    let mut engine = stepped();
    frame_of(&mut engine, 18);
    let (text, old) = (engine.save_text().unwrap(), make().save_text().unwrap());
    let mut loaded = stepped();
    loaded.load_text(&text).unwrap();
    assert_eq!([frame_of(&mut loaded, 1), frame_of(&mut loaded, 1)], ["", "Hit"]);
    frame_of(&mut loaded, 9);
    loaded.load_text(&old).unwrap();
    assert_eq!([frame_of(&mut loaded, 9), frame_of(&mut loaded, 1)], ["", "Hit"]);
}

#[test]
fn long_frames_do_not_overflow() {
    let mut engine = engine();
    engine.add(Hit).unwrap();
    engine
        .configure_set::<Physics>(|set| set.fixed_step(Duration::from_nanos(1)).most_steps(1, Backlog::Drop))
        .unwrap();
    engine.update(Duration::MAX).unwrap();
    engine.update(Duration::MAX).unwrap();
    assert_eq!(logged(&mut engine), "Hit Hit");
}

#[test]
fn panic_outside_of_a_frame_gives_no_steps_back() {
    struct Bomb;
    impl System for Bomb {
        fn setup(setup: &mut Setup<Self>) {
            setup.disabled().update(|_: &mut Self| panic!("bang"));
        }
    }
    for has_members in [false, true] {
        let mut engine = engine();
        engine.add(Bomb).unwrap();
        if has_members {
            engine.add(Hit).unwrap();
        }
        step_of_10_ms(&mut engine);
        frame_of(&mut engine, 35);
        assert!(catch_unwind(AssertUnwindSafe(|| engine.run_system::<Bomb>())).is_err());
        assert_eq!(engine.resource::<FixedStep<Physics>>().unwrap().overstep(), ms(5));
    }
}
