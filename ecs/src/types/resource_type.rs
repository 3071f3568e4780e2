//! Copying, hashing and saving a resource of a registered type.

use std::any::Any;
#[cfg(feature = "serde")]
use std::sync::Arc;

use super::different_values::shown;
#[cfg(feature = "serde")]
use super::saved::{Blob, Codec, Form};
#[cfg(feature = "inspect")]
use super::saved::{ReadError, SetResource, Show, read_value, read_value_bytes, show_value};
use crate::resources::Resources;
use crate::stable_hash::StateHasher;
use crate::store::{CopyCache, SharedCopy};
#[cfg(feature = "inspect")]
use crate::world::World;

/// How a resource is copied and hashed.
pub(crate) struct ResourceType<T> {
    copy: fn(&mut Option<T>, &Option<T>),
    hash: fn(&T, &mut StateHasher),
    pub(super) show: Option<fn(&T) -> String>,
}

impl<T: Clone> ResourceType<T> {
    pub(super) fn new(hash: fn(&T, &mut StateHasher)) -> Self {
        Self { copy: |into, from| into.clone_from(from), hash, show: None }
    }
}

/// [`ResourceType`] with its type erased. `latest` is indexed by the number of the resource.
pub(crate) trait AnyResourceType: Any + Send + Sync {
    /// Copies the resource, or shares the last copy if nothing changed.
    fn copy_out(&self, resources: &mut Resources, latest: &mut [CopyCache], slot: &mut Option<SharedCopy>);
    /// Replaces the resource by a copy, unless they are equal already.
    fn copy_in(&self, resources: &mut Resources, latest: &mut Vec<CopyCache>, image: &SharedCopy);
    /// Adds a copy to a hash; returns whether the resource was present.
    fn hash(&self, image: &SharedCopy, hash: &mut StateHasher) -> bool;
    /// A copy as text; `None` if the resource was absent.
    fn show(&self, image: &SharedCopy) -> Option<String>;
    #[cfg(feature = "serde")]
    fn save(&self, codec: &Codec, image: &SharedCopy, form: Form) -> Result<Blob, String>;
    #[cfg(feature = "serde")]
    fn load(&self, codec: &Codec, version: u32, value: &Blob) -> Result<SharedCopy, String>;
    /// Shows the resource; returns whether it is present.
    #[cfg(feature = "inspect")]
    fn show_resource(&self, codec: &Codec, world: &World, to: Show<'_>) -> bool;
    /// Reads a value that then replaces the resource.
    #[cfg(feature = "inspect")]
    fn read_resource(
        &self,
        codec: &Codec,
        from: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<SetResource, ReadError>;
    /// The resource in the bytes of a save.
    #[cfg(feature = "inspect")]
    fn resource_bytes(&self, codec: &Codec, world: &World) -> Option<Result<Vec<u8>, String>>;
    /// Reads the resource from the bytes of a save.
    #[cfg(feature = "inspect")]
    fn read_resource_bytes(&self, codec: &Codec, bytes: &[u8]) -> Result<SetResource, ReadError>;
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

    fn hash(&self, image: &SharedCopy, hash: &mut StateHasher) -> bool {
        let value: &Option<T> = image.downcast_ref().expect("values are found by their type");
        value.iter().for_each(|value| (self.hash)(value, hash));
        value.is_some()
    }

    fn show(&self, image: &SharedCopy) -> Option<String> {
        let value: &Option<T> = image.downcast_ref().expect("values are found by their type");
        value.as_ref().map(|value| shown(value, self.show, self.hash))
    }

    #[cfg(feature = "serde")]
    fn save(&self, codec: &Codec, image: &SharedCopy, form: Form) -> Result<Blob, String> {
        let value: &Option<T> = image.downcast_ref().expect("values are found by their type");
        codec.save(value.as_slice(), form)
    }

    #[cfg(feature = "serde")]
    fn load(&self, codec: &Codec, version: u32, value: &Blob) -> Result<SharedCopy, String> {
        Ok(Arc::new(Some(codec.load_one::<T>(version, value.values())?)))
    }

    #[cfg(feature = "inspect")]
    fn show_resource(&self, codec: &Codec, world: &World, to: Show<'_>) -> bool {
        world.resource::<T>().map(|value| show_value(codec, &*value, to)).is_some()
    }

    #[cfg(feature = "inspect")]
    fn read_resource(
        &self,
        codec: &Codec,
        from: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<SetResource, ReadError> {
        read_value(codec, from).map(set_resource::<T>)
    }

    #[cfg(feature = "inspect")]
    fn resource_bytes(&self, codec: &Codec, world: &World) -> Option<Result<Vec<u8>, String>> {
        world.resource::<T>().map(|value| codec.append(std::slice::from_ref(&*value), Vec::new()))
    }

    #[cfg(feature = "inspect")]
    fn read_resource_bytes(&self, codec: &Codec, bytes: &[u8]) -> Result<SetResource, ReadError> {
        read_value_bytes(codec, bytes).map(set_resource::<T>)
    }
}

#[cfg(feature = "inspect")]
fn set_resource<T: Send + Sync + 'static>(value: T) -> SetResource {
    Box::new(move |world| _ = world.resources.replace(Some(value)))
}
