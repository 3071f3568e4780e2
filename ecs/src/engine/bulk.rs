//! Changes of many entities at once, from outside of the frame.

use std::fmt;

use super::Engine;
use crate::commands::CommandFailure;
use crate::component::{Bundle, Columns, Component};
use crate::entity::{EntityId, NoSuchEntity};

/// Columns that were to become entities are not of the same length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnequalColumns {
    /// The length of each column.
    pub lengths: Vec<usize>,
}

impl fmt::Display for UnequalColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the columns are of lengths {:?}: every row needs a value in each of them", self.lengths)
    }
}

impl std::error::Error for UnequalColumns {}

/// Many entities at once, with the same result as one entity after the other: one pass for each pool where entities come, go or lose
/// a component. Insertion finds its pools once and goes from entity to entity; so does despawning as long as anybody listens
/// to what is removed, or entities consist of parts.
///
/// A component that panics when it is dropped ends the call. Where nobody listens to what is removed and no entity consists of
/// parts, all that the call had come to is removed all the same; otherwise it ends with the entity at fault.
impl Engine {
    /// Spawns an entity with the components of each bundle; returns their ids in the order of the bundles.
    ///
    /// # Example
    /// ```
    /// let mut engine = ecs::Engine::new();
    /// let ids = engine.spawn_many((0..100).map(|n| (n as f32, "a star")));
    /// assert_eq!(engine.get::<f32>(ids[42]), Some(&42.0));
    /// ```
    pub fn spawn_many<B: Bundle>(&mut self, bundles: impl IntoIterator<Item = B>) -> Vec<EntityId> {
        let mut ids = Vec::new();
        self.world.spawn_many(bundles.into_iter(), &mut ids);
        ids
    }

    /// Spawns an entity for each row of `columns`, a tuple of `Vec`s: their memory is copied whole. Returns the ids in the
    /// order of the rows.
    ///
    /// # Errors
    /// - [`UnequalColumns`] if the columns are not of the same length; nothing was spawned, the columns were dropped.
    ///
    /// # Example
    /// ```
    /// let mut engine = ecs::Engine::new();
    /// let ids = engine.spawn_columns((vec![1.0_f32, 2.0], vec!["near", "far"]))?;
    /// assert_eq!(engine.get::<&str>(ids[1]), Some(&"far"));
    /// # Ok::<(), ecs::UnequalColumns>(())
    /// ```
    pub fn spawn_columns<C: Columns>(&mut self, columns: C) -> Result<Vec<EntityId>, UnequalColumns> {
        let lengths = columns.lengths();
        match lengths.first() {
            Some(count) if lengths.iter().all(|length| length == count) => {
                Ok(self.world.spawn_columns(columns, *count))
            }
            _ => Err(UnequalColumns { lengths }),
        }
    }

    /// Despawns entities and drops their components.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] with the first one that was gone; the others were despawned.
    pub fn despawn_many(&mut self, entities: impl IntoIterator<Item = EntityId>) -> Result<(), NoSuchEntity> {
        self.world.despawn_many(entities.into_iter())
    }

    /// Inserts a bundle into each entity, replacing what is there.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] with the first one that was gone, whose bundle was dropped; the others have theirs.
    pub fn insert_many<B: Bundle>(
        &mut self,
        bundles: impl IntoIterator<Item = (EntityId, B)>,
    ) -> Result<(), NoSuchEntity> {
        self.world.insert_many(bundles.into_iter())
    }

    /// Takes the component of type `T` out of each entity and drops it.
    ///
    /// # Errors
    /// As [`Engine::remove`], for the first one that could not be done; the others were.
    pub fn remove_many<T: Component>(
        &mut self,
        entities: impl IntoIterator<Item = EntityId>,
    ) -> Result<(), CommandFailure> {
        self.world.remove_many::<T>(entities.into_iter())
    }
}
