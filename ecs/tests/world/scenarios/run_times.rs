//! Run times of systems, listeners and frames by a given clock; without a clock nothing is measured.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ecs::{Engine, Sender, Setup, System, World, system::SystemInfo};

use super::log::FRAME;

/// Seconds of a clock that advances only in `work`.
fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// An engine whose clock is advanced by `work`. Each test has its own, since tests run in parallel.
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

/// Takes 1 s in pre-update, 2 s in update, 4 s in post-update, 8 s in its exclusive method and 16 s for each bell.
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

/// Listens to bells, a minute for each.
struct Listener(fn(u64));

impl System for Listener {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|listener: &mut Self, _: &Bell| (listener.0)(60));
    }
}

fn info(engine: &Engine, name: &str) -> SystemInfo {
    engine.systems().iter().find(|system| system.name == name).unwrap()
}

#[test]
fn time_of_a_system_is_the_sum_of_its_methods() {
    let (builder, work) = clock!(NOW);
    let mut engine = builder.build();
    engine.add(Worker { work, rings: true }).unwrap().add(Listener(work)).unwrap();
    engine.update(FRAME).unwrap();
    let (worker, listener) = (info(&engine, "Worker"), info(&engine, "Listener"));
    assert_eq!((worker.runs, worker.run_time, worker.listen_time), (3, seconds(15), seconds(32)));
    assert_eq!((listener.runs, listener.run_time, listener.listen_time), (0, seconds(0), seconds(120)));
    let handler_time = engine.events().counters::<Bell>().unwrap().handler_time;
    assert_eq!(
        handler_time,
        worker.listen_time + listener.listen_time,
        "an event type has the time of all its listeners"
    );
    engine.update(FRAME).unwrap();
    assert_eq!(info(&engine, "Worker").runs, 6, "times add up from frame to frame");
}

#[test]
fn time_of_a_frame_includes_all_its_work() {
    let (builder, work) = clock!(NOW);
    let mut engine = builder.build();
    engine.add(Worker { work, rings: true }).unwrap().add(Listener(work)).unwrap();
    engine.update(FRAME).unwrap();
    engine.update(FRAME).unwrap();
    let times = engine.frame_times();
    let in_systems: Duration = engine.systems().iter().map(|system| system.run_time + system.listen_time).sum();
    assert_eq!((times.frames, times.total), (2, in_systems), "nothing else advanced the clock");
}

#[test]
fn work_outside_of_frames_is_not_measured() {
    let (builder, work) = clock!(NOW);
    let mut engine = builder.build();
    engine.add(Worker { work, rings: false }).unwrap();
    engine.update(FRAME).unwrap();
    engine.run_system::<Worker>().unwrap();
    assert_eq!((info(&engine, "Worker").runs, info(&engine, "Worker").run_time), (3, seconds(15)));
    assert_eq!(engine.frame_times().total, seconds(15));
}

#[test]
fn nothing_is_measured_without_a_clock() {
    let mut engine = Engine::new();
    engine.add(Worker { work: |_| {}, rings: true }).unwrap();
    engine.update(FRAME).unwrap();
    let worker = info(&engine, "Worker");
    assert_eq!((worker.runs, worker.run_time, worker.listen_time), (0, Duration::ZERO, Duration::ZERO));
    assert_eq!(engine.frame_times(), ecs::system::FrameTimes::default());
}

#[test]
#[cfg(feature = "parallel")]
fn number_of_runs_is_the_same_at_any_number_of_threads() {
    let (builder, work) = clock!(NOW);
    let mut engine = builder.threads(4).parallel_threshold(0).build();
    engine.add(Worker { work, rings: true }).unwrap().add(Listener(work)).unwrap();
    engine.update(FRAME).unwrap();
    let worker = info(&engine, "Worker");
    assert_eq!((worker.runs, worker.run_time, worker.listen_time), (3, seconds(15), seconds(32)));
    assert_eq!(engine.frame_times().frames, 1);
}
