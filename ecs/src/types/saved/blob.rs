//! [`Blob`]: serialized values of one type, as bytes or as RON text.

use std::fmt;
use std::marker::PhantomData;

use postcard::ser_flavors::Flavor;
use ron::value::RawValue;
use serde::de::{self, DeserializeOwned, DeserializeSeed, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{compact, unordered};
use crate::types::inspected::{Fields, editable_fields, fields_of_engine};

/// The nesting of values in a text.
pub(crate) const DEPTH: usize = 128;
/// The nesting around the values in a text.
pub(crate) const DEPTH_OF_PARTS: usize = 32;

/// In which of the two forms something is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Bytes,
    Text,
}

#[derive(Clone, Debug)]
pub(crate) enum Blob {
    Bytes(Vec<u8>),
    Text(Box<RawValue>),
}

/// The values of a [`Blob`], or those that follow a part.
#[derive(Clone, Copy)]
pub(crate) enum SavedValues<'a> {
    Bytes(&'a [u8]),
    Text(&'a RawValue),
}

/// Where values are written to.
pub(super) enum Target {
    /// They are appended to these.
    Bytes(Vec<u8>),
    Text,
}

impl Target {
    pub(super) fn form(&self) -> Form {
        match self {
            Self::Bytes(_) => Form::Bytes,
            Self::Text => Form::Text,
        }
    }

    /// The number of bytes that were there before.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Text => 0,
        }
    }
}

impl SavedValues<'_> {
    pub(super) fn equals(self, other: Self) -> bool {
        match (self, other) {
            (Self::Bytes(bytes), Self::Bytes(other)) => bytes == other,
            (Self::Text(text), Self::Text(other)) => text.get_ron() == other.get_ron(),
            (Self::Bytes(_), Self::Text(_)) | (Self::Text(_), Self::Bytes(_)) => false,
        }
    }
}

impl From<Form> for Target {
    fn from(form: Form) -> Self {
        match form {
            Form::Bytes => Self::Bytes(Vec::new()),
            Form::Text => Self::Text,
        }
    }
}

impl Blob {
    pub(crate) fn values(&self) -> SavedValues<'_> {
        self.values_from(0)
    }

    /// The values behind the first `begin` bytes.
    pub(super) fn values_from(&self, begin: usize) -> SavedValues<'_> {
        match self {
            Self::Bytes(bytes) => SavedValues::Bytes(&bytes[begin..]),
            Self::Text(text) => SavedValues::Text(text),
        }
    }

    fn text<T: Serialize>(values: Values<'_, T>) -> Result<Self, String> {
        let runs: Vec<_> = values.runs.collect();
        let text = depth(DEPTH).to_string(&List(&runs)).map_err(|error| in_words(&error))?;
        // The values nest no deeper than a text may.
        runs.iter().copied().flatten().try_for_each(unordered::find).map_err(|problem| problem.to_string())?;
        // A `char` is written as it is, and the reader of a text takes a carriage return for the end of a line.
        let text = text.replace('\r', "\\r");
        RawValue::from_boxed_ron(text.into()).map(Self::Text).map_err(|error| in_words(&error.code))
    }
}

/// Values to be written, side by side as far as they are so in memory.
pub(super) struct Values<'a, T> {
    pub(super) count: usize,
    pub(super) runs: &'a mut dyn Iterator<Item = &'a [T]>,
}

/// Appends the compact form of a value to `into`.
pub(crate) fn into_bytes(value: &impl Serialize, into: Vec<u8>) -> Result<Vec<u8>, String> {
    postcard::serialize_with_flavor(value, Memory(into)).map_err(|error| error.to_string())
}

/// Memory that postcard writes to. Its own begins empty, so lists of values would be copied again and again while it
/// grows.
struct Memory(Vec<u8>);

impl Flavor for Memory {
    type Output = Vec<u8>;

    #[inline(always)]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    #[inline(always)]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<Vec<u8>> {
        Ok(self.0)
    }
}

/// How values of a type are written and read. The text form generates the most code, so only types that ask for it and
/// old versions of types have it.
pub(crate) struct Notation<T> {
    pub(super) write: fn(Values<'_, T>, Target) -> Result<Blob, String>,
    /// Reads exactly this number of values.
    pub(super) read: fn(SavedValues<'_>, usize) -> Result<Vec<T>, String>,
    pub(super) fields: Fields<T>,
}

impl<T> Clone for Notation<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Notation<T> {}

fn depth(limit: usize) -> ron::Options {
    ron::Options::default().with_recursion_limit(limit)
}

#[cold]
fn in_words(error: &ron::Error) -> String {
    match error {
        ron::Error::ExceededRecursionLimit => "it is nested too deeply for a text: bytes have no such limit".to_owned(),
        error => error.to_string(),
    }
}

pub(super) const NOT_READABLE: &str = "it is saved in the compact form only: register it by save_with_text";

impl<T: Serialize + DeserializeOwned> Notation<T> {
    pub(super) fn compact() -> Self {
        Self {
            write: |values, to| match to {
                Target::Bytes(bytes) => compact::write(values, bytes).map(Blob::Bytes),
                Target::Text => Err(NOT_READABLE.to_owned()),
            },
            read: |saved, count| match saved {
                SavedValues::Bytes(bytes) => compact::read(bytes, count),
                SavedValues::Text(_) => Err(NOT_READABLE.to_owned()),
            },
            fields: editable_fields(),
        }
    }

    pub(super) fn with_text() -> Self {
        Self { fields: editable_fields(), ..Self::read_by(read_any) }
    }
}

impl<T: Serialize> Notation<T> {
    /// In both forms, for values that `read` makes.
    pub(super) fn read_by(read: fn(SavedValues<'_>, usize) -> Result<Vec<T>, String>) -> Self {
        Self {
            write: |values, to| match to {
                Target::Bytes(bytes) => compact::write(values, bytes).map(Blob::Bytes),
                Target::Text => Blob::text(values),
            },
            read,
            fields: fields_of_engine(),
        }
    }
}

/// Reads values in either form.
pub(super) fn read_any<T: DeserializeOwned>(saved: SavedValues<'_>, count: usize) -> Result<Vec<T>, String> {
    match saved {
        SavedValues::Bytes(bytes) => compact::read(bytes, count),
        SavedValues::Text(text) => read_text(text, count),
    }
}

fn read_text<T: DeserializeOwned>(text: &RawValue, count: usize) -> Result<Vec<T>, String> {
    // Removed components are nested a little deeper.
    let depth = depth(DEPTH + DEPTH_OF_PARTS);
    let from = ron::Deserializer::from_str_with_options(text.get_ron(), &depth);
    let mut from = from.map_err(|error| error.to_string())?;
    let exactly = Exactly { count, of: PhantomData::<T> };
    let values = exactly.deserialize(&mut from).map_err(|error| from.span_error(error).to_string())?;
    from.end().map_err(|error| error.to_string())?;
    Ok(values)
}

impl Serialize for Blob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Self::Text(text) => text.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return Box::<RawValue>::deserialize(deserializer).map(Self::Text);
        }
        deserializer.deserialize_byte_buf(Bytes).map(Self::Bytes)
    }
}

/// Serializes runs of values as a list.
struct List<'a, T>(&'a [&'a [T]]);

impl<T: Serialize> Serialize for List<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().copied().flatten())
    }
}

struct Bytes;

impl Visitor<'_> for Bytes {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }
}

/// Reads a list of known length. A longer one is refused, so a forged length cannot make the reader loop over items
/// that take no bytes.
struct Exactly<T> {
    count: usize,
    of: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Exactly<T> {
    type Value = Vec<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Exactly<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values", self.count)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
        // The count may be forged: memory for more arrives with the values.
        let mut values = Vec::with_capacity(self.count.min((1 << 16) / size_of::<T>().max(1)));
        while let Some(value) = list.next_element()? {
            if values.len() == self.count {
                return Err(de::Error::custom(format_args!("there are more than {} values", self.count)));
            }
            values.push(value);
        }
        match values.len() == self.count {
            true => Ok(values),
            false => Err(de::Error::invalid_length(values.len(), &self)),
        }
    }
}
