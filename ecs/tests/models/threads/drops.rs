//! If systems and split queries panic on several threads, each value is still dropped once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Barrier, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

use ecs::{Commands, Despawned, Engine, EntityId, Query, Setup, System, Time};

use crate::threads::panics::{EXPECTED, silence_expected_panics};

/// The number of drops of each value, in the order of creation. It is global, so that it counts a second drop of a
/// value.
#[derive(Clone, Copy)]
struct Ledger(&'static Mutex<Vec<u32>>);

impl Ledger {
    fn value<const N: usize>(&self) -> Value<N> {
        let mut drops = self.0.lock().unwrap();
        drops.push(0);
        Value { number: drops.len() - 1, ledger: *self }
    }

    fn drops(&self) -> Vec<u32> {
        self.0.lock().unwrap().clone()
    }
}

struct Value<const N: usize> {
    number: usize,
    ledger: Ledger,
}

impl<const N: usize> Drop for Value<N> {
    fn drop(&mut self) {
        self.ledger.0.lock().unwrap()[self.number] += 1;
    }
}

/// Two threads, one of which calls `update`, and their shared state.
#[derive(Clone)]
struct Two {
    caller: ThreadId,
    both: Arc<Barrier>,
    ledger: Ledger,
}

impl Two {
    fn new(ledger: Ledger) -> Self {
        Self { caller: thread::current().id(), both: Arc::new(Barrier::new(2)), ledger }
    }

    /// Waits until the other thread has reached the same point.
    ///
    /// # Panics
    /// On both threads, on the calling thread, on the worker, on none: in turn over four frames.
    fn meet(&self, frame: u64, name: usize) {
        self.both.wait();
        let is_caller = thread::current().id() == self.caller;
        let panics = match frame % 4 {
            1 => true,
            2 => is_caller,
            3 => !is_caller,
            _ => false,
        };
        assert!(!panics, "{EXPECTED} for {name}");
    }
}

/// Records commands of each kind, in parallel with the other system of its kind.
struct Commander<const N: usize>(Two);

impl<const N: usize> System for Commander<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::command);
    }
}

impl<const N: usize> Commander<N> {
    fn command(&mut self, time: Time, mut rows: Query<(EntityId, &mut Value<N>)>, mut commands: Commands) {
        let ledger = self.0.ledger;
        for (row, (entity, value)) in rows.iter_mut().enumerate() {
            *value = ledger.value();
            match row % 8 {
                0 => commands.insert(entity, (ledger.value::<N>(),)),
                // Both systems insert, so one of the two commands is refused.
                1 => commands.insert(entity, (ledger.value::<2>(), ledger.value::<N>())),
                2 => commands.despawn(entity),
                3 => commands.remove::<Value<N>>(entity),
                4 => commands.spawn_many((0..3).map(|_| (ledger.value::<0>(), ledger.value::<1>()))),
                _ => {}
            }
        }
        self.0.meet(time.frame(), N);
    }
}

/// Listens to despawns, and panics at the third one.
struct Listener(u32);

impl System for Listener {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_despawned);
    }
}

impl Listener {
    fn on_despawned(&mut self, despawned: &Despawned) {
        self.0 += 1;
        assert!(self.0 != 3, "{EXPECTED}, with {}", despawned.entity);
    }
}

struct Row(u64);

const ROWS: u64 = 1_000;

/// Records a command, then writes a new value into each row.
struct Walker(Two);

impl System for Walker {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::walk);
    }
}

impl Walker {
    fn walk(&mut self, time: Time, mut rows: Query<(&Row, &mut Value<0>)>, mut commands: Commands) {
        let Self(two) = self;
        commands.spawn_many((0..5).map(|_| (two.ledger.value::<0>(), two.ledger.value::<1>())));
        rows.par_for_each(|(row, value)| {
            let _held = two.ledger.value::<2>();
            *value = two.ledger.value();
            // They lie in different chunks, and each thread waits for the other.
            if row.0 == 0 || row.0 == ROWS - 1 {
                two.meet(time.frame(), 0);
            }
        });
    }
}

/// The panic message of a frame.
fn message_of_frame(engine: &mut Engine) -> Option<String> {
    let frame = catch_unwind(AssertUnwindSafe(|| engine.update(Duration::from_millis(16)).unwrap()));
    frame.err().map(|payload| *payload.downcast::<String>().expect("panics of systems are named"))
}

/// Drops engines that ran for 0 to 9 frames, with and without waiting commands.
fn check(drops: &'static Mutex<Vec<u32>>, make: impl Fn(&Two) -> Engine, is_named: impl Fn(u64, &str) -> bool) {
    silence_expected_panics();
    for frames in 0..10 {
        drops.lock().unwrap().clear();
        let two = Two::new(Ledger(drops));
        let mut engine = make(&two);
        for frame in 1..=frames {
            let message = message_of_frame(&mut engine);
            assert!(message.is_some() || frame % 4 == 0, "frame {frame} succeeded");
            assert!(message.as_ref().is_none_or(|message| is_named(frame, message)), "frame {frame}: {message:?}");
            assert!(two.ledger.drops().iter().all(|drops| *drops < 2), "a value was dropped twice");
        }
        assert!(two.ledger.drops().contains(&0), "there is something to drop");
        drop(engine);
        assert!(
            two.ledger.drops().iter().all(|drops| *drops == 1),
            "each value is dropped once, after {frames} frames"
        );
    }
}

#[test]
fn values_are_dropped_once_if_parallel_systems_panic() {
    static DROPS: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    let make = |two: &Two| {
        let mut engine = Engine::builder().threads(2).parallel_threshold(0).build();
        engine.spawn_many((0..40).map(|_| (two.ledger.value::<0>(), two.ledger.value::<1>())));
        engine
            .add(Commander::<0>(two.clone()))
            .unwrap()
            .add(Commander::<1>(two.clone()))
            .unwrap()
            .add(Listener(0))
            .unwrap();
        engine
    };
    check(&DROPS, make, |frame, message| {
        let by = |number| format!("system Commander<{number}> panicked in update: {EXPECTED} for {number}");
        match frame % 4 {
            0 => message.starts_with("system Listener panicked in its listener"),
            1 => message == by(0),
            _ => message == by(0) || message == by(1),
        }
    });
}

#[test]
fn values_are_dropped_once_if_a_split_query_panics() {
    static DROPS: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    let make = |two: &Two| {
        let mut engine = Engine::builder().threads(2).parallel_threshold(0).build();
        engine.spawn_many((0..ROWS).map(|row| (Row(row), two.ledger.value::<0>())));
        engine.add(Walker(two.clone())).unwrap();
        engine
    };
    check(&DROPS, make, |_, message| message == format!("system Walker panicked in update: {EXPECTED} for 0"));
}
