//! Input: from window events to the inputs of a step.

pub(crate) mod bindings;
#[cfg_attr(target_arch = "wasm32", path = "input/page_gamepads.rs")]
#[cfg_attr(not(any(target_os = "linux", target_arch = "wasm32")), path = "input/no_gamepads.rs")]
mod gamepads;
pub(crate) mod hand;
#[cfg(any(test, target_arch = "wasm32"))]
mod held_buttons;
pub(crate) mod keys;
pub(crate) mod pad_button;
pub(crate) mod queue;
pub(crate) mod reader;
pub(crate) mod stick;
