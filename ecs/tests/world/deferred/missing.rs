//! Changes of entities and components that no longer exist.

use std::time::Duration;

use ecs::{CommandFailure, Commands, Engine, EntityId, Setup, System};

#[derive(Debug, PartialEq)]
struct Fuel(u32);

/// Takes the fuel out of a car.
struct Thief(EntityId);

impl System for Thief {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|thief: &mut Self, mut commands: Commands| commands.remove::<Fuel>(thief.0));
    }
}

/// Scraps a car.
struct Press(EntityId);

impl System for Press {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|press: &mut Self, mut commands: Commands| commands.despawn(press.0));
    }
}

/// Fills a car up.
struct Pump(EntityId);

impl System for Pump {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|pump: &mut Self, mut commands: Commands| commands.insert(pump.0, (Fuel(9), 'f')));
    }
}

fn errors(engine: &mut Engine) -> Vec<String> {
    engine.update(Duration::ZERO).expect("the systems fit");
    engine.command_errors().iter().map(ToString::to_string).collect()
}

#[test]
fn removal_of_a_missing_component_names_system_component_and_entity() {
    let mut engine = Engine::new();
    let car = engine.spawn((Fuel(1),));
    engine.add(Thief(car)).unwrap();
    assert_eq!(errors(&mut engine), [""; 0]);
    assert_eq!(errors(&mut engine), ["Thief asked to remove: entity 1v1 has no Fuel"]);
    assert_eq!(engine.command_errors()[0].failure, CommandFailure::NoSuchComponent { entity: car, component: "Fuel" });
}

#[test]
fn command_on_a_despawned_entity_names_the_recording_system() {
    let mut engine = Engine::new();
    let car = engine.spawn((Fuel(1),));
    engine.add(Press(car)).unwrap().add(Pump(car)).unwrap().add(Thief(car)).unwrap();
    let gone = "entity 1v1 does not exist: it was despawned, or belongs to another engine";
    assert_eq!(
        errors(&mut engine),
        [format!("Pump asked to insert: {gone}"), format!("Thief asked to remove: {gone}")]
    );
}

#[test]
fn failed_command_of_a_function_names_the_function() {
    let mut engine = Engine::new();
    let car = engine.spawn(());
    let drain = move |mut commands: Commands| commands.remove::<Fuel>(car);
    engine.every(Duration::ZERO, drain).unwrap();
    let errors = errors(&mut engine);
    assert!(
        errors[0].contains("failed_command_of_a_function_names_the_function") && errors[0].contains("has no Fuel"),
        "{errors:?}"
    );
}
