//! Hash maps with a fixed seed, and the names of types.

use std::any::TypeId;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};

/// A hash map for look-ups only: the order of its entries must not decide anything.
pub(crate) type FixedMap<K, V> = HashMap<K, V, BuildHasherDefault<FixedHasher>>;

/// A map with Rust types as keys.
pub(crate) type TypeMap<V> = FixedMap<TypeId, V>;

/// A fast hasher without a random seed. Its keys are ids that the engine assigns, and the types of the program.
#[derive(Default)]
pub(crate) struct FixedHasher(u64);

impl Hasher for FixedHasher {
    /// The finalizer of SplitMix64 (Steele, Lea and Flood 2014): each bit of the key changes each bit of the hash.
    fn finish(&self) -> u64 {
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ bits >> 31
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

/// Where types were last found in a list, so that most look-ups need no hashing: the place of a hint is known when the
/// program is compiled. Several types share a hint, so the list must confirm it.
#[derive(Debug, Default)]
pub(crate) struct TypeHints([AtomicU32; 32]);

impl TypeHints {
    #[inline(always)]
    fn hint(&self, of: TypeId) -> &AtomicU32 {
        let mut hash = FixedHasher::default();
        of.hash(&mut hash);
        &self.0[(hash.finish() >> 59) as usize]
    }

    /// Where a type may be.
    #[inline(always)]
    pub(crate) fn guess(&self, of: TypeId) -> usize {
        self.hint(of).load(Ordering::Relaxed) as usize
    }

    /// Notes where a type is.
    pub(crate) fn note(&self, of: TypeId, place: usize) {
        self.hint(of).store(place as u32, Ordering::Relaxed);
    }
}

/// The bytes of a map on the heap: the entries, and a byte of control for each.
pub(crate) fn map_bytes_held<K: Eq + Hash, V>(map: &FixedMap<K, V>) -> usize {
    // A map fills at most 7 of 8 places.
    let places = (map.capacity() * 8).div_ceil(7);
    places * (size_of::<(K, V)>() + 1)
}

/// The name of a type without the path of its module: `game::physics::Body` becomes `Body`. What is no path, as a
/// tuple, keeps its whole name, and a closure has that of the function around it: `start::{{closure}}`.
pub(crate) fn short_name<T: ?Sized>() -> &'static str {
    shortened(std::any::type_name::<T>())
}

/// As [`short_name`], compiled once for all types.
fn shortened(name: &'static str) -> &'static str {
    match without_path(name) {
        // Programs know the components of hierarchies by these names.
        "Links<ecs::relation::parent::Parent>" => "ChildOf",
        "LinkedFrom<ecs::relation::parent::Parent>" => "Children",
        name => name,
    }
}

/// A name of a type with the last part of each path in it: `Option<&game::Body>` becomes `Option<&Body>`.
pub(crate) fn without_paths(name: &str) -> String {
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '{' | '}');
    let mut short = String::new();
    let mut left = name;
    while let Some(first) = left.chars().next() {
        let end = if is_path(first) { left.find(|c| !is_path(c)).unwrap_or(left.len()) } else { first.len_utf8() };
        let (part, rest) = left.split_at(end);
        short.push_str(part.rsplit("::").next().unwrap_or(part));
        left = rest;
    }
    short
}

pub(crate) fn without_path(name: &'static str) -> &'static str {
    if !name.starts_with(|first: char| first.is_alphabetic() || first == '_') {
        return name;
    }
    let within = name.find("::{{closure}}").unwrap_or(name.len());
    let end_of_path = name.find(['<', '(']).unwrap_or(name.len()).min(within);
    name[..end_of_path].rfind("::").map_or(name, |at| &name[at + 2..])
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, Hash};

    use super::{FixedMap, short_name, without_paths};

    /// Hash maps choose a place by the low bits of a hash, and compare the highest 7 before they compare keys.
    #[test]
    fn keys_of_any_pattern_spread_over_places_and_tags() {
        fn assert_spread<K: Hash + Eq>(name: &str, key: impl Fn(u64) -> K) {
            let map = FixedMap::<K, ()>::default();
            let (mut places, mut tags) = (vec![0; 1 << 12], vec![0; 1 << 7]);
            for hash in (0..1 << 14).map(|n| map.hasher().hash_one(key(n))) {
                places[(hash & 0xFFF) as usize] += 1;
                tags[(hash >> 57) as usize] += 1;
            }
            let (place, tag) = (places.iter().max(), tags.iter().max());
            assert!(place < Some(&20) && tag < Some(&200), "{name}: {place:?} of 4 expected, {tag:?} of 128");
        }
        for distance in 1..=64 {
            assert_spread("entities", |n| (n * distance, 1_u32));
            assert_spread("entities of many generations", |n| (((n * distance) << 32) | (n * distance), 1_u32));
            assert_spread("components", |n| (1_u64, n as u32 * distance as u32));
        }
        assert_spread("sites", |n| ((n as u32) << 16, 1_u32));
        assert_spread("serials", |n| (1_u32, (n as u32) << 16));
    }

    #[test]
    fn short_names_drop_the_path() {
        assert_eq!(short_name::<crate::EntityId>(), "EntityId");
        assert_eq!(short_name::<f32>(), "f32");
        assert_eq!(short_name::<(u8, f32)>(), "(u8, f32)");
        assert!(short_name::<fn(f32, Option<crate::EntityId>)>().starts_with("fn(f32, "));
        assert_eq!(short_name::<crate::hierarchy::ChildOf>(), "ChildOf");
        assert_eq!(short_name::<crate::hierarchy::Children>(), "Children");
        assert!(short_name::<Option<crate::EntityId>>().starts_with("Option<"));
    }

    #[test]
    fn paths_within_a_name_are_dropped() {
        let name = without_paths("(&mut game::Body, core::option::Option<&[game::a_b::Wheel<u8>; 4]>)");
        assert_eq!(name, "(&mut Body, Option<&[Wheel<u8>; 4]>)");
    }

    #[test]
    fn functions_are_called_what_they_are_called_and_closures_after_those_around_them() {
        fn name_of<F>(_: F) -> &'static str {
            short_name::<F>()
        }
        fn blink() {}
        assert_eq!(name_of(blink), "blink");
        assert_eq!(
            name_of(|| ()),
            "functions_are_called_what_they_are_called_and_closures_after_those_around_them::{{closure}}"
        );
    }
}
