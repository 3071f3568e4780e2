//! What a snapshot can do with a component type.

use std::any::Any;

use super::hash::StateHasher;
use super::image::{Image, Latest};
use crate::component::{Component, ComponentId, ComponentManager, Pool};

/// How components of a type are copied and hashed.
pub(crate) struct ComponentType<T> {
    pub(super) clone: fn(&T) -> T,
    copy: fn(&mut Vec<T>, &Vec<T>),
    pub(super) hash: fn(&T, &mut StateHasher),
}

impl<T: Component + Clone> ComponentType<T> {
    pub(super) fn new(hash: fn(&T, &mut StateHasher)) -> Self {
        // For types that are `Copy` this is one copy of memory.
        Self { clone: T::clone, copy: |into, from| into.clone_from(from), hash }
    }
}

/// The same without knowing the type.
pub(crate) trait AnyComponentType: Any + Send + Sync {
    /// Lets the engine meet the type.
    fn meet(&self, components: &mut ComponentManager) -> ComponentId;
    /// Copies the values of a pool, unless nothing changed since the last copy.
    fn copy_out(&self, pool: &mut Pool, latest: &mut Latest, slot: &mut Option<Image>);
    /// Takes the values of a copy over.
    fn copy_in(&self, pool: &mut Pool, image: &Image);
    /// Adds the pool to a hash: values in their order, whose they are and whether they are enabled.
    fn hash(&self, pool: &Pool, hash: &mut StateHasher);
}

impl<T: Component> AnyComponentType for ComponentType<T> {
    fn meet(&self, components: &mut ComponentManager) -> ComponentId {
        components.register::<T>()
    }

    fn copy_out(&self, pool: &mut Pool, latest: &mut Latest, slot: &mut Option<Image>) {
        let mut is_changed = *pool.are_values_changed();
        latest.copy_out(&mut is_changed, slot, |copy: &mut Vec<T>| (self.copy)(copy, &pool.values()));
        *pool.are_values_changed() = is_changed;
    }

    fn copy_in(&self, pool: &mut Pool, image: &Image) {
        let values = image.downcast_ref().expect("a snapshot's types were compared before it is put back");
        (self.copy)(pool.values_mut(), values);
    }

    fn hash(&self, pool: &Pool, hash: &mut StateHasher) {
        let index = pool.index();
        hash.number(index.len() as u64).number(index.active() as u64);
        for (owner, value) in index.owners().iter().zip(&*pool.values::<T>()) {
            hash.add(owner).number(u64::from(index.is_off(*owner)));
            (self.hash)(value, hash);
        }
    }
}
