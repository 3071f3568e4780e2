//! Types that are generated: a shape tells how values are written and read, with any of serde's kinds of values and
//! attributes of fields.

use std::cell::RefCell;
use std::fmt;

use proptest::prelude::*;
use serde::de::{self, DeserializeSeed, EnumAccess, IgnoredAny, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::ser::{self, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::is_saved_exactly;

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

#[derive(Clone, Debug)]
enum Shape {
    Bool,
    Byte,
    Signed,
    Wide,
    Float,
    Letter,
    Text,
    Bytes,
    Unit,
    Optional(Box<Shape>),
    List(Box<Shape>),
    Map(Box<Shape>),
    Tuple(Vec<Shape>),
    Newtype(Box<Shape>),
    Fields(Vec<(Attribute, Shape)>),
    /// As [`Shape::Fields`], but written as a map of unknown length and read as one, as with `flatten`.
    Flat(Vec<Shape>),
    Variants(Vec<Shape>),
    /// The first that can be read.
    Untagged(Box<Shape>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Attribute {
    None,
    /// `default, skip_serializing_if`: the default is not written.
    SkippedIfDefault,
    /// `skip_deserializing`
    NotRead,
    /// `skip_serializing` and `default`
    NotWritten,
    /// `skip`
    Skipped,
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Bool(bool),
    Byte(u8),
    Signed(i32),
    Wide(u64),
    Float(f32),
    Letter(char),
    Text(String),
    Bytes(Vec<u8>),
    Unit,
    Optional(Option<Box<Value>>),
    /// The values of a list, a map with keys `0..`, a tuple, or fields.
    Many(Vec<Value>),
    One(Box<Value>),
    Variant(u32, Box<Value>),
}

impl Shape {
    fn default_value(&self) -> Value {
        let one = |shape: &Self| Box::new(shape.default_value());
        match self {
            Self::Bool => Value::Bool(false),
            Self::Byte => Value::Byte(0),
            Self::Signed => Value::Signed(0),
            Self::Wide => Value::Wide(0),
            Self::Float => Value::Float(0.0),
            Self::Letter => Value::Letter('a'),
            Self::Text => Value::Text(String::new()),
            Self::Bytes => Value::Bytes(Vec::new()),
            Self::Unit => Value::Unit,
            Self::Optional(_) => Value::Optional(None),
            Self::List(_) | Self::Map(_) => Value::Many(Vec::new()),
            Self::Tuple(shapes) | Self::Flat(shapes) => Value::Many(shapes.iter().map(Self::default_value).collect()),
            Self::Fields(fields) => Value::Many(fields.iter().map(|(_, shape)| shape.default_value()).collect()),
            Self::Newtype(shape) | Self::Untagged(shape) => Value::One(one(shape)),
            Self::Variants(shapes) => Value::Variant(0, one(&shapes[0])),
        }
    }
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let leaf = prop::sample::select(vec![
        Shape::Bool,
        Shape::Byte,
        Shape::Signed,
        Shape::Wide,
        Shape::Float,
        Shape::Letter,
        Shape::Text,
        Shape::Bytes,
        Shape::Unit,
    ]);
    let attribute = || {
        prop_oneof![
            12 => Just(Attribute::None),
            1 => Just(Attribute::SkippedIfDefault),
            1 => Just(Attribute::NotRead),
            1 => Just(Attribute::NotWritten),
            1 => Just(Attribute::Skipped),
        ]
    };
    leaf.prop_recursive(3, 12, 4, move |inner| {
        let one = || inner.clone().prop_map(Box::new);
        let some = || prop::collection::vec(inner.clone(), 1..5);
        prop_oneof![
            2 => one().prop_map(Shape::Optional),
            2 => one().prop_map(Shape::List),
            1 => one().prop_map(Shape::Map),
            2 => some().prop_map(Shape::Tuple),
            1 => one().prop_map(Shape::Newtype),
            6 => prop::collection::vec((attribute(), inner.clone()), 1..6).prop_map(Shape::Fields),
            1 => some().prop_map(Shape::Flat),
            2 => some().prop_map(Shape::Variants),
            1 => one().prop_map(Shape::Untagged),
        ]
    })
}

fn any_value(shape: &Shape) -> BoxedStrategy<Value> {
    let many = |shapes: Vec<&Shape>| shapes.into_iter().map(any_value).collect::<Vec<_>>().prop_map(Value::Many);
    let all: BoxedStrategy<Value> = match shape {
        Shape::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        Shape::Byte => any::<u8>().prop_map(Value::Byte).boxed(),
        Shape::Signed => any::<i32>().prop_map(Value::Signed).boxed(),
        Shape::Wide => any::<u64>().prop_map(Value::Wide).boxed(),
        Shape::Float => any::<f32>().prop_map(Value::Float).boxed(),
        Shape::Letter => any::<char>().prop_map(Value::Letter).boxed(),
        Shape::Text => ".{0,9}".prop_map(Value::Text).boxed(),
        Shape::Bytes => prop::collection::vec(any::<u8>(), 0..9).prop_map(Value::Bytes).boxed(),
        Shape::Unit => Just(Value::Unit).boxed(),
        Shape::Optional(shape) => {
            prop::option::of(any_value(shape)).prop_map(|value| Value::Optional(value.map(Box::new))).boxed()
        }
        Shape::List(shape) | Shape::Map(shape) => {
            prop::collection::vec(any_value(shape), 0..3).prop_map(Value::Many).boxed()
        }
        Shape::Tuple(shapes) | Shape::Flat(shapes) => many(shapes.iter().collect()).boxed(),
        Shape::Fields(fields) => many(fields.iter().map(|(_, shape)| shape).collect()).boxed(),
        Shape::Newtype(shape) | Shape::Untagged(shape) => {
            any_value(shape).prop_map(|value| Value::One(Box::new(value))).boxed()
        }
        Shape::Variants(shapes) => {
            let variants = shapes.iter().enumerate().map(|(index, shape)| {
                any_value(shape).prop_map(move |value| Value::Variant(index as u32, Box::new(value))).boxed()
            });
            prop::strategy::Union::new(variants).boxed()
        }
    };
    prop_oneof![1 => Just(shape.default_value()), 3 => all].boxed()
}

/// Writes a value by its shape.
struct Shaped<'a>(&'a Shape, &'a Value);

impl Serialize for Shaped<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match (self.0, self.1) {
            (_, Value::Bool(value)) => to.serialize_bool(*value),
            (_, Value::Byte(value)) => to.serialize_u8(*value),
            (_, Value::Signed(value)) => to.serialize_i32(*value),
            (_, Value::Wide(value)) => to.serialize_u64(*value),
            (_, Value::Float(value)) => to.serialize_f32(*value),
            (_, Value::Letter(value)) => to.serialize_char(*value),
            (_, Value::Text(value)) => to.serialize_str(value),
            (_, Value::Bytes(value)) => to.serialize_bytes(value),
            (_, Value::Unit) => to.serialize_unit(),
            (_, Value::Optional(None)) => to.serialize_none(),
            (Shape::Optional(shape), Value::Optional(Some(value))) => to.serialize_some(&Shaped(shape, value)),
            (Shape::List(shape), Value::Many(values)) => {
                let mut list = to.serialize_seq(Some(values.len()))?;
                values.iter().try_for_each(|value| list.serialize_element(&Shaped(shape, value)))?;
                list.end()
            }
            (Shape::Map(shape), Value::Many(values)) => {
                let mut map = to.serialize_map(Some(values.len()))?;
                let mut entries = values.iter().enumerate();
                entries.try_for_each(|(key, value)| map.serialize_entry(&(key as u32), &Shaped(shape, value)))?;
                map.end()
            }
            (Shape::Tuple(shapes), Value::Many(values)) => {
                let mut tuple = to.serialize_tuple(values.len())?;
                let mut both = shapes.iter().zip(values);
                both.try_for_each(|(shape, value)| tuple.serialize_element(&Shaped(shape, value)))?;
                tuple.end()
            }
            (Shape::Flat(shapes), Value::Many(values)) => {
                let mut map = to.serialize_map(None)?;
                let mut both = NAMES.iter().zip(shapes.iter().zip(values));
                both.try_for_each(|(name, (shape, value))| map.serialize_entry(name, &Shaped(shape, value)))?;
                map.end()
            }
            (Shape::Fields(fields), Value::Many(values)) => {
                let is_written = |((attribute, shape), value): &(&(Attribute, Shape), &Value)| match attribute {
                    Attribute::None | Attribute::NotRead => true,
                    Attribute::SkippedIfDefault => **value != shape.default_value(),
                    Attribute::NotWritten | Attribute::Skipped => false,
                };
                let count = fields.iter().zip(values).filter(is_written).count();
                let mut all = to.serialize_struct("Fields", count)?;
                for (name, both) in NAMES.iter().zip(fields.iter().zip(values)) {
                    match is_written(&both) {
                        true => all.serialize_field(name, &Shaped(&both.0.1, both.1))?,
                        // As the derive does.
                        false if both.0.0 == Attribute::SkippedIfDefault => all.skip_field(name)?,
                        false => {}
                    }
                }
                all.end()
            }
            (Shape::Newtype(shape), Value::One(value)) => to.serialize_newtype_struct("Newtype", &Shaped(shape, value)),
            (Shape::Untagged(shape), Value::One(value)) => Shaped(shape, value).serialize(to),
            (Shape::Variants(shapes), Value::Variant(index, value)) => {
                let shaped = Shaped(&shapes[*index as usize], value);
                to.serialize_newtype_variant("Variants", *index, NAMES[*index as usize], &shaped)
            }
            // What an untagged shape was read as.
            (shape, value) => Err(ser::Error::custom(format_args!("{value:?} has not the shape {shape:?}"))),
        }
    }
}

/// Reads a value by its shape.
#[derive(Clone, Copy)]
struct Read<'a>(&'a Shape);

impl<'de> DeserializeSeed<'de> for Read<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        match self.0 {
            Shape::Bool => from.deserialize_bool(self),
            Shape::Byte => from.deserialize_u8(self),
            Shape::Signed => from.deserialize_i32(self),
            Shape::Wide => from.deserialize_u64(self),
            Shape::Float => from.deserialize_f32(self),
            Shape::Letter => from.deserialize_char(self),
            Shape::Text => from.deserialize_string(self),
            Shape::Bytes => from.deserialize_byte_buf(self),
            Shape::Unit => from.deserialize_unit(self),
            Shape::Optional(_) => from.deserialize_option(self),
            Shape::List(_) => from.deserialize_seq(self),
            Shape::Map(_) | Shape::Flat(_) => from.deserialize_map(self),
            Shape::Tuple(shapes) => from.deserialize_tuple(shapes.len(), self),
            Shape::Newtype(_) => from.deserialize_newtype_struct("Newtype", self),
            Shape::Fields(fields) => {
                let read = NAMES.iter().zip(fields).filter(|(_, (attribute, _))| is_read(*attribute));
                let names: Vec<&'static str> = read.map(|(name, _)| *name).collect();
                from.deserialize_struct("Fields", names.leak(), self)
            }
            Shape::Variants(shapes) => from.deserialize_enum("Variants", &NAMES[..shapes.len()], self),
            Shape::Untagged(_) => from.deserialize_any(self),
        }
    }
}

fn is_read(attribute: Attribute) -> bool {
    !matches!(attribute, Attribute::NotRead | Attribute::Skipped)
}

impl Read<'_> {
    fn fields(self) -> Vec<(Attribute, Shape)> {
        match self.0 {
            Shape::Fields(fields) => fields.clone(),
            Shape::Flat(shapes) => shapes.iter().map(|shape| (Attribute::None, shape.clone())).collect(),
            _ => Vec::new(),
        }
    }

    /// What an untagged value is made of.
    fn plain(self, value: Value) -> Value {
        match self.0 {
            Shape::Untagged(_) => Value::One(Box::new(value)),
            _ => value,
        }
    }
}

macro_rules! visit {
    ($($method:ident($type:ty) => $value:expr;)*) => {
        $(fn $method<E: de::Error>(self, value: $type) -> Result<Value, E> {
            Ok(self.plain($value(value)))
        })*
    };
}

impl<'de> Visitor<'de> for Read<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }

    visit! {
        visit_bool(bool) => Value::Bool;
        visit_u8(u8) => Value::Byte;
        visit_i32(i32) => Value::Signed;
        visit_u64(u64) => Value::Wide;
        visit_f32(f32) => Value::Float;
        visit_char(char) => Value::Letter;
        visit_string(String) => Value::Text;
        visit_str(&str) => |text: &str| Value::Text(text.to_owned());
        visit_byte_buf(Vec<u8>) => Value::Bytes;
        visit_bytes(&[u8]) => |bytes: &[u8]| Value::Bytes(bytes.to_vec());
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(self.plain(Value::Unit))
    }

    fn visit_none<E: de::Error>(self) -> Result<Value, E> {
        Ok(self.plain(Value::Optional(None)))
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        match self.0 {
            Shape::Optional(shape) => Ok(Value::Optional(Some(Box::new(Read(shape).deserialize(from)?)))),
            _ => Err(de::Error::custom("unexpected option")),
        }
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        match self.0 {
            Shape::Newtype(shape) => Ok(Value::One(Box::new(Read(shape).deserialize(from)?))),
            _ => Err(de::Error::custom("unexpected newtype")),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        match self.0 {
            Shape::List(shape) => {
                while let Some(value) = list.next_element_seed(Read(shape))? {
                    values.push(value);
                    // Bytes that are read in another order than they were written may tell any length, and units take
                    // no bytes.
                    if values.len() > 100 {
                        return Err(de::Error::custom("too long"));
                    }
                }
            }
            Shape::Tuple(shapes) => {
                for shape in shapes {
                    values.push(list.next_element_seed(Read(shape))?.ok_or_else(|| de::Error::custom("too short"))?);
                }
            }
            _ => {
                for (attribute, shape) in self.fields() {
                    let read = if is_read(attribute) { list.next_element_seed(Read(&shape))? } else { None };
                    values.push(match read {
                        Some(value) => value,
                        None if attribute != Attribute::None => shape.default_value(),
                        None => return Err(de::Error::custom("a field is missing")),
                    });
                }
            }
        }
        Ok(Value::Many(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        if let Shape::Map(shape) = self.0 {
            let mut values = Vec::new();
            while let Some(key) = map.next_key::<u32>()? {
                if key as usize != values.len() {
                    return Err(de::Error::custom("unexpected key"));
                }
                values.push(map.next_value_seed(Read(shape))?);
            }
            return Ok(Value::Many(values));
        }
        let fields = self.fields();
        let mut values: Vec<Option<Value>> = vec![None; fields.len()];
        while let Some(key) = map.next_key::<String>()? {
            match NAMES[..fields.len()].iter().position(|name| *name == key) {
                Some(place) if is_read(fields[place].0) => {
                    values[place] = Some(map.next_value_seed(Read(&fields[place].1))?);
                }
                _ => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        let values = values.into_iter().zip(fields).map(|(value, (attribute, shape))| match value {
            Some(value) => Ok(value),
            None if attribute != Attribute::None => Ok(shape.default_value()),
            None => Err(de::Error::custom("a field is missing")),
        });
        Ok(Value::Many(values.collect::<Result<_, _>>()?))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, from: A) -> Result<Value, A::Error> {
        let Shape::Variants(shapes) = self.0 else { return Err(de::Error::custom("unexpected enum")) };
        let (index, variant) = from.variant_seed(Index)?;
        let shape = shapes.get(index as usize).ok_or_else(|| de::Error::custom("unknown variant"))?;
        Ok(Value::Variant(index, Box::new(variant.newtype_variant_seed(Read(shape))?)))
    }
}

/// Reads the index of a variant, from the index or the name.
struct Index;

impl<'de> DeserializeSeed<'de> for Index {
    type Value = u32;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<u32, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Index {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a variant")
    }

    fn visit_u32<E: de::Error>(self, index: u32) -> Result<u32, E> {
        Ok(index)
    }

    fn visit_u64<E: de::Error>(self, index: u64) -> Result<u32, E> {
        Ok(index as u32)
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<u32, E> {
        NAMES.iter().position(|known| *known == name).map(|at| at as u32).ok_or_else(|| E::custom("unknown name"))
    }
}

thread_local! {
    /// The shape of all values that are read: reading is told nothing but the type.
    static SHAPE: RefCell<Shape> = const { RefCell::new(Shape::Unit) };
}

/// A value of the shape of the thread.
#[derive(Clone, Debug, PartialEq)]
struct Grown(Value);

impl Serialize for Grown {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        SHAPE.with_borrow(|shape| Shaped(shape, &self.0).serialize(to))
    }
}

impl<'de> Deserialize<'de> for Grown {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        SHAPE.with_borrow(|shape| Read(shape).deserialize(from).map(Self))
    }
}

fn is_plain(shape: &Shape) -> bool {
    match shape {
        Shape::Flat(_) | Shape::Untagged(_) => false,
        Shape::Optional(shape) | Shape::List(shape) | Shape::Map(shape) | Shape::Newtype(shape) => is_plain(shape),
        Shape::Tuple(shapes) | Shape::Variants(shapes) => shapes.iter().all(is_plain),
        Shape::Fields(fields) => {
            fields.iter().all(|(attribute, shape)| *attribute == Attribute::None && is_plain(shape))
        }
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn generated_type_is_refused_or_loaded_exactly(
        (shape, value) in any_shape().prop_flat_map(|shape| { let value = any_value(&shape); (Just(shape), value) }),
    ) {
        SHAPE.set(shape.clone());
        let is_saved = is_saved_exactly(&Grown(value));
        prop_assert!(is_saved || !is_plain(&shape), "a type without attributes is saved");
    }
}
