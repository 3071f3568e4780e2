//! The values of one component type, side by side.

use std::sync::atomic::{AtomicBool, Ordering};

use atomic_refcell::{AtomicRef, AtomicRefCell, AtomicRefMut};

use super::Component;
use super::sparse_index::{Gap, SparseIndex};
use crate::entity::EntityId;
use crate::event::{EventBuffer, EventTypeId, Removed};
use crate::type_map::short_name;

/// The values of a pool, parallel to the owners in its index.
///
/// They are in a cell that one system borrows for writing, or several for reading. The schedule rules conflicts out; the cell
/// checks it.
#[derive(Debug)]
pub(crate) struct Column<T> {
    values: AtomicRefCell<Vec<T>>,
    /// Dirty flag: the values were borrowed for writing since the last snapshot.
    is_changed: AtomicBool,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self { values: AtomicRefCell::new(Vec::new()), is_changed: AtomicBool::new(true) }
    }
}

impl<T> Column<T> {
    /// # Panics
    /// If a running system writes to the pool, which the schedule rules out.
    pub(crate) fn read(&self) -> AtomicRef<'_, Vec<T>> {
        self.values.try_borrow().unwrap_or_else(|_| panic!("pool of {} is being written", short_name::<T>()))
    }

    /// # Panics
    /// If a running system uses the pool, which the schedule rules out.
    pub(crate) fn write(&self) -> AtomicRefMut<'_, Vec<T>> {
        self.is_changed.store(true, Ordering::Relaxed);
        self.values.try_borrow_mut().unwrap_or_else(|_| panic!("pool of {} is in use", short_name::<T>()))
    }

    /// Unguarded access: nothing may write to the values meanwhile.
    pub(crate) fn values_ptr(&self) -> *const Vec<T> {
        self.values.as_ptr()
    }

    /// Unguarded access for writing: nothing else may use the values meanwhile.
    pub(crate) fn values_to_write_ptr(&self) -> *mut Vec<T> {
        self.is_changed.store(true, Ordering::Relaxed);
        self.values.as_ptr()
    }

    pub(crate) fn values_mut(&mut self) -> &mut Vec<T> {
        *self.is_changed.get_mut() = true;
        self.values.get_mut()
    }
}

/// Runs of owners. After `None` it must keep returning `None`.
pub(super) type Runs<'a, 'r> = &'a mut dyn Iterator<Item = &'r [EntityId]>;

/// A column of any component type.
pub(super) trait AnyColumn: Send + Sync {
    fn swap(&mut self, a: usize, b: usize);
    /// Removes the value of `entity` and sends it in its event or drops it.
    fn remove(&mut self, gap: Gap, entity: EntityId, announce: Option<(EventTypeId, &EventBuffer)>);
    /// Removes the owners from the index and drops their values one by one: all of them, even if one panics.
    fn remove_all(&mut self, index: &mut SparseIndex, runs: Runs<'_, '_>);
    /// Drops the values from `len` on.
    fn truncate(&mut self, len: usize);
    /// The number of values that fit into the memory.
    fn capacity(&self) -> usize;
    fn reserve(&mut self, additional: usize);
    fn shrink(&mut self);
    /// The dirty flag: whether the values may differ from the last snapshot.
    fn is_changed(&mut self) -> &mut bool;
}

impl<T: Component> AnyColumn for Column<T> {
    fn swap(&mut self, a: usize, b: usize) {
        self.values_mut().swap(a, b);
    }

    fn remove(&mut self, gap: Gap, entity: EntityId, announce: Option<(EventTypeId, &EventBuffer)>) {
        let value = gap.take_from(self.values_mut());
        if let Some((event_type, buffer)) = announce {
            // There is a listener, so `Removed<T>` is an event and `T` is `Copy`: nothing is left to drop.
            buffer.push(event_type, Removed { entity, value });
        }
    }

    fn remove_all(&mut self, index: &mut SparseIndex, runs: Runs<'_, '_>) {
        Removal { index, values: self.values_mut(), owners: [].iter(), runs }.all();
    }

    fn truncate(&mut self, len: usize) {
        self.values_mut().truncate(len);
    }

    fn capacity(&self) -> usize {
        // Values without a size take no memory.
        if size_of::<T>() == 0 { 0 } else { self.read().capacity() }
    }

    fn reserve(&mut self, additional: usize) {
        self.values_mut().reserve(additional);
    }

    fn shrink(&mut self) {
        self.values_mut().shrink_to_fit();
    }

    fn is_changed(&mut self) -> &mut bool {
        self.is_changed.get_mut()
    }
}

/// Removes values: all of them, even if one panics when it is dropped.
struct Removal<'a, 'r, T> {
    index: &'a mut SparseIndex,
    values: &'a mut Vec<T>,
    /// The rest of the current run.
    owners: std::slice::Iter<'r, EntityId>,
    runs: Runs<'a, 'r>,
}

impl<T> Removal<'_, '_, T> {
    fn all(&mut self) {
        loop {
            for owner in self.owners.by_ref() {
                if let Some(gap) = self.index.remove(*owner) {
                    drop(gap.take_from(self.values));
                }
            }
            let Some(run) = self.runs.next() else { return };
            self.owners = run.iter();
        }
    }
}

impl<T> Drop for Removal<'_, '_, T> {
    fn drop(&mut self) {
        self.all();
    }
}
