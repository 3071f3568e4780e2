//! Resources in snapshots.

use std::any::TypeId;

use super::{Resources, Revisions};

impl Resources {
    /// The type and name of a resource by its number, if it is present.
    pub(crate) fn present(&mut self, number: usize) -> Option<(TypeId, &'static str)> {
        let cell = &mut self.cells[number];
        cell.is_there().then(|| (cell.value_type(), self.names[number]))
    }

    /// When a resource was inserted and changed, by its number.
    pub(crate) fn revisions(&mut self, number: usize) -> Revisions {
        *self.cells[number].revisions()
    }

    /// Restores when a resource was inserted and changed.
    pub(crate) fn set_revisions(&mut self, resource: TypeId, revisions: Revisions) {
        if let Some(id) = self.ids.get(&resource) {
            *self.cells[id.0 as usize].revisions() = revisions;
        }
    }

    /// The number of types.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The number of a resource, the resource, and its dirty flag.
    pub(crate) fn for_copy<T: Send + Sync + 'static>(&mut self) -> (usize, &mut Option<T>, &mut bool) {
        let id = self.register::<T>();
        let cell = self.cell_mut(id);
        (id.0 as usize, &mut cell.tracked.get_mut().value, cell.is_changed.get_mut())
    }

    /// Drops all resources except those for which `is_kept` returns true.
    pub(crate) fn retain(&mut self, mut is_kept: impl FnMut(TypeId) -> bool) {
        self.changes += 1;
        for cell in &mut self.cells {
            if cell.is_there() && !is_kept(cell.value_type()) {
                cell.clear();
            }
        }
    }
}
