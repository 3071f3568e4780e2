//! Queries of one method that share written components: accepted if no entity can match both, refused otherwise.

use std::collections::BTreeSet;

use ecs::query::{Has, Or, QueryData, QueryFilter};
use ecs::{Commands, Engine, EntityId, IncludeDisabled, Query, Setup, System, With, Without};

use super::log::FRAME;

/// The number of its entity.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Value(u32);
struct A;
struct B;

/// A type of query.
trait Shape {
    type Data: QueryData + 'static;
    type Filter: QueryFilter + 'static;
    const WRITES: bool;
    /// The values that the query reaches.
    fn values(query: &Query<Self::Data, Self::Filter>) -> BTreeSet<u32>;
}

macro_rules! shapes {
    ($($name:ident: $writes:literal, $data:ty, $filter:ty, $item:pat => $value:expr;)*) => {
        $(
            struct $name;
            impl Shape for $name {
                type Data = $data;
                type Filter = $filter;
                const WRITES: bool = $writes;

                fn values(query: &Query<$data, $filter>) -> BTreeSet<u32> {
                    query.iter().filter_map(|$item| Option::<&Value>::from($value)).map(|value| value.0).collect()
                }
            }
        )*

        /// Calls `check_pair` with each ordered pair of shapes.
        fn check_all_pairs(engine: &mut Engine) {
            $(check_with_each::<$name>(engine);)*
        }

        fn check_with_each<First: Shape>(engine: &mut Engine) {
            $(check_pair::<First, $name>(engine);)*
        }
    };
}

shapes! {
    All: true, &'static mut Value, (), value => value;
    WithA: true, &'static mut Value, With<A>, value => value;
    WithoutA: true, &'static mut Value, Without<A>, value => value;
    ReadsA: true, (&'static mut Value, &'static A), Without<B>, (value, _) => value;
    Perhaps: true, Option<&'static mut Value>, Without<A>, value => value;
    AnyA: true, &'static mut Value, (With<A>, IncludeDisabled), value => value;
    NoA: true, &'static mut Value, (Without<A>, IncludeDisabled), value => value;
    AOrB: true, &'static mut Value, Or<(With<A>, With<B>)>, value => value;
    Reads: false, &'static Value, Without<A>, value => value;
    Looks: true, (&'static mut Value, Option<&'static A>, Has<B>), With<B>, (value, ..) => value;
    NoValue: false, EntityId, Without<Value>, _ => None;
    NeitherAB: true, &'static mut Value, (Without<A>, Without<B>), value => value;
    AAndB: true, &'static mut Value, (With<A>, With<B>), value => value;
    NotBoth: true, &'static mut Value, Or<(Without<A>, Without<B>)>, value => value;
    OnlyOne: true, &'static mut Value, Or<((With<A>, Without<B>), (Without<A>, With<B>))>, value => value;
    BothOrNone: true, &'static mut Value, Or<((With<A>, With<B>), (Without<A>, Without<B>))>, value => value;
    TwoOrs: true, &'static mut Value, (Or<(With<A>, With<B>)>, Or<(Without<A>, Without<B>)>), value => value;
    OrInOr: true, &'static mut Value, Or<(With<A>, Or<(With<B>, Without<Value>)>)>, value => value;
    AnyAOrB: true, &'static mut Value, (Or<(With<A>, With<B>)>, IncludeDisabled), value => value;
    AnyNeither: true, &'static mut Value, (Without<A>, Without<B>, IncludeDisabled), value => value;
    Never: true, &'static mut Value, (With<A>, Without<A>), value => value;
    NeverValue: true, Option<&'static mut Value>, Without<Value>, value => value;
    AnyPerhaps: true, Option<&'static mut Value>, (With<B>, IncludeDisabled), value => value;
    ReadsOr: false, &'static Value, Or<(Without<A>, With<B>)>, value => value;
}

/// The values that a query alone reaches.
fn values_of<S: Shape>(engine: &mut Engine) -> BTreeSet<u32> {
    engine.run(|query: Query<S::Data, S::Filter>| S::values(&query)).unwrap()
}

/// Accepted exactly if no value is reached by both queries or neither writes.
fn check_pair<First: Shape, Second: Shape>(engine: &mut Engine) {
    let run = engine.run(|first: Query<First::Data, First::Filter>, second: Query<Second::Data, Second::Filter>| {
        (First::values(&first), Second::values(&second))
    });
    let (first, second) = (values_of::<First>(engine), values_of::<Second>(engine));
    let may_meet = !first.is_disjoint(&second) && (First::WRITES || Second::WRITES);
    let names = [std::any::type_name::<First>(), std::any::type_name::<Second>()];
    assert_eq!(run.is_err(), may_meet, "{names:?}: {run:?}");
    if let Ok(run) = run {
        assert_eq!(run, (first, second), "{names:?}: each sees what it sees alone");
    }
}

/// An entity of each kind: with each of three components absent, disabled or enabled, and itself disabled or enabled.
fn zoo() -> Engine {
    let mut engine = Engine::new();
    for kind in 0..54 {
        let entity = engine.spawn(());
        let [value, a, b] = [kind % 3, kind / 3 % 3, kind / 9 % 3];
        if value > 0 {
            engine.insert(entity, (Value(kind),)).unwrap();
        }
        if a > 0 {
            engine.insert(entity, (A,)).unwrap();
        }
        if b > 0 {
            engine.insert(entity, (B,)).unwrap();
        }
        if value == 1 {
            engine.disable_component::<Value>(entity).unwrap();
        }
        if a == 1 {
            engine.disable_component::<A>(entity).unwrap();
        }
        if b == 1 {
            engine.disable_component::<B>(entity).unwrap();
        }
        if kind >= 27 {
            engine.disable(entity).unwrap();
        }
    }
    engine
}

#[test]
fn pairs_of_queries_are_accepted_exactly_if_no_entity_matches_both() {
    let mut engine = zoo();
    check_all_pairs(&mut engine);
}

#[test]
fn three_disjoint_queries_write_at_the_same_time() {
    type Third = (Without<A>, Without<B>);
    let mut engine = Engine::new();
    let ids = engine.spawn_many((0..9).map(|_| (Value(0),)));
    ids.iter().step_by(3).for_each(|id| engine.insert(*id, (A,)).unwrap());
    ids.iter().skip(1).step_by(3).for_each(|id| engine.insert(*id, (B,)).unwrap());
    fn count(
        mut a: Query<&mut Value, (With<A>, Without<B>)>,
        mut b: Query<&mut Value, With<B>>,
        mut none: Query<&mut Value, Third>,
    ) {
        for ((a, b), none) in a.iter_mut().zip(&mut b).zip(&mut none) {
            (a.0, b.0, none.0) = (a.0 + 1, b.0 + 2, none.0 + 3);
        }
    }
    engine.run(count).unwrap();
    let values: Vec<_> = ids.iter().map(|id| engine.get::<Value>(*id).unwrap().0).collect();
    assert_eq!(values, [1, 2, 3, 1, 2, 3, 1, 2, 3]);
}

/// Hunters chase the nearest prey, both of which have a `Value`, and eat it.
struct Chase;

impl System for Chase {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update);
    }
}

impl Chase {
    fn update(
        &mut self,
        mut hunters: Query<&mut Value, With<A>>,
        mut prey: Query<(EntityId, &mut Value), Without<A>>,
        mut commands: Commands,
    ) {
        for hunter in &mut hunters {
            for (id, weight) in &mut prey {
                hunter.0 += weight.0;
                weight.0 = 0;
                commands.despawn(id);
            }
        }
    }
}

#[test]
fn disjoint_queries_of_a_system_work_at_any_number_of_threads() {
    let run = |threads: usize| {
        let mut engine = Engine::builder().threads(threads).build();
        engine.add(Chase).unwrap();
        let hunter = engine.spawn((Value(1), A));
        engine.spawn_many((0..100).map(|n| (Value(n),)));
        (0..3).for_each(|_| engine.update(FRAME).unwrap());
        (engine.get::<Value>(hunter).copied(), engine.entities().len())
    };
    assert_eq!(run(1), (Some(Value(4951)), 1));
    assert!([2, 4].into_iter().all(|threads| run(threads) == run(1)));
}

#[test]
fn insertion_that_ends_disjointness_is_seen_by_the_queries() {
    fn swap(mut with: Query<&mut Value, With<A>>, mut without: Query<&mut Value, Without<A>>) {
        with.iter_mut().for_each(|value| value.0 += 100);
        without.iter_mut().for_each(|value| value.0 += 1);
    }
    let mut engine = Engine::new();
    let entity = engine.spawn((Value(0),));
    engine.run(swap).unwrap();
    engine.insert(entity, (A,)).unwrap();
    engine.run(swap).unwrap();
    engine.disable_component::<A>(entity).unwrap();
    engine.run(swap).unwrap();
    assert_eq!(engine.get::<Value>(entity), Some(&Value(102)));
}

#[test]
fn many_cases_of_or_are_no_proof() {
    type Either<X> = Or<(With<X>, With<B>)>;
    type Four = (Either<A>, Either<u8>, Either<u16>, Either<u32>);
    type Seven = (Four, Either<u64>, Either<i8>, Either<i16>);
    type None = (Without<A>, Without<B>);
    let mut engine = Engine::new();
    engine.run(|_: Query<&mut Value, Four>, _: Query<&mut Value, None>| {}).unwrap();
    // The first six prove it, and the last one is left out.
    engine.run(|_: Query<&mut Value, Seven>, _: Query<&mut Value, None>| {}).unwrap();
    type Late = (Either<u8>, Either<u16>, Either<u32>, (Either<u64>, Either<i8>, Either<i16>), Either<A>);
    let refused = engine.run(|_: Query<&mut Value, Late>, _: Query<&mut Value, None>| {});
    assert!(refused.unwrap_err().to_string().contains("make them disjoint by `Without<X>`"));
}
