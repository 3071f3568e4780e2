//! Commands about many entities at once.

use super::queue;
use super::{Applied, Command, CommandBuffer, CommandFailure, Commands, ManyRemoval};
use crate::component::{Bundle, Component, InsertConflicts};
use crate::entity::EntityId;
use crate::world::World;

/// Spawns as many entities as are told, each with the first bundle that is left in a queue.
pub(super) type SpawnFirst = fn(&mut CommandBuffer, usize, usize, &mut World) -> Result<(), CommandFailure>;

/// Inserts the first bundles of a queue, as many as are told, into the entities that were named first; tells who was refused because of
/// a conflict.
pub(super) type InsertFirst =
    fn(&mut CommandBuffer, usize, usize, &mut World, Option<&mut InsertConflicts>, &mut dyn FnMut(EntityId)) -> Applied;

/// Many entities at once. If a component panics when it is replaced, what is left of the insertion is dropped.
impl Commands<'_> {
    /// Spawns an entity with each bundle, as one command.
    pub fn spawn_many<B: Bundle>(&mut self, bundles: impl IntoIterator<Item = B>) {
        // The buffer is not borrowed while the iterator runs, which may use a `Spawner`.
        let mut collected = self.buffer.borrow_mut().queue::<B>().1.take_spare();
        collected.extend(bundles);
        let mut buffer = self.buffer.borrow_mut();
        let (count, (index, queue)) = (collected.len(), buffer.queue::<B>());
        queue.append(collected);
        buffer.order.push_back(Command::SpawnMany { index, count, spawn: spawn_several::<B> });
    }

    /// Despawns entities, as one command. If some are gone by then, the first of them is reported and the others are
    /// despawned.
    pub fn despawn_many(&mut self, entities: impl IntoIterator<Item = EntityId>) {
        self.push_many(entities, |count| Command::DespawnMany { count });
    }

    /// Inserts a bundle into each entity, replacing what is there, as one command. If another system inserted one of the components
    /// into some of them in the same frame (see [`Commands::insert`]), or some are gone by then, the first conflict is reported, or else
    /// the first that is gone, and the others have theirs.
    pub fn insert_many<B: Bundle>(&mut self, bundles: impl IntoIterator<Item = (EntityId, B)>) {
        // The buffer is not borrowed while the iterator runs.
        let mut buffer = self.buffer.borrow_mut();
        let mut collected = (buffer.named.take_spare(), buffer.queue::<B>().1.take_spare());
        drop(buffer);
        collected.extend(bundles);
        let (named, bundles) = collected;
        let mut buffer = self.buffer.borrow_mut();
        let count = named.len();
        buffer.named.append(named);
        let (index, queue) = buffer.queue::<B>();
        queue.append(bundles);
        buffer.order.push_back(Command::InsertMany { index, count, insert: insert_several::<B> });
    }

    /// Takes the component of type `T` out of each entity and drops it, as one command. If some are gone by then, or have none,
    /// the first of them is reported and the others lose theirs.
    pub fn remove_many<T: Component>(&mut self, entities: impl IntoIterator<Item = EntityId>) {
        let removal = ManyRemoval::of::<T>();
        self.push_many(entities, |count| Command::RemoveMany { count, removal });
    }

    /// Records a command about as many entities as there are.
    fn push_many(&mut self, entities: impl IntoIterator<Item = EntityId>, command: impl FnOnce(usize) -> Command) {
        // The buffer is not borrowed while the iterator runs, which may use a `Spawner`.
        let mut named = self.buffer.borrow_mut().named.take_spare();
        named.extend(entities);
        let mut buffer = self.buffer.borrow_mut();
        buffer.order.push_back(command(named.len()));
        buffer.named.append(named);
    }
}

fn spawn_several<B: Bundle>(
    buffer: &mut CommandBuffer,
    index: usize,
    count: usize,
    world: &mut World,
) -> Result<(), CommandFailure> {
    let queue = queue::typed::<B>(&mut *buffer.queues[index].1);
    world.spawn_all(queue.waiting.drain(..count));
    Ok(())
}

fn insert_several<B: Bundle>(
    buffer: &mut CommandBuffer,
    index: usize,
    count: usize,
    world: &mut World,
    claims: Option<&mut InsertConflicts>,
    refused: &mut dyn FnMut(EntityId),
) -> Applied {
    let queue = queue::typed::<B>(&mut *buffer.queues[index].1);
    // If one panics, the rest are dropped with the command, so that no later one meets their entities or bundles.
    let bundles = buffer.named.waiting.drain(..count).zip(queue.waiting.drain(..count));
    match claims {
        None => Applied::of("insert", world.insert_many(bundles)),
        Some(claims) => Applied::of_all(bundles.map(|(entity, bundle)| match world.claim::<B>(entity, claims) {
            Ok(()) => Applied::of("insert", world.insert(entity, bundle)),
            Err(claimed) => {
                refused(entity);
                Applied::Conflict(claimed)
            }
        })),
    }
}
