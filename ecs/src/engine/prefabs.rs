//! Spawning from prefabs and reloading them.

use super::Engine;
use crate::component::Bundle;
use crate::entity::EntityId;
use crate::error::PrefabError;
use crate::prefab::{Prefab, Prefabs, Reloaded};

/// Prefabs: the resource [`Prefabs`] holds them.
impl Engine {
    /// Spawns an entity and its children from a prefab; returns its id.
    ///
    /// # Errors
    /// If there is no such prefab, or its overlay is invalid or names a component that is also given as a value; nothing was spawned.
    ///
    /// # Panics
    /// If a value panics in `clone`: the entity and its children have all other components.
    ///
    /// # Example
    /// See [`Prefabs`].
    pub fn spawn_prefab<'a, B: Bundle>(&mut self, prefab: impl Into<Prefab<'a, B>>) -> Result<EntityId, PrefabError> {
        let Prefab { order, bundle } = prefab.into();
        self.world.spawn_prefab::<B>(&order, |world, entity| {
            let filled = world.insert(entity, bundle);
            debug_assert!(filled.is_ok(), "an entity that was just spawned exists");
        })
    }

    /// Replaces or adds files, each given by name and text, and updates the entities that were spawned from their prefabs.
    ///
    /// A component gets a new value only if its text changed in meaning; all others keep their current values. Components and
    /// children that a prefab gained are added, those that it lost are removed. Components that were given as values at the spawn are
    /// kept, and one that was removed since is not inserted again. Entities of a prefab that no longer exists are kept, and follow it again if it comes back.
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

    /// Replaces all prefabs, and updates entities as [`Engine::reload_prefabs`] does: for applications that validate a whole set of
    /// prefabs first.
    ///
    /// # Panics
    /// As [`Engine::reload_prefabs`].
    ///
    /// # Example
    /// See [`Prefabs`].
    pub fn replace_prefabs(&mut self, prefabs: Prefabs) -> Reloaded {
        self.world.replace_prefabs(prefabs)
    }

    /// As [`Engine::reload_prefabs`]; a file without a text was deleted.
    #[cfg(feature = "hot-reload")]
    pub(crate) fn reload_files(&mut self, files: Vec<(String, Option<String>)>) -> Result<Reloaded, PrefabError> {
        self.world.reload_prefabs(files)
    }
}
