//! Saves of older versions: types are converted, dropped with a report, or refused.

use ecs::{
    Added, Commands, Engine, Removed, Setup, System,
    snapshot::{TypeKind, TypeRegistry},
};
use serde::{Deserialize, Serialize};

/// Version 1 of the position.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct OldPosition(f32, f32);
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Position {
    x_m: f32,
    y_m: f32,
    layer: u8,
}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Name(String);
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Ghost;
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Haunting {
    nights: u32,
}

impl System for Haunting {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::haunt);
    }
}

impl Haunting {
    fn haunt(&mut self, mut commands: Commands) {
        self.nights += 1;
        commands.spawn((Name("boo".to_owned()),));
    }
}

struct Newcomer;

impl System for Newcomer {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self, _: ecs::Time| {});
    }
}

/// A save of the old version.
fn old_save() -> Vec<u8> {
    let mut engine = Engine::new();
    let types = engine.types_mut();
    types.component_by("position", |_: &OldPosition, _| {}).unwrap().save_with_text::<OldPosition>(1).unwrap();
    types.component_by("name", |_: &Name, _| {}).unwrap().save_with_text::<Name>(1).unwrap();
    types.component_by("ghost", |_: &Ghost, _| {}).unwrap().save_with_text::<Ghost>(1).unwrap();
    types.system_by("haunting", |_: &Haunting, _| {}).unwrap().save_with_text::<Haunting>(3).unwrap();
    engine.spawn((OldPosition(1.0, 2.0), Name("anna".to_owned())));
    engine.spawn((OldPosition(3.0, 4.0), Ghost));
    engine.add(Haunting { nights: 0 }).unwrap();
    engine.update(super::world::FRAME).unwrap();
    let mut bytes = Vec::new();
    engine.save(&mut bytes).unwrap();
    bytes
}

fn new_engine() -> Engine {
    let mut engine = Engine::new();
    let types = engine.types_mut();
    types.component_by("name", |_: &Name, _| {}).unwrap().save_with_text::<Name>(1).unwrap();
    types.component_by("position", |_: &Position, _| {}).unwrap().save_with_text::<Position>(2).unwrap();
    engine.add(Newcomer).unwrap();
    engine
}

#[test]
fn changed_types_are_converted_and_dropped_types_are_reported() {
    let bytes = old_save();
    let mut engine = new_engine();
    let message = |engine: &mut Engine| engine.load(&mut bytes.as_slice()).unwrap_err().to_string();
    assert_eq!(
        message(&mut engine),
        "the saved snapshot has version 1 of component \"position\", and this engine has version 2: tell what to do with it by \
         engine.types_mut().convert(1, …)"
    );
    engine
        .types_mut()
        .convert::<OldPosition, Position>(1, |old| Ok(Position { x_m: old.0, y_m: old.1, layer: 0 }))
        .unwrap();
    assert_eq!(
        message(&mut engine),
        "the saved snapshot has a component called \"ghost\", which this engine does not know: register it for saving, or say \
         that it is gone with engine.types_mut().removed(TypeKind::Component, \"ghost\")"
    );
    engine.types_mut().removed(TypeKind::Component, "ghost").removed(TypeKind::System, "haunting");
    let loaded = engine.load(&mut bytes.as_slice()).unwrap();
    let dropped: Vec<_> = loaded.dropped.iter().map(|dropped| (dropped.kind, &*dropped.name, dropped.count)).collect();
    assert_eq!(dropped, [(TypeKind::Component, "ghost", 1), (TypeKind::System, "haunting", 1)]);
    let converted: Vec<_> = loaded.converted.iter().map(|converted| (&*converted.name, converted.from)).collect();
    assert_eq!((converted, loaded.new_systems), (vec![("position", 1)], vec!["Newcomer"]));

    let mut found: Vec<_> =
        engine.query::<(&Position, Option<&Name>)>().iter().map(|(at, name)| (at.clone(), name.cloned())).collect();
    found.sort_by(|(a, _), (b, _)| a.x_m.total_cmp(&b.x_m));
    let position = |x_m, y_m| Position { x_m, y_m, layer: 0 };
    let anna = Name("anna".to_owned());
    assert_eq!(found, [(position(1.0, 2.0), Some(anna)), (position(3.0, 4.0), None)]);
    engine.update(super::world::FRAME).unwrap();
}

#[test]
fn newer_version_and_failed_conversion_are_refused() {
    let bytes = old_save();
    let mut engine = new_engine();
    let types = engine.types_mut();
    types.convert::<OldPosition, Position>(1, |old| Err(format!("{} m is nowhere", old.0))).unwrap();
    types.removed(TypeKind::Component, "ghost");
    types.system_by("haunting", |_: &Haunting, _| {}).unwrap().save_with_text::<Haunting>(2).unwrap();
    engine.add(Haunting { nights: 0 }).unwrap();
    let error = engine.load(&mut bytes.as_slice()).unwrap_err().to_string();
    assert_eq!(
        error,
        "the saved snapshot is invalid (component \"position\"): 1 m is nowhere; use one that was saved by this program"
    );
    engine
        .types_mut()
        .convert::<OldPosition, Position>(1, |old| Ok(Position { x_m: old.0, y_m: 0.0, layer: 0 }))
        .unwrap();
    let error = engine.load(&mut bytes.as_slice()).unwrap_err().to_string();
    assert_eq!(
        error,
        "the saved snapshot has version 3 of system \"haunting\", and this engine knows versions up to 2: use a newer version \
         of the program"
    );
}

#[test]
fn type_not_registered_for_saving_is_named() {
    let mut engine = Engine::new();
    engine.types_mut().component::<u32>("score").unwrap();
    engine.spawn((1_u32,));
    let error = engine.save(&mut Vec::new()).unwrap_err().to_string();
    assert_eq!(
        error,
        "component \"score\" has a name, but no version to be saved as: call engine.types_mut().save::<u32>(1) at set-up"
    );
    let nameless = engine.types_mut().save::<u8>(1).err().unwrap().to_string();
    assert!(nameless.starts_with("u8 cannot be saved or shown without a name"), "{nameless}");
}

#[test]
fn text_save_of_a_type_without_text_is_refused() {
    let engine = |save: fn(&mut TypeRegistry)| {
        let mut engine = Engine::new();
        save(engine.types_mut().component::<u32>("score").unwrap());
        engine.spawn((7_u32,));
        engine
    };
    let mut compact = engine(|types| _ = types.save::<u32>(1).unwrap());
    let sentence = "it is saved in the compact form only: register it by save_with_text";
    let error = compact.save_text().unwrap_err().to_string();
    assert!(error.contains("component \"score\"") && error.ends_with(sentence), "{error}");
    let text = engine(|types| _ = types.save_with_text::<u32>(1).unwrap()).save_text().unwrap();
    let error = compact.load_text(&text).unwrap_err().to_string();
    assert!(error.contains("score") && error.contains(sentence), "{error}");
    compact.save(&mut Vec::new()).unwrap();
}

#[test]
fn state_outside_of_saves_is_kept_by_the_engine() {
    let make = |volume: u8| {
        let mut engine = Engine::new();
        engine.insert_resource(volume);
        engine.types_mut().resource::<u8>("volume").unwrap().leave_out_of_saves::<u8>();
        engine
    };
    let mut bytes = Vec::new();
    make(1).save(&mut bytes).unwrap();
    let mut engine = make(2);
    engine.load(&mut bytes.as_slice()).unwrap();
    assert_eq!(engine.resource::<u8>().as_deref(), Some(&2));
}

/// Logs the lifecycle events of components, and spawns with a `Spawner`.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Log(Vec<String>);

/// The log of a version whose positions have this type.
macro_rules! log {
    ($system:ident, $position:ty) => {
        #[derive(Clone, Default, Serialize, Deserialize)]
        struct $system(Log);

        impl System for $system {
            fn setup(setup: &mut Setup<Self>) {
                setup
                    .listen(|own: &mut Self, event: &Added<$position>| own.0.0.push(format!("+{}", event.entity)))
                    .listen(|own: &mut Self, event: &Removed<$position>| {
                        own.0.0.push(format!("{:?}", event.value.unwrap()))
                    })
                    .listen(|own: &mut Self, event: &Added<Ghost>| own.0.0.push(format!("ghost +{}", event.entity)))
                    .listen(|own: &mut Self, event: &Removed<Ghost>| own.0.0.push(format!("ghost -{}", event.entity)))
                    .types(|types| types.system_by("log", |_: &Self, _| {})?.save_with_text::<Self>(1));
            }
        }
    };
}

log!(OldLog, CopyPosition);
log!(NewLog, LayeredPosition);

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct CopyPosition(f32);
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct LayeredPosition {
    x_m: f32,
    layer: u8,
}

/// A save with waiting events about positions and ghosts, as bytes and as text.
fn save_of_changes() -> (Vec<u8>, String) {
    let mut engine = Engine::new();
    engine.add(OldLog::default()).unwrap();
    let types = engine.types_mut();
    types.component_by("position", |_: &CopyPosition, _| {}).unwrap().save_with_text::<CopyPosition>(1).unwrap();
    types.component_by("ghost", |_: &Ghost, _| {}).unwrap().save_with_text::<Ghost>(1).unwrap();
    let moved = engine.spawn((CopyPosition(1.0),));
    engine.remove::<CopyPosition>(moved).unwrap();
    engine.spawn((CopyPosition(2.0), Ghost));
    let ghost = engine.spawn((Ghost,));
    engine.remove::<Ghost>(ghost).unwrap();
    let mut bytes = Vec::new();
    engine.save(&mut bytes).unwrap();
    (bytes, engine.save_text().unwrap())
}

#[test]
fn waiting_lifecycle_events_are_converted_or_dropped_with_their_components() {
    let make = || {
        let mut engine = Engine::new();
        engine.add(NewLog::default()).unwrap();
        let types = engine.types_mut();
        types.component_by("position", |_: &LayeredPosition, _| {}).unwrap().save::<LayeredPosition>(2).unwrap();
        types.convert(1, |old: CopyPosition| Ok(LayeredPosition { x_m: old.0, layer: 5 })).unwrap();
        types.removed(TypeKind::Component, "ghost");
        engine
    };
    let ((bytes, text), mut from_bytes, mut from_text) = (save_of_changes(), make(), make());
    let loaded = [from_bytes.load(&mut bytes.as_slice()).unwrap(), from_text.load_text(&text).unwrap()];
    for (mut engine, loaded) in [from_bytes, from_text].into_iter().zip(loaded) {
        let dropped: Vec<_> =
            loaded.dropped.iter().map(|dropped| (dropped.kind, &*dropped.name, dropped.count)).collect();
        assert_eq!(
            dropped,
            [
                (TypeKind::Component, "ghost", 1),
                (TypeKind::Event, "ecs added ghost", 2),
                (TypeKind::Event, "ecs removed ghost", 1)
            ]
        );
        let converted: Vec<_> = loaded.converted.iter().map(|converted| &*converted.name).collect();
        assert_eq!(converted, ["position", "ecs added position", "ecs removed position"]);
        engine.update(super::world::FRAME).unwrap();
        assert_eq!(engine.system::<NewLog>().unwrap().0.0, ["+1v1", "LayeredPosition { x_m: 1.0, layer: 5 }", "+2v1"]);
    }
}
