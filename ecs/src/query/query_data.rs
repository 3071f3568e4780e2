//! What a query can ask for: components to read or write, optional ones, whether there is one, the entity's id, and
//! tuples of these.
//!
//! The trait is unsafe inside: an item may be asked for once per entity and iteration. `walk.rs`, `iter.rs`,
//! `par_iter.rs`, `slices.rs` and `query.rs` keep to that. Fetches are used only while the query that made them borrows
//! the world (see `fetch.rs`).
#![allow(unsafe_code)]

use std::marker::PhantomData;

use atomic_refcell::{AtomicRef, AtomicRefMut};

use super::fetch::{ExtrasSource, PoolFetch, View, find};
use super::needs::Needs;
use crate::component::{Column, Component, ComponentId, ComponentManager, ComponentMask, Values};
use crate::entity::{EntityId, Location};

/// What a query yields for each entity: `&T`, `&mut T`, [`Ref<T>`](super::Ref), [`Mut<T>`](super::Mut),
/// [`LinksMut<R>`](super::LinksMut), an `Option` of these, [`Has<T>`](Has), [`EntityId`], or a tuple of up to eight of
/// these.
#[diagnostic::on_unimplemented(
    message = "a query cannot ask for `{Self}`",
    label = "ask for `&T`, `&mut T`, `Ref<T>`, `Mut<T>`, `LinksMut<R>`, an `Option` of these, `Has<T>`, `EntityId` or a tuple of up to 8 of these"
)]
pub trait QueryData: Sized {
    /// The type of the items.
    type Item<'q>;
    /// The same with `&` for each `&mut`.
    type ReadOnly: ReadOnlyData<State = Self::State, Fetch = Self::Fetch>;
    #[doc(hidden)]
    type State: Copy + Send + Sync + 'static;
    #[doc(hidden)]
    type Guard<'w>;
    #[doc(hidden)]
    type Fetch: Copy;
    /// Whether at least one component is required.
    #[doc(hidden)]
    const HAS_LEAD: bool;
    /// Whether [`QueryData::visit_four`] makes iterations faster. It does not for values of one or two numbers:
    /// compilers vectorise any loop over those.
    #[doc(hidden)]
    const IN_FOURS: bool = false;
    /// Whether the items know of changes.
    #[doc(hidden)]
    const TRACKS: bool = false;

    #[doc(hidden)]
    fn state(needs: &mut Needs<'_>) -> Self::State;
    /// Borrows the values, except those of `others`.
    #[doc(hidden)]
    ///
    /// # Safety
    /// No reference into these pools exists that [`World::get`](crate::World::get) returned, and the values are changed
    /// only through [`QueryData::fetch`]. Another query of the same method has borrowed the values of `others`.
    unsafe fn guard<'w>(
        state: Self::State,
        components: &'w ComponentManager,
        others: &ComponentMask,
    ) -> Self::Guard<'w>;
    /// # Safety
    /// While the fetch is used, its values are borrowed: by a guard, by an exclusive borrow of the world, or shared for
    /// a query that only reads while no system runs. No part of the query writes to a pool that another part uses:
    /// [`QueryData::state`] noted no conflict.
    #[doc(hidden)]
    unsafe fn fetch(state: Self::State, components: &ComponentManager, view: View) -> Self::Fetch;
    /// Whether entities of a kind have all required components in their rows.
    ///
    /// # Safety
    /// The fetch's borrows last.
    #[doc(hidden)]
    unsafe fn is_home(fetch: &Self::Fetch, kind: usize) -> bool;
    /// Visits the extras of each required component.
    #[doc(hidden)]
    fn sources(fetch: &Self::Fetch, visit: &mut impl FnMut(ExtrasSource));
    /// Prepares the fetch for the rows of a kind.
    ///
    /// # Safety
    /// The fetch's borrows last.
    #[doc(hidden)]
    unsafe fn enter(fetch: &mut Self::Fetch, kind: usize);
    /// Whether items that are handed out count as changes, so that [`QueryData::mark`] must be called for each.
    #[doc(hidden)]
    fn marks(fetch: &Self::Fetch) -> bool;
    /// Marks the components of an item as changed.
    ///
    /// # Safety
    /// As [`QueryData::has`], and the entity has an item.
    #[doc(hidden)]
    unsafe fn mark(fetch: &Self::Fetch, entity: EntityId, location: Location);
    /// Whether the entity has an item.
    ///
    /// # Safety
    /// The fetch's borrows last, and the entity is at this location, where the query sees entities. `has_extras` may be
    /// set in any case.
    #[doc(hidden)]
    unsafe fn has(fetch: &Self::Fetch, entity: EntityId, location: Location) -> bool;
    /// # Safety
    /// As [`QueryData::has`]. The fetch's borrows last for `'q`, and no other item of this entity is alive, except
    /// items that only read if this one only reads.
    #[doc(hidden)]
    unsafe fn item<'q>(fetch: &Self::Fetch, entity: EntityId, location: Location) -> Option<Self::Item<'q>>;
    /// The item of `entity`, which is in a row of the kind that was entered.
    ///
    /// # Safety
    /// As [`QueryData::item`]; the kind has all required components.
    #[doc(hidden)]
    unsafe fn at_row<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Self::Item<'q>;
    /// Calls `visit` with four items in order, each time with the last result, the first time with `start`.
    ///
    /// The compiler may assume that references in arguments of a function do not alias while it runs. So it can read
    /// the second entity before it has written the first, and add up twelve numbers of four entities by three
    /// instructions.
    #[doc(hidden)]
    #[inline]
    fn visit_four<'q, A>(items: [Self::Item<'q>; 4], start: A, visit: &mut impl FnMut(A, Self::Item<'q>) -> A) -> A {
        let [first, second, third, fourth] = items;
        four(first, second, third, fourth, start, visit)
    }
}

/// See [`QueryData::visit_four`].
#[inline]
fn four<I, A>(first: I, second: I, third: I, fourth: I, start: A, visit: &mut impl FnMut(A, I) -> A) -> A {
    let result = visit(start, first);
    let result = visit(result, second);
    let result = visit(result, third);
    visit(result, fourth)
}

/// A query that writes nothing.
///
/// # Safety
/// Its guard borrows pools for reading only, and its items write to none. Other code with a shared engine may read the
/// same components at the same time.
pub unsafe trait ReadOnlyData: QueryData {}

/// The values that a query borrows itself.
pub(super) fn own<'w, T: Component>(
    state: Option<ComponentId>,
    components: &'w ComponentManager,
    others: &ComponentMask,
) -> Option<&'w Column<T>> {
    find::<T>(state, components).filter(|(id, ..)| !others.contains(*id)).map(|(_, _, column)| column)
}

/// What `&T` and `&mut T` have in common.
macro_rules! pool_methods {
    () => {
        #[inline]
        unsafe fn is_home(fetch: &Self::Fetch, kind: usize) -> bool {
            // SAFETY: the caller's promise.
            unsafe { fetch.is_home_in(kind) }
        }

        #[inline]
        fn sources(fetch: &Self::Fetch, visit: &mut impl FnMut(ExtrasSource)) {
            visit(fetch.source());
        }

        #[inline]
        unsafe fn enter(fetch: &mut Self::Fetch, kind: usize) {
            // SAFETY: the caller's promise.
            unsafe { fetch.enter(kind) }
        }

        #[inline]
        unsafe fn has(fetch: &Self::Fetch, entity: EntityId, location: Location) -> bool {
            // SAFETY: the caller's promise.
            unsafe { fetch.has(entity, location) }
        }
    };
}

impl<T: Component> QueryData for &T {
    type Item<'q> = &'q T;
    type ReadOnly = Self;
    type State = Option<ComponentId>;
    type Guard<'w> = Option<AtomicRef<'w, Values<T>>>;
    type Fetch = PoolFetch<T>;
    const HAS_LEAD: bool = true;

    fn state(needs: &mut Needs<'_>) -> Self::State {
        needs.read::<T>()
    }

    unsafe fn guard<'w>(
        state: Self::State,
        components: &'w ComponentManager,
        others: &ComponentMask,
    ) -> Self::Guard<'w> {
        own::<T>(state, components, others).map(Column::read)
    }

    unsafe fn fetch(state: Self::State, components: &ComponentManager, view: View) -> Self::Fetch {
        // SAFETY: nothing writes to the values, by the caller's promise.
        unsafe { PoolFetch::shared(state, components, view) }
    }

    pool_methods!();

    fn marks(_: &Self::Fetch) -> bool {
        false
    }

    unsafe fn mark(_: &Self::Fetch, _: EntityId, _: Location) {}

    #[inline]
    unsafe fn item<'q>(fetch: &Self::Fetch, entity: EntityId, location: Location) -> Option<&'q T> {
        // SAFETY: the caller's promise.
        unsafe { Some(fetch.find(entity, location)?.as_ref()) }
    }

    #[inline(always)]
    unsafe fn at_row<'q>(fetch: &Self::Fetch, row: usize, _: EntityId) -> &'q T {
        // SAFETY: the caller's promise.
        unsafe { fetch.at_row(row).as_ref() }
    }
}

// SAFETY: the guard is one for reading, and the items are shared references.
unsafe impl<T: Component> ReadOnlyData for &T {}

impl<'t, T: Component> QueryData for &'t mut T {
    type Item<'q> = &'q mut T;
    type ReadOnly = &'t T;
    type State = Option<ComponentId>;
    type Guard<'w> = Option<AtomicRefMut<'w, Values<T>>>;
    type Fetch = PoolFetch<T>;
    const HAS_LEAD: bool = true;
    // Large values, texts and lists are not vectorised, so four copies of their code gain nothing.
    const IN_FOURS: bool = size_of::<T>() > 2 * align_of::<T>() && size_of::<T>() < 64 && !std::mem::needs_drop::<T>();

    fn state(needs: &mut Needs<'_>) -> Self::State {
        needs.write::<T>()
    }

    unsafe fn guard<'w>(
        state: Self::State,
        components: &'w ComponentManager,
        others: &ComponentMask,
    ) -> Self::Guard<'w> {
        own::<T>(state, components, others).map(Column::write)
    }

    unsafe fn fetch(state: Self::State, components: &ComponentManager, view: View) -> Self::Fetch {
        // SAFETY: nothing else uses the values, by the caller's promise.
        unsafe { PoolFetch::exclusive(state, components, view) }
    }

    pool_methods!();

    #[inline]
    fn marks(fetch: &Self::Fetch) -> bool {
        fetch.is_tracked()
    }

    #[inline]
    unsafe fn mark(fetch: &Self::Fetch, entity: EntityId, _: Location) {
        // SAFETY: the caller's promise.
        unsafe { fetch.mark(entity) }
    }

    #[inline]
    unsafe fn item<'q>(fetch: &Self::Fetch, entity: EntityId, location: Location) -> Option<&'q mut T> {
        // SAFETY: borrow and exclusiveness are the caller's promise.
        unsafe { Some(fetch.find(entity, location)?.as_mut()) }
    }

    #[inline(always)]
    unsafe fn at_row<'q>(fetch: &Self::Fetch, row: usize, _: EntityId) -> &'q mut T {
        // SAFETY: borrow and exclusiveness are the caller's promise.
        unsafe { fetch.at_row(row).as_mut() }
    }
}

impl QueryData for EntityId {
    type Item<'q> = EntityId;
    type ReadOnly = Self;
    type State = ();
    type Guard<'w> = ();
    type Fetch = ();
    const HAS_LEAD: bool = false;

    fn state(_: &mut Needs<'_>) {}

    unsafe fn guard((): (), _: &ComponentManager, _: &ComponentMask) {}

    unsafe fn fetch((): (), _: &ComponentManager, _: View) {}

    #[inline]
    unsafe fn is_home((): &(), _: usize) -> bool {
        true
    }

    #[inline]
    fn sources((): &(), _: &mut impl FnMut(ExtrasSource)) {}

    #[inline]
    unsafe fn enter((): &mut (), _: usize) {}

    #[inline]
    fn marks((): &()) -> bool {
        false
    }

    unsafe fn mark((): &(), _: EntityId, _: Location) {}

    unsafe fn has((): &(), _: EntityId, _: Location) -> bool {
        true
    }

    #[inline]
    unsafe fn item<'q>((): &(), entity: EntityId, _: Location) -> Option<Self::Item<'q>> {
        Some(entity)
    }

    #[inline(always)]
    unsafe fn at_row<'q>((): &(), _: usize, entity: EntityId) -> Self::Item<'q> {
        entity
    }
}

// SAFETY: an id is a copy; nothing is borrowed.
unsafe impl ReadOnlyData for EntityId {}

/// The fetch of an optional part, and the kind that was entered.
#[derive(Clone, Copy)]
pub struct OptionalFetch<F> {
    part: F,
    kind: usize,
    presence: Presence,
}

/// Whether the entities of a kind have a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    All,
    None,
    /// Those with extras may.
    Some,
}

impl<D: QueryData> QueryData for Option<D> {
    type Item<'q> = Option<D::Item<'q>>;
    type ReadOnly = Option<D::ReadOnly>;
    type State = D::State;
    type Guard<'w> = D::Guard<'w>;
    type Fetch = OptionalFetch<D::Fetch>;
    const HAS_LEAD: bool = false;
    const TRACKS: bool = D::TRACKS;

    fn state(needs: &mut Needs<'_>) -> Self::State {
        needs.optional(D::state)
    }

    unsafe fn guard<'w>(
        state: Self::State,
        components: &'w ComponentManager,
        others: &ComponentMask,
    ) -> Self::Guard<'w> {
        // SAFETY: the caller's promise.
        unsafe { D::guard(state, components, others) }
    }

    unsafe fn fetch(state: Self::State, components: &ComponentManager, view: View) -> Self::Fetch {
        // SAFETY: the caller's promise.
        OptionalFetch { part: unsafe { D::fetch(state, components, view) }, kind: 0, presence: Presence::None }
    }

    #[inline]
    unsafe fn is_home(_: &Self::Fetch, _: usize) -> bool {
        true
    }

    #[inline]
    fn sources(_: &Self::Fetch, _: &mut impl FnMut(ExtrasSource)) {}

    #[inline]
    unsafe fn enter(fetch: &mut Self::Fetch, kind: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            D::enter(&mut fetch.part, kind);
            fetch.kind = kind;
            fetch.presence = Presence::All;
            if !D::is_home(&fetch.part, kind) {
                fetch.presence = Presence::Some;
                let presence = &mut fetch.presence;
                D::sources(&fetch.part, &mut |source| {
                    if source.len == 0 && !source.is_home(kind) {
                        *presence = Presence::None;
                    }
                });
            }
        }
    }

    #[inline]
    fn marks(fetch: &Self::Fetch) -> bool {
        D::marks(&fetch.part)
    }

    #[inline]
    unsafe fn mark(fetch: &Self::Fetch, entity: EntityId, location: Location) {
        // SAFETY: the caller's promise.
        unsafe {
            if D::has(&fetch.part, entity, location) {
                D::mark(&fetch.part, entity, location);
            }
        }
    }

    unsafe fn has(_: &Self::Fetch, _: EntityId, _: Location) -> bool {
        true
    }

    #[inline]
    unsafe fn item<'q>(fetch: &Self::Fetch, entity: EntityId, location: Location) -> Option<Self::Item<'q>> {
        // SAFETY: the caller's promise.
        Some(unsafe { D::item(&fetch.part, entity, location) })
    }

    #[inline(always)]
    unsafe fn at_row<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Self::Item<'q> {
        // SAFETY: the caller's promise.
        unsafe {
            match fetch.presence {
                Presence::All => Some(D::at_row(&fetch.part, row, entity)),
                Presence::None => None,
                Presence::Some => D::item(&fetch.part, entity, Location { kind: fetch.kind, row, has_extras: true }),
            }
        }
    }
}

// SAFETY: it does what `D` does, which only reads.
unsafe impl<D: ReadOnlyData> ReadOnlyData for Option<D> {}

/// Yields whether the entity has an enabled component of type `T`; a disabled one counts with
/// [`IncludeDisabled`](super::IncludeDisabled).
///
/// It does not restrict the matches and reads no values, so it conflicts with nothing.
///
/// # Example
/// ```
/// use ecs::prelude::*;
/// use ecs::query::Has;
///
/// struct Speed(f32);
/// struct Haste;
///
/// fn boost(mut runners: Query<(&mut Speed, Has<Haste>)>) {
///     runners.iter_mut().for_each(|(speed, is_hasty)| speed.0 *= if is_hasty { 2.0 } else { 1.0 });
/// }
///
/// let mut engine = Engine::new();
/// let (snail, hare) = (engine.spawn((Speed(1.0),)), engine.spawn((Speed(1.0), Haste)));
/// engine.run(boost)?;
/// assert_eq!(engine.get::<Speed>(snail).unwrap().0, 1.0);
/// assert_eq!(engine.get::<Speed>(hare).unwrap().0, 2.0);
/// # Ok::<(), ecs::Error>(())
/// ```
pub struct Has<T>(PhantomData<fn(T)>);

impl<T: Component> QueryData for Has<T> {
    type Item<'q> = bool;
    type ReadOnly = Self;
    type State = Option<ComponentId>;
    type Guard<'w> = ();
    type Fetch = PoolFetch<T>;
    const HAS_LEAD: bool = false;

    fn state(needs: &mut Needs<'_>) -> Self::State {
        needs.observe::<T>()
    }

    unsafe fn guard(_: Self::State, _: &ComponentManager, _: &ComponentMask) {}

    unsafe fn fetch(state: Self::State, components: &ComponentManager, view: View) -> Self::Fetch {
        PoolFetch::presence(state.and_then(|id| components.find(id)), view)
    }

    #[inline]
    unsafe fn is_home(_: &Self::Fetch, _: usize) -> bool {
        true
    }

    #[inline]
    fn sources(_: &Self::Fetch, _: &mut impl FnMut(ExtrasSource)) {}

    #[inline]
    unsafe fn enter(fetch: &mut Self::Fetch, kind: usize) {
        // SAFETY: the caller's promise.
        unsafe { fetch.enter(kind) }
    }

    #[inline]
    fn marks(_: &Self::Fetch) -> bool {
        false
    }

    unsafe fn mark(_: &Self::Fetch, _: EntityId, _: Location) {}

    unsafe fn has(_: &Self::Fetch, _: EntityId, _: Location) -> bool {
        true
    }

    #[inline]
    unsafe fn item<'q>(fetch: &Self::Fetch, entity: EntityId, location: Location) -> Option<Self::Item<'q>> {
        // SAFETY: the caller's promise.
        Some(unsafe { fetch.has(entity, location) })
    }

    #[inline(always)]
    unsafe fn at_row<'q>(fetch: &Self::Fetch, _: usize, entity: EntityId) -> Self::Item<'q> {
        // SAFETY: the caller's promise.
        fetch.is_home() || unsafe { fetch.extra(entity) }.is_some()
    }
}

// SAFETY: the item is a copy; nothing is borrowed.
unsafe impl<T: Component> ReadOnlyData for Has<T> {}

macro_rules! query_tuple {
    ($($name:ident $first:ident $second:ident $third:ident $fourth:ident),+) => {
        #[allow(non_snake_case)]
        impl<$($name: QueryData),+> QueryData for ($($name,)+) {
            type Item<'q> = ($($name::Item<'q>,)+);
            type ReadOnly = ($($name::ReadOnly,)+);
            type State = ($($name::State,)+);
            type Guard<'w> = ($($name::Guard<'w>,)+);
            type Fetch = ($($name::Fetch,)+);
            const HAS_LEAD: bool = $($name::HAS_LEAD)||+;
            const IN_FOURS: bool = $($name::IN_FOURS)||+;
            const TRACKS: bool = $($name::TRACKS)||+;

            fn state(needs: &mut Needs<'_>) -> Self::State {
                ($($name::state(needs),)+)
            }

            unsafe fn guard<'w>(
                ($($name,)+): Self::State,
                components: &'w ComponentManager,
                others: &ComponentMask,
            ) -> Self::Guard<'w> {
                // SAFETY: the caller's promise.
                unsafe { ($($name::guard($name, components, others),)+) }
            }

            unsafe fn fetch(($($name,)+): Self::State, components: &ComponentManager, view: View) -> Self::Fetch {
                // SAFETY: the caller's promise.
                unsafe { ($($name::fetch($name, components, view),)+) }
            }

            #[inline]
            unsafe fn is_home(($($name,)+): &Self::Fetch, kind: usize) -> bool {
                // SAFETY: the caller's promise.
                unsafe { $($name::is_home($name, kind))&&+ }
            }

            #[inline]
            fn sources(($($name,)+): &Self::Fetch, visit: &mut impl FnMut(ExtrasSource)) {
                $($name::sources($name, visit);)+
            }

            #[inline]
            unsafe fn enter(($($name,)+): &mut Self::Fetch, kind: usize) {
                // SAFETY: the caller's promise.
                unsafe { $($name::enter($name, kind);)+ }
            }

            #[inline]
            fn marks(($($name,)+): &Self::Fetch) -> bool {
                $($name::marks($name))||+
            }

            #[inline]
            unsafe fn mark(($($name,)+): &Self::Fetch, entity: EntityId, location: Location) {
                // SAFETY: the caller's promise.
                unsafe { $($name::mark($name, entity, location);)+ }
            }

            #[inline]
            unsafe fn has(($($name,)+): &Self::Fetch, entity: EntityId, location: Location) -> bool {
                // SAFETY: the caller's promise.
                unsafe { $($name::has($name, entity, location))&&+ }
            }

            #[inline]
            unsafe fn item<'q>(
                ($($name,)+): &Self::Fetch,
                entity: EntityId,
                location: Location,
            ) -> Option<Self::Item<'q>> {
                // SAFETY: the caller's promise; a query whose parts conflict does not exist.
                unsafe { Some(($($name::item($name, entity, location)?,)+)) }
            }

            #[inline(always)]
            unsafe fn at_row<'q>(($($name,)+): &Self::Fetch, row: usize, entity: EntityId) -> Self::Item<'q> {
                // SAFETY: as for `item`.
                unsafe { ($($name::at_row($name, row, entity),)+) }
            }

            #[inline]
            fn visit_four<'q, Y>(
                items: [Self::Item<'q>; 4],
                start: Y,
                visit: &mut impl FnMut(Y, Self::Item<'q>) -> Y,
            ) -> Y {
                // Each part is an argument of its own, because compilers assume nothing about references within a
                // tuple.
                #[inline]
                #[allow(clippy::too_many_arguments)]
                fn with_separate_args<$($name),+, Y>(
                    $($first: $name, $second: $name, $third: $name, $fourth: $name),+,
                    start: Y,
                    visit: &mut impl FnMut(Y, ($($name,)+)) -> Y,
                ) -> Y {
                    four(($($first,)+), ($($second,)+), ($($third,)+), ($($fourth,)+), start, visit)
                }
                let [($($first,)+), ($($second,)+), ($($third,)+), ($($fourth,)+)] = items;
                with_separate_args($($first, $second, $third, $fourth),+, start, visit)
            }
        }

        // SAFETY: it does what its parts do, which only read.
        unsafe impl<$($name: ReadOnlyData),+> ReadOnlyData for ($($name,)+) {}
    };
}

query_tuple!(A a1 a2 a3 a4);
query_tuple!(A a1 a2 a3 a4, B b1 b2 b3 b4);
query_tuple!(A a1 a2 a3 a4, B b1 b2 b3 b4, C c1 c2 c3 c4);
query_tuple!(A a1 a2 a3 a4, B b1 b2 b3 b4, C c1 c2 c3 c4, D d1 d2 d3 d4);
query_tuple!(A a1 a2 a3 a4, B b1 b2 b3 b4, C c1 c2 c3 c4, D d1 d2 d3 d4, E e1 e2 e3 e4);
query_tuple!(A a1 a2 a3 a4, B b1 b2 b3 b4, C c1 c2 c3 c4, D d1 d2 d3 d4, E e1 e2 e3 e4, F f1 f2 f3 f4);
query_tuple!(A a1 a2 a3 a4, B b1 b2 b3 b4, C c1 c2 c3 c4, D d1 d2 d3 d4, E e1 e2 e3 e4, F f1 f2 f3 f4, G g1 g2 g3 g4);
query_tuple!(A a1 a2 a3 a4, B b1 b2 b3 b4, C c1 c2 c3 c4, D d1 d2 d3 d4, E e1 e2 e3 e4, F f1 f2 f3 f4, G g1 g2 g3 g4, H h1 h2 h3 h4);
