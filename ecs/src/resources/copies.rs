//! Resources in and out of snapshots.

use std::any::TypeId;

use super::Resources;

impl Resources {
    /// Type and name of a resource by its number, if it is there.
    pub(crate) fn present(&mut self, number: usize) -> Option<(TypeId, &'static str)> {
        let cell = &mut self.cells[number];
        cell.is_there().then(|| (cell.value_type(), self.names[number]))
    }

    /// How many types there are.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The resource, and whether it may differ from the last copy.
    pub(crate) fn for_copy<T: Send + Sync + 'static>(&mut self) -> (usize, &mut Option<T>, &mut bool) {
        let id = self.register::<T>();
        let cell = self.cell_mut(id);
        (id.0 as usize, cell.value.get_mut(), cell.is_changed.get_mut())
    }

    /// Drops the resources that `is_kept` does not name; resources may have come or gone.
    pub(crate) fn retain(&mut self, mut is_kept: impl FnMut(TypeId) -> bool) {
        self.changes += 1;
        for cell in &mut self.cells {
            if cell.is_there() && !is_kept(cell.value_type()) {
                cell.clear();
            }
        }
    }
}
