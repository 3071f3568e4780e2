//! 30 faults of the kinds that break determinism, planted one by one into a program: the prover must find 28 and name
//! the right system in each.

use std::cell::Cell;
use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ecs::EngineBuilder;
use ecs::prelude::*;
use ecs_prove::{Refuted, prove};

type Anything = Box<dyn std::error::Error + Send + Sync>;

/// Where a wrong number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    None,
    HashOrder,
    Clock,
    ThreadLocal,
    Static,
    Address,
    SharedCell,
    Outside,
}

/// How the number reaches the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Function,
    Method,
    Listener,
}

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}
static COUNT: AtomicU64 = AtomicU64::new(0);
/// Keeps each address taken, so that no two are equal.
static KEPT: Mutex<Vec<Arc<u64>>> = Mutex::new(Vec::new());

/// A resource with a hidden part that copies share.
#[derive(Clone, Default)]
struct Shared(Arc<AtomicU64>);

fn draw(source: Source, shared: &Shared) -> u64 {
    match source {
        Source::None => 1,
        Source::HashOrder => (0..50_u64).collect::<HashSet<_>>().into_iter().fold(0, |sum, n| sum * 3 % 1_000_003 + n),
        Source::Clock => {
            static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
            START.get_or_init(Instant::now).elapsed().as_nanos() as u64
        }
        Source::ThreadLocal => CALLS.replace(CALLS.get() + 1),
        Source::Static => COUNT.fetch_add(1, Ordering::Relaxed),
        Source::Address => {
            let mut kept = KEPT.lock().unwrap();
            kept.push(Arc::new(0));
            Arc::as_ptr(&kept[kept.len() - 1]) as u64
        }
        Source::SharedCell => shared.0.fetch_add(1, Ordering::Relaxed),
        Source::Outside => RandomState::new().hash_one(0),
    }
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Load {
    kilograms: u64,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Clean(u64);

/// The source that the planted systems draw from.
#[derive(Clone)]
struct Planted(Source);

#[derive(Clone, Copy)]
struct Tick;

fn planted_function(planted: Res<Planted>, shared: Res<Shared>, mut loads: Query<&mut Load>) {
    let number = draw(planted.0, &shared);
    loads.iter_mut().for_each(|load| load.kilograms = load.kilograms.wrapping_add(number));
}

fn planted_listener(_: &Tick, planted: Res<Planted>, shared: Res<Shared>, mut loads: Query<&mut Load>) {
    let number = draw(planted.0, &shared);
    loads.iter_mut().for_each(|load| load.kilograms = load.kilograms.wrapping_add(number));
}

#[derive(Clone)]
struct PlantedMethod;

impl System for PlantedMethod {
    fn setup(setup: &mut Setup<Self>) {
        setup.post_update(|_: &mut Self, planted: Res<Planted>, shared: Res<Shared>, mut loads: Query<&mut Load>| {
            let number = draw(planted.0, &shared);
            loads.iter_mut().for_each(|load| load.kilograms = load.kilograms.wrapping_add(number));
        });
    }
}

fn send_ticks(mut ticks: Sender<Tick>) {
    ticks.send(Tick);
}

fn clean(mut values: Query<&mut Clean>) {
    values.iter_mut().for_each(|clean| clean.0 = clean.0.wrapping_mul(3) + 1);
}

fn read_clean(values: Query<&Clean>, mut total: ResMut<u64>) {
    *total = values.iter().fold(0, |sum, clean| sum ^ clean.0);
}

fn base(engine: EngineBuilder, source: Source) -> Result<Engine, Anything> {
    let mut engine = engine.seed(3).build();
    let types = engine.types_mut();
    types.component_by::<Load>("load", |load, hash| _ = hash.add(&load.kilograms))?.save::<Load>(1)?;
    types.component_by::<Clean>("clean", |clean, hash| _ = hash.add(&clean.0))?.save::<Clean>(1)?;
    types.resource::<u64>("total")?.save::<u64>(1)?;
    types.resource_by::<Planted>("planted", |_, _| {})?.resource_by::<Shared>("shared", |_, _| {})?;
    types.event_by::<Tick>("tick", |_, _| {})?;
    engine.show::<Load>().show::<Clean>();
    engine.insert_resource(0_u64);
    engine.insert_resource(Planted(source));
    engine.insert_resource(Shared::default());
    for number in 0..8 {
        engine.spawn((Load { kilograms: number }, Clean(number)));
    }
    engine.add((clean, read_clean.after(clean), send_ticks))?;
    Ok(engine)
}

fn step(engine: &mut Engine, _: u64) -> Result<(), ecs::Error> {
    engine.update(Duration::from_millis(16))
}

fn plant(source: Source, way: Way) -> Result<(), Refuted> {
    let make = |builder| -> Result<Engine, Anything> {
        let mut engine = base(builder, source)?;
        match way {
            Way::Function => engine.add(planted_function)?,
            Way::Method => {
                engine.types_mut().system_by::<PlantedMethod>("planted method", |_, _| {})?;
                engine.add(PlantedMethod)?
            }
            Way::Listener => engine.add(planted_listener)?,
        };
        Ok(engine)
    };
    prove(make, step).frames(4).run().map(drop)
}

/// Adds what `add` adds to the program, and proves it.
fn plant_by(add: impl Fn(&mut Engine) -> Result<(), Anything>, orders: u64) -> Result<(), Refuted> {
    let make = |builder| -> Result<Engine, Anything> {
        let mut engine = base(builder, Source::None)?;
        add(&mut engine)?;
        Ok(engine)
    };
    prove(make, step).frames(4).orders(0..orders).run().map(drop)
}

fn closure_with_state(engine: &mut Engine) -> Result<(), Anything> {
    let calls = Arc::new(AtomicU64::new(0));
    let planted_closure = move |mut loads: Query<&mut Load>| {
        let number = calls.fetch_add(1, Ordering::Relaxed);
        loads.iter_mut().for_each(|load| load.kilograms += number);
    };
    engine.types_mut().function("closure", planted_closure.clone())?;
    engine.add(planted_closure)?;
    Ok(())
}

fn listening_closure_with_state(engine: &mut Engine) -> Result<(), Anything> {
    let calls = Arc::new(AtomicU64::new(0));
    engine.add(move |_: &Tick, mut loads: Query<&mut Load>| {
        let number = calls.fetch_add(1, Ordering::Relaxed);
        loads.iter_mut().for_each(|load| load.kilograms += number);
    })?;
    Ok(())
}

/// No fault: snapshots copy what a listening closure captures by value.
fn listening_closure_that_is_copied(engine: &mut Engine) -> Result<(), Anything> {
    let mut calls = 0;
    engine.add(move |_: &Tick, mut loads: Query<&mut Load>| {
        calls += 1;
        loads.iter_mut().for_each(|load| load.kilograms += calls);
    })?;
    Ok(())
}

/// Its copies forget the bonus.
#[derive(Debug, Default)]
struct Forgetful {
    bonus: u64,
}

impl Clone for Forgetful {
    fn clone(&self) -> Self {
        Self { bonus: 0 }
    }
}

fn add_bonus(mut all: Query<(&mut Forgetful, &mut Load)>) {
    all.iter_mut().for_each(|(forgetful, load)| {
        load.kilograms += forgetful.bonus;
        forgetful.bonus += 1;
    });
}

fn add_bonus_of_all(mut forgetful: ResMut<Forgetful>, mut loads: Query<&mut Load>) {
    loads.iter_mut().for_each(|load| load.kilograms += forgetful.bonus);
    forgetful.bonus += 1;
}

fn component_whose_copy_forgets(engine: &mut Engine) -> Result<(), Anything> {
    engine.types_mut().component_by::<Forgetful>("forgetful", |_, _| {})?;
    engine.spawn((Forgetful::default(), Load { kilograms: 1 }));
    engine.add(add_bonus)?;
    Ok(())
}

fn resource_whose_copy_forgets(engine: &mut Engine) -> Result<(), Anything> {
    engine.types_mut().resource_by::<Forgetful>("forgetful", |_, _| {})?;
    engine.insert_resource(Forgetful::default());
    engine.add(add_bonus_of_all)?;
    Ok(())
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Skipping {
    #[serde(skip)]
    left_out: u64,
}

fn fill(mut all: Query<&mut Skipping>) {
    all.iter_mut().for_each(|skipping| skipping.left_out += 1);
}

/// Only what saves can hold, since a program with other values is not saved at all.
fn field_that_saves_skip() -> Result<(), Refuted> {
    let make = |builder: EngineBuilder| -> Result<Engine, Anything> {
        let mut engine = builder.build();
        let types = engine.types_mut();
        types.component_by::<Skipping>("skipping", |all, hash| _ = hash.add(&all.left_out))?.save::<Skipping>(1)?;
        engine.show::<Skipping>();
        engine.spawn((Skipping { left_out: 0 },));
        engine.add(fill)?;
        Ok(engine)
    };
    prove(make, step).frames(4).run().map(drop)
}

/// A stand-in for padding: its hash contains bytes that are no part of the value.
#[derive(Clone)]
struct Padded(Vec<u8>);

fn hash_beyond_the_value(engine: &mut Engine) -> Result<(), Anything> {
    let hash = |padded: &Padded, hash: &mut ecs::snapshot::StateHasher| _ = hash.number(padded.0.as_ptr() as u64);
    engine.types_mut().component_by::<Padded>("padded", hash)?;
    engine.spawn((Padded(vec![1, 2, 3]),));
    Ok(())
}

#[derive(Clone, Debug)]
struct Term(f64);

fn sum_in_any_order(mut terms: Query<&mut Term>, mut total: ResMut<f64>) {
    let sum = Mutex::new(0.0);
    terms.par_for_each(|term| {
        // Long enough for the other threads to take their part.
        (0..200).for_each(|_| std::hint::spin_loop());
        *sum.lock().unwrap() += term.0;
    });
    *total = sum.into_inner().unwrap();
}

fn float_sum_in_parallel(engine: &mut Engine) -> Result<(), Anything> {
    engine.types_mut().component_by::<Term>("term", |term, hash| _ = hash.add(&term.0))?.resource::<f64>("sum")?;
    engine.insert_resource(0.0_f64);
    engine.spawn_many((0..4_000).map(|number| (Term(1.0 / f64::from(number + 1)),)));
    engine.add(sum_in_any_order)?;
    Ok(())
}

fn triple(mut loads: Query<&mut Load>) {
    loads.iter_mut().for_each(|load| load.kilograms *= 3);
}

fn add_two(mut loads: Query<&mut Load>) {
    loads.iter_mut().for_each(|load| load.kilograms += 2);
}

fn copy_first(loads: Query<&Load>, mut total: ResMut<u32>) {
    *total = loads.iter().map(|load| load.kilograms as u32).sum();
}

fn two_writers(engine: &mut Engine) -> Result<(), Anything> {
    engine.add((triple, add_two))?;
    Ok(())
}

fn a_writer_and_a_reader(engine: &mut Engine) -> Result<(), Anything> {
    engine.types_mut().resource::<u32>("copy")?;
    engine.insert_resource(0_u32);
    engine.add((add_two, copy_first))?;
    Ok(())
}

#[test]
fn at_least_28_of_30_planted_faults_are_found_with_their_system() {
    use Source::{Address, Clock, HashOrder, Outside, SharedCell, Static, ThreadLocal};
    let mut found: Vec<(String, Result<(), Refuted>, Vec<&str>)> = Vec::new();
    for source in [HashOrder, Clock, ThreadLocal, Static, Address, SharedCell, Outside] {
        let ways =
            [(Way::Function, "planted_function"), (Way::Method, "PlantedMethod"), (Way::Listener, "planted_listener")];
        for (way, system) in ways {
            found.push((format!("{source:?} by {way:?}"), plant(source, way), vec![system, "field kilograms"]));
        }
    }
    let mut single = |name: &str, result, parts: &[&'static str]| found.push((name.to_owned(), result, parts.to_vec()));
    single("state in a closure", plant_by(closure_with_state, 0), &["closure_with_state", "field kilograms"]);
    single(
        "state in a listening closure",
        plant_by(listening_closure_with_state, 0),
        &["listening_closure_with_state"],
    );
    single("copy of a component", plant_by(component_whose_copy_forgets, 0), &["system add_bonus,"]);
    single("copy of a resource", plant_by(resource_whose_copy_forgets, 0), &["system add_bonus_of_all"]);
    single("field that saves skip", field_that_saves_skip(), &["skipping"]);
    single("padding in a hash", plant_by(hash_beyond_the_value, 0), &["\"padded\""]);
    single("float sum in parallel", plant_by(float_sum_in_parallel, 0), &["system sum_in_any_order", "\"sum\""]);
    single("two writers", plant_by(two_writers, 8), &["system triple", "system add_two"]);
    single("a writer and a reader", plant_by(a_writer_and_a_reader, 8), &["system add_two", "system copy_first"]);

    assert_eq!(found.len(), 30);
    let mut missed = Vec::new();
    for (name, result, parts) in &found {
        let said = result.as_ref().err().map_or_else(|| "nothing".to_owned(), ToString::to_string);
        let is_innocent_named = ["system clean", "system read_clean"].iter().any(|innocent| said.contains(innocent));
        if is_innocent_named || !parts.iter().all(|part| said.contains(part)) {
            missed.push(format!("{name}: {said}"));
        }
    }
    println!("{} of 30 found\n{}", 30 - missed.len(), missed.join("\n"));
    assert!(missed.len() <= 2, "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn the_same_programs_without_a_wrong_number_are_proved() {
    for way in [Way::Function, Way::Method, Way::Listener] {
        plant(Source::None, way).unwrap();
    }
    plant_by(listening_closure_that_is_copied, 0).unwrap();
}
