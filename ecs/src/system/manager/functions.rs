//! Plain functions among the systems: added and taken out again at any time between frames.

use super::SystemManager;
use crate::system::node::SystemNode;
use crate::system::timer::Timer;
use crate::system::{FunctionId, SystemInfo};

impl SystemManager {
    /// The function, if it is neither over nor cancelled.
    #[must_use]
    pub fn function(&self, function: FunctionId) -> Option<SystemInfo> {
        self.functions.get(function.key).map(|index| self.nodes[*index].info())
    }

    pub(crate) fn add_function(&mut self, mut node: SystemNode) -> FunctionId {
        let key = self.functions.insert(self.nodes.len());
        node.function = Some(key);
        let name = node.name;
        self.push(node);
        FunctionId { key, name }
    }

    /// Enables or disables a function. Returns whether there is one.
    pub(crate) fn set_function_enabled(&mut self, function: FunctionId, is_enabled: bool) -> bool {
        let Some(index) = self.functions.get(function.key) else { return false };
        self.set_node_enabled(*index, is_enabled);
        true
    }

    /// Which functions are enabled.
    pub(super) fn function_states(&self) -> impl Iterator<Item = (FunctionId, bool)> {
        self.functions.iter().map(|(key, index)| {
            let node = &self.nodes[*index];
            (FunctionId { key, name: node.name }, node.turn.is_enabled())
        })
    }

    /// Lets a function never run again; it is taken out as soon as nothing of it waits any more. Returns whether there was
    /// one.
    pub(crate) fn cancel(&mut self, function: FunctionId) -> bool {
        let Some(index) = self.functions.remove(function.key) else { return false };
        self.set_node_enabled(index, false);
        self.set_node_timer(index, Timer::over());
        true
    }

    /// Whether there is a function, or one that is waited for.
    pub(crate) fn has_functions(&self) -> bool {
        self.nodes.len() > self.by_type.len()
    }

    /// Takes out the function at a place among the systems; those behind it move up.
    pub(crate) fn remove_function(&mut self, system: usize) {
        let node = self.nodes.remove(system);
        if let Some(key) = node.function {
            self.functions.remove(key);
        }
        // What else counts systems by place is worked out anew from these before it is needed.
        let move_up = |index: &mut usize| *index -= usize::from(*index > system);
        self.by_type.values_mut().for_each(move_up);
        self.functions.values_mut().for_each(move_up);
        self.order.retain(|placed| placed.system != system);
        self.order.iter_mut().for_each(|placed| move_up(&mut placed.system));
        self.note_change();
        tracing::info!(target: "ecs::system", system = node.name, "over");
    }
}
