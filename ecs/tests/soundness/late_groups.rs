//! A group that is declared after a query has cached the alignment of its pools.

use std::collections::BTreeSet;
use std::time::Duration;

use ecs::{Engine, EntityId, Query, Setup, System};

/// One of five component types; it holds the number of its owner.
#[derive(Debug, PartialEq)]
struct C<const N: usize>(usize);

/// The rows of the query in the last frame: each entity with the values of its components.
#[derive(Default)]
struct Walker(Vec<(EntityId, [usize; 5])>);

impl System for Walker {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::collect);
    }
}

type AllFive = (EntityId, &'static mut C<0>, &'static C<1>, &'static C<2>, &'static C<3>, &'static C<4>);

impl Walker {
    fn collect(&mut self, mut query: Query<AllFive>) {
        self.0.clear();
        let mut written: Vec<&mut C<0>> = Vec::new();
        query.iter_mut().for_each(|(id, a, b, c, d, e)| {
            self.0.push((id, [a.0, b.0, c.0, d.0, e.0]));
            written.push(a);
        });
        // All at once: two references to one component would be undefined behaviour.
        let distinct: BTreeSet<_> = written.iter().map(|value| std::ptr::from_ref::<C<0>>(value)).collect();
        assert_eq!(distinct.len(), written.len(), "the query yields a component twice");
    }
}

#[test]
fn group_declared_later_does_not_change_query_results() {
    let mut engine = Engine::new();
    engine.group::<(C<0>, C<1>)>().unwrap();
    engine.add(Walker::default()).unwrap();
    let mut ids: Vec<_> = (0..8).map(|n| engine.spawn((C::<0>(n), C::<1>(n)))).collect();
    ids.extend((8..11).map(|_| engine.spawn(())));
    for n in [4, 5, 6, 7, 2, 8, 9, 10] {
        engine.insert(ids[n], (C::<2>(n), C::<3>(n), C::<4>(n))).unwrap();
    }
    let expected: Vec<_> = [2, 4, 5, 6, 7].into_iter().map(|n| (ids[n], [n; 5])).collect();
    let frame = |engine: &mut Engine| {
        engine.update(Duration::from_millis(1)).unwrap();
        let mut found = engine.system::<Walker>().unwrap().0.clone();
        found.sort_unstable();
        assert_eq!(found, expected);
    };
    (0..3).for_each(|_| frame(&mut engine));
    engine.group::<(C<2>, C<3>, C<4>)>().unwrap();
    (0..3).for_each(|_| frame(&mut engine));
}
