//! Removes systems and functions from the list of systems. The systems behind them move up, so places in the queue and
//! in the recorded commands are adjusted.

use std::any::TypeId;

use super::Executor;
use crate::error::SetupError;
use crate::event::{EventBuffer, OUTSIDE};
use crate::ids::FunctionId;
use crate::panic::FirstPanic;
use crate::steps::count;
use crate::system::{System, SystemManager, SystemNode, behind_removal};
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
        // One that is added next begins as it declares.
        for (event_type, _) in &systems.nodes[place].listens {
            world.events.forget_subscriptions(*event_type, system);
        }
        let removed = self.remove_nodes(&[place], systems, world);
        Ok(removed.into_iter().next().expect("there is a system at the place"))
    }

    /// Cancels a function between frames, and drops what it captured at once. What is left of it is removed with
    /// others, in [`Executor::forget_cancelled`], or once half of all systems are such. Returns whether there was one.
    ///
    /// # Panics
    /// If values that it captured panic in `drop`.
    ///
    /// # Complexity
    /// O(1), amortized.
    pub(crate) fn cancel(&mut self, function: FunctionId, systems: &mut SystemManager, world: &mut World) -> bool {
        let Some(place) = systems.functions().get(function.key).copied() else { return false };
        systems.cancel(function);
        let mut panics = FirstPanic::default();
        drop_function(systems.nodes[place].take_contents(world), &mut panics);
        systems.note_change();
        if systems.cancelled() > systems.nodes.len() / 2 {
            panics.catch(|| self.forget_functions(systems, world));
        }
        panics.raise();
        true
    }

    /// Removes the functions that were cancelled since the last frame.
    ///
    /// # Panics
    /// As [`Executor::forget_functions`].
    pub(crate) fn forget_cancelled(&mut self, systems: &mut SystemManager, world: &mut World) {
        if systems.cancelled() > 0 {
            self.forget_functions(systems, world);
        }
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
        systems.list_what_ends();
        count(systems.timed.len());
        let timed = systems.timed.iter().copied();
        let mut over: Vec<usize> = timed.filter(|system| systems.nodes[*system].has_ended()).collect();
        if over.is_empty() {
            return;
        }
        let queued = world.events.queue.iter().map(|queued| queued.sender);
        let mut with_output: Vec<_> = queued.chain(self.recorded.iter().map(|recorded| recorded.system)).collect();
        with_output.sort_unstable();
        count(with_output.len() + systems.nodes.len());
        over.retain(|system| with_output.binary_search(system).is_err());
        if over.is_empty() {
            return;
        }
        let mut panics = FirstPanic::default();
        self.remove_nodes(&over, systems, world).into_iter().for_each(|node| drop_function(node, &mut panics));
        panics.raise();
    }

    /// Removes the systems at `places`. None of their events or commands may be waiting.
    pub(super) fn remove_nodes(
        &mut self,
        places: &[usize],
        systems: &mut SystemManager,
        world: &mut World,
    ) -> Vec<SystemNode> {
        for queued in world.events.queue.iter_mut().filter(|queued| queued.sender != OUTSIDE) {
            queued.sender = behind_removal(queued.sender, places);
        }
        for recorded in &mut self.recorded {
            recorded.system = behind_removal(recorded.system, places);
        }
        systems.remove_nodes(places, world)
    }
}

/// Drops a function, and the copy of it from which a snapshot makes it again.
fn drop_function(node: SystemNode, panics: &mut FirstPanic) {
    let SystemNode { work, own_type, .. } = node;
    panics.catch(|| drop(work));
    panics.catch(|| drop(own_type));
}
