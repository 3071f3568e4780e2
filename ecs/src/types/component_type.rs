//! Copying, hashing and saving the components of a registered type.

use std::any::Any;
use std::sync::Arc;

use super::different_values::{DifferentValues, Rows, first_difference, hashed, shown};
use super::inspected::InspectComponents;
use crate::component::{Component, ComponentId, ComponentManager, Pool, PoolRows, RowPlace, Values};
use crate::entity::{EntityId, NoSuchEntity};
use crate::stable_hash::StateHasher;
use crate::store::{CopyCache, SharedCopy};
use crate::world::World;

/// How components of a type are copied and hashed.
pub(crate) struct ComponentType<T> {
    copy: fn(&mut Vec<T>, &Vec<T>),
    /// Not for links, whose other ends would not know of a copy.
    clone: Option<fn(&T) -> T>,
    pub(super) hash: fn(&T, &mut StateHasher),
    pub(super) show: Option<fn(&T) -> String>,
}

impl<T: Component + Clone> ComponentType<T> {
    pub(super) fn new(hash: fn(&T, &mut StateHasher)) -> Self {
        // For `Copy` types this is one memcpy.
        Self { clone: Some(T::clone), ..Self::with_copy(|into, from| into.clone_from(from), hash) }
    }
}

impl<T: Component> ComponentType<T> {
    /// `copy` replaces the first list of values by the second one.
    pub(super) fn with_copy(copy: fn(&mut Vec<T>, &Vec<T>), hash: fn(&T, &mut StateHasher)) -> Self {
        Self { copy, clone: None, hash, show: None }
    }

    /// Replaces all values of a pool by others, and keeps the memory.
    fn copy_values(&self, into: &mut Values<T>, from: &Values<T>) {
        if into.homes.len() < from.homes.len() {
            into.homes.resize_with(from.homes.len(), Vec::new);
        }
        // Kinds that came later have no values.
        into.homes[from.homes.len()..].iter_mut().for_each(Vec::clear);
        into.homes.iter_mut().zip(&from.homes).for_each(|(into, from)| (self.copy)(into, from));
        (self.copy)(&mut into.extras, &from.extras);
    }
}

/// [`ComponentType`] with its type erased.
pub(crate) trait AnyComponentType: Any + Send + Sync + InspectComponents {
    /// Creates the type's pool if needed.
    fn meet(&self, components: &mut ComponentManager) -> ComponentId;
    /// Copies the values of a pool, or shares the last copy if nothing changed.
    fn copy_out(&self, pool: &mut Pool, latest: &mut CopyCache, slot: &mut Option<SharedCopy>);
    /// A copy of the component of an entity, which can be inserted into another one; `None` if it has none or is a
    /// link.
    fn copy_one(&self, world: &World, entity: EntityId) -> Option<InsertCopy>;
    /// Replaces the values of a pool by those of a copy.
    fn copy_in(&self, pool: &mut Pool, image: &SharedCopy);
    /// Moves the values of a copy that nothing else has into a pool.
    fn move_in(&self, pool: &mut Pool, image: SharedCopy);
    /// Adds a copy of a pool to a hash: its values in order, with their owners and whether they are enabled.
    fn hash(&self, copy: (PoolRows<'_>, &SharedCopy), hash: &mut StateHasher);
    /// Puts loaded values, a `Vec<T>`, to their places in a copy of a pool with as many kinds.
    #[cfg(feature = "serde")]
    fn arrange(&self, loaded: SharedCopy, places: &[RowPlace], kinds: usize) -> SharedCopy;
    /// Adds a value to a hash.
    fn hash_value(&self, value: &dyn Any, hash: &mut StateHasher);
    /// The first entity whose component or enabled state differs, with both values.
    fn different_values(&self, recorded: Rows<'_>, now: Rows<'_>) -> Option<DifferentValues>;
}

/// Inserts the copy of a component into an entity.
pub(crate) type InsertCopy = Box<dyn FnOnce(&mut World, EntityId) -> Result<(), NoSuchEntity>>;

const BY_TYPE: &str = "values are found by their type";

impl<T: Component> AnyComponentType for ComponentType<T> {
    fn meet(&self, components: &mut ComponentManager) -> ComponentId {
        components.register::<T>()
    }

    fn copy_out(&self, pool: &mut Pool, latest: &mut CopyCache, slot: &mut Option<SharedCopy>) {
        let mut is_changed = *pool.are_values_changed();
        latest.copy_out(&mut is_changed, slot, |copy: &mut Values<T>| self.copy_values(copy, &pool.values()));
        *pool.are_values_changed() = is_changed;
    }

    fn copy_one(&self, world: &World, entity: EntityId) -> Option<InsertCopy> {
        let value = self.clone?(world.get::<T>(entity)?);
        Some(Box::new(move |world, entity| world.give(entity, (value,))))
    }

    fn copy_in(&self, pool: &mut Pool, image: &SharedCopy) {
        let values = image.downcast_ref().expect("types are compared before a snapshot is restored");
        self.copy_values(pool.values_mut(), values);
    }

    fn move_in(&self, pool: &mut Pool, image: SharedCopy) {
        let values: Arc<Values<T>> = image.downcast().expect(BY_TYPE);
        *pool.values_mut() = Arc::into_inner(values).expect("a copy that was just loaded is not shared");
    }

    #[cfg(feature = "serde")]
    fn arrange(&self, loaded: SharedCopy, places: &[RowPlace], kinds: usize) -> SharedCopy {
        let loaded: Arc<Vec<T>> = loaded.downcast().expect(BY_TYPE);
        let loaded = Arc::into_inner(loaded).expect("values that were just loaded are not shared");
        let mut values = Values { homes: (0..kinds).map(|_| Vec::new()).collect(), extras: Vec::new() };
        let mut placed: Vec<(RowPlace, T)> = places.iter().copied().zip(loaded).collect();
        // Stable and fast for what is in order already, as it almost always is.
        placed.sort_by_key(|(place, _)| *place);
        for (place, value) in placed {
            match place {
                RowPlace::Home { kind, .. } => values.homes[kind].push(value),
                RowPlace::Extra(_) => values.extras.push(value),
            }
        }
        Arc::new(values)
    }

    fn hash(&self, (rows, image): (PoolRows<'_>, &SharedCopy), hash: &mut StateHasher) {
        let values: &Values<T> = image.downcast_ref().expect(BY_TYPE);
        hash.number(rows.len() as u64).number(rows.enabled() as u64);
        for row in rows.iter() {
            hash.add(&row.owner).number(u64::from(row.is_off));
            (self.hash)(values.at(row.place), hash);
        }
    }

    fn hash_value(&self, value: &dyn Any, hash: &mut StateHasher) {
        (self.hash)(value.downcast_ref().expect(BY_TYPE), hash);
    }

    fn different_values(&self, recorded: Rows<'_>, now: Rows<'_>) -> Option<DifferentValues> {
        let hash = |image: &SharedCopy, at: RowPlace| hashed(value::<T>(image, at), self.hash);
        first_difference(recorded, now, &hash, &|image, at| shown(value::<T>(image, at), self.show, self.hash))
    }
}

/// A value of a copy.
fn value<T: Component>(image: &SharedCopy, at: RowPlace) -> &T {
    let values: &Values<T> = image.downcast_ref().expect(BY_TYPE);
    values.at(at)
}
