//! `Removed` and `Replaced` of values of any type.

use std::sync::Arc;
use std::time::Duration;

use ecs::prelude::*;

/// Owns memory, and is counted.
#[derive(Clone, Debug, PartialEq)]
struct Name(Arc<str>);

#[derive(Default)]
struct Log(Vec<String>);

fn name(text: &str) -> Name {
    Name(text.into())
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Log::default());
    engine
        .add(|it: &Removed<Name>, mut log: ResMut<Log>| match &it.value {
            Some(name) => log.0.push(format!("-{}", name.0)),
            None => log.0.push("handed on".to_owned()),
        })
        .unwrap()
        .add(|it: &Replaced<Name>, mut log: ResMut<Log>| log.0.push(format!("{} replaced", it.old.0)))
        .unwrap()
        .add(|_: &Added<Name>, mut log: ResMut<Log>| log.0.push("+".to_owned()))
        .unwrap();
    engine
}

fn log(engine: &mut Engine) -> Vec<String> {
    engine.update(Duration::ZERO).unwrap();
    std::mem::take(&mut engine.resource_mut::<Log>().unwrap().0)
}

#[test]
fn listeners_get_values_that_own_memory() {
    let mut engine = engine();
    let ada = name("Ada");
    let one = engine.spawn((ada.clone(), 1_u8));
    engine.insert(one, (name("Bea"), 2_u8)).unwrap();
    engine.remove::<Name>(one).unwrap();
    engine.insert(one, (name("Carl"),)).unwrap();
    engine.pool_mut::<Name>().insert(one, name("Dora")).unwrap();
    engine.insert_many([(one, (name("Emil"),))]).unwrap();
    engine.despawn(one).unwrap();
    let expected = ["+", "Ada replaced", "-Bea", "+", "Carl replaced", "Dora replaced", "-Emil"];
    assert_eq!(log(&mut engine), expected);
    assert_eq!(Arc::strong_count(&ada.0), 1, "the event was dropped");
}

#[test]
fn a_value_that_is_handed_on_is_not_in_the_event() {
    let mut engine = engine();
    let [from, to] = ["Ada", "Bea"].map(|text| engine.spawn((name(text),)));
    engine.move_component::<Name>(from, to).unwrap();
    assert_eq!(engine.take::<Name>(to).unwrap(), name("Ada"));
    assert_eq!(log(&mut engine), ["+", "+", "handed on", "Bea replaced", "handed on"]);
}

#[test]
fn a_value_that_no_entity_takes_is_neither_removed_nor_replaced() {
    let mut engine = engine();
    let gone = engine.spawn(());
    engine.despawn(gone).unwrap();
    engine.insert(gone, (name("Ada"),)).unwrap_err();
    assert!(log(&mut engine).is_empty());
}

#[test]
fn snapshots_hold_them_while_they_wait() {
    let mut engine = engine();
    engine.types_mut().component_by::<Name>("name", |it, hash| _ = hash.add(&*it.0)).unwrap();
    engine.types_mut().resource_by::<Log>("log", |_, _| {}).unwrap();
    let one = engine.spawn((name("Ada"),));
    engine.insert(one, (name("Bea"),)).unwrap();
    engine.take::<Name>(one).unwrap();
    let snapshot = engine.snapshot().unwrap();
    let first = log(&mut engine);
    engine.restore(&snapshot).unwrap();
    assert_eq!(log(&mut engine), first);
    assert_eq!(first, ["+", "Ada replaced", "handed on"]);
}

impl Clone for Log {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

#[cfg(feature = "serde")]
#[test]
fn saves_hold_them_and_refuse_what_was_handed_on() {
    fn saving() -> Engine {
        let mut engine = Engine::new();
        engine.insert_resource(Vec::<String>::new());
        engine.types_mut().component::<String>("name").unwrap().save_with_text::<String>(1).unwrap();
        engine.types_mut().resource::<Vec<String>>("log").unwrap().save_with_text::<Vec<String>>(1).unwrap();
        let note = |it: &Replaced<String>, mut log: ResMut<Vec<String>>| log.push(it.old.clone());
        engine.add((note, |_: &Removed<String>| {})).unwrap();
        engine
    }
    let mut first = saving();
    let one = first.spawn(("Ada".to_owned(),));
    first.insert(one, ("Bea".to_owned(),)).unwrap();
    let text = first.save_text().unwrap();
    let mut second = saving();
    second.load_text(&text).unwrap();
    second.update(Duration::ZERO).unwrap();
    assert_eq!(*second.resource::<Vec<String>>().unwrap(), ["Ada"]);
    first.take::<String>(one).unwrap();
    let error = first.save_text().unwrap_err().to_string();
    assert!(error.contains("run a frame first"), "{error}");
    first.update(Duration::ZERO).unwrap();
    first.save_text().unwrap();
}
