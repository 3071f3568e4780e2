//! Reading a text on top of values: fields that the text does not name keep the values that they had.
//!
//! Only structs are laid over each other, at any depth; any other value in the text replaces the whole one below. Values come
//! from the text by its own parser, so what is wrong in it is reported at its place, and as always.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde_json::{Map, Value};

/// Reads a `T` whose fields below are those of `base`.
pub(super) struct Over<'b, T> {
    base: &'b Value,
    result: std::marker::PhantomData<T>,
}

impl<'b, T> Over<'b, T> {
    pub(super) fn new(base: &'b Value) -> Self {
        Self { base, result: std::marker::PhantomData }
    }
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Over<'_, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, text: D) -> Result<T, D::Error> {
        T::deserialize(Layered { text, base: self.base })
    }
}

/// A value in the text that lies over one below.
struct Layered<'b, D> {
    text: D,
    base: &'b Value,
}

/// Everything but structs comes from the text alone.
macro_rules! from_the_text {
    ($($method:ident($($argument:ident: $type:ty),*);)+) => {
        $(fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.text.$method($($argument,)* visitor)
        })+
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Layered<'_, D> {
    type Error = D::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        match self.base {
            Value::Object(base) => self.text.deserialize_struct(name, fields, StructVisitor { base, visitor }),
            _ => self.text.deserialize_struct(name, fields, visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.text.deserialize_option(OptionVisitor { base: self.base, visitor })
    }

    from_the_text! {
        deserialize_any(); deserialize_bool(); deserialize_i8(); deserialize_i16(); deserialize_i32(); deserialize_i64();
        deserialize_u8(); deserialize_u16(); deserialize_u32(); deserialize_u64(); deserialize_f32(); deserialize_f64();
        deserialize_char(); deserialize_str(); deserialize_string(); deserialize_bytes(); deserialize_byte_buf();
        deserialize_unit(); deserialize_seq(); deserialize_map(); deserialize_identifier(); deserialize_ignored_any();
        deserialize_unit_struct(name: &'static str); deserialize_newtype_struct(name: &'static str);
        deserialize_tuple(length: usize); deserialize_tuple_struct(name: &'static str, length: usize);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
    }
}

/// What is there lies over what was there below.
struct OptionVisitor<'b, V> {
    base: &'b Value,
    visitor: V,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for OptionVisitor<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, text: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_some(Layered { text, base: self.base })
    }
}

struct StructVisitor<'b, V> {
    base: &'b Map<String, Value>,
    visitor: V,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for StructVisitor<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_map<M: MapAccess<'de>>(self, text: M) -> Result<V::Value, M::Error> {
        let fields = Fields { text, base: self.base, named: Vec::new(), below: self.base.iter(), next: None };
        self.visitor.visit_map(fields)
    }
}

/// The fields that the text names, then those below that it does not.
struct Fields<'b, M> {
    text: M,
    base: &'b Map<String, Value>,
    named: Vec<String>,
    below: serde_json::map::Iter<'b>,
    next: Option<Next<'b>>,
}

/// Whose value is asked for next.
enum Next<'b> {
    /// That of the text's field, over what is below it.
    OfText(Option<&'b Value>),
    Below(&'b Value),
}

impl<'de, M: MapAccess<'de>> MapAccess<'de> for Fields<'_, M> {
    type Error = M::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, M::Error> {
        if let Some(name) = self.text.next_key::<FieldName>()? {
            let key = seed.deserialize(StrDeserializer::<M::Error>::new(&name.0))?;
            self.next = Some(Next::OfText(self.base.get(&name.0)));
            self.named.push(name.0);
            return Ok(Some(key));
        }
        let named = &self.named;
        let Some((name, value)) = self.below.find(|(name, _)| !named.contains(name)) else { return Ok(None) };
        self.next = Some(Next::Below(value));
        seed.deserialize(StrDeserializer::<M::Error>::new(name)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, M::Error> {
        match self.next.take().expect("a value is asked for after its key") {
            Next::OfText(Some(base)) => self.text.next_value_seed(SeedOver { seed, base }),
            Next::OfText(None) => self.text.next_value_seed(seed),
            Next::Below(value) => seed.deserialize(value.clone()).map_err(M::Error::custom),
        }
    }
}

struct SeedOver<'b, T> {
    seed: T,
    base: &'b Value,
}

impl<'de, T: DeserializeSeed<'de>> DeserializeSeed<'de> for SeedOver<'_, T> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(self, text: D) -> Result<T::Value, D::Error> {
        self.seed.deserialize(Layered { text, base: self.base })
    }
}

/// The name of a field as it stands in the text.
struct FieldName(String);

impl<'de> Deserialize<'de> for FieldName {
    fn deserialize<D: Deserializer<'de>>(text: D) -> Result<Self, D::Error> {
        struct NameVisitor;
        impl Visitor<'_> for NameVisitor {
            type Value = FieldName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a field")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<FieldName, E> {
                Ok(FieldName(name.to_owned()))
            }
        }
        text.deserialize_identifier(NameVisitor)
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        number: f32,
        word: String,
        inner: Inner,
        perhaps: Option<Inner>,
        kind: Kind,
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        flag: bool,
        pair: (f32, u32),
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Kind {
        Plain,
        Sized { width: f32, height: f32 },
    }

    const INNER: Inner = Inner { flag: true, pair: (0.1, 7) };

    fn base() -> Outer {
        let kind = Kind::Sized { width: 0.3, height: 1.0 };
        Outer { number: 1.1, word: "below".to_owned(), inner: INNER, perhaps: Some(INNER), kind }
    }

    fn read(text: &str) -> Result<Outer, String> {
        let base = serde_json::to_value(base()).unwrap();
        let read = ron::Options::default().from_str_seed(text, Over::new(&base));
        read.map_err(|error| format!("{}: {}", error.span.start.col, error.code))
    }

    #[test]
    fn what_is_not_named_stays_bit_for_bit() {
        assert_eq!(read("()"), Ok(base()));
        assert_eq!(read("(word: \"above\")"), Ok(Outer { word: "above".to_owned(), ..base() }));
    }

    #[test]
    fn structs_are_laid_over_each_other_at_any_depth_and_all_else_replaces() {
        let flagless = Inner { flag: false, ..INNER };
        assert_eq!(read("(inner: (flag: false))"), Ok(Outer { inner: flagless.clone(), ..base() }));
        assert_eq!(read("(perhaps: Some((flag: false)))"), Ok(Outer { perhaps: Some(flagless), ..base() }));
        assert_eq!(read("(perhaps: None)"), Ok(Outer { perhaps: None, ..base() }));
        assert_eq!(read("(kind: Plain)"), Ok(Outer { kind: Kind::Plain, ..base() }));
        assert!(read("(kind: Sized(width: 2.0))").unwrap_err().contains("`height`"));
        assert!(read("(inner: (pair: (1.0)))").is_err());
    }

    #[test]
    fn mistakes_are_those_of_the_text_in_their_place() {
        assert!(read("(inner: (flog: false))").unwrap_err().starts_with("10: "));
        assert!(read("(number: 1, number: 2)").unwrap_err().contains("`number`"));
        assert!(read("(word: 3)").unwrap_err().starts_with("7: "));
    }
}
