//! Code of users that panics while something is saved or loaded is one error that names the type; the engine stays as
//! it was.

use std::cell::Cell;

use ecs::relation::Relation;
use ecs::snapshot::{StableHash, StateHasher};
use ecs::{Engine, Removed, Setup, System};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Where a [`Trap`] panics.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sprung {
    Nowhere,
    Clone,
    Write,
    Read,
    Hash,
    Drop,
}

thread_local! {
    static SPRUNG: Cell<Sprung> = const { Cell::new(Sprung::Nowhere) };
}

fn spring(at: Sprung) {
    assert!(SPRUNG.get() != at || std::thread::panicking(), "snap");
}

#[derive(Debug)]
struct Trap(u32);

impl Clone for Trap {
    fn clone(&self) -> Self {
        spring(Sprung::Clone);
        Self(self.0)
    }
}

impl Serialize for Trap {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        spring(Sprung::Write);
        self.0.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Trap {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = u32::deserialize(from)?;
        spring(Sprung::Read);
        Ok(Self(number))
    }
}

impl StableHash for Trap {
    fn stable_hash(&self, hash: &mut StateHasher) {
        spring(Sprung::Hash);
        hash.add(&self.0);
    }
}

impl Drop for Trap {
    fn drop(&mut self) {
        spring(Sprung::Drop);
    }
}

/// An event, which is `Copy`.
#[derive(Clone, Copy, Debug)]
struct Small(u32);

impl Serialize for Small {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        spring(Sprung::Write);
        self.0.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Small {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = u32::deserialize(from)?;
        spring(Sprung::Read);
        Ok(Self(number))
    }
}

impl StableHash for Small {
    fn stable_hash(&self, hash: &mut StateHasher) {
        spring(Sprung::Hash);
        hash.add(&self.0);
    }
}

impl System for Trap {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self| {});
    }
}

impl Relation for Trap {}

/// What has a trap in it, with the name that errors use.
type Kind = (&'static str, fn(&mut Engine));

const KINDS: [Kind; 6] = [
    ("component \"trap\"", |engine| {
        engine.types_mut().component::<Trap>("trap").unwrap().save_with_text::<Trap>(2).unwrap();
        engine.spawn((Trap(1),));
    }),
    ("resource \"trap\"", |engine| {
        engine.types_mut().resource::<Trap>("trap").unwrap().save_with_text::<Trap>(2).unwrap();
        engine.insert_resource(Trap(2));
    }),
    ("event \"small\"", |engine| {
        engine.types_mut().event::<Small>("small").unwrap().save_with_text::<Small>(2).unwrap();
        engine.send(Small(3));
    }),
    ("event \"ecs removed small\"", |engine| {
        engine.types_mut().component::<Small>("small").unwrap().save_with_text::<Small>(2).unwrap();
        engine.listen(|_: &Removed<Small>| {}).unwrap();
        let entity = engine.spawn((Small(6),));
        engine.remove::<Small>(entity).unwrap();
    }),
    ("system \"trap\"", |engine| {
        engine.types_mut().system::<Trap>("trap").unwrap().save_with_text::<Trap>(2).unwrap();
        engine.add(Trap(4)).unwrap();
    }),
    ("component \"tie\"", |engine| {
        engine.types_mut().relation::<Trap>("tie").unwrap().save_relation::<Trap>(2).unwrap();
        let [one, other] = [(); 2].map(|()| engine.spawn(()));
        engine.relate(one, other, Trap(5)).unwrap();
    }),
];

/// Calls `act` while the trap is set.
fn sprung<R>(at: Sprung, act: impl FnOnce() -> R) -> R {
    SPRUNG.set(at);
    let result = act();
    SPRUNG.set(Sprung::Nowhere);
    result
}

fn assert_names(problem: &str, name: &str) {
    assert!(problem.contains(name) && problem.contains(" panicked: snap"), "{name}: {problem}");
    assert!(!problem.contains('\n') && !problem.ends_with('.'), "{problem}");
}

#[test]
fn save_with_a_panic_is_refused_and_the_engine_goes_on() {
    for (name, fill) in KINDS {
        for at in [Sprung::Clone, Sprung::Write, Sprung::Read, Sprung::Hash, Sprung::Drop] {
            if name.contains("small") && matches!(at, Sprung::Clone | Sprung::Drop) {
                continue; // A `Copy` type has neither.
            }
            let mut engine = Engine::new();
            fill(&mut engine);
            for as_text in [false, true] {
                let problem = sprung(at, || match as_text {
                    false => engine.save(&mut Vec::new()).map_err(|error| error.to_string()),
                    true => engine.save_text().map(drop).map_err(|error| error.to_string()),
                });
                match problem {
                    Err(problem) if at == Sprung::Drop => assert!(problem.ends_with(": snap"), "{problem}"),
                    Err(problem) => assert_names(&problem, name),
                    // A second snapshot shares the copies of the first one.
                    Ok(()) => assert!(as_text && at == Sprung::Clone, "{name}, {at:?}: it was saved"),
                }
            }
            let mut bytes = Vec::new();
            engine.save(&mut bytes).unwrap();
            let hash = engine.state_hash().unwrap();
            let mut loaded = Engine::new();
            fill(&mut loaded);
            loaded.load(&mut bytes.as_slice()).unwrap();
            assert_eq!(loaded.state_hash().unwrap(), hash, "nothing was lost");
            engine.update(crate::ms(10)).unwrap();
        }
    }
}

#[test]
fn load_with_a_panic_is_refused_and_changes_nothing() {
    for (name, fill) in KINDS {
        for at in [Sprung::Clone, Sprung::Read] {
            let mut engine = Engine::new();
            fill(&mut engine);
            let mut bytes = Vec::new();
            engine.save(&mut bytes).unwrap();
            let text = engine.save_text().unwrap();
            engine.spawn(());
            let hash = engine.state_hash().unwrap();
            for problem in sprung(at, || {
                [engine.load(&mut bytes.as_slice()), engine.load_text(&text)]
                    .map(|loaded| loaded.map(drop).map_err(|error| error.to_string()))
            }) {
                let is_cloned = !name.starts_with("component") && !name.contains("small");
                match problem {
                    Err(problem) => {
                        assert_names(&problem, name);
                        assert_eq!(engine.state_hash().unwrap(), hash, "{name}");
                    }
                    // Values of components are moved.
                    Ok(()) => assert!(at == Sprung::Clone && !is_cloned, "{name}, {at:?}: it was loaded"),
                }
            }
            engine.update(crate::ms(10)).unwrap();
            engine.load_text(&text).unwrap();
        }
    }
}

#[test]
fn conversion_that_panics_is_an_error_of_the_load() {
    let mut old = Engine::new();
    old.types_mut().component::<u32>("trap").unwrap().save_with_text::<u32>(1).unwrap();
    old.spawn((7_u32,));
    let text = old.save_text().unwrap();
    let mut engine = Engine::new();
    let types = engine.types_mut();
    types.component::<Trap>("trap").unwrap().save_with_text::<Trap>(2).unwrap();
    types.convert::<u32, Trap>(1, |number| panic!("{number} snaps")).unwrap();
    engine.spawn((Trap(1),));
    let hash = engine.state_hash().unwrap();
    let problem = engine.load_text(&text).unwrap_err().to_string();
    let expected = "(component \"trap\"): the conversion from version 1 panicked: 7 snaps";
    assert!(problem.contains(expected), "{problem}");
    assert_eq!(engine.state_hash().unwrap(), hash);
}
