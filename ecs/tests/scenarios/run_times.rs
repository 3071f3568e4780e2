//! What a clock tells of systems, listeners and frames; and that without one nothing is measured.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ecs::{Engine, Sender, Setup, System, World, system::SystemInfo};

use super::log::FRAME;

/// A second of a clock that stands still unless somebody works.
fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// An engine whose clock `work` moves on; each test has its own, since tests run side by side.
macro_rules! clock {
    ($now:ident) => {{
        static $now: AtomicU64 = AtomicU64::new(0);
        (
            Engine::builder().clock(|| seconds($now.load(Ordering::Relaxed))),
            (|count| {
                $now.fetch_add(count, Ordering::Relaxed);
            }) as fn(u64),
        )
    }};
}

#[derive(Clone, Copy)]
struct Bell;

/// Takes 1 s before the updates, 2 s in update, 4 s in post-update, 8 s with the whole world and 16 s for each bell.
struct Worker {
    work: fn(u64),
    rings: bool,
}

impl System for Worker {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .pre_update(|worker: &mut Self| (worker.work)(1))
            .update(Self::ring)
            .post_update(|worker: &mut Self| (worker.work)(4))
            .update_exclusive(|worker: &mut Self, _: &mut World| (worker.work)(8))
            .listen(|worker: &mut Self, _: &Bell| (worker.work)(16));
    }
}

impl Worker {
    fn ring(&mut self, mut bells: Sender<Bell>) {
        (self.work)(2);
        if self.rings {
            bells.send(Bell);
            bells.send(Bell);
        }
    }
}

/// Hears bells, a minute for each.
struct Ear(fn(u64));

impl System for Ear {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|ear: &mut Self, _: &Bell| (ear.0)(60));
    }
}

fn info(engine: &Engine, name: &str) -> SystemInfo {
    engine.systems().iter().find(|system| system.name == name).unwrap()
}

#[test]
fn each_system_has_the_time_that_its_methods_took() {
    let (builder, work) = clock!(NOW);
    let mut engine = builder.build();
    engine.add(Worker { work, rings: true }).unwrap().add(Ear(work)).unwrap();
    engine.update(FRAME).unwrap();
    let (worker, ear) = (info(&engine, "Worker"), info(&engine, "Ear"));
    assert_eq!((worker.runs, worker.run_time, worker.listen_time), (3, seconds(15), seconds(32)));
    assert_eq!((ear.runs, ear.run_time, ear.listen_time), (0, seconds(0), seconds(120)));
    let handler_time = engine.events().counters::<Bell>().unwrap().handler_time;
    assert_eq!(handler_time, worker.listen_time + ear.listen_time, "an event type has the time of all its listeners");
    engine.update(FRAME).unwrap();
    assert_eq!(info(&engine, "Worker").runs, 6, "times add up from frame to frame");
}

#[test]
fn a_frame_has_the_time_of_all_that_is_done_in_it() {
    let (builder, work) = clock!(NOW);
    let mut engine = builder.build();
    engine.add(Worker { work, rings: true }).unwrap().add(Ear(work)).unwrap();
    engine.update(FRAME).unwrap();
    engine.update(FRAME).unwrap();
    let times = engine.frame_times();
    let in_systems: Duration = engine.systems().iter().map(|system| system.run_time + system.listen_time).sum();
    assert_eq!((times.frames, times.total), (2, in_systems), "nothing else moved the clock on");
}

#[test]
fn what_runs_outside_of_frames_is_not_measured() {
    let (builder, work) = clock!(NOW);
    let mut engine = builder.build();
    engine.add(Worker { work, rings: false }).unwrap();
    engine.update(FRAME).unwrap();
    engine.run_system::<Worker>().unwrap();
    assert_eq!((info(&engine, "Worker").runs, info(&engine, "Worker").run_time), (3, seconds(15)));
    assert_eq!(engine.frame_times().total, seconds(15));
}

#[test]
fn without_a_clock_nothing_is_measured() {
    let mut engine = Engine::new();
    engine.add(Worker { work: |_| {}, rings: true }).unwrap();
    engine.update(FRAME).unwrap();
    let worker = info(&engine, "Worker");
    assert_eq!((worker.runs, worker.run_time, worker.listen_time), (0, Duration::ZERO, Duration::ZERO));
    assert_eq!(engine.frame_times(), ecs::system::FrameTimes::default());
}

#[test]
#[cfg(feature = "parallel")]
fn threads_measure_the_same_runs() {
    let (builder, work) = clock!(NOW);
    let mut engine = builder.threads(4).parallel_threshold(0).build();
    engine.add(Worker { work, rings: true }).unwrap().add(Ear(work)).unwrap();
    engine.update(FRAME).unwrap();
    let worker = info(&engine, "Worker");
    assert_eq!((worker.runs, worker.run_time, worker.listen_time), (3, seconds(15), seconds(32)));
    assert_eq!(engine.frame_times().frames, 1);
}
