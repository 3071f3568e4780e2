//! Snapshots of an engine, taken and put back, and the hash of its state.

use super::Engine;
use crate::error::Error;
use crate::panic::FirstPanic;
use crate::snapshot::{Snapshot, StateHash, Target, TypeRegistry};

/// Snapshots.
impl Engine {
    /// The types that are known by stable names.
    #[must_use]
    pub fn types(&self) -> &TypeRegistry {
        &self.snapshots.types
    }

    /// Where types are given stable names; best done at set-up.
    pub fn types_mut(&mut self) -> &mut TypeRegistry {
        &mut self.snapshots.types
    }

    /// Copies all that decides what happens next, after bringing the systems into their work order. Changes nothing else.
    /// O(what changed since the last snapshot).
    ///
    /// # Errors
    /// As [`Engine::snapshot_into`].
    pub fn snapshot(&mut self) -> Result<Snapshot, Error> {
        let mut snapshot = Snapshot::new();
        self.snapshot_into(&mut snapshot)?;
        Ok(snapshot)
    }

    /// As [`Engine::snapshot`], in place of an older snapshot, whose memory is used again: a ring of snapshots, where the newest
    /// takes the place of the oldest, allocates nothing once it is warm.
    ///
    /// # Errors
    /// - [`SnapshotError::NotRegistered`](crate::SnapshotError::NotRegistered) if there is something of a type without a name.
    /// - As [`Engine::order`].
    ///
    /// Nothing is left of what the snapshot was then.
    ///
    /// # Panics
    /// If a value panics when it is cloned. The engine stays as it is; of the snapshot nothing is left.
    pub fn snapshot_into(&mut self, snapshot: &mut Snapshot) -> Result<(), Error> {
        self.order()?;
        let Self { world, systems, executor, snapshots, .. } = self;
        Ok(snapshots.take(snapshot, world, systems, executor)?)
    }

    /// Puts the engine back into the state of a snapshot, which may come from another engine with the same systems, groups
    /// and registered types. O(what differs from the last snapshot that was taken or put back).
    ///
    /// Where the other engine met component types in another order, [`Removed`](crate::Removed) events of one despawned entity
    /// come in this engine's order.
    ///
    /// # Errors
    /// - [`SnapshotError`](crate::SnapshotError) says what does not fit; nothing was changed then.
    /// - As [`Engine::order`].
    ///
    /// # Panics
    /// If a value panics when it is cloned, or one that was there when it is dropped: no entity, no event and no command is left in the
    /// engine then, its functions are those of the snapshot, and resources and the states of systems are of either time. If a function
    /// panics when it is dropped that the snapshot does not have, the snapshot was put back; if one does that is cloned, nothing was changed.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.order()?;
        let Self { world, systems, executor, snapshots, function_buffers, .. } = self;
        snapshots.check(snapshot, world, systems)?;
        let left_out = snapshots.arrange(snapshot, world, systems)?;
        systems.order(world)?;
        let mut panics = FirstPanic::default();
        snapshots.put_back(snapshot, Target { world, systems, executor, function_buffers }, &mut panics);
        if let Some(causal_trace) = &mut self.executor.causal_trace {
            causal_trace.restart(&self.world.events);
        }
        // Priorities may be other ones.
        let ordered = self.order();
        left_out.into_iter().for_each(|node| _ = panics.catch(|| drop(node)));
        panics.raise();
        ordered
    }

    /// The hash of a snapshot that could be put back here, as [`Engine::state_hash`] would be then.
    pub(crate) fn hash_of(&mut self, snapshot: &Snapshot) -> Result<StateHash, Error> {
        self.order()?;
        Ok(self.snapshots.hash_recorded(snapshot, &self.world, &self.systems)?)
    }

    /// The hash of the state, type by type and as a whole.
    ///
    /// # Errors
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

    /// As [`Engine::state_hash`], in place of an older hash, whose memory is used again.
    ///
    /// # Errors
    /// As [`Engine::state_hash`].
    pub fn state_hash_into(&mut self, hash: &mut StateHash) -> Result<(), Error> {
        self.order()?;
        let Self { world, systems, executor, snapshots, .. } = self;
        Ok(snapshots.hash(hash, world, systems, executor)?)
    }
}
