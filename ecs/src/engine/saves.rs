//! Snapshots as bytes and as text.

use std::io::{Read, Write};

use super::Engine;
use crate::error::Error;
use crate::panic::told;
use crate::snapshot::Snapshot;
use crate::snapshot::saved::{self, Dropped, LoadError, Loaded, SaveError, Source};

/// Saved snapshots (feature `serde`).
impl Engine {
    /// Takes a snapshot and writes it as bytes. Each type in it must be registered with
    /// [`TypeRegistry::save`](crate::snapshot::TypeRegistry::save).
    ///
    /// # Errors
    /// - [`SaveError::Snapshot`] as [`Engine::snapshot`].
    /// - [`SaveError::NotSaved`] if a type is not registered for saving.
    /// - [`SaveError::Value`] if a value would not be loaded as it was saved, or code of its type panics.
    /// - [`SaveError::NotLoadable`] if a count exceeds a limit of loading, such as that of waiting events.
    /// - [`SaveError::Write`] if `to` fails; loading refuses the partial output.
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
        without_panic(|| {
            let snapshot = self.snapshot()?;
            saved::write(&snapshot, self.source(), to)
        })
    }

    /// Reads a snapshot from bytes and restores it. Returns which values of older versions were converted and which
    /// were dropped; the dropped ones are also logged as warnings. Memory grows with the bytes that arrive, whatever
    /// lengths they claim.
    ///
    /// Listeners are matched by system, event and position among the listeners for this event. A new listener receives
    /// the waiting events; the state of a listener that no longer exists is dropped.
    ///
    /// # Errors
    /// - [`LoadError`] if the bytes are damaged or name a type that this engine lacks, or if code of a type panics
    ///   while it reads, converts or clones a value.
    /// - [`LoadError::Engine`] as [`Engine::restore`].
    ///
    /// An error changes nothing.
    ///
    /// # Panics
    /// As [`Engine::restore`], if an old value panics in `drop`.
    ///
    /// # Example
    /// See [`Engine::save`].
    pub fn load(&mut self, from: &mut dyn Read) -> Result<Loaded, LoadError> {
        self.load_by(|source| saved::read(source, from))
    }

    /// Takes a snapshot and returns it as RON, with the same content as the bytes. Each type in it must be registered
    /// with [`TypeRegistry::save_with_text`](crate::snapshot::TypeRegistry::save_with_text).
    ///
    /// # Errors
    /// As [`Engine::save`], and [`SaveError::Value`] if a type is registered for bytes only.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # fn garden() -> Result<Engine, Box<dyn std::error::Error>> {
    /// #     let mut engine = Engine::new();
    /// #     engine.types_mut().component::<u32>("height")?.save_with_text::<u32>(1)?;
    /// #     Ok(engine)
    /// # }
    /// let mut garden_of_today = garden()?;
    /// let tree = garden_of_today.spawn((7_u32,));
    /// let text = garden_of_today.save_text()?;
    ///
    /// let mut garden_of_tomorrow = garden()?;
    /// garden_of_tomorrow.load_text(&text)?;
    /// assert_eq!(garden_of_tomorrow.get(tree), Some(&7_u32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_text(&mut self) -> Result<String, SaveError> {
        without_panic(|| {
            let snapshot = self.snapshot()?;
            saved::write_text(&snapshot, self.source())
        })
    }

    /// Reads a snapshot from RON and restores it.
    ///
    /// # Errors
    /// As [`Engine::load`]; errors in the text have line and column.
    ///
    /// # Example
    /// See [`Engine::save_text`].
    pub fn load_text(&mut self, text: &str) -> Result<Loaded, LoadError> {
        self.load_by(|source| saved::read_text(source, text))
    }

    fn source(&self) -> Source<'_> {
        Source { types: self.types(), systems: &self.systems, events: &self.world.events }
    }

    fn load_by(
        &mut self,
        read: impl FnOnce(Source<'_>) -> Result<(Snapshot, Loaded), LoadError>,
    ) -> Result<Loaded, LoadError> {
        let read = told("a value cannot be loaded", || {
            let (snapshot, loaded) = read(self.source())?;
            self.snapshots.try_clones(&snapshot);
            Ok((snapshot, loaded))
        });
        let (mut snapshot, loaded) = read.map_err(|problem| LoadError::invalid("values", problem)).flatten()?;
        let values = snapshot.take_values();
        self.restore_with(&snapshot, values)?;
        for Dropped { kind, name, count } in &loaded.dropped {
            tracing::warn!(target: "ecs::snapshot", %kind, name, count, "dropped on load: the type no longer exists");
        }
        Ok(loaded)
    }
}

/// Code of users that panics is an error of the save.
fn without_panic<R>(save: impl FnOnce() -> Result<R, SaveError>) -> Result<R, SaveError> {
    told("it cannot be saved", save)
        .map_err(|problem| SaveError::Value { part: "the snapshot".to_owned(), problem })
        .flatten()
}

impl From<crate::error::SnapshotError> for SaveError {
    fn from(error: crate::error::SnapshotError) -> Self {
        Self::Snapshot(Error::from(error))
    }
}
