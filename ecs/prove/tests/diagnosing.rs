//! Two peers of a game that end in different states: the doctor says why.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ecs::EngineBuilder;
use ecs::prelude::*;
use ecs_prove::{Diagnosis, diagnose};

type Anything = Box<dyn std::error::Error + Send + Sync>;

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Ship {
    place_m: f32,
    fuel_kg: u32,
}

#[derive(Clone, Copy)]
struct Pushed(u32);

/// A number of the build, which is no part of the state.
struct Speed(f32);

fn drift(speed: Res<Speed>, mut ships: Query<&mut Ship>) {
    ships.iter_mut().for_each(|ship| ship.place_m += speed.0);
}

fn burn(&Pushed(pushed): &Pushed, mut ships: Query<&mut Ship>) {
    ships.iter_mut().for_each(|ship| ship.fuel_kg = ship.fuel_kg.saturating_sub(pushed));
}

/// Adds a static counter, which snapshots do not hold, after a push of 7.
fn refuel(&Pushed(pushed): &Pushed, mut ships: Query<&mut Ship>) {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    if pushed == 7 {
        let calls = CALLS.fetch_add(1, Ordering::Relaxed);
        ships.iter_mut().for_each(|ship| ship.fuel_kg += calls);
    }
}

fn make(engine: EngineBuilder) -> Result<Engine, Anything> {
    let mut engine = engine.build();
    let types = engine.types_mut();
    types.component_by::<Ship>("ship", |ship, hash| _ = hash.printed(ship))?.save::<Ship>(1)?;
    types.event_by::<Pushed>("pushed", |pushed, hash| _ = hash.add(&pushed.0))?;
    types.leave_out_resource::<Speed>();
    engine.show::<Ship>();
    engine.insert_resource(Speed(0.5));
    engine.add((drift, burn))?;
    engine.spawn((Ship { place_m: 0.0, fuel_kg: 100 },));
    Ok(engine)
}

fn make_faulty(engine: EngineBuilder) -> Result<Engine, Anything> {
    let mut engine = make(engine)?;
    engine.add(refuel)?;
    Ok(engine)
}

fn step(engine: &mut Engine, pushed: &Option<u32>) -> Result<(), ecs::Error> {
    pushed.iter().for_each(|pushed| engine.send(Pushed(*pushed)));
    engine.update(Duration::from_millis(16))
}

fn saved(engine: &mut Engine) -> Vec<u8> {
    let mut bytes = Vec::new();
    engine.save(&mut bytes).unwrap();
    bytes
}

/// The inputs of a minute, in seconds of play: few of them matter.
fn inputs() -> Vec<Option<u32>> {
    (0..60).map(|step| [Some(3), None, Some(1), None, None][step % 5].or_else(|| (step == 33).then_some(7))).collect()
}

/// Two peers that play the same inputs; one of them predicts steps wrongly, and takes them back.
fn peers(make: fn(EngineBuilder) -> Result<Engine, Anything>) -> [Vec<u8>; 3] {
    let mut both = [0, 1].map(|_| make(Engine::builder()).unwrap());
    for _ in 0..20 {
        both.iter_mut().for_each(|peer| step(peer, &None).unwrap());
    }
    let common = saved(&mut both[0]);
    let mut before = ecs::Snapshot::new();
    for input in inputs() {
        step(&mut both[0], &input).unwrap();
        both[1].snapshot_into(&mut before).unwrap();
        step(&mut both[1], &Some(7)).unwrap();
        both[1].restore(&before).unwrap();
        step(&mut both[1], &input).unwrap();
    }
    [common, saved(&mut both[0]), saved(&mut both[1])]
}

fn diagnosed(
    make: fn(EngineBuilder) -> Result<Engine, Anything>,
    [common, one, other]: [Vec<u8>; 3],
) -> Diagnosis<Option<u32>> {
    diagnose(make, step, inputs()).from(common).states(one, other).run().unwrap()
}

#[test]
fn the_system_and_the_only_input_that_matters_are_named() {
    let diagnosis = diagnosed(make_faulty, peers(make_faulty));
    let fault = diagnosis.fault.as_ref().unwrap();
    assert_eq!(fault.frame, 54, "{diagnosis}");
    assert_eq!(fault.systems.iter().map(|system| &*system.system).collect::<Vec<_>>(), ["refuel"]);
    assert_eq!(fault.systems[0].events, ["Pushed"]);
    assert_eq!(fault.field.as_ref().unwrap().0, "fuel_kg");
    let writer = fault.writers[0].as_ref().unwrap();
    assert!(writer.starts_with("frame 54: refuel in its listener for Pushed changed ship.fuel_kg: "), "{writer}");
    assert_eq!(diagnosis.inputs, [(54, Some(7))]);
    let told = diagnosis.to_string();
    assert!(told.contains("ship.fuel_kg") && told.ends_with("it needs the inputs of these frames: 54"), "{told}");
}

#[test]
fn another_build_is_told_from_a_program_that_does_not_repeat() {
    // The other peer was built with another number.
    fn make_other(engine: EngineBuilder) -> Result<Engine, Anything> {
        let mut engine = make(engine)?;
        engine.insert_resource(Speed(0.75));
        Ok(engine)
    }
    let [common, one, _] = peers(make);
    let [.., other] = peers(make_other);
    let diagnosis = diagnosed(make, [common, one, other]);
    assert!(diagnosis.fault.is_none());
    assert_eq!(diagnosis.is_led_to, [true, false]);
    let told = diagnosis.to_string();
    assert!(told.contains("ship.place_m"), "{told}");
    assert!(told.contains("this program, played from there, leads to the first"), "{told}");
    assert!(told.ends_with("the other build, or changes from outside"), "{told}");
}

#[test]
fn states_that_cannot_be_loaded_are_one_sentence() {
    let refused = diagnose(make, step, inputs()).from(vec![1, 2, 3]).run().unwrap_err().to_string();
    assert!(refused.starts_with("cannot load the state that both runs had: "), "{refused}");
    // That of another build may be unreadable here, and the rest is told all the same.
    let [common, one, _] = peers(make_faulty);
    let diagnosis = diagnosed(make_faulty, [common, one, vec![7; 40]]);
    assert!(diagnosis.fault.is_some() && diagnosis.differences.is_none());
    assert!(diagnosis.to_string().starts_with("the second state cannot be read here: "), "{diagnosis}");
}
