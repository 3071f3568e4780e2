//! References to zero-sized events must be aligned, too.

use std::time::Duration;

use ecs::{Engine, Sender, Setup, System};

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Tick;

#[derive(Clone, Copy)]
struct Number(u64);

/// Sends events of both types alternately.
struct Clock;

impl System for Clock {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::tick);
    }
}

impl Clock {
    fn tick(&mut self, mut ticks: Sender<Tick>, mut numbers: Sender<Number>) {
        for n in 0..5 {
            (0..n + 1).for_each(|_| ticks.send(Tick));
            (0..n).for_each(|_| numbers.send(Number(n)));
        }
    }
}

/// Counts ticks and adds numbers.
#[derive(Default)]
struct Counter {
    ticks: u64,
    sum: u64,
}

impl System for Counter {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_tick).listen(Self::on_number);
    }
}

impl Counter {
    fn on_tick(&mut self, tick: &Tick) {
        assert_eq!(std::ptr::from_ref(tick).addr() % align_of::<Tick>(), 0, "the reference is aligned");
        self.ticks += 1;
    }

    fn on_number(&mut self, number: &Number) {
        self.sum += number.0;
    }
}

#[test]
fn zero_sized_events_are_aligned() {
    let mut engine = Engine::new();
    engine.add(Clock).unwrap().add(Counter::default()).unwrap();
    for frame in 1..4 {
        engine.send(Tick);
        engine.send(Number(0));
        engine.send(Tick);
        engine.update(Duration::from_millis(1)).unwrap();
        let Counter { ticks, sum } = engine.system::<Counter>().unwrap();
        assert_eq!((*ticks, *sum), (frame * 17, frame * 30));
    }
    let counters = engine.events().counters::<Tick>().unwrap();
    assert_eq!((counters.sent, counters.bytes), (51, 0));
}
