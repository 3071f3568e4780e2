//! Raw access to a pool for the time of a borrow: queries read and write components through it without further checks.
//!
//! # Invariants
//! 1. The pointers of a [`PoolFetch`] lead to a pool whose index and list of ticks do not change while the fetch is used: the fetch is
//!    made from a borrow of the world, and these change only where the world is borrowed mutably. The numbers of [`RunTicks`] outlive
//!    the fetch, and the thread that made it changes them only between the calls of a method.
//! 2. The values are borrowed while the fetch is used: shared if it was made by [`PoolFetch::shared`], exclusively if by
//!    [`PoolFetch::exclusive`]. A query keeps the guard, or the borrow of the world, that ensures this. Two queries of a method may
//!    share values of which one has the guard: no entity matches both (see `query_access.rs`), so each uses other rows. Fetches
//!    keep pointers and no references to values, and the values of a row are referred to only while its item lives.
//! 3. Different entities have different positions, all below the number of values (see `component/sparse_index.rs`). So a
//!    iteration over distinct owners never yields a value twice. This relies on ids being distinct as 64 bits, which slotmap
//!    promises, and not on the bits in which slotmap keeps the index.
//! 4. The first rows of the pools of a group are the same entities in the same order, as many as the group has members, all
//!    enabled (see `component/group.rs`); groups change only where the world is borrowed mutably.
#![allow(unsafe_code)]

use std::ptr::NonNull;

use crate::component::{Column, Component, ComponentId, ComponentManager, Group, Pool, Slot, Ticks};
use crate::entity::EntityId;

/// Whether a query includes disabled entities and components, and the group whose order it can iterate in.
#[derive(Clone, Copy)]
pub struct View<'w> {
    pub(super) with_disabled: bool,
    pub(super) group: Option<&'w Group>,
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

/// The entities that an iteration visits, without duplicates: the owners of a pool, or the members of a group.
#[derive(Clone, Copy)]
pub struct LeadPool {
    pub(super) owners: *const EntityId,
    pub(super) len: usize,
    /// Whether they are the members of the query's group.
    pub(super) is_group: bool,
}

impl LeadPool {
    pub(super) const NONE: Self = Self { owners: NonNull::dangling().as_ptr(), len: 0, is_group: false };

    /// The members of a group, in the order in which they lie in its pools.
    pub(super) fn of_group(group: &Group, components: &ComponentManager) -> Option<Self> {
        let pool = components.find(*group.ids.first()?)?;
        Some(Self { owners: pool.index().owners().as_ptr(), len: group.len, is_group: true })
    }

    /// # Safety
    /// The index that the owners come from does not change for `'q`.
    pub(super) unsafe fn owners<'q>(&self) -> &'q [EntityId] {
        // SAFETY: the list has `len` owners.
        unsafe { std::slice::from_raw_parts(self.owners, self.len) }
    }

    /// The entity in a row.
    ///
    /// # Safety
    /// The row is below `len`, and the index does not change while the iteration goes on.
    #[inline]
    pub(super) unsafe fn owner_at(&self, row: usize) -> EntityId {
        debug_assert!(row < self.len, "row {row} of {}", self.len);
        // SAFETY: the caller's promise.
        unsafe { *self.owners.add(row) }
    }
}

/// A pointer to the values of a `Vec`, which are never at address zero.
fn first<T>(values: *const T) -> NonNull<T> {
    NonNull::new(values.cast_mut()).expect("the values of a `Vec` are not at address zero")
}

/// Pointers to the index and the values of a pool.
pub struct PoolFetch<T> {
    sparse: *const Slot,
    sparse_len: usize,
    owners: *const EntityId,
    // Not null: otherwise each `Option` of a reference would need a comparison.
    values: NonNull<T>,
    values_len: usize,
    /// Components at this position and behind are disabled, and the query does not see them.
    visible: usize,
    /// Whether the pool belongs to the query's group.
    is_grouped: bool,
    /// Whether the iteration goes over this pool's owners, so that a row of the iteration is a position.
    is_lead: bool,
    /// The value of the next of the rows that [`PoolFetch::align`] aligned.
    next: NonNull<T>,
    /// The change counter of the index.
    changes: u64,
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
        sparse: std::ptr::null(),
        sparse_len: 0,
        owners: NonNull::dangling().as_ptr(),
        values: NonNull::dangling(),
        values_len: 0,
        visible: 0,
        is_grouped: false,
        is_lead: false,
        next: NonNull::dangling(),
        changes: 0,
        ticks: std::ptr::null(),
        now: RunTicks::NONE.now,
    };

    fn new(id: ComponentId, pool: &Pool, values: NonNull<T>, values_len: usize, view: View<'_>) -> Self {
        let index = pool.index();
        assert_eq!(index.len(), values_len, "a pool has as many values as owners");
        Self {
            sparse: index.sparse().as_ptr(),
            sparse_len: index.sparse().len(),
            owners: index.owners().as_ptr(),
            values,
            values_len,
            visible: if view.with_disabled { index.len() } else { index.active() },
            is_grouped: view.group.is_some_and(|group| group.mask.contains(id)),
            is_lead: false,
            next: values,
            changes: index.changes(),
            ticks: pool.ticks().map_or(std::ptr::null(), std::ptr::from_ref),
            now: view.ticks.now,
        }
    }

    /// For reading only: [`PoolFetch::value_mut`] must not be called.
    ///
    /// # Safety
    /// While the fetch is used, nothing writes to the values that are reached through it.
    pub(super) unsafe fn shared(id: Option<ComponentId>, components: &ComponentManager, view: View<'_>) -> Self
    where
        T: Component,
    {
        find::<T>(id, components).map_or(Self::EMPTY, |(id, pool, column)| {
            // SAFETY: the caller's promise.
            let values = unsafe { &*column.values_ptr() };
            Self::new(id, pool, first(values.as_ptr()), values.len(), view)
        })
    }

    /// # Safety
    /// While the fetch is used, nothing else uses the values that are reached through it.
    pub(super) unsafe fn exclusive(id: Option<ComponentId>, components: &ComponentManager, view: View<'_>) -> Self
    where
        T: Component,
    {
        find::<T>(id, components).map_or(Self::EMPTY, |(id, pool, column)| {
            // SAFETY: the caller's promise. Another query may have pointers to the values: `as_mut_ptr` keeps these valid, because it
            // makes no reference to the values.
            let values = unsafe { &mut *column.values_to_write_ptr() };
            Self::new(id, pool, first(values.as_mut_ptr()), values.len(), view)
        })
    }

    /// For tests of presence, without the values.
    pub(super) fn presence(pool: Option<(ComponentId, &Pool)>, view: View<'_>) -> Self {
        pool.map_or(Self::EMPTY, |(id, pool)| Self {
            values_len: 0,
            ..Self::new(id, pool, NonNull::dangling(), pool.index().len(), view)
        })
    }

    pub(super) fn lead(&self) -> LeadPool {
        LeadPool { owners: self.owners, len: self.visible, is_group: false }
    }

    /// Binds the fetch to the list that an iteration visits, so that the fetch does not look up its own owners.
    #[inline]
    pub(super) fn follow(&mut self, lead: LeadPool) {
        let is_own = lead.len > 0 && std::ptr::eq(self.owners, lead.owners) && self.visible == lead.len;
        self.is_lead = if lead.is_group { self.is_grouped } else { is_own };
    }

    /// Whether a row of the iteration is a position, so that no look-up is needed.
    pub(super) fn is_packed(&self) -> bool {
        self.is_lead
    }

    /// Rows of the lead pool from `row` on whose components are visible and lie at consecutive positions, as they do if the pools
    /// were filled together: how many, at most `left`, and the position of the first; none if the owner in `row` has no visible
    /// component. If it `is_known` that all of them are aligned, only the first is looked up.
    ///
    /// # Safety
    /// The lead pool has `row + left` rows, `left` is not zero, and the world is borrowed, as in invariant 1. If it `is_known`, an
    /// earlier call returned the same rows of the same lead pool, and the index has not changed since.
    #[inline(always)]
    pub(super) unsafe fn aligned(&self, lead: LeadPool, row: usize, left: usize, is_known: bool) -> (usize, usize) {
        if self.is_lead {
            return (left, row);
        }
        // SAFETY: the caller's promise.
        let Some(position) = (unsafe { self.locate(row, lead.owner_at(row)) }) else { return (0, 0) };
        let most = left.min(self.visible - position);
        if is_known {
            return (most, position);
        }
        // SAFETY: both lists have that many owners, and neither changes (invariant 1).
        let (lead, own) = unsafe {
            (
                std::slice::from_raw_parts(lead.owners.add(row), most),
                std::slice::from_raw_parts(self.owners.add(position), most),
            )
        };
        (common_prefix(lead, own), position)
    }

    /// As [`PoolFetch::aligned`]; [`PoolFetch::step`] goes over these rows. Not for a fetch without the values.
    ///
    /// # Safety
    /// As [`PoolFetch::aligned`].
    #[inline(always)]
    pub(super) unsafe fn align(&mut self, lead: LeadPool, row: usize, left: usize, is_known: bool) -> usize {
        // SAFETY: the caller's promise.
        let (found, position) = unsafe { self.aligned(lead, row, left, is_known) };
        if found > 0 {
            debug_assert!(position + found <= self.values_len, "{found} from {position} on, of {}", self.values_len);
            // SAFETY: the position has a value.
            self.next = unsafe { self.values.add(position) };
        }
        found
    }

    /// The change counter of the index.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// Whether no component is visible.
    pub(super) fn is_empty(&self) -> bool {
        self.visible == 0
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
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(ticks) = self.ticks() {
                ticks.mark(entity, self.now());
            }
        }
    }

    /// Position of the visible component of `entity`, which is in row `row` of the lead pool.
    ///
    /// # Safety
    /// The world is borrowed, as in invariant 1.
    #[inline]
    pub(super) unsafe fn locate(&self, row: usize, entity: EntityId) -> Option<usize> {
        if self.is_lead {
            return Some(row);
        }
        let index = entity.index();
        if index >= self.sparse_len {
            return None;
        }
        // SAFETY: `index` is in bounds, and the index does not change (invariant 1).
        let slot = unsafe { *self.sparse.add(index) };
        // Early return: for `Option::filter`, compilers test the option twice.
        let position = slot.position_of(entity)?;
        if position >= self.visible {
            return None;
        }
        Some(position)
    }

    /// # Safety
    /// `position` came from [`PoolFetch::locate`] of this fetch, whose values are borrowed for `'q`.
    #[inline]
    pub(super) unsafe fn value<'q>(&self, position: usize) -> &'q T {
        debug_assert!(position < self.values_len, "position {position} of {}", self.values_len);
        // SAFETY: invariants 2 and 3.
        unsafe { self.values.add(position).as_ref() }
    }

    /// # Safety
    /// As [`PoolFetch::value`]; the values are borrowed exclusively, and the caller has no other reference to this one.
    #[inline]
    pub(super) unsafe fn value_mut<'q>(&self, position: usize) -> &'q mut T {
        debug_assert!(position < self.values_len, "position {position} of {}", self.values_len);
        // SAFETY: invariants 2 and 3; exclusiveness is the caller's promise.
        unsafe { self.values.add(position).as_mut() }
    }

    /// The value of the next aligned row.
    ///
    /// # Safety
    /// Called at most as often as [`PoolFetch::align`] returned rows. The values are borrowed for `'q`.
    #[inline(always)]
    pub(super) unsafe fn step<'q>(&mut self) -> &'q T {
        let value = self.next;
        // SAFETY: the rows of the run have consecutive positions, so that behind the last one is the end of the values at most;
        // invariants 2 and 3.
        unsafe {
            self.next = value.add(1);
            value.as_ref()
        }
    }

    /// # Safety
    /// As [`PoolFetch::step`]; the values are borrowed exclusively, and the caller has no other reference to this one.
    #[inline(always)]
    pub(super) unsafe fn step_mut<'q>(&mut self) -> &'q mut T {
        let mut value = self.next;
        // SAFETY: as above; exclusiveness is the caller's promise.
        unsafe {
            self.next = value.add(1);
            value.as_mut()
        }
    }

    /// The first `len` components, which are visible.
    ///
    /// # Safety
    /// The values are borrowed for `'q`, and no reference for writing to any of them is alive.
    pub(super) unsafe fn values<'q>(&self, len: usize) -> &'q [T] {
        assert!(len <= self.visible && len <= self.values_len, "{len} of {} components", self.values_len);
        // SAFETY: there are as many values.
        unsafe { std::slice::from_raw_parts(self.values.as_ptr(), len) }
    }

    /// The first `len` components, which are visible, for writing.
    ///
    /// # Safety
    /// The values are borrowed exclusively for `'q`, and no other reference to any of them is alive.
    pub(super) unsafe fn values_mut<'q>(&self, len: usize) -> &'q mut [T] {
        assert!(len <= self.visible && len <= self.values_len, "{len} of {} components", self.values_len);
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.values.as_ptr(), len) }
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
    pub(super) unsafe fn shared(id: Option<ComponentId>, components: &ComponentManager, view: View<'_>) -> Self
    where
        T: Component,
    {
        // SAFETY: the caller's promise.
        Self { pool: unsafe { PoolFetch::shared(id, components, view) }, since: view.ticks.since }
    }

    /// # Safety
    /// As [`PoolFetch::exclusive`].
    pub(super) unsafe fn exclusive(id: Option<ComponentId>, components: &ComponentManager, view: View<'_>) -> Self
    where
        T: Component,
    {
        // SAFETY: the caller's promise.
        Self { pool: unsafe { PoolFetch::exclusive(id, components, view) }, since: view.ticks.since }
    }

    /// As [`PoolFetch::presence`].
    pub(super) fn presence(pool: Option<(ComponentId, &Pool)>, view: View<'_>) -> Self {
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

/// The length of the common prefix of two lists of equal length.
#[inline(always)]
fn common_prefix(a: &[EntityId], b: &[EntityId]) -> usize {
    const CHUNK: usize = 8;
    let mut equal = 0;
    let (a_chunks, b_chunks) = (a.chunks_exact(CHUNK), b.chunks_exact(CHUNK));
    for (a, b) in a_chunks.zip(b_chunks) {
        // No early exit, so that the compiler vectorises the comparison.
        if !a.iter().zip(b).fold(true, |all, (a, b)| all & (a == b)) {
            break;
        }
        equal += CHUNK;
    }
    equal + a[equal..].iter().zip(&b[equal..]).take_while(|(a, b)| a == b).count()
}
