//! Without the feature `inspect`, no field is watched.

use super::SystemManager;
use super::node::{Phase, SystemNode};
use crate::causal_trace::CausalTrace;
use crate::event::EventTypeId;
use crate::world::World;

#[derive(Default)]
pub(crate) struct FieldWatcher {}

#[derive(Clone, Copy)]
#[allow(dead_code, reason = "nothing reads it")]
pub(crate) enum Method {
    Phase(Phase),
    Listener(usize),
    Transition(usize),
}

impl FieldWatcher {
    pub(crate) const fn is_on(&self) -> bool {
        false
    }

    pub(crate) fn begin_frame(&mut self, _: u64, _: &World, _: &SystemManager) {}

    pub(super) fn before_method(
        &mut self,
        _: (usize, &SystemNode),
        _: Method,
        _: Option<u64>,
        _: &World,
        _: Option<&CausalTrace>,
    ) {
    }

    pub(super) fn skip_listener(&mut self, _: usize, _: usize) {}

    pub(super) fn after_method(
        &mut self,
        _: &SystemNode,
        _: Method,
        _: Option<(EventTypeId, Option<u64>)>,
        _: &World,
        _: Option<&CausalTrace>,
    ) {
    }

    pub(super) fn after_transition(&mut self, _: &'static str, _: &World) {}

    pub(super) fn after_command(&mut self, _: &'static str, _: &World, _: Option<&CausalTrace>) {}

    pub(super) fn after_conditions(&mut self, _: &SystemManager, _: &World) {}

    pub(crate) fn after_changes_of_systems(&mut self, _: &SystemManager, _: &World) {}

    pub(super) fn end_frame(&mut self, _: &SystemManager, _: &World) {}
}
