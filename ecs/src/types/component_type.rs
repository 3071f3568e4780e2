//! Copying, hashing and saving the components of a registered type.

use std::any::Any;
#[cfg(feature = "serde")]
use std::marker::PhantomData;
use std::sync::Arc;

use super::different_values::{DifferentValues, Rows, first_difference, hashed, shown};
#[cfg(feature = "serde")]
use super::saved::{AnyEventCodecs, Blob, Codec, EventCodecs, Form, SavedValues};
#[cfg(feature = "inspect")]
use super::saved::{ComponentOperations, ReadError, SetComponent, Show, read_value, read_value_bytes, show_value};
use crate::component::{Component, ComponentId, ComponentManager, Pool, SparseIndex};
use crate::stable_hash::StateHasher;
use crate::store::{CopyCache, SharedCopy};
#[cfg(feature = "inspect")]
use crate::{entity::EntityId, world::World};

/// How components of a type are copied and hashed.
pub(crate) struct ComponentType<T> {
    copy: fn(&mut Vec<T>, &Vec<T>),
    hash: fn(&T, &mut StateHasher),
    pub(super) show: Option<fn(&T) -> String>,
}

impl<T: Component + Clone> ComponentType<T> {
    pub(super) fn new(hash: fn(&T, &mut StateHasher)) -> Self {
        // For `Copy` types this is one memcpy.
        Self::with_copy(|into, from| into.clone_from(from), hash)
    }
}

impl<T: Component> ComponentType<T> {
    /// `copy` replaces the first list of values by the second one.
    pub(super) fn with_copy(copy: fn(&mut Vec<T>, &Vec<T>), hash: fn(&T, &mut StateHasher)) -> Self {
        Self { copy, hash, show: None }
    }
}

/// [`ComponentType`] with its type erased.
pub(crate) trait AnyComponentType: Any + Send + Sync {
    /// Creates the type's pool if needed.
    fn meet(&self, components: &mut ComponentManager) -> ComponentId;
    /// Copies the values of a pool, or shares the last copy if nothing changed.
    fn copy_out(&self, pool: &mut Pool, latest: &mut CopyCache, slot: &mut Option<SharedCopy>);
    /// Replaces the values of a pool by those of a copy.
    fn copy_in(&self, pool: &mut Pool, image: &SharedCopy);
    /// Moves the values of a copy that nothing else has into a pool.
    fn move_in(&self, pool: &mut Pool, image: SharedCopy);
    /// Adds a copy of a pool to a hash: its values in order, with their owners and whether they are enabled.
    fn hash(&self, copy: (&SparseIndex, &SharedCopy), hash: &mut StateHasher);
    /// The first entity whose component or enabled state differs, with both values.
    fn different_values(&self, recorded: Rows<'_>, now: Rows<'_>) -> Option<DifferentValues>;
    /// Appends the values to `bytes`.
    #[cfg(feature = "serde")]
    fn save(&self, codec: &Codec, image: &SharedCopy, bytes: Vec<u8>) -> Result<Vec<u8>, String>;
    #[cfg(feature = "serde")]
    fn save_text(&self, codec: &Codec, image: &SharedCopy) -> Result<Blob, String>;
    #[cfg(feature = "serde")]
    fn load(&self, codec: &Codec, version: u32, values: SavedValues<'_>, count: usize) -> Result<SharedCopy, String>;
    /// How the [`Added`](crate::Added) and [`Removed`](crate::Removed) events of the type are saved.
    #[cfg(feature = "serde")]
    fn event_codecs(&self) -> &'static dyn AnyEventCodecs;
    /// Shows the component of an entity; returns whether the entity has one.
    #[cfg(feature = "inspect")]
    fn show_component(&self, codec: &Codec, world: &World, entity: EntityId, to: Show<'_>) -> bool;
    /// Reads a value that is then set as a component.
    #[cfg(feature = "inspect")]
    fn read_component(
        &self,
        codec: &Codec,
        from: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<SetComponent, ReadError>;
    /// The component of an entity in the bytes of a save.
    #[cfg(feature = "inspect")]
    fn component_bytes(&self, codec: &Codec, world: &World, entity: EntityId) -> Option<Result<Vec<u8>, String>>;
    /// Reads a component from the bytes of a save.
    #[cfg(feature = "inspect")]
    fn read_component_bytes(&self, codec: &Codec, bytes: &[u8]) -> Result<SetComponent, ReadError>;
    #[cfg(feature = "inspect")]
    fn operations(&self) -> ComponentOperations;
}

const BY_TYPE: &str = "values are found by their type";

impl<T: Component> AnyComponentType for ComponentType<T> {
    fn meet(&self, components: &mut ComponentManager) -> ComponentId {
        components.register::<T>()
    }

    fn copy_out(&self, pool: &mut Pool, latest: &mut CopyCache, slot: &mut Option<SharedCopy>) {
        let mut is_changed = *pool.are_values_changed();
        latest.copy_out(&mut is_changed, slot, |copy: &mut Vec<T>| (self.copy)(copy, &pool.values()));
        *pool.are_values_changed() = is_changed;
    }

    fn copy_in(&self, pool: &mut Pool, image: &SharedCopy) {
        let values = image.downcast_ref().expect("types are compared before a snapshot is restored");
        (self.copy)(pool.values_mut(), values);
    }

    fn move_in(&self, pool: &mut Pool, image: SharedCopy) {
        let values: Arc<Vec<T>> = image.downcast().expect(BY_TYPE);
        *pool.values_mut() = Arc::into_inner(values).expect("a copy that was just loaded is not shared");
    }

    fn hash(&self, (index, image): (&SparseIndex, &SharedCopy), hash: &mut StateHasher) {
        let values: &Vec<T> = image.downcast_ref().expect(BY_TYPE);
        hash.number(index.len() as u64).number(index.active() as u64);
        for (owner, value) in index.owners().iter().zip(values) {
            hash.add(owner).number(u64::from(index.is_off(*owner)));
            (self.hash)(value, hash);
        }
    }

    fn different_values(&self, recorded: Rows<'_>, now: Rows<'_>) -> Option<DifferentValues> {
        let hash = |image: &SharedCopy, at: usize| hashed(value::<T>(image, at), self.hash);
        first_difference(recorded, now, &hash, &|image, at| shown(value::<T>(image, at), self.show, self.hash))
    }

    #[cfg(feature = "serde")]
    fn save(&self, codec: &Codec, image: &SharedCopy, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
        let values: &Vec<T> = image.downcast_ref().expect(BY_TYPE);
        codec.append(values, bytes)
    }

    #[cfg(feature = "serde")]
    fn save_text(&self, codec: &Codec, image: &SharedCopy) -> Result<Blob, String> {
        let values: &Vec<T> = image.downcast_ref().expect(BY_TYPE);
        codec.save(values, Form::Text)
    }

    #[cfg(feature = "serde")]
    fn load(&self, codec: &Codec, version: u32, values: SavedValues<'_>, count: usize) -> Result<SharedCopy, String> {
        Ok(Arc::new(codec.load::<T>(version, values, count)?))
    }

    #[cfg(feature = "serde")]
    fn event_codecs(&self) -> &'static dyn AnyEventCodecs {
        &EventCodecs::<T>(PhantomData)
    }

    #[cfg(feature = "inspect")]
    fn show_component(&self, codec: &Codec, world: &World, entity: EntityId, to: Show<'_>) -> bool {
        world.get::<T>(entity).map(|value| show_value(codec, value, to)).is_some()
    }

    #[cfg(feature = "inspect")]
    fn read_component(
        &self,
        codec: &Codec,
        from: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<SetComponent, ReadError> {
        read_value(codec, from).map(set_component::<T>)
    }

    #[cfg(feature = "inspect")]
    fn component_bytes(&self, codec: &Codec, world: &World, entity: EntityId) -> Option<Result<Vec<u8>, String>> {
        world.get::<T>(entity).map(|value| codec.append(std::slice::from_ref(value), Vec::new()))
    }

    #[cfg(feature = "inspect")]
    fn read_component_bytes(&self, codec: &Codec, bytes: &[u8]) -> Result<SetComponent, ReadError> {
        read_value_bytes(codec, bytes).map(set_component::<T>)
    }

    #[cfg(feature = "inspect")]
    fn operations(&self) -> ComponentOperations {
        ComponentOperations {
            remove: World::remove::<T>,
            enable: World::enable_component::<T>,
            disable: World::disable_component::<T>,
        }
    }
}

/// Sets a component to a value, or inserts it.
#[cfg(feature = "inspect")]
fn set_component<T: Component>(value: T) -> SetComponent {
    Box::new(move |world, entity| match world.get_mut(entity) {
        Some(component) => {
            *component = value;
            Ok(())
        }
        None => world.insert(entity, (value,)),
    })
}

/// A value of a copy.
fn value<T: Component>(image: &SharedCopy, at: usize) -> &T {
    let values: &Vec<T> = image.downcast_ref().expect(BY_TYPE);
    &values[at]
}
