//! Systems in snapshots: the functions, and the positions of all systems.

use slotmap::SlotMap;

use super::{SetupError, SystemManager};
use crate::ids::FunctionKey;
use crate::system::order::schedule;
use crate::system::timer::Timer;
use crate::system::{Priority, SystemNode};
use crate::type_map::FixedMap;

/// The source of a system that is being restored.
pub(crate) enum Origin {
    /// The system of the engine at this position.
    Here(usize),
    /// A recreated function.
    Made(Box<SystemNode>),
}

impl SystemManager {
    /// Checks that there is an execution order after [`arrange`](Self::arrange).
    ///
    /// # Errors
    /// As [`SystemManager::order`].
    pub(crate) fn check_arranged(&self, origins: &[Origin]) -> Result<(), SetupError> {
        let node = |origin| match origin {
            &Origin::Here(place) => &self.nodes[place],
            Origin::Made(node) => &**node,
        };
        let nodes: Vec<&SystemNode> = origins.iter().map(node).collect();
        schedule(&nodes, &self.sets, &self.known_functions, self.shuffled_by).map(drop)
    }

    /// The positions of functions by key.
    pub(crate) fn functions(&self) -> &SlotMap<FunctionKey, usize> {
        &self.functions
    }

    /// The places of all functions, those that have ended included.
    pub(crate) fn function_places(&self) -> FixedMap<FunctionKey, usize> {
        let places = self.nodes.iter().enumerate().filter_map(|(place, node)| Some((node.function?, place)));
        places.collect()
    }

    /// Reorders the systems; returns the functions that `origins` does not name. The execution order must be computed
    /// next.
    pub(crate) fn arrange(
        &mut self,
        origins: impl Iterator<Item = Origin>,
        functions: &SlotMap<FunctionKey, usize>,
    ) -> Vec<SystemNode> {
        let mut nodes: Vec<_> = std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        let node = |origin| match origin {
            Origin::Here(place) => nodes[place].take().expect("no system stands twice in a snapshot"),
            Origin::Made(node) => *node,
        };
        self.nodes = origins.map(node).collect();
        for node in self.nodes.iter().filter(|node| node.function.is_some()) {
            if self.known_functions.insert(node.label, ()).is_none() {
                self.function_names.push((node.label, node.name));
            }
        }
        self.functions.clone_from(functions);
        self.by_type.clear();
        let systems = self.nodes.iter().enumerate().filter(|(_, node)| node.function.is_none());
        self.by_type.extend(systems.map(|(place, node)| (node.system, place)));
        self.order.clear();
        self.note_change();
        nodes.into_iter().flatten().collect()
    }

    /// Gives functions the keys that a save knows them by.
    pub(crate) fn rekey(&mut self, keys: &[(usize, FunctionKey)]) {
        let mut renamed = FixedMap::default();
        for (place, key) in keys {
            if let Some(old) = self.nodes[*place].function.replace(*key) {
                renamed.insert(old, *key);
            }
        }
        let dependencies = self.nodes.iter_mut().flat_map(|node| node.after.iter_mut().chain(&mut node.before));
        for function in dependencies.filter_map(|dependency| dependency.function.as_mut()) {
            *function = renamed.get(function).copied().unwrap_or(*function);
        }
    }

    /// Restores the priority, the timer and the enabled state of a system.
    pub(crate) fn put_back(&mut self, system: usize, priority: Priority, timer: Timer, is_enabled: bool) {
        let node = &mut self.nodes[system];
        self.is_ordered &= node.priority == priority;
        node.priority = priority;
        node.run_state.set_enabled(is_enabled);
        self.set_node_timer(system, timer);
        self.resources_checked = None;
    }

    /// Restores the keys of functions, also of those that have ended.
    pub(crate) fn put_functions_back(&mut self, functions: &SlotMap<FunctionKey, usize>) {
        self.functions.clone_from(functions);
    }
}
