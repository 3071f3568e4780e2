//! Reads a value from several layers of text: each field of a struct comes from the topmost layer that has it.

use std::fmt;

use ron::error::Error as RonError;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Error as _, Expected, MapAccess, Unexpected, Visitor,
};

use super::error::value_problem;
use super::ron_text::{Location, Span};
use crate::error::PrefabError;
use crate::panic::told;
use crate::type_map::short_name;

/// Reads a value from its layers, the lowest first. Also returns the merged text: equal texts give equal values.
///
/// `name` is how errors call the value: the name of a component, or empty for all of a file.
pub(super) fn read_layers<T: DeserializeOwned>(name: &str, layers: Vec<Span<'_>>) -> Result<(T, String), PrefabError> {
    let top = layers.last().map(|top| top.at());
    let mut resolved = String::new();
    let code = format_args!("the `Deserialize` of {} panicked", short_name::<T>());
    match told(code, || T::deserialize(Layered { layers, resolved: &mut resolved })) {
        Err(problem) => Err(match top {
            Some(top) => top.error(problem),
            None => PrefabError::new(problem),
        }),
        Ok(Ok(value)) => Ok((value, resolved)),
        Ok(Err(error)) => {
            let location = error.at.or(top).expect("a component is given by at least one layer");
            let path = [name].into_iter().filter(|name| !name.is_empty()).chain(error.path.iter().rev().copied());
            let path = path.collect::<Vec<_>>().join(".");
            let subject = if path.is_empty() { "the file".to_owned() } else { format!("`{path}`") };
            Err(location.error_of(&error.code, format!("{subject} {}", value_problem(&error.code))))
        }
    }
}

/// An error of a value, with the path of its field.
struct ValueError {
    code: Box<RonError>,
    at: Option<Location>,
    /// Names of fields, the innermost first.
    path: Vec<&'static str>,
}

impl ValueError {
    fn at(self, location: impl FnOnce() -> Location) -> Self {
        Self { at: self.at.or_else(|| Some(location())), ..self }
    }

    fn within(mut self, field: &'static str) -> Self {
        self.path.push(field);
        self
    }
}

impl From<RonError> for ValueError {
    fn from(code: RonError) -> Self {
        Self { code: Box::new(code), at: None, path: Vec::new() }
    }
}

impl From<(RonError, Location)> for ValueError {
    fn from((code, location): (RonError, Location)) -> Self {
        Self { code: Box::new(code), at: Some(location), path: Vec::new() }
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.code.fmt(f)
    }
}

crate::sentence::impl_error!(ValueError);

impl de::Error for ValueError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        RonError::custom(message).into()
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        RonError::invalid_type(unexpected, expected).into()
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        RonError::invalid_value(unexpected, expected).into()
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        RonError::invalid_length(length, expected).into()
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        RonError::unknown_variant(variant, expected).into()
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        RonError::unknown_field(field, expected).into()
    }

    fn missing_field(field: &'static str) -> Self {
        RonError::missing_field(field).into()
    }

    fn duplicate_field(field: &'static str) -> Self {
        RonError::duplicate_field(field).into()
    }
}

/// A value in at least one layer, the lowest first.
struct Layered<'de, 'r> {
    layers: Vec<Span<'de>>,
    resolved: &'r mut String,
}

impl<'de> Layered<'de, '_> {
    fn top(&self) -> Span<'de> {
        *self.layers.last().expect("a value is given by at least one layer")
    }

    /// Reads only the topmost layer.
    fn whole<T>(self, read: impl FnOnce(&mut ron::Deserializer<'de>) -> Result<T, RonError>) -> Result<T, ValueError> {
        let top = self.top();
        self.resolved.push_str(top.text);
        top.read_with(read).map_err(ValueError::from)
    }

    /// Reads the topmost layer, which must be one token; otherwise the error is `expected`.
    fn scalar<T>(
        self,
        expected: RonError,
        read: impl FnOnce(&mut ron::Deserializer<'de>) -> Result<T, RonError>,
    ) -> Result<T, ValueError> {
        let top = self.top();
        self.whole(read).map_err(|error| {
            let code = if *error.code == RonError::TrailingCharacters { expected } else { *error.code };
            let is_word =
                top.text.chars().all(|c| c.is_alphanumeric() || c == '_') && top.text.starts_with(char::is_alphabetic);
            let instead_of = |wanted: &str| RonError::InvalidValueForType {
                expected: wanted.to_owned(),
                found: format!("`{}`", top.text),
            };
            let code = match code {
                RonError::ExpectedBoolean if is_word => instead_of("true or false"),
                RonError::ExpectedString if is_word => instead_of("a text in quotes"),
                code => code,
            };
            ValueError::from((code, top.at()))
        })
    }

    /// Reads a whole number of type `T`; `range` says which numbers fit into it.
    fn integer<T>(
        self,
        range: fn() -> String,
        read: impl FnOnce(&mut ron::Deserializer<'de>) -> Result<T, RonError>,
    ) -> Result<T, ValueError> {
        let found = self.top().text;
        self.scalar(RonError::ExpectedInteger, read).map_err(|mut error| {
            if *error.code == RonError::IntegerOutOfBounds {
                *error.code = RonError::InvalidValueForType { expected: range(), found: found.to_owned() };
            }
            error
        })
    }

    /// The fields of all layers, in order of first appearance, each with its layers.
    fn merged(
        &self,
        struct_name: &'static str,
        known: &'static [&'static str],
    ) -> Result<Vec<(&'static str, Vec<Span<'de>>)>, ValueError> {
        let mut merged: Vec<(&'static str, Vec<Span<'de>>)> = Vec::new();
        for layer in &self.layers {
            let mut met = Vec::new();
            for (name, value) in layer.fields(struct_name)? {
                let field = known.iter().copied().find(|field| *field == name.text);
                let field = field.ok_or_else(|| (RonError::unknown_field(name.text, known), name.at()))?;
                if met.contains(&field) {
                    return Err((RonError::duplicate_field(field), name.at()).into());
                }
                met.push(field);
                match merged.iter_mut().find(|(other, _)| *other == field) {
                    Some((_, layers)) => layers.push(value),
                    None => merged.push((field, vec![value])),
                }
            }
        }
        Ok(merged)
    }
}

/// Structs of the standard library that RON writes as `1..2`.
const RANGES: [&str; 6] = ["Range", "RangeInclusive", "RangeFrom", "RangeTo", "RangeToInclusive", "RangeFull"];

macro_rules! scalars {
    ($($expected:ident: $($method:ident)*;)*) => {
        $($(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
            self.scalar(RonError::$expected, |text| text.$method(visitor))
        })*)*
    };
}

macro_rules! integers {
    ($($method:ident: $type:ty;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
            let range = || format!("a whole number from {} to {}", <$type>::MIN, <$type>::MAX);
            self.integer(range, |text| text.$method(visitor))
        })*
    };
}

macro_rules! whole {
    ($($method:ident($($argument:ident: $type:ty),*))*) => {
        $(fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, ValueError> {
            self.whole(|text| text.$method($($argument,)* visitor))
        })*
    };
}

impl<'de> Deserializer<'de> for Layered<'de, '_> {
    type Error = ValueError;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        if RANGES.contains(&name) {
            return self.whole(|text| text.deserialize_struct(name, fields, visitor));
        }
        let left = self.merged(name, fields)?.into_iter();
        let top = self.top();
        self.resolved.push('(');
        let value = visitor.visit_map(Fields { left, next: None, resolved: &mut *self.resolved, separator: "" });
        self.resolved.push(')');
        value.map_err(|error: ValueError| error.at(|| top.at()))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, ValueError> {
        self.scalar(RonError::ExpectedUnit, |text| {
            text.deserialize_unit_struct(name, visitor).map_err(|code| match code {
                RonError::ExpectedNamedStructLike(_) => RonError::ExpectedUnit,
                code => code,
            })
        })
    }

    scalars! {
        ExpectedBoolean: deserialize_bool;
        ExpectedFloat: deserialize_f32 deserialize_f64;
        ExpectedChar: deserialize_char;
        ExpectedString: deserialize_str deserialize_string;
        ExpectedUnit: deserialize_unit;
    }

    integers! {
        deserialize_i8: i8; deserialize_i16: i16; deserialize_i32: i32; deserialize_i64: i64; deserialize_i128: i128;
        deserialize_u8: u8; deserialize_u16: u16; deserialize_u32: u32; deserialize_u64: u64; deserialize_u128: u128;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        let mut layers = Vec::new();
        for layer in self.layers {
            match layer.option()? {
                Some(value) => layers.push(value),
                None => layers.clear(),
            }
        }
        let Some(top) = layers.last().copied() else {
            self.resolved.push_str("None");
            return visitor.visit_none();
        };
        self.resolved.push_str("Some(");
        let value = visitor.visit_some(Layered { layers, resolved: &mut *self.resolved });
        self.resolved.push(')');
        value.map_err(|error| match top.text.to_lowercase().as_str() {
            "none" | "null" | "nil" => {
                let (expected, found) = ("`None` or a value".to_owned(), format!("`{}`", top.text));
                (RonError::InvalidValueForType { expected, found }, top.at()).into()
            }
            _ => error.at(|| top.at()),
        })
    }

    whole! {
        deserialize_any() deserialize_bytes() deserialize_byte_buf()
        deserialize_seq() deserialize_map() deserialize_identifier() deserialize_ignored_any()
        deserialize_newtype_struct(name: &'static str)
        deserialize_tuple(len: usize)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }
}

/// The fields of a struct in layers.
struct Fields<'de, 'r> {
    left: std::vec::IntoIter<(&'static str, Vec<Span<'de>>)>,
    next: Option<(&'static str, Vec<Span<'de>>)>,
    resolved: &'r mut String,
    /// The text before the next field.
    separator: &'static str,
}

impl<'de> MapAccess<'de> for Fields<'de, '_> {
    type Error = ValueError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ValueError> {
        self.next = self.left.next();
        let Some((field, _)) = self.next else { return Ok(None) };
        seed.deserialize(BorrowedStrDeserializer::new(field)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, ValueError> {
        let (field, layers) = self.next.take().expect("a value is asked for after its name");
        self.resolved.extend([std::mem::replace(&mut self.separator, ", "), field, ": "]);
        let layered = Layered { layers, resolved: &mut *self.resolved };
        let top = layered.top();
        seed.deserialize(layered).map_err(|error| error.at(|| top.at()).within(field))
    }
}
