//! Methods that return errors: reported in the order in which they happened, at any number of threads.

use std::fmt;
use std::time::Duration;

use ecs::system::{ErrorPolicy, SystemError};
use ecs::{Commands, Engine, Error, Query, Sender, Setup, System, World};

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
