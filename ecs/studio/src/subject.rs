//! [`Subject`]: what is inspected.

use std::time::Duration;

use ecs::inspect::Edit;
use ecs::{Engine, EntityId, Error, Snapshot};

/// A program's state with an engine in it. An [`Engine`] itself is one; a program with a state of its own beside the
/// engine implements this, so that the whole goes back in time.
pub trait Subject {
    /// A copy of the state between two frames.
    type Snapshot: Default;
    /// What a frame is run with, besides the state and the events that wait in the engine: for an [`Engine`], the
    /// length of the frame. `()` if it is not recorded.
    type Inputs: Clone + PartialEq;
    /// Whether [`Subject::run_again`] runs one frame, also where a call of the program ran several, such as
    /// [`Engine::advance`]. Otherwise these are shown as one.
    const RUNS_FRAME_BY_FRAME: bool = false;

    /// The engine.
    fn engine(&mut self) -> &mut Engine;

    /// What the frame that has just run was run with, besides the events that waited for it; `delta` is its length.
    /// `None` if that is not recorded, as by default: then only frames with a snapshot can be shown.
    fn inputs(&mut self, delta: Duration) -> Option<Self::Inputs> {
        let _ = delta;
        None
    }

    /// Runs again what one call of the program ran, from the same state, which must give the same state as before. The
    /// application's [`EventReader`](ecs::event::EventReader)s do not get its events; other effects on the world
    /// outside, such as files, must not be repeated.
    fn run_again(&mut self, inputs: &Self::Inputs) {
        let _ = inputs;
    }

    /// About how many bytes the inputs of a frame take. Inputs that equal those of the frame before are kept once.
    fn input_bytes(inputs: &Self::Inputs) -> usize {
        size_of_val(inputs)
    }

    /// Takes a copy of the state, and reuses the memory of an older one.
    ///
    /// # Errors
    /// As [`Engine::snapshot_into`].
    fn snapshot_into(&mut self, snapshot: &mut Self::Snapshot) -> Result<(), Error>;

    /// Restores a copy.
    ///
    /// # Errors
    /// As [`Engine::restore`].
    fn restore(&mut self, snapshot: &Self::Snapshot) -> Result<(), Error>;

    /// About how many bytes a copy takes, to limit how many are kept: by default those of [`Engine::memory`], which do
    /// not contain what components and resources allocate themselves. A program whose resources are large adds them.
    /// Called with each snapshot.
    fn snapshot_bytes(&mut self) -> usize {
        self.engine().memory().held_bytes()
    }

    /// The prefabs that [`Subject::spawn_prefab`] knows, sorted.
    fn prefabs(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Spawns an entity from a prefab; `arguments` is JSON, whose meaning is the program's.
    ///
    /// # Errors
    /// A sentence that says why it cannot be spawned; nothing was changed.
    fn spawn_prefab(&mut self, name: &str, arguments: &str) -> Result<EntityId, String> {
        let _ = arguments;
        Err(format!("there is no prefab {name:?}"))
    }

    /// Brings in line what depends on an edit that was just made in the engine, such as a body in a physics engine.
    fn after_edit(&mut self, edit: &Edit) {
        let _ = edit;
    }

    /// Makes a change by hand, between two frames; returns the entity that it spawns.
    ///
    /// # Errors
    /// A sentence that says what does not fit; nothing was changed.
    fn make(&mut self, edit: &Edit) -> Result<Option<EntityId>, String> {
        if let Edit::Prefab { name, arguments } = edit {
            return self.spawn_prefab(name, arguments).map(Some);
        }
        let spawned = self.engine().inspector().make(edit).map_err(|error| error.to_string())?;
        self.after_edit(edit);
        Ok(spawned)
    }

    /// The state as bytes, for another run of the program.
    ///
    /// # Errors
    /// A sentence that says what cannot be saved.
    fn save(&mut self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        self.engine().save(&mut bytes).map_err(|error| error.to_string())?;
        Ok(bytes)
    }

    /// Loads a state that [`Subject::save`] wrote. An error changes nothing.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the bytes.
    fn load(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.engine().load(&mut &*bytes).map(drop).map_err(|error| error.to_string())
    }
}

impl Subject for Engine {
    type Snapshot = Snapshot;
    type Inputs = Duration;
    const RUNS_FRAME_BY_FRAME: bool = true;

    fn engine(&mut self) -> &mut Engine {
        self
    }

    fn inputs(&mut self, delta: Duration) -> Option<Duration> {
        Some(delta)
    }

    fn run_again(&mut self, delta: &Duration) {
        // A frame that failed fails again.
        _ = self.update(*delta);
    }

    fn snapshot_into(&mut self, snapshot: &mut Snapshot) -> Result<(), Error> {
        Self::snapshot_into(self, snapshot)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        Self::restore(self, snapshot)
    }
}
