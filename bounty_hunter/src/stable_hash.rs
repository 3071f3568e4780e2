//! A hash that is the same on every platform and in every build.

use std::fmt;
use std::hash::Hasher;

/// FNV-1a, 64 bits (Fowler, Noll, Vo).
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

impl Fnv {
    /// The hash of some bytes.
    pub(crate) fn of(bytes: &[u8]) -> u64 {
        let mut hash = Self::default();
        hash.write(bytes);
        hash.finish()
    }

    pub(crate) fn floats(&mut self, values: &[f32]) {
        values.iter().for_each(|value| self.write(&value.to_bits().to_le_bytes()));
    }

    pub(crate) fn number(&mut self, value: u64) {
        self.write(&value.to_le_bytes());
    }

    /// By its printed form, which shows every field; for what is small and has no bytes of its own.
    pub(crate) fn printed(&mut self, value: &impl fmt::Debug) {
        struct Sink<'a>(&'a mut Fnv);
        impl fmt::Write for Sink<'_> {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0.write(text.as_bytes());
                Ok(())
            }
        }
        fmt::write(&mut Sink(self), format_args!("{value:?}")).expect("hashing text can not fail");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_is_that_of_the_published_test_vectors() {
        // From the reference tests of FNV by its authors.
        let hashes = ["", "a", "foobar"].map(|text| Fnv::of(text.as_bytes()));
        assert_eq!(hashes, [0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8]);
    }
}
