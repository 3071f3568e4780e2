//! The compact form: a sequence of parts, each with its length and a hash of everything so far.
//!
//! ```text
//! "ecssave\n"  format: u32  hash: u64
//! { length: u64, not 0   part, in postcard, and the values of components behind it   hash: u64 }
//! 0: u64  hash: u64
//! ```
//! Numbers are little-endian. A hash is that of a [`StateHasher`] to which the format and the bytes of all parts so far
//! were added, see [`add`]: damaged, lost or moved parts are found before they are read.

use std::io::{ErrorKind, Read, Write};

use super::FORMAT;
use super::error::{LoadError, SaveError};
use super::part::Part;
use super::save::Append;
use crate::stable_hash::StateHasher;
use crate::types::{Form, into_bytes};

const MAGIC: [u8; 8] = *b"ecssave\n";

/// Adds the bytes of a part to a hash. Most of them go to four hashes in turn, eight bytes each, which a processor
/// computes side by side; their results are added.
fn add(hash: &mut StateHasher, bytes: &[u8]) {
    let mut lanes: [StateHasher; 4] = Default::default();
    let (blocks, rest) = bytes.as_chunks::<32>();
    for block in blocks {
        let (words, _) = block.as_chunks::<8>();
        lanes.iter_mut().zip(words).for_each(|(lane, word)| _ = lane.number(u64::from_le_bytes(*word)));
    }
    hash.number(bytes.len() as u64);
    lanes.iter().for_each(|lane| _ = hash.number(lane.finish()));
    hash.bytes(rest);
}

pub(super) struct Writer<'a> {
    to: &'a mut dyn Write,
    hash: StateHasher,
    /// The current part; its memory is reused.
    part: Vec<u8>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(to: &'a mut dyn Write) -> Result<Self, SaveError> {
        let mut writer = Self { to, hash: StateHasher::default(), part: Vec::new() };
        writer.put(&MAGIC)?;
        writer.put(&FORMAT.to_le_bytes())?;
        writer.hash.number(u64::from(FORMAT));
        writer.put_hash()?;
        Ok(writer)
    }

    /// Writes a part, and what `values` appends to it.
    pub(super) fn write(&mut self, part: &Part, values: Option<&Append<'_>>) -> Result<(), SaveError> {
        let mut bytes = std::mem::take(&mut self.part);
        bytes.clear();
        let bytes = into_bytes(part, bytes).map_err(|problem| SaveError::part(part.name(), Form::Bytes, &problem))?;
        let bytes = match values {
            Some(append) => append(bytes)?,
            None => bytes,
        };
        self.put(&(bytes.len() as u64).to_le_bytes())?;
        self.put(&bytes)?;
        add(&mut self.hash, &bytes);
        self.part = bytes;
        self.put_hash()
    }

    pub(super) fn finish(mut self) -> Result<(), SaveError> {
        self.put(&0_u64.to_le_bytes())?;
        self.hash.number(0);
        self.put_hash()?;
        self.to.flush().map_err(|error| SaveError::write(&error))
    }

    fn put_hash(&mut self) -> Result<(), SaveError> {
        self.put(&self.hash.finish().to_le_bytes())
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), SaveError> {
        self.to.write_all(bytes).map_err(|error| SaveError::write(&error))
    }
}

pub(super) struct Reader<'a> {
    from: &'a mut dyn Read,
    /// The number of bytes read.
    at: u64,
    hash: StateHasher,
    is_over: bool,
    /// The current part; its memory is reused.
    part: Vec<u8>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(from: &'a mut dyn Read) -> Result<Self, LoadError> {
        let hash = StateHasher::default();
        let mut reader = Self { from, at: 0, hash, is_over: false, part: Vec::new() };
        if reader.take()? != MAGIC {
            return Err(LoadError::NotASave);
        }
        let format = u32::from_le_bytes(reader.take()?);
        reader.hash.number(u64::from(format));
        let has_hash = u64::from_le_bytes(reader.take()?) == reader.hash.finish();
        match format {
            _ if !has_hash => Err(LoadError::Damaged { at: MAGIC.len() as u64 }),
            0 => Err(LoadError::NotASave),
            FORMAT => Ok(reader),
            other => Err(LoadError::OtherFormat { found: other, known: FORMAT }),
        }
    }

    /// The next part and the values behind it; `None` after the last one.
    pub(super) fn read(&mut self) -> Result<Option<(Part, &[u8])>, LoadError> {
        if self.is_over {
            return Ok(None);
        }
        let start = self.at;
        let length = u64::from_le_bytes(self.take()?);
        self.part.clear();
        // The length may be forged: memory for more grows as bytes arrive.
        self.part.reserve(length.min(1 << 20) as usize);
        let read = (&mut *self.from).take(length).read_to_end(&mut self.part);
        self.at += read.map_err(|error| LoadError::read(&error))? as u64;
        if (self.part.len() as u64) < length {
            return Err(LoadError::Truncated { at: self.at });
        }
        match length {
            0 => _ = self.hash.number(0),
            _ => add(&mut self.hash, &self.part),
        }
        if u64::from_le_bytes(self.take()?) != self.hash.finish() {
            return Err(LoadError::Damaged { at: start });
        }
        if length == 0 {
            self.is_over = true;
            return Ok(None);
        }
        let invalid = |problem: String| LoadError::Invalid { part: "part".to_owned(), problem };
        let (part, rest) = postcard::take_from_bytes(&self.part).map_err(|error| invalid(error.to_string()))?;
        match (&part, rest) {
            (Part::Components(_), _) | (_, []) => Ok(Some((part, rest))),
            _ => Err(invalid(format!("{} bytes are left over at byte {}", rest.len(), self.at))),
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], LoadError> {
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => LoadError::Truncated { at: self.at },
            _ => LoadError::read(&error),
        })?;
        self.at += N as u64;
        Ok(bytes)
    }
}
