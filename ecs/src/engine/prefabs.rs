//! Spawning from prefabs and reloading them.

use super::Engine;
use crate::component::Bundle;
use crate::entity::EntityId;
use crate::error::PrefabError;
#[cfg(feature = "hot-reload")]
use crate::prefab::PrefabFolder;
use crate::prefab::{Prefab, Prefabs, Reloaded};

/// Prefabs: the resource [`Prefabs`] holds them.
impl Engine {
    /// Spawns an entity and its children from a prefab; returns its id.
    ///
    /// # Errors
    /// If there is no such prefab, or its overlay is invalid or names a component that is also given as a value;
    /// nothing was spawned.
    ///
    /// # Panics
    /// If a value panics in `clone`: the entity and its children have all other components.
    ///
    /// # Example
    /// See [`Prefabs`].
    pub fn spawn_prefab<'a, B: Bundle>(&mut self, prefab: impl Into<Prefab<'a, B>>) -> Result<EntityId, PrefabError> {
        let Prefab { order, bundle } = prefab.into();
        self.world.spawn_prefab::<B>(&order, |world, entity| {
            let filled = world.give(entity, bundle);
            debug_assert!(filled.is_ok(), "an entity that was just spawned exists");
        })
    }

    /// Replaces or adds files, each given by name and text, and updates the entities that were spawned from their
    /// prefabs.
    ///
    /// A component gets a new value only if its text changed in meaning; all others keep their current values.
    /// Components and children that a prefab gained are added, those that it lost are removed. Components that were
    /// given as values at the spawn are kept, and one that was removed since is not inserted again. Entities of a
    /// prefab that no longer exists are kept, and follow it again if it comes back.
    ///
    /// # Errors
    /// If one of the texts is invalid; nothing was changed.
    ///
    /// # Panics
    /// If a value panics in `clone` or `drop`; all other changes were made.
    ///
    /// # Example
    /// See [`Prefabs`].
    pub fn reload_prefabs<F: Into<String>, T: Into<String>>(
        &mut self,
        files: impl IntoIterator<Item = (F, T)>,
    ) -> Result<Reloaded, PrefabError> {
        let files = files.into_iter().map(|(file, text)| (file.into(), Some(text.into())));
        self.world.reload_prefabs(files.collect())
    }

    /// Replaces all prefabs, and updates entities as [`Engine::reload_prefabs`] does: for applications that validate a
    /// whole set of prefabs first.
    ///
    /// # Panics
    /// As [`Engine::reload_prefabs`].
    ///
    /// # Example
    /// See [`Prefabs`].
    pub fn replace_prefabs(&mut self, prefabs: Prefabs) -> Reloaded {
        self.world.replace_prefabs(prefabs)
    }
}

#[cfg(feature = "hot-reload")]
impl PrefabFolder {
    /// Reloads all changed files together; `None` if nothing changed since the last call. Call it between two frames.
    ///
    /// The prefabs of a deleted file are removed. Refused files are tried again after the next change in the folder, so
    /// related changes may arrive one after the other, and a half-written file is loaded once it is complete.
    ///
    /// # Errors
    /// If a file cannot be read or has a mistake; nothing is changed then.
    pub fn apply(&mut self, engine: &mut Engine) -> Option<Result<Reloaded, PrefabError>> {
        let reloaded = self.untried()?.and_then(|files| engine.world.reload_prefabs(files));
        if reloaded.is_ok() {
            self.forget_changes();
        }
        Some(reloaded)
    }
}
