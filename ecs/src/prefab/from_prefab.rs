//! The component that leads from an entity to its prefab.

use std::sync::Arc;

use crate::stable_hash::{StableHash, StateHasher};

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

#[cfg(feature = "serde")]
mod saves;
