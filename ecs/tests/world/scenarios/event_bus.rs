//! The event bus and its arena without an engine.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::event::{EventBus, FrameArena, Outbox};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Small(u8);

/// Larger than its neighbours, with an alignment of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
struct Large(u64, [u8; 40]);

#[derive(Clone, Copy)]
struct Empty;

/// What listeners heard: the listener, and the number of the event.
type Log = Vec<(char, u64)>;

fn bus() -> EventBus<Log> {
    let mut bus = EventBus::new();
    bus.listen(|log: &mut Log, small: &Small, outbox: &mut Outbox| {
        log.push(('a', small.0.into()));
        if small.0 > 0 {
            outbox.send(Large(u64::from(small.0) - 1, [small.0; 40]));
        }
    });
    bus.listen(|log: &mut Log, small: &Small, _: &mut Outbox| log.push(('b', small.0.into())));
    bus.listen(|log: &mut Log, large: &Large, _: &mut Outbox| {
        assert!(large.1.iter().all(|byte| u64::from(*byte) == large.0 + 1));
        log.push(('c', large.0));
    });
    bus
}

#[test]
fn events_reach_each_listener_once_in_order() {
    let mut bus = bus();
    let mut log = Log::new();
    bus.send(Small(2));
    bus.send(Small(0));
    bus.send(Empty);
    assert_eq!(bus.waiting(), 3);
    assert_eq!(bus.dispatch(&mut log), Ok(5));
    assert_eq!(log, [('a', 2), ('a', 0), ('b', 2), ('b', 0), ('c', 1)]);
    assert_eq!((bus.waiting(), bus.dispatch(&mut log)), (0, Ok(0)));
    let counters = bus.counters::<Small>().unwrap();
    assert_eq!((counters.sent, counters.delivered), (2, 4));
    assert!(bus.counters::<u8>().is_none());
}

#[test]
fn endless_cascade_names_its_cycle_and_leaves_a_usable_bus() {
    let mut bus = EventBus::<u32>::with_rounds(5);
    bus.listen(|count: &mut u32, _: &Small, outbox: &mut Outbox| {
        *count += 1;
        outbox.send(Large(0, [1; 40]));
    });
    bus.listen(|_: &mut u32, _: &Large, outbox: &mut Outbox| outbox.send(Small(0)));
    bus.send(Small(0));
    let mut count = 0;
    let endless = bus.dispatch(&mut count).unwrap_err();
    assert_eq!((endless.cycle.as_slice(), endless.rounds, count), (&["Large", "Small"][..], 5, 3));
    assert_eq!((bus.waiting(), bus.dispatch(&mut count)), (0, Ok(0)));
}

#[test]
fn panic_ends_the_run_and_the_events_behind_it_wait() {
    let mut bus = EventBus::<Log>::new();
    bus.listen(|log: &mut Log, small: &Small, _: &mut Outbox| {
        assert_ne!(small.0, 1, "as wanted");
        log.push(('a', small.0.into()));
    });
    bus.listen(|log: &mut Log, _: &Empty, _: &mut Outbox| log.push(('e', 0)));
    let mut log = Log::new();
    bus.send(Small(0));
    bus.send(Small(1));
    bus.send(Empty);
    bus.send(Small(2));
    catch_unwind(AssertUnwindSafe(|| bus.dispatch(&mut log))).unwrap_err();
    assert_eq!(bus.waiting(), 2);
    bus.dispatch(&mut log).unwrap();
    assert_eq!(log, [('a', 0), ('e', 0), ('a', 2)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 128 }))]

    /// Compared with vectors, over frames of any size.
    #[test]
    fn arena_equals_vectors(frames in prop::collection::vec(prop::collection::vec((0_u8..3, any::<u8>()), 0..120), 1..6)) {
        let mut arena = FrameArena::with_capacity(100);
        for values in frames {
            let (mut small, mut large, mut empty) = (Vec::new(), Vec::new(), 0);
            for (kind, value) in values {
                match kind {
                    0 => small.push(Small(value)),
                    1 => large.push(Large(value.into(), [value; 40])),
                    _ => empty += 1,
                }
                match kind {
                    0 => arena.store(Small(value)),
                    1 => arena.store(Large(value.into(), [value; 40])),
                    _ => arena.store(Empty),
                }
                if value == 0 {
                    prop_assert_eq!(arena.iter::<Small>().count(), small.len());
                }
            }
            prop_assert_eq!(arena.iter::<Small>().copied().collect::<Vec<_>>(), small);
            prop_assert_eq!(arena.iter::<Large>().copied().collect::<Vec<_>>(), large);
            prop_assert_eq!(arena.iter::<Empty>().count(), empty);
            prop_assert_eq!(arena.iter::<u64>().count(), 0);
            arena.clear();
            prop_assert!(arena.is_empty());
        }
    }
}
