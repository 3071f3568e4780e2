//! Prefabs that systems ask for.

use super::{Command, CommandFailure, CommandLane, Commands};
use crate::component::Bundle;
use crate::prefab::Prefab;
use crate::world::World;

impl Commands<'_> {
    /// Spawns an entity, and its parts if it has any, from a prefab.
    ///
    /// If there is no such prefab, or something is wrong with a text that is laid over it, nothing is spawned and
    /// [`Engine::command_errors`](crate::Engine::command_errors) tells why.
    pub fn spawn_prefab<B: Bundle>(&mut self, prefab: impl Into<Prefab<'static, B>>) {
        let Prefab { order, bundle } = prefab.into();
        let mut lane = self.lane.borrow_mut();
        let buffer = lane.store(bundle);
        lane.prefabs.waiting.push_back(order);
        lane.order.push_back(Command::SpawnMany { buffer, count: 1, spawn: spawn_first::<B> });
    }
}

/// Spawns the prefab that was ordered first, with the first bundle of a queue.
fn spawn_first<B: Bundle>(
    lane: &mut CommandLane,
    buffer: usize,
    _: usize,
    world: &mut World,
) -> Result<(), CommandFailure> {
    let order = lane.prefabs.waiting.pop_front().expect("every command that spawns a prefab stored what to spawn");
    let bundle = &mut lane.buffers[buffer].1;
    let mut is_unpacked = false;
    let spawned = world.spawn_prefab::<B>(&order, |world, entity| {
        is_unpacked = true;
        let filled = bundle.unpack_first(entity, world);
        debug_assert!(filled.is_ok(), "an entity that was just spawned exists");
    });
    if !is_unpacked {
        bundle.drop_first();
    }
    world.last_spawned().clear();
    world.last_spawned().push(spawned?);
    Ok(())
}
