//! The derives: structs of parameters, hashes, and types with their stable names.

use std::time::Duration;

use ecs::snapshot::{Saved, StableHash, StateHasher};
use ecs::{
    Commands, Engine, Entities, EntityId, EntityLists, Error, Query, Res, ResMut, Sender, Setup, System, Time, With,
};

const FRAME: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Health(i32);

struct Shield;

#[derive(Clone, Copy)]
struct Hit {
    target: EntityId,
}

struct Strength(i32);

/// Parameters that belong together.
#[derive(ecs::Param)]
struct Combat<'w> {
    healths: Query<'w, &'static mut Health>,
    shielded: Query<'w, EntityId, With<Shield>>,
    strength: Res<'w, Strength>,
    score: Option<ResMut<'w, u64>>,
}

impl Combat<'_> {
    fn hit(&mut self, target: EntityId) {
        if self.shielded.contains(target) {
            return;
        }
        if let Some(health) = self.healths.get_mut(target) {
            health.0 -= self.strength.0;
        }
        if let Some(score) = &mut self.score {
            **score += 1;
        }
    }
}

struct Fight {
    targets: Vec<EntityId>,
}

impl System for Fight {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::fight).listen(Self::on_hit);
    }
}

impl Fight {
    fn fight(&mut self, mut hits: Sender<Hit>) {
        self.targets.iter().for_each(|target| hits.send(Hit { target: *target }));
    }

    fn on_hit(&mut self, hit: &Hit, mut combat: Combat, _: Time) {
        combat.hit(hit.target);
    }
}

#[test]
fn struct_of_parameters_is_a_parameter() {
    let mut engine = Engine::new();
    let targets = vec![engine.spawn((Health(9),)), engine.spawn((Health(9), Shield))];
    engine.add(Fight { targets: targets.clone() }).unwrap();
    let missing = Error::MissingResource { system: "Fight", resource: "Strength" };
    assert_eq!(engine.update(FRAME), Err(missing), "its resources are checked");
    engine.insert_resource(Strength(2));
    engine.update(FRAME).unwrap();
    engine.insert_resource(0_u64);
    engine.update(FRAME).unwrap();
    assert_eq!(engine.get::<Health>(targets[0]), Some(&Health(5)));
    assert_eq!(engine.get::<Health>(targets[1]), Some(&Health(9)));
    assert_eq!(*engine.resource::<u64>().unwrap(), 1);
}

#[test]
fn fields_that_exclude_each_other_are_refused() {
    #[derive(ecs::Param)]
    struct Twice<'w> {
        _combat: Combat<'w>,
        _again: Query<'w, &'static Health>,
    }
    let once = Engine::new().run(|_: Twice| {}).unwrap_err().to_string();
    let beside = Engine::new().run(|_: Combat, _: Query<&mut Health>| {}).unwrap_err().to_string();
    for error in [once, beside] {
        assert!(error.contains("may find component Health of the same entity"), "{error}");
    }
}

/// More than a method takes, of several lifetimes, and generic.
#[derive(ecs::Param)]
struct Everything<'a, 'b, T: ecs::Component, const N: usize>
where
    T: Copy,
{
    a: Res<'a, T>,
    b: Query<'b, &'static [T; N]>,
    c: Commands<'a>,
    d: Sender<'b, u8>,
    e: Entities<'a>,
    f: EntityLists<'a>,
    g: Time,
    h: Option<Res<'b, i8>>,
    i: (Time, Option<Res<'a, i16>>),
    j: Nothing,
}

#[derive(ecs::Param)]
struct Nothing {}

#[test]
fn struct_of_parameters_has_more_than_eight_fields_and_is_generic() {
    fn all(every: Everything<u32, 2>, _: Time) -> (u32, usize) {
        let Everything { a, b, mut c, mut d, e, f, g, h, i, j: Nothing {} } = every;
        c.spawn((1_u8,));
        d.send(1);
        assert!(h.is_none() && i.1.is_none() && g.delta() == i.0.delta() && f.is_empty("none"));
        (*a, b.count() + e.matching(&ecs::component::ComponentMask::default().into()).count())
    }
    let mut engine = Engine::new();
    engine.insert_resource(7_u32);
    engine.spawn(([1_u32, 2],));
    engine.spawn(([1_u32, 2, 3],));
    assert_eq!(engine.run(all), Ok((7, 3)));
    assert_eq!(engine.query::<&u8>().count(), 1);
}

/// A generic system with generic parameters.
struct Decay<T> {
    by: T,
}

#[derive(ecs::Param)]
struct Decaying<'w, T: ecs::Component> {
    values: Query<'w, &'static mut T>,
}

impl<T: Copy + ecs::Component + std::ops::SubAssign + 'static> System for Decay<T> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::decay);
    }
}

impl<T: Copy + ecs::Component + std::ops::SubAssign + 'static> Decay<T> {
    fn decay(&mut self, mut of: Decaying<T>) {
        of.values.iter_mut().for_each(|value| *value -= self.by);
    }
}

#[test]
fn generic_systems_run_side_by_side() {
    let run = |threads| {
        let mut engine = Engine::builder().threads(threads).parallel_threshold(1).build();
        engine.add(Decay { by: 2_i32 }).unwrap().add(Decay { by: 0.5_f64 }).unwrap();
        assert!(engine.add(Decay { by: 3_i32 }).is_err(), "an engine has one system of a type");
        let all = engine.spawn_many((0..100).map(|n| (n, f64::from(n))));
        (0..10).for_each(|_| engine.update(FRAME).unwrap());
        all.iter().map(|id| (*engine.get::<i32>(*id).unwrap(), *engine.get::<f64>(*id).unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(run(1)[30], (10, 25.0));
    assert_eq!(run(2), run(1));
    assert_eq!(run(4), run(1));
}

#[derive(Clone, StableHash)]
struct Wagon<T> {
    mass_kg: f32,
    load: Vec<T>,
}

#[derive(Clone, StableHash)]
enum Signal {
    Green,
    Yellow(u8, f32),
    Red { seconds: u32 },
}

#[derive(StableHash)]
struct Pair(u8, Signal);

#[derive(StableHash)]
struct Unit;

#[derive(StableHash)]
enum Never {}

fn hash_of(value: &impl StableHash) -> u64 {
    StateHasher::default().add(value).finish()
}

#[test]
fn derived_hash_adds_the_fields_in_their_order() {
    let wagon = Wagon { mass_kg: 2.5, load: vec![1_u8, 2] };
    assert_eq!(hash_of(&wagon), hash_of(&(2.5_f32, vec![1_u8, 2])));
    assert_eq!(hash_of(&Signal::Green), hash_of(&0_u8));
    assert_eq!(hash_of(&Signal::Yellow(7, 1.5)), hash_of(&(1_u64, 7_u8, 1.5_f32)));
    assert_eq!(hash_of(&Signal::Red { seconds: 3 }), hash_of(&(2_u64, 3_u32)));
    assert_eq!(hash_of(&Pair(1, Signal::Green)), hash_of(&(1_u8, 0_u64)));
    assert_eq!(hash_of(&Unit), hash_of(&()));
    assert_eq!(hash_of(&None::<Never>), hash_of(&0_u8));
}

#[derive(Clone, Copy, Debug, PartialEq, StableHash, Saved)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[saved(name = "height", version = 2)]
struct Height {
    metres: f32,
}

#[derive(Clone, StableHash, Saved)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[saved(resource, name = "wind", version = 1)]
struct Wind(f32);

#[derive(Clone, Copy, StableHash, Saved)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[saved(event, name = "landed", version = 1)]
struct Landed;

#[derive(Clone, StableHash, Saved)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[saved(system, name = "gusts", version = 1)]
struct Gusts {
    count: u32,
}

impl System for Gusts {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::blow).types(|types| types.add::<Height>()?.add::<Wind>()?.add::<Landed>()?.add::<Self>());
    }
}

impl Gusts {
    fn blow(&mut self, wind: Res<Wind>, mut heights: Query<&mut Height>) {
        self.count += 1;
        heights.iter_mut().for_each(|height| height.metres += wind.0);
    }
}

fn balloons() -> Engine {
    let mut engine = Engine::new();
    engine.add(Gusts { count: 0 }).unwrap();
    engine.insert_resource(Wind(1.5));
    engine
}

#[test]
fn types_with_their_names_are_in_snapshots() {
    let mut engine = balloons();
    let balloon = engine.spawn((Height { metres: 1.0 },));
    engine.send(Landed);
    let snapshot = engine.snapshot().unwrap();
    engine.update(FRAME).unwrap();
    let expected = engine.state_hash().unwrap();
    engine.restore(&snapshot).unwrap();
    assert_eq!(engine.get::<Height>(balloon), Some(&Height { metres: 1.0 }));
    engine.update(FRAME).unwrap();
    assert_eq!(engine.state_hash().unwrap(), expected);
    assert_eq!(Height::NAME, "height");
}

#[cfg(feature = "serde")]
#[test]
fn types_with_their_versions_are_in_saves() {
    let mut engine = balloons();
    let balloon = engine.spawn((Height { metres: 1.0 },));
    engine.send(Landed);
    let mut saved = Vec::new();
    engine.save(&mut saved).unwrap();
    let mut again = balloons();
    again.load(&mut saved.as_slice()).unwrap();
    for engine in [&mut engine, &mut again] {
        engine.update(FRAME).unwrap();
    }
    assert_eq!(again.get::<Height>(balloon), Some(&Height { metres: 2.5 }));
    assert_eq!(again.state_hash().unwrap(), engine.state_hash().unwrap());
    let error = engine.types_mut().save::<Height>(3).map(drop).unwrap_err().to_string();
    assert!(error.contains('2') && error.contains('3'), "{error}");
}

/// A type of another library, which has no hash.
struct Foreign {
    bits: u64,
}

fn hash_foreign(value: &Foreign, hash: &mut StateHasher) {
    hash.add(&value.bits);
}

#[derive(StableHash)]
struct Holder {
    own: u32,
    #[stable_hash(with = "hash_foreign")]
    foreign: Foreign,
}

#[derive(StableHash)]
enum Held {
    Nothing,
    One(#[stable_hash(with = "hash_foreign")] Foreign, u8),
}

#[test]
fn a_field_of_a_foreign_type_is_hashed_by_a_function() {
    let hash = |value: &dyn Fn(&mut StateHasher)| {
        let mut hash = StateHasher::default();
        value(&mut hash);
        hash.finish()
    };
    let holder = |bits| hash(&|hash| Holder { own: 1, foreign: Foreign { bits } }.stable_hash(hash));
    assert_eq!(holder(5), hash(&|hash| _ = hash.add(&1_u32).add(&5_u64)));
    assert_ne!(holder(5), holder(6));
    let one = |bits| hash(&|hash| Held::One(Foreign { bits }, 2).stable_hash(hash));
    assert_eq!(one(5), hash(&|hash| _ = hash.number(1).add(&5_u64).add(&2_u8)));
    assert_ne!(one(5), hash(&|hash| Held::Nothing.stable_hash(hash)));
}

#[cfg(feature = "glam")]
#[test]
fn types_of_glam_are_hashed_by_their_numbers() {
    let hash = |value: &dyn StableHash| {
        let mut hash = StateHasher::default();
        value.stable_hash(&mut hash);
        hash.finish()
    };
    let numbers = |numbers: &[f32]| {
        let mut hash = StateHasher::default();
        numbers.iter().for_each(|number| _ = hash.add(number));
        hash.finish()
    };
    assert_eq!(hash(&glam::Vec3::new(1.0, 2.0, 3.0)), numbers(&[1.0, 2.0, 3.0]));
    assert_eq!(hash(&glam::Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0])), numbers(&[1.0, 2.0, 3.0, 4.0]));
    assert_ne!(hash(&glam::IVec2::new(1, 2)), hash(&glam::IVec2::new(2, 1)));
}
