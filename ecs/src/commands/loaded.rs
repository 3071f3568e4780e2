//! Bundles that were loaded: their components are known one by one, and the tuple that they were is not.

use std::any::{Any, TypeId};
use std::collections::VecDeque;

use super::queue::{self, BundleQueue};
use super::{Applied, CommandBuffer, CommandFailure};
use crate::component::{Component, ComponentId, InsertConflict, InsertConflicts};
use crate::entity::{EntityId, NoSuchEntity};
use crate::panic::FirstPanic;
use crate::snapshot::{StateHasher, TypeRegistry};
use crate::type_map::short_name;
use crate::world::World;

/// A component that waits to be inserted.
pub(crate) trait LoadedComponent: Send {
    fn copied(&self) -> Box<dyn LoadedComponent>;
    fn insert(self: Box<Self>, world: &mut World, entity: EntityId) -> Result<(), NoSuchEntity>;
    /// What only one system may insert into one entity; tags are exempt.
    fn claimed(&self, world: &mut World) -> Option<ComponentId>;
    fn missing(&self, types: &TypeRegistry) -> Option<&'static str>;
    fn hash(&self, types: &TypeRegistry, hash: &mut StateHasher);
    fn value(&self) -> &dyn Any;
}

pub(crate) struct LoadedValue<T> {
    pub(crate) value: T,
    pub(crate) clone: fn(&T) -> T,
}

impl<T: Component> LoadedComponent for LoadedValue<T> {
    fn copied(&self) -> Box<dyn LoadedComponent> {
        Box::new(Self { value: (self.clone)(&self.value), clone: self.clone })
    }

    fn insert(self: Box<Self>, world: &mut World, entity: EntityId) -> Result<(), NoSuchEntity> {
        world.insert(entity, (self.value,))
    }

    fn claimed(&self, world: &mut World) -> Option<ComponentId> {
        (size_of::<T>() > 0).then(|| world.components.register::<T>())
    }

    fn missing(&self, types: &TypeRegistry) -> Option<&'static str> {
        types.components.of(TypeId::of::<T>()).is_none().then(short_name::<T>)
    }

    fn hash(&self, types: &TypeRegistry, hash: &mut StateHasher) {
        types.hash_component(&self.value, hash);
    }

    fn value(&self) -> &dyn Any {
        &self.value
    }
}

/// The components of one bundle, in the order of the tuple.
pub(crate) type LoadedBundle = Vec<Box<dyn LoadedComponent>>;

#[derive(Default)]
pub(crate) struct LoadedQueue {
    pub(crate) waiting: VecDeque<LoadedBundle>,
}

/// Spawns as many entities as are told with the first bundles of a queue that was loaded.
pub(super) fn spawn_several(
    buffer: &mut CommandBuffer,
    index: usize,
    count: usize,
    world: &mut World,
) -> Result<(), CommandFailure> {
    let queue = queue::typed::<LoadedQueue>(&mut *buffer.queues[index].1);
    world.last_spawned().clear();
    // If one panics, the rest are dropped with the command, so that no later one meets their bundles.
    for bundle in queue.waiting.drain(..count) {
        let entity = world.spawn_bare();
        world.last_spawned().push(entity);
        fill(bundle, entity, world);
    }
    Ok(())
}

/// Inserts as many of the first bundles of a queue that was loaded as are told.
pub(super) fn insert_several(
    buffer: &mut CommandBuffer,
    index: usize,
    count: usize,
    world: &mut World,
    mut claims: Option<&mut InsertConflicts>,
    refused: &mut dyn FnMut(EntityId),
) -> Applied {
    let queue = queue::typed::<LoadedQueue>(&mut *buffer.queues[index].1);
    let bundles = buffer.named.waiting.drain(..count).zip(queue.waiting.drain(..count));
    Applied::of_all(bundles.map(|(entity, bundle)| {
        match claims.as_mut().map(|claims| claim(&bundle, entity, world, claims)) {
            Some(Err(claimed)) => {
                refused(entity);
                Applied::Conflict(claimed)
            }
            _ => Applied::of("insert", unpack(bundle, entity, world)),
        }
    }))
}

fn fill(bundle: LoadedBundle, entity: EntityId, world: &mut World) {
    world.fill_new(entity, |world| {
        let inserted = unpack(bundle, entity, world);
        debug_assert!(inserted.is_ok(), "an entity that was just spawned exists");
    });
}

fn unpack(bundle: LoadedBundle, entity: EntityId, world: &mut World) -> Result<(), NoSuchEntity> {
    world.check_exists(entity)?;
    // All are inserted, as those of a bundle that was recorded, also if one replaces what panics when it is dropped.
    let mut panics = FirstPanic::default();
    for component in bundle {
        let inserted = panics.catch(|| component.insert(world, entity));
        debug_assert!(inserted.is_none_or(|inserted| inserted.is_ok()), "it was found a line above");
    }
    panics.raise();
    Ok(())
}

fn claim(
    bundle: &[Box<dyn LoadedComponent>],
    entity: EntityId,
    world: &mut World,
    claims: &mut InsertConflicts,
) -> Result<(), InsertConflict> {
    let with_values = bundle.iter().filter_map(|component| component.claimed(world)).collect::<Vec<_>>();
    world.claim_all(entity, &with_values, claims)
}

impl LoadedQueue {
    fn first(&mut self) -> LoadedBundle {
        self.waiting.pop_front().expect("a buffer is loaded with a bundle for each command that names one")
    }
}

impl BundleQueue for LoadedQueue {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn held_bytes(&self) -> usize {
        self.waiting.capacity() * size_of::<LoadedBundle>()
    }

    fn shrink(&mut self) {
        self.waiting.shrink_to_fit();
    }

    fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    fn clear(&mut self) {
        self.waiting.clear();
    }

    fn new_queue(&self) -> Box<dyn BundleQueue> {
        Box::new(Self::default())
    }

    fn copy_from(&mut self, source: &dyn BundleQueue, _: &TypeRegistry) -> Result<(), &'static str> {
        let source = source.as_any().downcast_ref::<Self>().expect("queues are matched by their type");
        let copied = |bundle: &LoadedBundle| bundle.iter().map(|component| component.copied()).collect();
        self.waiting = source.waiting.iter().map(copied).collect();
        Ok(())
    }

    fn missing(&self, types: &TypeRegistry) -> Option<&'static str> {
        self.waiting.iter().flatten().find_map(|component| component.missing(types))
    }

    fn hash(&self, types: &TypeRegistry, hash: &mut StateHasher) {
        self.waiting.iter().flatten().for_each(|component| component.hash(types, hash));
    }

    fn visit(&self, bundle: usize, visit: &mut dyn FnMut(&dyn Any)) {
        self.waiting.get(bundle).into_iter().flatten().for_each(|component| visit(component.value()));
    }

    fn len(&self) -> usize {
        self.waiting.len()
    }

    fn unpack_first(&mut self, entity: EntityId, world: &mut World) -> Result<(), NoSuchEntity> {
        unpack(self.first(), entity, world)
    }

    fn spawn_first(&mut self, world: &mut World) {
        let entity = world.spawn_bare();
        fill(self.first(), entity, world);
    }

    fn claim_first(
        &self,
        entity: EntityId,
        world: &mut World,
        claims: &mut InsertConflicts,
    ) -> Result<(), InsertConflict> {
        let bundle = self.waiting.front().map_or(&[][..], Vec::as_slice);
        claim(bundle, entity, world, claims)
    }

    fn drop_first(&mut self) {
        self.waiting.pop_front();
    }
}
