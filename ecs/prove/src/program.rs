//! [`Program`]: what is proved.

use std::error::Error;

use ecs::snapshot::SaveError;
use ecs::{Engine, EngineBuilder};

pub(crate) type AnyError = Box<dyn Error + Send + Sync>;
/// Makes a program.
pub(crate) type Make<'a, P> = Box<dyn Fn(EngineBuilder) -> Result<P, AnyError> + Sync + 'a>;
/// Runs a step of a program with its input.
pub(crate) type Step<'a, P, I> = Box<dyn Fn(&mut P, &I) -> Result<(), AnyError> + Sync + 'a>;

/// What holds an engine with its whole state: an [`Engine`], or a struct around it.
pub trait Program {
    /// The engine, whose state is compared and restored.
    fn engine(&mut self) -> &mut Engine;

    /// Saves the state. A program with saves of its own form overrides it.
    ///
    /// # Errors
    /// As [`Engine::save`].
    fn save(&mut self) -> Result<Vec<u8>, SaveError> {
        let mut bytes = Vec::new();
        self.engine().save(&mut bytes)?;
        Ok(bytes)
    }

    /// Loads what [`Program::save`] saved. A program that completes what it has loaded overrides it.
    ///
    /// # Errors
    /// As [`Engine::load`].
    fn load(&mut self, bytes: &[u8]) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.engine().load(&mut &*bytes)?;
        Ok(())
    }
}

impl Program for Engine {
    fn engine(&mut self) -> &mut Engine {
        self
    }
}
