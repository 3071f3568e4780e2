//! Removes values: all of them, even if one panics when it is dropped.

use crate::component::SparseIndex;
use crate::entity::{EntityId, Gap};

/// Removes rows of a kind, one after the other.
pub(super) struct GapsRemoval<'a, T> {
    pub(super) gaps: std::slice::Iter<'a, Gap>,
    pub(super) values: &'a mut Vec<T>,
}

impl<T> GapsRemoval<'_, T> {
    pub(super) fn all(&mut self) {
        for gap in self.gaps.by_ref() {
            drop(gap.take_from(self.values));
        }
    }
}

impl<T> Drop for GapsRemoval<'_, T> {
    fn drop(&mut self) {
        self.all();
    }
}

/// Removes extras and their owners.
pub(super) struct ExtrasRemoval<'a, T> {
    pub(super) index: &'a mut SparseIndex,
    pub(super) values: &'a mut Vec<T>,
    pub(super) owners: std::slice::Iter<'a, EntityId>,
}

impl<T> ExtrasRemoval<'_, T> {
    pub(super) fn all(&mut self) {
        for owner in self.owners.by_ref() {
            if let Some(gap) = self.index.remove(*owner) {
                drop(gap.take_from(self.values));
            }
        }
    }
}

impl<T> Drop for ExtrasRemoval<'_, T> {
    fn drop(&mut self) {
        self.all();
    }
}
