//! Events that own data: delivered in the order of all others, and dropped once whatever happens.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ecs::event::{EventBus, FrameArena, Outbox};
use ecs::{Commands, Engine, Error, Query, ResMut, Sender, Setup, Snapshot, System};

use crate::{ms, panics};

/// Counts how often each value was made and dropped.
#[derive(Clone, Default)]
struct Ledger(Arc<Mutex<Vec<u8>>>);

impl Ledger {
    fn value(&self) -> Tracked {
        let mut dropped = self.0.lock().unwrap();
        dropped.push(0);
        Tracked { ledger: self.clone(), number: dropped.len() - 1, panics_in_drop: false }
    }

    /// A value that panics when it is dropped.
    fn breaking(&self) -> Tracked {
        let mut value = self.value();
        value.panics_in_drop = true;
        value
    }

    fn dropped(&self) -> usize {
        self.0.lock().unwrap().iter().map(|times| usize::from(*times)).sum()
    }

    fn made(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    /// Checks that each value was dropped once.
    fn check(&self) {
        let dropped = self.0.lock().unwrap();
        let wrong: Vec<_> = dropped.iter().enumerate().filter(|(_, times)| **times != 1).collect();
        assert!(wrong.is_empty(), "of {} values, these were dropped so often: {wrong:?}", dropped.len());
    }
}

/// A value that tells its ledger when it is dropped.
struct Tracked {
    ledger: Ledger,
    number: usize,
    panics_in_drop: bool,
}

impl Clone for Tracked {
    fn clone(&self) -> Self {
        self.ledger.value()
    }
}

impl Drop for Tracked {
    fn drop(&mut self) {
        self.ledger.0.lock().unwrap()[self.number] += 1;
        assert!(!self.panics_in_drop, "value {} panics", self.number);
    }
}

struct Chat {
    text: String,
}

#[derive(Clone, Copy)]
struct Beep(u32);

#[derive(Default)]
struct Heard(Vec<String>);

impl System for Heard {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|own: &mut Self, chat: &Chat, mut beeps: Sender<Beep>| {
            own.0.push(chat.text.clone());
            if chat.text == "hello" {
                beeps.send(Beep(7));
            }
        });
        setup.listen(|own: &mut Self, beep: &Beep| own.0.push(format!("beep {}", beep.0)));
    }
}

#[test]
fn texts_are_delivered_in_the_order_of_all_events() {
    let mut engine = Engine::new();
    engine.add(Heard::default()).unwrap();
    engine.add(talk).unwrap();
    fn talk(mut chats: Sender<Chat>, mut beeps: Sender<Beep>) {
        chats.send(Chat { text: "hello".to_owned() });
        beeps.send(Beep(1));
        chats.send(Chat { text: "and good-bye".to_owned() });
    }
    engine.send(Chat { text: "before".to_owned() });
    engine.update(ms(1)).unwrap();
    let heard = &engine.system::<Heard>().unwrap().0;
    assert_eq!(*heard, ["before", "hello", "beep 1", "and good-bye", "beep 7"]);
    let counters = engine.events().counters::<Chat>().unwrap();
    assert_eq!((counters.sent, counters.delivered), (3, 3));
}

#[test]
fn several_listeners_get_one_event_which_is_dropped_when_the_frame_ends() {
    struct Said(Tracked);
    let ledger = Ledger::default();
    let mut engine = Engine::new();
    engine.insert_resource(0_usize);
    for _ in 0..3 {
        engine
            .listen(|said: &Said, mut alive: ResMut<usize>| {
                assert_eq!(said.0.ledger.dropped(), 0, "it is still there");
                *alive += 1;
            })
            .unwrap();
    }
    engine.send(Said(ledger.value()));
    assert_eq!(ledger.dropped(), 0);
    engine.update(ms(1)).unwrap();
    assert_eq!(*engine.resource::<usize>().unwrap(), 3);
    assert_eq!(ledger.dropped(), 1);
    // Without listeners, too.
    struct Unheard(#[expect(dead_code)] Tracked);
    engine.send(Unheard(ledger.value()));
    engine.update(ms(1)).unwrap();
    ledger.check();
    // And those that wait when the engine is dropped.
    engine.send(Unheard(ledger.value()));
    drop(engine);
    ledger.check();
}

/// Sizes and alignments of all kinds.
struct Small(#[expect(dead_code)] Tracked);
#[derive(Clone)]
struct Big([u64; 300], Tracked);
#[repr(align(256))]
struct Aligned(u8, #[expect(dead_code)] Tracked);
struct Empty;
#[repr(align(64))]
struct EmptyAligned;

static EMPTY_DROPS: AtomicUsize = AtomicUsize::new(0);

impl Drop for Empty {
    fn drop(&mut self) {
        EMPTY_DROPS.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for EmptyAligned {
    fn drop(&mut self) {
        assert!(std::ptr::from_mut(self).addr().is_multiple_of(64));
        EMPTY_DROPS.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn values_of_any_size_and_alignment_are_dropped_once() {
    let ledger = Ledger::default();
    let mut engine = Engine::new();
    engine.insert_resource(ledger.clone());
    engine.insert_resource(Vec::<u64>::new());
    fn speak(
        ledger: ecs::Res<Ledger>,
        (mut small, mut big, mut aligned): (Sender<Small>, Sender<Big>, Sender<Aligned>),
        (mut empty, mut empty_aligned, mut beeps): (Sender<Empty>, Sender<EmptyAligned>, Sender<Beep>),
    ) {
        for n in 0..7 {
            (0..n).for_each(|_| small.send(Small(ledger.value())));
            (0..n % 3).for_each(|_| big.send(Big([n; 300], ledger.value())));
            beeps.send(Beep(n as u32));
            (0..n % 4).for_each(|_| aligned.send(Aligned(n as u8, ledger.value())));
            (0..n).for_each(|_| empty.send(Empty));
            (0..n % 2).for_each(|_| empty_aligned.send(EmptyAligned));
        }
    }
    engine.add(speak).unwrap();
    engine
        .listen(|big: &Big, mut sums: ResMut<Vec<u64>>| {
            assert_eq!(big.1.ledger.0.lock().unwrap()[big.1.number], 0);
            sums.push(big.0.iter().sum());
        })
        .unwrap();
    engine
        .listen(|aligned: &Aligned, mut sums: ResMut<Vec<u64>>| {
            assert!(std::ptr::from_ref(aligned).addr().is_multiple_of(256));
            sums.push(aligned.0.into());
        })
        .unwrap();
    engine.listen(|_: &Empty| {}).unwrap();
    engine.listen(|_: &EmptyAligned| {}).unwrap();
    let before = EMPTY_DROPS.load(Ordering::Relaxed);
    for frame in 1..4 {
        engine.update(ms(1)).unwrap();
        assert_eq!(engine.remove_resource::<Vec<u64>>().unwrap().len(), 6 + 9);
        engine.insert_resource(Vec::<u64>::new());
        ledger.check();
        assert_eq!(EMPTY_DROPS.load(Ordering::Relaxed) - before, frame * (21 + 3));
    }
    assert_eq!(ledger.made(), 3 * (21 + 6 + 9));
}

#[test]
fn an_event_that_panics_in_drop_ends_no_frame_early() {
    struct Said(#[expect(dead_code)] Tracked);
    let ledger = Ledger::default();
    let mut engine = Engine::new();
    engine.insert_resource(0_u32);
    engine.listen(|_: &Said, mut heard: ResMut<u32>| *heard += 1).unwrap();
    engine.add(|mut commands: Commands| commands.spawn(('x',))).unwrap();
    for number in 0..6 {
        let mut value = ledger.value();
        value.panics_in_drop = number % 2 == 0;
        engine.send(Said(value));
        engine.send(Beep(number));
    }
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| engine.update(ms(1)))).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>().unwrap(), "the `Drop` of event Said panicked: value 0 panics");
    ledger.check();
    assert_eq!((*engine.resource::<u32>().unwrap(), engine.entities().len()), (6, 1));
    engine.update(ms(1)).unwrap();
    assert_eq!((*engine.resource::<u32>().unwrap(), engine.entities().len()), (6, 2), "none is delivered again");
}

#[test]
fn events_that_panic_in_drop_leave_a_restore_whole() {
    #[derive(Clone)]
    struct Said(#[expect(dead_code)] Tracked);
    struct Talks(Ledger);
    impl System for Talks {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|own: &mut Self, mut said: Sender<Said>| {
                for _ in 0..3 {
                    said.send(Said(own.0.breaking()));
                }
            });
        }
    }
    let ledger = Ledger::default();
    let mut engine = Engine::new();
    engine.types_mut().event_by::<Said>("said", |_, _| {}).unwrap().component_by::<char>("letter", |_, _| {}).unwrap();
    engine.listen(|_: &Said| panic!("it breaks")).unwrap();
    let entity = engine.spawn(('x',));
    let snapshot = engine.snapshot().unwrap();
    engine.add(Talks(ledger.clone())).unwrap();
    engine.despawn(entity).unwrap();
    assert!(panics(|| engine.update(ms(1))));
    // They outlive their sender.
    engine.remove_system::<Talks>().unwrap();
    engine.send(Said(ledger.breaking()));
    assert_eq!((ledger.made(), ledger.dropped()), (4, 0));
    assert!(panics(|| engine.restore(&snapshot).unwrap()));
    assert_eq!((engine.get(entity), engine.time().frame(), engine.events().waiting()), (Some(&'x'), 0, 0));
    ledger.check();
}

#[test]
fn events_dropped_by_the_budget_of_a_cascade_are_dropped_once() {
    struct Echo(#[expect(dead_code)] Tracked);
    let ledger = Ledger::default();
    let mut engine = Engine::builder().dispatch_rounds(5).build();
    let own = ledger.clone();
    engine
        .listen(move |_: &Echo, mut echoes: Sender<Echo>| {
            echoes.send(Echo(own.value()));
            echoes.send(Echo(own.value()));
        })
        .unwrap();
    engine.send(Echo(ledger.value()));
    let Err(Error::Cascade(error)) = engine.update(ms(1)) else { panic!("it is endless") };
    assert_eq!(error.dropped, 32);
    assert_eq!(ledger.made(), 63);
    ledger.check();
}

#[test]
fn what_waits_is_cloned_into_snapshots_and_back() {
    #[derive(Clone)]
    struct Said(String, #[expect(dead_code)] Tracked);
    struct Secret(#[expect(dead_code)] String);
    let ledger = Ledger::default();
    let mut engine = Engine::new();
    engine.types_mut().event_by::<Said>("said", |said, hash| _ = hash.add(&said.0)).unwrap();
    engine.types_mut().leave_out_resource::<Vec<String>>();
    engine.insert_resource(Vec::<String>::new());
    engine.listen(|said: &Said, mut heard: ResMut<Vec<String>>| heard.push(said.0.clone())).unwrap();
    engine.listen(|_: &Secret| {}).unwrap();
    let empty = engine.state_hash().unwrap();
    engine.send(Said("one".to_owned(), ledger.value()));
    engine.send(Said("two".to_owned(), ledger.value()));
    let hash = engine.state_hash().unwrap();
    assert_ne!(hash, empty);
    let snapshot = engine.snapshot().unwrap();
    for _ in 0..3 {
        engine.update(ms(1)).unwrap();
        engine.restore(&snapshot).unwrap();
        assert_eq!(engine.state_hash().unwrap(), hash);
    }
    // Restored twice in a row.
    engine.restore(&snapshot).unwrap();
    engine.update(ms(1)).unwrap();
    assert_eq!(*engine.resource::<Vec<String>>().unwrap(), ["one", "two"].repeat(4));
    // A type that cannot be copied is in the way only while such an event waits.
    engine.snapshot().unwrap();
    engine.send(Secret("x".to_owned()));
    let error = engine.snapshot().err().unwrap().to_string();
    assert!(error.starts_with("event Secret is not registered"), "{error}");
    engine.update(ms(1)).unwrap();
    engine.snapshot().unwrap();
    drop((engine, snapshot));
    ledger.check();
}

#[test]
fn a_clone_that_panics_leaves_no_event_behind_or_dropped_twice() {
    struct Fragile(Tracked, Arc<AtomicUsize>);
    impl Clone for Fragile {
        fn clone(&self) -> Self {
            assert_ne!(self.1.fetch_sub(1, Ordering::Relaxed), 1, "it breaks");
            Self(self.0.clone(), self.1.clone())
        }
    }
    let (ledger, left) = (Ledger::default(), Arc::new(AtomicUsize::new(2)));
    let mut engine = Engine::new();
    engine.types_mut().event_by::<Fragile>("fragile", |_, _| {}).unwrap();
    (0..3).for_each(|_| engine.send(Fragile(ledger.value(), left.clone())));
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| engine.snapshot())).err().unwrap();
    assert_eq!(
        panic.downcast_ref::<String>().unwrap().split(": ").next(),
        Some("the `Clone` of event \"fragile\" panicked")
    );
    left.store(1000, Ordering::Relaxed);
    let snapshot = engine.snapshot().unwrap();
    left.store(2, Ordering::Relaxed);
    assert!(panics(|| engine.restore(&snapshot)));
    assert_eq!(engine.events().waiting(), 0);
    left.store(1000, Ordering::Relaxed);
    engine.restore(&snapshot).unwrap();
    assert_eq!(engine.events().waiting(), 3);
    engine.update(ms(1)).unwrap();
    drop((engine, snapshot));
    ledger.check();
}

#[test]
fn removed_and_disabled_listeners_and_removed_systems_change_no_drop() {
    struct Said(#[expect(dead_code)] Tracked);
    struct Talks(Ledger);
    impl System for Talks {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|own: &mut Self, mut said: Sender<Said>| (0..3).for_each(|_| said.send(Said(own.0.value()))));
        }
    }
    struct Hears(usize);
    impl System for Hears {
        fn setup(setup: &mut Setup<Self>) {
            setup.listen(|own: &mut Self, _: &Said| {
                own.0 += 1;
                assert_ne!(own.0, 2, "it breaks");
            });
        }
    }
    let ledger = Ledger::default();
    let mut engine = Engine::new();
    engine.add(Talks(ledger.clone())).unwrap().add(Hears(0)).unwrap();
    assert!(panics(|| engine.update(ms(1))));
    assert_eq!(ledger.dropped(), 0, "one of the run still waits");
    // The events outlive their sender.
    engine.remove_system::<Talks>().unwrap();
    engine.disable_system::<Hears>().unwrap();
    engine.update(ms(1)).unwrap();
    assert_eq!(engine.system::<Hears>().unwrap().0, 2);
    ledger.check();
    engine.add(Talks(ledger.clone())).unwrap();
    engine.enable_system::<Hears>().unwrap();
    engine.update(ms(1)).unwrap();
    assert_eq!(engine.system::<Hears>().unwrap().0, 5);
    engine.remove_system::<Hears>().unwrap();
    engine.update(ms(1)).unwrap();
    drop(engine);
    ledger.check();
}

#[test]
fn parallel_senders_send_owned_values_in_order() {
    struct Row(usize);
    struct Said(String, #[expect(dead_code)] Tracked);
    let run = |threads: usize, breaks_at: usize| {
        let ledger = Ledger::default();
        let mut engine = Engine::builder().threads(threads).parallel_threshold(1).build();
        engine.insert_resource(Vec::<String>::new());
        engine.insert_resource(ledger.clone());
        engine.spawn_many((0..3000).map(|row| (Row(row),)));
        engine
            .add(
                move |mut rows: Query<&Row>,
                      ledger: ecs::Res<Ledger>,
                      mut said: Sender<Said>,
                      mut beeps: Sender<Beep>| {
                    rows.par_for_each_with((&mut said, &mut beeps), |(said, beeps), row| {
                        assert_ne!(row.0, breaks_at, "it breaks");
                        said.send(Said(format!("row {}", row.0), ledger.value()));
                        if row.0 % 5 == 0 {
                            beeps.send(Beep(row.0 as u32));
                        }
                    });
                },
            )
            .unwrap();
        engine.listen(|said: &Said, mut heard: ResMut<Vec<String>>| heard.push(said.0.clone())).unwrap();
        engine.listen(|beep: &Beep, mut heard: ResMut<Vec<String>>| heard.push(format!("beep {}", beep.0))).unwrap();
        for _ in 0..2 {
            assert_eq!(panics(|| engine.update(ms(1)).unwrap()), breaks_at < 3000);
        }
        let heard = engine.remove_resource::<Vec<String>>().unwrap();
        drop(engine);
        ledger.check();
        heard
    };
    let (whole, broken) = (run(1, usize::MAX), run(1, 2000));
    assert_eq!((whole.len(), broken.len()), (2 * 3600, 2400));
    assert_eq!(whole[..3], ["row 0", "beep 0", "row 1"]);
    for threads in [2, 4] {
        assert_eq!(run(threads, usize::MAX), whole);
        assert_eq!(run(threads, 2000), broken);
    }
}

#[test]
fn a_bus_and_an_arena_drop_what_they_own() {
    struct Said(Tracked);
    let ledger = Ledger::default();
    let mut bus = EventBus::<u32>::with_rounds(3);
    let own = ledger.clone();
    bus.listen(move |heard: &mut u32, said: &Said, outbox: &mut Outbox<'_>| {
        *heard += 1;
        assert_ne!(*heard, 3, "it breaks");
        match said.0.number {
            0 | 4 => outbox.send(Said(own.value())),
            _ => outbox.send(Beep(1)),
        }
    });
    let mut heard = 0;
    (0..4).for_each(|_| bus.send(Said(ledger.value())));
    assert!(panics(|| bus.dispatch(&mut heard)));
    assert_eq!(ledger.dropped(), 0);
    bus.send(Said(ledger.value()));
    bus.dispatch(&mut heard).unwrap();
    ledger.check();
    // Endless, and what waits when the bus is dropped.
    let mut endless = EventBus::<()>::with_rounds(3);
    let own = ledger.clone();
    endless.listen(move |(): &mut (), _: &Said, outbox: &mut Outbox<'_>| outbox.send(Said(own.value())));
    endless.send(Said(ledger.value()));
    endless.dispatch(&mut ()).unwrap_err();
    ledger.check();
    endless.send(Said(ledger.value()));
    drop(endless);
    ledger.check();

    let mut arena = FrameArena::new();
    for frame in 1..4 {
        for number in 0..50 {
            arena.store(ledger.value());
            arena.store(number);
        }
        assert_eq!((arena.iter::<Tracked>().count(), arena.iter::<i32>().sum::<i32>()), (50, 49 * 25));
        if frame < 3 {
            arena.clear();
            ledger.check();
        }
    }
    drop(arena);
    ledger.check();
    let mut arena = FrameArena::new();
    arena.store(ledger.breaking());
    arena.store(ledger.value());
    assert!(panics(|| arena.clear()));
    assert!(arena.is_empty());
    ledger.check();
}

/// What the system of the model below does with an event, by its number.
#[derive(Clone)]
struct Odd {
    number: u32,
    value: Tracked,
}

#[derive(Clone, Default)]
struct Model {
    ledger: Ledger,
    heard: Vec<u32>,
    dice: u32,
    breaks: bool,
}

impl Model {
    fn roll(&mut self, sides: u32) -> u32 {
        self.dice = self.dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.dice >> 8) % sides
    }

    fn odd(&mut self, number: u32) -> Odd {
        let mut value = self.ledger.value();
        value.panics_in_drop = self.breaks && self.roll(40) == 0;
        Odd { number, value }
    }

    fn send(&mut self, mut odd: Sender<Odd>, mut big: Sender<Big>, mut beeps: Sender<Beep>) {
        for _ in 0..self.roll(5) {
            match self.roll(3) {
                0 => big.send(Big([1; 300], self.ledger.value())),
                1 => beeps.send(Beep(1)),
                _ => {
                    let number = self.roll(7);
                    odd.send(self.odd(number));
                }
            }
            assert!(!self.breaks || self.roll(60) > 0, "a method breaks");
        }
    }

    fn hear(&mut self, event: &Odd, mut odd: Sender<Odd>) {
        assert_eq!(event.value.ledger.0.lock().unwrap()[event.value.number], 0, "it is not dropped yet");
        self.heard.push(event.number);
        if event.number > 0 && self.roll(3) > 0 {
            odd.send(self.odd(event.number - 1));
        }
        assert!(!self.breaks || self.roll(20) > 0, "a listener breaks");
    }
}

impl System for Model {
    fn setup(setup: &mut Setup<Self>) {
        setup.pre_update(Self::send).update(Self::send).listen(Self::hear);
        setup.listen(|own: &mut Self, big: &Big| {
            assert_eq!(big.1.ledger.0.lock().unwrap()[big.1.number], 0);
            own.heard.push(big.0.len() as u32);
        });
    }
}

#[test]
fn whatever_happens_each_value_is_dropped_once() {
    let programs = if cfg!(miri) { 3 } else { 150 };
    for seed in 0..programs {
        let ledger = Ledger::default();
        let mut model =
            Model { ledger: ledger.clone(), dice: seed * 7919 + 1, breaks: seed % 3 > 0, ..Model::default() };
        let mut engine = Engine::builder().dispatch_rounds(4).build();
        engine.types_mut().event_by::<Odd>("odd", |odd, hash| _ = hash.add(&odd.number)).unwrap();
        engine.types_mut().event_by::<Big>("big", |_, _| {}).unwrap().event_by::<Beep>("beep", |_, _| {}).unwrap();
        engine.types_mut().system_by::<Model>("model", |_, _| {}).unwrap();
        engine.add(Model { dice: seed, ..model.clone() }).unwrap();
        let mut snapshot = Snapshot::new();
        let mut is_taken = false;
        for _ in 0..if cfg!(miri) { 15 } else { 60 } {
            match model.roll(12) {
                0..5 => _ = panics(|| _ = engine.update(ms(1))),
                5 => engine.send(model.odd(3)),
                6 => engine.send(Big([2; 300], ledger.value())),
                7 => is_taken = engine.snapshot_into(&mut snapshot).is_ok(),
                8 if is_taken => _ = panics(|| engine.restore(&snapshot).unwrap()),
                9 if model.roll(3) == 0 => {
                    _ = engine.remove_system::<Model>();
                    if engine.system::<Model>().is_none() {
                        engine.add(Model { dice: seed + 1, ..model.clone() }).unwrap();
                    }
                }
                10 if model.roll(2) == 0 => _ = engine.disable_system::<Model>(),
                10 => _ = engine.enable_system::<Model>(),
                11 => {
                    let odd = model.odd(1);
                    _ = panics(|| engine.run(move |mut sender: Sender<Odd>| sender.send(odd.clone())));
                }
                _ => {}
            }
        }
        _ = panics(|| drop(engine));
        drop(snapshot);
        ledger.check();
    }
}
