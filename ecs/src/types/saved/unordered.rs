//! Refuses maps and sets without an order, whatever their size: their bytes would differ from run to run, and so would
//! a program that iterates them.

use std::any::type_name;

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::writer::Problem;

/// Refuses to iterate `I` if it has no order. Only the name of its type tells: serde writes a `HashSet` as it writes a
/// list.
#[inline(always)]
pub(super) fn check<I>() -> Result<(), Problem> {
    let name = type_name::<I>().trim_start_matches('&');
    if !name.starts_with("std::collections::hash::") && !name.starts_with("hashbrown::") {
        return Ok(());
    }
    match name.split('<').next() {
        Some(path) if path.ends_with("::HashMap") => Err(refused("Map")),
        Some(path) if path.ends_with("::HashSet") => Err(refused("Set")),
        _ => Ok(()),
    }
}

#[cold]
fn refused(kind: &str) -> Problem {
    Problem::custom(format_args!("it has a Hash{kind}, which has no order: take a BTree{kind}"))
}

/// Looks for a map or a set without an order in a value that is written as a text.
pub(super) fn find<T: Serialize>(value: &T) -> Result<(), Problem> {
    value.serialize(Search)
}

/// A serializer that writes nothing.
#[derive(Clone, Copy)]
struct Search;

macro_rules! leaves {
    ($($method:ident($($type:ty),*);)*) => {
        $(fn $method(self, $(_: $type),*) -> Result<(), Problem> {
            Ok(())
        })*
    };
}

impl Serializer for Search {
    type Ok = ();
    type Error = Problem;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    leaves! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_i128(i128);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_u128(u128);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Problem> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Result<(), Problem> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Problem> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Problem> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Problem> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Problem> {
        Ok(self)
    }

    fn serialize_tuple_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Self, Problem> {
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Problem> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Problem> {
        Ok(self)
    }

    fn serialize_struct_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Self, Problem> {
        Ok(self)
    }

    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, values: I) -> Result<(), Problem> {
        check::<I>()?;
        values.into_iter().try_for_each(|value| value.serialize(self))
    }

    fn collect_map<K: Serialize, V: Serialize, I: IntoIterator<Item = (K, V)>>(self, pairs: I) -> Result<(), Problem> {
        check::<I>()?;
        pairs.into_iter().try_for_each(|(key, value)| key.serialize(self).and_then(|()| value.serialize(self)))
    }
}

/// The parts of a list, a map or a struct.
macro_rules! parts {
    ($($trait:ident { $($method:ident($($name:ty)?);)* })*) => {
        $(impl $trait for Search {
            type Ok = ();
            type Error = Problem;

            $(fn $method<T: ?Sized + Serialize>(&mut self, $(_: $name,)? value: &T) -> Result<(), Problem> {
                value.serialize(*self)
            })*

            fn end(self) -> Result<(), Problem> {
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
    SerializeStruct { serialize_field(&'static str); }
    SerializeStructVariant { serialize_field(&'static str); }
}
