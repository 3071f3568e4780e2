//! Intervals without drift, one-shot timers, and disabled timers.

use std::time::Duration;

use ecs::{Engine, Setup, System, Time};

use crate::ms;

/// Logs the frames in which it ran, with the time that it was passed.
#[derive(Default)]
struct Ticker(Vec<(u64, u64)>);

impl System for Ticker {
    fn setup(setup: &mut Setup<Self>) {
        setup.every(ms(100)).pre_update(Self::begin).update(Self::tick);
    }
}

impl Ticker {
    fn begin(&mut self, time: Time) {
        self.0.push((time.frame(), time.delta().as_millis() as u64));
    }

    fn tick(&mut self, time: Time) {
        let begun = self.0.last().unwrap();
        assert_eq!(*begun, (time.frame(), time.delta().as_millis() as u64), "all phases of a frame agree");
    }
}

fn runs(engine: &Engine) -> &[(u64, u64)] {
    &engine.system::<Ticker>().unwrap().0
}

#[test]
fn interval_keeps_its_remainder_and_delta_is_the_time_since_the_last_run() {
    let mut engine = Engine::new();
    engine.add(Ticker::default()).unwrap();
    for _ in 0..7 {
        engine.update(ms(70)).unwrap();
    }
    assert_eq!(runs(&engine), [(2, 140), (3, 70), (5, 140), (6, 70)]);
}

#[test]
fn ten_thousand_frames_do_not_drift() {
    let mut engine = Engine::new();
    engine.add(Ticker::default()).unwrap();
    for _ in 0..10_000 {
        engine.update(Duration::from_nanos(16_666_667)).unwrap();
    }
    assert_eq!(runs(&engine).len(), 1_666);
}

#[test]
fn long_frame_runs_once_with_the_sum() {
    let mut engine = Engine::new();
    engine.add(Ticker::default()).unwrap();
    engine.update(ms(350)).unwrap();
    engine.update(ms(50)).unwrap();
    assert_eq!(runs(&engine), [(1, 350), (2, 50)]);
}

#[test]
fn no_time_passes_while_disabled() {
    let mut engine = Engine::new();
    engine.add(Ticker::default()).unwrap();
    engine.update(ms(90)).unwrap();
    engine.disable_system::<Ticker>().unwrap();
    engine.update(ms(1_000)).unwrap();
    engine.enable_system::<Ticker>().unwrap();
    engine.update(ms(5)).unwrap();
    engine.update(ms(5)).unwrap();
    assert_eq!(runs(&engine), [(4, 100)]);
}

#[test]
fn timer_can_be_set_between_frames() {
    let mut engine = Engine::new();
    engine.add(Ticker::default()).unwrap();
    engine.run_every::<Ticker>(Duration::ZERO).unwrap();
    engine.update(ms(1)).unwrap();
    engine.run_once_after::<Ticker>(ms(10)).unwrap();
    for _ in 0..5 {
        engine.update(ms(6)).unwrap();
    }
    assert_eq!(runs(&engine), [(1, 1), (3, 12)]);
    engine.run_once_after::<Ticker>(Duration::ZERO).unwrap();
    engine.update(Duration::ZERO).unwrap();
    engine.update(Duration::ZERO).unwrap();
    assert_eq!(runs(&engine)[2..], [(7, 0)]);
}

/// Runs once and always listens.
#[derive(Default)]
struct Fuse {
    ran: u32,
    received: u32,
}

#[derive(Clone, Copy)]
struct Spark;

impl System for Fuse {
    fn setup(setup: &mut Setup<Self>) {
        setup.once_after(ms(50)).update(Self::burn).listen(Self::on_spark);
    }
}

impl Fuse {
    fn burn(&mut self) {
        self.ran += 1;
    }

    fn on_spark(&mut self, _: &Spark) {
        self.received += 1;
    }
}

#[test]
fn one_shot_runs_once_and_always_listens() {
    let mut engine = Engine::new();
    engine.add(Fuse::default()).unwrap();
    for frame in 1..=5 {
        engine.send(Spark);
        engine.update(ms(20)).unwrap();
        let fuse = engine.system::<Fuse>().unwrap();
        assert_eq!((fuse.ran, fuse.received), (u32::from(frame >= 3), frame));
    }
}
