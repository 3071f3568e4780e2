//! [`Pending`]: what commands asked for that changes the systems, until the end of the frame.

use std::any::TypeId;

use super::{SystemNode, Systems};
use crate::commands::Switch;

/// A change of the systems.
pub(crate) enum SystemChange {
    /// Enables, disables, cancels or removes.
    Switch(Switch),
    /// Adds a function that comes and goes.
    Function(Box<SystemNode>),
    /// Adds what [`Commands::add`](crate::Commands::add) was given.
    Add(Systems),
}

/// The name of the command that adds systems.
pub(super) const ADD_SYSTEMS: &str = "add systems";

impl SystemChange {
    /// The name of the command that asks for it.
    pub(super) fn command(&self) -> &'static str {
        match self {
            Self::Switch(switch) => switch.name(),
            Self::Function(_) => "add a function",
            Self::Add(_) => ADD_SYSTEMS,
        }
    }
}

/// Changes in the order in which they were recorded, each with the name of the system that recorded it.
#[derive(Default)]
pub(crate) struct Pending(Vec<(SystemChange, &'static str)>);

impl Pending {
    pub(crate) fn push(&mut self, change: SystemChange, by: &'static str) {
        self.0.push((change, by));
    }

    /// Whether a system will be added.
    pub(crate) fn adds(&self, system: TypeId) -> bool {
        self.0.iter().any(|(change, _)| matches!(change, SystemChange::Add(systems) if systems.have(system)))
    }

    /// Notes the system that recorded the changes from this number on.
    pub(crate) fn name_from(&mut self, first: usize, by: &'static str) {
        self.0[first..].iter_mut().for_each(|(_, name)| *name = by);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes all changes. [`Pending::give_back`] keeps their memory.
    pub(crate) fn take(&mut self) -> Vec<(SystemChange, &'static str)> {
        std::mem::take(&mut self.0)
    }

    pub(crate) fn give_back(&mut self, emptied: Vec<(SystemChange, &'static str)>) {
        self.0 = emptied;
    }
}
