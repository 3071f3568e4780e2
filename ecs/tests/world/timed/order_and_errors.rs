//! Functions among systems: their position in the order, their names, and errors.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::{Commands, Configure, Engine, Error, Priority, Query, ResMut, Sender, Setup, System};

const FRAME: Duration = Duration::from_millis(10);

#[derive(Default)]
struct Log(Vec<&'static str>);

#[derive(Clone, Copy)]
struct Ping;

/// Listens, and records a command in answer.
struct Listener;

impl System for Listener {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update).listen(Self::on_ping);
    }
}

impl Listener {
    fn update(&mut self, mut log: ResMut<Log>) {
        log.0.push("listener");
    }

    fn on_ping(&mut self, _: &Ping, mut log: ResMut<Log>, mut commands: Commands) {
        log.0.push("ping");
        commands.spawn((1_u8,));
    }
}

fn early(mut log: ResMut<Log>, mut pings: Sender<Ping>) {
    log.0.push("early");
    pings.send(Ping);
}

fn late(mut log: ResMut<Log>) {
    log.0.push("late");
}

fn urgent(mut log: ResMut<Log>) {
    log.0.push("urgent");
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Log::default());
    engine
}

#[test]
fn functions_are_in_the_work_order_and_named_in_its_explanation() {
    let mut engine = engine();
    engine.add(late.every(FRAME).after_type::<Listener>()).unwrap();
    engine.add(Listener).unwrap();
    engine.add(early.every(FRAME).before_type::<Listener>()).unwrap();
    engine.add(urgent.once_after(FRAME).priority(Priority::HIGH)).unwrap();
    let text = engine.explain().unwrap().to_string();
    for line in
        ["urgent (priority high, update once, in 10ms)", "early (priority normal, update every 10ms)", "sends Ping"]
    {
        assert!(text.contains(line), "{text}");
    }
    engine.update(FRAME).unwrap();
    assert_eq!(engine.resource::<Log>().unwrap().0, ["urgent", "early", "listener", "late", "ping"]);
    let names: Vec<_> = engine.systems().iter().map(|system| system.name).collect();
    assert_eq!(names, ["early", "Listener", "late"], "the ended function was removed");
    let text = engine.explain().unwrap().to_string();
    assert!(!text.contains("urgent"), "{text}");
}

#[test]
fn systems_after_an_ended_function_keep_listeners_commands_and_subscriptions() {
    let mut engine = engine();
    engine.after(FRAME, early).unwrap();
    engine.add(Listener).unwrap();
    engine.unsubscribe::<Listener, Ping>();
    engine.subscribe::<Listener, Ping>();
    engine.update(FRAME).unwrap();
    engine.send(Ping);
    engine.update(FRAME).unwrap();
    assert_eq!(engine.resource::<Log>().unwrap().0, ["early", "listener", "ping", "ping", "listener"]);
    assert_eq!(engine.query::<&u8>().count(), 2);
    assert!(engine.system::<Listener>().is_some());
}

fn greedy(_: Query<&mut u8>, _: Query<&u8>) {}

fn needy(_: ResMut<u64>) {}

#[test]
fn function_that_cannot_run_is_refused_with_its_name() {
    let mut engine = engine();
    let error = engine.every(FRAME, greedy).unwrap_err().to_string();
    assert!(
        error.contains("function greedy cannot be called: `Query<&mut u8>` and `Query<&u8>` may find component u8"),
        "{error}"
    );
    assert!(engine.systems().is_empty());
    let id = engine.after(FRAME, needy).unwrap();
    assert_eq!(engine.update(FRAME), Err(Error::MissingResource { system: "needy", resource: "u64" }));
    engine.disable_function(id).unwrap();
    engine.update(FRAME).unwrap();
}

fn bomb() {
    panic!("boom");
}

#[test]
fn events_of_a_cancelled_function_are_delivered_after_a_panic() {
    let mut engine = engine();
    let sender = engine.every(FRAME, early).unwrap();
    let bomb = engine.every(FRAME, bomb).unwrap();
    engine.add(Listener).unwrap();
    let panic = catch_unwind(AssertUnwindSafe(|| engine.update(FRAME))).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>().unwrap(), "system bomb panicked in update: boom");
    assert!(engine.cancel(sender) && engine.cancel(bomb));
    assert_eq!(engine.systems().function(sender), None);
    engine.update(FRAME).unwrap();
    assert_eq!(engine.resource::<Log>().unwrap().0, ["early", "listener", "ping", "listener"]);
    assert_eq!(engine.systems().len(), 1);
}
