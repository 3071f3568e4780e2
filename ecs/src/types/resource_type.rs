//! Copying, hashing and saving a resource of a registered type.

use std::any::Any;

use super::different_values::shown;
use super::inspected::InspectResource;
use crate::resources::Resources;
use crate::stable_hash::StateHasher;
use crate::store::{CopyCache, SharedCopy};

/// How a resource is copied and hashed.
pub(crate) struct ResourceType<T> {
    copy: fn(&mut Option<T>, &Option<T>),
    pub(super) hash: fn(&T, &mut StateHasher),
    pub(super) show: Option<fn(&T) -> String>,
}

impl<T: Clone> ResourceType<T> {
    pub(super) fn new(hash: fn(&T, &mut StateHasher)) -> Self {
        Self { copy: |into, from| into.clone_from(from), hash, show: None }
    }
}

/// [`ResourceType`] with its type erased. `latest` is indexed by the number of the resource.
pub(crate) trait AnyResourceType: Any + Send + Sync + InspectResource {
    /// Copies the resource, or shares the last copy if nothing changed.
    fn copy_out(&self, resources: &mut Resources, latest: &mut [CopyCache], slot: &mut Option<SharedCopy>);
    /// Replaces the resource by a copy, unless they are equal already.
    fn copy_in(&self, resources: &mut Resources, latest: &mut Vec<CopyCache>, image: &SharedCopy);
    /// Clones a copy, and drops the clone.
    #[cfg(feature = "serde")]
    fn try_clone(&self, image: &SharedCopy);
    /// Adds a copy to a hash; returns whether the resource was present.
    fn hash(&self, image: &SharedCopy, hash: &mut StateHasher) -> bool;
    /// Adds a value to a hash.
    fn hash_value(&self, value: &dyn Any, hash: &mut StateHasher);
    /// A copy as text; `None` if the resource was absent.
    fn show(&self, image: &SharedCopy) -> Option<String>;
}

impl<T: Send + Sync + 'static> AnyResourceType for ResourceType<T> {
    fn copy_out(&self, resources: &mut Resources, latest: &mut [CopyCache], slot: &mut Option<SharedCopy>) {
        let (at, value, is_changed) = resources.for_copy::<T>();
        latest[at].copy_out(is_changed, slot, |copy: &mut Option<T>| (self.copy)(copy, value));
    }

    fn copy_in(&self, resources: &mut Resources, latest: &mut Vec<CopyCache>, image: &SharedCopy) {
        let (at, value, is_changed) = resources.for_copy::<T>();
        if latest.len() <= at {
            latest.resize_with(at + 1, CopyCache::default);
        }
        if latest[at].equals(*is_changed, image) {
            return;
        }
        *is_changed = true;
        (self.copy)(value, image.downcast_ref().expect("types are compared before a snapshot is restored"));
        latest[at].set(image);
        *is_changed = false;
    }

    #[cfg(feature = "serde")]
    fn try_clone(&self, image: &SharedCopy) {
        (self.copy)(&mut None, image.downcast_ref().expect("values are found by their type"));
    }

    fn hash_value(&self, value: &dyn Any, hash: &mut StateHasher) {
        (self.hash)(value.downcast_ref().expect("values are found by their type"), hash);
    }

    fn hash(&self, image: &SharedCopy, hash: &mut StateHasher) -> bool {
        let value: &Option<T> = image.downcast_ref().expect("values are found by their type");
        value.iter().for_each(|value| (self.hash)(value, hash));
        value.is_some()
    }

    fn show(&self, image: &SharedCopy) -> Option<String> {
        let value: &Option<T> = image.downcast_ref().expect("values are found by their type");
        value.as_ref().map(|value| shown(value, self.show, self.hash))
    }
}
