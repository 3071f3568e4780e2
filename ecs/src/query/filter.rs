//! What a query can be narrowed by, without reading or writing the component.
//!
//! The trait is unsafe inside: a fetch is used only while the query that made it borrows the world (see `fetch.rs`).
#![allow(unsafe_code)]

use std::marker::PhantomData;

use super::data::shorter;
use super::fetch::{Driver, PoolFetch};
use crate::component::{Component, ComponentId, ComponentManager, Pool};
use crate::entity::EntityId;
use crate::world::World;

/// Narrows a query: [`With`], [`Without`], [`IncludeDisabled`], or a tuple of up to eight filters, all of which must hold.
#[diagnostic::on_unimplemented(
    message = "a query can not be filtered by `{Self}`",
    label = "filter by `With<T>`, `Without<T>`, `IncludeDisabled` or a tuple of up to 8 of these"
)]
pub trait QueryFilter: Sized {
    #[doc(hidden)]
    type State: Copy + Send + Sync + 'static;
    #[doc(hidden)]
    type Fetch: Copy;
    #[doc(hidden)]
    const HAS_DRIVER: bool = false;
    #[doc(hidden)]
    const INCLUDES_DISABLED: bool = false;

    #[doc(hidden)]
    fn prepare(world: &mut World) -> Self::State;
    #[doc(hidden)]
    fn find_state(components: &ComponentManager) -> Self::State;
    #[doc(hidden)]
    fn fetch(state: Self::State, world: &World, with_disabled: bool) -> Self::Fetch;
    #[doc(hidden)]
    fn driver(fetch: &Self::Fetch) -> Option<Driver>;
    /// # Safety
    /// The structure of the world has not changed since the fetch was made, and the world still exists.
    #[doc(hidden)]
    unsafe fn matches(fetch: &Self::Fetch, entity: EntityId) -> bool;
}

/// Only entities that have an enabled component of type `T`.
pub struct With<T>(PhantomData<fn(T)>);

/// Only entities that have no enabled component of type `T`.
pub struct Without<T>(PhantomData<fn(T)>);

/// Disabled entities and disabled components too.
pub struct IncludeDisabled;

/// The index of a pool is fixed while systems run, so a filter conflicts with nobody.
fn presence<T: Component>(state: Option<ComponentId>, world: &World, with_disabled: bool) -> PoolFetch<T> {
    let pool: Option<&Pool<T>> = state.and_then(|id| world.components.find(id));
    PoolFetch::presence(pool, with_disabled)
}

impl<T: Component> QueryFilter for With<T> {
    type State = Option<ComponentId>;
    type Fetch = PoolFetch<T>;
    const HAS_DRIVER: bool = true;

    fn prepare(world: &mut World) -> Self::State {
        Some(world.components.register::<T>())
    }

    fn find_state(components: &ComponentManager) -> Self::State {
        components.id_of::<T>()
    }

    fn fetch(state: Self::State, world: &World, with_disabled: bool) -> Self::Fetch {
        presence(state, world, with_disabled)
    }

    fn driver(fetch: &Self::Fetch) -> Option<Driver> {
        Some(fetch.driver())
    }

    #[inline]
    unsafe fn matches(fetch: &Self::Fetch, entity: EntityId) -> bool {
        // SAFETY: the caller's promise.
        unsafe { fetch.locate(0, entity) }.is_some()
    }
}

impl<T: Component> QueryFilter for Without<T> {
    type State = Option<ComponentId>;
    type Fetch = PoolFetch<T>;

    fn prepare(world: &mut World) -> Self::State {
        Some(world.components.register::<T>())
    }

    fn find_state(components: &ComponentManager) -> Self::State {
        components.id_of::<T>()
    }

    fn fetch(state: Self::State, world: &World, with_disabled: bool) -> Self::Fetch {
        presence(state, world, with_disabled)
    }

    fn driver(_: &Self::Fetch) -> Option<Driver> {
        None
    }

    #[inline]
    unsafe fn matches(fetch: &Self::Fetch, entity: EntityId) -> bool {
        // SAFETY: the caller's promise.
        unsafe { fetch.locate(0, entity) }.is_none()
    }
}

impl QueryFilter for IncludeDisabled {
    type State = ();
    type Fetch = ();
    const INCLUDES_DISABLED: bool = true;

    fn prepare(_: &mut World) {}

    fn find_state(_: &ComponentManager) {}

    fn fetch((): (), _: &World, _: bool) {}

    fn driver((): &()) -> Option<Driver> {
        None
    }

    #[inline]
    unsafe fn matches((): &(), _: EntityId) -> bool {
        true
    }
}

macro_rules! filter_tuple {
    ($($name:ident),*) => {
        #[allow(non_snake_case, unused_variables, unused_mut, clippy::unused_unit)]
        impl<$($name: QueryFilter),*> QueryFilter for ($($name,)*) {
            type State = ($($name::State,)*);
            type Fetch = ($($name::Fetch,)*);
            const HAS_DRIVER: bool = false $(|| $name::HAS_DRIVER)*;
            const INCLUDES_DISABLED: bool = false $(|| $name::INCLUDES_DISABLED)*;

            fn prepare(world: &mut World) -> Self::State {
                ($($name::prepare(world),)*)
            }

            fn find_state(components: &ComponentManager) -> Self::State {
                ($($name::find_state(components),)*)
            }

            fn fetch(($($name,)*): Self::State, world: &World, with_disabled: bool) -> Self::Fetch {
                ($($name::fetch($name, world, with_disabled),)*)
            }

            fn driver(($($name,)*): &Self::Fetch) -> Option<Driver> {
                let mut shortest = None;
                $(shortest = shorter(shortest, $name::driver($name));)*
                shortest
            }

            #[inline]
            unsafe fn matches(($($name,)*): &Self::Fetch, entity: EntityId) -> bool {
                // SAFETY: the caller's promise.
                true $(&& unsafe { $name::matches($name, entity) })*
            }
        }
    };
}

filter_tuple!();
filter_tuple!(A);
filter_tuple!(A, B);
filter_tuple!(A, B, C);
filter_tuple!(A, B, C, D);
filter_tuple!(A, B, C, D, E);
filter_tuple!(A, B, C, D, E, F);
filter_tuple!(A, B, C, D, E, F, G);
filter_tuple!(A, B, C, D, E, F, G, H);
