//! What a snapshot can do with a resource type.

use std::any::Any;

use super::hash::StateHasher;
use super::image::{Image, Latest};
use crate::resources::Resources;

/// How a resource is copied and hashed.
pub(crate) struct ResourceType<T> {
    copy: fn(&mut Option<T>, &Option<T>),
    hash: fn(&T, &mut StateHasher),
}

impl<T: Clone> ResourceType<T> {
    pub(super) fn new(hash: fn(&T, &mut StateHasher)) -> Self {
        Self { copy: |into, from| into.clone_from(from), hash }
    }
}

/// The same without knowing the type. `latest` is by the number of the resource.
pub(crate) trait AnyResourceType: Any + Send + Sync {
    /// Copies the resource, unless nothing changed since the last copy.
    fn copy_out(&self, resources: &mut Resources, latest: &mut [Latest], slot: &mut Option<Image>);
    /// Takes a copy over, unless the resource equals it already.
    fn copy_in(&self, resources: &mut Resources, latest: &mut Vec<Latest>, image: &Image);
    /// Adds the resource to a hash; returns whether it is there.
    fn hash(&self, resources: &mut Resources, hash: &mut StateHasher) -> bool;
}

impl<T: Send + Sync + 'static> AnyResourceType for ResourceType<T> {
    fn copy_out(&self, resources: &mut Resources, latest: &mut [Latest], slot: &mut Option<Image>) {
        let (at, value, is_changed) = resources.for_copy::<T>();
        latest[at].copy_out(is_changed, slot, |copy: &mut Option<T>| (self.copy)(copy, value));
    }

    fn copy_in(&self, resources: &mut Resources, latest: &mut Vec<Latest>, image: &Image) {
        let (at, value, is_changed) = resources.for_copy::<T>();
        if latest.len() <= at {
            latest.resize_with(at + 1, Latest::default);
        }
        if latest[at].equals(*is_changed, image) {
            return;
        }
        *is_changed = true;
        (self.copy)(value, image.downcast_ref().expect("a snapshot's types were compared before it is put back"));
        latest[at].set(image);
        *is_changed = false;
    }

    fn hash(&self, resources: &mut Resources, hash: &mut StateHasher) -> bool {
        let (_, value, _) = resources.for_copy::<T>();
        value.iter().for_each(|value| (self.hash)(value, hash));
        value.is_some()
    }
}
