//! The component that leads from an entity to its prefab.

use std::sync::Arc;

use super::Prefabs;
use crate::stable_hash::{StableHash, StateHasher};
use crate::types::TypeRegistry;

/// Component of each entity spawned from a prefab: its prefab.
#[derive(Clone, Debug)]
pub struct FromPrefab {
    pub(super) prefab: Arc<str>,
    /// It is a child in the prefab, which it stays even if it is detached.
    pub(super) is_child: bool,
    /// Overridden components, which reloading does not change.
    pub(super) overridden: Arc<[Arc<str>]>,
}

impl FromPrefab {
    /// The name of the prefab; for a child, the prefab of its root parent.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.prefab
    }
}

impl StableHash for FromPrefab {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&*self.prefab).add(&self.is_child).number(self.overridden.len() as u64);
        self.overridden.iter().for_each(|name| _ = hash.add(&**name));
    }
}

impl TypeRegistry {
    /// Registers the component and the resource of prefabs.
    pub(crate) fn add_prefabs(&mut self) {
        let known = self.component::<FromPrefab>("ecs from prefab");
        let known = known.and_then(|types| types.resource_by("ecs prefabs", |_: &Prefabs, _| {}));
        #[cfg(feature = "serde")]
        let known = known.and_then(|types| types.leave_out_of_saves::<Prefabs>().save_with_text::<FromPrefab>(1));
        debug_assert!(known.is_ok(), "in a new registry, all names are free");
    }
}

#[cfg(feature = "serde")]
mod saves;
