//! Random numbers: streams of purposes, equal at any number of threads and after a restore.

use std::time::Duration;

use ecs::prelude::*;
use ecs::random::{Purpose, RandomStream};

const FRAME: Duration = Duration::from_millis(10);

struct Weather;
impl Purpose for Weather {
    const NAME: &'static str = "weather";
}

struct Treasures;
impl Purpose for Treasures {
    const NAME: &'static str = "treasures";
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Drawn(Vec<u64>);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Heading(f32);

fn rain(mut random: Random<Weather>, mut drawn: ResMut<Drawn>) {
    drawn.0.push(random.next_u64());
}

fn turn(random: Random<Weather>, mut headings: Query<(EntityId, &mut Heading)>) {
    headings.par_for_each(|(entity, heading)| heading.0 += random.of(entity).between(-1.0, 1.0));
}

fn engine(threads: usize) -> Engine {
    let mut engine = Engine::builder().seed(5).threads(threads).parallel_threshold(1).build();
    engine.insert_resource(Drawn::default());
    engine.types_mut().resource_by::<Drawn>("drawn", |it, hash| _ = hash.add(&it.0)).unwrap();
    engine.types_mut().component_by::<Heading>("heading", |it, hash| _ = hash.add(&it.0)).unwrap();
    engine.every(Duration::ZERO, rain).unwrap();
    engine.every(Duration::ZERO, turn).unwrap();
    engine.spawn_many((0..100).map(|_| (Heading(0.0),)));
    engine
}

fn run(engine: &mut Engine, frames: usize) {
    (0..frames).for_each(|_| engine.update(FRAME).unwrap());
}

fn drawn(engine: &Engine) -> Vec<u64> {
    engine.resource::<Drawn>().unwrap().0.clone()
}

#[test]
fn runs_with_equal_seeds_are_equal_and_others_are_not() {
    let runs = [1, 1, 2].map(|seed| {
        let mut engine = engine(1);
        engine.set_seed(seed);
        run(&mut engine, 20);
        drawn(&engine)
    });
    assert_eq!(runs[0], runs[1]);
    assert!(runs[0] != runs[2] && runs[0].windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn numbers_are_the_same_at_any_number_of_threads() {
    let hashes = [0, 2, 4].map(|threads| {
        let mut engine = engine(threads);
        run(&mut engine, 20);
        engine.state_hash().unwrap()
    });
    assert!(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}

#[test]
fn each_entity_gets_other_numbers_in_each_frame() {
    let mut engine = engine(1);
    run(&mut engine, 1);
    let first: Vec<f32> = engine.query::<&Heading>().iter().map(|heading| heading.0).collect();
    run(&mut engine, 1);
    let steps: Vec<f32> = engine.query::<&Heading>().iter().zip(&first).map(|(now, then)| now.0 - then).collect();
    let mut all: Vec<u32> = first.iter().chain(&steps).map(|step| step.to_bits()).collect();
    all.sort_unstable();
    all.dedup();
    assert!(all.len() > 190, "{} different steps of 200", all.len());
}

#[test]
fn a_draw_for_one_purpose_moves_no_other() {
    let draws = |with_treasures: bool| {
        let mut engine = engine(1);
        if with_treasures {
            engine.every(Duration::ZERO, |mut random: Random<Treasures>| _ = random.unit()).unwrap();
        }
        run(&mut engine, 5);
        drawn(&engine)
    };
    assert_eq!(draws(false), draws(true));
}

#[test]
fn a_restore_draws_the_same_numbers_again() {
    let mut engine = engine(1);
    run(&mut engine, 3);
    let snapshot = engine.snapshot().unwrap();
    run(&mut engine, 5);
    let (first, hash) = (drawn(&engine), engine.state_hash().unwrap());
    engine.restore(&snapshot).unwrap();
    run(&mut engine, 5);
    assert_eq!(drawn(&engine), first);
    assert!(engine.state_hash().unwrap() == hash);
}

#[test]
fn what_was_drawn_is_in_the_hash() {
    let [mut one, mut other] = [1, 1].map(engine);
    assert!(one.state_hash().unwrap() == other.state_hash().unwrap());
    other.run(|mut random: Random<Treasures>| _ = random.unit()).unwrap();
    let (one, other) = (one.state_hash().unwrap(), other.state_hash().unwrap());
    assert!(one != other);
}

#[cfg(feature = "serde")]
#[test]
fn a_save_goes_on_with_the_same_numbers_in_a_new_engine_that_meets_purposes_in_another_order() {
    let weather = |mut random: Random<Weather>| random.next_u64();
    let treasures = |mut random: Random<Treasures>| random.next_u64();
    let mut first = Engine::builder().seed(9).build();
    first.run(weather).unwrap();
    first.run(treasures).unwrap();
    first.run(treasures).unwrap();
    let (mut bytes, text) = (Vec::new(), first.save_text().unwrap());
    first.save(&mut bytes).unwrap();
    let next = [first.run(weather).unwrap(), first.run(treasures).unwrap()];
    for is_text in [false, true] {
        let mut second = Engine::new();
        second.run(treasures).unwrap();
        match is_text {
            true => second.load_text(&text).map(drop).unwrap(),
            false => second.load(&mut &bytes[..]).map(drop).unwrap(),
        }
        assert_eq!(second.seed(), 9);
        let treasure = second.run(treasures).unwrap();
        assert_eq!([second.run(weather).unwrap(), treasure], next);
    }
}

#[test]
fn two_purposes_of_one_name_and_one_purpose_twice_are_refused() {
    struct Copycat;
    impl Purpose for Copycat {
        const NAME: &'static str = "weather";
    }
    let mut engine = engine(1);
    let error = engine.run(|_: Random<Copycat>| {}).unwrap_err().to_string();
    assert!(error.contains("two purposes of random numbers have the name \"weather\": give each its own"), "{error}");
    let error = engine.run(|_: Random<Weather>, _: Random<Weather>| {}).unwrap_err().to_string();
    assert!(error.contains("it asks twice for the random numbers \"weather\""), "{error}");
    run(&mut engine, 1);
}

#[test]
fn the_presentation_draws_none_of_the_numbers_of_the_simulation() {
    struct Sparks;
    impl System for Sparks {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|_: &mut Self, _: Random<Weather>| {});
        }
    }
    let mut engine = engine(1);
    let error = engine.presentation().add(Sparks).err().unwrap().to_string();
    assert!(error.contains("draws random numbers"), "{error}");
}

#[test]
fn a_stream_is_a_value() {
    let mut dice = RandomStream::new(1, "dice");
    let mut again = dice.clone();
    assert_eq!((dice.below(6), dice.pick(&['a', 'b'])), (again.below(6), again.pick(&['a', 'b'])));
    assert_ne!(dice.split(1).next_u64(), dice.split(2).next_u64());
}
