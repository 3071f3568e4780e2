//! The largest possible dispatch limits.

use std::time::Duration;

use ecs::{Engine, Error, Query, Sender, Setup, System};

#[derive(Clone, Copy)]
struct Ping(u32);

/// Answers each event with one that counts down, and with a second one if the cascade is endless.
struct Echo {
    is_endless: bool,
}

impl System for Echo {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_ping);
    }
}

impl Echo {
    fn on_ping(&mut self, ping: &Ping, mut pings: Sender<Ping>) {
        if self.is_endless || ping.0 > 0 {
            pings.send(Ping(ping.0.saturating_sub(1)));
        }
    }
}

fn update_with_limits(rounds: usize, events: usize, is_endless: bool) -> (Result<(), Error>, u64) {
    let mut engine = Engine::builder().dispatch_rounds(rounds).dispatch_events(events).build();
    engine.add(Echo { is_endless }).unwrap();
    engine.send(Ping(5));
    let outcome = engine.update(Duration::ZERO);
    (outcome, engine.events().counters::<Ping>().unwrap().delivered)
}

#[test]
fn largest_event_limit_is_no_limit() {
    let (outcome, delivered) = update_with_limits(usize::MAX, usize::MAX, false);
    assert!(outcome.is_ok(), "{outcome:?}");
    assert_eq!(delivered, 6);
}

#[test]
fn round_limit_ends_a_cascade_without_event_limit() {
    let (outcome, delivered) = update_with_limits(10, usize::MAX, true);
    assert!(matches!(outcome, Err(Error::Cascade(_))), "{outcome:?}");
    assert!((9..=11).contains(&delivered), "{delivered}");
}

/// All other numeric settings at their extremes: the engine works, and no arithmetic overflows.
#[test]
fn extreme_settings_are_accepted() {
    for extreme in [0, 1, usize::MAX] {
        let builder = Engine::builder()
            .event_bytes(extreme)
            .dispatch_rounds(extreme)
            .parallel_threshold(extreme)
            .trace_causes(extreme)
            .site(extreme as u32)
            .first_serial(extreme as u32);
        for threads in [0, 2] {
            let mut engine = builder.threads(threads).build();
            engine.add(Echo { is_endless: false }).unwrap();
            engine.spawn_many((0..100_u32).map(|n| (n,)));
            engine.send(Ping(0));
            let count_up = |mut numbers: Query<&mut u32>| numbers.par_for_each(|number| *number += 1);
            engine.every(Duration::ZERO, count_up).unwrap();
            assert!(engine.update(Duration::MAX).is_ok());
            assert!(engine.update(Duration::MAX).is_ok());
            assert_eq!(engine.events().counters::<Ping>().unwrap().delivered, 1);
            assert!(engine.query::<&u32>().iter().enumerate().all(|(n, number)| *number == n as u32 + 2));
            let entity = engine.spawn(());
            let first = engine.global_id(entity).is_ok();
            let entity = engine.spawn(());
            assert!(first || engine.global_id(entity).is_err());
        }
    }
}
