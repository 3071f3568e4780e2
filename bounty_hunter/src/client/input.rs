//! Input: from window events to the inputs of a step.

pub(crate) mod bindings;
pub(crate) mod gamepads;
pub(crate) mod keys;
pub(crate) mod queue;
pub(crate) mod reader;
