//! [`StableNames`]: one name for each component type, for masks, prefabs, inspectors and saves.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use crate::type_map::TypeMap;

/// The stable names of component types. The registry of types, which knows the world, writes it; the pools of the same
/// engine read it, so both hold it.
#[derive(Clone, Default)]
pub(crate) struct StableNames(Arc<RwLock<Names>>);

#[derive(Default)]
struct Names {
    of: TypeMap<Arc<str>>,
    types: BTreeMap<Arc<str>, TypeId>,
}

impl StableNames {
    /// Notes the name of a type, which must be the only one of both.
    pub(crate) fn add(&self, component: TypeId, name: &Arc<str>) {
        let mut names = self.0.write().unwrap_or_else(PoisonError::into_inner);
        names.of.insert(component, Arc::clone(name));
        names.types.insert(Arc::clone(name), component);
    }

    /// The name of a type; `None` if it is not registered.
    pub(super) fn of(&self, component: TypeId) -> Option<Arc<str>> {
        self.read().of.get(&component).cloned()
    }

    /// The type with a name.
    pub(super) fn named(&self, name: &str) -> Option<TypeId> {
        self.read().types.get(name).copied()
    }

    fn read(&self) -> RwLockReadGuard<'_, Names> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}
