//! Pools in snapshots.

use std::any::TypeId;

use atomic_refcell::AtomicRef;

use super::{Component, Pool, SparseIndex, column_mut};
use crate::snapshot::Store;

impl Pool {
    pub(crate) fn value_type(&self) -> TypeId {
        self.value_type
    }

    /// Whether the values may differ from the last copy.
    pub(crate) fn are_values_changed(&mut self) -> &mut bool {
        self.column.is_changed()
    }

    /// All values, including disabled components.
    pub(crate) fn values<T: Component>(&self) -> AtomicRef<'_, Vec<T>> {
        self.column::<T>().expect("a pool is found by the type of its values").read()
    }

    /// All values for writing. After the restore, there must be as many values as owners.
    pub(crate) fn values_mut<T: Component>(&mut self) -> &mut Vec<T> {
        column_mut::<T>(&mut self.column, self.value_type).values_mut()
    }
}

/// The index; values are copied by their type.
impl Store for Pool {
    type Copy = SparseIndex;

    fn is_changed(&self) -> bool {
        self.index.changes() != self.index_changes_copied
    }

    fn note_copy(&mut self) {
        self.index_changes_copied = self.index.changes();
    }

    fn copy_to(&self, copy: &mut SparseIndex) {
        copy.copy_from(&self.index);
    }

    fn copy_from(&mut self, copy: &SparseIndex) {
        self.index.for_changes().copy_from(copy);
    }
}
