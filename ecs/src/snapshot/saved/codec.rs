//! How values of one type are saved and loaded, and what older versions of the type become.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Form;
use super::blob::Blob;

/// The codec of a type that was registered for saving.
pub(crate) fn codec<T>(codec: &Option<Codec<T>>) -> Result<&Codec<T>, String> {
    codec.as_ref().ok_or_else(|| "it is not registered for saving".to_owned())
}

type SaveAll<T> = fn(&[T], Form) -> Result<Blob, String>;
type LoadAll<T> = dyn Fn(&Blob, usize) -> Result<Vec<T>, String> + Send + Sync;

pub(crate) struct Codec<T> {
    version: u32,
    save: SaveAll<T>,
    /// How each version that is known is read, this one first.
    load: Vec<(u32, Box<LoadAll<T>>)>,
}

/// What is known of a codec without knowing the type.
pub(crate) trait Versions {
    /// The version that is saved.
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

impl<T: Serialize + DeserializeOwned + 'static> Codec<T> {
    pub(crate) fn new(version: u32) -> Self {
        let load: Box<LoadAll<T>> = Box::new(|blob, count| blob.read(count));
        Self { version, save: |values, form| Blob::of(values, form), load: vec![(version, load)] }
    }
}

impl<T: 'static> Codec<T> {
    /// Lets values of an older version be read; a version that is known is replaced.
    pub(crate) fn convert<Old: DeserializeOwned + 'static>(
        &mut self,
        version: u32,
        convert: impl Fn(Old) -> Result<T, String> + Send + Sync + 'static,
    ) {
        self.load.retain(|(known, _)| *known != version);
        let load = move |blob: &Blob, count| blob.read(count)?.into_iter().map(&convert).collect();
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
