//! Programs with one fault each, and programs without.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ecs::EngineBuilder;
use ecs::prelude::*;
use ecs_prove::{Refuted, prove};

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Heat {
    degrees: u32,
    #[serde(skip)]
    lost: u32,
}

fn make(engine: EngineBuilder) -> Result<Engine, Box<dyn std::error::Error + Send + Sync>> {
    let mut engine = engine.seed(7).build();
    let types = engine.types_mut();
    types.component_by::<Heat>("heat", |heat, hash| _ = hash.add(&heat.degrees).add(&heat.lost))?.save::<Heat>(1)?;
    engine.show::<Heat>();
    engine.spawn((Heat { degrees: 7, lost: 0 },));
    Ok(engine)
}

fn step(engine: &mut Engine, _: u64) -> Result<(), ecs::Error> {
    engine.update(Duration::from_millis(16))
}

fn warm(mut heat: Query<&mut Heat>) {
    heat.iter_mut().for_each(|heat| heat.degrees += 1);
}

fn double(mut heat: Query<&mut Heat>) {
    heat.iter_mut().for_each(|heat| heat.degrees = heat.degrees.wrapping_mul(2));
}

fn nothing() {}

/// Keeps what no snapshot holds.
fn count(mut heat: Query<&mut Heat>) {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let calls = CALLS.fetch_add(1, Ordering::Relaxed);
    heat.iter_mut().for_each(|heat| heat.degrees += calls);
}

#[test]
fn a_program_without_faults_is_proved() {
    let make = |builder| {
        let mut engine = make(builder)?;
        engine.add((nothing, warm))?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(engine)
    };
    let proof = prove(make, step).frames(30).orders(0..4).run().unwrap();
    assert_eq!((proof.frames, proof.checked, proof.not_saved), (30, 30, None));
}

#[test]
fn state_outside_is_reported_with_system_field_and_values() {
    let make = |builder| {
        let mut engine = make(builder)?;
        engine.add((nothing, warm))?;
        engine.add((count, double.after(warm)))?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(engine)
    };
    let refuted = prove(make, step).run().unwrap_err();
    let fault = refuted.fault().unwrap_or_else(|| panic!("{refuted}"));
    assert_eq!(fault.frame, 1);
    assert_eq!(fault.field.as_ref().map(|(field, ..)| field.as_str()), Some("degrees"));
    assert_eq!(fault.systems.len(), 1, "{refuted}");
    assert_eq!(fault.systems[0].system, "count", "{refuted}");
    assert_eq!(fault.systems[0].phases, ["update"]);
    assert!(refuted.to_string().contains("component \"heat\" of entity"), "{refuted}");
}

#[test]
fn state_in_a_closure_is_refused_by_its_name() {
    let make = |builder| {
        let mut engine = make(builder)?;
        let mut calls = 0;
        let counts = move |mut heat: Query<&mut Heat>| {
            calls += 1;
            heat.iter_mut().for_each(|heat| heat.degrees += calls);
        };
        engine.add(counts)?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(engine)
    };
    let refuted = prove(make, step).run().unwrap_err().to_string();
    assert!(refuted.starts_with("cannot take a snapshot: function state_in_a_closure"), "{refuted}");
}

#[test]
fn a_field_that_a_save_loses_is_named() {
    let make = |builder| {
        let mut engine = make(builder)?;
        engine.add(|mut heat: Query<&mut Heat>| heat.iter_mut().for_each(|heat| heat.lost += 1))?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(engine)
    };
    match prove(make, step).run().unwrap_err() {
        Refuted::Fault(fault) => assert_eq!(fault.field.as_ref().unwrap().0, "lost", "{fault}"),
        // Saving compares what it writes with what it reads.
        Refuted::Failed { attempt, error } => {
            assert_eq!(attempt, "save");
            assert!(error.to_string().contains("heat"), "{error}");
        }
    }
}

#[test]
fn two_systems_without_an_order_are_the_smallest_cause() {
    let make = |builder| {
        let mut engine = make(builder)?;
        engine.add((nothing, warm, double))?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(engine)
    };
    let proof = prove(make, step).frames(20).run();
    assert!(proof.is_ok(), "the order of registration counts unless orders are shuffled");
    let refuted = prove(make, step).orders(0..8).run().unwrap_err();
    let fault = refuted.fault().unwrap_or_else(|| panic!("{refuted}"));
    let mut systems: Vec<_> = fault.systems.iter().map(|blamed| blamed.system.as_str()).collect();
    systems.sort_unstable();
    assert_eq!(systems, ["double", "warm"], "{refuted}");
}

#[test]
fn a_second_program_that_begins_differently_is_reported() {
    let made = std::cell::Cell::new(0_u32);
    let make = |builder| {
        let mut engine = make(builder)?;
        made.set(made.get() + 1);
        engine.spawn((Heat { degrees: made.get(), lost: 0 },));
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(engine)
    };
    let refuted = prove(make, step).run().unwrap_err();
    assert!(refuted.to_string().starts_with("frame 0: made a second time"), "{refuted}");
}

#[test]
fn run_that_panics_is_told_with_the_way_it_was_run() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    static ENOUGH: AtomicU32 = AtomicU32::new(0);
    fn fragile() {
        let calls = CALLS.fetch_add(1, Ordering::Relaxed) + 1;
        assert!(calls < ENOUGH.load(Ordering::Relaxed), "that is enough");
    }
    let make = |builder| {
        let mut engine = make(builder)?;
        engine.add(fragile)?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(engine)
    };
    let ways = [
        "run a frame",
        "run frame 1 once more, run from its snapshot in another engine",
        "run frame 1 once more, run again from its snapshot",
        "run frame 1 once more, saved, loaded and then run",
        "run frame 1 once more, run with 2 threads",
    ];
    for (calls, way) in (1..).zip(ways) {
        CALLS.store(0, Ordering::Relaxed);
        ENOUGH.store(calls, Ordering::Relaxed);
        let refuted = prove(make, step).run().unwrap_err().to_string();
        assert_eq!(refuted, format!("cannot {way}: system fragile panicked in update: that is enough"));
    }
    let breaks = |_: EngineBuilder| -> Result<Engine, ecs::Error> { panic!("there is nothing") };
    assert_eq!(prove(breaks, step).run().unwrap_err().to_string(), "cannot make the program: there is nothing");
}

/// A program that enables its systems itself, as a game whose match begins, between the frames.
#[test]
fn a_system_is_named_that_the_program_enables_in_the_frame_before() {
    let step = |engine: &mut Engine, at: u64| -> Result<(), ecs::Error> {
        engine.update(Duration::from_millis(16))?;
        if at == 4 {
            for name in ["count", "nothing"] {
                let state = engine.work_state().with_named(name, true).unwrap();
                engine.set_work_state(&state)?;
            }
        }
        Ok(())
    };
    let make = |builder| {
        let mut engine = make(builder)?;
        engine.add((nothing, warm, count))?;
        for name in ["count", "nothing"] {
            let state = engine.work_state().with_named(name, false).unwrap();
            engine.set_work_state(&state)?;
        }
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(engine)
    };
    let refuted = prove(make, step).frames(10).run().unwrap_err();
    let fault = refuted.fault().unwrap();
    assert_eq!(fault.frame, 6, "{refuted}");
    assert_eq!(fault.systems.iter().map(|system| &*system.system).collect::<Vec<_>>(), ["count"], "{refuted}");
}

/// The first one in the order of rows wins.
fn race(mut heat: Query<&mut Heat>) {
    let mut first = true;
    for heat in &mut heat {
        heat.degrees += if std::mem::take(&mut first) { 5 } else { 1 };
    }
}

#[test]
fn dependence_on_the_order_of_rows_is_found_if_it_is_asked_for() {
    let with = |is_a_race: bool, rows: u64| {
        let make = move |builder| {
            let mut engine = make(builder)?;
            (0..5).for_each(|_| _ = engine.spawn((Heat { degrees: 7, lost: 0 },)));
            let hidden = engine.spawn((Heat { degrees: 9, lost: 0 }, 7_u8));
            engine.disable(hidden)?;
            engine.types_mut().component::<u8>("mark")?.save::<u8>(1)?;
            match is_a_race {
                true => engine.add((nothing, race))?,
                false => engine.add((nothing, warm))?,
            };
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>(engine)
        };
        prove(make, step).frames(4).rows(0..rows).run()
    };
    assert_eq!(with(true, 0).unwrap().frames, 4, "in the order that it has, it repeats");
    let refuted = with(true, 4).unwrap_err();
    let fault = refuted.fault().unwrap();
    assert_eq!(fault.systems.iter().map(|system| &*system.system).collect::<Vec<_>>(), ["race"], "{refuted}");
    assert!(refuted.to_string().contains("with the rows of its entities shuffled (seed 0)"), "{refuted}");
    assert!(refuted.to_string().contains("degrees 12 at first, degrees 8 then"), "{refuted}");
    assert_eq!(with(false, 4).unwrap().frames, 4);
}

/// The same in all runs of one process: the seed of a hash table that is made once.
fn warm_by_seed(mut heat: Query<&mut Heat>) {
    static SEED: std::sync::LazyLock<u64> = std::sync::LazyLock::new(|| {
        use std::hash::BuildHasher;
        std::hash::RandomState::new().hash_one(0)
    });
    heat.iter_mut().for_each(|heat| heat.degrees = heat.degrees.wrapping_add(*SEED as u32));
}

#[test]
fn what_is_the_same_within_a_process_alone_is_found_in_another_one() {
    let with = |is_faulty: bool, processes: u32| {
        let make = move |builder| {
            let mut engine = make(builder)?;
            match is_faulty {
                true => engine.add((nothing, warm, warm_by_seed))?,
                false => engine.add((nothing, warm))?,
            };
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>(engine)
        };
        prove(make, step).frames(5).processes(processes).run()
    };
    assert_eq!(with(true, 0).unwrap().frames, 5, "one process does not show it");
    let refuted = with(true, 2).unwrap_err();
    let fault = refuted.fault().unwrap();
    assert_eq!((fault.frame, &*fault.difference.name), (1, "heat"), "{refuted}");
    assert_eq!(fault.systems.iter().map(|system| &*system.system).collect::<Vec<_>>(), ["warm_by_seed"], "{refuted}");
    assert!(refuted.to_string().starts_with("frame 1: run in a process of its own, the frame ends in another state"));
}

#[test]
fn a_program_that_repeats_in_other_processes_is_proved() {
    let make = |builder| {
        let mut engine = make(builder)?;
        engine.add((nothing, warm))?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(engine)
    };
    assert_eq!(prove(make, step).frames(20).processes(2).run().unwrap().frames, 20);
}

/// Wrong once.
fn warm_seldom(mut heat: Query<&mut Heat>) {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let is_wrong = CALLS.fetch_add(1, Ordering::Relaxed) == 99;
    heat.iter_mut().for_each(|heat| heat.degrees += 1 + u32::from(is_wrong));
}

#[test]
fn fault_that_comes_seldom_blames_no_other_system() {
    let make = |builder| {
        let mut engine = make(builder)?;
        engine.add((nothing, double, warm_seldom))?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(engine)
    };
    let refuted = prove(make, step).frames(200).run().unwrap_err();
    let fault = refuted.fault().unwrap();
    assert!(fault.comes_seldom && fault.systems.is_empty(), "{refuted}");
    assert!(refuted.to_string().contains("it comes only sometimes, so no smallest cause is known"), "{refuted}");
    assert!(fault.writers[0].as_ref().unwrap().contains("warm_seldom"), "{refuted}");
}

/// Wrong once in many calls.
fn warm_sometimes(mut heat: Query<&mut Heat>) {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let is_wrong = CALLS.fetch_add(1, Ordering::Relaxed) % 41 == 20;
    heat.iter_mut().for_each(|heat| heat.degrees += 1 + u32::from(is_wrong));
}

#[test]
fn fault_that_comes_now_and_then_is_repeated_until_its_system_is_known() {
    let make = |builder| {
        let mut engine = make(builder)?;
        engine.add((nothing, double, warm_sometimes))?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(engine)
    };
    let refuted = prove(make, step).frames(200).run().unwrap_err();
    let fault = refuted.fault().unwrap();
    let names: Vec<_> = fault.systems.iter().map(|system| &*system.system).collect();
    assert_eq!(names, ["warm_sometimes"], "{refuted}");
}
