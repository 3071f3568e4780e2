//! Removes systems and functions from the list of systems. The systems behind them move up, so places in the queue and in the
//! recorded commands are adjusted.

use std::any::TypeId;

use super::Executor;
use crate::event::{EventBuffer, OUTSIDE};
use crate::panic::FirstPanic;
use crate::system::{SetupError, System, SystemManager, SystemNode};
use crate::type_map::short_name;
use crate::world::World;

impl Executor {
    /// Removes the system `S`; the events that it sent still wait.
    ///
    /// # Errors
    /// As [`Engine::remove_system`](crate::Engine::remove_system).
    pub(crate) fn remove_system<S: System>(
        &mut self,
        systems: &mut SystemManager,
        world: &mut World,
    ) -> Result<SystemNode, SetupError> {
        self.remove_by_type(TypeId::of::<S>(), short_name::<S>(), systems, world)
    }

    pub(super) fn remove_by_type(
        &mut self,
        system: TypeId,
        name: &'static str,
        systems: &mut SystemManager,
        world: &mut World,
    ) -> Result<SystemNode, SetupError> {
        let (place, _) = systems.find(system).ok_or(SetupError::NotAdded { system: name })?;
        let of_systems = systems.nodes.iter().map(|node| (node.name, &node.after, &node.before));
        let of_sets = systems.sets.nodes.iter().map(|set| (set.name, &set.after, &set.before));
        for (by, after, before) in of_systems.chain(of_sets) {
            for (relation, dependencies) in [("after", after), ("before", before)] {
                if dependencies.iter().any(|dependency| dependency.system == system) {
                    return Err(SetupError::Needed { system: name, by, relation });
                }
            }
        }
        if self.recorded.iter().any(|recorded| recorded.system == place) {
            return Err(SetupError::CommandsWait { system: name });
        }
        let sent = world.events.queue.iter_mut().filter(|queued| queued.sender == place);
        if sent.map(|queued| queued.sender = OUTSIDE).count() > 0 {
            // The queue points into the buffer.
            let buffer = &mut systems.nodes[place].buffer;
            self.buffers_of_removed.push(std::mem::replace(buffer, EventBuffer::new()));
        }
        Ok(self.remove_node(place, systems, world))
    }

    /// Removes the functions that have ended, except those whose events or commands wait because a frame panicked.
    ///
    /// While commands wait behind one that panicked, all functions stay: insert conflicts name systems by their places.
    ///
    /// # Panics
    /// If values that they captured panic in `drop`: with the first panic, after all have been removed.
    pub(crate) fn forget_functions(&mut self, systems: &mut SystemManager, world: &mut World) {
        if self.is_applying || !systems.has_functions() {
            return;
        }
        let mut panics = FirstPanic::default();
        for system in (0..systems.nodes.len()).rev() {
            let has_output = || {
                world.events.queue.iter().any(|queued| queued.sender == system)
                    || self.recorded.iter().any(|recorded| recorded.system == system)
            };
            if systems.nodes[system].has_ended() && !has_output() {
                // The function, and the copy of it from which a snapshot makes it again.
                let SystemNode { work, own_type, .. } = self.remove_node(system, systems, world);
                panics.catch(|| drop(work));
                panics.catch(|| drop(own_type));
            }
        }
        panics.raise();
    }

    /// Removes the system at a place, of which nothing waits.
    fn remove_node(&mut self, system: usize, systems: &mut SystemManager, world: &mut World) -> SystemNode {
        let queue = &mut world.events.queue;
        for queued in queue.iter_mut().filter(|queued| queued.sender != OUTSIDE && queued.sender > system) {
            queued.sender -= 1;
        }
        for recorded in self.recorded.iter_mut().filter(|recorded| recorded.system > system) {
            recorded.system -= 1;
        }
        systems.remove_node(system, world)
    }
}
