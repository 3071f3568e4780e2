//! The pool of one component type: a column for each kind of entities that is made with it, and a sparse set for
//! components that were inserted later, the *extras*, with the enabled ones first and the disabled ones behind.
//!
//! # Invariants
//! 1. A component is in the row of its entity in the column of its kind, or in the sparse set: in exactly one. A
//!    component that is itself disabled is in the sparse set.
//! 2. There is a column for each kind that has the component, which `home_kinds` tells. It has as many values as the
//!    kind has rows, except while `component/bulk.rs` adds many. All other columns are empty. The sparse set has as
//!    many values as owners in the index. `query/fetch.rs` relies on this.
//! 3. `column` is a `Column<T>` for the `T` whose `TypeId` is `value_type`: both are set by [`Pool::of`] and never
//!    again.
#![allow(unsafe_code)]

mod copies;
mod rows;

use std::any::TypeId;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use atomic_refcell::{AtomicRef, AtomicRefCell, AtomicRefMut};

pub use self::rows::PoolRef;
pub(crate) use self::rows::{Place as RowPlace, PoolRows};
use super::hooks::{Hook, Leaving, release};
use super::sparse_index::{Place, SparseIndex};
use super::ticks::Ticks;
use super::{Component, ComponentId};
use crate::entity::{EntityId, EntityTable, Gap, Location, Moved, NewRow};
use crate::panic::{FirstPanic, drop_each, to_the_end};
use crate::resources::Resources;
use crate::type_map::short_name;

/// All components of one type.
///
/// Inserting, removing and toggling extras are O(1) and move at most two other components. Changing the rows of kinds
/// or the index takes an exclusive borrow of the pool; the values are in a cell of their own.
pub(crate) struct Pool {
    /// The owners of extras.
    index: SparseIndex,
    column: Box<dyn AnyColumn>,
    /// The change counter of the index when it was last copied to or from a snapshot.
    index_changes_copied: u64,
    value_type: TypeId,
    /// By the number of a kind: whether it has the component.
    home_kinds: Vec<bool>,
    /// The number of components in columns of kinds.
    at_home: usize,
    /// Most components at the time of a removal.
    peak: usize,
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
            home_kinds: Vec::new(),
            at_home: 0,
            peak: 0,
            ticks: None,
        }
    }

    /// The owners of extras.
    #[inline]
    pub(crate) fn index(&self) -> &SparseIndex {
        &self.index
    }

    /// The number of components, disabled ones included.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.at_home + self.index.len()
    }

    /// Most components at any time.
    pub(crate) fn peak(&self) -> usize {
        self.peak.max(self.len())
    }

    /// By the number of a kind: whether it has the component. Kinds behind the end have not.
    #[inline]
    pub(crate) fn home_kinds(&self) -> &[bool] {
        &self.home_kinds
    }

    /// Whether entities of a kind have the component in their rows.
    #[inline]
    pub(crate) fn is_home(&self, kind: usize) -> bool {
        self.home_kinds.get(kind).is_some_and(|is_home| *is_home)
    }

    /// Whether the entity at a location has the component.
    #[inline]
    pub(crate) fn has(&self, entity: EntityId, location: Location) -> bool {
        self.is_home(location.kind) || location.has_extras && self.index.position(entity).is_some()
    }

    /// Sets whether a kind has the component. Its column must be empty.
    pub(super) fn set_home(&mut self, kind: usize, is_home: bool) {
        if self.home_kinds.len() <= kind {
            self.home_kinds.resize(kind + 1, false);
        }
        self.home_kinds[kind] = is_home;
        if is_home {
            self.column.make_home(kind);
        }
    }

    /// The ticks, if changes are tracked.
    #[inline]
    pub(crate) fn ticks(&self) -> Option<&Ticks> {
        self.ticks.as_deref()
    }

    /// Begins to track changes of entities with indices below `indices`. All components count as added and changed at
    /// `tick`.
    pub(super) fn track(&mut self, indices: usize, tick: u64) {
        let mut ticks = Ticks::default();
        ticks.reset(indices, tick);
        self.ticks = Some(Box::new(ticks));
    }

    /// Marks the component of an entity that is about to be inserted or replaced, if changes are tracked.
    pub(super) fn mark_insertion(&mut self, entity: EntityId, is_new: bool, tick: u64) {
        if let Some(ticks) = &mut self.ticks {
            ticks.insert(entity, is_new, tick);
        }
    }

    /// Bytes on the heap for the index, the ticks and the lists of kinds.
    pub(super) fn index_bytes_held(&self) -> usize {
        let lists = self.home_kinds.capacity() + self.column.list_bytes_held();
        self.index.held_bytes() + self.ticks().map_or(0, Ticks::held_bytes) + lists
    }

    /// Bytes on the heap for the values.
    pub(super) fn value_bytes_held(&self, value_bytes: usize) -> usize {
        self.column.capacity() * value_bytes
    }

    /// Makes room for `additional` components of a kind, of entities with indices below `indices`.
    pub(super) fn reserve(&mut self, kind: usize, additional: usize, indices: usize) {
        self.column.reserve(kind, additional);
        if let Some(ticks) = &mut self.ticks {
            ticks.make_room(indices);
        }
    }

    /// `indices` is behind the last index of an entity.
    pub(super) fn shrink(&mut self, indices: usize) {
        self.index.shrink();
        self.column.shrink();
        if let Some(ticks) = &mut self.ticks {
            ticks.shrink(indices);
        }
    }

    /// The values, if `T` is their type.
    #[inline]
    pub(crate) fn column<T: Component>(&self) -> Option<&Column<T>> {
        // SAFETY: invariant 3: the type was just compared.
        (self.value_type == TypeId::of::<T>()).then(|| unsafe { &*ptr::from_ref(&*self.column).cast::<Column<T>>() })
    }

    /// Notes that the component of an owner, if its changes are tracked, was enabled at `tick`, or disabled when all
    /// systems had seen what happened up to the tick `seen`.
    pub(super) fn note_switch(&mut self, entity: EntityId, is_enabled: bool, tick: u64, seen: u64) {
        match (&mut self.ticks, is_enabled) {
            (Some(ticks), true) => ticks.show(entity, tick),
            (Some(ticks), false) => ticks.hide(entity, seen),
            (None, _) => {}
        }
    }

    /// A component for writing. If changes are tracked, raises `tick` and marks the component.
    #[inline]
    pub(crate) fn get_mut<T: Component>(
        &mut self,
        entity: EntityId,
        location: Location,
        tick: &mut u64,
    ) -> Option<&mut T> {
        if self.ticks.is_some() && self.has(entity, location) {
            *tick += 1;
        }
        self.get_mut_at(entity, location, *tick)
    }

    /// A component for writing. If changes are tracked, marks it with a tick.
    #[inline]
    pub(super) fn get_mut_at<T: Component>(
        &mut self,
        entity: EntityId,
        location: Location,
        tick: u64,
    ) -> Option<&mut T> {
        let Self { index, column, value_type, ticks, .. } = self;
        let value = column_mut::<T>(column, *value_type).values_mut().get_mut(index, entity, location)?;
        if let Some(ticks) = ticks {
            ticks.mark(entity, tick);
        }
        Some(value)
    }

    /// A component for reading.
    #[inline]
    pub(super) fn get<T: Component>(&self, entity: EntityId, location: Location) -> Option<&T> {
        self.peek::<T>()?.get(&self.index, entity, location)
    }

    /// The values without a guard, for callers that have the pool exclusively or from a shared world.
    #[inline]
    fn peek<T: Component>(&self) -> Option<&Values<T>> {
        // SAFETY: no system writes to the pool meanwhile (see `world/peek.rs`).
        Some(unsafe { &*self.column::<T>()?.values_ptr() })
    }

    /// The pool with its type.
    ///
    /// # Panics
    /// If `T` is not the type of its values.
    #[inline]
    pub(super) fn typed<T: Component>(&mut self) -> TypedPool<'_, T> {
        let Self { index, column, value_type, peak, at_home, .. } = self;
        TypedPool { index: index.for_changes(), values: column_mut(column, *value_type).values_mut(), peak, at_home }
    }

    /// Adds a value to the end of the column of a kind, whose rows the caller changes.
    #[inline(always)]
    pub(super) fn push_home<T: Component>(&mut self, kind: usize, value: T) {
        self.at_home += 1;
        column_mut::<T>(&mut self.column, self.value_type).values_mut().homes[kind].push(value);
    }

    /// The column of a kind, to add many values. [`Pool::note_pushed`] counts them.
    pub(super) fn home_mut<T: Component>(&mut self, kind: usize) -> &mut Vec<T> {
        &mut column_mut::<T>(&mut self.column, self.value_type).values_mut().homes[kind]
    }

    /// Counts values that were added to the columns of kinds.
    pub(super) fn note_pushed(&mut self, count: usize) {
        self.at_home += count;
    }

    /// Drops the values of a kind from `len` on, which have no owners.
    pub(super) fn truncate_home(&mut self, kind: usize, len: usize) {
        self.column.truncate_home(kind, len);
    }

    /// Swaps two rows of a kind.
    #[inline]
    pub(super) fn swap_home(&mut self, kind: usize, a: usize, b: usize) {
        if a != b {
            self.column.swap_home(kind, a, b);
        }
    }

    fn note_fewer_at_home(&mut self, count: usize) {
        self.peak = self.peak();
        self.at_home -= count;
    }

    /// Removes a row of a kind and sends its component in its event or drops it.
    #[inline]
    pub(super) fn remove_home(&mut self, kind: usize, gap: Gap, entity: EntityId, leaving: Option<Leaving<'_>>) {
        self.note_fewer_at_home(1);
        self.column.remove_home(kind, gap, entity, leaving);
    }

    /// Removes rows of a kind, one after the other, and drops their components: all of them, even if one panics.
    pub(super) fn remove_rows(&mut self, kind: usize, gaps: &[Gap], are_all: bool) {
        self.note_fewer_at_home(gaps.len());
        if are_all { self.column.truncate_home(kind, 0) } else { self.column.remove_rows(kind, gaps) }
    }

    /// Removes a row of a kind and returns its component.
    pub(super) fn take_home<T: Component>(&mut self, kind: usize, gap: Gap) -> T {
        self.note_fewer_at_home(1);
        gap.take_from(self.home_mut(kind))
    }

    /// Moves a component from a kind to another.
    pub(super) fn follow_row(&mut self, moved: Moved) {
        self.column.follow_row(moved);
    }

    /// Moves a component from a row of a kind to the extras.
    pub(super) fn home_to_extra(&mut self, kind: usize, gap: Gap, entity: EntityId, is_entity_enabled: bool) {
        let place = self.index.for_changes().insert_new(entity, is_entity_enabled);
        self.at_home -= 1;
        self.column.home_to_extra(kind, gap, place);
    }

    /// Moves an extra to a new row of a kind.
    pub(super) fn extra_to_home(&mut self, entity: EntityId, kind: usize, new: NewRow) {
        if let Some(gap) = self.index.for_changes().remove(entity) {
            self.at_home += 1;
            self.column.extra_to_home(gap, kind, new);
        }
    }

    /// Removes an extra and sends it in its event or drops it. The last enabled and the last disabled one may move into
    /// the gap.
    #[inline]
    pub(super) fn remove_extra(&mut self, entity: EntityId, leaving: Option<Leaving<'_>>) {
        self.peak = self.peak();
        if let Some(gap) = self.index.for_changes().remove(entity) {
            self.column.remove_extra(gap, entity, leaving);
        }
    }

    /// Removes the extras of many entities and drops them. Skips entities that have none.
    pub(super) fn remove_extras(&mut self, entities: &[EntityId]) {
        self.peak = self.peak();
        self.column.remove_extras(self.index.for_changes(), entities);
    }

    /// Sets the hook of the type.
    ///
    /// # Panics
    /// If `T` is not the type of its values.
    pub(super) fn set_hook<T: Component>(&mut self, hook: Hook<T>) {
        column_mut(&mut self.column, self.value_type).hook = Some(hook);
    }

    /// Shows all values to the hook of the type before they are replaced.
    pub(super) fn show_all(
        &mut self,
        table: &EntityTable,
        id: ComponentId,
        resources: &Resources,
        panics: &mut FirstPanic,
    ) {
        self.column.show_all(PoolRows { table, id, extras: &self.index }, resources, panics);
    }

    /// Calls the hook of a value that left and sends its event, if there are any, or drops it.
    #[inline]
    pub(super) fn release<T: Component>(&self, value: T, entity: EntityId, leaving: Option<Leaving<'_>>) {
        if let (Some(leaving), Some(column)) = (leaving, self.column::<T>()) {
            release(column.hook.as_ref(), value, entity, leaving);
        }
    }

    /// Removes all components and drops them one by one, even if some panic. The kinds keep their columns.
    pub(crate) fn clear(&mut self, panics: &mut FirstPanic) {
        self.peak = self.peak();
        self.at_home = 0;
        self.index.for_changes().clear();
        self.column.clear(panics);
    }

    /// Moves an extra across the enabled/disabled boundary after its entity was enabled or disabled. Returns whether it
    /// is enabled now, if that changed.
    pub(super) fn follow_entity(&mut self, entity: EntityId, is_entity_enabled: bool) -> Option<bool> {
        let was_enabled = self.is_extra_enabled(entity)?;
        match self.index.for_changes().follow_entity(entity, is_entity_enabled) {
            Some((from, to)) if from != to => self.column.swap_extras(from, to),
            _ => {}
        }
        self.is_extra_enabled(entity).filter(|is_enabled| *is_enabled != was_enabled)
    }

    /// Enables or disables an extra itself. It counts as enabled if its entity is enabled, too. Returns whether it is
    /// enabled now, if that changed.
    pub(super) fn switch(&mut self, entity: EntityId, on: bool, is_entity_enabled: bool) -> Option<bool> {
        let was_enabled = self.is_extra_enabled(entity)?;
        match self.index.for_changes().switch(entity, on, is_entity_enabled) {
            Some((from, to)) if from != to => self.column.swap_extras(from, to),
            _ => {}
        }
        self.is_extra_enabled(entity).filter(|is_enabled| *is_enabled != was_enabled)
    }

    fn is_extra_enabled(&self, entity: EntityId) -> Option<bool> {
        Some(self.index.position(entity)? < self.index.active())
    }
}

/// # Panics
/// If `T` is not the type of the values.
#[inline]
fn column_mut<T: Component>(column: &mut Box<dyn AnyColumn>, value_type: TypeId) -> &mut Column<T> {
    assert!(value_type == TypeId::of::<T>(), "a pool is found by the type of its values");
    // SAFETY: invariant 3: the type was just compared.
    unsafe { &mut *ptr::from_mut(&mut **column).cast::<Column<T>>() }
}

/// A pool with its type.
pub(super) struct TypedPool<'a, T> {
    pub(super) index: &'a mut SparseIndex,
    pub(super) values: &'a mut Values<T>,
    peak: &'a mut usize,
    at_home: &'a mut usize,
}

impl<T: Component> TypedPool<'_, T> {
    /// Replaces the component of an entity, or inserts it as an extra; returns the replaced value. A new component is
    /// enabled if its entity is.
    #[inline(always)]
    pub(super) fn insert(
        &mut self,
        entity: EntityId,
        location: Location,
        value: T,
        is_entity_enabled: bool,
    ) -> Option<T> {
        if let Some(at_home) = self.values.home_mut(location) {
            return Some(std::mem::replace(at_home, value));
        }
        if is_entity_enabled && self.index.add_last(entity) {
            self.values.extras.push(value);
            return None;
        }
        self.insert_anywhere(entity, value, is_entity_enabled)
    }

    #[inline(never)]
    fn insert_anywhere(&mut self, entity: EntityId, value: T, is_entity_enabled: bool) -> Option<T> {
        match self.index.place(entity, is_entity_enabled) {
            Place::Taken(position) => return Some(std::mem::replace(&mut self.values.extras[position], value)),
            place => push(&mut self.values.extras, place, value),
        }
        None
    }

    /// Adds a component in a new row of a kind. Replaces nothing.
    pub(super) fn push_row(&mut self, kind: usize, new: NewRow, value: T) -> Option<T> {
        *self.at_home += 1;
        push_row(&mut self.values.homes[kind], new, value);
        None
    }

    /// Removes an extra and returns it.
    #[inline(always)]
    pub(super) fn remove_extra(&mut self, entity: EntityId) -> Option<T> {
        *self.peak = (*self.peak).max(*self.at_home + self.index.len());
        Some(self.index.remove(entity)?.take_from(&mut self.values.extras))
    }
}

/// Adds a value to the end and swaps it to its place.
fn push<T>(values: &mut Vec<T>, place: Place, value: T) {
    values.push(value);
    if let Place::Behind(at) = place {
        let last = values.len() - 1;
        values.swap(at, last);
    }
}

fn push_row<T>(values: &mut Vec<T>, new: NewRow, value: T) {
    push(values, if new.is_last { Place::Last } else { Place::Behind(new.row) }, value);
}

/// The values of a pool.
#[derive(Debug)]
pub struct Values<T> {
    /// By the number of a kind: the values of its rows.
    pub(crate) homes: Vec<Vec<T>>,
    /// Parallel to the owners of extras.
    pub(crate) extras: Vec<T>,
}

impl<T> Default for Values<T> {
    fn default() -> Self {
        Self { homes: Vec::new(), extras: Vec::new() }
    }
}

impl<T> Values<T> {
    /// The value in the row of an entity, if its kind has the component.
    #[inline(always)]
    fn home_mut(&mut self, location: Location) -> Option<&mut T> {
        // The column of a kind without the component is empty.
        self.homes.get_mut(location.kind)?.get_mut(location.row)
    }

    #[inline]
    pub(crate) fn get(&self, index: &SparseIndex, entity: EntityId, location: Location) -> Option<&T> {
        if let Some(value) = self.homes.get(location.kind).and_then(|home| home.get(location.row)) {
            return Some(value);
        }
        if location.has_extras { self.extras.get(index.position(entity)?) } else { None }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: &SparseIndex, entity: EntityId, location: Location) -> Option<&mut T> {
        if let Some(value) = self.homes.get_mut(location.kind).and_then(|home| home.get_mut(location.row)) {
            return Some(value);
        }
        if location.has_extras { self.extras.get_mut(index.position(entity)?) } else { None }
    }
}

/// The values of a pool in a cell that one system borrows for writing, or several for reading. The schedule rules
/// conflicts out; the cell checks it.
pub(crate) struct Column<T> {
    values: AtomicRefCell<Values<T>>,
    /// Dirty flag: the values were borrowed for writing since the last snapshot.
    is_changed: AtomicBool,
    hook: Option<Hook<T>>,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self { values: AtomicRefCell::default(), is_changed: AtomicBool::new(true), hook: None }
    }
}

impl<T> Column<T> {
    /// # Panics
    /// If a running system writes to the pool, which the schedule rules out.
    pub(crate) fn read(&self) -> AtomicRef<'_, Values<T>> {
        self.values.try_borrow().unwrap_or_else(|_| panic!("pool of {} is being written", short_name::<T>()))
    }

    /// # Panics
    /// If a running system uses the pool, which the schedule rules out.
    pub(crate) fn write(&self) -> AtomicRefMut<'_, Values<T>> {
        self.is_changed.store(true, Ordering::Relaxed);
        self.values.try_borrow_mut().unwrap_or_else(|_| panic!("pool of {} is in use", short_name::<T>()))
    }

    /// Unguarded access: nothing may write to the values meanwhile.
    pub(crate) fn values_ptr(&self) -> *const Values<T> {
        self.values.as_ptr()
    }

    /// Unguarded access for writing: nothing else may use the values meanwhile.
    pub(crate) fn values_to_write_ptr(&self) -> *mut Values<T> {
        self.is_changed.store(true, Ordering::Relaxed);
        self.values.as_ptr()
    }

    #[inline]
    pub(crate) fn values_mut(&mut self) -> &mut Values<T> {
        *self.is_changed.get_mut() = true;
        self.values.get_mut()
    }

    pub(super) fn values_and_hook(&mut self) -> (&mut Values<T>, Option<&Hook<T>>) {
        *self.is_changed.get_mut() = true;
        (self.values.get_mut(), self.hook.as_ref())
    }
}

impl<T: Component> Column<T> {
    /// Calls the hook of a value that left and sends its event, if there are any, or drops it.
    #[inline]
    fn release(&self, value: T, entity: EntityId, leaving: Option<Leaving<'_>>) {
        if let Some(leaving) = leaving {
            release(self.hook.as_ref(), value, entity, leaving);
        }
    }
}

/// A column of any component type.
trait AnyColumn: Send + Sync {
    /// Makes an empty column for a kind.
    fn make_home(&mut self, kind: usize);
    fn swap_home(&mut self, kind: usize, a: usize, b: usize);
    fn remove_home(&mut self, kind: usize, gap: Gap, entity: EntityId, leaving: Option<Leaving<'_>>);
    fn remove_rows(&mut self, kind: usize, gaps: &[Gap]);
    fn follow_row(&mut self, moved: Moved);
    fn home_to_extra(&mut self, kind: usize, gap: Gap, place: Place);
    fn extra_to_home(&mut self, gap: Gap, kind: usize, new: NewRow);
    /// Drops the values of a kind from `len` on.
    fn truncate_home(&mut self, kind: usize, len: usize);
    fn swap_extras(&mut self, a: usize, b: usize);
    /// Removes the extra of `entity` and sends it in its event or drops it.
    fn remove_extra(&mut self, gap: Gap, entity: EntityId, leaving: Option<Leaving<'_>>);
    /// Removes the owners from the index and drops their extras one by one: all of them, even if one panics.
    fn remove_extras(&mut self, index: &mut SparseIndex, entities: &[EntityId]);
    /// Drops all values one by one, even if some panic.
    fn clear(&mut self, panics: &mut FirstPanic);
    /// The number of values in columns of kinds.
    fn at_home(&self) -> usize;
    /// The number of values that fit into the memory.
    fn capacity(&self) -> usize;
    /// Bytes on the heap for the list of columns.
    fn list_bytes_held(&self) -> usize;
    fn reserve(&mut self, kind: usize, additional: usize);
    fn shrink(&mut self);
    /// The dirty flag: whether the values may differ from the last snapshot.
    fn is_changed(&mut self) -> &mut bool;
    /// Shows all values to the hook of the type before they are replaced.
    fn show_all(&mut self, rows: PoolRows<'_>, resources: &Resources, panics: &mut FirstPanic);
}

impl<T: Component> AnyColumn for Column<T> {
    fn make_home(&mut self, kind: usize) {
        // The values do not change.
        let homes = &mut self.values.get_mut().homes;
        if homes.len() <= kind {
            homes.resize_with(kind + 1, Vec::new);
        }
    }

    fn swap_home(&mut self, kind: usize, a: usize, b: usize) {
        self.values_mut().homes[kind].swap(a, b);
    }

    fn remove_home(&mut self, kind: usize, gap: Gap, entity: EntityId, leaving: Option<Leaving<'_>>) {
        let value = gap.take_from(&mut self.values_mut().homes[kind]);
        self.release(value, entity, leaving);
    }

    fn remove_rows(&mut self, kind: usize, gaps: &[Gap]) {
        let (values, mut gaps) = (&mut self.values_mut().homes[kind], gaps.iter());
        to_the_end(|| gaps.by_ref().for_each(|gap| drop(gap.take_from(values))));
    }

    fn follow_row(&mut self, Moved { from, gap, to, new }: Moved) {
        let homes = &mut self.values_mut().homes;
        let value = gap.take_from(&mut homes[from]);
        push_row(&mut homes[to], new, value);
    }

    fn home_to_extra(&mut self, kind: usize, gap: Gap, place: Place) {
        let Values { homes, extras } = self.values_mut();
        push(extras, place, gap.take_from(&mut homes[kind]));
    }

    fn extra_to_home(&mut self, gap: Gap, kind: usize, new: NewRow) {
        let Values { homes, extras } = self.values_mut();
        push_row(&mut homes[kind], new, gap.take_from(extras));
    }

    fn truncate_home(&mut self, kind: usize, len: usize) {
        drop_each(self.values_mut().homes[kind].drain(len..));
    }

    fn swap_extras(&mut self, a: usize, b: usize) {
        self.values_mut().extras.swap(a, b);
    }

    fn remove_extra(&mut self, gap: Gap, entity: EntityId, leaving: Option<Leaving<'_>>) {
        let value = gap.take_from(&mut self.values_mut().extras);
        self.release(value, entity, leaving);
    }

    fn remove_extras(&mut self, index: &mut SparseIndex, entities: &[EntityId]) {
        let (values, mut owners) = (&mut self.values_mut().extras, entities.iter());
        to_the_end(|| {
            let gaps = owners.by_ref().filter_map(|owner| index.remove(*owner));
            gaps.for_each(|gap| drop(gap.take_from(values)));
        });
    }

    fn clear(&mut self, panics: &mut FirstPanic) {
        let Values { homes, extras } = self.values_mut();
        let mut clear = |values: &mut Vec<T>| _ = panics.catch(|| drop_each(values.drain(..)));
        for home in homes {
            clear(home);
        }
        clear(extras);
    }

    fn at_home(&self) -> usize {
        // Loops, not iterators: this is compiled for each component type.
        let values = self.read();
        let mut count = 0;
        for home in &values.homes {
            count += home.len();
        }
        count
    }

    fn capacity(&self) -> usize {
        // Values without a size take no memory.
        if size_of::<T>() == 0 {
            return 0;
        }
        let values = self.read();
        let mut capacity = values.extras.capacity();
        for home in &values.homes {
            capacity += home.capacity();
        }
        capacity
    }

    fn list_bytes_held(&self) -> usize {
        self.read().homes.capacity() * size_of::<Vec<T>>()
    }

    fn reserve(&mut self, kind: usize, additional: usize) {
        self.values_mut().homes[kind].reserve(additional);
    }

    fn shrink(&mut self) {
        let Values { homes, extras } = self.values_mut();
        extras.shrink_to_fit();
        for home in homes {
            home.shrink_to_fit();
        }
    }

    fn is_changed(&mut self) -> &mut bool {
        self.is_changed.get_mut()
    }

    fn show_all(&mut self, rows: PoolRows<'_>, resources: &Resources, panics: &mut FirstPanic) {
        Self::show_all(self, rows, resources, panics);
    }
}
