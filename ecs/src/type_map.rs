//! A map from Rust types to whatever an engine keeps for each.

use std::any::TypeId;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Looked up, never walked: the order of a hash map is no order.
pub(crate) type TypeMap<V> = HashMap<TypeId, V, BuildHasherDefault<TypeIdHasher>>;

/// A `TypeId` is a hash already.
#[derive(Default)]
pub(crate) struct TypeIdHasher(u64);

impl Hasher for TypeIdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = self.0.rotate_left(5) ^ word;
    }
}

/// The name of a type without the path of its module: `game::physics::Body` becomes `Body`. What is no path, as a tuple,
/// keeps its whole name, and a closure has that of the function around it: `start::{{closure}}`.
pub(crate) fn short_name<T: ?Sized>() -> &'static str {
    without_path(std::any::type_name::<T>())
}

fn without_path(name: &'static str) -> &'static str {
    if !name.starts_with(|first: char| first.is_alphabetic() || first == '_') {
        return name;
    }
    let within = name.find("::{{closure}}").unwrap_or(name.len());
    let end_of_path = name.find('<').unwrap_or(name.len()).min(within);
    name[..end_of_path].rfind("::").map_or(name, |at| &name[at + 2..])
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn short_names_drop_the_path() {
        assert_eq!(short_name::<crate::EntityId>(), "EntityId");
        assert_eq!(short_name::<f32>(), "f32");
        assert_eq!(short_name::<(u8, f32)>(), "(u8, f32)");
        assert!(short_name::<Option<crate::EntityId>>().starts_with("Option<"));
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
