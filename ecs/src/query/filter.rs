//! Filters of queries: conditions on the presence of components, which do not touch their values.
//!
//! The trait is unsafe inside: a fetch is used only while the query that made it borrows the world (see `fetch.rs`).
#![allow(unsafe_code)]

use std::marker::PhantomData;

use super::fetch::{ExtrasSource, PoolFetch, View};
use super::needs::Needs;
use crate::component::{Component, ComponentId, ComponentManager};
use crate::entity::{EntityId, Location};

/// Narrows a query: [`With`], [`Without`], [`Changed`](super::Changed), [`Added`](crate::Added), [`IncludeDisabled`],
/// [`Or`], or a tuple of up to eight filters, all of which must hold.
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
    /// Whether the filter sees changes.
    #[doc(hidden)]
    const TRACKS: bool = false;

    #[doc(hidden)]
    fn state(needs: &mut Needs<'_>) -> Self::State;
    #[doc(hidden)]
    fn fetch(state: Self::State, components: &ComponentManager, view: View) -> Self::Fetch;
    /// As [`QueryData::is_home`](super::QueryData::is_home).
    ///
    /// # Safety
    /// The structure of the world has not changed since the fetch was made, and the world still exists.
    #[doc(hidden)]
    unsafe fn is_home(fetch: &Self::Fetch, kind: usize) -> bool;
    /// As [`QueryData::sources`](super::QueryData::sources).
    #[doc(hidden)]
    fn sources(fetch: &Self::Fetch, visit: &mut impl FnMut(ExtrasSource));
    /// Prepares the fetch for the rows of a kind, and tells which of its entities pass.
    ///
    /// # Safety
    /// As [`QueryFilter::is_home`].
    #[doc(hidden)]
    unsafe fn enter(fetch: &mut Self::Fetch, kind: usize) -> Passes;
    /// Whether an entity of the kind that was entered passes, if only some do.
    ///
    /// # Safety
    /// As [`QueryFilter::is_home`]; the query sees the entity.
    #[doc(hidden)]
    unsafe fn passes(fetch: &Self::Fetch, entity: EntityId) -> bool;
    /// Whether an entity passes, which is at this location.
    ///
    /// # Safety
    /// As [`QueryFilter::passes`].
    #[doc(hidden)]
    unsafe fn matches(fetch: &Self::Fetch, entity: EntityId, location: Location) -> bool;
}

/// Which entities of a kind pass a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passes {
    /// All of them.
    All,
    /// None.
    None,
    /// Each must be asked.
    Some,
}

impl Passes {
    /// Both of two.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, _) | (_, Self::None) => Self::None,
            (Self::All, passes) | (passes, Self::All) => passes,
            _ => Self::Some,
        }
    }

    /// At least one of two.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::All, _) | (_, Self::All) => Self::All,
            (Self::None, passes) | (passes, Self::None) => passes,
            _ => Self::Some,
        }
    }

    /// Whether an entity passes; `ask` is called if only some do.
    #[inline]
    fn or_ask(self, ask: impl FnOnce() -> bool) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Some => ask(),
        }
    }
}

/// Only entities that have an enabled component of type `T`.
pub struct With<T>(PhantomData<fn(T)>);

/// Only entities that have no enabled component of type `T`.
pub struct Without<T>(PhantomData<fn(T)>);

/// Disabled entities and disabled components too.
pub struct IncludeDisabled;

/// Only entities that pass at least one of up to eight filters: `Or<(With<A>, Without<B>)>`.
///
/// It requires nothing, so a query without another required component iterates over all entities. Parts may be tuples,
/// all of whose filters must hold. [`IncludeDisabled`] concerns the whole query and stands outside.
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
fn presence<T: Component>(state: Option<ComponentId>, components: &ComponentManager, view: View) -> PoolFetch<T> {
    PoolFetch::presence(state.and_then(|id| components.find(id)), view)
}

impl<T: Component> QueryFilter for With<T> {
    type State = Option<ComponentId>;
    type Fetch = PoolFetch<T>;
    const HAS_LEAD: bool = true;

    fn state(needs: &mut Needs<'_>) -> Self::State {
        needs.require::<T>()
    }

    fn fetch(state: Self::State, components: &ComponentManager, view: View) -> Self::Fetch {
        presence(state, components, view)
    }

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
    unsafe fn enter(fetch: &mut Self::Fetch, kind: usize) -> Passes {
        // SAFETY: the caller's promise.
        unsafe { fetch.enter(kind) };
        match (fetch.is_home(), fetch.source().len) {
            (true, _) => Passes::All,
            (false, 0) => Passes::None,
            (false, _) => Passes::Some,
        }
    }

    #[inline]
    unsafe fn passes(fetch: &Self::Fetch, entity: EntityId) -> bool {
        // SAFETY: the caller's promise.
        unsafe { fetch.extra(entity) }.is_some()
    }

    #[inline]
    unsafe fn matches(fetch: &Self::Fetch, entity: EntityId, location: Location) -> bool {
        // SAFETY: the caller's promise.
        unsafe { fetch.has(entity, location) }
    }
}

impl<T: Component> QueryFilter for Without<T> {
    type State = Option<ComponentId>;
    type Fetch = PoolFetch<T>;

    fn state(needs: &mut Needs<'_>) -> Self::State {
        needs.exclude::<T>()
    }

    fn fetch(state: Self::State, components: &ComponentManager, view: View) -> Self::Fetch {
        presence(state, components, view)
    }

    #[inline]
    unsafe fn is_home(_: &Self::Fetch, _: usize) -> bool {
        true
    }

    #[inline]
    fn sources(_: &Self::Fetch, _: &mut impl FnMut(ExtrasSource)) {}

    #[inline]
    unsafe fn enter(fetch: &mut Self::Fetch, kind: usize) -> Passes {
        // SAFETY: the caller's promise.
        unsafe { fetch.enter(kind) };
        match (fetch.is_home(), fetch.source().len) {
            (true, _) => Passes::None,
            (false, 0) => Passes::All,
            (false, _) => Passes::Some,
        }
    }

    #[inline]
    unsafe fn passes(fetch: &Self::Fetch, entity: EntityId) -> bool {
        // SAFETY: the caller's promise.
        unsafe { fetch.extra(entity) }.is_none()
    }

    #[inline]
    unsafe fn matches(fetch: &Self::Fetch, entity: EntityId, location: Location) -> bool {
        // SAFETY: the caller's promise.
        !unsafe { fetch.has(entity, location) }
    }
}

impl QueryFilter for IncludeDisabled {
    type State = ();
    type Fetch = ();
    const INCLUDES_DISABLED: bool = true;

    fn state(_: &mut Needs<'_>) {}

    fn fetch((): (), _: &ComponentManager, _: View) {}

    #[inline]
    unsafe fn is_home((): &(), _: usize) -> bool {
        true
    }

    #[inline]
    fn sources((): &(), _: &mut impl FnMut(ExtrasSource)) {}

    #[inline]
    unsafe fn enter((): &mut (), _: usize) -> Passes {
        Passes::All
    }

    #[inline]
    unsafe fn passes((): &(), _: EntityId) -> bool {
        true
    }

    #[inline]
    unsafe fn matches((): &(), _: EntityId, _: Location) -> bool {
        true
    }
}

macro_rules! filter_tuple {
    ($($name:ident),*) => {
        #[allow(non_snake_case, unused_variables, unused_mut, clippy::unused_unit)]
        impl<$($name: QueryFilter),*> QueryFilter for ($($name,)*) {
            type State = ($($name::State,)*);
            type Fetch = ($(($name::Fetch, Passes),)*);
            const HAS_LEAD: bool = false $(|| $name::HAS_LEAD)*;
            const INCLUDES_DISABLED: bool = false $(|| $name::INCLUDES_DISABLED)*;
            const TRACKS: bool = false $(|| $name::TRACKS)*;
            const IS_MASK: bool = true $(&& $name::IS_MASK)*;

            fn state(needs: &mut Needs<'_>) -> Self::State {
                ($($name::state(needs),)*)
            }

            fn fetch(($($name,)*): Self::State, components: &ComponentManager, view: View) -> Self::Fetch {
                ($(($name::fetch($name, components, view), Passes::None),)*)
            }

            #[inline]
            unsafe fn is_home(($($name,)*): &Self::Fetch, kind: usize) -> bool {
                // SAFETY: the caller's promise.
                true $(&& unsafe { $name::is_home(&$name.0, kind) })*
            }

            #[inline]
            fn sources(($($name,)*): &Self::Fetch, visit: &mut impl FnMut(ExtrasSource)) {
                $($name::sources(&$name.0, visit);)*
            }

            #[inline]
            unsafe fn enter(($($name,)*): &mut Self::Fetch, kind: usize) -> Passes {
                let all = Passes::All;
                $(
                    // SAFETY: the caller's promise.
                    $name.1 = unsafe { $name::enter(&mut $name.0, kind) };
                    let all = all.and($name.1);
                )*
                all
            }

            #[inline]
            unsafe fn passes(($($name,)*): &Self::Fetch, entity: EntityId) -> bool {
                // SAFETY: the caller's promise.
                true $(&& $name.1.or_ask(|| unsafe { $name::passes(&$name.0, entity) }))*
            }

            #[inline]
            unsafe fn matches(($($name,)*): &Self::Fetch, entity: EntityId, location: Location) -> bool {
                // SAFETY: the caller's promise.
                true $(&& unsafe { $name::matches(&$name.0, entity, location) })*
            }
        }
    };
}

macro_rules! or_filter {
    ($($name:ident),+) => {
        #[allow(non_snake_case)]
        impl<$($name: QueryFilter),+> QueryFilter for Or<($($name,)+)> {
            type State = ($($name::State,)+);
            type Fetch = ($(($name::Fetch, Passes),)+);
                    const IS_MASK: bool = false;
            const TRACKS: bool = $($name::TRACKS)||+;

            fn state(needs: &mut Needs<'_>) -> Self::State {
                const { assert!(!($($name::INCLUDES_DISABLED)||+), "`IncludeDisabled` must stand outside of `Or`") };
                let mut cases = Vec::new();
                let states = ($(needs.case(&mut cases, $name::state),)+);
                needs.either(&cases);
                states
            }

            fn fetch(($($name,)+): Self::State, components: &ComponentManager, view: View) -> Self::Fetch {
                ($(($name::fetch($name, components, view), Passes::None),)+)
            }

            #[inline]
            unsafe fn is_home(_: &Self::Fetch, _: usize) -> bool {
                true
            }

            #[inline]
            fn sources(_: &Self::Fetch, _: &mut impl FnMut(ExtrasSource)) {}

            #[inline]
            unsafe fn enter(($($name,)+): &mut Self::Fetch, kind: usize) -> Passes {
                let any = Passes::None;
                $(
                    // SAFETY: the caller's promise.
                    $name.1 = unsafe { $name::enter(&mut $name.0, kind) };
                    let any = any.or($name.1);
                )+
                any
            }

            #[inline]
            unsafe fn passes(($($name,)+): &Self::Fetch, entity: EntityId) -> bool {
                // SAFETY: the caller's promise.
                $($name.1.or_ask(|| unsafe { $name::passes(&$name.0, entity) }))||+
            }

            #[inline]
            unsafe fn matches(($($name,)+): &Self::Fetch, entity: EntityId, location: Location) -> bool {
                // SAFETY: the caller's promise.
                unsafe { $($name::matches(&$name.0, entity, location))||+ }
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
