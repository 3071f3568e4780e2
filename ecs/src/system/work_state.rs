//! Which systems are enabled, to be kept and put back.

use std::any::TypeId;

use super::System;

/// Which systems are enabled: [`Engine::work_state`](crate::Engine::work_state) takes it,
/// [`Engine::set_work_state`](crate::Engine::set_work_state) puts it back. It names systems by their type, so it stays right
/// when the work order changes or systems are added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkState {
    pub(crate) systems: Vec<(TypeId, bool)>,
}

impl WorkState {
    /// Says whether the system `S` is to be enabled; returns itself so that calls can be chained.
    #[must_use]
    pub fn with<S: System>(mut self, is_enabled: bool) -> Self {
        let system = TypeId::of::<S>();
        match self.systems.iter_mut().find(|(known, _)| *known == system) {
            Some((_, state)) => *state = is_enabled,
            None => self.systems.push((system, is_enabled)),
        }
        self
    }

    /// The same systems, all of them disabled.
    #[must_use]
    pub fn all_disabled(mut self) -> Self {
        for (_, is_enabled) in &mut self.systems {
            *is_enabled = false;
        }
        self
    }

    /// Whether the system `S` is enabled; `None` if the state says nothing of it.
    #[must_use]
    pub fn is_enabled<S: System>(&self) -> Option<bool> {
        self.systems.iter().find(|(system, _)| *system == TypeId::of::<S>()).map(|(_, is_enabled)| *is_enabled)
    }
}
