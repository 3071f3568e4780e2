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
#![allow(unsafe_code)]

use crate::component::{Pool, Slot, SparseIndex};
use crate::entity::{EntityId, EntityManager, Records};

/// Who is visited: a list of distinct entities.
#[derive(Clone, Copy)]
pub struct Driver {
    pub(super) owners: *const EntityId,
    pub(super) len: usize,
}

impl Driver {
    /// The entity in a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub(super) fn owner(&self, row: usize) -> EntityId {
        assert!(row < self.len, "row {row} of {}", self.len);
        // SAFETY: the row is in bounds, and the index does not change while the walk goes on (invariant 1).
        unsafe { *self.owners.add(row) }
    }
}

/// Where the components of one type are.
pub struct PoolFetch<T> {
    sparse: *const Slot,
    sparse_len: usize,
    owners: *const EntityId,
    values: *mut T,
    values_len: usize,
    /// Components at positions from here on are disabled and not looked for.
    visible: usize,
    /// The walk goes over this pool's owners: the row of the walk is the position.
    is_driver: bool,
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
        owners: std::ptr::NonNull::dangling().as_ptr(),
        values: std::ptr::NonNull::dangling().as_ptr(),
        values_len: 0,
        visible: 0,
        is_driver: false,
    };

    fn new(index: &SparseIndex, values: *mut T, values_len: usize, with_disabled: bool) -> Self {
        assert_eq!(index.len(), values_len, "a pool has as many values as owners");
        Self {
            sparse: index.sparse().as_ptr(),
            sparse_len: index.sparse().len(),
            owners: index.owners().as_ptr(),
            values,
            values_len,
            visible: if with_disabled { index.len() } else { index.active() },
            is_driver: false,
        }
    }

    /// For reading only: [`PoolFetch::value_mut`] must not be called.
    pub(super) fn shared(pool: Option<(&SparseIndex, &[T])>, with_disabled: bool) -> Self {
        pool.map_or(Self::EMPTY, |(index, values)| {
            Self::new(index, values.as_ptr().cast_mut(), values.len(), with_disabled)
        })
    }

    pub(super) fn exclusive(pool: Option<(&SparseIndex, &mut [T])>, with_disabled: bool) -> Self {
        pool.map_or(Self::EMPTY, |(index, values)| Self::new(index, values.as_mut_ptr(), values.len(), with_disabled))
    }

    /// For asking who has the component, without its values.
    pub(super) fn presence(pool: Option<&Pool<T>>, with_disabled: bool) -> Self {
        pool.map_or(Self::EMPTY, |pool| {
            let dangling = std::ptr::NonNull::dangling().as_ptr();
            Self { values_len: 0, ..Self::new(pool.index(), dangling, pool.index().len(), with_disabled) }
        })
    }

    pub(super) fn driver(&self) -> Driver {
        Driver { owners: self.owners, len: self.visible }
    }

    /// Tells the fetch who is visited, so that it needs not look up its own owners.
    pub(super) fn follow(&mut self, driver: Driver) {
        self.is_driver = std::ptr::eq(self.owners, driver.owners) && self.visible == driver.len && driver.len > 0;
    }

    /// Position of the visible component of `entity`, which stands in row `row` of the driver.
    ///
    /// # Safety
    /// The world is borrowed, as in invariant 1.
    #[inline]
    pub(super) unsafe fn locate(&self, row: usize, entity: EntityId) -> Option<usize> {
        if self.is_driver {
            return Some(row);
        }
        let index = entity.index();
        if index >= self.sparse_len {
            return None;
        }
        // SAFETY: `index` is in bounds, and the index does not change (invariant 1).
        let slot = unsafe { *self.sparse.add(index) };
        slot.position_of(entity).filter(|position| *position < self.visible)
    }

    /// # Safety
    /// `position` came from [`PoolFetch::locate`] of this fetch, whose values are borrowed for `'q`.
    #[inline]
    pub(super) unsafe fn value<'q>(&self, position: usize) -> &'q T {
        debug_assert!(position < self.values_len, "position {position} of {}", self.values_len);
        // SAFETY: invariants 2 and 3.
        unsafe { &*self.values.add(position) }
    }

    /// # Safety
    /// As [`PoolFetch::value`]; the values are borrowed exclusively, and the caller has no other reference to this one.
    #[inline]
    pub(super) unsafe fn value_mut<'q>(&self, position: usize) -> &'q mut T {
        debug_assert!(position < self.values_len, "position {position} of {}", self.values_len);
        // SAFETY: invariants 2 and 3; the caller vouches for exclusiveness.
        unsafe { &mut *self.values.add(position) }
    }

    /// The visible components.
    ///
    /// # Safety
    /// The values are borrowed for `'q`, and no reference for writing to any of them is alive.
    pub(super) unsafe fn values<'q>(&self) -> &'q [T] {
        // SAFETY: there are as many values as owners, and not more visible ones than that.
        unsafe { std::slice::from_raw_parts(self.values, self.visible.min(self.values_len)) }
    }

    /// The visible components for writing.
    ///
    /// # Safety
    /// The values are borrowed exclusively for `'q`, and no other reference to any of them is alive.
    pub(super) unsafe fn values_mut<'q>(&self) -> &'q mut [T] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.values, self.visible.min(self.values_len)) }
    }

    /// The owners of the visible components.
    ///
    /// # Safety
    /// The index does not change for `'q`.
    pub(super) unsafe fn visible_owners<'q>(&self) -> &'q [EntityId] {
        // SAFETY: invariant 1; not more are visible than there are.
        unsafe { std::slice::from_raw_parts(self.owners, self.visible) }
    }
}

/// The walk of a query: rows of the driver, or all entities where no component is required.
pub(super) enum Rows<'q> {
    Driver { driver: Driver, row: usize },
    Everybody { records: Records<'q>, with_disabled: bool },
}

impl<'q> Rows<'q> {
    pub(super) fn new(driver: Option<Driver>, entities: Option<&'q EntityManager>, with_disabled: bool) -> Self {
        match (driver, entities) {
            (Some(driver), _) => Self::Driver { driver, row: 0 },
            (None, Some(entities)) => Self::Everybody { records: entities.records(), with_disabled },
            (None, None) => {
                let owners = std::ptr::NonNull::dangling().as_ptr();
                Self::Driver { driver: Driver { owners, len: 0 }, row: 0 }
            }
        }
    }

    #[inline]
    pub(super) fn next(&mut self) -> Option<(usize, EntityId)> {
        match self {
            Self::Driver { driver, row } => {
                let current = *row;
                if current >= driver.len {
                    return None;
                }
                *row += 1;
                // SAFETY: `current` is below the number of owners, and the index does not change (invariant 1).
                Some((current, unsafe { *driver.owners.add(current) }))
            }
            Self::Everybody { records, with_disabled } => {
                let (entity, _) = records.find(|(_, record)| *with_disabled || record.is_enabled())?;
                Some((0, entity))
            }
        }
    }

    /// How many rows are left at most.
    pub(super) fn upper_bound(&self) -> Option<usize> {
        match self {
            Self::Driver { driver, row } => Some(driver.len - row),
            Self::Everybody { .. } => None,
        }
    }
}
