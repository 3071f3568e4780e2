//! Pools in snapshots.

use std::any::TypeId;

use atomic_refcell::AtomicRef;

use super::{Component, Pool, SparseIndex, Values, column_mut};
use crate::component::TickCopy;
use crate::store::Store;

impl Pool {
    #[inline]
    pub(crate) fn value_type(&self) -> TypeId {
        self.value_type
    }

    /// Whether the values may differ from the last copy.
    pub(crate) fn are_values_changed(&mut self) -> &mut bool {
        self.column.is_changed()
    }

    /// Whether ticks may differ from the last copy. Must be asked before the owners and values are copied.
    pub(crate) fn are_ticks_changed(&mut self) -> bool {
        *self.are_values_changed() || self.is_changed() || self.ticks().is_some_and(|ticks| ticks.is_reset())
    }

    /// Copies the ticks. Changes must be tracked.
    pub(crate) fn copy_ticks_to(&mut self, copy: &mut TickCopy) {
        if let Some(ticks) = &mut self.ticks {
            ticks.copy_to(copy);
            ticks.note_copy();
        }
    }

    /// Takes the ticks of a copy. Changes must be tracked, and there must be a tick for each owner.
    pub(crate) fn copy_ticks_from(&mut self, copy: &TickCopy) {
        if let Some(ticks) = &mut self.ticks {
            ticks.copy_from(copy);
            ticks.note_copy();
        }
    }

    /// All values, including disabled components.
    pub(crate) fn values<T: Component>(&self) -> AtomicRef<'_, Values<T>> {
        self.column::<T>().expect("a pool is found by the type of its values").read()
    }

    /// All values for writing. After the restore, there must be as many values as owners.
    pub(crate) fn values_mut<T: Component>(&mut self) -> &mut Values<T> {
        column_mut::<T>(&mut self.column, self.value_type).values_mut()
    }

    /// Forgets which kinds have the component, before a snapshot tells.
    pub(crate) fn forget_homes(&mut self) {
        self.home_kinds.clear();
    }

    /// Counts the values again, after a snapshot was restored.
    pub(crate) fn count_again(&mut self) {
        self.peak = self.peak();
        self.at_home = self.column.at_home();
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
