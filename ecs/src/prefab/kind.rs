//! Reading and inserting components with their types erased.

use std::any::{Any, TypeId};
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::error::PrefabError;
use super::layers::read_layers;
use super::ron_text::Piece;
use crate::component::Component;
use crate::entity::EntityId;
use crate::world::World;

/// A component type that prefabs may name.
pub(super) trait Kind: Send + Sync {
    fn component_type(&self) -> TypeId;

    /// Reads a value from its layers, the lowest first.
    fn read(&self, name: &str, layers: Vec<Piece<'_>>) -> Result<Value, PrefabError>;
}

/// A component and the merged text that it was read from.
#[derive(Clone)]
pub(super) struct Value {
    pub(super) component: Arc<dyn AnyValue>,
    pub(super) resolved: Arc<str>,
}

/// A component that is cloned into entities.
pub(super) trait AnyValue: Send + Sync {
    /// The component.
    fn as_any(&self) -> &dyn Any;
    fn is_in(&self, world: &World, entity: EntityId) -> bool;
    /// Inserts a clone, replacing an existing component.
    fn insert(&self, world: &mut World, entity: EntityId);
    fn remove(&self, world: &mut World, entity: EntityId);
}

/// The [`Kind`] of components of type `T`.
pub(super) struct KindOf<T>(PhantomData<fn() -> T>);

impl<T> KindOf<T> {
    pub(super) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T: Component + Clone + DeserializeOwned> Kind for KindOf<T> {
    fn component_type(&self) -> TypeId {
        TypeId::of::<T>()
    }

    fn read(&self, name: &str, layers: Vec<Piece<'_>>) -> Result<Value, PrefabError> {
        let (value, resolved) = read_layers::<T>(name, layers)?;
        Ok(Value { component: Arc::new(Copied(value)), resolved: resolved.into() })
    }
}

struct Copied<T>(T);

impl<T: Component + Clone> AnyValue for Copied<T> {
    fn as_any(&self) -> &dyn Any {
        &self.0
    }

    fn is_in(&self, world: &World, entity: EntityId) -> bool {
        world.has::<T>(entity)
    }

    fn insert(&self, world: &mut World, entity: EntityId) {
        // The entity may be gone.
        let _ = world.insert(entity, (self.0.clone(),));
    }

    fn remove(&self, world: &mut World, entity: EntityId) {
        // The component may be gone.
        let _ = world.remove::<T>(entity);
    }
}
