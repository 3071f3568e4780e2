//! Parallel walks with results: the same at any number of threads, in the order of the walk.

use ecs::{Engine, EntityId, Query, Sender, Setup, System, Without};

use super::log::FRAME;

struct Load(f32);
struct Heavy;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Overloaded {
    entity: EntityId,
}

/// Sums up loads, and tells of those that grow too large.
#[derive(Default)]
struct Scales {
    sums: Vec<f32>,
    events: Vec<Option<Overloaded>>,
    received: Vec<EntityId>,
}

impl System for Scales {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::weigh).listen(Self::on_overloaded);
    }
}

impl Scales {
    fn weigh(&mut self, mut loads: Query<(EntityId, &mut Load), Without<Heavy>>, mut overloaded: Sender<Overloaded>) {
        loads.par_map_collect(&mut self.events, |(entity, load)| {
            load.0 *= 1.01;
            (load.0 > 900.0).then_some(Overloaded { entity })
        });
        self.events.drain(..).flatten().for_each(|event| overloaded.send(event));
        self.sums.push(loads.par_fold(|| 0.0, |sum, (_, load)| sum + load.0, |a, b| a + b));
    }

    fn on_overloaded(&mut self, event: &Overloaded) {
        self.received.push(event.entity);
    }
}

/// The sums by their bits, and the receivers of all events.
fn run(threads: usize, entities: u32) -> (Vec<u32>, Vec<EntityId>) {
    let mut engine = Engine::builder().threads(threads).parallel_threshold(1).build();
    engine.add(Scales::default()).unwrap();
    let ids = engine.spawn_many((0..entities).map(|n| (Load((n * 7919 % 1000) as f32 / 1.1),)));
    ids.iter().step_by(7).for_each(|id| engine.insert(*id, (Heavy,)).unwrap());
    ids.iter().step_by(101).for_each(|id| engine.disable(*id).unwrap());
    (0..3).for_each(|_| engine.update(FRAME).unwrap());
    let scales = engine.system::<Scales>().unwrap();
    (scales.sums.iter().map(|sum| sum.to_bits()).collect(), scales.received.clone())
}

#[test]
fn results_and_events_are_the_same_at_any_number_of_threads() {
    for entities in [0, 1, 63, 64, 65, 1_000, 20_000] {
        let alone = run(1, entities);
        for threads in [2, 4] {
            assert_eq!(run(threads, entities), alone, "{entities} entities on {threads} threads");
        }
    }
}

#[test]
fn results_are_appended_in_the_order_of_the_walk() {
    let mut engine = Engine::builder().threads(4).parallel_threshold(1).build();
    engine.spawn_many((0..5_000_u32).map(|n| (n,)));
    let odd = engine.spawn_many((0..500_u32).map(|n| (n, 'x')));
    odd.into_iter().for_each(|id| engine.disable(id).unwrap());
    let mut query = engine.query::<(&u32, Option<&char>)>();
    let serial: Vec<String> = query.iter().map(|(n, _)| n.to_string()).collect();
    let mut results = vec!["first".to_owned()];
    query.par_map_collect(&mut results, |(n, _)| n.to_string());
    assert_eq!(results[0], "first");
    assert_eq!(results[1..], serial);
}

#[test]
fn fold_without_matches_is_its_start_and_all_entities_can_be_folded() {
    let mut engine = Engine::builder().threads(2).parallel_threshold(1).build();
    assert_eq!(engine.query::<&u32>().par_fold(|| 7, |_, _| panic!("nothing matches"), |_, _| panic!()), 7);
    engine.spawn_many((0..200_u32).map(|n| (n,)));
    assert_eq!(engine.query::<Option<&u32>>().par_fold(|| 0, |sum, n| sum + n.map_or(0, |n| *n), |a, b| a + b), 19_900);
}

#[test]
fn results_up_to_a_panic_are_kept_and_the_others_dropped() {
    let count = std::sync::Arc::new(());
    let run = |threads| {
        let mut engine = Engine::builder().threads(threads).parallel_threshold(1).build();
        engine.spawn_many((0..6_000_u32).map(|n| (n,)));
        let mut results = vec![(7, std::sync::Arc::clone(&count))];
        let mut query = engine.query::<&u32>();
        assert!(crate::panics(|| query.par_map_collect(&mut results, |n| {
            assert!(n % 2_000 < 1_500, "row {n}");
            (*n, std::sync::Arc::clone(&count))
        })));
        assert_eq!(std::sync::Arc::strong_count(&count), results.len() + 1, "the others were dropped");
        results.into_iter().map(|(n, _)| n).collect::<Vec<_>>()
    };
    let expected: Vec<u32> = std::iter::once(7).chain(0..1_500).collect();
    for threads in [1, 2, 4] {
        assert_eq!(run(threads), expected, "{threads} threads");
    }
}

#[test]
fn panic_in_a_parallel_walk_is_that_of_the_first_row() {
    let mut engine = Engine::builder().threads(4).parallel_threshold(1).build();
    engine.spawn_many((0..2_000_u32).map(|n| (n,)));
    let panic_of = |walk: &mut dyn FnMut()| {
        let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(walk)).unwrap_err();
        payload.downcast_ref::<String>().cloned().unwrap()
    };
    let mut query = engine.query::<&u32>();
    let check = |n: &u32| assert!(*n < 100, "row {n}");
    assert_eq!(panic_of(&mut || query.par_fold(|| (), |(), n| check(n), |(), ()| ())), "row 100");
    let mut results = Vec::new();
    assert_eq!(panic_of(&mut || query.par_map_collect(&mut results, check)), "row 100");
}
