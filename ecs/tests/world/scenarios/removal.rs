//! Systems that are removed at run time.

use std::time::Duration;

use ecs::prelude::*;
use ecs::system::SetupError;
use ecs::{CommandFailure, Error};

#[derive(Clone, Copy)]
struct Tick(u32);

/// Sends a tick a frame, and keeps the ticks that it hears.
#[derive(Clone, Default)]
struct Clock {
    sent: u32,
    heard: Vec<u32>,
}

impl System for Clock {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::tick).listen(|clock: &mut Self, tick: &Tick| clock.heard.push(tick.0));
    }
}

impl Clock {
    fn tick(&mut self, mut ticks: Sender<Tick>) {
        self.sent += 1;
        ticks.send(Tick(self.sent));
    }
}

#[derive(Default)]
struct Listener(Vec<u32>);

impl System for Listener {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|listener: &mut Self, tick: &Tick| listener.0.push(tick.0));
    }
}

/// Runs after the clock.
struct Follower;

impl System for Follower {
    fn setup(setup: &mut Setup<Self>) {
        setup.after_type::<Clock>().update(|_: &mut Self| {});
    }
}

fn frame(engine: &mut Engine) {
    engine.update(Duration::from_millis(10)).unwrap();
}

#[test]
fn removed_system_returns_its_state_and_its_events_are_delivered() {
    let mut engine = Engine::new();
    engine.add(Clock::default()).unwrap().add(Listener::default()).unwrap();
    frame(&mut engine);
    engine.run_system::<Clock>().unwrap();
    let clock = engine.remove_system::<Clock>().unwrap();
    assert_eq!((clock.sent, clock.heard), (2, vec![1]));
    assert!(engine.system::<Clock>().is_none() && engine.events().waiting() == 1);
    frame(&mut engine);
    frame(&mut engine);
    assert_eq!(engine.system::<Listener>().unwrap().0, [1, 2]);
    engine.add(Clock::default()).unwrap();
    frame(&mut engine);
    assert_eq!(engine.system::<Listener>().unwrap().0, [1, 2, 1]);
    let gone = Error::Setup(SetupError::NotAdded { system: "Follower" });
    assert_eq!(engine.remove_system::<Follower>().err(), Some(gone));
}

#[test]
fn system_that_another_one_names_stays() {
    let mut engine = Engine::new();
    engine.add(Clock::default()).unwrap().add(Follower).unwrap();
    let refused = engine.remove_system::<Clock>().err().unwrap();
    assert_eq!(
        refused.to_string(),
        "system Clock cannot be removed: Follower runs after Clock; remove Follower first, or disable Clock"
    );
    frame(&mut engine);
    engine.remove_system::<Follower>().unwrap();
    engine.remove_system::<Clock>().unwrap();
    assert!(engine.systems().is_empty());
    frame(&mut engine);
}

#[test]
fn command_removes_a_system_at_the_end_of_the_frame() {
    let mut engine = Engine::new();
    engine.add(Clock::default()).unwrap().add(Follower).unwrap().add(Listener::default()).unwrap();
    engine.after(Duration::ZERO, |mut commands: Commands| commands.remove_system::<Clock>()).unwrap();
    frame(&mut engine);
    let [error] = engine.command_errors() else { panic!("{:?}", engine.command_errors()) };
    assert!(matches!(error.failure, CommandFailure::Setup(SetupError::Needed { .. })));
    let both = |mut commands: Commands| {
        commands.remove_system::<Follower>();
        commands.remove_system::<Clock>();
    };
    engine.after(Duration::ZERO, both).unwrap();
    frame(&mut engine);
    assert!(engine.command_errors().is_empty(), "{:?}", engine.command_errors());
    assert_eq!(engine.systems().len(), 1);
    frame(&mut engine);
    assert_eq!(engine.system::<Listener>().unwrap().0, [1, 2], "also the tick of the frame in which it was removed");
    let failed = engine.run(|mut commands: Commands| commands.remove_system::<Clock>());
    assert_eq!(failed, Err(Error::Command(CommandFailure::NoSuchSystem { system: "Clock" })));
    engine.run(|mut commands: Commands| commands.remove_system::<Listener>()).unwrap();
    assert!(engine.systems().is_empty());
}

/// Records commands; the first one panics.
struct Clumsy;

struct Explosive;

impl Drop for Explosive {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "as wanted");
    }
}

impl System for Clumsy {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self, all: Query<(EntityId, &Explosive)>, mut commands: Commands| {
            for (entity, _) in &all {
                commands.despawn(entity);
                commands.spawn((1_u8,));
            }
        });
    }
}

#[test]
fn system_whose_commands_wait_stays() {
    let mut engine = Engine::new();
    engine.add(Clumsy).unwrap();
    engine.spawn((Explosive,));
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| engine.update(Duration::ZERO))).unwrap_err();
    assert!(matches!(engine.remove_system::<Clumsy>().err(), Some(Error::Setup(SetupError::CommandsWait { .. }))));
    frame(&mut engine);
    assert_eq!(engine.query::<&u8>().count(), 1);
    engine.remove_system::<Clumsy>().unwrap();
}

#[test]
fn snapshot_with_a_removed_system_is_refused_until_it_is_added_again() {
    let mut engine = Engine::new();
    engine.add(Clock::default()).unwrap().add(Follower).unwrap();
    engine.types_mut().system_by::<Clock>("clock", |clock, hash| _ = hash.add(&clock.sent)).unwrap();
    let before = engine.snapshot().unwrap();
    engine.remove_system::<Follower>().unwrap();
    let refused = engine.restore(&before).unwrap_err().to_string();
    assert!(refused.contains("Follower") && refused.contains("add it first"), "{refused}");
    engine.add(Follower).unwrap();
    engine.restore(&before).unwrap();
}
