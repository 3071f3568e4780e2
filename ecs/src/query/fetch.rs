//! Raw access to a pool for the time of a borrow: where a query reads and writes components without asking again.
//!
//! # Invariants
//! 1. The pointers of a [`PoolFetch`] lead to a pool whose index does not change while the fetch is used: it is made from
//!    a borrow of the world, and the index changes only where the world is borrowed mutably.
//! 2. The values are borrowed for as long as the fetch is used: shared if it was made by [`PoolFetch::shared`], exclusively
//!    if by [`PoolFetch::exclusive`]. A query keeps the guard, or the exclusive borrow of the world, that says so.
//! 3. Different entities have different positions, all below the number of values (see `component/sparse_index.rs`). So a
//!    walk over distinct owners never yields the same value twice. This rests on ids being distinct as 64 bits, which
//!    slotmap promises, and not on where it keeps the index.
//! 4. The first rows of the pools of a group are the same entities in the same order, as many as the group says, all of
//!    them enabled (see `component/group.rs`); groups change only where the world is borrowed mutably.
#![allow(unsafe_code)]

use std::ptr::NonNull;

use crate::component::{Column, Component, ComponentId, ComponentManager, Group, Pool, Slot, SparseIndex};
use crate::entity::EntityId;

/// What a query sees: with what is disabled or without, and the group whose order it can walk in.
#[derive(Clone, Copy)]
pub struct View<'w> {
    pub(super) with_disabled: bool,
    pub(super) group: Option<&'w Group>,
}

/// The index and the values of a pool, if the engine has met the component.
pub(super) fn find<T: Component>(
    id: Option<ComponentId>,
    components: &ComponentManager,
) -> Option<(ComponentId, &SparseIndex, &Column<T>)> {
    let id = id?;
    let pool = components.find(id)?;
    Some((id, pool.index(), pool.column()?))
}

/// Who is visited: a list of distinct entities.
#[derive(Clone, Copy)]
pub struct LeadPool {
    pub(super) owners: *const EntityId,
    pub(super) len: usize,
    /// They are the members of the query's group.
    pub(super) is_group: bool,
}

impl LeadPool {
    pub(super) const NOBODY: Self = Self { owners: NonNull::dangling().as_ptr(), len: 0, is_group: false };

    /// The members of a group, in the order in which they lie in its pools.
    pub(super) fn of_group(group: &Group, components: &ComponentManager) -> Option<Self> {
        let pool = components.find(*group.ids.first()?)?;
        Some(Self { owners: pool.index().owners().as_ptr(), len: group.len, is_group: true })
    }

    /// All of them.
    ///
    /// # Safety
    /// The index that they come from does not change for `'q`.
    pub(super) unsafe fn owners<'q>(&self) -> &'q [EntityId] {
        // SAFETY: there are `len` owners, by whoever made the driver.
        unsafe { std::slice::from_raw_parts(self.owners, self.len) }
    }

    /// The entity in a row.
    ///
    /// # Safety
    /// The row is below `len`, and the index does not change while the walk goes on.
    #[inline]
    pub(super) unsafe fn owner_at(&self, row: usize) -> EntityId {
        debug_assert!(row < self.len, "row {row} of {}", self.len);
        // SAFETY: the caller's promise.
        unsafe { *self.owners.add(row) }
    }
}

/// Where the components of one type are.
pub struct PoolFetch<T> {
    sparse: *const Slot,
    sparse_len: usize,
    owners: *const EntityId,
    // Not null, which spares look-ups a comparison: what may be missing is a null pointer where it is a reference.
    values: NonNull<T>,
    values_len: usize,
    /// Components at positions from here on are disabled and not looked for.
    visible: usize,
    /// The pool belongs to the query's group.
    is_grouped: bool,
    /// The walk goes over this pool's owners: the row of the walk is the position.
    is_lead: bool,
    /// What is added to a row of the walk to get the position, for rows that [`PoolFetch::align`] has vouched for.
    offset: usize,
    /// How often the index changed so far.
    changes: u64,
}

impl<T> Clone for PoolFetch<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PoolFetch<T> {}

impl<T> PoolFetch<T> {
    /// A pool that nobody has met: it holds nothing.
    const EMPTY: Self = Self {
        sparse: std::ptr::null(),
        sparse_len: 0,
        owners: NonNull::dangling().as_ptr(),
        values: NonNull::dangling(),
        values_len: 0,
        visible: 0,
        is_grouped: false,
        is_lead: false,
        offset: 0,
        changes: 0,
    };

    fn new(id: ComponentId, index: &SparseIndex, values: NonNull<T>, values_len: usize, view: View<'_>) -> Self {
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
            offset: 0,
            changes: index.changes(),
        }
    }

    /// For reading only: [`PoolFetch::value_mut`] must not be called.
    pub(super) fn shared(pool: Option<(ComponentId, &SparseIndex, &[T])>, view: View<'_>) -> Self {
        pool.map_or(Self::EMPTY, |(id, index, values)| {
            Self::new(id, index, NonNull::from(values).cast(), values.len(), view)
        })
    }

    pub(super) fn exclusive(pool: Option<(ComponentId, &SparseIndex, &mut [T])>, view: View<'_>) -> Self {
        pool.map_or(Self::EMPTY, |(id, index, values)| {
            let len = values.len();
            Self::new(id, index, NonNull::from(values).cast(), len, view)
        })
    }

    /// For asking who has the component, without its values.
    pub(super) fn presence(pool: Option<(ComponentId, &Pool)>, view: View<'_>) -> Self {
        pool.map_or(Self::EMPTY, |(id, pool)| Self {
            values_len: 0,
            ..Self::new(id, pool.index(), NonNull::dangling(), pool.index().len(), view)
        })
    }

    pub(super) fn lead(&self) -> LeadPool {
        LeadPool { owners: self.owners, len: self.visible, is_group: false }
    }

    /// Tells the fetch who is visited, so that it needs not look up its own owners.
    #[inline]
    pub(super) fn follow(&mut self, lead: LeadPool) {
        let is_own = lead.len > 0 && std::ptr::eq(self.owners, lead.owners) && self.visible == lead.len;
        self.is_lead = if lead.is_group { self.is_grouped } else { is_own };
    }

    /// Whether the row of the walk is the position, so that nothing is looked up.
    pub(super) fn is_packed(&self) -> bool {
        self.is_lead
    }

    /// Makes [`PoolFetch::position`] right for some rows of the driver from `row` on, as many as are returned: the components of
    /// their owners are visible and lie one behind the other, as they do where pools were filled together. At most `left`;
    /// none if the owner of the row has no visible component. Where it `is_known` that this holds for all of them, only the
    /// first is looked up.
    ///
    /// # Safety
    /// The driver has `row + left` rows, `left` is not zero, and the world is borrowed, as in invariant 1. If it `is_known`, then
    /// by a call without that for the same rows of the same driver, since when the index has not changed.
    #[inline(always)]
    pub(super) unsafe fn align(&mut self, lead: LeadPool, row: usize, left: usize, is_known: bool) -> usize {
        if self.is_lead {
            return left;
        }
        // SAFETY: the caller's promise.
        let Some(position) = (unsafe { self.locate(row, lead.owner_at(row)) }) else { return 0 };
        self.offset = position.wrapping_sub(row);
        let most = left.min(self.visible - position);
        if is_known {
            return most;
        }
        // SAFETY: both lists have that many owners, and neither changes (invariant 1).
        let (theirs, own) = unsafe {
            (
                std::slice::from_raw_parts(lead.owners.add(row), most),
                std::slice::from_raw_parts(self.owners.add(position), most),
            )
        };
        equal_at_the_front(theirs, own)
    }

    /// How often the index of the pool changed so far.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// Where the component of a row is that was aligned, or of any row if the fetch is packed.
    #[inline]
    pub(super) fn position(&self, row: usize) -> usize {
        row.wrapping_add(self.offset)
    }

    /// Whether no component is visible.
    pub(super) fn is_empty(&self) -> bool {
        self.visible == 0
    }

    /// Position of the visible component of `entity`, which stands in row `row` of the driver.
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
        // By ways out: compilers keep an `Option` that is filtered, and test it once more.
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
        // SAFETY: invariants 2 and 3; the caller vouches for exclusiveness.
        unsafe { self.values.add(position).as_mut() }
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

/// How many entities two lists of the same length have in common at the front.
#[inline(always)]
fn equal_at_the_front(a: &[EntityId], b: &[EntityId]) -> usize {
    const AT_A_TIME: usize = 8;
    let mut equal = 0;
    let (a_chunks, b_chunks) = (a.chunks_exact(AT_A_TIME), b.chunks_exact(AT_A_TIME));
    for (a, b) in a_chunks.zip(b_chunks) {
        // Without a way out in between, so that the compiler compares several at once.
        if !a.iter().zip(b).fold(true, |all, (a, b)| all & (a == b)) {
            break;
        }
        equal += AT_A_TIME;
    }
    equal + a[equal..].iter().zip(&b[equal..]).take_while(|(a, b)| a == b).count()
}
