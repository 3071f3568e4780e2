//! [`StableNames`]: one name for each component type, for masks, prefabs, inspectors and saves.

use std::any::TypeId;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// The stable names of component types. The registry of types, which knows the world, writes it; the pools of the same
/// engine read it, so both hold it. Names are looked up for tools, not in frames, so a list will do.
#[derive(Clone, Default)]
pub(crate) struct StableNames(Arc<RwLock<Names>>);

type Names = Vec<(TypeId, Arc<str>)>;

impl StableNames {
    /// Notes the name of a type. Both must be new.
    pub(crate) fn add(&self, component: TypeId, name: &Arc<str>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).push((component, Arc::clone(name)));
    }

    /// The name of a type; `None` if it is not registered. O(number of names).
    pub(crate) fn of(&self, component: TypeId) -> Option<Arc<str>> {
        self.read().iter().find(|(of, _)| *of == component).map(|(_, name)| Arc::clone(name))
    }

    /// The type with a name. O(number of names).
    pub(super) fn named(&self, name: &str) -> Option<TypeId> {
        self.read().iter().find(|(_, own)| **own == *name).map(|(component, _)| *component)
    }

    /// How many there are.
    #[cfg(feature = "prefabs")]
    pub(crate) fn len(&self) -> usize {
        self.read().len()
    }

    fn read(&self) -> RwLockReadGuard<'_, Names> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}
