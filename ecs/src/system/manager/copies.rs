//! The list of systems in snapshots: their places, and the functions among them.

use slotmap::SlotMap;

use super::{SetupError, SystemManager};
use crate::system::order::{candidates, work_order};
use crate::system::timer::Timer;
use crate::system::{FunctionKey, Priority, SystemNode};

/// Where a system of a snapshot comes from.
pub(crate) enum Origin {
    /// From this index in the list of the engine.
    Here(usize),
    /// A function that the engine does not have.
    Made(Box<SystemNode>),
}

impl SystemManager {
    /// Checks that the systems have a work order once they are arranged.
    ///
    /// # Errors
    /// As [`SystemManager::order`].
    pub(crate) fn check_arranged(&self, origins: &[Origin]) -> Result<(), SetupError> {
        let node = |origin| match origin {
            &Origin::Here(place) => &self.nodes[place],
            Origin::Made(node) => &**node,
        };
        let nodes: Vec<&SystemNode> = origins.iter().map(node).collect();
        let find = |system| nodes.iter().position(|node| node.system == system && node.function.is_none());
        let order = work_order(&candidates(&nodes, find)?);
        order.map(drop).map_err(|cycle| SetupError::Cycle {
            systems: cycle.into_iter().map(|system| nodes[system].name).collect(),
        })
    }

    /// The indices of the functions by their keys.
    pub(crate) fn functions(&self) -> &SlotMap<FunctionKey, usize> {
        &self.functions
    }

    /// The index of a function, also of one that is over and not yet removed.
    pub(crate) fn place_of_function(&self, key: FunctionKey) -> Option<usize> {
        self.nodes.iter().position(|node| node.function == Some(key))
    }

    /// Arranges the systems as in a snapshot and returns the functions that it does not name. The work order must be rebuilt next.
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
        self.functions.clone_from(functions);
        self.by_type.clear();
        let systems = self.nodes.iter().enumerate().filter(|(_, node)| node.function.is_none());
        self.by_type.extend(systems.map(|(place, node)| (node.system, place)));
        self.order.clear();
        self.note_change();
        nodes.into_iter().flatten().collect()
    }

    /// Restores priority, timer and enabled flag of a system.
    pub(crate) fn put_back(&mut self, system: usize, priority: Priority, timer: Timer, is_enabled: bool) {
        let node = &mut self.nodes[system];
        self.is_ordered &= node.priority == priority;
        node.priority = priority;
        node.turn.set_enabled(is_enabled);
        self.set_node_timer(system, timer);
        self.resources_checked = None;
    }

    /// Restores the keys of functions, including stale ones.
    pub(crate) fn put_functions_back(&mut self, functions: &SlotMap<FunctionKey, usize>) {
        self.functions.clone_from(functions);
    }
}
