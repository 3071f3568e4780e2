//! Commands that spawn prefabs.

use super::{Command, CommandBuffer, Commands, queue};
use crate::component::Bundle;
use crate::error::CommandFailure;
use crate::prefab::Prefab;
use crate::world::World;

impl Commands<'_> {
    /// Spawns an entity, and its children if it has any, from a prefab.
    ///
    /// If there is no such prefab, or an override is invalid, nothing is spawned and
    /// [`Engine::command_errors`](crate::Engine::command_errors) has the reason.
    ///
    /// # Example
    /// See [`Prefabs`](crate::prefab::Prefabs).
    pub fn spawn_prefab<B: Bundle>(&mut self, prefab: impl Into<Prefab<'static, B>>) {
        let Prefab { order, bundle } = prefab.into();
        let mut buffer = self.buffer.borrow_mut();
        let index = buffer.store(bundle);
        buffer.prefabs.waiting.push_back(order);
        buffer.order.push_back(Command::SpawnMany { index, count: 1, spawn: spawn_first::<B> });
    }
}

/// Spawns the first recorded prefab with the first bundle of a queue.
fn spawn_first<B: Bundle>(
    buffer: &mut CommandBuffer,
    index: usize,
    _: usize,
    world: &mut World,
) -> Result<(), CommandFailure> {
    let order = buffer.prefabs.waiting.pop_front().expect("every command that spawns a prefab stored what to spawn");
    // Taken first, so that the next command finds its own even after a panic.
    let mut bundle = Some(queue::typed::<B>(&mut *buffer.queues[index].1).first());
    world.last_spawned().clear();
    world.spawn_prefab::<B>(&order, |world, entity| {
        world.last_spawned().push(entity);
        let filled = bundle.take().map_or(Ok(()), |bundle| world.insert(entity, bundle));
        debug_assert!(filled.is_ok(), "an entity that was just spawned exists");
    })?;
    Ok(())
}
