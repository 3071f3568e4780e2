//! Private state of functions, methods, listeners and conditions: `Local`.

use ecs::prelude::*;
use ecs::snapshot::SnapshotError;
use ecs::system::SetupError;
use ecs::{Error, Param};

use crate::ms;

#[derive(Clone, Default)]
struct Log(Vec<(&'static str, u32)>);

impl Log {
    fn take(engine: &mut Engine) -> Vec<(&'static str, u32)> {
        std::mem::take(&mut engine.resource_mut::<Self>().unwrap().0)
    }
}

#[derive(Clone, Copy)]
struct Rang;

fn count(mut calls: Local<u32>, mut log: ResMut<Log>) {
    *calls += 1;
    log.0.push(("count", *calls));
}

fn hear(_: &Rang, mut calls: Local<u32>, mut log: ResMut<Log>) {
    *calls += 1;
    log.0.push(("hear", *calls));
}

/// Holds in every second frame in which it is asked.
fn every_second(mut calls: Local<u32>) -> bool {
    *calls += 1;
    calls.is_multiple_of(2)
}

#[derive(Clone)]
struct Doubled;

impl System for Doubled {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::one).update(Self::two);
    }
}

impl Doubled {
    fn one(&mut self, mut calls: Local<u32>, mut log: ResMut<Log>) {
        *calls += 1;
        log.0.push(("one", *calls));
    }

    fn two(&mut self, mut calls: Local<u32>, mut more: Local<u32>, mut log: ResMut<Log>) {
        *calls += 10;
        *more += 100;
        log.0.push(("two", *calls + *more));
    }
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Log::default());
    let types = engine.types_mut();
    types.resource_by::<Log>("log", |log, hash| _ = hash.printed(&log.0)).unwrap();
    types.event_by::<Rang>("rang", |_, _| {}).unwrap().local::<u32>("calls").unwrap();
    engine
}

fn frame(engine: &mut Engine) -> Vec<(&'static str, u32)> {
    engine.send(Rang);
    engine.update(ms(10)).unwrap();
    Log::take(engine)
}

#[test]
fn each_function_method_and_parameter_has_a_value_of_its_own() {
    let mut engine = engine();
    engine.add((hear, count, count, Doubled)).unwrap();
    assert_eq!(frame(&mut engine), [("hear", 1), ("count", 1), ("count", 1), ("one", 1), ("two", 110)]);
    assert_eq!(frame(&mut engine), [("hear", 2), ("count", 2), ("count", 2), ("one", 2), ("two", 220)]);
    let first = engine.systems().ids_of(count).next().unwrap();
    engine.disable_function(first).unwrap();
    assert_eq!(frame(&mut engine), [("hear", 3), ("count", 3), ("one", 3), ("two", 330)]);
    engine.enable_function(first).unwrap();
    assert_eq!(frame(&mut engine)[1..3], [("count", 3), ("count", 4)]);
}

#[test]
fn condition_has_private_state_and_one_of_a_set_is_refused_it() {
    struct Slow;
    let mut engine = engine();
    engine.add((count, count).run_if(every_second)).unwrap();
    assert_eq!(frame(&mut engine), []);
    assert_eq!(frame(&mut engine).len(), 2);
    let error = engine.configure_set::<Slow>(|set| set.run_if(every_second)).err().unwrap();
    assert!(matches!(error, Error::Setup(SetupError::Condition { .. })));
    assert_eq!(
        error.to_string(),
        "condition every_second of Slow cannot be checked: it has private state, Local<u32>, which belongs to one function or system: \
         let it read a resource"
    );
}

#[test]
fn restoring_brings_private_state_back_also_that_of_functions_that_are_gone() {
    let mut engine = engine();
    engine.add((hear, count, Doubled, count.run_if(every_second))).unwrap();
    frame(&mut engine);
    let (before, hash) = (engine.snapshot().unwrap(), engine.state_hash().unwrap());
    let expected: Vec<_> = (0..3).map(|_| frame(&mut engine)).collect();
    assert_ne!(engine.state_hash().unwrap(), hash);
    for function in engine.systems().ids_of(hear).chain(engine.systems().ids_of(count)).collect::<Vec<_>>() {
        assert!(engine.cancel(function));
    }
    engine.types_mut().function("count", count).unwrap();
    engine.restore(&before).unwrap();
    assert_eq!(engine.state_hash().unwrap(), hash);
    assert_eq!((0..3).map(|_| frame(&mut engine)).collect::<Vec<_>>(), expected);

    // Another engine with the same set-up goes on in the same way.
    let mut other = self::engine();
    other.types_mut().function("count", count).unwrap();
    other.add((hear, count, Doubled, count.run_if(every_second))).unwrap();
    frame(&mut other);
    frame(&mut other);
    other.restore(&before).unwrap();
    assert_eq!((0..3).map(|_| frame(&mut other)).collect::<Vec<_>>(), expected);
}

#[test]
fn hash_tells_private_states_apart() {
    let make = |frames: u64| {
        let mut engine = engine();
        engine.add((count, rest)).unwrap();
        fn rest(mut kept: Local<u32>, time: Time) {
            *kept = u32::from(time.frame() == 1);
        }
        (0..frames).for_each(|_| _ = frame(&mut engine));
        engine.state_hash().unwrap()
    };
    assert_eq!(make(2), make(2));
    assert!(make(1).first_difference(&make(2)).is_some());
    let [mut one, mut other] = [(); 2].map(|()| engine());
    fn set(mut kept: Local<u32>, log: Res<Log>) {
        *kept = log.0.len() as u32;
    }
    one.add((set, set)).unwrap();
    other.add((set, set)).unwrap();
    other.resource_mut::<Log>().unwrap().0.push(("more", 0));
    one.update(ms(10)).unwrap();
    other.update(ms(10)).unwrap();
    Log::take(&mut other);
    let (one, other) = (one.state_hash().unwrap(), other.state_hash().unwrap());
    assert_eq!(&*one.first_difference(&other).unwrap().name, "calls");
}

#[test]
fn private_state_without_a_name_is_named_by_the_snapshot_that_lacks_it() {
    let mut engine = Engine::new();
    engine.add(|_: Local<Vec<u8>>| {}).unwrap();
    engine.update(ms(10)).unwrap();
    let error = engine.snapshot().err().unwrap();
    assert!(matches!(error, Error::Snapshot(SnapshotError::NotRegistered { .. })), "{error:?}");
    assert_eq!(
        error.to_string(),
        "local Vec<u8> is not registered: give it a name at set-up: engine.types_mut().local::<Vec<u8>>(\"…\")"
    );
}

#[test]
fn restore_of_a_state_without_private_state_begins_anew() {
    let mut plain = engine();
    let before = plain.snapshot().unwrap();
    let mut engine = engine();
    engine.add(Doubled).unwrap();
    frame(&mut engine);
    assert!(engine.restore(&before).is_err(), "the system is not in the snapshot");
    assert_eq!(frame(&mut engine), [("one", 2), ("two", 220)]);
}

#[cfg(feature = "serde")]
#[test]
fn save_names_the_private_state_that_it_cannot_hold() {
    let mut engine = engine();
    engine.add(count).unwrap();
    engine.types_mut().leave_out_resource::<Log>();
    let error = engine.save(&mut Vec::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "count has private state, Local<u32>, which cannot be saved: keep it in a resource, or in the fields of a system"
    );
}

#[test]
fn tuple_and_presentation_have_private_state() {
    #[derive(Default)]
    struct Shown(u32);
    fn show((mut frames, time): (Local<u32>, Time), mut shown: ResMut<Shown>) {
        *frames += u32::from(time.delta() > ms(0));
        shown.0 = *frames;
    }
    let mut engine = engine();
    engine.insert_resource(Shown::default());
    engine.types_mut().leave_out_resource::<Shown>();
    engine.presentation().add(show).unwrap();
    for _ in 0..3 {
        engine.present(ms(5), 0.0).unwrap();
    }
    let before = engine.snapshot().unwrap();
    engine.restore(&before).unwrap();
    engine.present(ms(5), 0.0).unwrap();
    assert_eq!(engine.resource::<Shown>().unwrap().0, 4, "what is presented is in no snapshot");
    fn is_param<P: Param>() {}
    is_param::<Local<Vec<String>>>();
}

#[test]
fn threads_change_nothing_about_private_state() {
    fn add_up(mut sum: Local<u32>, mut all: Query<&mut u32>) {
        all.par_for_each(|value| *value += 1);
        *sum += all.iter().copied().sum::<u32>() % 1_000;
        if let Some(first) = all.iter_mut().next() {
            *first += *sum;
        }
    }
    let run = |threads| {
        let mut engine = Engine::builder().threads(threads).parallel_threshold(0).build();
        engine.types_mut().component::<u32>("value").unwrap().local::<u32>("sum").unwrap();
        engine.add((add_up, add_up, |mut all: Query<&mut u16>| all.iter_mut().for_each(|value| *value += 1))).unwrap();
        engine.types_mut().component::<u16>("other").unwrap();
        engine.spawn_many((0..500_u32).map(|n| (n, n as u16)));
        (0..10).for_each(|_| engine.update(ms(10)).unwrap());
        engine.state_hash().unwrap()
    };
    assert_eq!(run(1), run(4));
}

#[test]
fn function_that_runs_once_cannot_keep_private_state() {
    let mut engine = engine();
    let error = engine.run(|_: Local<u32>| {}).unwrap_err().to_string();
    let problem =
        "it runs once, so it cannot keep private state, Local<u32>: return the value, or write it to a resource";
    assert!(error.ends_with(&format!("cannot be called: {problem}")), "{error}");
    engine.run(|mut commands: Commands| commands.run(|_: Local<u32>| {})).unwrap_err();
}
