//! The pool of one component type: a sparse set with the enabled components first and the disabled ones behind.
//!
//! # Invariants
//! 1. There are as many values as owners in the index, except while `component/bulk.rs` adds many. `query/fetch.rs` relies on
//!    this.
//! 2. `column` is a `Column<T>` for the `T` whose `TypeId` is `value_type`: both are set by [`Pool::of`] and never again.
#![allow(unsafe_code)]

mod copies;

use std::any::TypeId;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use atomic_refcell::{AtomicRef, AtomicRefCell, AtomicRefMut};

use super::Component;
use super::sparse_index::{Gap, NewIds, Place, SparseIndex};
use super::ticks::Ticks;
use crate::entity::EntityId;
use crate::event::{EventBuffer, EventTypeId, Removed};
use crate::panic::FirstPanic;
use crate::type_map::short_name;

/// All components of one type: their owners, and their values side by side.
///
/// Inserting, removing and toggling are O(1) and move at most two other components. Changing the index takes an exclusive borrow of
/// the pool; the values are in a cell of their own.
pub(crate) struct Pool {
    index: SparseIndex,
    column: Box<dyn AnyColumn>,
    /// The change counter of the index when it was last copied to or from a snapshot.
    index_changes_copied: u64,
    value_type: TypeId,
    /// Only if a query asks for added or changed components of the type. Boxed, because most pools have none.
    ticks: Option<Box<Ticks>>,
}

impl Pool {
    pub(super) fn of<T: Component>() -> Self {
        Self {
            index: SparseIndex::default(),
            column: Box::new(Column::<T>::default()),
            index_changes_copied: 0,
            value_type: TypeId::of::<T>(),
            ticks: None,
        }
    }

    pub(crate) fn index(&self) -> &SparseIndex {
        &self.index
    }

    /// The ticks, if changes are tracked.
    #[inline]
    pub(crate) fn ticks(&self) -> Option<&Ticks> {
        self.ticks.as_deref()
    }

    /// Begins to track changes. All components count as added and changed at `tick`.
    pub(super) fn track(&mut self, tick: u64) {
        let mut ticks = Ticks::default();
        ticks.reset(self.index.sparse().len(), tick);
        self.ticks = Some(Box::new(ticks));
    }

    /// Marks the component of an entity that is about to be inserted or replaced, if changes are tracked.
    pub(super) fn mark_insertion(&mut self, entity: EntityId, tick: u64) {
        let is_new = self.index.position(entity).is_none();
        if let Some(ticks) = &mut self.ticks {
            ticks.insert(entity, is_new, tick);
        }
    }

    /// Bytes on the heap for the index and the ticks.
    pub(super) fn index_bytes_held(&self) -> usize {
        self.index.held_bytes() + self.ticks().map_or(0, Ticks::held_bytes)
    }

    /// Bytes on the heap for the values.
    pub(super) fn value_bytes_held(&self, value_bytes: usize) -> usize {
        self.column.capacity() * value_bytes
    }

    /// Makes room for `additional` components, of entities with indices below `indices`.
    pub(super) fn reserve(&mut self, additional: usize, indices: usize) {
        self.index.reserve(additional, indices);
        self.column.reserve(additional);
        if let Some(ticks) = &mut self.ticks {
            ticks.make_room(indices);
        }
    }

    pub(super) fn shrink(&mut self) {
        self.index.shrink();
        self.column.shrink();
        if let Some(ticks) = &mut self.ticks {
            ticks.shrink(self.index.sparse().len());
        }
    }

    /// The values, if `T` is their type.
    #[inline]
    pub(crate) fn column<T: Component>(&self) -> Option<&Column<T>> {
        // SAFETY: invariant 2: the type was just compared.
        (self.value_type == TypeId::of::<T>()).then(|| unsafe { &*ptr::from_ref(&*self.column).cast::<Column<T>>() })
    }

    /// Whether the component of an owner is enabled, if its changes are tracked.
    pub(super) fn is_tracked_enabled(&self, entity: EntityId) -> Option<bool> {
        self.ticks.as_ref()?;
        Some(self.index.position(entity)? < self.index.active())
    }

    /// Notes that the component of an owner, whose changes are tracked, was enabled at `tick`, or disabled when all systems had seen what
    /// happened up to the tick `seen`.
    pub(super) fn note_switch(&mut self, entity: EntityId, is_enabled: bool, tick: u64, seen: u64) {
        match (&mut self.ticks, is_enabled) {
            (Some(ticks), true) => ticks.show(entity, tick),
            (Some(ticks), false) => ticks.hide(entity, seen),
            (None, _) => {}
        }
    }

    /// A component for writing. If changes are tracked, raises `tick` and marks the component.
    pub(crate) fn get_mut<T: Component>(&mut self, entity: EntityId, tick: &mut u64) -> Option<&mut T> {
        let position = self.index.position(entity)?;
        if let Some(ticks) = &self.ticks {
            *tick += 1;
            ticks.mark(entity, *tick);
        }
        column_mut::<T>(&mut self.column, self.value_type).values_mut().get_mut(position)
    }

    /// # Panics
    /// If `T` is not the type of its values.
    pub(crate) fn index_and_values<T: Component>(&mut self) -> (&SparseIndex, &mut [T]) {
        (&self.index, column_mut(&mut self.column, self.value_type).values_mut())
    }

    /// The pool with its type.
    ///
    /// # Panics
    /// If `T` is not the type of its values.
    #[inline]
    pub(super) fn typed<T: Component>(&mut self) -> TypedPool<'_, T> {
        let Self { index, column, value_type, .. } = self;
        TypedPool { index: index.for_changes(), values: column_mut(column, *value_type).values_mut() }
    }

    /// As [`Pool::typed`], with the ticks.
    #[inline]
    pub(super) fn typed_with_ticks<T: Component>(&mut self) -> (TypedPool<'_, T>, Option<&mut Ticks>) {
        let Self { index, column, value_type, ticks, .. } = self;
        let values = column_mut(column, *value_type).values_mut();
        (TypedPool { index: index.for_changes(), values }, ticks.as_deref_mut())
    }

    /// Removes the component and sends it in its event or drops it. The last enabled and the last disabled one may move into the
    /// gap.
    #[inline]
    pub(super) fn remove(&mut self, entity: EntityId, announce: Option<(EventTypeId, &EventBuffer)>) {
        if let Some(gap) = self.index.for_changes().remove(entity) {
            self.column.remove(gap, entity, announce);
        }
    }

    /// Removes the components of many entities and drops them, with the result of [`Pool::remove`] in the same order. Skips
    /// entities without a component.
    pub(super) fn remove_all(&mut self, runs: Runs<'_, '_>) {
        self.column.remove_all(self.index.for_changes(), runs);
    }

    /// Removes all components and drops them.
    pub(crate) fn clear(&mut self) {
        self.index.for_changes().clear();
        self.column.truncate(0);
    }

    /// As [`Pool::clear`], one by one, even if some panic when they are dropped.
    pub(super) fn clear_each(&mut self, panics: &mut FirstPanic) {
        let len = self.index.len();
        self.index.for_changes().clear();
        (0..len).rev().for_each(|len| _ = panics.catch(|| self.column.truncate(len)));
        self.clear();
    }

    /// Adds enabled owners, whose values are already at the end of the column.
    pub(super) fn extend(&mut self, new: NewIds<'_>) {
        if self.index.active() == self.index.len() {
            return self.index.for_changes().extend(new);
        }
        for entity in new.ids {
            let last = self.index.len();
            if let Place::Behind(at) = self.index.for_changes().insert_new(*entity, true) {
                self.column.swap(at, last);
            }
        }
    }

    /// Counts a new group as a change of the index, since queries may iterate over another list now.
    pub(super) fn note_new_group(&mut self) {
        self.index.for_changes();
    }

    /// Drops the values that have no owner.
    pub(super) fn drop_ownerless(&mut self) {
        self.column.truncate(self.index.len());
    }

    /// Moves the component across the enabled/disabled boundary after its entity was enabled or disabled.
    pub(super) fn follow_entity(&mut self, entity: EntityId, is_entity_enabled: bool) {
        match self.index.for_changes().follow_entity(entity, is_entity_enabled) {
            Some((from, to)) if from != to => self.column.swap(from, to),
            _ => {}
        }
    }

    /// Swaps two components. The caller keeps the enabled ones in front.
    #[inline]
    pub(super) fn swap(&mut self, a: usize, b: usize) {
        if a != b {
            self.index.for_changes().swap(a, b);
            self.column.swap(a, b);
        }
    }

    /// Swaps the component of `entity`, if it has one, with the one at a row.
    pub(super) fn move_to_row(&mut self, entity: EntityId, row: usize) {
        if let Some(position) = self.index.position(entity) {
            self.swap(position, row);
        }
    }
}

/// # Panics
/// If `T` is not the type of the values.
#[inline]
fn column_mut<T: Component>(column: &mut Box<dyn AnyColumn>, value_type: TypeId) -> &mut Column<T> {
    assert!(value_type == TypeId::of::<T>(), "a pool is found by the type of its values");
    // SAFETY: invariant 2: the type was just compared.
    unsafe { &mut *ptr::from_mut(&mut **column).cast::<Column<T>>() }
}

/// A pool with its type.
pub(super) struct TypedPool<'a, T> {
    pub(super) index: &'a mut SparseIndex,
    pub(super) values: &'a mut Vec<T>,
}

impl<T: Component> TypedPool<'_, T> {
    /// Enables or disables the component itself. It counts as enabled if its entity is enabled, too. Returns whether there is one.
    #[inline]
    pub(super) fn switch(&mut self, entity: EntityId, on: bool, is_entity_enabled: bool) -> bool {
        let Some((from, to)) = self.index.switch(entity, on, is_entity_enabled) else { return false };
        if from != to {
            self.values.swap(from, to);
        }
        true
    }

    /// Inserts or replaces; returns the replaced value. A new component is enabled if its entity is.
    #[inline(always)]
    pub(super) fn insert(&mut self, entity: EntityId, value: T, is_entity_enabled: bool) -> Option<T> {
        if is_entity_enabled && self.index.add_last(entity) {
            self.values.push(value);
            return None;
        }
        self.insert_anywhere(entity, value, is_entity_enabled)
    }

    #[inline(never)]
    fn insert_anywhere(&mut self, entity: EntityId, value: T, is_entity_enabled: bool) -> Option<T> {
        match self.index.place(entity, is_entity_enabled) {
            Place::Taken(position) => return Some(std::mem::replace(&mut self.values[position], value)),
            Place::Last => self.values.push(value),
            Place::Behind(at) => push_behind(self.values, at, value),
        }
        None
    }

    /// Inserts the component of an entity that is enabled and has none.
    #[inline(always)]
    pub(super) fn insert_new(&mut self, entity: EntityId, value: T) {
        match self.index.add_enabled(entity) {
            None => self.values.push(value),
            Some(at) => push_behind(self.values, at, value),
        }
    }

    /// Removes the component and returns it.
    #[inline(always)]
    pub(super) fn remove(&mut self, entity: EntityId) -> Option<T> {
        Some(self.index.remove(entity)?.take_from(self.values))
    }

    /// As [`TypedPool::remove`], for an entity whose component is at a known position.
    #[inline(always)]
    pub(super) fn remove_at(&mut self, entity: EntityId, position: usize) -> Option<T> {
        Some(self.index.remove_at(entity, position)?.take_from(self.values))
    }

    /// As [`TypedPool::remove`], and sends the event of the removal.
    pub(super) fn take(&mut self, entity: EntityId, announce: Option<(EventTypeId, &EventBuffer)>) -> Option<T> {
        let value = self.remove(entity)?;
        if let Some((event_type, buffer)) = announce {
            // SAFETY: there is a listener, so `Removed<T>` is an event and `T` is `Copy`: a second value may exist.
            let value = unsafe { std::ptr::read(&raw const value) };
            buffer.push(event_type, Removed { entity, value });
        }
        Some(value)
    }

    /// Swaps two components. The caller keeps the enabled ones in front.
    #[inline]
    pub(super) fn swap(&mut self, a: usize, b: usize) {
        if a != b {
            self.index.swap(a, b);
            self.values.swap(a, b);
        }
    }
}

/// Appends a value and swaps it with the one at a position.
#[cold]
fn push_behind<T>(values: &mut Vec<T>, at: usize, value: T) {
    values.push(value);
    let last = values.len() - 1;
    values.swap(at, last);
}

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
type Runs<'a, 'r> = &'a mut dyn Iterator<Item = &'r [EntityId]>;

/// A column of any component type.
trait AnyColumn: Send + Sync {
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

/// The pool of a component type, borrowed for reading: its enabled components are one slice.
pub struct PoolRef<'w, T> {
    index: &'w SparseIndex,
    values: &'w [T],
}

impl<'w, T: Component> PoolRef<'w, T> {
    /// `None` if `T` is not the type of the pool. The caller has the pool from a shared world, so no system writes to it (see
    /// `world/peek.rs`).
    pub(crate) fn new(pool: &'w Pool) -> Option<Self> {
        let values: *const Vec<T> = pool.column()?.values_ptr();
        // SAFETY: no system writes to the pool for `'w`.
        Some(Self { index: &pool.index, values: unsafe { &*values } })
    }

    /// The number of components, disabled ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there is no component, disabled ones included.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The enabled components in a deterministic order; parallel to [`PoolRef::owners`].
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
