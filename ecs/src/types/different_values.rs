//! Two values of a type that should be equal, as texts.

use std::any::TypeId;

use crate::component::{PoolRows, RowPlace};
use crate::entity::EntityId;
use crate::stable_hash::StateHasher;
use crate::store::SharedCopy;

/// Two values that should be equal: as `Debug` text if [`TypeRegistry::show`](crate::snapshot::TypeRegistry::show) was
/// called for their type, otherwise as hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferentValues {
    /// The owner, if they are components.
    pub entity: Option<EntityId>,
    /// The recorded value; `None` if absent.
    pub recorded: Option<String>,
    /// The present value; `None` if absent.
    pub now: Option<String>,
}

impl DifferentValues {
    /// The path of the first field that differs, such as `speed.x`, with both values; `None` if one is absent or the
    /// texts have no named fields.
    #[must_use]
    pub fn field(&self) -> Option<(String, String, String)> {
        different_field(self.recorded.as_deref()?, self.now.as_deref()?)
    }
}

/// The owners and the values of a copy of a pool, if it exists.
pub(crate) type Rows<'a> = Option<(PoolRows<'a>, &'a SharedCopy)>;

/// Finds the copy of a pool by its type.
pub(crate) type FindPool<'a> = dyn Fn(TypeId) -> Rows<'a> + 'a;

/// The first entity whose component or enabled state differs, with both values. `hash` and `show` take the values of a
/// pool and a place among them.
pub(super) fn first_difference(
    recorded: Rows<'_>,
    now: Rows<'_>,
    hash: &dyn Fn(&SharedCopy, RowPlace) -> u64,
    show: &dyn Fn(&SharedCopy, RowPlace) -> String,
) -> Option<DifferentValues> {
    let both = [recorded, now].map(|rows| {
        let rows = rows.map(|(rows, _)| rows.iter().map(|row| (row.owner, row.place, row.is_enabled)));
        let mut rows: Vec<_> = rows.into_iter().flatten().collect();
        rows.sort_unstable_by_key(|(owner, ..)| *owner);
        rows
    });
    let mut all: Vec<EntityId> = both.iter().flatten().map(|(owner, ..)| *owner).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter().find_map(|entity| {
        let [recorded, now] = [(recorded, &both[0]), (now, &both[1])].map(|(rows, sorted)| {
            let (_, image) = rows?;
            let at = sorted.binary_search_by_key(&entity, |(owner, ..)| *owner).ok()?;
            Some((image, sorted[at].1, sorted[at].2))
        });
        let known = |(image, at, is_enabled)| (hash(image, at), is_enabled);
        let print = |(image, at, is_enabled)| {
            let state = if is_enabled { "" } else { " (disabled)" };
            format!("{}{state}", show(image, at))
        };
        (recorded.map(known) != now.map(known)).then(|| DifferentValues {
            entity: Some(entity),
            recorded: recorded.map(print),
            now: now.map(print),
        })
    })
}

/// A value as `Debug` text, or its hash.
pub(super) fn shown<T>(value: &T, show: Option<fn(&T) -> String>, hash: fn(&T, &mut StateHasher)) -> String {
    show.map_or_else(|| format!("a value with hash {:016x}", hashed(value, hash)), |show| show(value))
}

pub(super) fn hashed<T>(value: &T, hash: fn(&T, &mut StateHasher)) -> u64 {
    let mut hasher = StateHasher::default();
    hash(value, &mut hasher);
    hasher.finish()
}

/// The path of the first field that differs between two texts, such as `speed.x`, with both of its values; `None` if
/// the texts are equal or their values have no named fields.
pub(crate) fn different_field(first: &str, other: &str) -> Option<(String, String, String)> {
    let at = first.char_indices().zip(other.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    let at = at.or_else(|| (first.len() != other.len()).then_some(first.len().min(other.len())))?;
    let mut open: Vec<(Option<&str>, usize)> = Vec::new();
    let mut name = None;
    let (mut word, mut value) = (0, 0);
    for (place, letter) in first[..at].char_indices() {
        match letter {
            '{' | '(' | '[' => {
                open.push((name.take(), place));
                (word, value) = (place + 1, place + 1);
            }
            '}' | ')' | ']' => {
                open.pop();
            }
            ',' => {
                name = None;
                (word, value) = (place + 1, place + 1);
            }
            ':' if name.is_none() => {
                name = Some(first[word..place].trim());
                value = place + 1;
            }
            _ => {}
        }
    }
    let names = open.iter().map(|(name, _)| *name).chain([name]);
    let path: Vec<&str> = names.flatten().filter(|name| !name.is_empty()).collect();
    let end = |text: &str| {
        let behind = text[value..].find([',', '}', ')', ']']).map_or(text.len(), |end| value + end);
        text[value..behind].trim().to_owned()
    };
    let (mut one, mut another) = (end(first), end(other));
    // Of two lists, the longer one has more elements behind equal ones.
    if let (true, Some((_, begin))) = (one == another, open.last()) {
        (one, another) = (in_brackets(&first[*begin..]), in_brackets(&other[*begin..]));
    }
    (!path.is_empty()).then(|| (path.join("."), one, another))
}

/// The text up to the bracket that closes the first one.
fn in_brackets(text: &str) -> String {
    let mut depth = 0;
    let behind = text.char_indices().find(|(_, letter)| {
        depth += match letter {
            '{' | '(' | '[' => 1,
            '}' | ')' | ']' => -1,
            _ => 0,
        };
        depth == 0
    });
    behind.map_or(text, |(end, _)| &text[..=end]).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_field_is_named_with_both_values() {
        let differs = |first, other| different_field(first, other).map(|(path, a, b)| format!("{path}: {a}, {b}"));
        assert_eq!(differs("A { x: 1, y: 2 }", "A { x: 1, y: 3 }").unwrap(), "y: 2, 3");
        assert_eq!(differs("A { at: B { x: 1 }, y: 2 }", "A { at: B { x: 12 }, y: 2 }").unwrap(), "at.x: 1, 12");
        assert_eq!(differs("A { at: B { x: 1 }, y: 2 }", "A { at: B { x: 1 }, y: 21 }").unwrap(), "y: 2, 21");
        assert_eq!(differs("A { all: [1, 2] }", "A { all: [1, 3] }").unwrap(), "all: 2, 3");
        assert_eq!(differs("A { all: [1] }", "A { all: [1, 2] }").unwrap(), "all: [1], [1, 2]");
        assert_eq!(
            differs("A { all: [(1, 2), (3, 4)], x: 0 }", "A { all: [(1, 2)], x: 0 }").unwrap(),
            "all: [(1, 2), (3, 4)], [(1, 2)]"
        );
        assert_eq!(differs("7", "8"), None);
        assert_eq!(differs("A { x: 1 }", "A { x: 1 }"), None);
    }
}
