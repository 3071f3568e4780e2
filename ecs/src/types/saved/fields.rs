//! [`Fields`]: shows and reads values of one type in any format of serde.

use erased_serde::{Deserializer, Serialize};
use serde::de::DeserializeOwned;

use super::{Codec, SavedValues};
use crate::entity::{EntityId, NoSuchEntity};
use crate::error::CommandFailure;
use crate::world::World;

/// Shows values of a type, and reads new ones.
pub(crate) struct Fields<T> {
    show: fn(&T) -> &dyn Serialize,
    /// `None` for values that only the engine may change, such as links between entities.
    read: Option<ReadValue<T>>,
}

type ReadValue<T> = fn(&mut dyn Deserializer<'_>) -> Result<T, erased_serde::Error>;

impl<T> Clone for Fields<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Fields<T> {}

impl<T: serde::Serialize> Fields<T> {
    /// Of values that only the engine may change.
    pub(super) fn of_engine() -> Self {
        Self { show: |value| value, read: None }
    }

    /// Of values that may be replaced.
    pub(super) fn editable() -> Self
    where
        T: DeserializeOwned,
    {
        Self { read: Some(|from| erased_serde::deserialize(from)), ..Self::of_engine() }
    }
}

/// Receives a value; `None` if the fields of its type are unknown.
pub(crate) type Show<'a> = &'a mut dyn FnMut(Option<&dyn Serialize>);

/// Sets a component that was read.
pub(crate) type SetComponent = Box<dyn FnOnce(&mut World, EntityId) -> Result<(), NoSuchEntity>>;

/// Sets a resource that was read.
pub(crate) type SetResource = Box<dyn FnOnce(&mut World)>;

type ChangeComponent = fn(&mut World, EntityId) -> Result<(), CommandFailure>;

/// Changes of a component by its type.
pub(crate) struct ComponentOperations {
    pub(crate) remove: ChangeComponent,
    pub(crate) enable: ChangeComponent,
    pub(crate) disable: ChangeComponent,
}

/// Why a value was not read.
pub(crate) enum ReadError {
    OnlyRead,
    Value(String),
}

/// Shows a value by the fields of its type.
pub(crate) fn show_value<T: 'static>(codec: &Codec, value: &T, to: Show<'_>) {
    to(codec.fields::<T>().map(|fields| (fields.show)(value)));
}

pub(crate) fn read_value<T: 'static>(codec: &Codec, from: &mut dyn Deserializer<'_>) -> Result<T, ReadError> {
    let read = codec.fields::<T>().and_then(|fields| fields.read).ok_or(ReadError::OnlyRead)?;
    read(from).map_err(|error| ReadError::Value(error.to_string()))
}

/// Reads a value that [`Codec::append`] wrote.
pub(crate) fn read_value_bytes<T: 'static>(codec: &Codec, bytes: &[u8]) -> Result<T, ReadError> {
    // A type without a reader is read-only.
    codec.fields::<T>().and_then(|fields| fields.read).ok_or(ReadError::OnlyRead)?;
    codec.load_one(codec.version(), SavedValues::Bytes(bytes)).map_err(ReadError::Value)
}
