//! [`Field`]: takes one value out of what is serialized, without a copy of the rest.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::value::Value;

type Failure = erased_serde::Error;

/// A field, an element or a variant on the way to a value.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) name: Box<str>,
    /// The name as the place in a list.
    pub(super) index: Option<usize>,
}

/// A serializer whose result is the value at the end of a path; [`Value::Missing`] if there is none.
#[derive(Clone, Copy)]
pub(super) struct Field<'p>(pub(super) &'p [Step]);

impl<'p> Field<'p> {
    fn leaf(self, value: Value) -> Result<Value, Failure> {
        Ok(if self.0.is_empty() { value } else { Value::Missing })
    }

    /// The parts of a list, a struct or a map.
    fn parts(self) -> Parts<'p> {
        Parts {
            path: Some(self.0),
            variant: None,
            found: Value::Missing,
            count: 0,
            whole: DefaultHasher::new(),
            id: [None; 2],
            is_wanted: false,
        }
    }

    /// The parts of a variant that holds several values.
    fn parts_of_variant(self, variant: &'static str) -> Parts<'p> {
        let path = match self.0.split_first() {
            None => Some(self.0),
            Some((first, behind)) => (*first.name == *variant).then_some(behind),
        };
        Parts { path, variant: Some(variant), ..self.parts() }
    }
}

impl<'p> Serializer for Field<'p> {
    type Ok = Value;
    type Error = Failure;
    type SerializeSeq = Parts<'p>;
    type SerializeTuple = Parts<'p>;
    type SerializeTupleStruct = Parts<'p>;
    type SerializeTupleVariant = Parts<'p>;
    type SerializeMap = Parts<'p>;
    type SerializeStruct = Parts<'p>;
    type SerializeStructVariant = Parts<'p>;

    fn serialize_bool(self, value: bool) -> Result<Value, Failure> {
        self.leaf(Value::Flag(value))
    }

    fn serialize_i8(self, value: i8) -> Result<Value, Failure> {
        self.leaf(Value::Number(value.into()))
    }

    fn serialize_i16(self, value: i16) -> Result<Value, Failure> {
        self.leaf(Value::Number(value.into()))
    }

    fn serialize_i32(self, value: i32) -> Result<Value, Failure> {
        self.leaf(Value::Number(value.into()))
    }

    fn serialize_i64(self, value: i64) -> Result<Value, Failure> {
        self.leaf(Value::Number(value as f64))
    }

    fn serialize_i128(self, value: i128) -> Result<Value, Failure> {
        self.leaf(Value::Number(value as f64))
    }

    fn serialize_u8(self, value: u8) -> Result<Value, Failure> {
        self.leaf(Value::Number(value.into()))
    }

    fn serialize_u16(self, value: u16) -> Result<Value, Failure> {
        self.leaf(Value::Number(value.into()))
    }

    fn serialize_u32(self, value: u32) -> Result<Value, Failure> {
        self.leaf(Value::Number(value.into()))
    }

    fn serialize_u64(self, value: u64) -> Result<Value, Failure> {
        self.leaf(Value::Number(value as f64))
    }

    fn serialize_u128(self, value: u128) -> Result<Value, Failure> {
        self.leaf(Value::Number(value as f64))
    }

    fn serialize_f32(self, value: f32) -> Result<Value, Failure> {
        self.leaf(Value::Number(value.into()))
    }

    fn serialize_f64(self, value: f64) -> Result<Value, Failure> {
        self.leaf(Value::Number(value))
    }

    fn serialize_char(self, value: char) -> Result<Value, Failure> {
        self.leaf(Value::Text(value.to_string().into()))
    }

    fn serialize_str(self, value: &str) -> Result<Value, Failure> {
        match self.0 {
            [] => Ok(Value::Text(value.into())),
            _ => Ok(Value::Missing),
        }
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Value, Failure> {
        let mut whole = DefaultHasher::new();
        value.hash(&mut whole);
        self.leaf(Value::Whole { name: None, hash: whole.finish() })
    }

    fn serialize_none(self) -> Result<Value, Failure> {
        Ok(Value::Missing)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Failure> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, Failure> {
        self.leaf(Value::Whole { name: None, hash: 0 })
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Value, Failure> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Value, Failure> {
        self.leaf(Value::Whole { name: Some(variant), hash: 0 })
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Value, Failure> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, Failure> {
        match self.0.split_first() {
            None => Ok(Value::Whole { name: Some(variant), hash: value.serialize(self)?.own_hash() }),
            Some((first, behind)) if *first.name == *variant => value.serialize(Self(behind)),
            Some(_) => Ok(Value::Missing),
        }
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'p>, Failure> {
        Ok(self.parts())
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'p>, Failure> {
        Ok(self.parts())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'p>, Failure> {
        Ok(self.parts())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'p>, Failure> {
        Ok(self.parts_of_variant(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'p>, Failure> {
        Ok(self.parts())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'p>, Failure> {
        Ok(self.parts())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'p>, Failure> {
        Ok(self.parts_of_variant(variant))
    }
}

/// The parts of a value, of which one is looked for.
pub(super) struct Parts<'p> {
    /// The path from here: the whole if it is empty; `None` if nothing here is on the way.
    path: Option<&'p [Step]>,
    variant: Option<&'static str>,
    found: Value,
    count: usize,
    whole: DefaultHasher,
    /// The index and the version, if these are the parts of an id of an entity.
    id: [Option<u32>; 2],
    /// The key before was that of the value that is looked for.
    is_wanted: bool,
}

impl Parts<'_> {
    fn part<T: Serialize + ?Sized>(&mut self, name: Option<&str>, value: &T) -> Result<(), Failure> {
        match self.path {
            None => {}
            Some([]) => {
                let part = value.serialize(Field(&[]))?;
                if let (Some(place), Value::Number(number)) =
                    (["idx", "version"].iter().position(|part| name == Some(part)), &part)
                {
                    self.id[place] = Some(*number as u32);
                }
                (name, part.own_hash()).hash(&mut self.whole);
            }
            Some([first, behind @ ..]) => {
                let is_it = name.map_or(first.index == Some(self.count), |name| *name == *first.name);
                if is_it {
                    self.found = value.serialize(Field(behind))?;
                }
            }
        }
        self.count += 1;
        Ok(())
    }

    fn result(self) -> Value {
        match (self.path, self.id) {
            (Some([]), [Some(index), Some(version)]) if self.count == 2 => Value::entity(index, version),
            (Some([]), _) => Value::Whole { name: self.variant, hash: self.whole.finish() },
            _ => self.found,
        }
    }
}

/// The traits of lists differ in a name only.
macro_rules! list {
    ($list:ident, $part:ident) => {
        impl $list for Parts<'_> {
            type Ok = Value;
            type Error = Failure;

            fn $part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
                self.part(None, value)
            }

            fn end(self) -> Result<Value, Failure> {
                Ok(self.result())
            }
        }
    };
}

list!(SerializeSeq, serialize_element);
list!(SerializeTuple, serialize_element);
list!(SerializeTupleStruct, serialize_field);
list!(SerializeTupleVariant, serialize_field);

/// Those of structs, too.
macro_rules! fields {
    ($fields:ident) => {
        impl $fields for Parts<'_> {
            type Ok = Value;
            type Error = Failure;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Failure> {
                self.part(Some(name), value)
            }

            fn end(self) -> Result<Value, Failure> {
                Ok(self.result())
            }
        }
    };
}

fields!(SerializeStruct);
fields!(SerializeStructVariant);

impl SerializeMap for Parts<'_> {
    type Ok = Value;
    type Error = Failure;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Failure> {
        let key = key.serialize(Field(&[]))?;
        match self.path {
            None => {}
            Some([]) => key.own_hash().hash(&mut self.whole),
            Some([first, ..]) => self.is_wanted = key.is_written(&first.name),
        }
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        match self.path {
            None => {}
            Some([]) => value.serialize(Field(&[]))?.own_hash().hash(&mut self.whole),
            Some([_, behind @ ..]) if self.is_wanted => self.found = value.serialize(Field(behind))?,
            Some(_) => {}
        }
        Ok(())
    }

    fn end(self) -> Result<Value, Failure> {
        Ok(self.result())
    }
}
