//! Queries of several shapes, in systems and outside of them: their accesses, their results, and the checks.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::Mutex;

use ecs::{
    Engine, EntityId, IncludeDisabled, Query, Res, Sender, Setup, System, With, Without,
    query::{QueryData, QueryFilter, ReadOnlyData},
};

use super::model::{A, B, C, D, E, KINDS, Model, Numbers, Tag, Value};

/// The accesses of a query, as sets of kinds.
#[derive(Debug, Default)]
pub(super) struct Shape {
    pub(super) required: u8,
    pub(super) optional: u8,
    pub(super) written: u8,
    pub(super) with: u8,
    pub(super) without: u8,
    pub(super) with_disabled: bool,
}

/// The rows that an iteration yielded.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) rows: Vec<(EntityId, Numbers)>,
    /// Kinds and addresses of all components.
    pub(super) addresses: BTreeSet<(usize, usize)>,
}

impl Found {
    pub(super) fn note(&mut self, item: impl Part) {
        self.rows.push((EntityId::default(), [None; KINDS]));
        item.note(self);
    }

    pub(super) fn note_value<T: Value>(&mut self, value: &T) {
        let is_new = self.addresses.insert((T::KIND, std::ptr::from_ref(value).addr()));
        assert!(is_new || size_of::<T>() == 0, "a query yields a component twice");
        self.rows.last_mut().expect("an item was begun").1[T::KIND] = Some(value.number());
    }

    pub(super) fn sorted(&self) -> Vec<(EntityId, Numbers)> {
        let mut rows = self.rows.clone();
        rows.sort_unstable();
        rows
    }
}

/// A part of a query's data or filter, and of its items.
pub(super) trait Part: Sized {
    fn describe(shape: &mut Shape);
    /// Records this part of an item, and adds one to the number if it is writable.
    fn note(self, _: &mut Found) {}
}

impl Part for EntityId {
    fn describe(_: &mut Shape) {}
    fn note(self, found: &mut Found) {
        found.rows.last_mut().expect("an item was begun").0 = self;
    }
}

impl<T: Value> Part for &T {
    fn describe(shape: &mut Shape) {
        shape.required |= 1 << T::KIND;
    }
    fn note(self, found: &mut Found) {
        found.note_value(self);
    }
}

impl<T: Value> Part for &mut T {
    fn describe(shape: &mut Shape) {
        shape.required |= 1 << T::KIND;
        shape.written |= 1 << T::KIND;
    }
    fn note(self, found: &mut Found) {
        found.note_value(self);
        *self = T::new(self.number() + 1);
    }
}

impl<P: Part> Part for Option<P> {
    fn describe(shape: &mut Shape) {
        let required = shape.required;
        P::describe(shape);
        shape.optional |= shape.required & !required;
        shape.required = required;
    }
    fn note(self, found: &mut Found) {
        self.into_iter().for_each(|part| part.note(found));
    }
}

impl<T: Value> Part for With<T> {
    fn describe(shape: &mut Shape) {
        shape.with |= 1 << T::KIND;
    }
}

impl<T: Value> Part for Without<T> {
    fn describe(shape: &mut Shape) {
        shape.without |= 1 << T::KIND;
    }
}

impl Part for IncludeDisabled {
    fn describe(shape: &mut Shape) {
        shape.with_disabled = true;
    }
}

macro_rules! tuples_are_parts {
    ($(($($name:ident)*))*) => {
        $(impl<$($name: Part),*> Part for ($($name,)*) {
            fn describe(_shape: &mut Shape) {
                $($name::describe(_shape);)*
            }
            #[allow(non_snake_case)]
            fn note(self, _found: &mut Found) {
                let ($($name,)*) = self;
                $($name.note(_found);)*
            }
        })*
    };
}

tuples_are_parts!(()(P0 P1)(P0 P1 P2)(P0 P1 P2 P3)(P0 P1 P2 P3 P4)(P0 P1 P2 P3 P4 P5));

/// The way in which a system iterates over its query.
#[derive(Clone, Copy, Debug)]
pub(super) enum Walk {
    For,
    ForEach,
    /// Some items by `next`, the others by `for_each`.
    Both,
    Parallel,
}

pub(super) fn walk<Q: QueryData, F: QueryFilter>(query: &mut Query<Q, F>, walk: Walk) -> Found
where
    for<'q> Q::Item<'q>: Part,
{
    let mut found = Found::default();
    if let Walk::Parallel = walk {
        let shared = Mutex::new(found);
        query.par_for_each(|item| shared.lock().unwrap().note(item));
        found = shared.into_inner().unwrap();
        found.rows.sort_unstable();
        return found;
    }
    let mut rest = query.iter_mut();
    // All items exist at once, so Miri notices two that alias.
    let mut items = Vec::new();
    let by_next = match walk {
        Walk::For => usize::MAX,
        Walk::Both => 3,
        Walk::ForEach | Walk::Parallel => 0,
    };
    items.extend(std::iter::from_fn(|| rest.next()).take(by_next));
    rest.for_each(|item| items.push(item));
    items.into_iter().for_each(|item| found.note(item));
    found
}

/// A system that iterates over its query in each frame, adds one to writable numbers, and sends an event for each
/// match.
pub(super) struct Walker<Q, F>(Found, PhantomData<fn(Q, F)>);

#[derive(Clone, Copy)]
pub(super) struct Seen(pub(super) EntityId);

impl<Q: QueryData + 'static, F: QueryFilter + 'static> System for Walker<Q, F>
where
    for<'q> Q::Item<'q>: Part,
{
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|walker: &mut Self, how: Res<Walk>, mut query: Query<Q, F>, mut seen: Sender<Seen>| {
            walker.0 = walk(&mut query, *how);
            walker.0.rows.iter().for_each(|(id, _)| seen.send(Seen(*id)));
        });
    }
}

/// A query of the test, as functions without its type.
pub(super) struct Check {
    pub(super) shape: Shape,
    pub(super) add_walker: fn(&mut Engine),
    pub(super) found: fn(&Engine) -> &Found,
    pub(super) check_outside: fn(&mut Engine, &Model, &[EntityId]),
}

impl Check {
    pub(super) fn of<Q: QueryData + Part + 'static, F: QueryFilter + Part + 'static>() -> Self
    where
        for<'q> Q::Item<'q>: Part,
        for<'q> <Q::ReadOnly as QueryData>::Item<'q>: Part,
    {
        Self {
            shape: shape::<Q, F>(),
            add_walker: |engine| {
                engine.add(Walker::<Q, F>(Found::default(), PhantomData)).unwrap();
                engine.types_mut().leave_out_system::<Walker<Q, F>>();
            },
            found: |engine| &engine.system::<Walker<Q, F>>().unwrap().0,
            check_outside: check_outside::<Q, F>,
        }
    }
}

pub(super) fn shape<Q: Part, F: Part>() -> Shape {
    let mut shape = Shape::default();
    Q::describe(&mut shape);
    F::describe(&mut shape);
    shape
}

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::of::<(EntityId, &mut A, &B, &C, &D, &E), ()>(),
        Check::of::<(EntityId, &mut B, &A), ()>(),
        Check::of::<(EntityId, &mut C, &mut D, &mut E), ()>(),
        Check::of::<(&mut C, EntityId, Option<&mut D>), Without<Tag>>(),
        Check::of::<(EntityId, &D, &mut E), With<B>>(),
        Check::of::<(EntityId, &mut A), IncludeDisabled>(),
        Check::of::<(EntityId, &C, &E), (With<A>, Without<D>)>(),
        Check::of::<(EntityId, Option<&A>, Option<&mut B>), (With<Tag>, IncludeDisabled)>(),
        Check::of::<(EntityId, &Tag, &B), ()>(),
        Check::of::<(EntityId, Option<&C>), ()>(),
    ]
}

/// Compares all methods of a query outside of systems with the model.
pub(super) fn check_outside<Q, F>(engine: &mut Engine, model: &Model, ids: &[EntityId])
where
    Q: QueryData + Part + 'static,
    F: QueryFilter + Part + 'static,
    for<'q> <Q::ReadOnly as QueryData>::Item<'q>: Part,
{
    let shape = shape::<Q, F>();
    let expected = model.rows(&shape);
    let query = engine.query_filtered::<Q, F>();
    let (mut by_next, mut by_fold) = (Found::default(), Found::default());
    for item in &query {
        by_next.note(item);
    }
    query.iter().for_each(|item| by_fold.note(item));
    assert_eq!(by_next.rows, by_fold.rows, "both iterations have the same order");
    assert_eq!(by_next.sorted(), expected);
    assert_eq!((query.count(), query.is_empty()), (expected.len(), expected.is_empty()));
    assert_eq!(query.single().is_ok(), expected.len() == 1);
    for id in ids {
        let mut found = Found::default();
        query.get(*id).into_iter().for_each(|item| found.note(item));
        assert_eq!(found.rows.first().map(|(_, row)| *row), model.row(*id, &shape), "{id}");
        assert_eq!(query.contains(*id), !found.rows.is_empty());
    }
}

/// Compares a query of a shared engine with one of an engine that is borrowed exclusively.
pub(super) fn check_shared<Q: ReadOnlyData + 'static, F: QueryFilter + 'static>(engine: &mut Engine)
where
    for<'q> Q::Item<'q>: Part,
    for<'q> <Q::ReadOnly as QueryData>::Item<'q>: Part,
{
    let (mut shared, mut exclusive) = (Found::default(), Found::default());
    engine.read_filtered::<Q, F>().for_each(|item| shared.note(item));
    engine.query_filtered::<Q, F>().iter().for_each(|item| exclusive.note(item));
    assert_eq!(shared.rows, exclusive.rows);
}
