//! Change detection: the filters [`Changed`] and [`Added`], and the query data [`Mut`] and [`Ref`].
//!
//! Soundness: as in `query_data.rs` and `filter.rs`. Ticks are atomic numbers, so they may be read while others are
//! written; the pointers to them are valid as long as the fetch (the first invariant of `fetch.rs`).
#![allow(unsafe_code)]

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};

use atomic_refcell::{AtomicRef, AtomicRefMut};

use super::fetch::{ExtrasSource, TrackedFetch, View};
use super::filter::{Passes, QueryFilter};
use super::needs::Needs;
use super::query_data::{QueryData, ReadOnlyData, own};
use crate::component::{Column, Component, ComponentId, ComponentManager, ComponentMask, Values};
use crate::entity::{EntityId, Location};
use crate::event::Added;

/// Only entities whose component of type `T` was inserted, replaced or written since this method of the system last
/// ran.
///
/// - A method sees what others wrote after its last run, earlier in the same frame, too. It does not see what it wrote
///   itself. Its first run sees everything. Each call of a listener is a run.
/// - Outside of systems, and in an exclusive method, changes since the begin of the last frame count.
/// - Writing means mutable access: `&mut T` in a query counts for each component that the query hands out, and so do
///   `slices_mut`, [`World::get_mut`](crate::World::get_mut) and
///   [`PoolMut::get_mut`](crate::component::PoolMut::get_mut). [`Mut`] counts only what is written.
/// - Enabling and disabling are no changes. What is added or written while a component or its entity is disabled counts
///   as added or changed once it is enabled, as does what happened in the frame in which it was disabled.
/// - No filter sees removed components: listen to [`Removed`](crate::Removed).
///
/// Changes of `T` are tracked from the first query on that names `Changed<T>`, [`Added<T>`](crate::Added),
/// [`Mut<T>`](super::Mut) or [`Ref<T>`](super::Ref): all components of that time count as added then. Tracking takes 16
/// bytes for each entity index. A read-only query of [`World::read_filtered`](crate::World::read_filtered) cannot begin
/// it; there, every component counts as changed until another query has. A mask query and a [run
/// condition](crate::Setup::run_if) cannot ask for changes.
///
/// # Example
/// ```
/// use ecs::prelude::*;
///
/// struct Health(u32);
///
/// #[derive(Default)]
/// struct HealthBars { redrawn: Vec<EntityId> }
///
/// impl System for HealthBars {
///     fn setup(setup: &mut Setup<Self>) {
///         setup.update(Self::redraw);
///     }
/// }
///
/// impl HealthBars {
///     fn redraw(&mut self, changed: Query<EntityId, Changed<Health>>) {
///         self.redrawn = changed.iter().collect();
///     }
/// }
///
/// let mut engine = Engine::new();
/// engine.add(HealthBars::default())?;
/// let (elf, orc) = (engine.spawn((Health(10),)), engine.spawn((Health(20),)));
/// engine.update(std::time::Duration::ZERO)?;
/// assert_eq!(engine.system::<HealthBars>().unwrap().redrawn, [elf, orc]);
/// engine.get_mut::<Health>(orc).unwrap().0 -= 5;
/// engine.update(std::time::Duration::ZERO)?;
/// assert_eq!(engine.system::<HealthBars>().unwrap().redrawn, [orc]);
/// # Ok::<(), ecs::Error>(())
/// ```
pub struct Changed<T>(PhantomData<fn(T)>);

macro_rules! tick_filter {
    ($filter:ident, $is_since:ident) => {
        impl<T: Component> QueryFilter for $filter<T> {
            type State = Option<ComponentId>;
            type Fetch = TrackedFetch<T>;
            const HAS_LEAD: bool = true;
            const TRACKS: bool = true;
            const IS_MASK: bool = false;

            fn state(needs: &mut Needs<'_>) -> Self::State {
                needs.require_tracked::<T>()
            }

            fn fetch(state: Self::State, components: &ComponentManager, view: View) -> Self::Fetch {
                TrackedFetch::presence(state.and_then(|id| components.find(id)), view)
            }

            #[inline]
            unsafe fn is_home(fetch: &Self::Fetch, kind: usize) -> bool {
                // SAFETY: the caller's promise.
                unsafe { fetch.pool.is_home_in(kind) }
            }

            #[inline]
            fn sources(fetch: &Self::Fetch, visit: &mut impl FnMut(ExtrasSource)) {
                visit(fetch.pool.source());
            }

            #[inline]
            unsafe fn enter(fetch: &mut Self::Fetch, kind: usize) -> Passes {
                // SAFETY: the caller's promise.
                unsafe { fetch.pool.enter(kind) };
                if fetch.pool.is_home() || fetch.pool.source().len > 0 { Passes::Some } else { Passes::None }
            }

            #[inline]
            unsafe fn passes(fetch: &Self::Fetch, entity: EntityId) -> bool {
                // SAFETY: the caller's promise.
                unsafe { (fetch.pool.is_home() || fetch.pool.extra(entity).is_some()) && fetch.$is_since(entity) }
            }

            #[inline]
            unsafe fn matches(fetch: &Self::Fetch, entity: EntityId, location: Location) -> bool {
                // SAFETY: the caller's promise.
                unsafe { fetch.pool.has(entity, location) && fetch.$is_since(entity) }
            }
        }
    };
}

tick_filter!(Changed, is_changed);
tick_filter!(Added, is_added);

/// A component for reading that knows whether it changed; see [`Changed`]. `Query<Ref<T>>` yields it, and
/// [`Query::iter`](super::Query::iter) over [`Mut<T>`](Mut).
///
/// # Example
/// ```
/// use ecs::prelude::*;
///
/// struct Fuel(u32);
///
/// let mut engine = Engine::new();
/// let car = engine.spawn((Fuel(3),));
/// engine.query::<Ref<Fuel>>(); // tracks changes from now on
/// engine.update(std::time::Duration::ZERO)?;
/// let is_changed = |engine: &mut Engine| engine.query::<Ref<Fuel>>().get(car).unwrap().is_changed();
/// assert!(!is_changed(&mut engine));
/// engine.get_mut::<Fuel>(car).unwrap().0 = 2;
/// assert!(is_changed(&mut engine));
/// assert!(!engine.query::<Ref<Fuel>>().get(car).unwrap().is_added());
/// # Ok::<(), ecs::Error>(())
/// ```
pub struct Ref<'q, T> {
    value: &'q T,
    is_added: bool,
    is_changed: bool,
}

impl<T> Ref<'_, T> {
    /// Whether it was inserted since the last run, as [`Added`] filters it.
    ///
    /// # Example
    /// See [`Ref`].
    #[must_use]
    pub fn is_added(&self) -> bool {
        self.is_added
    }

    /// Whether it was inserted, replaced or written since the last run, as [`Changed`] filters it.
    ///
    /// # Example
    /// See [`Ref`].
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }
}

impl<T> Deref for Ref<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Ref<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// A component for writing that counts as changed only if it is written; see [`Changed`]. `Query<Mut<T>>` yields it.
///
/// With `&mut T`, each component that a query hands out counts as changed. That costs least where most are written.
/// `Mut<T>` is for systems that look at many components and write to few.
///
/// # Example
/// ```
/// use ecs::prelude::*;
///
/// struct Fuel(u32);
///
/// let mut engine = Engine::new();
/// let (empty, full) = (engine.spawn((Fuel(0),)), engine.spawn((Fuel(9),)));
/// engine.query::<Mut<Fuel>>(); // tracks changes from now on
/// engine.update(std::time::Duration::ZERO)?;
/// for mut fuel in &mut engine.query::<Mut<Fuel>>() {
///     if fuel.0 == 0 {
///         fuel.0 = 9;
///     }
/// }
/// let filled: Vec<EntityId> = engine.query_filtered::<EntityId, Changed<Fuel>>().iter().collect();
/// assert_eq!(filled, [empty]);
/// # _ = full;
/// # Ok::<(), ecs::Error>(())
/// ```
pub struct Mut<'q, T> {
    value: &'q mut T,
    changed: Option<&'q AtomicU64>,
    now: u64,
    is_added: bool,
    is_changed: bool,
}

impl<T> Mut<'_, T> {
    /// Whether it was inserted since the last run, as [`Added`] filters it.
    ///
    /// # Example
    /// See [`Ref`].
    #[must_use]
    pub fn is_added(&self) -> bool {
        self.is_added
    }

    /// Whether it was inserted, replaced or written since the last run, as [`Changed`] filters it, or is written here.
    ///
    /// # Example
    /// See [`Ref`].
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// The component for writing; it does not count as changed.
    ///
    /// # Example
    /// See [`Mut::set_if_neq`].
    pub fn bypass_change_detection(&mut self) -> &mut T {
        self.value
    }

    /// Writes `value` if it differs from the component; returns whether it does.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// let clock = engine.spawn((7_u32,));
    /// let mut clocks = engine.query::<Mut<u32>>();
    /// let mut hour = clocks.get_mut(clock).unwrap();
    /// assert!(!hour.set_if_neq(7)); // counts as no change
    /// *hour.bypass_change_detection() = 8; // nor does this
    /// assert!(hour.set_if_neq(9));
    /// ```
    pub fn set_if_neq(&mut self, value: T) -> bool
    where
        T: PartialEq,
    {
        let differs = *self.value != value;
        if differs {
            **self = value;
        }
        differs
    }
}

impl<T> Deref for Mut<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> DerefMut for Mut<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.is_changed = true;
        if let Some(changed) = self.changed {
            changed.store(self.now, Ordering::Relaxed);
        }
        self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Mut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// What `Ref<T>` and `Mut<T>` have in common.
macro_rules! tracked_methods {
    ($as_ref:ident) => {
        type State = Option<ComponentId>;
        type Fetch = TrackedFetch<T>;
        const HAS_LEAD: bool = true;
        const TRACKS: bool = true;

        #[inline]
        unsafe fn is_home(fetch: &Self::Fetch, kind: usize) -> bool {
            // SAFETY: the caller's promise.
            unsafe { fetch.pool.is_home_in(kind) }
        }

        #[inline]
        fn sources(fetch: &Self::Fetch, visit: &mut impl FnMut(ExtrasSource)) {
            visit(fetch.pool.source());
        }

        #[inline]
        unsafe fn enter(fetch: &mut Self::Fetch, kind: usize) {
            // SAFETY: the caller's promise.
            unsafe { fetch.pool.enter(kind) }
        }

        #[inline]
        unsafe fn has(fetch: &Self::Fetch, entity: EntityId, location: Location) -> bool {
            // SAFETY: the caller's promise.
            unsafe { fetch.pool.has(entity, location) }
        }

        #[inline]
        fn marks(_: &Self::Fetch) -> bool {
            false
        }

        #[inline]
        unsafe fn mark(_: &Self::Fetch, _: EntityId, _: Location) {}

        #[inline]
        unsafe fn item<'q>(fetch: &Self::Fetch, entity: EntityId, location: Location) -> Option<Self::Item<'q>> {
            // SAFETY: borrow and exclusiveness are the caller's promise.
            unsafe { Some(Self::of(fetch, fetch.pool.find(entity, location)?.$as_ref(), entity)) }
        }

        #[inline(always)]
        unsafe fn at_row<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Self::Item<'q> {
            // SAFETY: borrow and exclusiveness are the caller's promise.
            unsafe { Self::of(fetch, fetch.pool.at_row(row).$as_ref(), entity) }
        }
    };
}

impl<T: Component> Ref<'_, T> {
    /// # Safety
    /// As [`TrackedFetch::is_changed`], and `value` is the component of `entity`.
    #[inline]
    unsafe fn of<'q>(fetch: &TrackedFetch<T>, value: &'q T, entity: EntityId) -> Ref<'q, T> {
        // SAFETY: the caller's promise.
        unsafe { Ref { value, is_added: fetch.is_added(entity), is_changed: fetch.is_changed(entity) } }
    }
}

impl<'t, T: Component> QueryData for Ref<'t, T> {
    type Item<'q> = Ref<'q, T>;
    type ReadOnly = Self;
    type Guard<'w> = Option<AtomicRef<'w, Values<T>>>;

    fn state(needs: &mut Needs<'_>) -> Self::State {
        needs.track::<T>();
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
        unsafe { TrackedFetch::shared(state, components, view) }
    }

    tracked_methods!(as_ref);
}

// SAFETY: the guard is one for reading, and the items hold shared references.
unsafe impl<T: Component> ReadOnlyData for Ref<'_, T> {}

impl<T: Component> Mut<'_, T> {
    /// # Safety
    /// As [`Ref::of`], and the world is borrowed for `'q`.
    #[inline]
    unsafe fn of<'q>(fetch: &TrackedFetch<T>, value: &'q mut T, entity: EntityId) -> Mut<'q, T> {
        // SAFETY: the caller's promise.
        unsafe {
            Mut {
                value,
                changed: fetch.pool.ticks().map(|ticks| ticks.changed(entity)),
                now: fetch.pool.now(),
                is_added: fetch.is_added(entity),
                is_changed: fetch.is_changed(entity),
            }
        }
    }
}

impl<'t, T: Component> QueryData for Mut<'t, T> {
    type Item<'q> = Mut<'q, T>;
    type ReadOnly = Ref<'t, T>;
    type Guard<'w> = Option<AtomicRefMut<'w, Values<T>>>;

    fn state(needs: &mut Needs<'_>) -> Self::State {
        needs.track::<T>();
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
        unsafe { TrackedFetch::exclusive(state, components, view) }
    }

    tracked_methods!(as_mut);
}
