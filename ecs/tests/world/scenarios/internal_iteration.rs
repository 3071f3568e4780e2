//! Internal iteration: `for_each`, `fold` and others visit the same rows in the same order as a `for` loop.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::{Engine, EntityId, With, Without};

/// Three numbers: adjacent rows of such values are visited four at a time.
#[derive(Debug, PartialEq, Clone, Copy)]
struct Place([i32; 3]);
#[derive(Debug, PartialEq, Clone, Copy)]
struct Speed([i32; 3]);
struct Odd;

fn row(n: usize) -> (Place, Speed) {
    (Place([n as i32, 0, 0]), Speed([n as i32 + 1, 0, 0]))
}

/// Numbers below `count`: ascending ranges, and descending ranges that are too long for the look-ahead.
fn mixed(count: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..count).collect();
    all.chunks_mut(50).skip(1).step_by(2).for_each(<[usize]>::reverse);
    all
}

/// Worlds of `count` entities with both components: in one order, in ranges of one order, and in different orders.
fn worlds(count: usize) -> [(Engine, Vec<EntityId>); 4] {
    [0, 1, 2, 3].map(|kind| {
        let mut engine = Engine::new();
        // More speeds than places, so the query iterates the pool of places.
        engine.spawn_many((0..=count).map(|_| (Speed([-1; 3]),)));
        let ids: Vec<_> = (0..count).map(|n| engine.spawn((row(n).1,))).collect();
        let order = if kind == 3 { mixed(count) } else { (0..count).collect() };
        order.into_iter().for_each(|n| engine.insert(ids[n], (row(n).0,)).unwrap());
        if kind == 2 {
            // The last row fills the gap, so some rows are out of order.
            for (n, id) in ids.iter().enumerate().step_by(7) {
                engine.remove::<Place>(*id).unwrap();
                engine.insert(*id, (row(n).0,)).unwrap();
            }
        }
        (engine, ids)
    })
}

/// Small worlds, with every number of rows from 0 to 13, and large ones.
fn all_worlds() -> impl Iterator<Item = (Engine, Vec<EntityId>)> {
    (0..14).chain([271]).flat_map(worlds)
}

type Seen = Vec<(EntityId, i32, i32)>;

/// With a `for` loop.
fn one_by_one(engine: &mut Engine) -> Seen {
    let mut seen = Vec::new();
    for (id, place, speed) in &engine.query::<(EntityId, &Place, &Speed)>() {
        seen.push((id, place.0[0], speed.0[0]));
    }
    seen
}

#[test]
fn for_each_visits_the_same_rows_in_the_same_order_as_a_for_loop() {
    for (mut engine, ids) in all_worlds() {
        let expected = one_by_one(&mut engine);
        let mut query = engine.query::<(EntityId, &mut Place, &mut Speed)>();
        let seen = query.iter_mut().fold(Seen::new(), |mut seen, (id, place, speed)| {
            seen.push((id, place.0[0], speed.0[0]));
            place.0[1] += 1;
            speed.0[1] -= 1;
            seen
        });
        assert_eq!(seen, expected);
        query.par_for_each(|(_, place, speed)| place.0[2] += speed.0[0]);
        for (n, id) in ids.iter().enumerate() {
            let n = n as i32;
            assert_eq!(engine.get::<Place>(*id), Some(&Place([n, 1, n + 1])), "{n} of {}", ids.len());
            assert_eq!(engine.get::<Speed>(*id), Some(&Speed([n + 1, -1, 0])));
        }
    }
}

#[test]
fn for_each_finishes_an_iterator_that_next_has_begun() {
    for (mut engine, ids) in all_worlds() {
        let expected = one_by_one(&mut engine);
        for begun in [0, 1, 2, 5, 60] {
            let mut query = engine.query::<(EntityId, &mut Place, &Speed)>();
            let mut iter = query.iter_mut();
            let mut seen: Seen =
                iter.by_ref().take(begun).map(|(id, place, speed)| (id, place.0[0], speed.0[0])).collect();
            iter.for_each(|(id, place, speed)| seen.push((id, place.0[0], speed.0[0])));
            assert_eq!(seen, expected, "{begun} of {}", ids.len());
        }
    }
}

#[test]
fn items_can_be_kept_and_written_after_the_iteration() {
    for (mut engine, ids) in all_worlds() {
        let mut query = engine.query::<(&mut Place, (EntityId, &mut Speed))>();
        let kept = query.iter_mut().fold(vec![], |mut kept, item| {
            kept.push(item);
            kept
        });
        assert_eq!(kept.len(), ids.len());
        for (place, (id, speed)) in kept.into_iter().rev() {
            std::mem::swap(&mut place.0, &mut speed.0);
            assert_eq!(ids[speed.0[0] as usize], id);
        }
        let all = ids.iter().enumerate();
        all.for_each(|(n, id)| assert_eq!(engine.get::<Place>(*id), Some(&Place([n as i32 + 1, 0, 0]))));
    }
}

#[test]
fn for_each_applies_filters_to_each_row() {
    for (mut engine, ids) in all_worlds() {
        // Every second entity, and all from the middle on, so the filter passes single rows and long ranges.
        let is_odd = |n: usize| n % 2 == 1 || n >= ids.len() / 2;
        let odd_ones = ids.iter().enumerate().filter(|(n, _)| is_odd(*n));
        odd_ones.for_each(|(_, id)| engine.insert(*id, (Odd,)).unwrap());
        let mut odd = engine.query_filtered::<&mut Place, With<Odd>>();
        odd.iter_mut().for_each(|place| place.0[1] += 1);
        let mut even = engine.query_filtered::<(&mut Place, &Speed), Without<Odd>>();
        even.iter_mut().for_each(|(place, _)| place.0[1] += 2);
        for (n, id) in ids.iter().enumerate() {
            assert_eq!(engine.get::<Place>(*id).unwrap().0[1], if is_odd(n) { 1 } else { 2 }, "{n} of {}", ids.len());
        }
    }
}

#[test]
fn for_each_that_panics_has_visited_the_rows_before() {
    for (mut engine, ids) in all_worlds() {
        let expected = one_by_one(&mut engine);
        let count = ids.len();
        for last in (0..count).step_by(1 + count / 20) {
            let mut seen = Seen::new();
            let iter = AssertUnwindSafe(|| {
                engine.query::<(EntityId, &mut Place, &Speed)>().iter_mut().for_each(|(id, place, speed)| {
                    assert!(seen.len() < last, "enough");
                    seen.push((id, place.0[0], speed.0[0]));
                    place.0[1] += 1;
                });
            });
            assert!(catch_unwind(iter).is_err());
            assert_eq!(seen, expected[..last], "{last} of {count}");
        }
        let visits: usize = ids.iter().map(|id| engine.get::<Place>(*id).unwrap().0[1] as usize).sum();
        assert_eq!(visits, (0..count).step_by(1 + count / 20).sum::<usize>());
    }
}
