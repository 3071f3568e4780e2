//! The threads of an engine: which thread runs what, panics, and how threads end.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Barrier, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

use ecs::{Engine, Query, Setup, System, World};

const FRAME: Duration = Duration::from_millis(16);

/// Enough for several threads.
const ROWS: u64 = 20_000;

struct Row(u64);

/// Splits its query, and records which thread visited which row.
#[derive(Default)]
struct Visitor(Mutex<Vec<(ThreadId, u64)>>);

impl System for Visitor {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::visit);
    }
}

impl Visitor {
    fn visit(&mut self, mut rows: Query<&Row>) {
        self.0.get_mut().unwrap().clear();
        rows.par_for_each(|row| self.0.lock().unwrap().push((thread::current().id(), row.0)));
    }
}

fn engine_with_rows(threads: usize) -> Engine {
    let mut engine = Engine::builder().threads(threads).build();
    for row in 0..ROWS {
        engine.spawn((Row(row),));
    }
    engine
}

fn visits(engine: &mut Engine) -> Vec<(ThreadId, u64)> {
    engine.update(FRAME).unwrap();
    std::mem::take(engine.system_mut::<Visitor>().unwrap().0.get_mut().unwrap())
}

#[test]
fn serial_engine_visits_rows_in_order_on_the_calling_thread() {
    let mut engine = engine_with_rows(1);
    engine.add(Visitor::default()).unwrap();
    let caller = thread::current().id();
    for _ in 0..20 {
        assert!(visits(&mut engine) == (0..ROWS).map(|row| (caller, row)).collect::<Vec<_>>());
    }
}

#[test]
fn engine_with_threads_visits_every_row_once() {
    let mut engine = engine_with_rows(4);
    engine.add(Visitor::default()).unwrap();
    for _ in 0..20 {
        let mut rows: Vec<_> = visits(&mut engine).into_iter().map(|(_, row)| row).collect();
        rows.sort_unstable();
        assert!(rows == (0..ROWS).collect::<Vec<_>>());
    }
}

/// Yields to other threads at each row, and records the threads that visit rows.
#[derive(Default)]
struct Patient<const N: usize>(Mutex<HashSet<ThreadId>>);

impl<const N: usize> System for Patient<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::visit_rows);
    }
}

impl<const N: usize> Patient<N> {
    fn visit_rows(&mut self, mut rows: Query<&Row>) {
        rows.par_for_each(|_| {
            thread::yield_now();
            self.0.lock().unwrap().insert(thread::current().id());
        });
    }
}

#[test]
fn small_systems_beside_a_large_pool_run_on_the_calling_thread() {
    let mut engine = Engine::builder().threads(4).build();
    engine.spawn_many((0..ROWS).map(|row| (Wide([row; 3]),)));
    assert_that_a_thousand_rows_run_on_the_calling_thread(&mut engine);
}

#[test]
fn small_worlds_run_on_the_calling_thread() {
    assert_that_a_thousand_rows_run_on_the_calling_thread(&mut Engine::builder().threads(4).build());
}

#[track_caller]
fn assert_that_a_thousand_rows_run_on_the_calling_thread(engine: &mut Engine) {
    engine.spawn_many((0..1_000).map(|row| (Row(row),)));
    engine.add(Patient::<0>::default()).unwrap().add(Patient::<1>::default()).unwrap();
    (0..20).for_each(|_| engine.update(FRAME).unwrap());
    let alone = HashSet::from([thread::current().id()]);
    assert_eq!(*engine.system_mut::<Patient<0>>().unwrap().0.get_mut().unwrap(), alone);
    assert_eq!(*engine.system_mut::<Patient<1>>().unwrap().0.get_mut().unwrap(), alone);
}

/// Three numbers, so rows are visited four at a time.
struct Wide([u64; 3]);

#[derive(Default)]
struct Counting;

impl System for Counting {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self, mut rows: Query<(&mut Wide, &Row)>| {
            rows.par_for_each(|(wide, row)| wide.0[(row.0 % 3) as usize] += row.0 + 1);
        });
    }
}

#[test]
fn split_query_visits_each_row_once_if_chunks_are_no_multiples_of_four() {
    for (threads, more) in [(2, 2), (2, 3), (3, 1), (5, 2)] {
        let mut engine = Engine::builder().threads(threads).build();
        let rows = ROWS + more;
        engine.spawn_many((0..rows).map(|row| (Wide([0; 3]), Row(row))));
        engine.add(Counting).unwrap();
        for frame in 1..=5 {
            engine.update(FRAME).unwrap();
            engine.read::<(&Wide, &Row)>().for_each(|(wide, row)| {
                let mut expected = [0; 3];
                expected[(row.0 % 3) as usize] = frame * (row.0 + 1);
                assert_eq!(wide.0, expected, "row {} of {rows}", row.0);
            });
        }
    }
}

#[test]
fn query_outside_of_a_frame_is_not_split() {
    let mut engine = engine_with_rows(2);
    engine.add(Panicking { left: 1 }).unwrap();
    let order = |engine: &mut Engine| {
        let rows = Mutex::new(Vec::new());
        engine.query::<&Row>().par_for_each(|row| rows.lock().unwrap().push((thread::current().id(), row.0)));
        rows.into_inner().unwrap()
    };
    let serial: Vec<_> = (0..ROWS).map(|row| (thread::current().id(), row)).collect();
    assert!(order(&mut engine) == serial);
    assert!(catch_unwind(AssertUnwindSafe(|| engine.update(FRAME))).is_err());
    assert!(order(&mut engine) == serial, "also after a frame that panicked");
}

/// Makes each thread of the engine visit a row: the first row of each waits for the others.
struct Meeting {
    all: Barrier,
    met: Mutex<BTreeSet<String>>,
    held: Arc<()>,
}

thread_local! {
    static KEPT: RefCell<Option<Arc<()>>> = const { RefCell::new(None) };
}

impl Meeting {
    fn of(threads: usize) -> Self {
        Self { all: Barrier::new(threads), met: Mutex::default(), held: Arc::new(()) }
    }

    fn meet(&mut self, mut rows: Query<&Row>) {
        let Self { all, met, held } = &*self;
        let name = || thread::current().name().unwrap_or_default().to_owned();
        rows.par_for_each(|_| {
            if met.lock().unwrap().insert(name()) {
                KEPT.set(Some(held.clone()));
                all.wait();
            }
        });
    }
}

impl System for Meeting {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::meet);
    }
}

#[test]
fn named_workers_assist_the_calling_thread() {
    for count in [2, 3, 5] {
        let mut engine = engine_with_rows(count);
        engine.add(Meeting::of(count)).unwrap();
        engine.update(FRAME).unwrap();
        let met = engine.system_mut::<Meeting>().unwrap().met.get_mut().unwrap();
        let caller = thread::current().name().unwrap().to_owned();
        assert_eq!(*met, (1..count).map(|number| format!("ecs-{number}")).chain([caller]).collect());
    }
}

/// Waits for the other system of the pair.
struct Pair<const N: usize>(Arc<Barrier>);

impl<const N: usize> System for Pair<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::meet);
    }
}

impl<const N: usize> Pair<N> {
    fn meet(&mut self, rows: Query<&Row>) {
        assert_eq!(rows.iter().count() as u64, ROWS);
        self.0.wait();
    }
}

#[test]
fn systems_that_do_not_conflict_run_at_the_same_time() {
    let mut engine = engine_with_rows(2);
    let both = Arc::new(Barrier::new(2));
    engine.add(Pair::<0>(both.clone())).unwrap().add(Pair::<1>(both)).unwrap();
    (0..20).for_each(|_| engine.update(FRAME).unwrap());
}

/// Panics in one row of a split query, a given number of times.
struct Panicking {
    left: u32,
}

impl System for Panicking {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::visit_rows).update_exclusive(Self::count);
    }
}

impl Panicking {
    fn visit_rows(&mut self, mut rows: Query<&mut Row>) {
        let fails = self.left > 0;
        self.left = self.left.saturating_sub(1);
        rows.par_for_each(|row| assert!(!fails || row.0 != ROWS - 1, "row {} is bad", row.0));
    }

    fn count(&mut self, world: &mut World) {
        assert_eq!(world.query::<&Row>().count() as u64, ROWS);
    }
}

#[test]
fn panic_on_a_worker_reaches_the_caller_and_the_engine_stays_usable() {
    for threads in [1, 2, 4] {
        let mut engine = engine_with_rows(threads);
        engine.add(Panicking { left: 3 }).unwrap();
        for _ in 0..3 {
            let panic = catch_unwind(AssertUnwindSafe(|| engine.update(FRAME))).unwrap_err();
            let message = panic.downcast_ref::<String>().expect("a panic with a message");
            assert!(message.contains(&format!("row {} is bad", ROWS - 1)), "{message}");
        }
        engine.update(FRAME).unwrap();
        assert_eq!(engine.system::<Panicking>().unwrap().left, 0);
    }
}

#[test]
fn threads_end_with_their_engine() {
    let meeting = Meeting::of(3);
    let held = meeting.held.clone();
    let mut engine = engine_with_rows(3);
    engine.add(meeting).unwrap();
    engine.update(FRAME).unwrap();
    assert_eq!(Arc::strong_count(&held), 1 + 1 + 3);
    KEPT.set(None);
    drop(engine);
    assert_eq!(Arc::strong_count(&held), 1, "all threads have ended when the drop returns");
}

#[test]
fn threads_end_with_their_engine_without_a_frame_and_after_a_panic() {
    drop(engine_with_rows(4));
    let mut engine = engine_with_rows(4);
    engine.add(Panicking { left: 1 }).unwrap();
    assert!(catch_unwind(AssertUnwindSafe(|| engine.update(FRAME))).is_err());
    drop(engine);
}

/// A system that owns an engine and drives it.
struct Dream(Engine);

impl System for Dream {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::dream);
    }
}

impl Dream {
    fn dream(&mut self, mut rows: Query<&mut Row>) {
        let inner: u64 = visits(&mut self.0).iter().map(|(_, row)| row).sum();
        rows.par_for_each(|row| row.0 += inner);
    }
}

#[test]
fn engines_with_threads_can_be_nested_and_moved() {
    for (outer, inner) in [(2, 2), (4, 2), (2, 4), (1, 3), (3, 1)] {
        let mut dreamt = engine_with_rows(inner);
        dreamt.add(Visitor::default()).unwrap();
        let mut engine = engine_with_rows(outer);
        engine.add(Dream(dreamt)).unwrap();
        engine.update(FRAME).unwrap();
        let mut engine = thread::spawn(move || {
            engine.update(FRAME).unwrap();
            engine
        })
        .join()
        .unwrap();
        let sum: u64 = (0..ROWS).sum();
        assert_eq!(engine.query::<&Row>().iter().map(|row| row.0).max(), Some(ROWS - 1 + 2 * sum));
    }
}

/// Panics in two rows, with a payload that panics when it is dropped.
struct Spiteful(Barrier);

struct Spite(u64);

impl Drop for Spite {
    fn drop(&mut self) {
        panic!("row {} is spiteful", self.0);
    }
}

impl System for Spiteful {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::visit_rows);
    }
}

impl Spiteful {
    fn visit_rows(&mut self, mut rows: Query<&Row>) {
        let both = &self.0;
        rows.par_for_each(|row| {
            // The rows lie in different chunks, and each thread waits for the other.
            if row.0 == 0 || row.0 == ROWS - 1 {
                both.wait();
                std::panic::panic_any(Spite(row.0));
            }
        });
    }
}

#[test]
fn payload_that_panics_on_drop_stops_no_thread_and_leaves_no_work() {
    let mut engine = engine_with_rows(2);
    engine.add(Spiteful(Barrier::new(2))).unwrap();
    let panic = catch_unwind(AssertUnwindSafe(|| engine.update(FRAME))).unwrap_err();
    assert_eq!(panic.downcast_ref::<Spite>().map(|spite| spite.0), Some(0), "the payload of the first row");
    assert!(catch_unwind(AssertUnwindSafe(|| drop(panic))).is_err());
    engine.add(Visitor::default()).unwrap();
    engine.disable_system::<Spiteful>().unwrap();
    assert_eq!(visits(&mut engine).len() as u64, ROWS);
}
