//! [`Edit`]: a change by hand, as data.

use ecs::EntityId;
use ecs::inspect::{InspectError, Inspector};
use serde::{Deserialize, Serialize};

use crate::subject::Subject;

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
    pub(crate) fn value_bytes(&self) -> usize {
        match self {
            Self::Component { name, bytes, .. } | Self::Resource { name, bytes } => name.len() + bytes.len(),
            Self::NoComponent { name, .. } | Self::System { name, .. } => name.len(),
            Self::Prefab { name, arguments } => name.len() + arguments.len(),
            Self::Entity { .. } | Self::Spawn | Self::Despawn { .. } => 0,
        }
    }

    /// Makes the change, between two frames; returns the entity that it spawns.
    ///
    /// # Errors
    /// A sentence that says what does not fit; nothing was changed.
    pub fn apply<S: Subject>(&self, subject: &mut S) -> Result<Option<EntityId>, String> {
        match self {
            Self::Spawn => Ok(Some(subject.engine().spawn(()))),
            Self::Prefab { name, arguments } => subject.spawn_prefab(name, arguments).map(Some),
            Self::Despawn { entity } => {
                subject.engine().despawn(*entity).map_err(|error| error.to_string())?;
                Ok(None)
            }
            _ => self.put(&mut subject.engine().inspector()).map(|()| None),
        }
    }

    /// As [`Edit::apply`], for a change of a value.
    pub(crate) fn put(&self, inspector: &mut Inspector<'_>) -> Result<(), String> {
        let refused = |error: InspectError| error.to_string();
        match self {
            Self::Component { entity, name, bytes, is_enabled } => {
                inspector.set_component_bytes(*entity, name, bytes).map_err(refused)?;
                inspector.enable_component(*entity, name, *is_enabled).map_err(refused)
            }
            Self::NoComponent { entity, name } => match inspector.component_bytes(*entity, name) {
                Ok(Some(_)) => inspector.remove_component(*entity, name).map_err(refused),
                Ok(None) => Ok(()),
                Err(error) => Err(refused(error)),
            },
            Self::Resource { name, bytes } => inspector.set_resource_bytes(name, bytes).map_err(refused),
            Self::Entity { entity, is_enabled } => {
                let engine = inspector.engine();
                let switched = if *is_enabled { engine.enable(*entity) } else { engine.disable(*entity) };
                switched.map_err(|error| error.to_string())
            }
            Self::System { name, is_enabled } => {
                let engine = inspector.engine();
                let state = engine.work_state().with_named(name, *is_enabled);
                let state = state.ok_or_else(|| format!("there is no system {name:?}"))?;
                engine.set_work_state(&state).map_err(|error| error.to_string())
            }
            Self::Spawn | Self::Prefab { .. } | Self::Despawn { .. } => Err("it is not a change of a value".to_owned()),
        }
    }
}
