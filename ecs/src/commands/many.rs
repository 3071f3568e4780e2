//! Commands about many entities at once.

#[cfg(feature = "prefabs")]
use std::borrow::Cow;
use std::collections::vec_deque::Drain;

use super::{Applied, Command, CommandBuffer, Commands, queue};
use crate::component::{Bundle, Component, InsertConflicts};
use crate::entity::EntityId;
use crate::error::CommandFailure;
use crate::world::World;

/// Spawns entities with the first bundles of a queue. Arguments: the buffer, the queue, the number, the world.
pub(crate) type SpawnFirst = fn(&mut CommandBuffer, usize, usize, &mut World) -> Result<(), CommandFailure>;

/// Inserts the first bundles of a queue into the first named entities. Arguments as for [`SpawnFirst`]; the callback
/// gets each entity that was refused because of a conflict.
pub(super) type InsertFirst =
    fn(&mut CommandBuffer, usize, usize, &mut World, Option<&mut InsertConflicts>, &mut dyn FnMut(EntityId)) -> Applied;

/// Removes a component from the first named entities.
pub(super) type RemoveFirst = fn(&mut World, Drain<'_, EntityId>) -> Result<(), CommandFailure>;

#[cfg(feature = "prefabs")]
impl CommandBuffer {
    /// The texts of the first command.
    pub(crate) fn first_texts(&mut self, count: usize) -> impl Iterator<Item = Cow<'static, str>> {
        self.texts.drain(..count)
    }

    /// The bundle of the first command.
    pub(crate) fn first_bundle<B: Bundle>(&mut self, index: usize) -> B {
        queue::typed::<B>(&mut *self.queues[index].1).first()
    }
}

/// Many entities at once. If a replaced component panics when it is dropped, the rest of the insertion is dropped.
impl Commands<'_> {
    /// Records that `spawn` spawns an entity with a bundle as the texts say. It finds them in the buffer:
    /// [`CommandBuffer::first_texts`], [`CommandBuffer::first_bundle`].
    #[cfg(feature = "prefabs")]
    pub(crate) fn spawn_by<B: Bundle>(
        &mut self,
        bundle: B,
        texts: impl IntoIterator<Item = Cow<'static, str>>,
        spawn: SpawnFirst,
    ) {
        let mut buffer = self.recording();
        let (index, before) = (buffer.store(bundle), buffer.texts.len());
        buffer.texts.extend(texts);
        let count = buffer.texts.len() - before;
        buffer.order.push_back(Command::SpawnMany { index, count, spawn });
    }

    /// Spawns an entity with each bundle, as one command.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// engine.run(|mut commands: Commands| commands.spawn_many((0..100).map(|n: u32| (n,))))?;
    /// let crowd: Vec<EntityId> = engine.query::<(EntityId, &u32)>().iter().map(|(entity, _)| entity).collect();
    /// engine.run(|mut commands: Commands| {
    ///     commands.insert_many(crowd.iter().map(|person| (*person, ("hat",))));
    ///     commands.remove_many::<u32>(crowd.iter().copied());
    /// })?;
    /// assert_eq!((engine.query::<&u32>().count(), engine.query::<&&str>().count()), (0, 100));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn spawn_many<B: Bundle>(&mut self, bundles: impl IntoIterator<Item = B>) {
        // The buffer is not borrowed while the iterator runs, which may use a `Spawner`.
        let mut collected = self.recording().queue::<B>().1.take_spare();
        collected.extend(bundles);
        let mut buffer = self.buffer.borrow_mut();
        let (count, (index, queue)) = (collected.len(), buffer.queue::<B>());
        queue.append(collected);
        buffer.order.push_back(Command::SpawnMany { index, count, spawn: spawn_several::<B> });
    }

    /// Despawns entities, as one command. Entities that are gone by then are skipped; the first one is reported.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let crowd = engine.spawn_many((0..100).map(|n: u32| (n,)));
    /// engine.run(|mut commands: Commands| commands.despawn_many(crowd[..60].iter().copied()))?;
    /// assert_eq!(engine.query::<&u32>().count(), 40);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn despawn_many(&mut self, entities: impl IntoIterator<Item = EntityId>) {
        self.push_many(entities, |count| Command::DespawnMany { count });
    }

    /// Inserts a bundle into each entity and replaces existing components, as one command. Entities that conflict with
    /// another system (see [`Commands::insert`]) or are gone by then are skipped; the first conflict is reported, or
    /// else the first that is gone.
    ///
    /// # Example
    /// See [`Commands::spawn_many`].
    pub fn insert_many<B: Bundle>(&mut self, bundles: impl IntoIterator<Item = (EntityId, B)>) {
        // The buffer is not borrowed while the iterator runs.
        let mut buffer = self.recording();
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

    /// Removes the component of type `T` from each entity and drops it, as one command. Entities that are gone by then
    /// or lack it are skipped; the first one is reported.
    ///
    /// # Example
    /// See [`Commands::spawn_many`].
    pub fn remove_many<T: Component>(&mut self, entities: impl IntoIterator<Item = EntityId>) {
        let (finds, remove): (_, RemoveFirst) = (World::has::<T>, |world, entities| world.remove_many::<T>(entities));
        self.push_many(entities, |count| Command::RemoveMany { count, finds, remove });
    }

    /// Records a command about entities.
    fn push_many(&mut self, entities: impl IntoIterator<Item = EntityId>, command: impl FnOnce(usize) -> Command) {
        // The buffer is not borrowed while the iterator runs, which may use a `Spawner`.
        let mut named = self.recording().named.take_spare();
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
    conflicts: Option<&mut InsertConflicts>,
    refused: &mut dyn FnMut(EntityId),
) -> Applied {
    let queue = queue::typed::<B>(&mut *buffer.queues[index].1);
    // `drain` removes the rest even after a panic, so that later commands find their own entities and bundles.
    let bundles = buffer.named.waiting.drain(..count).zip(queue.waiting.drain(..count));
    match conflicts {
        None => Applied::of("insert", world.insert_many(bundles)),
        Some(conflicts) => {
            Applied::of_all(bundles.map(|(entity, bundle)| match world.record_insert::<B>(entity, conflicts) {
                Ok(()) => Applied::of("insert", world.insert(entity, bundle)),
                Err(conflict) => {
                    refused(entity);
                    world.discard(entity, bundle);
                    Applied::Conflict(conflict)
                }
            }))
        }
    }
}
