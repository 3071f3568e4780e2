//! The registered component types, and their values with erased types.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::layers::read_layers;
use super::ron_text::Span;
use crate::component::{Component, refusal};
use crate::entity::EntityId;
use crate::error::PrefabError;
use crate::type_map::short_name;
use crate::world::World;

/// A registered component type.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    type_id: TypeId,
    /// The name of the Rust type.
    rust_name: &'static str,
    /// Reads a value from its layers, the lowest first.
    pub(super) read: ReadComponent,
}

type ReadComponent = fn(&str, Vec<Span<'_>>) -> Result<Value, PrefabError>;

/// Component types by name.
#[derive(Clone, Default)]
pub(super) struct Registry(BTreeMap<Arc<str>, Kind>);

impl Registry {
    pub(super) fn add<T: Component + Clone + DeserializeOwned>(&mut self, name: &str) -> Result<(), PrefabError> {
        let (component, type_id) = (short_name::<T>(), TypeId::of::<T>());
        if let Some(refusal) = refusal::<T>() {
            return Err(PrefabError::new(refusal));
        }
        if let Some(other) = self.name_of(type_id) {
            let problem = format!("component type {component} is registered already, as `{other}`");
            return Err(PrefabError::new(problem));
        }
        if self.0.contains_key(name) {
            let problem = format!("component type {component} needs another name: `{name}` is taken");
            return Err(PrefabError::new(problem));
        }
        if name.is_empty() || name.contains('/') {
            let problem = format!("`{name}` cannot be the name of {component}: it must not be empty and have no `/`");
            return Err(PrefabError::new(problem));
        }
        let read: ReadComponent = |name, layers| {
            let (value, resolved) = read_layers::<T>(name, layers)?;
            Ok(Value { component: Arc::new(Copied(value)), resolved: resolved.into() })
        };
        self.0.insert(name.into(), Kind { type_id, rust_name: component, read });
        Ok(())
    }

    pub(super) fn find(&self, name: &str) -> Option<(Arc<str>, Kind)> {
        self.0.get_key_value(name).map(|(name, kind)| (Arc::clone(name), *kind))
    }

    pub(super) fn name_of(&self, component: TypeId) -> Option<Arc<str>> {
        self.0.iter().find(|(_, kind)| kind.type_id == component).map(|(name, _)| Arc::clone(name))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The first component type that has another name than here, with that name.
    pub(super) fn named_otherwise(
        &self,
        own: impl Fn(TypeId) -> Option<Arc<str>>,
    ) -> Option<(&'static str, &str, Arc<str>)> {
        self.0.iter().find_map(|(name, kind)| {
            let other = own(kind.type_id).filter(|other| other != name)?;
            Some((kind.rust_name, &**name, other))
        })
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(|name| &**name)
    }
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
    /// Inserts a clone, replacing an existing component; without what it needs ([`World::add_needs`]).
    fn insert(&self, world: &mut World, entity: EntityId);
    fn remove(&self, world: &mut World, entity: EntityId);
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
        let _ = world.give(entity, (self.0.clone(),));
    }

    fn remove(&self, world: &mut World, entity: EntityId) {
        world.take_away::<T>(entity);
    }
}
