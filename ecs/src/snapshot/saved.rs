//! Saved snapshots (feature `serde`): compact bytes, or a readable RON text.

mod blob;
mod changes;
mod codec;
mod compact;
mod error;
#[cfg(feature = "inspect")]
mod fields;
mod limits;
mod load;
mod part;
mod pools;
mod register;
mod relations;
mod save;
mod slots;
mod stream;
mod systems;
mod text;

use std::io::{Read, Write};

pub(crate) use self::blob::{Blob, Form, SavedValues};
pub(crate) use self::codec::{AnyEventCodecs, Codec, EventCodecs};
pub use self::error::{LoadError, SaveError};
#[cfg(feature = "inspect")]
pub(crate) use self::fields::{
    ComponentOperations, ReadError, SetComponent, SetResource, Show, read_value, read_value_bytes, show_value,
};
pub use self::load::{Converted, Dropped, Loaded};
pub(crate) use self::register::Saving;
pub(crate) use self::relations::check_links;
use crate::event::EventManager;
use crate::snapshot::{Snapshot, TypeRegistry};
use crate::system::SystemManager;

/// The version of both forms. Older ones are read, too.
const FORMAT: u32 = 3;

/// The engine that is saved or loaded into.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) types: &'a TypeRegistry,
    pub(crate) systems: &'a SystemManager,
    pub(crate) events: &'a EventManager,
}

pub(crate) fn write(snapshot: &Snapshot, source: Source<'_>, to: &mut dyn Write) -> Result<(), SaveError> {
    let mut stream = stream::Writer::new(to)?;
    save::parts(snapshot, source, Form::Bytes, &mut |part, values| stream.write(&part, values))?;
    stream.finish()
}

pub(crate) fn read(source: Source<'_>, from: &mut dyn Read) -> Result<(Snapshot, Loaded), LoadError> {
    let mut stream = stream::Reader::new(from)?;
    let mut loading = load::Loading::new(source);
    while let Some((part, values)) = stream.read()? {
        loading.take(part, values)?;
    }
    loading.finish()
}

pub(crate) fn write_text(snapshot: &Snapshot, source: Source<'_>) -> Result<String, SaveError> {
    let mut parts = Vec::new();
    save::parts(snapshot, source, Form::Text, &mut |part, _| {
        parts.push(part);
        Ok(())
    })?;
    text::write(parts)
}

pub(crate) fn read_text(source: Source<'_>, text: &str) -> Result<(Snapshot, Loaded), LoadError> {
    let mut loading = load::Loading::new(source);
    for part in text::read(text)? {
        loading.take(part, &[])?;
    }
    loading.finish()
}
