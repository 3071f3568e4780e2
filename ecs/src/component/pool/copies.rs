//! Pools in and out of snapshots.

use std::any::TypeId;

use atomic_refcell::AtomicRef;

use super::{Component, Pool, SparseIndex, column_mut};

impl Pool {
    pub(crate) fn value_type(&self) -> TypeId {
        self.value_type
    }

    /// Whether the index may differ from the last copy.
    pub(crate) fn is_index_changed(&self) -> bool {
        self.index.changes() != self.index_changes_copied
    }

    /// Notes that the index equals a copy.
    pub(crate) fn note_index_copy(&mut self) {
        self.index_changes_copied = self.index.changes();
    }

    /// Whether the values may differ from the last copy.
    pub(crate) fn are_values_changed(&mut self) -> &mut bool {
        self.column.is_changed()
    }

    /// All values, those of disabled components included.
    pub(crate) fn values<T: Component>(&self) -> AtomicRef<'_, Vec<T>> {
        self.column::<T>().expect("a pool is found by the type of its values").read()
    }

    /// All values for writing; there must be as many owners when the restoring is over.
    pub(crate) fn values_mut<T: Component>(&mut self) -> &mut Vec<T> {
        column_mut::<T>(&mut self.column, self.value_type).values_mut()
    }

    /// Takes over whose the values are, which is a change like any other.
    pub(crate) fn set_index(&mut self, from: &SparseIndex) {
        self.index.for_changes().copy_from(from);
    }
}
