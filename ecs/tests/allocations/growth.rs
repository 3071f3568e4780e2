//! When memory grows: at the edge of the first frame that outgrew it, or beforehand if it is told how much it will be.

use ecs::{Engine, Sender, Setup, System};

use super::{FRAME, TOUCHES, touches_after};

#[derive(Clone, Copy)]
struct Ping(#[allow(dead_code)] [u64; 3]);

/// Sends as much in every frame.
struct Loud;

impl System for Loud {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send);
    }
}

impl Loud {
    fn send(&mut self, mut pings: Sender<Ping>) {
        (0..10_000).for_each(|n| pings.send(Ping([n; 3])));
    }
}

#[test]
fn frame_like_one_that_outgrew_its_memory_touches_nothing() {
    let mut engine = Engine::new();
    engine.add(Loud).unwrap();
    assert!(touches_after(0, |_| engine.update(FRAME).unwrap()) > 0, "the first frame makes room");
    let mut engine = Engine::new();
    engine.add(Loud).unwrap();
    assert_eq!(touches_after(1, |_| engine.update(FRAME).unwrap()), 0);
}

struct Ear;

impl System for Ear {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, _: &Ping| {});
    }
}

#[test]
fn room_for_events_is_made_when_it_is_asked_for() {
    let sent_within = |event_bytes: usize| {
        let mut engine = Engine::builder().event_bytes(event_bytes).build();
        // Whoever hears it makes the type known.
        engine.add(Ear).unwrap();
        let before = TOUCHES.get();
        (0..4_000).for_each(|n| engine.send(Ping([n; 3])));
        TOUCHES.get() - before
    };
    assert!(sent_within(0) > 0);
    assert_eq!(sent_within(100_000), 0);
}

#[test]
fn no_room_is_too_much_to_ask_for() {
    let mut engine = Engine::builder().event_bytes(usize::MAX).build();
    engine.send(Ping([1; 3]));
    engine.update(FRAME).unwrap();
}
