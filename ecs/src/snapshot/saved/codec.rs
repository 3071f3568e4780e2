//! [`Codec`]: saves and loads values of one type, and converts older versions.

use std::sync::Arc;
use std::{iter, slice};

use serde::{Deserialize, Serialize};

use super::blob::{Blob, Form, Notation, SavedValues, Target, Values, read_any};
use crate::component::Component;
use crate::entity::EntityId;
use crate::event::{Added, Removed};
use crate::snapshot::event_type::{AnyEventType, EventKind};
use crate::snapshot::registry::{Named, find};

/// The codec, or the error that the type is not registered for saving.
pub(crate) fn codec<T>(codec: &Option<Codec<T>>) -> Result<&Codec<T>, String> {
    codec.as_ref().ok_or_else(|| "it is not registered for saving".to_owned())
}

type SaveAll<T> = dyn Fn(&[T], Target) -> Result<Blob, String> + Send + Sync;
pub(super) type LoadAll<T> = dyn Fn(SavedValues<'_>, usize) -> Result<Vec<T>, String> + Send + Sync;

pub(crate) struct Codec<T> {
    version: u32,
    save: Box<SaveAll<T>>,
    /// A reader for each known version, the current one first.
    load: Vec<(u32, Arc<LoadAll<T>>)>,
}

/// The versions of a [`Codec`], with its type erased.
pub(crate) trait Versions {
    /// The current version.
    fn saved(&self) -> u32;
    fn can_read(&self, version: u32) -> bool;
}

impl<T> Versions for Codec<T> {
    fn saved(&self) -> u32 {
        self.version
    }

    fn can_read(&self, version: u32) -> bool {
        self.load.iter().any(|(known, _)| *known == version)
    }
}

impl<T: 'static> Codec<T> {
    pub(crate) fn new(version: u32, notation: Notation<T>) -> Self {
        let save =
            move |values: &[T], to| (notation.write)(Values { count: values.len(), runs: &mut iter::once(values) }, to);
        Self { version, save: Box::new(save), load: vec![(version, Arc::new(notation.read))] }
    }

    /// Replaces the notation of the current version.
    pub(crate) fn write_as(&mut self, notation: Notation<T>) {
        self.replace_current(Self::new(self.version, notation));
    }

    /// Replaces the writer and the reader of the current version.
    fn replace_current(&mut self, other: Self) {
        self.save = other.save;
        other.load.into_iter().for_each(|(version, load)| self.read_by(version, load));
    }

    /// Sets the reader of a version.
    pub(super) fn read_by(&mut self, version: u32, load: Arc<LoadAll<T>>) {
        match self.load.iter_mut().find(|(known, _)| *known == version) {
            Some((_, known)) => *known = load,
            None => self.load.push((version, load)),
        }
    }

    pub(crate) fn save(&self, values: &[T], form: Form) -> Result<Blob, String> {
        (self.save)(values, form.into())
    }

    /// Appends the bytes of the values to others.
    pub(crate) fn append(&self, values: &[T], bytes: Vec<u8>) -> Result<Vec<u8>, String> {
        match (self.save)(values, Target::Bytes(bytes))? {
            Blob::Bytes(bytes) => Ok(bytes),
            Blob::Text(_) => unreachable!("values are saved in the form that is asked for"),
        }
    }

    pub(crate) fn load(&self, version: u32, saved: SavedValues<'_>, count: usize) -> Result<Vec<T>, String> {
        let known = self.load.iter().find(|(known, _)| *known == version);
        known.ok_or_else(|| format!("version {version} is not known"))?.1(saved, count)
    }

    pub(crate) fn load_one(&self, version: u32, saved: SavedValues<'_>) -> Result<T, String> {
        self.load(version, saved, 1)?.pop().ok_or_else(|| "there is no value".to_owned())
    }
}

/// Saved as entities: the events hold no value.
impl<T: Component> Codec<Added<T>> {
    pub(crate) fn of_added(version: u32) -> Self {
        let save = |added: &[Added<T>], to| {
            let runs = &mut added.iter().map(|added| slice::from_ref(&added.entity));
            (Notation::with_text().write)(Values { count: added.len(), runs }, to)
        };
        let mut codec = Self { version, save: Box::new(save), load: Vec::new() };
        codec.read_added(version);
        codec
    }

    /// Reads a version of the component type.
    pub(crate) fn read_added(&mut self, version: u32) {
        let load = |saved: SavedValues<'_>, count| Ok(read_any(saved, count)?.into_iter().map(Added::new).collect());
        self.read_by(version, Arc::new(load));
    }
}

/// Removed components and their owners.
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

impl<T: Component> Codec<Removed<T>> {
    pub(crate) fn of_removed(version: u32, notation: Notation<T>) -> Self {
        let save = move |removed: &[Removed<T>], to: Target| {
            let runs = &mut removed.iter().map(|removed| slice::from_ref(&removed.value));
            let values = (notation.write)(Values { count: removed.len(), runs }, to.form().into())?;
            Owned { owners: removed.iter().map(|removed| removed.entity).collect(), values }.save(to)
        };
        let mut codec = Self { version, save: Box::new(save), load: Vec::new() };
        codec.read_removed(version, Arc::new(notation.read));
        codec
    }

    /// As [`Codec::write_as`], for the components.
    pub(crate) fn write_removed_as(&mut self, notation: Notation<T>) {
        self.replace_current(Self::of_removed(self.version, notation));
    }

    /// Sets the reader of the components of a version.
    fn read_removed(&mut self, version: u32, read: Arc<LoadAll<T>>) {
        let load = move |saved: SavedValues<'_>, count| {
            let Owned { owners, values } = Owned::load(saved, count)?;
            let with_owner = owners.into_iter().zip(read(values.values(), count)?);
            Ok(with_owner.map(|(entity, value)| Removed { entity, value }).collect())
        };
        self.read_by(version, Arc::new(load));
    }
}

type SaveEvents<T> = fn(&mut Named<dyn AnyEventType>, u32, Notation<T>, bool);
type ReadEvents<T> = fn(&mut Named<dyn AnyEventType>, u32, Arc<LoadAll<T>>);

/// Sets the codecs of the [`Added`] and [`Removed`] events of a component type. Function pointers, so that this code is compiled for
/// components only, and not for each type that is saved.
pub(crate) struct EventCodecs<T> {
    /// Sets them for a version; the last argument says whether existing ones are replaced.
    pub(super) save: SaveEvents<T>,
    /// Sets the reader of the components of a version.
    pub(super) read: ReadEvents<T>,
}

impl<T: Component> EventCodecs<T> {
    pub(crate) fn new() -> Self {
        Self {
            save: |events, version, notation, replaces| {
                if let Some(added) = codec_of::<Added<T>>(events) {
                    added.get_or_insert_with(|| Codec::of_added(version));
                }
                match codec_of::<Removed<T>>(events) {
                    Some(removed @ None) => *removed = Some(Codec::of_removed(version, notation)),
                    Some(Some(removed)) if replaces => removed.write_removed_as(notation),
                    _ => {}
                }
            },
            read: |events, version, read| {
                if let Some(Some(added)) = codec_of::<Added<T>>(events) {
                    added.read_added(version);
                }
                if let Some(Some(removed)) = codec_of::<Removed<T>>(events) {
                    removed.read_removed(version, read);
                }
            },
        }
    }
}

fn codec_of<E: 'static>(events: &mut Named<dyn AnyEventType>) -> Option<&mut Option<Codec<E>>> {
    find::<E, EventKind<E>, _>(events, |what| what).map(|known| &mut known.codec)
}
