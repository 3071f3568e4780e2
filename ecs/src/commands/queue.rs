//! What commands carry waits in queues, one for each type of bundle.

use std::any::Any;
use std::collections::VecDeque;

use crate::component::{Bundle, InsertConflict, InsertConflicts};
use crate::entity::{EntityId, NoSuchEntity};
use crate::snapshot::{StateHasher, TypeRegistry};
use crate::world::World;

/// What commands carry, in the order of recording.
pub(super) struct Queue<T> {
    pub(super) waiting: VecDeque<T>,
    /// Memory in which many are collected at a time.
    spare: VecDeque<T>,
}

impl<T> Queue<T> {
    /// Memory to collect many in, which [`Queue::append`] takes back.
    pub(super) fn take_spare(&mut self) -> VecDeque<T> {
        std::mem::take(&mut self.spare)
    }

    /// Lets those wait who were collected.
    pub(super) fn append(&mut self, mut collected: VecDeque<T>) {
        self.waiting.append(&mut collected);
        self.spare = collected;
    }

    pub(super) fn held_bytes(&self) -> usize {
        // A queue of values without a size has room for any number of them in no memory.
        (self.waiting.capacity().saturating_add(self.spare.capacity())).saturating_mul(size_of::<T>())
    }

    pub(super) fn shrink(&mut self) {
        self.waiting.shrink_to_fit();
        self.spare = VecDeque::new();
    }
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), spare: VecDeque::new() }
    }
}

/// A queue of bundles whose type is not known.
pub(super) trait BundleQueue: Send {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn held_bytes(&self) -> usize;
    fn shrink(&mut self);
    fn is_empty(&self) -> bool;
    #[cfg(feature = "serde")]
    fn len(&self) -> usize;
    /// Shows the components of a bundle, counted from the first one.
    #[cfg(feature = "serde")]
    fn visit(&self, bundle: usize, visit: &mut dyn FnMut(&dyn Any));
    fn clear(&mut self);
    /// An empty queue of the same type.
    fn new_queue(&self) -> Box<dyn BundleQueue>;
    /// Takes over the bundles of a queue of the same type; the error is the name of a component type that is not registered.
    fn copy_from(&mut self, source: &dyn BundleQueue, types: &TypeRegistry) -> Result<(), &'static str>;
    /// The name of a component type of the bundles that is not registered.
    fn missing(&self, types: &TypeRegistry) -> Option<&'static str>;
    /// Adds the bundles to a hash.
    fn hash(&self, types: &TypeRegistry, hash: &mut StateHasher);
    /// Unpacks the first bundle into `entity`, or drops it if there is no such entity.
    fn unpack_first(&mut self, entity: EntityId, world: &mut World) -> Result<(), NoSuchEntity>;
    /// Spawns an entity with the first bundle.
    fn spawn_first(&mut self, world: &mut World);
    /// InsertConflicts the components of the first bundle, which stays where it is.
    fn claim_first(
        &self,
        entity: EntityId,
        world: &mut World,
        claims: &mut InsertConflicts,
    ) -> Result<(), InsertConflict>;
    /// Drops the first bundle: nobody is to have it.
    fn drop_first(&mut self);
}

impl<B: Bundle> BundleQueue for Queue<B> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn held_bytes(&self) -> usize {
        Self::held_bytes(self)
    }

    fn shrink(&mut self) {
        Self::shrink(self);
    }

    fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    #[cfg(feature = "serde")]
    fn len(&self) -> usize {
        self.waiting.len()
    }

    #[cfg(feature = "serde")]
    fn visit(&self, bundle: usize, visit: &mut dyn FnMut(&dyn Any)) {
        self.waiting.get(bundle).into_iter().for_each(|bundle| bundle.visit(visit));
    }

    fn clear(&mut self) {
        self.waiting.clear();
    }

    fn new_queue(&self) -> Box<dyn BundleQueue> {
        Box::new(Self::default())
    }

    fn copy_from(&mut self, source: &dyn BundleQueue, types: &TypeRegistry) -> Result<(), &'static str> {
        self.copy_bundles(source, types)
    }

    fn missing(&self, types: &TypeRegistry) -> Option<&'static str> {
        self.waiting.front()?.clone_by(types).err()
    }

    fn hash(&self, types: &TypeRegistry, hash: &mut StateHasher) {
        self.hash_bundles(types, hash);
    }

    fn unpack_first(&mut self, entity: EntityId, world: &mut World) -> Result<(), NoSuchEntity> {
        world.insert(entity, self.first())
    }

    fn spawn_first(&mut self, world: &mut World) {
        world.spawn(self.first());
    }

    fn claim_first(
        &self,
        entity: EntityId,
        world: &mut World,
        claims: &mut InsertConflicts,
    ) -> Result<(), InsertConflict> {
        world.claim::<B>(entity, claims)
    }

    fn drop_first(&mut self) {
        self.waiting.pop_front();
    }
}

/// The queue by the type that the commands which name it were recorded or loaded with.
pub(super) fn typed<Q: 'static>(queue: &mut dyn BundleQueue) -> &mut Q {
    queue.as_any_mut().downcast_mut().expect("commands name a queue of the type that they were made with")
}

impl<B: Bundle> Queue<B> {
    pub(super) fn first(&mut self) -> B {
        self.waiting.pop_front().expect("every command that names a index stored a bundle in it")
    }
}
