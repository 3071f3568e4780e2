//! Snapshots that are stored, sent, and shown to people.

use std::io::{Read, Write};

use super::Engine;
use crate::error::Error;
use crate::snapshot::Snapshot;
use crate::snapshot::saved::{self, Dropped, LoadError, Loaded, SaveError, Source};

/// Saved snapshots (feature `serde`).
impl Engine {
    /// Takes a snapshot and writes it as bytes: all of it, or an error. What is saved is registered for saving first, by
    /// [`TypeRegistry::save`](crate::TypeRegistry::save).
    ///
    /// # Errors
    /// - [`SaveError::Snapshot`] as [`Engine::snapshot`].
    /// - [`SaveError::NotSaved`] if something is not registered for saving.
    /// - [`SaveError::NotLoadable`] if there is more of something than any engine loads, such as events that wait.
    /// - [`SaveError::Write`] if `to` fails; what was written until then is no whole snapshot, which loading tells.
    ///
    /// # Example
    /// ```
    /// use ecs::Engine;
    ///
    /// fn empty() -> Result<Engine, ecs::Error> {
    ///     let mut engine = Engine::new();
    ///     engine.types_mut().component::<u32>("score")?.save::<u32>(1)?;
    ///     Ok(engine)
    /// }
    ///
    /// let mut engine = empty()?;
    /// let player = engine.spawn((7_u32,));
    /// let mut file = Vec::new();
    /// engine.save(&mut file)?;
    ///
    /// let mut later = empty()?;
    /// later.load(&mut file.as_slice())?;
    /// assert_eq!(later.get(player), Some(&7_u32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&mut self, to: &mut dyn Write) -> Result<(), SaveError> {
        let snapshot = self.snapshot()?;
        saved::write(&snapshot, self.source(), to)
    }

    /// Reads a snapshot from bytes and puts it back; tells what became of what older programs saved, and warns of what
    /// was left out. Memory is taken as bytes arrive, whatever they claim.
    ///
    /// A listener is that of the same system and event, and the first, second and so on of those for one event. One that was not
    /// there when the snapshot was saved hears what waits, and what was known of one that is gone is forgotten.
    ///
    /// # Errors
    /// - [`LoadError`] says what is wrong with the bytes, or which type this engine does not know.
    /// - [`LoadError::Engine`] as [`Engine::restore`].
    ///
    /// Nothing was changed then.
    pub fn load(&mut self, from: &mut dyn Read) -> Result<Loaded, LoadError> {
        let (snapshot, loaded) = saved::read(self.source(), from)?;
        self.restore_loaded(&snapshot, loaded)
    }

    /// Takes a snapshot and writes it as a text in RON, for people and tests. It holds the same as the bytes. Types must have
    /// asked for it by [`TypeRegistry::save_with_text`](crate::TypeRegistry::save_with_text).
    ///
    /// # Errors
    /// As [`Engine::save`], and [`SaveError::Value`] if a type is saved as bytes only.
    pub fn save_text(&mut self) -> Result<String, SaveError> {
        let snapshot = self.snapshot()?;
        saved::write_text(&snapshot, self.source())
    }

    /// Reads a snapshot from a text and puts it back.
    ///
    /// # Errors
    /// As [`Engine::load`]; mistakes in the text are told by line and column.
    pub fn load_text(&mut self, text: &str) -> Result<Loaded, LoadError> {
        let (snapshot, loaded) = saved::read_text(self.source(), text)?;
        self.restore_loaded(&snapshot, loaded)
    }

    fn source(&self) -> Source<'_> {
        Source { types: self.types(), systems: &self.systems, events: &self.world.events }
    }

    fn restore_loaded(&mut self, snapshot: &Snapshot, loaded: Loaded) -> Result<Loaded, LoadError> {
        self.restore(snapshot)?;
        for Dropped { kind, name, count } in &loaded.dropped {
            tracing::warn!(target: "ecs::snapshot", %kind, name, count, "left out of what was loaded: it is gone");
        }
        Ok(loaded)
    }
}

impl From<crate::SnapshotError> for SaveError {
    fn from(error: crate::SnapshotError) -> Self {
        Self::Snapshot(Error::from(error))
    }
}
