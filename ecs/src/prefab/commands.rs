//! Commands that spawn prefabs.

use super::order::{Prefab, SpawnRequest};
use crate::commands::{CommandBuffer, Commands};
use crate::component::Bundle;
use crate::error::CommandFailure;
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
        let Prefab { order: SpawnRequest { name, texts }, bundle } = prefab.into();
        let overrides = texts.into_iter().flat_map(|(component, ron)| [component, ron]);
        self.spawn_by(bundle, std::iter::once(name).chain(overrides), spawn_first::<B>);
    }
}

/// Spawns the first recorded prefab with the first bundle of a queue.
fn spawn_first<B: Bundle>(
    buffer: &mut CommandBuffer,
    index: usize,
    count: usize,
    world: &mut World,
) -> Result<(), CommandFailure> {
    let order = SpawnRequest::of(buffer.first_texts(count));
    // Taken first, so that the next command finds its own even after a panic.
    let mut bundle = Some(buffer.first_bundle::<B>(index));
    world.last_spawned().clear();
    world.spawn_prefab::<B>(&order, |world, entity| {
        world.last_spawned().push(entity);
        let filled = bundle.take().map_or(Ok(()), |bundle| world.give(entity, bundle));
        debug_assert!(filled.is_ok(), "an entity that was just spawned exists");
    })?;
    Ok(())
}
