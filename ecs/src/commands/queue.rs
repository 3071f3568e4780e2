//! The queues of a command buffer, one for each type of bundle.

use std::any::Any;
use std::collections::VecDeque;

use crate::component::{Bundle, InsertConflict, InsertConflicts};
use crate::entity::{EntityId, NoSuchEntity};
use crate::panic::drop_each;
use crate::type_map::short_name;
use crate::world::World;

/// The values of recorded commands, in order.
pub(super) struct Queue<T> {
    pub(super) waiting: VecDeque<T>,
    /// Memory for collecting many values.
    spare: VecDeque<T>,
}

impl<T> Queue<T> {
    /// Memory to collect values in; [`Queue::append`] takes it back.
    pub(super) fn take_spare(&mut self) -> VecDeque<T> {
        std::mem::take(&mut self.spare)
    }

    pub(super) fn append(&mut self, mut collected: VecDeque<T>) {
        self.waiting.append(&mut collected);
        self.spare = collected;
    }

    /// Values that fit without allocating.
    pub(super) fn room(&self) -> QueueCapacity {
        [self.waiting.capacity(), self.spare.capacity()]
    }

    /// Allocates for an empty queue.
    pub(super) fn make_room(&mut self, [waiting, spare]: QueueCapacity) {
        self.waiting.reserve(waiting);
        self.spare.reserve(spare);
    }

    pub(super) fn held_bytes(&self) -> usize {
        // Queues of values without a size have a capacity of `usize::MAX`.
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

/// Values that fit into the two lists of a queue.
pub(super) type QueueCapacity = [usize; 2];

/// A queue of bundles of any type.
pub(super) trait BundleQueue: Send {
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn len(&self) -> usize;
    /// The name of the type of the bundles.
    fn bundle(&self) -> &'static str;
    fn held_bytes(&self) -> usize;
    fn shrink(&mut self);
    fn clear(&mut self);
    /// Inserts the first bundle into `entity`, or drops it if the entity does not exist.
    fn unpack_first(&mut self, entity: EntityId, world: &mut World) -> Result<(), NoSuchEntity>;
    /// Spawns an entity with the first bundle.
    fn spawn_first(&mut self, world: &mut World);
    /// Checks the components of the first bundle for insert conflicts; the bundle stays in the queue.
    fn record_first_insert(
        &self,
        entity: EntityId,
        world: &mut World,
        conflicts: &mut InsertConflicts,
    ) -> Result<(), InsertConflict>;
    /// Drops the first bundle.
    fn drop_first(&mut self);
    /// Drops the first bundle, which was meant for `entity`, after the hooks of its components were called.
    fn discard_first(&mut self, entity: EntityId, world: &mut World);
    /// A queue for bundles of the same type.
    fn empty(&self) -> Box<dyn BundleQueue>;
    /// Moves all bundles to the end of a queue of the same type.
    fn move_to(&mut self, other: &mut dyn BundleQueue);
    fn room(&self) -> QueueCapacity;
    fn make_room(&mut self, room: QueueCapacity);
}

impl<B: Bundle> BundleQueue for Queue<B> {
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn len(&self) -> usize {
        self.waiting.len()
    }

    fn bundle(&self) -> &'static str {
        short_name::<B>()
    }

    fn held_bytes(&self) -> usize {
        Self::held_bytes(self)
    }

    fn shrink(&mut self) {
        Self::shrink(self);
    }

    fn clear(&mut self) {
        drop_each(self.waiting.drain(..));
    }

    fn unpack_first(&mut self, entity: EntityId, world: &mut World) -> Result<(), NoSuchEntity> {
        world.insert(entity, self.first())
    }

    fn spawn_first(&mut self, world: &mut World) {
        world.spawn(self.first());
    }

    fn record_first_insert(
        &self,
        entity: EntityId,
        world: &mut World,
        conflicts: &mut InsertConflicts,
    ) -> Result<(), InsertConflict> {
        world.record_insert::<B>(entity, conflicts)
    }

    fn drop_first(&mut self) {
        drop(self.first());
    }

    fn discard_first(&mut self, entity: EntityId, world: &mut World) {
        world.discard(entity, self.first());
    }

    fn empty(&self) -> Box<dyn BundleQueue> {
        Box::new(Self::default())
    }

    fn move_to(&mut self, other: &mut dyn BundleQueue) {
        typed::<B>(other).waiting.append(&mut self.waiting);
    }

    fn room(&self) -> QueueCapacity {
        Self::room(self)
    }

    fn make_room(&mut self, room: QueueCapacity) {
        Self::make_room(self, room);
    }
}

impl<B: Bundle> Queue<B> {
    pub(super) fn first(&mut self) -> B {
        self.waiting.pop_front().expect("every command with a bundle stored one")
    }
}

/// The queue with its type, which the commands were recorded with.
pub(super) fn typed<B: Bundle>(queue: &mut dyn BundleQueue) -> &mut Queue<B> {
    queue.as_any_mut().downcast_mut().expect("a command names the queue that its bundle was stored in")
}
