//! [`Codec`]: saves and loads values of one type, and converts older versions.

use std::any::{Any, TypeId};
use std::marker::PhantomData;
use std::sync::Arc;
use std::{iter, slice};

use serde::{Deserialize, Serialize};

use super::blob::{Blob, Form, NOT_READABLE, Notation, SavedValues, Target, Values, read_any};
use crate::component::{Component, Values as PoolValues};
use crate::entity::EntityId;
use crate::event::{Added, Event, Removed, Replaced};
use crate::panic::told;
use crate::stable_hash::StateHasher;
use crate::store::SharedCopy;
use crate::type_map::short_name;
use crate::types::event_type::{AnyEventType, AnyEvents};
use crate::types::registry::{Entry, Named};

/// Saves values that lie in several runs.
type SaveAll<T> = dyn Fn(&[&[T]], Target) -> Result<Blob, String> + Send + Sync;
pub(super) type LoadAll<T> = dyn Fn(SavedValues<'_>, usize) -> Result<Vec<T>, String> + Send + Sync;

/// Adds a value of the codec's type to a state hash.
pub(crate) type HashValue<'h> = dyn Fn(&dyn Any, &mut StateHasher) + 'h;

/// The state hash of a value.
type Hash<'h, T> = dyn Fn(&T, &mut StateHasher) + 'h;

fn hash_of<T>(value: &T, hash: &Hash<'_, T>) -> u64 {
    let mut hasher = StateHasher::default();
    hash(value, &mut hasher);
    hasher.finish()
}

/// Calls code of users; a panic is an error that names the type.
fn user_code<T, R>(code: &str, act: impl FnOnce() -> R) -> Result<R, String> {
    told(format_args!("the {code} of {} panicked", short_name::<T>()), act)
}

/// The sentence about a type that would not be loaded as it was saved.
#[cold]
fn broken<T>(problem: &str) -> String {
    let name = short_name::<T>();
    format!(
        "{name} would not be loaded as it was saved: {problem}; write and read the same fields in the same order, if need be by a \
         type of their own and #[serde(from, into)]"
    )
}

/// How values of one type are saved, and loaded from each known version. It does not name the type, so that what keeps
/// and finds codecs is compiled once, not for each type.
pub(crate) struct Codec {
    version: u32,
    /// Whether the program sets fields after loading that are not saved.
    is_completed: bool,
    pub(crate) copies: &'static CopyFunctions,
    /// A `Box<SaveAll<T>>`.
    save: Box<dyn Any + Send + Sync>,
    /// A reader for each known version, the current one first.
    load: Vec<(u32, Reader)>,
    /// A `Fields<T>`; `None` for the events of components.
    #[cfg_attr(not(feature = "inspect"), allow(dead_code, reason = "nothing is shown"))]
    pub(in crate::types) fields: Option<Box<dyn Any + Send + Sync>>,
}

/// How the copies of snapshots are saved and loaded.
pub(crate) struct CopyFunctions {
    save: fn(&Codec, &dyn Any, Target, &HashValue<'_>) -> Result<Blob, String>,
    pub(crate) load_components: Load<SharedCopy>,
    pub(crate) load_resource: Load<SharedCopy>,
    pub(crate) load_events: Load<Box<dyn AnyEvents>>,
    pub(crate) load_state: Load<Box<dyn Any + Send>>,
}

/// Loads a number of values of a version as a copy.
type Load<C> = fn(&Codec, u32, SavedValues<'_>, usize) -> Result<C, String>;

/// An `Arc<LoadAll<T>>`.
pub(super) type Reader = Box<dyn Any + Send + Sync>;

pub(super) fn reader<T: 'static>(load: Arc<LoadAll<T>>) -> Reader {
    Box::new(load)
}

const BY_TYPE: &str = "codecs are found by their type";

impl Codec {
    pub(super) fn new<T: Component>(version: u32, notation: Notation<T>) -> Self {
        let save = move |runs: &[&[T]], to| {
            let count = runs.iter().map(|run| run.len()).sum();
            (notation.write)(Values { count, runs: &mut runs.iter().copied() }, to)
        };
        Self {
            fields: Some(Box::new(notation.fields)),
            ..Self::of::<T>(version, Box::new(save), Arc::new(notation.read))
        }
    }

    fn of<T: Component>(version: u32, save: Box<SaveAll<T>>, load: Arc<LoadAll<T>>) -> Self {
        Self {
            version,
            is_completed: false,
            copies: const {
                &CopyFunctions {
                    save: |codec, copy, to, hash| {
                        codec.save_to(&values_of::<T>(copy), to, &|value, to| hash(value, to))
                    },
                    load_components: |codec, version, saved, count| {
                        Ok(Arc::new(codec.load::<T>(version, saved, count)?))
                    },
                    load_resource: |codec, version, saved, _| Ok(Arc::new(Some(codec.load_one::<T>(version, saved)?))),
                    load_events: |codec, version, saved, count| Ok(Box::new(codec.load::<T>(version, saved, count)?)),
                    load_state: |codec, version, saved, _| Ok(Box::new(codec.load_one::<T>(version, saved)?)),
                }
            },
            save: Box::new(save),
            load: vec![(version, reader(load))],
            fields: None,
        }
    }

    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    /// Declares that the program sets fields after loading that are not saved.
    pub(super) fn complete(&mut self) {
        self.is_completed = true;
    }

    pub(super) fn can_read(&self, version: u32) -> bool {
        self.reader(version).is_some()
    }

    /// Replaces the writer and the reader of the current version.
    pub(super) fn replace_current(&mut self, other: Self) {
        self.save = other.save;
        for (version, load) in other.load {
            self.read_by(version, load);
        }
    }

    /// Sets the reader of a version.
    pub(super) fn read_by(&mut self, version: u32, load: Reader) {
        match self.load.iter_mut().find(|(known, _)| *known == version) {
            Some((_, known)) => *known = load,
            None => self.load.push((version, load)),
        }
    }

    fn reader(&self, version: u32) -> Option<&Reader> {
        self.load.iter().find(|(known, _)| *known == version).map(|(_, load)| load)
    }

    fn known_reader(&self, version: u32) -> Result<&Reader, String> {
        self.reader(version).ok_or_else(|| format!("version {version} is not known"))
    }

    /// Saves what [`values_of`] finds in a copy. `hash` is that of the state.
    ///
    /// # Errors
    /// If the values cannot be written, or are not read back as they are.
    pub(crate) fn save(&self, copy: &dyn Any, form: Form, hash: &HashValue<'_>) -> Result<Blob, String> {
        (self.copies.save)(self, copy, form.into(), hash)
    }

    /// As [`Codec::save`], but appends the bytes to others.
    pub(crate) fn append(&self, copy: &dyn Any, bytes: Vec<u8>, hash: &HashValue<'_>) -> Result<Vec<u8>, String> {
        match (self.copies.save)(self, copy, Target::Bytes(bytes), hash)? {
            Blob::Bytes(bytes) => Ok(bytes),
            Blob::Text(_) => unreachable!("values are saved in the form that is asked for"),
        }
    }

    fn save_to<T: 'static>(&self, values: &[&[T]], to: Target, hash: &Hash<'_, T>) -> Result<Blob, String> {
        let save = self.save.downcast_ref::<Box<SaveAll<T>>>().expect(BY_TYPE);
        let (form, begin) = (to.form(), to.len());
        let broken = |problem: &str| broken::<T>(problem);
        // Not a fault of the values.
        let in_words = |problem: String| if problem == NOT_READABLE { problem } else { broken(&problem) };
        let saved = user_code::<T, _>("`Serialize`", || save(values, to))?.map_err(in_words)?;
        let count = values.iter().map(|run| run.len()).sum();
        let back: Vec<T> = self
            .load(self.version, saved.values_from(begin), count)
            .map_err(|problem| broken(&format!("it is not read back: {problem}")))?;
        let again = user_code::<T, _>("`Serialize`", || save(&[&back], form.into()))?;
        let again = again.map_err(|problem| broken(&problem))?;
        if !saved.values_from(begin).equals(again.values()) {
            return Err(broken("when it is read back and written again, the result differs"));
        }
        let values = values.iter().copied().flatten();
        let differs = || values.zip(&back).any(|(value, back)| hash_of(value, hash) != hash_of(back, hash));
        if !self.is_completed && user_code::<T, _>("state hash", differs)? {
            return Err(broken("it is read back with another state hash, so a field that counts is not saved"));
        }
        user_code::<T, _>("`Drop`", || drop(back))?;
        Ok(saved)
    }

    pub(crate) fn load<T: 'static>(
        &self,
        version: u32,
        saved: SavedValues<'_>,
        count: usize,
    ) -> Result<Vec<T>, String> {
        let load: &Arc<LoadAll<T>> = self.known_reader(version)?.downcast_ref().expect(BY_TYPE);
        user_code::<T, _>("`Deserialize`", || load(saved, count)).flatten()
    }

    pub(crate) fn load_one<T: 'static>(&self, version: u32, saved: SavedValues<'_>) -> Result<T, String> {
        self.load(version, saved, 1)?.pop().ok_or_else(|| "there is no value".to_owned())
    }
}

/// The copy of a pool to be saved.
pub(crate) struct PoolToSave {
    pub(crate) values: SharedCopy,
    /// The numbers of the kinds that have the component, in the order of kinds.
    pub(crate) kinds: Vec<usize>,
}

/// The values of type `T` in a copy: a pool, a `Vec<T>` of events, an `Option<T>` of a resource, or a `T` of a system.
fn values_of<T: 'static>(copy: &dyn Any) -> Vec<&[T]> {
    if let Some(PoolToSave { values, kinds }) = copy.downcast_ref() {
        let values: &PoolValues<T> = values.downcast_ref().expect(BY_TYPE);
        let homes = kinds.iter().map(|kind| &values.homes[*kind][..]);
        return homes.chain([&values.extras[..]]).collect();
    }
    let list = copy.downcast_ref::<Vec<T>>().map(Vec::as_slice);
    let values = list.or_else(|| copy.downcast_ref::<Option<T>>().map(Option::as_slice));
    vec![values.unwrap_or_else(|| slice::from_ref(copy.downcast_ref().expect(BY_TYPE)))]
}

/// The codecs of the [`Added`], [`Removed`] and [`Replaced`] events of a component type.
pub(super) struct EventCodecs<T>(pub(super) PhantomData<fn() -> T>);

/// [`EventCodecs`] with its type erased.
pub(super) trait AnyEventCodecs {
    fn events(&self) -> [TypeId; 3];
    /// The codec of the [`Added`] events, which are saved as entities: they hold no value.
    fn of_added(&self, version: u32) -> Codec;
    /// The codec of the [`Removed`] events, for a `Notation<T>` of the component type.
    fn of_removed(&self, version: u32, notation: &dyn Any) -> Codec;
    /// The codec of the [`Replaced`] events, for a `Notation<T>` of the component type.
    fn of_replaced(&self, version: u32, notation: &dyn Any) -> Codec;
    /// Readers of these event types for a version of the component type. `read` holds the `Arc<LoadAll<T>>` that reads
    /// the components.
    fn readers(&self, read: &Reader) -> [Reader; 3];
}

impl<T: Component> AnyEventCodecs for EventCodecs<T> {
    fn events(&self) -> [TypeId; 3] {
        [TypeId::of::<Added<T>>(), TypeId::of::<Removed<T>>(), TypeId::of::<Replaced<T>>()]
    }

    fn of_added(&self, version: u32) -> Codec {
        let save = |added: &[&[Added<T>]], to| {
            let count = added.iter().map(|run| run.len()).sum();
            let runs = &mut added.iter().copied().flatten().map(|added| slice::from_ref(&added.entity));
            save_entities(Values { count, runs }, to)
        };
        Codec::of::<Added<T>>(version, Box::new(save), Arc::new(load_added))
    }

    fn of_removed(&self, version: u32, notation: &dyn Any) -> Codec {
        of_values(version, notation, |removed: &Removed<T>| (removed.entity, removed.value.as_ref()), as_removed)
    }

    fn of_replaced(&self, version: u32, notation: &dyn Any) -> Codec {
        of_values(version, notation, |replaced: &Replaced<T>| (replaced.entity, Some(&replaced.old)), as_replaced)
    }

    fn readers(&self, read: &Reader) -> [Reader; 3] {
        let read: &Arc<LoadAll<T>> = read.downcast_ref().expect(BY_TYPE);
        let added = reader::<Added<T>>(Arc::new(load_added));
        let removed = reader::<Removed<T>>(load_values(read.clone(), as_removed));
        [added, removed, reader::<Replaced<T>>(load_values(read.clone(), as_replaced))]
    }
}

fn save_entities(entities: Values<'_, EntityId>, to: Target) -> Result<Blob, String> {
    (Notation::with_text().write)(entities, to)
}

fn load_added<T: Component>(saved: SavedValues<'_>, count: usize) -> Result<Vec<Added<T>>, String> {
    Ok(load_entities(saved, count)?.into_iter().map(Added::new).collect())
}

fn load_entities(saved: SavedValues<'_>, count: usize) -> Result<Vec<EntityId>, String> {
    read_any(saved, count)
}

fn as_removed<T>(entity: EntityId, value: T) -> Removed<T> {
    Removed { entity, value: Some(value) }
}

fn as_replaced<T>(entity: EntityId, old: T) -> Replaced<T> {
    Replaced { entity, old }
}

/// The codec of events that hold a component of an entity.
fn of_values<T: Component, E: Event>(
    version: u32,
    notation: &dyn Any,
    parts: fn(&E) -> (EntityId, Option<&T>),
    make: fn(EntityId, T) -> E,
) -> Codec {
    let notation: Notation<T> = *notation.downcast_ref().expect(BY_TYPE);
    let save = move |events: &[&[E]], to: Target| {
        let all = || events.iter().copied().flatten().map(parts);
        if all().any(|(_, value)| value.is_none()) {
            return Err("a value was taken or moved, and its listeners do not know yet: run a frame first".to_owned());
        }
        let runs = &mut all().filter_map(|(_, value)| value.map(slice::from_ref));
        let values = (notation.write)(Values { count: all().count(), runs }, to.form().into())?;
        Owned { owners: all().map(|(entity, _)| entity).collect(), values }.save(to)
    };
    Codec::of::<E>(version, Box::new(save), load_values(Arc::new(notation.read), make))
}

fn load_values<T: Component, E: Event>(read: Arc<LoadAll<T>>, make: fn(EntityId, T) -> E) -> Arc<LoadAll<E>> {
    Arc::new(move |saved, count| {
        let Owned { owners, values } = Owned::load(saved, count)?;
        let with_owner = owners.into_iter().zip(read(values.values(), count)?);
        Ok(with_owner.map(|(entity, value)| make(entity, value)).collect())
    })
}

/// Removed or replaced components and their owners.
#[derive(Serialize, Deserialize)]
struct Owned {
    owners: Vec<EntityId>,
    values: Blob,
}

impl Owned {
    fn save(self, to: Target) -> Result<Blob, String> {
        (Notation::with_text().write)(Values { count: 1, runs: &mut iter::once(slice::from_ref(&self)) }, to)
    }

    fn load(saved: SavedValues<'_>, count: usize) -> Result<Self, String> {
        let owned: Self = read_any(saved, 1)?.pop().ok_or("there is nothing")?;
        match owned.owners.len() {
            owners if owners == count => Ok(owned),
            owners => Err(format!("{count} values have {owners} owners")),
        }
    }
}

impl dyn AnyEventCodecs {
    /// Sets the codecs for a version; `replaces` says whether the way in which components are written replaces an
    /// existing one.
    pub(super) fn save(&self, events: &mut Named<dyn AnyEventType>, version: u32, notation: &dyn Any, replaces: bool) {
        let [added, removed, replaced] = self.events();
        if let Some(added) = events.of_mut(added) {
            added.codec.get_or_insert_with(|| Box::new(self.of_added(version)));
        }
        for event in [removed, replaced] {
            let codec = |version| match event == removed {
                true => self.of_removed(version, notation),
                false => self.of_replaced(version, notation),
            };
            match events.of_mut(event).map(|event| &mut event.codec) {
                Some(known @ None) => *known = Some(Box::new(codec(version))),
                Some(Some(known)) if replaces => known.replace_current(codec(known.version)),
                _ => {}
            }
        }
    }

    /// Sets the readers of a version of the component type.
    pub(super) fn read_by(&self, events: &mut Named<dyn AnyEventType>, version: u32, read: &Reader) {
        for (event, reader) in self.events().into_iter().zip(self.readers(read)) {
            if let Some(codec) = events.of_mut(event).and_then(|entry| entry.codec.as_mut()) {
                codec.read_by(version, reader);
            }
        }
    }
}

impl<V: ?Sized> Entry<V> {
    pub(crate) fn codec(&self) -> Result<&Codec, String> {
        self.codec.as_deref().ok_or_else(|| "it is not registered for saving".to_owned())
    }
}
