//! Owning groups against a naive world: random changes of structure with groups declared before, between and afterwards,
//! and after each change every query and every slice compared.

use std::collections::BTreeMap;

use ecs::{Engine, EntityId, GroupError, IncludeDisabled, QueryFilter, ReadOnlyData, With, Without};
use proptest::prelude::*;

/// One of five component types. Each holds who owns it, so that slices that are not parallel show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct C<const N: usize>(u32);

#[derive(Clone, Copy, Debug)]
enum Change {
    /// Which of the five components, as bits.
    Spawn(u8),
    Despawn(usize),
    Insert(usize, usize),
    /// Two components at once.
    InsertPair(usize, usize),
    Remove(usize, usize),
    Toggle(usize, usize, bool),
    Enable(usize, bool),
    Group(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let who = || 0..30_usize;
    prop_oneof![
        6 => (0_u8..32).prop_map(Change::Spawn),
        2 => Just(Change::Spawn(31)),
        3 => who().prop_map(Change::Despawn),
        6 => (who(), 0..5_usize).prop_map(|(who, which)| Change::Insert(who, which)),
        2 => (who(), 0..5_usize).prop_map(|(who, which)| Change::InsertPair(who, which)),
        5 => (who(), 0..5_usize).prop_map(|(who, which)| Change::Remove(who, which)),
        5 => (who(), 0..5_usize, any::<bool>()).prop_map(|(who, which, on)| Change::Toggle(who, which, on)),
        3 => (who(), any::<bool>()).prop_map(|(who, on)| Change::Enable(who, on)),
        1 => (0..5_usize).prop_map(Change::Group),
    ]
}

#[derive(Clone, Copy, Debug)]
struct Individual {
    number: u32,
    is_enabled: bool,
    has: [bool; 5],
    on: [bool; 5],
}

impl Individual {
    fn shows(&self, which: usize) -> bool {
        self.is_enabled && self.has[which] && self.on[which]
    }

    fn shows_all(&self, which: &[usize]) -> bool {
        which.iter().all(|&which| self.shows(which))
    }
}

#[derive(Default)]
struct Both {
    engine: Engine,
    born: Vec<EntityId>,
    alive: BTreeMap<EntityId, Individual>,
}

/// Calls a generic method with the number of a component type.
macro_rules! with_component {
    ($which:expr, $name:ident => $call:expr) => {
        match $which {
            0 => {
                type $name = C<0>;
                $call
            }
            1 => {
                type $name = C<1>;
                $call
            }
            2 => {
                type $name = C<2>;
                $call
            }
            3 => {
                type $name = C<3>;
                $call
            }
            _ => {
                type $name = C<4>;
                $call
            }
        }
    };
}

impl Both {
    fn name(&self, who: usize) -> EntityId {
        self.born.get(who % self.born.len().max(1)).copied().unwrap_or_default()
    }

    fn apply(&mut self, change: Change) {
        match change {
            Change::Spawn(which) => {
                let number = self.born.len() as u32;
                let has = std::array::from_fn(|bit| which >> bit & 1 == 1);
                let id = match which {
                    31 => self.engine.spawn((
                        C::<4>(number),
                        C::<3>(number),
                        C::<2>(number),
                        C::<1>(number),
                        C::<0>(number),
                    )),
                    _ => self.engine.spawn(()),
                };
                if which != 31 {
                    (0..5).filter(|&which| has[which]).for_each(|which| self.insert(id, which, number));
                }
                self.born.push(id);
                self.alive.insert(id, Individual { number, is_enabled: true, has, on: [true; 5] });
            }
            Change::Despawn(who) => {
                let id = self.name(who);
                assert_eq!(self.engine.despawn(id).is_ok(), self.alive.remove(&id).is_some());
            }
            Change::Insert(who, which) => {
                let id = self.name(who);
                if let Some(one) = self.alive.get_mut(&id) {
                    one.on[which] |= !one.has[which];
                    one.has[which] = true;
                    let number = one.number;
                    self.insert(id, which, number);
                }
            }
            Change::InsertPair(who, which) => {
                let (id, other) = (self.name(who), (which + 1) % 5);
                if let Some(one) = self.alive.get_mut(&id) {
                    for which in [which, other] {
                        one.on[which] |= !one.has[which];
                        one.has[which] = true;
                    }
                    let n = one.number;
                    match which {
                        0 => self.engine.insert(id, (C::<0>(n), C::<1>(n))),
                        1 => self.engine.insert(id, (C::<1>(n), C::<2>(n))),
                        2 => self.engine.insert(id, (C::<2>(n), C::<3>(n))),
                        3 => self.engine.insert(id, (C::<3>(n), C::<4>(n))),
                        _ => self.engine.insert(id, (C::<4>(n), C::<0>(n))),
                    }
                    .unwrap();
                }
            }
            Change::Remove(who, which) => {
                let id = self.name(who);
                let had = self.alive.get_mut(&id).is_some_and(|one| std::mem::take(&mut one.has[which]));
                assert_eq!(with_component!(which, T => self.engine.remove::<T>(id)).is_ok(), had);
                self.alive.get_mut(&id).into_iter().for_each(|one| one.on[which] = true);
            }
            Change::Toggle(who, which, on) => {
                let id = self.name(who);
                let engine = &mut self.engine;
                let done = with_component!(which, T => if on { engine.enable_component::<T>(id) } else { engine.disable_component::<T>(id) });
                let one = self.alive.get_mut(&id).filter(|one| one.has[which]);
                assert_eq!(done.is_ok(), one.is_some());
                one.into_iter().for_each(|one| one.on[which] = on);
            }
            Change::Enable(who, on) => {
                let id = self.name(who);
                let done = if on { self.engine.enable(id) } else { self.engine.disable(id) };
                assert_eq!(done.is_ok(), self.alive.contains_key(&id));
                self.alive.get_mut(&id).into_iter().for_each(|one| one.is_enabled = on);
            }
            Change::Group(which) => self.group(which),
        }
    }

    fn insert(&mut self, id: EntityId, which: usize, number: u32) {
        with_component!(which, T => type_insert::<T>(&mut self.engine, id, number));
    }

    fn group(&mut self, which: usize) {
        let engine = &mut self.engine;
        match which {
            0 => engine.group::<(C<0>, C<1>)>(),
            1 => engine.group::<(C<1>, C<0>, C<2>)>(),
            2 => engine.group::<(C<3>, C<4>)>(),
            3 => engine.group::<(C<4>, C<2>, C<3>, C<1>, C<0>)>(),
            _ => engine.group::<(C<4>, C<3>)>(),
        }
        .map(drop)
        .unwrap();
    }

    /// The numbers of those who show all of `which`, ascending.
    fn expected(&self, which: &[usize]) -> Vec<u32> {
        let mut numbers: Vec<_> =
            self.alive.values().filter(|one| one.shows_all(which)).map(|one| one.number).collect();
        numbers.sort_unstable();
        numbers
    }

    fn check(&mut self) -> Result<(), TestCaseError> {
        let mut pairs: Vec<_> = self.engine.query::<(&mut C<0>, &C<1>)>().iter_mut().map(|(a, b)| (a.0, b.0)).collect();
        pairs.sort_unstable();
        prop_assert_eq!(pairs, self.expected(&[0, 1]).iter().map(|&n| (n, n)).collect::<Vec<_>>());

        let mut wider: Vec<_> = Vec::new();
        let mut query = self.engine.query::<(EntityId, &C<4>, &C<0>, &mut C<1>)>();
        query.iter_mut().for_each(|(id, a, b, c)| wider.push((id, a.0, b.0, c.0)));
        for &(id, a, b, c) in &wider {
            let number = self.alive[&id].number;
            prop_assert_eq!((a, b, c), (number, number, number));
        }
        let mut numbers: Vec<_> = wider.iter().map(|(_, a, ..)| *a).collect();
        numbers.sort_unstable();
        prop_assert_eq!(numbers, self.expected(&[0, 1, 4]));

        let mut filtered: Vec<_> = self
            .engine
            .query_filtered::<(&C<0>, &C<2>), (With<C<1>>, Without<C<3>>)>()
            .iter()
            .map(|(a, _)| a.0)
            .collect();
        filtered.sort_unstable();
        let without: Vec<_> =
            self.expected(&[0, 1, 2]).into_iter().filter(|n| !self.expected(&[3]).contains(n)).collect();
        prop_assert_eq!(filtered, without);

        same_by_next_and_by_fold::<(&C<0>, &C<3>), ()>(&mut self.engine)?;
        same_by_next_and_by_fold::<(&C<2>, &C<4>, &C<0>), ()>(&mut self.engine)?;
        same_by_next_and_by_fold::<(&C<1>, &C<4>), (With<C<2>>, Without<C<3>>)>(&mut self.engine)?;
        same_by_next_and_by_fold::<(&C<3>, Option<&C<1>>), With<C<4>>>(&mut self.engine)?;
        same_by_next_and_by_fold::<(&C<1>, &C<3>), IncludeDisabled>(&mut self.engine)?;
        same_by_next_and_by_fold::<&C<1>, Without<C<0>>>(&mut self.engine)?;

        let grouped: Vec<(String, usize)> =
            self.engine.components().groups().map(|(name, len)| (name.to_owned(), len)).collect();
        for (name, len) in grouped {
            let which: Vec<usize> = (0..5).filter(|which| name.contains(&format!("C<{which}>"))).collect();
            let expected = self.expected(&which);
            prop_assert_eq!(len, expected.len(), "{}", name);
            let mut rows = match which.as_slice() {
                [0, 1] => {
                    let mut query = self.engine.query::<(&mut C<0>, EntityId, &C<1>)>();
                    let (a, ids, b) = query.slices_mut().unwrap();
                    rows(&[a.iter().map(|c| c.0).collect(), b.iter().map(|c| c.0).collect()], ids, &self.alive)
                }
                [0, 1, 2] => {
                    let query = self.engine.query_filtered::<(&C<0>, EntityId, &C<1>), With<C<2>>>();
                    let (a, ids, b) = query.slices().unwrap();
                    rows(&[a.iter().map(|c| c.0).collect(), b.iter().map(|c| c.0).collect()], ids, &self.alive)
                }
                [3, 4] => {
                    let mut query = self.engine.query::<(&C<4>, EntityId, &mut C<3>)>();
                    let (a, ids, b) = query.slices_mut().unwrap();
                    rows(&[a.iter().map(|c| c.0).collect(), b.iter().map(|c| c.0).collect()], ids, &self.alive)
                }
                _ => {
                    let query = self.engine.query::<(EntityId, &C<0>, &C<1>, &C<2>, &C<3>, &C<4>)>();
                    let (ids, a, b, c, d, e) = query.slices().unwrap();
                    let columns: Vec<Vec<u32>> = vec![
                        a.iter().map(|c| c.0).collect(),
                        b.iter().map(|c| c.0).collect(),
                        c.iter().map(|c| c.0).collect(),
                        d.iter().map(|c| c.0).collect(),
                        e.iter().map(|c| c.0).collect(),
                    ];
                    rows(&columns, ids, &self.alive)
                }
            };
            rows.sort_unstable();
            prop_assert_eq!(rows, expected, "{}", name);
        }
        Ok(())
    }
}

/// A walk that asks for one item after the other sees what one sees that is carried out at once, in the same order.
fn same_by_next_and_by_fold<D, F>(engine: &mut Engine) -> Result<(), TestCaseError>
where
    D: ReadOnlyData + 'static,
    F: QueryFilter + 'static,
    for<'q> D::Read<'q>: std::fmt::Debug + PartialEq,
{
    let query = engine.query_filtered::<D, F>();
    let mut items = query.iter();
    let by_next: Vec<_> = std::iter::from_fn(|| items.next()).collect();
    let mut by_fold = Vec::new();
    query.iter().for_each(|item| by_fold.push(item));
    prop_assert_eq!(by_next, by_fold);
    Ok(())
}

/// The numbers of the rows; panics if the columns and the ids are not parallel.
fn rows(columns: &[Vec<u32>], ids: &[EntityId], alive: &BTreeMap<EntityId, Individual>) -> Vec<u32> {
    let numbers: Vec<u32> = ids.iter().map(|id| alive[id].number).collect();
    columns.iter().for_each(|column| assert_eq!(*column, numbers, "slices are parallel"));
    numbers
}

trait Numbered: Send + Sync + Sized + 'static {
    fn of(number: u32) -> Self;
}

impl<const N: usize> Numbered for C<N> {
    fn of(number: u32) -> Self {
        Self(number)
    }
}

fn type_insert<T: Numbered>(engine: &mut Engine, id: EntityId, number: u32) {
    engine.insert(id, (T::of(number),)).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn groups_hold_whoever_has_all_of_it(
        first in prop::collection::vec(0..5_usize, 0..5),
        changes in prop::collection::vec(change(), 1..150),
        last in prop::collection::vec(0..5_usize, 0..5),
    ) {
        let mut both = Both::default();
        first.into_iter().for_each(|which| both.group(which));
        for change in changes {
            both.apply(change);
            both.check()?;
        }
        for which in last {
            both.group(which);
            both.check()?;
        }
    }
}

#[test]
fn groups_that_cross_are_refused_with_the_way_out() {
    let mut engine = Engine::new();
    engine.group::<(C<0>, C<1>)>().unwrap().group::<(C<2>, C<3>)>().unwrap();
    let error = engine.group::<(C<1>, C<4>)>().map(drop).unwrap_err();
    assert_eq!(
        error.to_string(),
        "group (C<1>, C<4>) can not own C<1>: group (C<0>, C<1>) does, and neither contains the other; give one of them up, \
         or leave C<1> out of it, which its queries then look up"
    );
    assert!(matches!(error, ecs::Error::Group(GroupError::Conflict { .. })));
    let error = engine.group::<(C<1>, C<1>)>().map(drop).unwrap_err();
    assert!(error.to_string().starts_with("group (C<1>, C<1>) does not name two different components"), "{error}");
}
