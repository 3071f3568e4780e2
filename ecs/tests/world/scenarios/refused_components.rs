//! Values that get into bundles by mistake are refused when they are met for the first time, before anything has
//! changed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::system::SetupError;
use ecs::{Commands, Engine, Error, Query, Setup, Spawner, System, With, Without};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Position(f32);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Speed(f32);

struct Tag;

fn start() -> Speed {
    Speed(1.0)
}

/// The message of the panic.
fn refusal(of: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(of)).expect_err("it is refused");
    *payload.downcast::<String>().unwrap()
}

macro_rules! refused {
    ($($value:expr => $message:expr),* $(,)?) => {$(
        let mut engine = Engine::new();
        let entity = engine.spawn((Tag,));
        let mut is_refused = |attempt: &dyn Fn(&mut Engine)| {
            assert_eq!(refusal(|| attempt(&mut engine)), $message);
            assert_eq!((engine.entities().len(), engine.entities().mask(entity).unwrap().len()), (1, 1));
        };
        is_refused(&|engine| _ = engine.spawn((Tag, $value)));
        // Each time, not only the first time.
        is_refused(&|engine| _ = engine.spawn((Tag, $value)));
        is_refused(&|engine| engine.insert(entity, ($value,)).unwrap());
        is_refused(&|engine| _ = engine.spawn_many([($value,)]));
        is_refused(&|engine| _ = engine.spawn_columns((vec![$value],)));
        is_refused(&|engine| engine.insert_many([(entity, ($value,))]).unwrap());
    )*};
}

#[test]
fn mistaken_components_are_refused_with_the_way_out() {
    let captured = 1_u8;
    let closure = move || captured;
    refused! {
        () => "the unit () cannot be a component: leave it out, or name a tag: `struct Tag;`",
        (1_u8, 2_u16) => "the tuple (u8, u16) cannot be a component: write its parts into the bundle itself, or give it a name as a struct",
        Some(1_u8) => "Option<u8> cannot be a component: insert the value if there is one, or put the option into a struct",
        "1".parse::<u8>().map_err(drop) =>
            "Result<u8, ()> cannot be a component: handle the error first, or put the result into a struct",
        Position => "the constructor of Position cannot be a component: give it its values, as a call",
        start => "the function start cannot be a component: call it (if it is a type, let its name begin with a capital)",
        closure =>
            "the closure mistaken_components_are_refused_with_the_way_out::{{closure}} cannot be a component: call it, or put it into a struct",
    }
}

#[test]
fn bundle_with_a_type_twice_is_refused() {
    let message = "the bundle (Position, Speed, Position) has Position twice: an entity has one component of a type, so leave one out";
    let mut engine = Engine::new();
    let entity = engine.spawn((Position(0.0),));
    let twice = || (Position(1.0), Speed(1.0), Position(2.0));
    assert_eq!(refusal(|| _ = engine.spawn(twice())), message);
    assert_eq!(refusal(|| engine.insert(entity, twice()).unwrap()), message);
    assert_eq!(refusal(|| _ = engine.spawn_many([twice()])), message);
    assert_eq!(refusal(|| engine.insert_many([(entity, twice())]).unwrap()), message);
    assert_eq!(
        refusal(|| _ = engine.spawn_columns((vec![Position(1.0)], vec![Speed(1.0)], vec![Position(2.0)]))),
        message
    );
    assert_eq!(engine.entities().len(), 1);
    assert_eq!(engine.get::<Position>(entity), Some(&Position(0.0)));
}

#[test]
fn queries_for_mistaken_components_are_refused_when_the_system_is_added() {
    struct Healer;
    impl System for Healer {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(Self::heal);
        }
    }
    impl Healer {
        fn heal(&mut self, _: Query<(&mut Position, &Option<Speed>)>) {}
    }
    let mut engine = Engine::new();
    let error = engine.add(Healer).map(drop).unwrap_err();
    assert!(matches!(error, Error::Setup(SetupError::Conflict { system: "Healer", .. })));
    assert!(error.to_string().starts_with("method heal of system Healer cannot be called: Option<"), "{error}");
    assert!(engine.run(|_: Query<&Position, With<(u8, u8)>>| {}).is_err());
    assert!(engine.run(|_: Query<&Position, Without<()>>| {}).is_err());
    let panic = refusal(|| _ = engine.query::<&mut Option<Speed>>());
    assert!(panic.contains("cannot be a component: insert the value if there is one"), "{panic}");
    assert_eq!(engine.read::<&()>().count(), 0);
}

#[test]
fn commands_refuse_mistaken_components_in_the_system_that_records_them() {
    struct Factory;
    impl System for Factory {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(Self::build);
        }
    }
    impl Factory {
        fn build(&mut self, mut commands: Commands) {
            commands.spawn((Tag,));
            commands.spawn((Position, Speed(1.0)));
        }
    }
    let mut engine = Engine::new();
    engine.add(Factory).unwrap();
    let message = refusal(|| engine.update(Duration::ZERO).unwrap());
    assert_eq!(
        message,
        "system Factory panicked in update: the constructor of Position cannot be a component: give it its values, as a call"
    );
    engine.disable_system::<Factory>().unwrap();
    let message = refusal(|| _ = engine.run(|mut spawner: Spawner| _ = spawner.spawn((1_u8, 2_u8))));
    assert!(message.ends_with("has u8 twice: an entity has one component of a type, so leave one out"), "{message}");
}

#[test]
fn names_for_mistaken_components_are_refused() {
    let mut engine = Engine::new();
    let error = engine.types_mut().component_by::<(u8, u8)>("pair", |_, _| {}).map(drop).unwrap_err();
    assert!(error.to_string().starts_with("the tuple (u8, u8) cannot be a component"), "{error}");
}
