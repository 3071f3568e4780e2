//! Resources: one value per type, checked before a frame begins.

use std::time::Duration;

use ecs::{Commands, Engine, Error, Event, Res, ResMut, Sender, Setup, Spawned, System, Time};

use super::log::{self, FRAME, Log};

struct Gravity(f32);

struct Falling;

impl System for Falling {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::fall);
    }
}

impl Falling {
    fn fall(&mut self, gravity: Res<Gravity>, mut log: ResMut<Log>) {
        log.note(gravity.0);
    }
}

#[test]
fn missing_resource_is_named_before_the_frame_begins() {
    let mut engine = log::engine();
    engine.add(Falling).unwrap();
    engine.send(1_u8);
    let error = engine.update(FRAME).unwrap_err();
    assert_eq!(error, Error::MissingResource { system: "Falling", resource: "Gravity" });
    assert_eq!(
        error.to_string(),
        "Falling needs the resource Gravity, which does not exist: insert it, or ask for an Option"
    );
    assert_eq!(engine.time().frame(), 0);
    assert_eq!(engine.events().counters::<u8>().unwrap().sent + engine.events().waiting() as u64, 1, "events wait");
    assert!(engine.insert_resource(Gravity(9.5)).is_none());
    assert_eq!(log::frame(&mut engine), "9.5");
    assert_eq!(engine.remove_resource::<Gravity>().map(|gravity| gravity.0), Some(9.5));
    assert!(engine.update(FRAME).is_err());
}

#[test]
fn disabled_system_does_not_need_its_resource() {
    let mut engine = log::engine();
    engine.add(Falling).unwrap();
    engine.disable_system::<Falling>().unwrap();
    assert_eq!(log::frame(&mut engine), "");
    assert!(matches!(engine.run_system::<Falling>(), Err(Error::MissingResource { .. })));
}

#[test]
fn insert_returns_the_old_resource() {
    let mut engine = Engine::new();
    assert_eq!(engine.insert_resource(1_u8), None);
    assert_eq!(engine.insert_resource(2_u8), Some(1));
    *engine.resource_mut::<u8>().unwrap() += 1;
    assert_eq!(engine.resource::<u8>().as_deref(), Some(&3));
    assert_eq!(engine.remove_resource::<u8>(), Some(3));
    assert!(engine.resource::<u8>().is_none() && engine.resource_mut::<u8>().is_none());
    assert!(engine.resource::<u16>().is_none());
}

#[test]
fn missing_resource_of_a_listener_is_named_before_the_frame_begins() {
    struct Listener;
    impl System for Listener {
        fn setup(setup: &mut Setup<Self>) {
            setup.listen(Self::on_byte);
        }
    }
    impl Listener {
        fn on_byte(&mut self, _: &u8, _: Res<Gravity>) {}
    }
    let mut engine = Engine::new();
    engine.add(Listener).unwrap();
    assert_eq!(engine.update(FRAME), Err(Error::MissingResource { system: "Listener", resource: "Gravity" }));
}

/// Lacks a resource, is enabled by command, and listens to a lifecycle event of the same frame.
struct Unready;

impl System for Unready {
    fn setup(setup: &mut Setup<Self>) {
        setup.disabled().listen(Self::on_spawned);
    }
}

impl Unready {
    fn on_spawned(&mut self, _: &Spawned, _: ResMut<Gravity>) {}
}

struct Waker;

impl System for Waker {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::wake);
    }
}

impl Waker {
    fn wake(&mut self, mut commands: Commands) {
        commands.enable_system::<Unready>();
        commands.spawn(());
    }
}

#[test]
fn system_enabled_by_command_is_checked_before_it_runs() {
    let mut engine = Engine::new();
    engine.add(Unready).unwrap().add(Waker).unwrap();
    engine.update(FRAME).unwrap();
    assert_eq!(engine.update(FRAME), Err(Error::MissingResource { system: "Unready", resource: "Gravity" }));
}

#[test]
fn resources_need_not_be_clone_and_events_need_not_be_resources() {
    struct Big(#[allow(dead_code)] Box<[u8]>);
    fn is_event<E: Event>() {}
    is_event::<f32>();
    fn send(big: Option<Res<Big>>, mut floats: Sender<f32>) -> bool {
        floats.send(1.0);
        big.is_some()
    }
    let mut engine = Engine::new();
    assert_eq!(engine.run(send), Ok(false));
    engine.insert_resource(Big(Box::new([0; 64])));
    assert_eq!(engine.run(send), Ok(true));
}

#[test]
fn time_that_is_asked_for_as_a_resource_is_said_to_be_a_parameter() {
    let sentence = "wait asks for the time as a resource: it is a parameter of its own, `time: Time`";
    fn wait(_: Res<Time>) {}
    let mut engine = Engine::new();
    engine.add(wait).unwrap();
    assert_eq!(engine.update(FRAME).unwrap_err().to_string(), sentence);
    assert_eq!(Engine::new().run(wait).unwrap_err().to_string(), sentence);
    let mut engine = Engine::new();
    engine.after(Duration::ZERO, |mut commands: Commands| commands.run(wait)).unwrap();
    engine.update(FRAME).unwrap();
    assert_eq!(engine.command_errors()[0].failure.to_string(), sentence);
}
