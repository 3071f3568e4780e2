//! Resources: one value of a type for the whole world.

mod copies;

use std::any::{Any, TypeId};
use std::marker::{PhantomData, PhantomPinned};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

use atomic_refcell::{AtomicRef, AtomicRefCell, AtomicRefMut};

use crate::type_map::{TypeMap, short_name};

/// Identifies a resource type within one engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResourceId(pub(crate) u32);

struct ResourceCell<T> {
    value: AtomicRefCell<Option<T>>,
    /// Dirty flag: the resource was borrowed for writing since the last snapshot.
    is_changed: AtomicBool,
}

/// A resource cell of any type.
trait AnyCell: Any + Send + Sync {
    fn value_type(&self) -> TypeId;
    fn is_there(&mut self) -> bool;
    fn clear(&mut self);
}

impl<T: Send + Sync + 'static> AnyCell for ResourceCell<T> {
    fn value_type(&self) -> TypeId {
        TypeId::of::<T>()
    }

    fn is_there(&mut self) -> bool {
        self.value.get_mut().is_some()
    }

    fn clear(&mut self) {
        *self.is_changed.get_mut() = true;
        *self.value.get_mut() = None;
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

impl Resources {
    pub(crate) fn register<T: Send + Sync + 'static>(&mut self) -> ResourceId {
        *self.ids.entry(TypeId::of::<T>()).or_insert_with(|| {
            let (value, is_changed) = (AtomicRefCell::new(None), AtomicBool::new(true));
            self.cells.push(Box::new(ResourceCell::<T> { value, is_changed }));
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
        let old = std::mem::replace(self.slot(), resource);
        self.changes += u64::from(old.is_some() != is_there);
        old
    }

    /// The slot of a type, registered on first use. Only [`Resources::replace`] may fill or empty it.
    pub(crate) fn slot<T: Send + Sync + 'static>(&mut self) -> &mut Option<T> {
        let id = self.register::<T>();
        let cell = self.cell_mut(id);
        *cell.is_changed.get_mut() = true;
        cell.value.get_mut()
    }

    /// # Panics
    /// If a running system writes to the resource, which the schedule rules out.
    pub(crate) fn read<T: Send + Sync + 'static>(&self, id: ResourceId) -> AtomicRef<'_, Option<T>> {
        let borrow = self.cell::<T>(id).value.try_borrow();
        borrow.unwrap_or_else(|_| panic!("resource {} is being written by a system", short_name::<T>()))
    }

    /// # Panics
    /// If a running system uses the resource, which the schedule rules out.
    pub(crate) fn write<T: Send + Sync + 'static>(&self, id: ResourceId) -> AtomicRefMut<'_, Option<T>> {
        let cell = self.cell::<T>(id);
        cell.is_changed.store(true, Ordering::Relaxed);
        let borrow = cell.value.try_borrow_mut();
        borrow.unwrap_or_else(|_| panic!("resource {} is in use by a system", short_name::<T>()))
    }

    pub(crate) fn find<T: Send + Sync + 'static>(&self) -> Option<ResourceRef<'_, T>> {
        let id = *self.ids.get(&TypeId::of::<T>())?;
        AtomicRef::filter_map(self.read::<T>(id), Option::as_ref).map(ResourceRef)
    }

    pub(crate) fn find_mut<T: Send + Sync + 'static>(&self) -> Option<AtomicRefMut<'_, T>> {
        let id = *self.ids.get(&TypeId::of::<T>())?;
        AtomicRefMut::filter_map(self.write::<T>(id), Option::as_mut)
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

/// Reads a resource; a parameter of systems and listeners. `Option<Res<T>>` is for one that may be missing.
#[derive(Clone, Copy)]
pub struct Res<'w, T>(pub(crate) &'w T);

// Never, so that it is no event: see `Event`.
impl<T> Unpin for Res<'_, T> where (PhantomPinned, PhantomData<T>): Unpin {}

// Never.
impl<T> Unpin for ResMut<'_, T> where (PhantomPinned, PhantomData<T>): Unpin {}

impl<T> Deref for Res<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}

/// Writes a resource; a parameter of systems and listeners. `Option<ResMut<T>>` is for one that may be missing.
pub struct ResMut<'w, T>(pub(crate) &'w mut T);

impl<T> Deref for ResMut<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}

impl<T> DerefMut for ResMut<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0
    }
}
