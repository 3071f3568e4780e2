//! Resources: one value of a type for the whole world.

mod change_detection;
mod copies;

use std::any::{Any, TypeId};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};

use atomic_refcell::{AtomicRef, AtomicRefCell, AtomicRefMut};

pub(crate) use self::change_detection::{LastAsked, ResGuard, ResMutGuard, Revisions};
pub use self::change_detection::{Res, ResMut};
use crate::panic::to_the_end_in_drop;
use crate::type_map::{TypeMap, short_name};

/// Identifies a resource type within one engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ResourceId(pub(crate) u32);

/// A resource, if it is present, and when it changed.
pub(crate) struct Tracked<T> {
    value: Option<T>,
    revisions: Revisions,
}

struct ResourceCell<T> {
    tracked: AtomicRefCell<Tracked<T>>,
    /// Dirty flag: the resource was borrowed for writing since the last snapshot.
    is_changed: AtomicBool,
}

/// A resource cell of any type.
trait AnyCell: Any + Send + Sync {
    fn value_type(&self) -> TypeId;
    fn is_there(&mut self) -> bool;
    fn clear(&mut self);
    fn revisions(&mut self) -> &mut Revisions;
}

impl<T: Send + Sync + 'static> AnyCell for ResourceCell<T> {
    fn value_type(&self) -> TypeId {
        TypeId::of::<T>()
    }

    fn is_there(&mut self) -> bool {
        self.tracked.get_mut().value.is_some()
    }

    fn clear(&mut self) {
        *self.is_changed.get_mut() = true;
        *self.tracked.get_mut() = Tracked { value: None, revisions: Revisions::default() };
    }

    fn revisions(&mut self) -> &mut Revisions {
        &mut self.tracked.get_mut().revisions
    }
}

/// The resources of a world, such as a configuration, a random generator or a physics world.
#[derive(Default)]
pub(crate) struct Resources {
    cells: Vec<Box<dyn AnyCell>>,
    names: Vec<&'static str>,
    ids: TypeMap<ResourceId>,
    /// Rises when a resource is inserted or removed.
    changes: u64,
}

/// Drops all resources, even if some panic.
impl Drop for Resources {
    fn drop(&mut self) {
        let mut cells = self.cells.drain(..);
        to_the_end_in_drop(&mut || cells.by_ref().for_each(drop));
    }
}

impl Resources {
    pub(crate) fn register<T: Send + Sync + 'static>(&mut self) -> ResourceId {
        *self.ids.entry(TypeId::of::<T>()).or_insert_with(|| {
            let tracked = Tracked::<T> { value: None, revisions: Revisions::default() };
            let (tracked, is_changed) = (AtomicRefCell::new(tracked), AtomicBool::new(true));
            self.cells.push(Box::new(ResourceCell { tracked, is_changed }));
            self.names.push(short_name::<T>());
            ResourceId(u32::try_from(self.cells.len() - 1).expect("fewer than 2^32 resource types"))
        })
    }

    /// The name of a resource type.
    pub(crate) fn name(&self, id: ResourceId) -> &'static str {
        self.names[id.0 as usize]
    }

    /// A resource type.
    pub(crate) fn type_of(&self, id: ResourceId) -> TypeId {
        self.cells[id.0 as usize].value_type()
    }

    fn cell<T: Send + Sync + 'static>(&self, id: ResourceId) -> &ResourceCell<T> {
        let cell: &dyn Any = &*self.cells[id.0 as usize];
        cell.downcast_ref().expect("the id was given out for this type")
    }

    fn cell_mut<T: Send + Sync + 'static>(&mut self, id: ResourceId) -> &mut ResourceCell<T> {
        let cell: &mut dyn Any = &mut *self.cells[id.0 as usize];
        cell.downcast_mut().expect("the id was given out for this type")
    }

    /// A number that changes when a resource is inserted or removed.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Inserts or removes a resource; returns the previous one.
    pub(crate) fn replace<T: Send + Sync + 'static>(&mut self, resource: Option<T>) -> Option<T> {
        let is_there = resource.is_some();
        let tracked = self.tracked_mut();
        let old = std::mem::replace(&mut tracked.value, resource);
        tracked.revisions.write();
        if is_there && old.is_none() {
            tracked.revisions.note_insertion();
        }
        self.changes += u64::from(old.is_some() != is_there);
        old
    }

    /// A resource for writing, which counts as a change.
    pub(crate) fn get_mut<T: Send + Sync + 'static>(&mut self) -> Option<&mut T> {
        let Tracked { value, revisions } = self.tracked_mut();
        revisions.write();
        value.as_mut()
    }

    /// A resource of a type, which is registered on first use.
    fn tracked_mut<T: Send + Sync + 'static>(&mut self) -> &mut Tracked<T> {
        let id = self.register::<T>();
        let cell = self.cell_mut(id);
        *cell.is_changed.get_mut() = true;
        cell.tracked.get_mut()
    }

    /// Whether a resource is present.
    pub(crate) fn has<T: Send + Sync + 'static>(&self, id: ResourceId) -> bool {
        self.read::<T>(id).value.is_some()
    }

    /// # Panics
    /// If a running system writes to the resource, which the schedule rules out.
    pub(crate) fn read<T: Send + Sync + 'static>(&self, id: ResourceId) -> AtomicRef<'_, Tracked<T>> {
        let borrow = self.cell::<T>(id).tracked.try_borrow();
        borrow.unwrap_or_else(|_| panic!("resource {} is being written by a system", short_name::<T>()))
    }

    /// # Panics
    /// If a running system uses the resource, which the schedule rules out.
    pub(crate) fn write<T: Send + Sync + 'static>(&self, id: ResourceId) -> AtomicRefMut<'_, Tracked<T>> {
        let cell = self.cell::<T>(id);
        cell.is_changed.store(true, Ordering::Relaxed);
        let borrow = cell.tracked.try_borrow_mut();
        borrow.unwrap_or_else(|_| panic!("resource {} is in use by a system", short_name::<T>()))
    }

    pub(crate) fn find<T: Send + Sync + 'static>(&self) -> Option<ResourceRef<'_, T>> {
        let id = *self.ids.get(&TypeId::of::<T>())?;
        AtomicRef::filter_map(self.read::<T>(id), |tracked| tracked.value.as_ref()).map(ResourceRef)
    }

    pub(crate) fn find_mut<T: Send + Sync + 'static>(&self) -> Option<AtomicRefMut<'_, T>> {
        let id = *self.ids.get(&TypeId::of::<T>())?;
        AtomicRefMut::filter_map(self.write::<T>(id), |tracked| {
            tracked.revisions.write();
            tracked.value.as_mut()
        })
    }
}

/// A resource borrowed for reading, outside of systems.
pub struct ResourceRef<'w, T>(AtomicRef<'w, T>);

impl<T> Deref for ResourceRef<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
