//! Systems that register their types for snapshots in `setup`.

use std::time::Duration;

use ecs::{Commands, Engine, EntityId, Error, Query, Setup, System, Without, system::SetupError};

/// Frames for which an entity has rested.
#[derive(Clone, Debug, PartialEq)]
struct Rest(u32);

/// An entity without a count exists.
#[derive(Clone, Copy)]
struct Arrived(EntityId);

#[derive(Clone, Debug, PartialEq)]
struct Rests {
    counted: u32,
    name: &'static str,
}

impl System for Rests {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .types(|types| {
                types
                    .component_by("rest", |rest: &Rest, hash| _ = hash.add(&rest.0))?
                    .event_by("arrived", |arrived: &Arrived, hash| _ = hash.add(&arrived.0))?
                    .system_by("rests", |rests: &Self, hash| _ = hash.add(&rests.counted))
            })
            .update(Self::count)
            .listen(|_: &mut Self, _: &Arrived| {});
    }
}

impl Rests {
    fn count(&mut self, mut all: Query<&mut Rest>, new: Query<EntityId, Without<Rest>>, mut commands: Commands) {
        all.iter_mut().for_each(|rest| rest.0 += 1);
        new.iter().for_each(|entity| commands.insert(entity, (Rest(0),)));
        self.counted += 1;
    }
}

struct Impostor;

impl System for Impostor {
    fn setup(setup: &mut Setup<Self>) {
        setup.types(|types| types.component_by("rest", |_: &u8, _| {}));
        setup.types(|types| types.component_by("rest", |_: &u16, _| {}));
    }
}

#[test]
fn types_registered_in_setup_are_in_snapshots() {
    let mut engine = Engine::new();
    engine.add(Rests { counted: 0, name: "own" }).unwrap();
    let entity = engine.spawn(());
    let frame = |engine: &mut Engine| engine.update(Duration::from_millis(1)).unwrap();
    frame(&mut engine);
    engine.send(Arrived(entity));
    let (before, hash) = (engine.snapshot().unwrap(), engine.state_hash().unwrap());
    (0..3).for_each(|_| frame(&mut engine));
    assert_eq!((engine.get(entity), engine.system::<Rests>().unwrap().counted), (Some(&Rest(3)), 4));
    engine.restore(&before).unwrap();
    assert_eq!((engine.get(entity), engine.system::<Rests>().unwrap().counted), (Some(&Rest(0)), 1));
    assert!(engine.state_hash().unwrap() == hash);
}

#[test]
fn taken_name_is_an_error_and_the_system_is_not_added() {
    let mut engine = Engine::new();
    engine.add(Rests { counted: 0, name: "own" }).unwrap();
    let error = engine.add(Impostor).err().expect("the name is taken");
    assert!(matches!(error, Error::Setup(SetupError::Types { system: "Impostor", .. })));
    assert!(error.to_string().starts_with("system Impostor cannot name a type: "), "{error}");
    assert!(error.to_string().contains("component u8 cannot be called \"rest\": Rest is"), "the first one: {error}");
    assert!(engine.system::<Impostor>().is_none());
}
