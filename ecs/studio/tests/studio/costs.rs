//! The time of systems and the memory.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ecs::prelude::*;
use ecs_studio::{CountingHeap, Studio};
use serde_json::{Value, json};

use super::{Bounced, ask, frame};

#[global_allocator]
static HEAP: CountingHeap = CountingHeap;

/// Takes 1 ms in a frame and 1 ms for each event; in each hundredth frame, it takes 50 ms and allocates three times.
struct Worker(Vec<Vec<u64>>);

static CLOCK_MS: AtomicU64 = AtomicU64::new(0);

impl System for Worker {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::work).listen(|_: &mut Self, _: &Bounced| _ = CLOCK_MS.fetch_add(1, Ordering::Relaxed));
    }
}

impl Worker {
    fn work(&mut self, time: Time) {
        let is_slow = time.frame().is_multiple_of(100);
        CLOCK_MS.fetch_add(if is_slow { 50 } else { 1 }, Ordering::Relaxed);
        if is_slow {
            self.0.extend((0..3).map(|number| vec![number]));
        }
    }
}

#[test]
fn costs_of_systems_and_memory_are_those_of_the_last_frames() {
    let mut engine = Engine::builder()
        .clock(|| Duration::from_millis(CLOCK_MS.load(Ordering::Relaxed)))
        .count_allocations(CountingHeap::of_this_thread)
        .build();
    engine.add(Worker(Vec::with_capacity(100))).unwrap();
    let mut studio = Studio::new();
    let worker = |studio: &mut Studio<Engine>, engine: &mut Engine| {
        ask(studio, engine, json!({ "op": "systems" }))["systems"][0].clone()
    };
    (0..30).for_each(|_| _ = frame(&mut studio, &mut engine));
    assert_eq!(
        worker(&mut studio, &mut engine)["run_ms"],
        Value::Null,
        "nothing was measured before the first request"
    );
    for _ in 30..150 {
        engine.send(Bounced { ball: EntityId::default(), speed_mps: 1.0 });
        frame(&mut studio, &mut engine);
    }
    // 119 frames of 1 ms, one of 50 ms, and 1 ms for an event in each.
    let shown = worker(&mut studio, &mut engine);
    assert!((shown["run_ms"].as_f64().unwrap() - 169.0 / 120.0).abs() < 1e-5, "{shown}");
    assert_eq!((&shown["listen_ms"], &shown["slow_ms"]), (&json!(1.0), &json!(2.0)), "99 % take 2 ms");
    assert_eq!(shown["most_allocations"], 3);
    let memory = ask(&mut studio, &mut engine, json!({ "op": "memory" }));
    let history = memory["history"].as_array().unwrap();
    let frames: Vec<_> = history.iter().map(|sample| sample["frame"].as_u64().unwrap()).collect();
    assert_eq!(frames, [30, 45, 60, 75, 90, 105, 120, 135, 150]);
    let last = history.last().unwrap();
    let sum: u64 = ["values", "indices", "buffers", "other"].iter().map(|part| last[part].as_u64().unwrap()).sum();
    assert_eq!(json!(sum), memory["bytes"]);
}
