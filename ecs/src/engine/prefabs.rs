//! Spawning from prefabs, and changing them while entities live, from outside of the frame.

use super::Engine;
use crate::component::Bundle;
use crate::entity::EntityId;
use crate::prefab::{Prefab, PrefabError, Prefabs, Reloaded};

/// Prefabs: the resource [`Prefabs`] holds them.
impl Engine {
    /// Spawns an entity, and its parts if it has any, from a prefab; returns its id.
    ///
    /// # Errors
    /// If there is no such prefab, or something is wrong with a text that is laid over it, or gives what is given as a value, too;
    /// nothing was spawned.
    ///
    /// # Panics
    /// If a value panics when it is cloned: it is left out, and the entity and its parts have the rest.
    pub fn spawn_prefab<'a, B: Bundle>(&mut self, prefab: impl Into<Prefab<'a, B>>) -> Result<EntityId, PrefabError> {
        let Prefab { order, bundle } = prefab.into();
        self.world.spawn_prefab::<B>(&order, |world, entity| {
            let filled = world.insert(entity, bundle);
            debug_assert!(filled.is_ok(), "an entity that was just spawned exists");
        })
    }

    /// Puts other texts in the place of files, each given by its name, and brings what was spawned from their prefabs into
    /// line. A file that is new is loaded.
    ///
    /// Of every entity and part, only those components get new values whose text came to mean something else; what has
    /// changed since then in the others stays. Components and children that a prefab gained are added, those that it lost are
    /// taken out. Components that were given when the entity was spawned stay as they are, and one that was removed since is
    /// not put back. Entities of a prefab that is gone stay as they are, and follow it again when it comes back.
    ///
    /// # Errors
    /// If something is wrong with one of the texts: all files stay as they were, and nothing was changed.
    ///
    /// # Panics
    /// If a value panics when it is cloned or dropped; everything else was changed all the same.
    pub fn reload_prefabs<F: Into<String>, T: Into<String>>(
        &mut self,
        files: impl IntoIterator<Item = (F, T)>,
    ) -> Result<Reloaded, PrefabError> {
        let files = files.into_iter().map(|(file, text)| (file.into(), Some(text.into())));
        self.world.reload_prefabs(files.collect())
    }

    /// Puts other prefabs in the place of those that are there, and brings what was spawned from these into line as
    /// [`Engine::reload_prefabs`] does: for applications that check a whole set of prefabs before they let it in.
    ///
    /// # Panics
    /// As [`Engine::reload_prefabs`].
    pub fn exchange_prefabs(&mut self, prefabs: Prefabs) -> Reloaded {
        self.world.exchange_prefabs(prefabs)
    }

    /// As [`Engine::reload_prefabs`]; files without a text are gone.
    #[cfg(feature = "hot-reload")]
    pub(crate) fn reload_files(&mut self, files: Vec<(String, Option<String>)>) -> Result<Reloaded, PrefabError> {
        self.world.reload_prefabs(files)
    }
}
