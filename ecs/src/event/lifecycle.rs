//! The events that the engine itself sends when entities and components come and go.
//!
//! They are sent when the change is applied, and only while a system listens. Within a frame they are delivered in its last
//! dispatch; commands that are recorded there are applied in the same frame.

use std::marker::PhantomData;

use crate::component::Component;
use crate::entity::EntityId;

/// Whether the engine sends events of type `E` by itself: those of this module. Only for telling people; rests on the
/// spelling of type names.
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

/// An entity was despawned; its id is stale now. What its components were last is in [`Removed`], sent just before.
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

/// An entity got a component that it did not have; replacing one is not announced.
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

/// An entity lost a component, by itself or with its entity. Can be listened to for components that are `Copy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Removed<T: Component> {
    /// The entity; its id is stale if it was despawned.
    pub entity: EntityId,
    /// The last value of the component.
    pub value: T,
}
