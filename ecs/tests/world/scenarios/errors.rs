//! Conflicting parameters are refused with the remedy, and the engine is usable after every error.

use ecs::{
    Engine, EntityId, Error, IncludeDisabled, Query, Res, ResMut, Sender, Setup, Spawner, System, With, Without,
    system::SetupError,
};

use super::log::{self, FRAME};

struct Mass(#[allow(dead_code)] f32);
struct Wheel;

macro_rules! conflicting {
    ($name:ident, ($($param:ident: $type:ty),*), $conflict:expr) => {{
        struct $name;
        impl System for $name {
            fn setup(setup: &mut Setup<Self>) {
                setup.update(Self::update);
            }
        }
        impl $name {
            fn update(&mut self, $($param: $type),*) {
                $(let _ = $param;)*
            }
        }
        let mut engine = Engine::new();
        let error = engine.add($name).err().unwrap();
        let conflict = $conflict.to_owned();
        let expected = SetupError::Conflict { system: stringify!($name), method: "update", conflict };
        assert_eq!(error, Error::Setup(expected));
        assert!(engine.systems().is_empty(), "nothing was added");
        engine.update(FRAME).unwrap();
        error.to_string()
    }};
}

/// The conflict of two queries over `Mass`.
fn meet(first: &str, second: &str) -> String {
    format!(
        "`Query<{first}>` and `Query<{second}>` may find component Mass of the same entity, and one of them writes it: join the two \
         into one query, or make them disjoint by `Without<X>`, where the other one requires X"
    )
}

#[test]
fn conflicting_parameters_are_refused_with_the_remedy() {
    let twice = meet("&mut Mass", "&mut Mass");
    let text = conflicting!(WriteTwice, (a: Query<&mut Mass>, b: Query<&mut Mass>), twice);
    assert_eq!(text, format!("method update of system WriteTwice cannot be called: {twice}"));
    conflicting!(ReadAndWrite, (a: Query<&Mass>, b: Query<&mut Mass>), meet("&Mass", "&mut Mass"));
    conflicting!(WriteAndRead, (a: Query<&mut Mass>, b: Query<&Mass>), meet("&mut Mass", "&Mass"));
    let in_one =
        "`Query<(&mut Mass, Option<&Mass>)>` asks for component Mass for writing and a second time: ask for it once";
    conflicting!(InOneQuery, (a: Query<(&mut Mass, Option<&Mass>)>), in_one);
    let filtered = meet("&mut Mass, With<Wheel>", "(&mut Mass, EntityId)");
    conflicting!(Filtered, (a: Query<&mut Mass, With<Wheel>>, b: Query<(&mut Mass, EntityId)>), filtered);
    let resource = "it asks for resource f32 for writing and a second time: join the two into one parameter";
    conflicting!(ResourceTwice, (a: ResMut<f32>, b: Res<f32>), resource);
    conflicting!(OptionalResource, (a: Option<Res<f32>>, b: Option<ResMut<f32>>), resource);
    let spawner = "it has a Spawner and looks at all entities: let its query require a component, or use `Commands`";
    conflicting!(SpawnAndSee, (a: Spawner, b: Query<EntityId>), spawner);
    conflicting!(SeeAndSpawn, (a: Query<Option<&Mass>, Without<Wheel>>, b: Spawner), spawner);
    conflicting!(TwoSpawners, (a: Spawner, b: Spawner), "it asks for the Spawner for writing and a second time: join the two into one parameter");
}

#[test]
fn conflicting_parameters_of_a_listener_are_refused() {
    struct Listener;
    impl System for Listener {
        fn setup(setup: &mut Setup<Self>) {
            setup.listen(Self::on_byte);
        }
    }
    impl Listener {
        fn on_byte(&mut self, _: &u8, _: Query<&mut Mass>, _: Query<&Mass>) {}
    }
    let mut engine = Engine::new();
    assert_eq!(
        engine.add(Listener).err(),
        Some(
            SetupError::Conflict { system: "Listener", method: "on_byte", conflict: meet("&mut Mass", "&Mass") }.into()
        )
    );
    engine.send(1_u8);
    engine.update(FRAME).unwrap();
}

#[test]
fn methods_of_one_system_do_not_conflict_with_each_other() {
    struct Fine;
    impl System for Fine {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(Self::one).update(Self::two).listen(Self::on_byte);
        }
    }
    impl Fine {
        fn one(&mut self, _: Query<&mut Mass>, _: Spawner, _: Query<&Wheel>, _: Query<EntityId, With<Mass>>) {}
        fn two(&mut self, _: Query<&mut Mass>, _: Query<EntityId>, _: Sender<u8>, _: Sender<u8>) {}
        fn on_byte(&mut self, _: &u8, _: Query<&mut Mass>) {}
    }
    let mut engine = Engine::new();
    engine.add(Fine).unwrap();
    engine.update(FRAME).unwrap();
}

#[test]
fn conflicting_parameters_of_a_function_are_refused_and_it_is_not_run() {
    fn twice(_: Query<&mut Mass>, _: Query<&mut Mass>) {
        panic!("it must not be called");
    }
    let error = Engine::new().run(twice).unwrap_err();
    assert!(matches!(error, Error::Setup(SetupError::Conflict { system: "twice", method: "twice", .. })), "{error}");
}

#[test]
fn excluded_component_that_may_be_disabled_is_no_proof() {
    type Wheels = (With<Wheel>, IncludeDisabled);
    let conflict = "`Query<&mut Mass, (With<Wheel>, IncludeDisabled)>` and `Query<&mut Mass, Without<Wheel>>` may find component \
                    Mass of the same entity, and one of them writes it: `Without<Wheel>` overlooks disabled components, which the \
                    other query includes: let both include them, or neither";
    conflicting!(Overlooks, (a: Query<&mut Mass, Wheels>, b: Query<&mut Mass, Without<Wheel>>), conflict);
}

#[test]
fn errors_have_one_line_and_implement_error() {
    let mut engine = log::engine();
    let entity = engine.spawn(());
    engine.despawn(entity).unwrap();
    let error: Error = engine.despawn(entity).unwrap_err().into();
    let error: Box<dyn std::error::Error> = Box::new(error);
    assert!(!error.to_string().contains('\n') && !error.to_string().ends_with('.'));
}

#[test]
fn names_of_tuples_and_arrays_are_complete() {
    let mut engine = Engine::new();
    let entity = engine.spawn(());
    let error = engine.remove::<(Option<u8>, std::time::Duration)>(entity).unwrap_err().to_string();
    assert!(error.ends_with("Duration)") && error.contains("Option"), "{error}");
}

struct Blend;

impl System for Blend {
    fn setup(_: &mut Setup<Self>) {}
}

#[test]
fn debug_of_an_error_is_its_sentence() {
    let mut engine = Engine::new();
    let gone = engine.spawn(());
    engine.despawn(gone).unwrap();
    let error: Error = engine.despawn(gone).unwrap_err().into();
    assert_eq!(format!("{error:?}"), error.to_string());
    let failure = engine.remove::<u8>(gone).unwrap_err();
    assert_eq!(format!("{failure:?}"), failure.to_string());
    let setup = engine.remove_system::<Blend>().err().unwrap();
    assert_eq!(format!("{setup:?}"), "system Blend was not added to the engine");
}
