//! [`StateHasher`] and [`StableHash`]: hashes that are equal on every platform.

#[cfg(feature = "glam")]
mod glam_types;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::time::Duration;

/// Computes a 64-bit hash that is equal on every platform and in every build, and will not change.
///
/// The state starts as 0xCBF29CE484222325. Each 64-bit word does `state = (state ^ word) × 0x9E3779B97F4A7C15`, then
/// `state = state ^ (state >> 32)`. [`StateHasher::finish`] mixes the state by the output function of SplitMix64. A
/// number is one word; signed numbers are extended to 64 bits. Bytes are their count, then little-endian words of eight
/// bytes, the last one padded with zeros. The hash is not cryptographic: collisions can be constructed.
///
/// # Example
/// ```
/// let mut hash = ecs::snapshot::StateHasher::default();
/// hash.add(&(1.5_f32, [2_u8, 3])).number(4);
/// assert_eq!(hash.finish(), 0x7826_dfdb_9205_9524);
/// ```
#[derive(Clone, Debug)]
pub struct StateHasher(u64);

impl Default for StateHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl StateHasher {
    /// Adds a word.
    #[inline]
    pub fn number(&mut self, word: u64) -> &mut Self {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
        self
    }

    /// Adds bytes and their count.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.number(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.number(u64::from_le_bytes(word));
        }
        self
    }

    /// Adds a value.
    #[inline]
    pub fn add<T: StableHash + ?Sized>(&mut self, value: &T) -> &mut Self {
        value.stable_hash(self);
        self
    }

    /// Adds a value by its `Debug` text, which must show all of it, in a fixed order. For rare values without a
    /// [`StableHash`].
    pub fn printed(&mut self, value: &impl fmt::Debug) -> &mut Self {
        let mut text = Text { hash: self, word: 0, length: 0 };
        fmt::write(&mut text, format_args!("{value:?}")).expect("hashing text cannot fail");
        let Text { word, length, .. } = text;
        self.number(word).number(length)
    }

    /// The hash of everything that was added.
    #[must_use]
    pub fn finish(&self) -> u64 {
        scramble(self.0)
    }
}

/// The output function of `SplitMix64`: one changed bit flips half of the result.
pub(crate) const fn scramble(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Hashes text that arrives in parts; how it is divided does not count.
struct Text<'a> {
    hash: &'a mut StateHasher,
    word: u64,
    length: u64,
}

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.word |= u64::from(byte) << (self.length % 8 * 8);
            self.length += 1;
            if self.length.is_multiple_of(8) {
                self.hash.number(std::mem::take(&mut self.word));
            }
        }
        Ok(())
    }
}

/// A value whose hash is equal on every platform.
///
/// It is implemented for numbers, text, lists, tuples and similar types. `usize` counts as 64 bits. Floats are hashed
/// by their bits; all NaNs are equal. Implement it for a struct by adding its fields, or derive it (feature `derive`):
/// then the fields are added in their order, after the number of the variant for an enum. A field of a type of others
/// has no such hash: name a function by `#[stable_hash(with = "function")]`, which takes the field and the hasher. The
/// feature `glam` has the hashes of the types of glam.
///
/// # Example
/// ```
/// use ecs::snapshot::{StableHash, StateHasher};
///
/// struct Position { x_m: f32, y_m: f32 }
///
/// impl StableHash for Position {
///     fn stable_hash(&self, hash: &mut StateHasher) {
///         // With this pattern, the compiler reports a field that is forgotten.
///         let Self { x_m, y_m } = self;
///         hash.add(x_m).add(y_m);
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no hash that is equal on every platform",
    label = "derive `StableHash` (feature `derive`) or implement it, or register the type by `component_by`, `resource_by`, `event_by` or `system_by`, with a function that hashes it",
    note = "the order of a `HashMap` or a `HashSet` differs from process to process, so saves refuse them: a `BTreeMap` or a `BTreeSet` has a hash and can be saved"
)]
pub trait StableHash {
    /// Adds the value to a hash.
    fn stable_hash(&self, hash: &mut StateHasher);
}

macro_rules! numbers {
    ($($number:ty as $word:ty),+) => {
        $(impl StableHash for $number {
            #[inline]
            fn stable_hash(&self, hash: &mut StateHasher) {
                hash.number(*self as $word as u64);
            }
        })+
    };
}

numbers!(u8 as u64, u16 as u64, u32 as u64, u64 as u64, usize as u64, bool as u64, char as u32);
numbers!(i8 as i64, i16 as i64, i32 as i64, i64 as i64, isize as i64);

impl StableHash for u128 {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.number(*self as u64).number((*self >> 64) as u64);
    }
}

impl StableHash for i128 {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&(*self as u128));
    }
}

impl StableHash for f32 {
    #[inline]
    fn stable_hash(&self, hash: &mut StateHasher) {
        // The bits of a NaN depend on the platform.
        hash.number(u64::from(if self.is_nan() { 0x7fc0_0000 } else { self.to_bits() }));
    }
}

impl StableHash for f64 {
    #[inline]
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.number(if self.is_nan() { 0x7ff8_0000_0000_0000 } else { self.to_bits() });
    }
}

impl StableHash for str {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.bytes(self.as_bytes());
    }
}

impl StableHash for String {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.bytes(self.as_bytes());
    }
}

impl StableHash for Duration {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.number(self.as_secs()).number(u64::from(self.subsec_nanos()));
    }
}

impl<T: StableHash + ?Sized> StableHash for &T {
    fn stable_hash(&self, hash: &mut StateHasher) {
        (**self).stable_hash(hash);
    }
}

impl<T: StableHash + ?Sized> StableHash for Box<T> {
    fn stable_hash(&self, hash: &mut StateHasher) {
        (**self).stable_hash(hash);
    }
}

impl<T: StableHash> StableHash for Option<T> {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.number(u64::from(self.is_some()));
        self.iter().for_each(|value| value.stable_hash(hash));
    }
}

impl<T: StableHash, const N: usize> StableHash for [T; N] {
    #[inline]
    fn stable_hash(&self, hash: &mut StateHasher) {
        self.iter().for_each(|value| value.stable_hash(hash));
    }
}

impl<T: StableHash> StableHash for [T] {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.number(self.len() as u64);
        self.iter().for_each(|value| value.stable_hash(hash));
    }
}

impl<T: StableHash> StableHash for Vec<T> {
    fn stable_hash(&self, hash: &mut StateHasher) {
        self.as_slice().stable_hash(hash);
    }
}

impl<T: StableHash> StableHash for VecDeque<T> {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.number(self.len() as u64);
        self.iter().for_each(|value| value.stable_hash(hash));
    }
}

impl<T: StableHash> StableHash for BTreeSet<T> {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.number(self.len() as u64);
        self.iter().for_each(|value| value.stable_hash(hash));
    }
}

impl<K: StableHash, V: StableHash> StableHash for BTreeMap<K, V> {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.number(self.len() as u64);
        self.iter().for_each(|(key, value)| {
            hash.add(key).add(value);
        });
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))+) => {
        $(impl<$($name: StableHash),*> StableHash for ($($name,)*) {
            #[allow(non_snake_case, unused_variables)]
            #[inline]
            fn stable_hash(&self, hash: &mut StateHasher) {
                let ($($name,)*) = self;
                $($name.stable_hash(hash);)*
            }
        })+
    };
}

tuples!(() (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H));
