//! Pools in and out of snapshots.

use std::any::TypeId;

use atomic_refcell::AtomicRef;

use super::{Component, Pool, SparseIndex};

impl Pool {
    pub(crate) fn value_type(&self) -> TypeId {
        self.value_type
    }

    /// The index for copying, and whether it may differ from the last copy.
    pub(crate) fn index_for_copy(&mut self) -> (&SparseIndex, &mut bool) {
        (&self.index, &mut self.is_index_changed)
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
        self.column_mut::<T>().values_mut()
    }

    /// Takes over whose the values are.
    pub(crate) fn set_index(&mut self, from: &SparseIndex) {
        self.is_index_changed = true;
        self.index.copy_from(from);
    }
}
