//! The events that the engine sends when entities and components change.
//!
//! They are sent when the change is applied, and only if a system listens. Within a frame they are delivered in its last
//! dispatch; commands that are recorded there are applied in the same frame.

use std::marker::PhantomData;

use crate::component::Component;
use crate::entity::EntityId;

/// Whether the engine itself sends events of type `E`. For reports only: it compares the names of types.
pub(super) fn is_lifecycle<E>() -> bool {
    std::any::type_name::<E>().strip_prefix(module_path!()).is_some_and(|rest| rest.starts_with("::"))
}

/// An entity was spawned; all its components are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spawned {
    /// The new entity.
    pub entity: EntityId,
}

/// An entity was despawned, and its id is stale. The last values of its components are in [`Removed`], sent just before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Despawned {
    /// The id that the entity had.
    pub entity: EntityId,
}

/// A disabled entity was enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Enabled {
    /// The entity.
    pub entity: EntityId,
}

/// An enabled entity was disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Disabled {
    /// The entity.
    pub entity: EntityId,
}

/// A component was inserted into an entity that did not have it. Replacing a component sends no event.
///
/// `Added<T>` is also a filter of queries, which finds the entities whose `T` was inserted since this method of the system last ran;
/// see [`Changed`](crate::Changed). Of a component that was removed and inserted again, the event tells each time, the filter once.
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = ""))]
pub struct Added<T> {
    /// The entity.
    pub entity: EntityId,
    #[cfg_attr(feature = "serde", serde(skip))]
    component: PhantomData<fn(T)>,
}

impl<T> Added<T> {
    pub(crate) fn new(entity: EntityId) -> Self {
        Self { entity, component: PhantomData }
    }
}

impl<T> Clone for Added<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Added<T> {}

/// A component was removed, by itself or with its entity. Only for components that are `Copy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Removed<T: Component> {
    /// The entity; its id is stale if it was despawned.
    pub entity: EntityId,
    /// The last value of the component.
    pub value: T,
}
