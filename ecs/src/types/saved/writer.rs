//! [`Writer`]: the serializer of postcard, which also refuses what its bytes cannot hold, in words: fields that are
//! left out, lists whose length is not known first, and collections without an order.

use std::fmt;

use serde::ser::{self, Serialize, Serializer};

use super::compact::Window;
use super::unordered;

/// Writes a value into a window.
pub(super) struct Writer<'a>(pub(super) postcard::Serializer<Window<'a>>);

/// Why a value is not written.
pub(super) struct Problem(Box<str>);

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

crate::sentence::impl_error!(Problem);

impl ser::Error for Problem {
    #[cold]
    fn custom<T: fmt::Display>(problem: T) -> Self {
        Self(problem.to_string().into())
    }
}

impl From<postcard::Error> for Problem {
    #[cold]
    fn from(error: postcard::Error) -> Self {
        ser::Error::custom(error)
    }
}

#[cold]
fn skipped(field: &str) -> Problem {
    ser::Error::custom(format_args!("field `{field}` is left out (skip_serializing_if), and bytes name no fields"))
}

#[cold]
fn unknown_length() -> Problem {
    ser::Error::custom("a map or a list is written before its length is known, as by `flatten`")
}

/// The length of a list or a map that is iterated, if it is known.
fn length_of(values: &impl Iterator) -> Option<usize> {
    let (least, most) = values.size_hint();
    most.filter(|most| *most == least)
}

type Written = Result<(), Problem>;

impl Writer<'_> {
    #[inline(always)]
    fn length(&mut self, length: Option<usize>) -> Written {
        let length = length.ok_or_else(unknown_length)?;
        Ok(self.0.serialize_u64(length as u64)?)
    }
}

/// Methods that write a value without others in it.
macro_rules! as_postcard {
    ($($method:ident($($name:ident: $type:ty),*);)*) => {
        $(#[inline(always)]
        fn $method(self, $($name: $type),*) -> Written {
            Ok(self.0.$method($($name),*)?)
        })*
    };
}

impl Serializer for &mut Writer<'_> {
    type Ok = ();
    type Error = Problem;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    as_postcard! {
        serialize_bool(value: bool);
        serialize_i8(value: i8);
        serialize_i16(value: i16);
        serialize_i32(value: i32);
        serialize_i64(value: i64);
        serialize_i128(value: i128);
        serialize_u8(value: u8);
        serialize_u16(value: u16);
        serialize_u32(value: u32);
        serialize_u64(value: u64);
        serialize_u128(value: u128);
        serialize_f32(value: f32);
        serialize_f64(value: f64);
        serialize_char(value: char);
        serialize_str(value: &str);
        serialize_bytes(value: &[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(name: &'static str);
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str);
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    #[inline(always)]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Written {
        self.0.serialize_u8(1)?;
        value.serialize(self)
    }

    #[inline(always)]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Written {
        value.serialize(self)
    }

    #[inline(always)]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Written {
        self.0.serialize_u32(index)?;
        value.serialize(self)
    }

    #[inline(always)]
    fn serialize_seq(self, length: Option<usize>) -> Result<Self, Problem> {
        self.length(length)?;
        Ok(self)
    }

    #[inline(always)]
    fn serialize_tuple(self, _: usize) -> Result<Self, Problem> {
        Ok(self)
    }

    #[inline(always)]
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Problem> {
        Ok(self)
    }

    #[inline(always)]
    fn serialize_tuple_variant(self, _: &'static str, index: u32, _: &'static str, _: usize) -> Result<Self, Problem> {
        self.0.serialize_u32(index)?;
        Ok(self)
    }

    #[inline(always)]
    fn serialize_map(self, length: Option<usize>) -> Result<Self, Problem> {
        self.length(length)?;
        Ok(self)
    }

    #[inline(always)]
    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, values: I) -> Written {
        unordered::check::<I>()?;
        let mut values = values.into_iter();
        self.length(length_of(&values))?;
        values.try_for_each(|value| value.serialize(&mut *self))
    }

    #[inline(always)]
    fn collect_map<K: Serialize, V: Serialize, I: IntoIterator<Item = (K, V)>>(self, pairs: I) -> Written {
        unordered::check::<I>()?;
        let mut pairs = pairs.into_iter();
        self.length(length_of(&pairs))?;
        pairs.try_for_each(|(key, value)| {
            key.serialize(&mut *self)?;
            value.serialize(&mut *self)
        })
    }

    #[inline(always)]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Problem> {
        Ok(self)
    }

    #[inline(always)]
    fn serialize_struct_variant(self, _: &'static str, index: u32, _: &'static str, _: usize) -> Result<Self, Problem> {
        self.0.serialize_u32(index)?;
        Ok(self)
    }
}

/// The parts of a list, a map or a struct, one after the other.
macro_rules! parts {
    ($($trait:ident { $($method:ident($($name:ident: $type:ty)?);)* } $([$skip:ident])?)*) => {
        $(impl ser::$trait for &mut Writer<'_> {
            type Ok = ();
            type Error = Problem;

            $(#[inline(always)]
            fn $method<T: ?Sized + Serialize>(&mut self, $($name: $type,)? value: &T) -> Written {
                value.serialize(&mut **self)
            })*

            $(fn $skip(&mut self, field: &'static str) -> Written {
                Err(skipped(field))
            })?

            #[inline(always)]
            fn end(self) -> Written {
                Ok(())
            }
        })*
    };
}

parts! {
    SerializeSeq { serialize_element(); }
    SerializeTuple { serialize_element(); }
    SerializeTupleStruct { serialize_field(); }
    SerializeTupleVariant { serialize_field(); }
    SerializeMap { serialize_key(); serialize_value(); }
    SerializeStruct { serialize_field(_field: &'static str); } [skip_field]
    SerializeStructVariant { serialize_field(_field: &'static str); } [skip_field]
}
