//! Raw access to a pool for the time of a borrow: queries read and write components through it without further checks.
//!
//! # Invariants
//! 1. The pointers of a [`PoolFetch`] lead to a pool whose columns, index and list of ticks do not change while the
//!    fetch is used, nor do the entities: the fetch is made from a borrow of the world, and these change only where the
//!    world is borrowed mutably. The numbers of [`RunTicks`] outlive the fetch, and the thread that made it changes
//!    them only between the calls of a method.
//! 2. The values are borrowed while the fetch is used: shared if it was made by [`PoolFetch::shared`], exclusively if
//!    by [`PoolFetch::exclusive`]. A query keeps the guard, or the borrow of the world, that ensures this. Two queries
//!    of a method may share values of which one has the guard: no entity matches both (see `query_access.rs`), so each
//!    uses other rows. Fetches keep pointers and no references to values, and the values of a row are referred to only
//!    while its item lives.
//! 3. A component is in one place, and different entities are in different rows (see `component/pool.rs` and
//!    `entity/kinds.rs`). So an iteration over distinct entities never yields a value twice. The column of a kind has a
//!    value for each of its rows, and is empty if the kind does not have the component. Slots of indices without an
//!    extra are empty.
#![allow(unsafe_code)]

use std::ptr::{self, NonNull};

use crate::component::{Column, Component, ComponentId, ComponentManager, Pool, Slot, Ticks, Values};
use crate::entity::{EntityId, Location};

/// Whether a query includes disabled entities and components, and the ticks of its run.
#[derive(Clone, Copy)]
pub struct View {
    pub(super) with_disabled: bool,
    pub(super) ticks: RunTicks,
}

/// The ticks of the run that uses a query. Pointers, because a listener is called several times with the same query.
#[derive(Clone, Copy)]
pub(crate) struct RunTicks {
    /// The tick of the run: that of its changes.
    pub(super) now: *const u64,
    /// The tick of the last run: later changes are seen. Valid only for queries that track changes.
    pub(super) since: *const u64,
}

impl RunTicks {
    const NONE: Self = Self { now: &0, since: &0 };

    /// For queries outside of systems, which see the changes since the begin of the last frame.
    pub(crate) fn outside(components: &ComponentManager) -> Self {
        Self { now: components.tick(), since: components.frame_tick() }
    }
}

/// The index and the values of a pool, if its component type is registered.
pub(super) fn find<T: Component>(
    id: Option<ComponentId>,
    components: &ComponentManager,
) -> Option<(ComponentId, &Pool, &Column<T>)> {
    let id = id?;
    let pool = components.find(id)?;
    Some((id, pool, pool.column()?))
}

/// The extras of a required component, and the kinds that have it.
#[derive(Clone, Copy)]
pub struct ExtrasSource {
    pub(super) owners: *const EntityId,
    /// The number of extras that the query sees.
    pub(super) len: usize,
    home_kinds: *const bool,
    home_kinds_len: usize,
}

impl ExtrasSource {
    /// Whether a kind has the component.
    ///
    /// # Safety
    /// The world is borrowed, as in the first invariant of `fetch.rs`.
    pub(super) unsafe fn is_home(&self, kind: usize) -> bool {
        // SAFETY: in bounds, and the list does not change (invariant 1).
        kind < self.home_kinds_len && unsafe { *self.home_kinds.add(kind) }
    }
}

/// A pointer to the values of a `Vec`, which are never at address zero.
fn first<T>(values: *const T) -> NonNull<T> {
    NonNull::new(values.cast_mut()).expect("the values of a `Vec` are not at address zero")
}

/// Pointers to the columns, the index and the values of a pool.
pub struct PoolFetch<T> {
    /// By the number of a kind. None for a fetch without the values.
    homes: *const Vec<T>,
    homes_len: usize,
    /// The values of the kind that was entered.
    // Not null: otherwise each `Option` of a reference would need a comparison.
    base: NonNull<T>,
    /// Whether the kind that was entered has the component.
    is_home: bool,
    extras: NonNull<T>,
    sparse: *const Slot,
    sparse_len: usize,
    /// Extras at this position and behind are disabled, and the query does not see them.
    source: ExtrasSource,
    /// Null if changes are not tracked.
    ticks: *const Ticks,
    now: *const u64,
}

impl<T> Clone for PoolFetch<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PoolFetch<T> {}

impl<T> PoolFetch<T> {
    /// The pool of an unknown component type.
    const EMPTY: Self = Self {
        homes: ptr::null(),
        homes_len: 0,
        base: NonNull::dangling(),
        is_home: false,
        extras: NonNull::dangling(),
        sparse: ptr::null(),
        sparse_len: 0,
        source: ExtrasSource {
            owners: NonNull::dangling().as_ptr(),
            len: 0,
            home_kinds: ptr::null(),
            home_kinds_len: 0,
        },
        ticks: ptr::null(),
        now: RunTicks::NONE.now,
    };

    /// For tests of presence, without the values.
    pub(super) fn presence(pool: Option<&Pool>, view: View) -> Self {
        let Some(pool) = pool else { return Self::EMPTY };
        let (index, home_kinds) = (pool.index(), pool.home_kinds());
        Self {
            sparse: index.sparse().as_ptr(),
            sparse_len: index.sparse().len(),
            source: ExtrasSource {
                owners: index.owners().as_ptr(),
                len: if view.with_disabled { index.len() } else { index.active() },
                home_kinds: home_kinds.as_ptr(),
                home_kinds_len: home_kinds.len(),
            },
            ticks: pool.ticks().map_or(ptr::null(), ptr::from_ref),
            now: view.ticks.now,
            ..Self::EMPTY
        }
    }

    /// # Safety
    /// `values` may be read while the fetch is made.
    unsafe fn with_values(pool: &Pool, values: *const Values<T>, view: View) -> Self {
        // SAFETY: the caller's promise. Another query may have pointers to the values and to the list of columns:
        // neither is written here, and no reference to a value is made.
        let (homes, extras) = unsafe { (&*ptr::addr_of!((*values).homes), &*ptr::addr_of!((*values).extras)) };
        assert_eq!(pool.index().len(), extras.len(), "a pool has as many extras as owners of them");
        Self {
            homes: homes.as_ptr(),
            homes_len: homes.len(),
            extras: first(extras.as_ptr()),
            ..Self::presence(Some(pool), view)
        }
    }

    /// For reading only: no exclusive reference may be made of its pointers.
    ///
    /// # Safety
    /// While the fetch is used, nothing writes to the values that are reached through it.
    pub(super) unsafe fn shared(id: Option<ComponentId>, components: &ComponentManager, view: View) -> Self
    where
        T: Component,
    {
        let pool = find::<T>(id, components);
        // SAFETY: the caller's promise.
        pool.map_or(Self::EMPTY, |(_, pool, column)| unsafe { Self::with_values(pool, column.values_ptr(), view) })
    }

    /// # Safety
    /// While the fetch is used, nothing else uses the values that are reached through it.
    pub(super) unsafe fn exclusive(id: Option<ComponentId>, components: &ComponentManager, view: View) -> Self
    where
        T: Component,
    {
        let pool = find::<T>(id, components);
        pool.map_or(Self::EMPTY, |(_, pool, column)| {
            // SAFETY: the caller's promise.
            unsafe { Self::with_values(pool, column.values_to_write_ptr(), view) }
        })
    }

    pub(super) fn source(&self) -> ExtrasSource {
        self.source
    }

    /// Whether a kind has the component.
    ///
    /// # Safety
    /// The world is borrowed, as in invariant 1.
    #[inline]
    pub(super) unsafe fn is_home_in(&self, kind: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.source.is_home(kind) }
    }

    /// Prepares the fetch for the rows of a kind.
    ///
    /// # Safety
    /// The world is borrowed, as in invariant 1.
    #[inline]
    pub(super) unsafe fn enter(&mut self, kind: usize) {
        // SAFETY: the caller's promise; the list of columns has one for each kind that has the component.
        unsafe {
            self.is_home = self.is_home_in(kind);
            if self.is_home && self.homes_len > 0 {
                debug_assert!(kind < self.homes_len, "kind {kind} of {}", self.homes_len);
                self.base = first((*self.homes.add(kind)).as_ptr());
            }
        }
    }

    /// Whether the kind that was entered has the component.
    #[inline]
    pub(super) fn is_home(&self) -> bool {
        self.is_home
    }

    /// Whether changes are tracked.
    #[inline]
    pub(super) fn is_tracked(&self) -> bool {
        !self.ticks.is_null()
    }

    /// The ticks, if changes are tracked.
    ///
    /// # Safety
    /// The world is borrowed for `'q`, as in invariant 1.
    #[inline]
    pub(super) unsafe fn ticks<'q>(&self) -> Option<&'q Ticks> {
        // SAFETY: the ticks do not change (invariant 1).
        unsafe { self.ticks.as_ref() }
    }

    /// The tick of changes.
    ///
    /// # Safety
    /// The world is borrowed, as in invariant 1.
    #[inline]
    pub(super) unsafe fn now(&self) -> u64 {
        // SAFETY: the number outlives the fetch and is not written meanwhile (invariant 1).
        unsafe { *self.now }
    }

    /// Marks the component of `entity` as changed. The entity must have one that the query sees.
    ///
    /// # Safety
    /// The world is borrowed, as in invariant 1.
    #[inline]
    pub(super) unsafe fn mark(&self, entity: EntityId) {
        // Not inlined: loops over rows that need no mark stay short, so that compilers make them loops of their own.
        #[inline(never)]
        fn mark(ticks: &Ticks, entity: EntityId, now: u64) {
            ticks.mark(entity, now);
        }
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(ticks) = self.ticks() {
                mark(ticks, entity, self.now());
            }
        }
    }

    /// The position of the extra of `entity`, which exists, if the query sees one.
    ///
    /// # Safety
    /// The world is borrowed, as in invariant 1.
    #[inline]
    pub(super) unsafe fn extra(&self, entity: EntityId) -> Option<usize> {
        let index = entity.index();
        if index >= self.sparse_len {
            return None;
        }
        // SAFETY: `index` is in bounds, and the index does not change (invariant 1).
        let position = unsafe { *self.sparse.add(index) }.position()?;
        // Early return: for `Option::filter`, compilers test the option twice.
        if position >= self.source.len {
            return None;
        }
        Some(position)
    }

    /// Whether the query sees a component of `entity`, which is at a location where the query sees entities.
    ///
    /// # Safety
    /// The world is borrowed, as in invariant 1.
    #[inline]
    pub(super) unsafe fn has(&self, entity: EntityId, location: Location) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.is_home_in(location.kind) || location.has_extras && self.extra(entity).is_some() }
    }

    /// The component of `entity`, which is at a location where the query sees entities. Not for a fetch without the
    /// values.
    ///
    /// # Safety
    /// The world is borrowed, as in invariant 1.
    #[inline]
    pub(super) unsafe fn find(&self, entity: EntityId, location: Location) -> Option<NonNull<T>> {
        // SAFETY: the kind and the row are in bounds, and neither the columns nor the index change (invariant 1).
        unsafe {
            if location.kind < self.homes_len {
                let home = &*self.homes.add(location.kind);
                if location.row < home.len() {
                    return Some(first(home.as_ptr()).add(location.row));
                }
            }
            if !location.has_extras {
                return None;
            }
            Some(self.extras.add(self.extra(entity)?))
        }
    }

    /// A row of the kind that was entered.
    ///
    /// # Safety
    /// The kind has the component and the row, and the world is borrowed, as in invariant 1.
    #[inline(always)]
    pub(super) unsafe fn at_row(&self, row: usize) -> NonNull<T> {
        // SAFETY: the caller's promise.
        unsafe { self.base.add(row) }
    }
}

/// A pool whose changes are tracked, and the tick since which they are seen.
pub struct TrackedFetch<T> {
    pub(super) pool: PoolFetch<T>,
    since: *const u64,
}

impl<T> Clone for TrackedFetch<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for TrackedFetch<T> {}

impl<T> TrackedFetch<T> {
    /// # Safety
    /// As [`PoolFetch::shared`].
    pub(super) unsafe fn shared(id: Option<ComponentId>, components: &ComponentManager, view: View) -> Self
    where
        T: Component,
    {
        // SAFETY: the caller's promise.
        Self { pool: unsafe { PoolFetch::shared(id, components, view) }, since: view.ticks.since }
    }

    /// # Safety
    /// As [`PoolFetch::exclusive`].
    pub(super) unsafe fn exclusive(id: Option<ComponentId>, components: &ComponentManager, view: View) -> Self
    where
        T: Component,
    {
        // SAFETY: the caller's promise.
        Self { pool: unsafe { PoolFetch::exclusive(id, components, view) }, since: view.ticks.since }
    }

    /// As [`PoolFetch::presence`].
    pub(super) fn presence(pool: Option<&Pool>, view: View) -> Self {
        Self { pool: PoolFetch::presence(pool, view), since: view.ticks.since }
    }

    /// Whether the component of `entity`, which has one, was added since the last run.
    ///
    /// # Safety
    /// The world is borrowed, as in invariant 1.
    #[inline]
    pub(super) unsafe fn is_added(&self, entity: EntityId) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.pool.ticks().is_none_or(|ticks| ticks.added(entity) > *self.since) }
    }

    /// Whether the component of `entity`, which has one, changed since the last run.
    ///
    /// # Safety
    /// The world is borrowed, as in invariant 1.
    #[inline]
    pub(super) unsafe fn is_changed(&self, entity: EntityId) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.pool.ticks().is_none_or(|ticks| ticks.last_changed(entity) > *self.since) }
    }
}
