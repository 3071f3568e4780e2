//! Resources: one value of a type for the whole world.

mod cell;
mod copies;

use std::any::TypeId;
use std::ops::{Deref, DerefMut};

pub(crate) use self::cell::{ReadGuard, Threads, WriteGuard};
use self::cell::{ResourceCell, TypedCell};
use crate::type_map::{TypeMap, short_name};

/// Identifies a resource type within one engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResourceId(pub(crate) u32);

/// The resources of a world, such as a configuration, a random generator or a physics world.
#[derive(Default)]
pub(crate) struct Resources {
    cells: Vec<TypedCell>,
    names: Vec<&'static str>,
    ids: TypeMap<ResourceId>,
    /// Rises when a resource is inserted or removed.
    changes: u64,
}

impl Resources {
    pub(crate) fn register<T: Send + Sync + 'static>(&mut self) -> ResourceId {
        *self.ids.entry(TypeId::of::<T>()).or_insert_with(|| {
            self.cells.push(TypedCell::new::<T>());
            self.names.push(short_name::<T>());
            ResourceId(u32::try_from(self.cells.len() - 1).expect("fewer than 2^32 resource types"))
        })
    }

    /// The name of a resource type.
    pub(crate) fn name(&self, id: ResourceId) -> &'static str {
        self.names[id.0 as usize]
    }

    #[inline]
    fn cell<T: Send + Sync + 'static>(&self, id: ResourceId) -> &ResourceCell<T> {
        self.cells[id.0 as usize].typed()
    }

    fn cell_mut<T: Send + Sync + 'static>(&mut self, id: ResourceId) -> &mut ResourceCell<T> {
        self.cells[id.0 as usize].typed_mut()
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
        let (value, is_changed) = self.cell_mut(id).get_mut();
        *is_changed = true;
        value
    }

    /// # Panics
    /// If a running system writes to the resource, which the schedule rules out.
    #[inline]
    pub(crate) fn read<T: Send + Sync + 'static>(&self, id: ResourceId, threads: Threads) -> ReadGuard<'_, T> {
        let guard = self.cell::<T>(id).read(threads);
        guard.unwrap_or_else(|| panic!("resource {} is being written by a system", short_name::<T>()))
    }

    /// # Panics
    /// If a running system uses the resource, which the schedule rules out.
    #[inline]
    pub(crate) fn write<T: Send + Sync + 'static>(&self, id: ResourceId, threads: Threads) -> WriteGuard<'_, T> {
        let guard = self.cell::<T>(id).write(threads);
        guard.unwrap_or_else(|| panic!("resource {} is in use by a system", short_name::<T>()))
    }

    pub(crate) fn find<T: Send + Sync + 'static>(&self) -> Option<ResourceRef<'_, T>> {
        let id = *self.ids.get(&TypeId::of::<T>())?;
        let guard = self.read::<T>(id, Threads::ANY);
        guard.is_some().then_some(ResourceRef(guard))
    }
}

/// A resource borrowed for reading, outside of systems.
pub struct ResourceRef<'w, T>(ReadGuard<'w, T>);

impl<T> Deref for ResourceRef<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("only a resource that is there is borrowed")
    }
}

/// Reads a resource; a parameter of systems and listeners. `Option<Res<T>>` is for one that may be missing.
#[derive(Clone, Copy)]
pub struct Res<'w, T>(pub(crate) &'w T);

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
