//! The threads of an engine: who works on what, what becomes of panics, and how they end.
#![cfg(feature = "parallel")]

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

use ecs::{Engine, Query, Res, Setup, System, World};

const FRAME: Duration = Duration::from_millis(16);

/// Enough for several threads.
const ROWS: u64 = 20_000;

struct Row(u64);

/// Splits its walk, and notes who visited which row.
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
fn serial_engine_in_a_foreign_pool_visits_rows_in_order_on_one_thread() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let mut engine = engine_with_rows(1);
    engine.add(Visitor::default()).unwrap();
    for _ in 0..20 {
        let (caller, visits) = pool.install(|| (thread::current().id(), visits(&mut engine)));
        assert!(visits == (0..ROWS).map(|row| (caller, row)).collect::<Vec<_>>());
    }
}

#[test]
fn engine_with_threads_visits_every_row_once_and_not_on_the_thread_that_calls() {
    let mut engine = engine_with_rows(4);
    engine.add(Visitor::default()).unwrap();
    for _ in 0..20 {
        let visits = visits(&mut engine);
        assert!(visits.iter().all(|(thread, _)| *thread != thread::current().id()));
        let mut rows: Vec<_> = visits.into_iter().map(|(_, row)| row).collect();
        rows.sort_unstable();
        assert!(rows == (0..ROWS).collect::<Vec<_>>());
    }
}

#[test]
fn walk_outside_of_a_frame_is_not_split() {
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
    let in_a_pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let (caller, rows) = in_a_pool.install(|| (thread::current().id(), order(&mut engine)));
    assert!(rows.into_iter().eq((0..ROWS).map(|row| (caller, row))), "nor after a frame that panicked");
}

/// Notes the names of the threads that it works on.
struct Names;

impl System for Names {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::look);
    }
}

impl Names {
    fn look(&mut self, mut rows: Query<&Row>, names: Res<Mutex<BTreeSet<Option<String>>>>) {
        let note = || names.lock().unwrap().insert(thread::current().name().map(str::to_owned));
        rows.par_for_each(|_| _ = note());
        rayon::broadcast(|_| note());
    }
}

#[test]
fn threads_are_named_and_counted() {
    for count in [2, 3] {
        let mut engine = engine_with_rows(count);
        engine.insert_resource(Mutex::new(BTreeSet::<Option<String>>::new()));
        engine.add(Names).unwrap();
        engine.update(FRAME).unwrap();
        let names = engine.remove_resource::<Mutex<BTreeSet<Option<String>>>>().unwrap().into_inner().unwrap();
        let expected: BTreeSet<_> = (1..=count).map(|number| Some(format!("ecs-{number}"))).collect();
        assert_eq!(names, expected);
    }
}

/// Panics in one row of a walk that is split, as often as it is told to.
struct Panicking {
    left: u32,
}

impl System for Panicking {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::walk).update_exclusive(Self::count);
    }
}

impl Panicking {
    fn walk(&mut self, mut rows: Query<&mut Row>) {
        let fails = self.left > 0;
        self.left = self.left.saturating_sub(1);
        rows.par_for_each(|row| assert!(!fails || row.0 != ROWS - 1, "row {} is bad", row.0));
    }

    fn count(&mut self, world: &mut World) {
        assert_eq!(world.query::<&Row>().count() as u64, ROWS);
    }
}

#[test]
fn panic_on_a_thread_reaches_the_caller_and_the_engine_goes_on() {
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

/// Counts those who hold it.
struct Token(#[allow(dead_code)] Arc<()>);

/// Keeps a token on each thread for as long as the thread lives.
struct Keeper(Arc<()>);

thread_local! {
    static KEPT: std::cell::RefCell<Option<Token>> = const { std::cell::RefCell::new(None) };
}

impl System for Keeper {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::keep);
    }
}

impl Keeper {
    fn keep(&mut self) {
        rayon::broadcast(|_| KEPT.set(Some(Token(self.0.clone()))));
    }
}

#[test]
fn threads_end_with_their_engine() {
    let held = Arc::new(());
    let mut engine = engine_with_rows(3);
    engine.add(Keeper(held.clone())).unwrap();
    engine.update(FRAME).unwrap();
    assert_eq!(Arc::strong_count(&held), 1 + 1 + 3);
    drop(engine);
    assert_eq!(Arc::strong_count(&held), 1, "each thread has given back what it kept when the drop ends");
}

#[test]
fn threads_end_with_their_engine_without_a_frame_and_after_a_panic() {
    drop(engine_with_rows(4));
    let mut engine = engine_with_rows(4);
    engine.add(Panicking { left: 1 }).unwrap();
    assert!(catch_unwind(AssertUnwindSafe(|| engine.update(FRAME))).is_err());
    drop(engine);
}

/// Sends engines and ends on a thread of the engine to which it belongs.
struct Undertaker(Option<std::sync::mpsc::Receiver<Engine>>, Sender<()>);

impl System for Undertaker {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::wait);
    }
}

impl Undertaker {
    fn wait(&mut self) {
        let (engines, done) = (self.0.take().unwrap(), self.1.clone());
        rayon::spawn(move || {
            drop(engines.recv().unwrap());
            done.send(()).unwrap();
        });
    }
}

#[test]
fn engine_may_be_dropped_by_one_of_its_own_threads() {
    let (send_engine, engines) = channel();
    let (done, is_done) = channel();
    let mut engine = engine_with_rows(2);
    engine.add(Undertaker(Some(engines), done)).unwrap();
    engine.update(FRAME).unwrap();
    send_engine.send(engine).unwrap();
    is_done.recv().unwrap();
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
