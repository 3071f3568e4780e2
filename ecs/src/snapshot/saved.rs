//! Saved snapshots (feature `serde`): compact bytes, or a readable RON text.

mod changes;
mod error;
mod limits;
mod load;
mod part;
mod pools;
mod save;
mod slots;
mod stream;
mod systems;
mod text;

use std::io::{Read, Write};

pub use self::error::{LoadError, SaveError};
pub use self::load::{Converted, Dropped, Loaded};
use crate::event::EventManager;
use crate::snapshot::Snapshot;
use crate::system::SystemManager;
use crate::types::{Form, TypeRegistry};

/// The version of both forms. No other is read.
const FORMAT: u32 = 5;

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
