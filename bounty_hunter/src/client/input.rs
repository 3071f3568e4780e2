//! Keys, the mouse and the window's events, on their way to the steps of the game.

pub(crate) mod keys;
pub(crate) mod queue;
pub(crate) mod reader;
