//! Copying, hashing and saving the components of a registered type.

use std::any::Any;
use std::sync::Arc;

use super::different_values::{DifferentValues, Rows, hashed, shown};
use super::hash::StateHasher;
use super::image::{Image, Latest};
#[cfg(feature = "serde")]
use super::saved::{Blob, Codec, EventCodecs, Form, SavedValues, Versions, codec};
use crate::component::{Component, ComponentId, ComponentManager, Pool, SparseIndex};

/// How components of a type are copied and hashed.
pub(crate) struct ComponentType<T> {
    copy: fn(&mut Vec<T>, &Vec<T>),
    hash: fn(&T, &mut StateHasher),
    pub(super) show: Option<fn(&T) -> String>,
    #[cfg(feature = "serde")]
    pub(super) codec: Option<Codec<T>>,
    #[cfg(feature = "serde")]
    pub(super) event_codecs: EventCodecs<T>,
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
        Self {
            copy,
            hash,
            show: None,
            #[cfg(feature = "serde")]
            codec: None,
            #[cfg(feature = "serde")]
            event_codecs: EventCodecs::new(),
        }
    }
}

/// [`ComponentType`] with its type erased.
pub(crate) trait AnyComponentType: Any + Send + Sync {
    /// Creates the type's pool if needed.
    fn meet(&self, components: &mut ComponentManager) -> ComponentId;
    /// Copies the values of a pool, or shares the last copy if nothing changed.
    fn copy_out(&self, pool: &mut Pool, latest: &mut Latest, slot: &mut Option<Image>);
    /// Replaces the values of a pool by those of a copy.
    fn copy_in(&self, pool: &mut Pool, image: &Image);
    /// Moves the values of a copy that nothing else has into a pool.
    fn move_in(&self, pool: &mut Pool, image: Image);
    /// Adds a copy of a pool to a hash: its values in order, with their owners and whether they are enabled.
    fn hash(&self, copy: (&SparseIndex, &Image), hash: &mut StateHasher);
    /// The first entity whose component or enabled state differs, with both values.
    fn different_values(&self, recorded: Rows<'_>, now: Rows<'_>) -> Option<DifferentValues>;
    /// The versions that are saved and read; `None` if the type is not registered for saving.
    #[cfg(feature = "serde")]
    fn versions(&self) -> Option<&dyn Versions>;
    /// Appends the values to `bytes`.
    #[cfg(feature = "serde")]
    fn save(&self, image: &Image, bytes: Vec<u8>) -> Result<Vec<u8>, String>;
    #[cfg(feature = "serde")]
    fn save_text(&self, image: &Image) -> Result<Blob, String>;
    #[cfg(feature = "serde")]
    fn load(&self, version: u32, values: SavedValues<'_>, count: usize) -> Result<Image, String>;
}

const BY_TYPE: &str = "values are found by their type";

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
        let values = image.downcast_ref().expect("types are compared before a snapshot is restored");
        (self.copy)(pool.values_mut(), values);
    }

    fn move_in(&self, pool: &mut Pool, image: Image) {
        let values: Arc<Vec<T>> = image.downcast().expect(BY_TYPE);
        *pool.values_mut() = Arc::into_inner(values).expect("a copy that was just loaded is not shared");
    }

    fn hash(&self, (index, image): (&SparseIndex, &Image), hash: &mut StateHasher) {
        let values: &Vec<T> = image.downcast_ref().expect(BY_TYPE);
        hash.number(index.len() as u64).number(index.active() as u64);
        for (owner, value) in index.owners().iter().zip(values) {
            hash.add(owner).number(u64::from(index.is_off(*owner)));
            (self.hash)(value, hash);
        }
    }

    fn different_values(&self, recorded: Rows<'_>, now: Rows<'_>) -> Option<DifferentValues> {
        let owners = |rows: Rows<'_>| rows.map_or_else(Vec::new, |(index, _)| index.owners().to_vec());
        let mut all = [owners(recorded), owners(now)].concat();
        all.sort_unstable();
        all.dedup();
        all.into_iter().find_map(|entity| {
            let [recorded, now] = [recorded, now].map(|rows| {
                let (index, image) = rows?;
                let at = index.position(entity)?;
                let values: &Vec<T> = image.downcast_ref().expect(BY_TYPE);
                Some((&values[at], at < index.active()))
            });
            let known = |(value, is_enabled)| (hashed(value, self.hash), is_enabled);
            let print = |(value, is_enabled): (&T, bool)| {
                let state = if is_enabled { "" } else { " (disabled)" };
                format!("{}{state}", shown(value, self.show, self.hash))
            };
            (recorded.map(known) != now.map(known)).then(|| DifferentValues {
                entity: Some(entity),
                recorded: recorded.map(print),
                now: now.map(print),
            })
        })
    }

    #[cfg(feature = "serde")]
    fn versions(&self) -> Option<&dyn Versions> {
        Some(self.codec.as_ref()?)
    }

    #[cfg(feature = "serde")]
    fn save(&self, image: &Image, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
        let values: &Vec<T> = image.downcast_ref().expect(BY_TYPE);
        codec(&self.codec)?.append(values, bytes)
    }

    #[cfg(feature = "serde")]
    fn save_text(&self, image: &Image) -> Result<Blob, String> {
        let values: &Vec<T> = image.downcast_ref().expect(BY_TYPE);
        codec(&self.codec)?.save(values, Form::Text)
    }

    #[cfg(feature = "serde")]
    fn load(&self, version: u32, values: SavedValues<'_>, count: usize) -> Result<Image, String> {
        Ok(Arc::new(codec(&self.codec)?.load(version, values, count)?))
    }
}
