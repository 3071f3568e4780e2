//! The registered component types.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::error::PrefabError;
use super::kind::{Kind, KindOf};
use crate::component::Component;
use crate::type_map::short_name;

/// Component types by name.
#[derive(Clone, Default)]
pub(super) struct Registry(BTreeMap<Arc<str>, Arc<dyn Kind>>);

impl Registry {
    pub(super) fn add<T: Component + Clone + DeserializeOwned>(&mut self, name: &str) -> Result<(), PrefabError> {
        let component = short_name::<T>();
        let kind = KindOf::<T>::new();
        if let Some((other, _)) = self.0.iter().find(|(_, other)| other.component_type() == kind.component_type()) {
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
        self.0.insert(name.into(), Arc::new(kind));
        Ok(())
    }

    pub(super) fn find(&self, name: &str) -> Option<(Arc<str>, Arc<dyn Kind>)> {
        self.0.get_key_value(name).map(|(name, kind)| (Arc::clone(name), Arc::clone(kind)))
    }

    pub(super) fn name_of(&self, component: TypeId) -> Option<Arc<str>> {
        self.0.iter().find(|(_, kind)| kind.component_type() == component).map(|(name, _)| Arc::clone(name))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(|name| &**name)
    }
}
