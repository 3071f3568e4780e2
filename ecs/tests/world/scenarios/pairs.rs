//! Walks over pairs equal two nested loops.

use ecs::query::{Or, QueryData, QueryFilter};
use ecs::{Engine, EntityId, Query, With, Without};
use proptest::prelude::*;

#[derive(Clone, Debug, PartialEq)]
struct Mass(u64);
#[derive(Clone, Debug, PartialEq)]
struct Charge(u64);
struct Fixed;

/// The kinds of entities: with a mass, a charge, fixed, disabled.
fn world(kinds: &[[bool; 4]]) -> Engine {
    let mut engine = Engine::new();
    for (n, [mass, charge, fixed, disabled]) in kinds.iter().enumerate() {
        let entity = engine.spawn(());
        if *mass {
            engine.insert(entity, (Mass(n as u64),)).unwrap();
        }
        if *charge {
            engine.insert(entity, (Charge(n as u64),)).unwrap();
        }
        if *fixed {
            engine.insert(entity, (Fixed,)).unwrap();
        }
        if *disabled {
            engine.disable(entity).unwrap();
        }
    }
    engine
}

/// The unordered pairs of a list, by two nested loops.
fn pairs_of(ids: &[EntityId]) -> Vec<(EntityId, EntityId)> {
    ids.iter().enumerate().flat_map(|(at, a)| ids[at + 1..].iter().map(|b| (*a, *b))).collect()
}

fn check<D: QueryData + 'static, F: QueryFilter + 'static>(engine: &mut Engine)
where
    for<'q> (EntityId, D): QueryData<Item<'q> = (EntityId, D::Item<'q>)>,
{
    let mut query = engine.query_filtered::<(EntityId, D), F>();
    let mut ids = Vec::new();
    query.iter_mut().for_each(|(id, _)| ids.push(id));
    let mut found = Vec::new();
    query.for_each_pair_mut(|(a, _), (b, _)| found.push((a, b)));
    assert_eq!(found, pairs_of(&ids));
}

proptest! {
    #[test]
    fn each_two_matches_meet_once(kinds in prop::collection::vec(any::<[bool; 4]>(), 0..14)) {
        let mut engine = world(&kinds);
        check::<&mut Mass, ()>(&mut engine);
        check::<(&mut Mass, &Charge), ()>(&mut engine);
        check::<(&Mass, Option<&mut Charge>), Without<Fixed>>(&mut engine);
        check::<&mut Charge, Or<(With<Fixed>, With<Mass>)>>(&mut engine);
        check::<Option<&mut Mass>, ()>(&mut engine);
        let query = engine.query_filtered::<(EntityId, &Mass, Option<&Charge>), Without<Fixed>>();
        let ids: Vec<_> = query.iter().map(|(id, ..)| id).collect();
        let pairs: Vec<_> = query.pairs().map(|((a, ..), (b, ..))| (a, b)).collect();
        prop_assert_eq!(pairs, pairs_of(&ids));
    }
}

#[test]
fn pairs_write_both_items() {
    let mut engine = world(&[[true, true, false, false]; 5]);
    let mut query: Query<(&mut Mass, &Charge)> = engine.query();
    query.for_each_pair_mut(|(a, a_charge), (b, b_charge)| {
        a.0 += 10 * b_charge.0;
        b.0 += 10 * a_charge.0;
    });
    let masses: Vec<_> = query.iter().map(|(mass, _)| mass.0).collect();
    assert_eq!(masses, [100, 91, 82, 73, 64]);
}
