//! [`Edit`]: a change by hand, as data.

use serde::{Deserialize, Serialize};

use super::{InspectError, Inspector};
use crate::entity::EntityId;

/// A change by hand between two frames, as data: a program that records its inputs records edits as well, and repeats
/// them.
///
/// Components and resources are named as in the type registry, and their values are in the bytes of a save.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Edit {
    /// A component got a value.
    Component {
        /// Its entity.
        entity: EntityId,
        /// Its name.
        name: String,
        /// Its value.
        bytes: Vec<u8>,
        /// Whether it is enabled.
        is_enabled: bool,
    },
    /// A component was removed.
    NoComponent {
        /// Its entity.
        entity: EntityId,
        /// Its name.
        name: String,
    },
    /// A resource got a value.
    Resource {
        /// Its name.
        name: String,
        /// Its value.
        bytes: Vec<u8>,
    },
    /// An entity was enabled or disabled.
    Entity {
        /// The entity.
        entity: EntityId,
        /// Whether it is enabled.
        is_enabled: bool,
    },
    /// A system was enabled or disabled.
    System {
        /// Its name.
        name: String,
        /// Whether it is enabled.
        is_enabled: bool,
    },
    /// An entity without components was spawned.
    Spawn,
    /// An entity was spawned from a prefab.
    Prefab {
        /// The prefab.
        name: String,
        /// What the program needs to know besides, as JSON.
        arguments: String,
    },
    /// An entity was despawned.
    Despawn {
        /// The entity.
        entity: EntityId,
    },
}

impl Edit {
    /// The bytes of the values and names in it.
    #[must_use]
    pub fn value_bytes(&self) -> usize {
        match self {
            Self::Component { name, bytes, .. } | Self::Resource { name, bytes } => name.len() + bytes.len(),
            Self::NoComponent { name, .. } | Self::System { name, .. } => name.len(),
            Self::Prefab { name, arguments } => name.len() + arguments.len(),
            Self::Entity { .. } | Self::Spawn | Self::Despawn { .. } => 0,
        }
    }
}

impl Inspector<'_> {
    /// Makes the change, between two frames; returns the entity that it spawns.
    ///
    /// # Errors
    /// What does not fit; nothing was changed. For [`Edit::Prefab`] always [`InspectError::NeedsProgram`].
    ///
    /// # Example
    /// ```
    /// # use ecs::Engine;
    /// use ecs::inspect::Edit;
    ///
    /// let mut engine = Engine::new();
    /// engine.types_mut().component::<u32>("health")?.save::<u32>(1)?;
    /// let (orc, troll) = (engine.spawn((7_u32,)), engine.spawn((9_u32,)));
    /// let mut inspector = engine.inspector();
    /// let bytes = inspector.component_bytes(troll, "health")?.unwrap_or_default();
    /// inspector.make(&Edit::Component { entity: orc, name: "health".to_owned(), bytes, is_enabled: true })?;
    /// assert_eq!(engine.get::<u32>(orc), Some(&9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn make(&mut self, edit: &Edit) -> Result<Option<EntityId>, InspectError> {
        match edit {
            Edit::Component { entity, name, bytes, is_enabled } => {
                self.set_component_bytes(*entity, name, bytes)?;
                self.enable_component(*entity, name, *is_enabled)?;
            }
            Edit::NoComponent { entity, name } => {
                if self.component_bytes(*entity, name)?.is_some() {
                    self.remove_component(*entity, name)?;
                }
            }
            Edit::Resource { name, bytes } => self.set_resource_bytes(name, bytes)?,
            Edit::Entity { entity, is_enabled: true } => self.engine().enable(*entity)?,
            Edit::Entity { entity, is_enabled: false } => self.engine().disable(*entity)?,
            Edit::System { name, is_enabled } => {
                let state = self.engine().work_state().with_named(name, *is_enabled);
                let state = state.ok_or_else(|| InspectError::UnknownSystem { name: name.clone() })?;
                let switched = self.engine().set_work_state(&state);
                switched.map_err(|error| InspectError::Value { problem: error.to_string() })?;
            }
            Edit::Spawn => return Ok(Some(self.engine().spawn(()))),
            Edit::Despawn { entity } => self.engine().despawn(*entity)?,
            Edit::Prefab { .. } => return Err(InspectError::NeedsProgram),
        }
        Ok(None)
    }
}
