//! Input: from window events to the inputs of a step.

pub(crate) mod bindings;
#[cfg(not(target_arch = "wasm32"))]
mod gamepads;
pub(crate) mod keys;
pub(crate) mod pad_button;
#[cfg(any(test, target_arch = "wasm32"))]
mod page_gamepads;
pub(crate) mod queue;
pub(crate) mod reader;
