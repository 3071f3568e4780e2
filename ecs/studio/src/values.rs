//! Values and ids as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};

use ecs::EntityId;
use ecs::inspect::{InspectError, Inspector};
use serde::Deserialize;
use serde_json::{Serializer, Value, json};

/// Limit of the text of one value. Larger ones, such as a physics world, are not shown.
const MAX_BYTES: usize = 1 << 18;

/// An answer, or a sentence that says why there is none.
pub(crate) type Answer = Result<Value, String>;

/// Limit of the rows of one answer.
const MAX_ROWS: usize = 1_000;

/// The number of rows of an answer, if a request asks for so many.
pub(crate) fn rows(limit: Option<usize>) -> usize {
    limit.unwrap_or(MAX_ROWS).min(MAX_ROWS)
}

/// Memory of limited size.
pub(crate) struct Limited {
    bytes: Vec<u8>,
    most: usize,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Self { bytes: written, most } = self;
        if written.len() + bytes.len() > *most {
            return Err(io::Error::other(format!("it is too large to be shown: more than {most} bytes")));
        }
        written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The value that `write` writes as JSON.
pub(crate) fn limited(
    write: impl FnOnce(&mut Serializer<Limited>) -> Result<(), InspectError>,
) -> Result<Value, InspectError> {
    limited_to(MAX_BYTES, write)
}

/// As [`limited`], with a limit of bytes.
pub(crate) fn limited_to(
    most: usize,
    write: impl FnOnce(&mut Serializer<Limited>) -> Result<(), InspectError>,
) -> Result<Value, InspectError> {
    let mut to = Serializer::new(Limited { bytes: Vec::new(), most });
    write(&mut to)?;
    serde_json::from_slice(&to.into_inner().bytes).map_err(|error| InspectError::Value { problem: error.to_string() })
}

/// An id as people read it.
pub(crate) fn name_of(entity: EntityId) -> String {
    entity.to_string()
}

/// The id that [`name_of`] wrote.
pub(crate) fn entity_named(name: &str) -> Result<EntityId, String> {
    let parts = name.split_once('v').and_then(|(index, version)| {
        let (index, version): (u32, u32) = (index.parse().ok()?, version.parse().ok()?);
        serde_json::from_value(json!({ "idx": index, "version": version })).ok()
    });
    let exact = parts.filter(|entity: &EntityId| name_of(*entity) == name);
    exact.ok_or_else(|| format!("{name:?} is no entity: an id looks like 3v7"))
}

/// A value on one line, with ids as people read them.
pub(crate) fn printed(value: &Value) -> String {
    fn with_names(value: &Value) -> Value {
        let entity = EntityId::deserialize(value).ok().filter(|entity| json!(entity) == *value);
        if let Some(entity) = entity {
            return if entity == EntityId::default() { "none".into() } else { name_of(entity).into() };
        }
        match value {
            Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), with_names(value))).collect(),
            Value::Array(items) => items.iter().map(with_names).collect(),
            _ => value.clone(),
        }
    }
    with_names(value).to_string()
}

/// Whether a value contains a text, which may be the id of an entity such as `3v7`; each value contains an empty text.
pub(crate) fn has_text(value: &Value, text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
    let printed = value.to_string();
    let id = || entity_named(text).ok().and_then(|entity| serde_json::to_string(&entity).ok());
    printed.contains(text) || id().is_some_and(|id| printed.contains(&id))
}

/// All values of the components of an entity.
pub(crate) fn values_of(inspector: &Inspector<'_>, entity: EntityId) -> BTreeMap<String, Value> {
    let components = inspector.components(entity).unwrap_or_default();
    let value = |name: &str| limited(|to| inspector.component(entity, name, to)).ok();
    components
        .iter()
        .filter_map(|known| Some((known.name.as_deref()?.to_owned(), value(known.name.as_deref()?)?)))
        .collect()
}

/// Adds the places where two values differ, each with both values. `path` is that of the values.
pub(crate) fn differences(before: &Value, after: &Value, path: &str, into: &mut Vec<Value>) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            let fields: std::collections::BTreeSet<_> = before.keys().chain(after.keys()).collect();
            for field in fields {
                let path = format!("{path}/{}", field.replace('~', "~0").replace('/', "~1"));
                match (before.get(field), after.get(field)) {
                    (Some(before), Some(after)) => differences(before, after, &path, into),
                    // Absent is not the same as null, the value of a component without fields.
                    (None, after) => into.push(json!({ "path": path, "after": after, "added": true })),
                    (before, None) => into.push(json!({ "path": path, "before": before, "removed": true })),
                }
            }
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            for (place, (before, after)) in before.iter().zip(after).enumerate() {
                differences(before, after, &format!("{path}/{place}"), into);
            }
        }
        _ if before == after => {}
        _ => into.push(json!({ "path": path, "before": before, "after": after })),
    }
}

/// Bytes in hexadecimal digits.
pub(crate) fn to_digits(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)]))
        .collect()
}

/// The bytes that [`to_digits`] wrote.
pub(crate) fn from_digits(text: &str) -> Option<Vec<u8>> {
    let digit = |digit: u8| char::from(digit).to_digit(16).map(|digit| digit as u8);
    let (pairs, []) = text.as_bytes().as_chunks() else { return None };
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written() {
        let mut engine = ecs::Engine::new();
        let first = engine.spawn(());
        engine.despawn(first).unwrap();
        let second = engine.spawn(());
        for entity in [first, second] {
            assert_eq!(entity_named(&name_of(entity)), Ok(entity));
        }
        for wrong in ["", "1v0", "01v1", "3", "v", "3v", "-1v2", "3v7v", "99999999999v1"] {
            assert!(entity_named(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn values_are_printed_with_ids_as_people_read_them() {
        let value = json!({ "entity": { "idx": 8, "version": 1 }, "points": [1, null], "other": EntityId::default() });
        assert_eq!(printed(&value), r#"{"entity":"8v1","other":"none","points":[1,null]}"#);
    }

    #[test]
    fn bytes_are_read_as_they_are_written() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(from_digits(&to_digits(&all)), Some(all));
        assert_eq!([from_digits("0"), from_digits("0g"), from_digits("ä")], [None, None, None]);
    }

    #[test]
    fn differences_name_the_fields() {
        let (before, after) =
            (json!({ "a": [1, 2], "b": { "c": 3 } }), json!({ "a": [1, 5], "b": { "c": 3, "d": 4 } }));
        let mut found = Vec::new();
        differences(&before, &after, "", &mut found);
        assert_eq!(
            found,
            [json!({ "path": "/a/1", "before": 2, "after": 5 }), json!({ "path": "/b/d", "after": 4, "added": true })]
        );
    }
}
