//! Types are registered for saving once; a repeated registration changes nothing, and a contradicting one is refused.

use ecs::{Engine, Removed, ResMut, Setup, System, snapshot::TypeRegistry};
use serde::{Deserialize, Serialize};

use super::world::FRAME;

/// A number of metres in version 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Height {
    centimetres: u32,
}

/// Logs the lifecycle events of heights.
struct Watching;

impl System for Watching {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, removed: &Removed<Height>, mut last: ResMut<u32>| {
            *last = removed.value.as_ref().unwrap().centimetres
        });
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Metres(u32);

struct WatchingOfOld;

impl System for WatchingOfOld {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, removed: &Removed<Metres>, mut last: ResMut<u32>| {
            *last = removed.value.as_ref().unwrap().0
        });
    }
}

fn last(types: &mut TypeRegistry) -> &mut TypeRegistry {
    types.resource::<u32>("last").unwrap().save_with_text::<u32>(1).unwrap()
}

/// An entity is 3 m high, and another one lost its height of 2 m.
fn old() -> Engine {
    let mut engine = Engine::new();
    engine.add(WatchingOfOld).unwrap();
    engine.insert_resource(0_u32);
    let types = last(engine.types_mut());
    types.component_by("height", |_: &Metres, _| {}).unwrap().save_with_text::<Metres>(1).unwrap();
    types.removed(ecs::snapshot::TypeKind::System, "WatchingOfOld");
    let lost = engine.spawn((Metres(2),));
    engine.remove::<Metres>(lost).unwrap();
    engine.spawn((Metres(3),));
    engine
}

/// An engine of the current version, which knows metres.
fn new() -> Engine {
    let mut engine = Engine::new();
    engine.add(Watching).unwrap();
    let types = last(engine.types_mut());
    types.component_by("height", |_: &Height, _| {}).unwrap().save::<Height>(2).unwrap();
    types.convert(1, |old: Metres| Ok(Height { centimetres: old.0 * 100 })).unwrap();
    types.removed(ecs::snapshot::TypeKind::System, "WatchingOfOld");
    engine
}

#[test]
fn type_registered_twice_keeps_its_conversions() {
    let (mut bytes, text) = (Vec::new(), old().save_text().unwrap());
    old().save(&mut bytes).unwrap();
    for again in [TypeRegistry::save::<Height>, TypeRegistry::save_with_text::<Height>] {
        let mut engine = new();
        again(engine.types_mut(), 2).unwrap();
        let loaded = engine.load(&mut bytes.as_slice()).unwrap();
        assert!(loaded.converted.iter().any(|converted| converted.name == "height"));
        let loaded = engine.load_text(&text).unwrap();
        assert!(loaded.converted.iter().any(|converted| converted.name == "ecs removed height"));
        assert_eq!(engine.query::<&Height>().iter().copied().collect::<Vec<_>>(), [Height { centimetres: 300 }]);
        engine.update(FRAME).unwrap();
        assert_eq!(*engine.resource::<u32>().unwrap(), 200, "the waiting event was converted");
    }
}

#[test]
fn type_registered_twice_has_text_if_one_registration_has() {
    let text = |first: fn(&mut TypeRegistry, u32) -> bool, second: fn(&mut TypeRegistry, u32) -> bool| {
        let mut engine = new();
        assert!(first(engine.types_mut(), 2) && second(engine.types_mut(), 2));
        engine.insert_resource(0_u32);
        let entity = engine.spawn((Height { centimetres: 7 },));
        engine.remove::<Height>(entity).unwrap();
        engine.spawn((Height { centimetres: 8 },));
        let text = engine.save_text().unwrap();
        engine.load_text(&text).unwrap();
        text
    };
    let compact = |types: &mut TypeRegistry, version| types.save::<Height>(version).is_ok();
    let with_text = |types: &mut TypeRegistry, version| types.save_with_text::<Height>(version).is_ok();
    assert_eq!(text(compact, with_text), text(with_text, compact));
}

#[test]
fn type_has_one_version() {
    let mut engine = new();
    let error = engine.types_mut().save_with_text::<Height>(3).err().unwrap().to_string();
    assert_eq!(error, "Height is saved as version 2 and cannot be version 3, too: call save for it once");
    let mut bytes = Vec::new();
    engine.insert_resource(0_u32);
    engine.spawn((Height { centimetres: 8 },));
    engine.save(&mut bytes).unwrap();
    new().load(&mut bytes.as_slice()).unwrap();
}

#[test]
fn current_version_cannot_be_converted() {
    let mut engine = new();
    let types = engine.types_mut();
    let error = types.convert(2, |old: Metres| Ok(Height { centimetres: old.0 })).err().unwrap().to_string();
    assert_eq!(error, "version 2 of Height is the current version and needs no conversion: pass an older version");
    engine.insert_resource(0_u32);
    engine.spawn((Height { centimetres: 8 },));
    let mut bytes = Vec::new();
    engine.save(&mut bytes).unwrap();
    engine.load(&mut bytes.as_slice()).unwrap();
    assert_eq!(engine.query::<&Height>().iter().count(), 1);
}

#[test]
fn missing_version_error_names_the_needed_call() {
    let mut engine = Engine::new();
    engine.types_mut().component::<u32>("score").unwrap();
    engine.spawn((1_u32,));
    let begin = "component \"score\" has a name, but no version to be saved as: call engine.types_mut().";
    assert_eq!(engine.save(&mut Vec::new()).unwrap_err().to_string(), format!("{begin}save::<u32>(1) at set-up"));
    assert_eq!(engine.save_text().unwrap_err().to_string(), format!("{begin}save_with_text::<u32>(1) at set-up"));
}
