//! [`Program`]: what is proved.

use ecs::Engine;

/// What holds an engine with its whole state: an [`Engine`], or a struct around it.
pub trait Program {
    /// The engine.
    fn engine(&mut self) -> &mut Engine;
}

impl Program for Engine {
    fn engine(&mut self) -> &mut Engine {
        self
    }
}
