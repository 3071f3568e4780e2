//! The dense pool of one component type: a sparse set whose disabled part lies behind its enabled part.
//!
//! Invariant, which `query/fetch.rs` rests on: there are as many values as owners in the index.

use atomic_refcell::{AtomicRef, AtomicRefCell, AtomicRefMut};

use super::sparse_index::SparseIndex;
use crate::entity::EntityId;
use crate::type_map::short_name;

/// All components of type `T`, side by side in memory.
///
/// Inserting, removing and toggling are O(1) and move at most two other components. The index changes only where the
/// whole pool is borrowed; the values are in a cell, to be borrowed by one system for writing or by several for
/// reading. The work order never lets two systems conflict there; the cell is the net beneath it.
#[derive(Debug)]
pub(crate) struct Pool<T> {
    index: SparseIndex,
    values: AtomicRefCell<Vec<T>>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { index: SparseIndex::default(), values: AtomicRefCell::new(Vec::new()) }
    }
}

impl<T> Pool<T> {
    pub(crate) fn index(&self) -> &SparseIndex {
        &self.index
    }

    /// # Panics
    /// If a running system writes to the pool, which the work order rules out.
    pub(crate) fn read(&self) -> AtomicRef<'_, Vec<T>> {
        self.values.try_borrow().unwrap_or_else(|_| panic!("pool of {} is being written", short_name::<T>()))
    }

    /// # Panics
    /// If a running system uses the pool, which the work order rules out.
    pub(crate) fn write(&self) -> AtomicRefMut<'_, Vec<T>> {
        self.values.try_borrow_mut().unwrap_or_else(|_| panic!("pool of {} is in use", short_name::<T>()))
    }

    /// Where the values are, for whoever knows that nobody writes to them.
    pub(crate) fn values_ptr(&self) -> *const Vec<T> {
        self.values.as_ptr()
    }

    pub(crate) fn get_mut(&mut self, entity: EntityId) -> Option<&mut T> {
        let position = self.index.position(entity)?;
        self.values.get_mut().get_mut(position)
    }

    /// Inserts or replaces; returns the replaced value. A new component is enabled if its entity is.
    pub(crate) fn insert(&mut self, entity: EntityId, value: T, is_entity_enabled: bool) -> Option<T> {
        if let Some(old) = self.get_mut(entity) {
            return Some(std::mem::replace(old, value));
        }
        self.index.push(entity);
        self.values.get_mut().push(value);
        if is_entity_enabled {
            self.activate(self.index.len() - 1);
        }
        None
    }

    /// Takes the component out; the last enabled and the last disabled one may move into the gap.
    pub(crate) fn remove(&mut self, entity: EntityId) -> Option<T> {
        let mut position = self.index.position(entity)?;
        if position < self.index.active() {
            position = self.deactivate(position);
        }
        self.swap(position, self.index.len() - 1);
        self.index.pop();
        self.values.get_mut().pop()
    }

    /// Switches the component itself; it is enabled when both it and its entity are. Returns whether there is one.
    pub(crate) fn switch(&mut self, entity: EntityId, on: bool, is_entity_enabled: bool) -> bool {
        if self.index.position(entity).is_none() {
            return false;
        }
        self.index.set_off(entity, !on);
        self.follow_entity(entity, is_entity_enabled);
        true
    }

    /// Moves the component into the part where it belongs after its entity was enabled or disabled.
    pub(crate) fn follow_entity(&mut self, entity: EntityId, is_entity_enabled: bool) {
        let Some(position) = self.index.position(entity) else { return };
        let belongs_active = is_entity_enabled && !self.index.is_off(entity);
        if belongs_active && position >= self.index.active() {
            self.activate(position);
        } else if !belongs_active && position < self.index.active() {
            self.deactivate(position);
        }
    }

    fn activate(&mut self, position: usize) {
        let active = self.index.active();
        self.swap(position, active);
        self.index.set_active(active + 1);
    }

    /// Returns the position to which the component went.
    fn deactivate(&mut self, position: usize) -> usize {
        let last = self.index.active() - 1;
        self.index.set_active(last);
        self.swap(position, last);
        last
    }

    fn swap(&mut self, a: usize, b: usize) {
        if a != b {
            self.index.swap(a, b);
            self.values.get_mut().swap(a, b);
        }
    }
}

/// The pool of a component type, borrowed for reading: its enabled components are one slice.
pub struct PoolRef<'w, T> {
    index: &'w SparseIndex,
    values: AtomicRef<'w, Vec<T>>,
}

impl<'w, T> PoolRef<'w, T> {
    pub(crate) fn new(pool: &'w Pool<T>) -> Self {
        Self { index: &pool.index, values: pool.read() }
    }

    /// How many components there are, disabled ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there is no component, disabled ones included.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The enabled components, in an order that depends on nothing but the changes so far; parallel to [`PoolRef::owners`].
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.values[..self.index.active()]
    }

    /// The entities whose component is enabled, parallel to [`PoolRef::values`].
    #[must_use]
    pub fn owners(&self) -> &[EntityId] {
        &self.index.owners()[..self.index.active()]
    }

    /// The component of `entity`, disabled or not. O(1).
    #[must_use]
    pub fn get(&self, entity: EntityId) -> Option<&T> {
        self.values.get(self.index.position(entity)?)
    }

    /// Whether the component of `entity` and its entity are enabled; `None` if it has none. O(1).
    #[must_use]
    pub fn is_enabled(&self, entity: EntityId) -> Option<bool> {
        self.index.position(entity).map(|position| position < self.index.active())
    }
}

#[cfg(test)]
mod tests;
