//! [`Codec`]: saves and loads values of one type, and converts older versions.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::blob::Form;
use super::blob::{Blob, Notation, read_any};
use crate::component::Component;
use crate::entity::EntityId;
use crate::event::{Added, Removed};

/// The codec, or the error that the type is not registered for saving.
pub(crate) fn codec<T>(codec: &Option<Codec<T>>) -> Result<&Codec<T>, String> {
    codec.as_ref().ok_or_else(|| "it is not registered for saving".to_owned())
}

type SaveAll<T> = dyn Fn(&[T], Form) -> Result<Blob, String> + Send + Sync;
type LoadAll<T> = dyn Fn(&Blob, usize) -> Result<Vec<T>, String> + Send + Sync;

pub(crate) struct Codec<T> {
    version: u32,
    save: Box<SaveAll<T>>,
    /// A reader for each known version, the current one first.
    load: Vec<(u32, Box<LoadAll<T>>)>,
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
        let save = move |values: &[T], form| (notation.write)(&mut values.iter(), form);
        Self { version, save: Box::new(save), load: vec![(version, Box::new(notation.read))] }
    }

    /// Replaces the notation of the current version.
    pub(crate) fn write_as(&mut self, notation: Notation<T>) {
        self.replace_current(Self::new(self.version, notation));
    }

    /// Replaces the writer and the reader of the current version.
    fn replace_current(&mut self, other: Self) {
        self.save = other.save;
        self.load.retain(|(known, _)| *known != other.version);
        self.load.extend(other.load);
    }

    /// Sets the conversion from an older version.
    pub(crate) fn convert<Old: DeserializeOwned + 'static>(
        &mut self,
        version: u32,
        convert: impl Fn(Old) -> Result<T, String> + Send + Sync + 'static,
    ) {
        self.read_by(version, move |blob, count| read_any(blob, count)?.into_iter().map(&convert).collect());
    }

    /// Sets the reader of a version.
    fn read_by(&mut self, version: u32, load: impl Fn(&Blob, usize) -> Result<Vec<T>, String> + Send + Sync + 'static) {
        self.load.retain(|(known, _)| *known != version);
        self.load.push((version, Box::new(load)));
    }

    pub(crate) fn save(&self, values: &[T], form: Form) -> Result<Blob, String> {
        (self.save)(values, form)
    }

    pub(crate) fn load(&self, version: u32, blob: &Blob, count: usize) -> Result<Vec<T>, String> {
        let known = self.load.iter().find(|(known, _)| *known == version);
        known.ok_or_else(|| format!("version {version} is not known"))?.1(blob, count)
    }

    pub(crate) fn load_one(&self, version: u32, blob: &Blob) -> Result<T, String> {
        self.load(version, blob, 1)?.pop().ok_or_else(|| "there is no value".to_owned())
    }
}

/// Saved as entities: the events hold no value.
impl<T: Component> Codec<Added<T>> {
    pub(crate) fn of_added(version: u32) -> Self {
        let save = |added: &[Added<T>], form| {
            (Notation::<EntityId>::with_text().write)(&mut added.iter().map(|added| &added.entity), form)
        };
        let mut codec = Self { version, save: Box::new(save), load: Vec::new() };
        codec.read_added(version);
        codec
    }

    /// Reads a version of the component type.
    pub(crate) fn read_added(&mut self, version: u32) {
        self.read_by(version, |blob, count| {
            Ok(read_any::<EntityId>(blob, count)?.into_iter().map(Added::new).collect())
        });
    }
}

/// Removed components and their owners.
#[derive(Serialize, Deserialize)]
struct Owned {
    owners: Vec<EntityId>,
    values: Blob,
}

impl Owned {
    fn save(self, form: Form) -> Result<Blob, String> {
        (Notation::with_text().write)(&mut std::iter::once(&self), form)
    }

    fn load(blob: &Blob, count: usize) -> Result<Self, String> {
        let owned: Self = read_any(blob, 1)?.pop().ok_or("there is nothing")?;
        match owned.owners.len() {
            owners if owners == count => Ok(owned),
            owners => Err(format!("{count} values have {owners} owners")),
        }
    }
}

impl<T: Component> Codec<Removed<T>> {
    pub(crate) fn of_removed(version: u32, notation: Notation<T>) -> Self {
        let save = move |removed: &[Removed<T>], form| {
            let values = (notation.write)(&mut removed.iter().map(|removed| &removed.value), form)?;
            Owned { owners: removed.iter().map(|removed| removed.entity).collect(), values }.save(form)
        };
        let mut codec = Self { version, save: Box::new(save), load: Vec::new() };
        codec.read_removed(version, notation.read);
        codec
    }

    /// As [`Codec::write_as`], for the components.
    pub(crate) fn write_removed_as(&mut self, notation: Notation<T>) {
        self.replace_current(Self::of_removed(self.version, notation));
    }

    /// Sets the reader of the components of a version.
    fn read_removed(
        &mut self,
        version: u32,
        read: impl Fn(&Blob, usize) -> Result<Vec<T>, String> + Send + Sync + 'static,
    ) {
        self.read_by(version, move |blob, count| {
            let Owned { owners, values } = Owned::load(blob, count)?;
            let with_owner = owners.into_iter().zip(read(&values, count)?);
            Ok(with_owner.map(|(entity, value)| Removed { entity, value }).collect())
        });
    }

    /// As [`Codec::convert`], for the components.
    pub(crate) fn convert_removed<Old: DeserializeOwned + 'static>(
        &mut self,
        version: u32,
        convert: impl Fn(Old) -> Result<T, String> + Send + Sync + 'static,
    ) {
        self.read_removed(version, move |blob, count| read_any(blob, count)?.into_iter().map(&convert).collect());
    }
}
