//! Which systems are enabled, to be kept and put back.

use std::any::TypeId;

use super::{FunctionId, System};
use crate::type_map::short_name;

/// Which systems are enabled: [`Engine::work_state`](crate::Engine::work_state) takes it,
/// [`Engine::set_work_state`](crate::Engine::set_work_state) puts it back. It names systems by their type, so it stays right
/// when the work order changes or systems are added. Functions that run by themselves are part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkState {
    /// Type and name of each system, and whether it is enabled.
    pub(crate) systems: Vec<(TypeId, &'static str, bool)>,
    pub(crate) functions: Vec<(FunctionId, bool)>,
}

impl WorkState {
    /// Says whether the system `S` is to be enabled; returns itself so that calls can be chained.
    #[must_use]
    pub fn with<S: System>(mut self, is_enabled: bool) -> Self {
        let system = TypeId::of::<S>();
        match self.systems.iter_mut().find(|(known, ..)| *known == system) {
            Some((.., state)) => *state = is_enabled,
            None => self.systems.push((system, short_name::<S>(), is_enabled)),
        }
        self
    }

    /// The same systems and functions, all of them enabled.
    #[must_use]
    pub fn all_enabled(self) -> Self {
        self.all(true)
    }

    /// The same systems and functions, all of them disabled.
    #[must_use]
    pub fn all_disabled(self) -> Self {
        self.all(false)
    }

    fn all(mut self, enabled: bool) -> Self {
        for (.., is_enabled) in &mut self.systems {
            *is_enabled = enabled;
        }
        for (_, is_enabled) in &mut self.functions {
            *is_enabled = enabled;
        }
        self
    }

    /// Whether the system `S` is enabled; `None` if the state says nothing of it.
    #[must_use]
    pub fn is_enabled<S: System>(&self) -> Option<bool> {
        self.systems.iter().find(|(system, ..)| *system == TypeId::of::<S>()).map(|(.., is_enabled)| *is_enabled)
    }
}
