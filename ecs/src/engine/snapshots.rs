//! Snapshots of an engine, taken and put back, and the hash of its state.

use super::Engine;
use crate::error::Error;
use crate::panic::FirstPanic;
#[cfg(any(feature = "inspect", doc))]
use crate::snapshot::SnapshotError;
use crate::snapshot::{EngineState, Snapshot, StateHash, Target};
#[cfg(feature = "inspect")]
use crate::snapshot::{FrameInputs, WaitingEvents};
use crate::store::{HeldControls, SharedCopy};
use crate::types::TypeRegistry;

/// Snapshots.
impl Engine {
    /// The types that are registered under stable names.
    ///
    /// # Example
    /// See [`Engine::types_mut`].
    #[must_use]
    pub fn types(&self) -> &TypeRegistry {
        &self.snapshots.types
    }

    /// For registering types under stable names; best done at set-up.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// engine.types_mut().component::<u32>("score")?.resource::<bool>("paused")?;
    /// assert!(engine.types_mut().component::<u8>("score").is_err()); // Two types cannot have one name.
    /// # Ok::<(), ecs::snapshot::SnapshotError>(())
    /// ```
    pub fn types_mut(&mut self) -> &mut TypeRegistry {
        if let Some(presenters) = &mut self.presenters {
            presenters.check_again();
        }
        &mut self.snapshots.types
    }

    /// A copy of the state: everything that later frames depend on. O(changes since the last snapshot).
    ///
    /// # Errors
    /// As [`Engine::snapshot_into`].
    ///
    /// # Example
    /// See [`Snapshot`].
    pub fn snapshot(&mut self) -> Result<Snapshot, Error> {
        let mut snapshot = Snapshot::new();
        self.snapshot_into(&mut snapshot)?;
        Ok(snapshot)
    }

    /// As [`Engine::snapshot`], reusing the memory of an older snapshot: a warm ring of snapshots allocates nothing.
    ///
    /// # Errors
    /// - [`SnapshotError::NotRegistered`] if the state contains a value
    ///   of an unregistered type.
    /// - As [`Engine::order`].
    ///
    /// An error leaves `snapshot` empty.
    ///
    /// # Panics
    /// If a value panics in `clone`: the engine is unchanged, `snapshot` is empty.
    ///
    /// # Example
    /// ```
    /// # use ecs::{Engine, Snapshot};
    /// let mut engine = Engine::new();
    /// engine.types_mut().component::<u32>("score")?;
    /// let player = engine.spawn((7_u32,));
    /// let mut latest = Snapshot::new(); // Its memory is used again by each call.
    /// engine.snapshot_into(&mut latest)?;
    /// engine.despawn(player)?;
    /// engine.restore(&latest)?;
    /// assert_eq!(engine.get(player), Some(&7_u32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn snapshot_into(&mut self, snapshot: &mut Snapshot) -> Result<(), Error> {
        EngineState::from(self).take(snapshot)
    }

    /// Restores the state of a snapshot, which may come from another engine with the same systems and registered types.
    /// O(differences from the last snapshot that was taken or restored).
    ///
    /// If the other engine registered its component types in another order, the [`Removed`](crate::Removed) events of a
    /// despawned entity follow the order of this engine.
    ///
    /// # Errors
    /// - [`SnapshotError`] if the snapshot does not fit; nothing was changed.
    /// - As [`Engine::order`].
    ///
    /// # Panics
    /// - If a value panics in `clone`, or an old value in `drop`: the engine then has no entities, events or commands,
    ///   its functions are those of the snapshot, and each resource and system has either its old or its new state.
    /// - If a function panics in `clone`: nothing was changed. In `drop`, or an event: the snapshot was restored.
    ///
    /// # Example
    /// See [`Snapshot`].
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.restore_with(snapshot, Vec::new())
    }

    /// As [`Engine::restore`], with values that [`Snapshot::take_values`] took: they are moved instead of copied.
    pub(super) fn restore_with(&mut self, snapshot: &Snapshot, values: Vec<Option<SharedCopy>>) -> Result<(), Error> {
        self.order()?;
        let Self { world, systems, executor, snapshots, function_buffers, .. } = self;
        snapshots.check(snapshot, systems)?;
        let left_out = snapshots.arrange(snapshot, world, systems)?;
        systems.order(world)?;
        let mut panics = FirstPanic::default();
        snapshots.put_back(snapshot, Target { world, systems, executor, function_buffers, values }, &mut panics);
        if let Some(causal_trace) = &mut self.executor.causal_trace {
            causal_trace.restart(&self.world.events);
        }
        if let Some(presenters) = &self.presenters {
            presenters.see_everything();
        }
        // The snapshot may have other priorities.
        let ordered = self.order();
        left_out.into_iter().for_each(|node| _ = panics.catch(|| drop(node)));
        panics.raise();
        ordered
    }

    /// The controls that a [`StepLoop`](crate::StepLoop) has told this state are held.
    pub(crate) fn controls(&mut self) -> &mut Option<HeldControls> {
        &mut self.executor.controls
    }

    /// As [`Inspector::waiting_events`](crate::inspect::Inspector::waiting_events).
    #[cfg(feature = "inspect")]
    pub(crate) fn waiting_events(&mut self) -> Result<Option<WaitingEvents>, SnapshotError> {
        self.snapshots.waiting_events(&mut self.world, &self.executor.controls)
    }

    /// As [`Inspector::set_waiting_events`](crate::inspect::Inspector::set_waiting_events).
    #[cfg(feature = "inspect")]
    pub(crate) fn set_waiting_events(&mut self, events: &WaitingEvents) -> Result<(), Error> {
        self.order()?;
        let Self { world, systems, executor, snapshots, function_buffers, .. } = self;
        snapshots.set_waiting_events(events, Target { world, systems, executor, function_buffers, values: Vec::new() });
        if let Some(causal_trace) = &mut self.executor.causal_trace {
            causal_trace.restart(&self.world.events);
        }
        Ok(())
    }

    /// As [`Inspector::record_frames`](crate::inspect::Inspector::record_frames).
    #[cfg(feature = "inspect")]
    pub(crate) fn record_frames(&mut self, are_recorded: bool) -> Vec<FrameInputs> {
        std::mem::replace(&mut self.recorded_frames, are_recorded.then(Vec::new)).unwrap_or_default()
    }

    /// As [`Inspector::feed_readers`](crate::inspect::Inspector::feed_readers).
    #[cfg(feature = "inspect")]
    pub(crate) fn feed_readers(&mut self, are_fed: bool) {
        self.world.events.are_readers_left_out = !are_fed;
    }

    /// The hash of the state, as a whole and for each type. It is computed from a snapshot, whose memory the engine
    /// keeps.
    ///
    /// # Errors
    /// As [`Engine::snapshot_into`].
    ///
    /// # Panics
    /// As [`Engine::snapshot_into`].
    ///
    /// # Example
    /// ```
    /// let mut engine = ecs::Engine::new();
    /// engine.types_mut().component::<u32>("score")?.component::<f32>("height")?;
    /// let player = engine.spawn((1_u32, 2.0_f32));
    /// let before = engine.state_hash()?;
    /// *engine.get_mut::<f32>(player).unwrap() = 3.0;
    /// let after = engine.state_hash()?;
    /// assert_eq!(before.first_difference(&after).unwrap().to_string(), "component \"height\"");
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn state_hash(&mut self) -> Result<StateHash, Error> {
        let mut hash = StateHash::default();
        self.state_hash_into(&mut hash)?;
        Ok(hash)
    }

    /// As [`Engine::state_hash`], reusing the memory of an older hash.
    ///
    /// # Errors
    /// As [`Engine::state_hash`].
    ///
    /// # Example
    /// See [`Engine::state_hash`].
    pub fn state_hash_into(&mut self, hash: &mut StateHash) -> Result<(), Error> {
        EngineState::from(self).hash(hash)
    }
}

impl Engine {
    /// Says what has no name yet that a snapshot or a hash needs. O(number of types and systems).
    pub(crate) fn check_names(&mut self) -> Result<(), Error> {
        let Self { world, systems, snapshots, .. } = self;
        Ok(snapshots.check_names(world, systems)?)
    }
}

impl<'e> From<&'e mut Engine> for EngineState<'e> {
    fn from(engine: &'e mut Engine) -> Self {
        let Engine { world, systems, executor, snapshots, .. } = engine;
        Self { world, systems, executor, snapshots }
    }
}
