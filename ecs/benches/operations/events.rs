//! A million events of one type, sent and delivered.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use ecs::{Engine, ResMut, Sender, Setup, System};

use super::FRAME;

const COUNT: usize = 1_000_000;

#[derive(Clone, Copy)]
struct Hit {
    target: u32,
    damage: u32,
}

/// Sends a million events and listens to them.
#[derive(Default)]
struct Hits {
    total: u64,
}

impl System for Hits {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send).listen(Self::on_hit);
    }
}

impl Hits {
    fn send(&mut self, mut hits: Sender<Hit>) {
        (0..COUNT as u32).for_each(|n| hits.send(Hit { target: n, damage: n & 3 }));
    }

    fn on_hit(&mut self, hit: &Hit) {
        self.total += u64::from(hit.damage ^ hit.target);
    }
}

/// As [`Hits`], but the listener has a parameter.
struct Ledger;

impl System for Ledger {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send).listen(Self::on_hit);
    }
}

impl Ledger {
    fn send(&mut self, mut hits: Sender<Hit>) {
        (0..COUNT as u32).for_each(|n| hits.send(Hit { target: n, damage: n & 3 }));
    }

    fn on_hit(&mut self, hit: &Hit, mut total: ResMut<u64>) {
        *total += u64::from(hit.damage ^ hit.target);
    }
}

#[divan::bench]
fn floor_push_to_a_vec_and_iterate(bencher: Bencher) {
    let mut events = Vec::new();
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        events.clear();
        (0..COUNT as u32).for_each(|n| events.push(Hit { target: n, damage: n & 3 }));
        black_box(&events).iter().map(|hit| u64::from(hit.damage ^ hit.target)).sum::<u64>()
    });
}

#[divan::bench]
fn send_and_listen(bencher: Bencher) {
    let mut engine = Engine::new();
    engine.add(Hits::default()).expect("the system is valid");
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| engine.update(FRAME).expect("the frame succeeds"));
}

#[divan::bench]
fn send_and_listen_with_a_resource(bencher: Bencher) {
    let mut engine = Engine::new();
    engine.insert_resource(0_u64);
    engine.add(Ledger).expect("the system is valid");
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| engine.update(FRAME).expect("the frame succeeds"));
}
