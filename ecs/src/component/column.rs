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
/// They are in a cell, to be borrowed by one system for writing or by several for reading. The work order never lets two
/// systems conflict there; the cell is the net beneath it.
#[derive(Debug)]
pub(crate) struct Column<T> {
    values: AtomicRefCell<Vec<T>>,
    /// Somebody had the values for writing since a snapshot last looked.
    is_changed: AtomicBool,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self { values: AtomicRefCell::new(Vec::new()), is_changed: AtomicBool::new(true) }
    }
}

impl<T> Column<T> {
    /// # Panics
    /// If a running system writes to the pool, which the work order rules out.
    pub(crate) fn read(&self) -> AtomicRef<'_, Vec<T>> {
        self.values.try_borrow().unwrap_or_else(|_| panic!("pool of {} is being written", short_name::<T>()))
    }

    /// # Panics
    /// If a running system uses the pool, which the work order rules out.
    pub(crate) fn write(&self) -> AtomicRefMut<'_, Vec<T>> {
        self.is_changed.store(true, Ordering::Relaxed);
        self.values.try_borrow_mut().unwrap_or_else(|_| panic!("pool of {} is in use", short_name::<T>()))
    }

    /// Where the values are, for whoever knows that nobody writes to them.
    pub(crate) fn values_ptr(&self) -> *const Vec<T> {
        self.values.as_ptr()
    }

    /// Where the values are, for whoever knows that nobody has them.
    pub(crate) fn values_to_write_ptr(&self) -> *mut Vec<T> {
        self.is_changed.store(true, Ordering::Relaxed);
        self.values.as_ptr()
    }

    pub(crate) fn values_mut(&mut self) -> &mut Vec<T> {
        *self.is_changed.get_mut() = true;
        self.values.get_mut()
    }
}

/// Owners, run by run; after the last one there is none, however often it is asked.
pub(super) type Runs<'a, 'r> = &'a mut dyn Iterator<Item = &'r [EntityId]>;

/// What can be done to a column without knowing its component type.
pub(super) trait AnyColumn: Send + Sync {
    fn swap(&mut self, a: usize, b: usize);
    /// Takes the value of `entity` out, to be announced or dropped.
    fn remove(&mut self, gap: Gap, entity: EntityId, announce: Option<(EventTypeId, &EventBuffer)>);
    /// Takes the owners out of the index and drops their values, one after the other: all of them, even if one panics then.
    fn remove_all(&mut self, index: &mut SparseIndex, runs: Runs<'_, '_>);
    /// Drops the values from `len` on.
    fn truncate(&mut self, len: usize);
    /// Values that there is room for.
    fn capacity(&self) -> usize;
    fn reserve(&mut self, additional: usize);
    fn shrink(&mut self);
    /// Whether the values may differ from those of the last snapshot.
    fn is_changed(&mut self) -> &mut bool;
}

impl<T: Component> AnyColumn for Column<T> {
    fn swap(&mut self, a: usize, b: usize) {
        self.values_mut().swap(a, b);
    }

    fn remove(&mut self, gap: Gap, entity: EntityId, announce: Option<(EventTypeId, &EventBuffer)>) {
        let value = gap.take_from(self.values_mut());
        if let Some((event_type, buffer)) = announce {
            // Somebody listens to `Removed<T>`, which only compiles if it is an event: nothing is left to drop.
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
        // A column of values without a size has room for any number of them in no memory.
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

/// Takes values out: all of them, even if one panics when it is dropped.
struct Removal<'a, 'r, T> {
    index: &'a mut SparseIndex,
    values: &'a mut Vec<T>,
    /// What is left of a run.
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
