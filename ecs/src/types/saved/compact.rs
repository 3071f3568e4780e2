//! Lists of values as bytes, in the form of postcard.
//!
//! Most values take as many bytes as in memory, or fewer. So each one is written into a window of that length, and read
//! from one: the compiler knows the length, and copies the numbers of a value of fixed form with a few wide
//! instructions, without a check for each of them. Bytes for which the window is too short take a slow path; the result
//! is the same.

use std::cell::OnceCell;

use postcard::{Deserializer, Error, Serializer, de_flavors, ser_flavors};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::blob::{Values, into_bytes};
use super::writer::Writer;

/// Appends a list of values to `bytes`, with its length in front.
pub(super) fn write<T: Serialize>(values: Values<'_, T>, mut bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    let size = size_of::<T>();
    begin(values.count, size, &mut bytes)?;
    let mut behind = Vec::new();
    for value in values.runs.flatten() {
        let start = bytes.len();
        bytes.resize(start + size, 0);
        let output = Window { window: &mut bytes[start..][..size], unused: 0, behind: &mut behind };
        let mut to = Writer(Serializer { output });
        value.serialize(&mut to).map_err(|problem| problem.to_string())?;
        let Window { window, unused, .. } = to.0.output;
        let unused = unused + window.len();
        bytes.truncate(start + size - unused);
        if !behind.is_empty() {
            bytes.append(&mut behind);
        }
    }
    Ok(bytes)
}

/// Writes the length of a list, and reserves memory for its values.
fn begin(count: usize, size: usize, bytes: &mut Vec<u8>) -> Result<(), String> {
    bytes.reserve(count * size + 16);
    *bytes = into_bytes(&count, std::mem::take(bytes))?;
    Ok(())
}

#[cold]
fn in_words(error: Error) -> String {
    match error {
        Error::WontImplement => {
            "it asks what comes next, as by `untagged`, `tag` or `flatten`, and bytes do not tell".to_owned()
        }
        Error::SerdeDeCustom => "its `Deserialize` refuses it".to_owned(),
        error => error.to_string(),
    }
}

/// Where a value is written.
pub(super) struct Window<'a> {
    /// The rest of the window.
    window: &'a mut [u8],
    /// Bytes of the window that were left when others did not fit.
    unused: usize,
    /// The bytes that did not fit, and all after them.
    behind: &'a mut Vec<u8>,
}

impl Window<'_> {
    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) {
        if bytes.len() > self.window.len() {
            return self.put_behind(bytes);
        }
        let (to, rest) = std::mem::take(&mut self.window).split_at_mut(bytes.len());
        to.copy_from_slice(bytes);
        self.window = rest;
    }

    #[inline(always)]
    fn put_behind(&mut self, bytes: &[u8]) {
        self.unused += std::mem::take(&mut self.window).len();
        append(self.behind, bytes);
    }
}

#[cold]
#[inline(never)]
fn append(to: &mut Vec<u8>, bytes: &[u8]) {
    to.extend_from_slice(bytes);
}

impl ser_flavors::Flavor for Window<'_> {
    type Output = ();

    #[inline(always)]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.put(&[byte]);
        Ok(())
    }

    #[inline(always)]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.put(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

/// Exactly `count` values. A longer list is refused, so a forged length cannot make the reader loop over values that
/// take no bytes.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8], count: usize) -> Result<Vec<T>, String> {
    let size = size_of::<T>();
    let padded = OnceCell::new();
    let (mut list, mut rest) = List::begin(bytes, count, size)?;
    let mut values = Vec::with_capacity(list.capacity);
    for _ in 0..list.length {
        if rest.len() < size {
            rest = list.pad(rest, &padded)?;
        }
        let mut from = Deserializer::from_flavor(Source { window: &rest[..size], all: rest, size });
        values.push(T::deserialize(&mut from).map_err(in_words)?);
        rest = from.finalize().map_err(in_words)?;
    }
    list.end(rest, count)?;
    Ok(values)
}

/// A list that is being read.
struct List {
    length: usize,
    /// How many values to reserve memory for.
    capacity: usize,
    /// The size of a value in memory.
    size: usize,
    /// How many of the bytes are padding.
    padding: usize,
}

impl List {
    /// The list, and the bytes of its values.
    fn begin(bytes: &[u8], count: usize, size: usize) -> Result<(Self, &[u8]), String> {
        let (length, rest) = postcard::take_from_bytes::<usize>(bytes).map_err(in_words)?;
        if length > count {
            return Err(format!("there are more than {count} values"));
        }
        // The count may be forged: memory for more arrives with the values.
        let capacity = length.min((bytes.len() * 4 + (1 << 16)) / size.max(1));
        Ok((Self { length, capacity, size, padding: 0 }, rest))
    }

    /// The bytes of the last values with more behind them, so that there is a window for each.
    #[cold]
    #[inline(never)]
    fn pad<'a>(&mut self, rest: &[u8], padded: &'a OnceCell<Vec<u8>>) -> Result<&'a [u8], String> {
        if self.padding > 0 {
            return Err(in_words(Error::DeserializeUnexpectedEnd));
        }
        self.padding = self.size;
        Ok(padded.get_or_init(|| [rest, &vec![0; self.size]].concat()))
    }

    /// Checks that nothing but the padding is left.
    fn end(&self, rest: &[u8], count: usize) -> Result<(), String> {
        if self.length < count {
            return Err(format!("there are {} values instead of {count}", self.length));
        }
        match rest.len().checked_sub(self.padding) {
            Some(0) => Ok(()),
            Some(left) => Err(format!("{left} bytes are left over")),
            None => Err(in_words(Error::DeserializeUnexpectedEnd)),
        }
    }
}

/// Where a value is read.
struct Source<'a> {
    /// The rest of the window.
    window: &'a [u8],
    /// The bytes of the window and all others, until something does not fit into the window: then the window has all
    /// that are left, and there are none here.
    all: &'a [u8],
    /// Bytes of the window.
    size: usize,
}

impl<'a> Source<'a> {
    #[inline(always)]
    fn take(&mut self, count: usize) -> postcard::Result<&'a [u8]> {
        if count > self.window.len() {
            self.window = self.rest();
            self.all = &[];
        }
        let (taken, rest) = self.window.split_at_checked(count).ok_or(Error::DeserializeUnexpectedEnd)?;
        self.window = rest;
        Ok(taken)
    }

    /// The bytes that were not taken.
    #[inline(always)]
    fn rest(&self) -> &'a [u8] {
        if self.all.is_empty() { self.window } else { &self.all[self.size - self.window.len()..] }
    }
}

impl<'a> de_flavors::Flavor<'a> for Source<'a> {
    type Remainder = &'a [u8];
    type Source = &'a [u8];

    #[inline(always)]
    fn pop(&mut self) -> postcard::Result<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.rest().len())
    }

    #[inline(always)]
    fn try_take_n(&mut self, count: usize) -> postcard::Result<&'a [u8]> {
        self.take(count)
    }

    fn finalize(self) -> postcard::Result<&'a [u8]> {
        Ok(self.rest())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::{Deserialize, Deserializer};

    use super::*;

    /// Takes more bytes or fewer than in memory.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Mixed {
        name: String,
        small: u8,
        large: u64,
        parts: Vec<(bool, f32)>,
        other: Option<Box<Mixed>>,
    }

    fn any_mixed() -> impl Strategy<Value = Mixed> {
        let leaf = (".{0,40}", any::<u8>(), any::<u64>(), prop::collection::vec((any::<bool>(), -1e3_f32..1e3), 0..9));
        let leaf = leaf.prop_map(|(name, small, large, parts)| Mixed { name, small, large, parts, other: None });
        leaf.prop_recursive(3, 4, 1, |inner| {
            (inner.clone(), inner).prop_map(|(outer, other)| Mixed { other: Some(Box::new(other)), ..outer })
        })
    }

    fn assert_form<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(values: &[T]) {
        let mut runs = values.chunks(3);
        let bytes = write(Values { count: values.len(), runs: &mut runs }, Vec::new()).unwrap();
        assert_eq!(bytes, postcard::to_allocvec(values).unwrap());
        assert_eq!(read::<T>(&bytes, values.len()).unwrap(), values);
        // Every beginning is refused, and so is one byte more.
        (0..bytes.len()).for_each(|end| _ = read::<T>(&bytes[..end], values.len()).unwrap_err());
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(read::<T>(&longer, values.len()).unwrap_err(), "1 bytes are left over");
    }

    proptest! {
        #[test]
        fn values_are_written_and_read_in_the_form_of_postcard(
            mixed in prop::collection::vec(any_mixed(), 0..6),
            numbers in prop::collection::vec(any::<i32>(), 0..9),
            pairs in prop::collection::vec(any::<(f32, [u8; 3])>(), 0..9),
        ) {
            let pairs: Vec<_> = pairs.into_iter().filter(|(number, _)| !number.is_nan()).collect();
            assert_form(&mixed);
            assert_form(&numbers);
            assert_form(&pairs);
        }
    }

    #[test]
    fn values_without_bytes_are_counted() {
        assert_form(&[(); 0]);
        let bytes = write(Values { count: 3, runs: &mut std::iter::once(&[(); 3][..]) }, Vec::new()).unwrap();
        assert_eq!(bytes, [3]);
        assert_eq!(read::<()>(&bytes, 3).unwrap(), [(); 3]);
        assert_eq!(read::<()>(&bytes, 2).unwrap_err(), "there are more than 2 values");
        assert_eq!(read::<()>(&bytes, 4).unwrap_err(), "there are 3 values instead of 4");
    }

    /// Reads a number, and hides the error if there is none.
    #[derive(Debug, PartialEq, Serialize)]
    struct Lenient(u32);

    impl<'de> Deserialize<'de> for Lenient {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            Ok(Self(u32::deserialize(from).unwrap_or_default()))
        }
    }

    #[test]
    fn types_that_hide_errors_read_what_they_wrote() {
        let values = [Lenient(u32::MAX), Lenient(1), Lenient(u32::MAX - 1)];
        let bytes = write(Values { count: 3, runs: &mut std::iter::once(&values[..]) }, Vec::new()).unwrap();
        assert_eq!(read::<Lenient>(&bytes, 3).unwrap(), values);
    }
}
