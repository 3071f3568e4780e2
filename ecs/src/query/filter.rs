//! Filters of queries: conditions on the presence of components, which do not touch their values.
//!
//! The trait is unsafe inside: a fetch is used only while the query that made it borrows the world (see `fetch.rs`).
#![allow(unsafe_code)]

use std::marker::PhantomData;

use super::fetch::{LeadPool, PoolFetch, View};
use super::needs::Needs;
use super::query_data::shorter;
use crate::component::{Component, ComponentId, ComponentManager};
use crate::entity::EntityId;

/// Narrows a query: [`With`], [`Without`], [`Changed`](super::Changed), [`Added`](crate::Added), [`IncludeDisabled`], [`Or`], or a tuple of
/// up to eight filters, all of which must hold.
#[diagnostic::on_unimplemented(
    message = "a query cannot be filtered by `{Self}`",
    label = "filter by `With<T>`, `Without<T>`, `Changed<T>`, `Added<T>`, `IncludeDisabled`, `Or<(…)>` or a tuple of up to 8 of these"
)]
pub trait QueryFilter: Sized {
    #[doc(hidden)]
    type State: Copy + Send + Sync + 'static;
    #[doc(hidden)]
    type Fetch: Copy;
    #[doc(hidden)]
    const HAS_LEAD: bool = false;
    #[doc(hidden)]
    const INCLUDES_DISABLED: bool = false;
    /// Whether required and excluded components say all about the filter.
    #[doc(hidden)]
    const IS_MASK: bool = true;
    /// Whether the filter may reject entities that have all required components.
    #[doc(hidden)]
    const EXCLUDES: bool = false;
    /// Whether the filter sees changes.
    #[doc(hidden)]
    const TRACKS: bool = false;

    #[doc(hidden)]
    fn state(needs: &mut Needs<'_>) -> Self::State;
    #[doc(hidden)]
    fn fetch(state: Self::State, components: &ComponentManager, view: View<'_>) -> Self::Fetch;
    #[doc(hidden)]
    fn lead(fetch: &Self::Fetch) -> Option<LeadPool>;
    #[doc(hidden)]
    fn follow(fetch: &mut Self::Fetch, lead: LeadPool);
    /// Whether every row of the lead pool passes.
    #[doc(hidden)]
    fn passes_all(fetch: &Self::Fetch) -> bool;
    /// The sum of the change counters of the pools. While this sum is unchanged, the same rows pass, unless the filter
    /// [`TRACKS`](QueryFilter::TRACKS).
    #[doc(hidden)]
    fn changes(fetch: &Self::Fetch) -> u64;
    /// How many rows from `row` on surely pass, at most `left`. More may pass than are returned.
    ///
    /// # Safety
    /// As [`QueryFilter::matches`]; the lead pool has `row + left` rows, and `left` is not zero.
    #[doc(hidden)]
    unsafe fn pass(fetch: &Self::Fetch, lead: LeadPool, row: usize, left: usize) -> usize;
    /// # Safety
    /// The structure of the world has not changed since the fetch was made, the world still exists, and `row` is the
    /// entity's row in the lead pool.
    #[doc(hidden)]
    unsafe fn matches(fetch: &Self::Fetch, row: usize, entity: EntityId) -> bool;
}

/// Only entities that have an enabled component of type `T`.
pub struct With<T>(PhantomData<fn(T)>);

/// Only entities that have no enabled component of type `T`.
pub struct Without<T>(PhantomData<fn(T)>);

/// Disabled entities and disabled components too.
pub struct IncludeDisabled;

/// Only entities that pass at least one of up to eight filters: `Or<(With<A>, Without<B>)>`.
///
/// It requires nothing, so a query without another required component iterates over all entities. Parts may be tuples, all of whose
/// filters must hold. [`IncludeDisabled`] concerns the whole query and stands outside.
///
/// # Example
/// ```
/// use ecs::prelude::*;
/// use ecs::query::Or;
///
/// struct Health(u32);
/// struct Burning;
/// struct Poisoned;
///
/// let mut engine = Engine::new();
/// engine.spawn((Health(9),));
/// engine.spawn((Health(5), Burning));
/// engine.spawn((Health(2), Burning, Poisoned));
/// let suffering = engine.query_filtered::<&Health, Or<(With<Burning>, With<Poisoned>)>>();
/// assert_eq!(suffering.iter().map(|health| health.0).collect::<Vec<_>>(), [5, 2]);
/// ```
pub struct Or<F>(PhantomData<fn(F)>);

/// A filter borrows nothing: the index of a pool does not change while systems run.
fn presence<T: Component>(state: Option<ComponentId>, components: &ComponentManager, view: View<'_>) -> PoolFetch<T> {
    PoolFetch::presence(state.and_then(|id| Some((id, components.find(id)?))), view)
}

impl<T: Component> QueryFilter for With<T> {
    type State = Option<ComponentId>;
    type Fetch = PoolFetch<T>;
    const HAS_LEAD: bool = true;

    fn state(needs: &mut Needs<'_>) -> Self::State {
        needs.require::<T>()
    }

    fn fetch(state: Self::State, components: &ComponentManager, view: View<'_>) -> Self::Fetch {
        presence(state, components, view)
    }

    fn lead(fetch: &Self::Fetch) -> Option<LeadPool> {
        Some(fetch.lead())
    }

    fn follow(fetch: &mut Self::Fetch, lead: LeadPool) {
        fetch.follow(lead);
    }

    fn passes_all(fetch: &Self::Fetch) -> bool {
        fetch.is_packed()
    }

    fn changes(fetch: &Self::Fetch) -> u64 {
        fetch.changes()
    }

    #[inline]
    unsafe fn pass(fetch: &Self::Fetch, lead: LeadPool, row: usize, left: usize) -> usize {
        // SAFETY: the caller's promise.
        unsafe { fetch.aligned(lead, row, left, false) }.0
    }

    #[inline]
    unsafe fn matches(fetch: &Self::Fetch, row: usize, entity: EntityId) -> bool {
        // SAFETY: the caller's promise.
        unsafe { fetch.locate(row, entity) }.is_some()
    }
}

impl<T: Component> QueryFilter for Without<T> {
    type State = Option<ComponentId>;
    type Fetch = PoolFetch<T>;
    const EXCLUDES: bool = true;

    fn state(needs: &mut Needs<'_>) -> Self::State {
        needs.exclude::<T>()
    }

    fn fetch(state: Self::State, components: &ComponentManager, view: View<'_>) -> Self::Fetch {
        presence(state, components, view)
    }

    fn lead(_: &Self::Fetch) -> Option<LeadPool> {
        None
    }

    fn follow(_: &mut Self::Fetch, _: LeadPool) {}

    fn passes_all(fetch: &Self::Fetch) -> bool {
        fetch.is_empty()
    }

    fn changes(fetch: &Self::Fetch) -> u64 {
        fetch.changes()
    }

    #[inline]
    unsafe fn pass(fetch: &Self::Fetch, lead: LeadPool, row: usize, left: usize) -> usize {
        if fetch.is_empty() {
            return left;
        }
        // SAFETY: the caller's promise.
        let passes = |row: &usize| unsafe { Self::matches(fetch, *row, lead.owner_at(*row)) };
        (row..row + left).take_while(passes).count()
    }

    #[inline]
    unsafe fn matches(fetch: &Self::Fetch, row: usize, entity: EntityId) -> bool {
        // SAFETY: the caller's promise; the fetch is bound to no iteration, so the row is not used.
        unsafe { fetch.locate(row, entity) }.is_none()
    }
}

impl QueryFilter for IncludeDisabled {
    type State = ();
    type Fetch = ();
    const INCLUDES_DISABLED: bool = true;

    fn state(_: &mut Needs<'_>) {}

    fn fetch((): (), _: &ComponentManager, _: View<'_>) {}

    fn lead((): &()) -> Option<LeadPool> {
        None
    }

    fn follow((): &mut (), _: LeadPool) {}

    fn passes_all((): &()) -> bool {
        true
    }

    fn changes((): &()) -> u64 {
        0
    }

    #[inline]
    unsafe fn pass((): &(), _: LeadPool, _: usize, left: usize) -> usize {
        left
    }

    #[inline]
    unsafe fn matches((): &(), _: usize, _: EntityId) -> bool {
        true
    }
}

macro_rules! filter_tuple {
    ($($name:ident),*) => {
        #[allow(non_snake_case, unused_variables, unused_mut, clippy::unused_unit)]
        impl<$($name: QueryFilter),*> QueryFilter for ($($name,)*) {
            type State = ($($name::State,)*);
            type Fetch = ($($name::Fetch,)*);
            const HAS_LEAD: bool = false $(|| $name::HAS_LEAD)*;
            const INCLUDES_DISABLED: bool = false $(|| $name::INCLUDES_DISABLED)*;
            const EXCLUDES: bool = false $(|| $name::EXCLUDES)*;
            const TRACKS: bool = false $(|| $name::TRACKS)*;
            const IS_MASK: bool = true $(&& $name::IS_MASK)*;

            fn state(needs: &mut Needs<'_>) -> Self::State {
                ($($name::state(needs),)*)
            }

            fn fetch(($($name,)*): Self::State, components: &ComponentManager, view: View<'_>) -> Self::Fetch {
                ($($name::fetch($name, components, view),)*)
            }

            fn lead(($($name,)*): &Self::Fetch) -> Option<LeadPool> {
                let mut shortest = None;
                $(shortest = shorter(shortest, $name::lead($name));)*
                shortest
            }

            fn follow(($($name,)*): &mut Self::Fetch, lead: LeadPool) {
                $($name::follow($name, lead);)*
            }

            fn passes_all(($($name,)*): &Self::Fetch) -> bool {
                true $(&& $name::passes_all($name))*
            }

            fn changes(($($name,)*): &Self::Fetch) -> u64 {
                0 $(+ $name::changes($name))*
            }

            #[inline]
            unsafe fn pass(($($name,)*): &Self::Fetch, lead: LeadPool, row: usize, left: usize) -> usize {
                $(
                    // SAFETY: the caller's promise, for as many rows or fewer.
                    let left = unsafe { $name::pass($name, lead, row, left) };
                    if left == 0 {
                        return 0;
                    }
                )*
                left
            }

            #[inline]
            unsafe fn matches(($($name,)*): &Self::Fetch, row: usize, entity: EntityId) -> bool {
                // SAFETY: the caller's promise.
                true $(&& unsafe { $name::matches($name, row, entity) })*
            }
        }
    };
}

macro_rules! or_filter {
    ($($name:ident),+) => {
        #[allow(non_snake_case)]
        impl<$($name: QueryFilter),+> QueryFilter for Or<($($name,)+)> {
            type State = ($($name::State,)+);
            type Fetch = ($($name::Fetch,)+);
            const EXCLUDES: bool = true;
            const IS_MASK: bool = false;
            const TRACKS: bool = $($name::TRACKS)||+;

            fn state(needs: &mut Needs<'_>) -> Self::State {
                const { assert!(!($($name::INCLUDES_DISABLED)||+), "`IncludeDisabled` must stand outside of `Or`") };
                let mut cases = Vec::new();
                let states = ($(needs.case(&mut cases, $name::state),)+);
                needs.either(&cases);
                states
            }

            fn fetch(($($name,)+): Self::State, components: &ComponentManager, view: View<'_>) -> Self::Fetch {
                ($($name::fetch($name, components, view),)+)
            }

            fn lead(_: &Self::Fetch) -> Option<LeadPool> {
                None
            }

            fn follow(($($name,)+): &mut Self::Fetch, lead: LeadPool) {
                $($name::follow($name, lead);)+
            }

            fn passes_all(($($name,)+): &Self::Fetch) -> bool {
                $($name::passes_all($name))||+
            }

            fn changes(($($name,)+): &Self::Fetch) -> u64 {
                0 $(+ $name::changes($name))+
            }

            #[inline]
            unsafe fn pass(($($name,)+): &Self::Fetch, lead: LeadPool, row: usize, left: usize) -> usize {
                let most = 0;
                $(
                    // SAFETY: the caller's promise.
                    let most = if most < left { most.max(unsafe { $name::pass($name, lead, row, left) }) } else { most };
                )+
                most
            }

            #[inline]
            unsafe fn matches(($($name,)+): &Self::Fetch, row: usize, entity: EntityId) -> bool {
                // SAFETY: the caller's promise.
                unsafe { $($name::matches($name, row, entity))||+ }
            }
        }
    };
}

or_filter!(A);
or_filter!(A, B);
or_filter!(A, B, C);
or_filter!(A, B, C, D);
or_filter!(A, B, C, D, E);
or_filter!(A, B, C, D, E, F);
or_filter!(A, B, C, D, E, F, G);
or_filter!(A, B, C, D, E, F, G, H);

filter_tuple!();
filter_tuple!(A);
filter_tuple!(A, B);
filter_tuple!(A, B, C);
filter_tuple!(A, B, C, D);
filter_tuple!(A, B, C, D, E);
filter_tuple!(A, B, C, D, E, F);
filter_tuple!(A, B, C, D, E, F, G);
filter_tuple!(A, B, C, D, E, F, G, H);
