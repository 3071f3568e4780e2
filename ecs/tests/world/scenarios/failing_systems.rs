//! Methods that return errors: reported in the order in which they happened, at any number of threads.

use std::fmt;
use std::time::Duration;

use ecs::system::{ErrorPolicy, SystemError};
use ecs::{Commands, Configure, Despawned, Engine, EntityId, Error, Query, ResMut, Sender, Setup, System, With, World};

use super::log::FRAME;

#[derive(Clone, Copy, PartialEq)]
struct Fuel(u32);

#[derive(Debug)]
struct Empty;

impl fmt::Display for Empty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tank is empty")
    }
}

impl std::error::Error for Empty {}

#[derive(Clone, Copy)]
struct Refuelled;

/// Fails wherever a method can, in four phases and a listener.
struct Engineer;

impl System for Engineer {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .pre_update(Self::look)
            .update(Self::burn)
            .update(Self::log)
            .update_exclusive(Self::inspect)
            .post_update(Self::refuel)
            .listen(Self::on_refuelled);
    }
}

impl Engineer {
    fn look(&mut self) -> Result<(), &'static str> {
        Err("it is dark")
    }

    fn burn(&mut self, mut tanks: Query<&mut Fuel>) -> Result<(), Empty> {
        for fuel in &mut tanks {
            fuel.0 = fuel.0.checked_sub(1).ok_or(Empty)?;
        }
        Ok(())
    }

    /// Runs although the method before it failed.
    fn log(&mut self, mut commands: Commands) -> Result<(), Box<dyn std::error::Error>> {
        commands.spawn(('l',));
        Ok("7a".parse::<u32>().map(drop)?)
    }

    fn inspect(&mut self, world: &mut World) -> Result<(), String> {
        Err(format!("{} tanks", world.query::<&Fuel>().count()))
    }

    fn refuel(&mut self, mut sender: Sender<Refuelled>) {
        sender.send(Refuelled);
    }

    fn on_refuelled(&mut self, _: &Refuelled) -> Result<(), Empty> {
        Err(Empty)
    }
}

const ERRORS: [&str; 5] = [
    "system Engineer failed in pre-update: it is dark",
    "system Engineer failed in update: a tank is empty",
    "system Engineer failed in update: invalid digit found in string",
    "system Engineer failed in update: 2 tanks",
    "system Engineer failed in its listener for Refuelled: a tank is empty",
];

fn texts(errors: &[SystemError]) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

#[test]
fn errors_of_methods_name_system_and_method_and_the_frame_goes_on() {
    let mut engine = Engine::new();
    engine.add(Engineer).unwrap();
    let tanks = [engine.spawn((Fuel(3),)), engine.spawn((Fuel(0),))];
    engine.update(FRAME).unwrap();
    assert_eq!(texts(engine.system_errors()), ERRORS);
    assert!(engine.get::<Fuel>(tanks[0]) == Some(&Fuel(2)), "it ran up to the error");
    assert_eq!(engine.query::<&char>().count(), 1, "commands are applied");
    assert!(engine.command_errors().is_empty());
    engine.disable_system::<Engineer>().unwrap();
    engine.update(FRAME).unwrap();
    assert!(engine.system_errors().is_empty(), "they are those of the last frame");
}

#[test]
fn policy_to_stop_returns_the_first_error_after_the_whole_frame() {
    let mut engine = Engine::builder().on_error(ErrorPolicy::Stop).build();
    engine.add(Engineer).unwrap();
    engine.spawn_many([(Fuel(0),), (Fuel(0),)]);
    let error = engine.update(FRAME).unwrap_err();
    assert_eq!(error.to_string(), ERRORS[0]);
    assert!(matches!(error, Error::System(SystemError { system: "Engineer", .. })));
    assert_eq!(texts(engine.system_errors()), ERRORS);
    assert_eq!((engine.time().frame(), engine.query::<&char>().count()), (1, 1));
    assert!(engine.run_system::<Engineer>().is_err());
}

#[test]
fn failed_frame_can_be_copied_and_restored() {
    struct Failing;
    impl System for Failing {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|_: &mut Self| Err::<(), _>(Empty));
        }
    }
    let mut engine = Engine::new();
    engine.add(Failing).unwrap();
    engine.update(FRAME).unwrap();
    let snapshot = engine.snapshot().unwrap();
    engine.restore(&snapshot).unwrap();
    assert!(engine.system_errors().is_empty());
    engine.update(FRAME).unwrap();
    assert_eq!(texts(engine.system_errors()), ["system Failing failed in update: a tank is empty"]);
}

/// Fails in frames that `N` divides. Many of them are in one wave.
struct Shift<const N: u64>;

impl<const N: u64> System for Shift<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self, time: ecs::Time, tanks: Query<&Fuel>| match time.frame().is_multiple_of(N) {
            true => Err(format!("{N} of {}", tanks.count())),
            false => Ok(()),
        });
    }
}

#[test]
fn errors_are_equal_at_any_number_of_threads() {
    let run = |threads| {
        let mut engine = Engine::builder().threads(threads).parallel_threshold(1).build();
        engine.add(Shift::<3>).unwrap().add(Shift::<1>).unwrap().add(Shift::<2>).unwrap().add(Engineer).unwrap();
        engine.spawn_many((0..100).map(|n| (Fuel(n),)));
        let frames = (0..30).map(|_| {
            engine.update(Duration::ZERO).unwrap();
            texts(engine.system_errors())
        });
        frames.collect::<Vec<_>>()
    };
    let expected = run(1);
    assert_eq!(expected[5][1..4], ["3", "1", "2"].map(|n| format!("system Shift<{n}> failed in update: {n} of 100")));
    assert_eq!(run(2), expected);
    assert_eq!(run(4), expected);
}

/// Fails in an observer, a filtered listener, a plain listener, repeated functions of two phases, one that runs once,
/// and functions of commands.
fn add_failing_functions(engine: &mut Engine) {
    fn log(_: &Refuelled) -> Result<(), String> {
        Err("the log is full".to_owned())
    }
    fn stall(mut commands: Commands) -> Result<(), Empty> {
        commands.spawn(('s',));
        Err(Empty)
    }
    fn call(mut commands: Commands, tanks: Query<EntityId, With<Fuel>>) {
        commands.run(stall);
        commands.after(FRAME, stall);
        tanks.iter().take(1).for_each(|tank| commands.despawn(tank));
    }
    fn seal(_: &Despawned) -> Result<(), Empty> {
        Err(Empty)
    }
    engine.listen(log).unwrap();
    let filtered = |_: &ecs::Added<Fuel>| Err::<(), _>("no cap");
    engine.listen_filtered::<With<Fuel>, _, _>(filtered).unwrap();
    let tank = engine.spawn((Fuel(1),));
    engine.observe(tank, seal).unwrap();
    engine.add(stall.in_post_update()).unwrap();
    engine.after(Duration::ZERO, stall).unwrap();
    engine.after(Duration::ZERO, call).unwrap();
    engine.send(Refuelled);
}

#[test]
fn errors_of_functions_are_reported_as_those_of_methods() {
    let run = |threads| {
        let mut engine = Engine::builder().threads(threads).parallel_threshold(1).build();
        add_failing_functions(&mut engine);
        let frames = (0..3).map(|_| {
            engine.update(FRAME).unwrap();
            assert!(engine.command_errors().is_empty());
            texts(engine.system_errors())
        });
        let frames: Vec<_> = frames.collect();
        assert_eq!(engine.query::<&char>().count(), 6, "their commands are applied");
        frames
    };
    let expected = run(1);
    let [first, second, third] = &expected[..] else { unreachable!("three frames") };
    let ends = |texts: &[String], ends: &[&str]| {
        assert_eq!(texts.len(), ends.len(), "{texts:?}");
        assert!(texts.iter().zip(ends).all(|(text, end)| text.ends_with(end)), "{texts:?}");
    };
    ends(
        first,
        &[
            "Fuel>: no cap",
            "log failed in its listener for Refuelled: the log is full",
            "stall failed in update: a tank is empty",
            "stall failed in post-update: a tank is empty",
            "call failed in the function stall that it ran: a tank is empty",
            "seal failed in its listener for Despawned: a tank is empty",
        ],
    );
    ends(second, &["stall failed in update: a tank is empty", "stall failed in post-update: a tank is empty"]);
    ends(third, &["stall failed in post-update: a tank is empty"]);
    assert_eq!(run(2), expected);
    assert_eq!(run(4), expected);
}

#[test]
fn policy_to_stop_holds_for_functions() {
    let mut engine = Engine::builder().on_error(ErrorPolicy::Stop).build();
    engine.every(Duration::ZERO, || Err::<(), _>(Empty)).unwrap();
    let error = engine.update(FRAME).unwrap_err().to_string();
    assert!(error.ends_with("failed in update: a tank is empty"), "{error}");
    assert!(engine.update(FRAME).is_err(), "it goes on");
}

#[test]
fn function_that_a_command_of_engine_run_ran_fails_the_run() {
    fn check() -> Result<(), Empty> {
        Err(Empty)
    }
    fn order(mut commands: Commands) {
        commands.run(check);
        commands.spawn((Fuel(1),));
    }
    let mut engine = Engine::new();
    let error = engine.run(order).unwrap_err();
    assert!(matches!(error, Error::System(_)));
    assert!(error.to_string().ends_with("order failed in the function check that it ran: a tank is empty"), "{error}");
    assert_eq!(engine.query::<&Fuel>().count(), 1, "the other commands are applied");
}

#[test]
fn failing_functions_are_restored_with_their_errors_to_come() {
    let mut engine = Engine::new();
    engine.insert_resource(0_u32);
    let counting = |mut count: ResMut<u32>| {
        *count += 1;
        if count.is_multiple_of(2) { Err(format!("{} is even", *count)) } else { Ok(()) }
    };
    engine.types_mut().resource_by::<u32>("count", |count, hash| _ = hash.add(count)).unwrap();
    engine.types_mut().function("counting", counting).unwrap();
    engine.every(Duration::ZERO, counting).unwrap();
    engine.update(FRAME).unwrap();
    let snapshot = engine.snapshot().unwrap();
    let mut run = || {
        let frames = (0..3).map(|_| {
            engine.update(FRAME).unwrap();
            texts(engine.system_errors())
        });
        let frames: Vec<_> = frames.collect();
        engine.restore(&snapshot).unwrap();
        frames
    };
    let expected = run();
    assert_eq!(expected.concat().len(), 2, "{expected:?}");
    assert_eq!(run(), expected);
}
