//! [`Walker`]: the values without parts within a serialized value, each with its path.

use std::fmt;

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use slotmap::{Key, KeyData};

use super::inspected::DEBUG_TEXT;
use crate::entity::EntityId;

type Failure = erased_serde::Error;

/// A value without parts.
#[derive(Clone, Debug)]
pub(crate) enum Leaf {
    /// An empty option, or the id of no entity.
    None,
    Flag(bool),
    Integer(i128),
    Single(f32),
    Double(f64),
    Text(Box<str>),
    /// What `Debug` wrote of a value whose fields are unknown.
    Debug(Box<str>),
    Entity(EntityId),
    /// The name of a variant, whose values have leaves of their own.
    Variant(&'static str),
    Bytes(Box<[u8]>),
    /// A struct, a list or a map without parts.
    Empty,
}

/// Numbers are compared by their bits.
impl PartialEq for Leaf {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) | (Self::Empty, Self::Empty) => true,
            (Self::Flag(one), Self::Flag(other)) => one == other,
            (Self::Integer(one), Self::Integer(other)) => one == other,
            (Self::Single(one), Self::Single(other)) => one.to_bits() == other.to_bits(),
            (Self::Double(one), Self::Double(other)) => one.to_bits() == other.to_bits(),
            (Self::Text(one), Self::Text(other)) | (Self::Debug(one), Self::Debug(other)) => one == other,
            (Self::Entity(one), Self::Entity(other)) => one == other,
            (Self::Variant(one), Self::Variant(other)) => one == other,
            (Self::Bytes(one), Self::Bytes(other)) => one == other,
            _ => false,
        }
    }
}

impl Leaf {
    /// Whether it is the same value, also where numbers are of different types.
    pub(crate) fn is_as(&self, other: &Self) -> bool {
        let number = |leaf: &Self| match leaf {
            Self::Integer(number) => Some(*number as f64),
            Self::Single(number) => Some(f64::from(*number)),
            Self::Double(number) => Some(*number),
            _ => None,
        };
        match (self, other) {
            (Self::Integer(one), Self::Integer(other)) => one == other,
            (Self::Single(one), Self::Double(other)) | (Self::Double(other), Self::Single(one)) => {
                *one == *other as f32
            }
            _ => match (number(self), number(other)) {
                (Some(one), Some(other)) => one.to_bits() == other.to_bits(),
                _ => self == other,
            },
        }
    }

    /// Whether two places that have it are likely to have it from one another: not a flag, and no number that any
    /// place may have.
    pub(crate) fn is_distinctive(&self) -> bool {
        match self {
            Self::Integer(number) => !(-1..=10).contains(number),
            Self::Single(number) => number.is_finite() && ![0.0, 0.5, 1.0].contains(&number.abs()),
            Self::Double(number) => number.is_finite() && ![0.0, 0.5, 1.0].contains(&number.abs()),
            Self::Text(text) => !text.is_empty(),
            Self::Entity(_) => true,
            Self::None | Self::Flag(_) | Self::Debug(_) | Self::Variant(_) | Self::Bytes(_) | Self::Empty => false,
        }
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Flag(flag) => flag.fmt(f),
            Self::Integer(number) => number.fmt(f),
            Self::Single(number) => number.fmt(f),
            Self::Double(number) => number.fmt(f),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Debug(text) => f.write_str(text),
            Self::Entity(entity) => entity.fmt(f),
            Self::Variant(name) => f.write_str(name),
            Self::Bytes(bytes) => write!(f, "{} bytes", bytes.len()),
            Self::Empty => f.write_str("no parts"),
        }
    }
}

/// A name in a path, in backquotes unless it is a word.
pub(crate) fn in_path(name: &str) -> String {
    let is_word = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if is_word { name.to_owned() } else { format!("`{name}`") }
}

/// A serializer that passes on the leaves of a value, or of the part of it at the end of a path.
pub(crate) struct Walker<'a> {
    /// The fields, elements and variants on the way to the part.
    wanted: &'a [Box<str>],
    /// How many of them were passed.
    depth: usize,
    /// The path of the present part.
    at: String,
    leaf: &'a mut dyn FnMut(&str, Leaf),
    /// The fields of the struct that lacks the next one of `wanted`, and how many were passed.
    lacks: Option<(usize, Vec<&'static str>)>,
}

impl<'a> Walker<'a> {
    pub(crate) fn new(wanted: &'a [Box<str>], leaf: &'a mut dyn FnMut(&str, Leaf)) -> Self {
        Self { wanted, depth: 0, at: String::new(), leaf, lacks: None }
    }

    /// The fields of the struct that has no field as the path asks for, and the place of that field in the path.
    pub(crate) fn lacks(self) -> Option<(usize, Vec<&'static str>)> {
        self.lacks
    }

    fn is_there(&self) -> bool {
        self.depth == self.wanted.len()
    }

    fn leaf(&mut self, leaf: Leaf) -> Result<(), Failure> {
        if self.is_there() {
            (self.leaf)(&self.at, leaf);
        }
        Ok(())
    }

    /// Enters a part, if it is wanted; returns what [`Walker::leave`] takes.
    fn enter(&mut self, name: &str) -> Option<(usize, usize)> {
        let before = (self.depth, self.at.len());
        if !self.is_there() {
            if *self.wanted[self.depth] != *name {
                return None;
            }
            self.depth += 1;
        }
        if !self.at.is_empty() {
            self.at.push('.');
        }
        self.at.push_str(&in_path(name));
        Some(before)
    }

    fn leave(&mut self, (depth, length): (usize, usize)) {
        self.depth = depth;
        self.at.truncate(length);
    }

    /// Whether the part of this name is wanted; it was walked through then.
    fn part<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<bool, Failure> {
        let Some(before) = self.enter(name) else { return Ok(false) };
        let walked = value.serialize(&mut *self);
        self.leave(before);
        walked.map(|()| true)
    }

    fn parts<'w>(&'w mut self) -> Parts<'w, 'a> {
        Parts {
            walker: self,
            count: 0,
            key: String::new(),
            fields: Vec::new(),
            is_found: false,
            index: None,
            variant: None,
        }
    }

    fn parts_of_variant<'w>(&'w mut self, variant: &'static str) -> Parts<'w, 'a> {
        _ = self.leaf(Leaf::Variant(variant));
        let entered = self.enter(variant);
        Parts { variant: Some(entered), ..self.parts() }
    }
}

/// The only leaf of a value without parts.
fn only_leaf<T: Serialize + ?Sized>(value: &T) -> Option<Leaf> {
    let mut only = None;
    let mut keep = |path: &str, leaf| only = path.is_empty().then_some(leaf);
    value.serialize(&mut Walker::new(&[], &mut keep)).ok()?;
    only
}

macro_rules! integers {
    ($($serialize:ident: $integer:ty),*) => {
        $(fn $serialize(self, value: $integer) -> Result<(), Failure> {
            self.leaf(Leaf::Integer(value.into()))
        })*
    };
}

impl<'w, 'a> Serializer for &'w mut Walker<'a> {
    type Ok = ();
    type Error = Failure;
    type SerializeSeq = Parts<'w, 'a>;
    type SerializeTuple = Parts<'w, 'a>;
    type SerializeTupleStruct = Parts<'w, 'a>;
    type SerializeTupleVariant = Parts<'w, 'a>;
    type SerializeMap = Parts<'w, 'a>;
    type SerializeStruct = Parts<'w, 'a>;
    type SerializeStructVariant = Parts<'w, 'a>;

    fn serialize_bool(self, value: bool) -> Result<(), Failure> {
        self.leaf(Leaf::Flag(value))
    }

    integers! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64
    }

    fn serialize_i128(self, value: i128) -> Result<(), Failure> {
        self.leaf(Leaf::Integer(value))
    }

    fn serialize_u128(self, value: u128) -> Result<(), Failure> {
        match i128::try_from(value) {
            Ok(value) => self.leaf(Leaf::Integer(value)),
            Err(_) => self.leaf(Leaf::Text(value.to_string().into())),
        }
    }

    fn serialize_f32(self, value: f32) -> Result<(), Failure> {
        self.leaf(Leaf::Single(value))
    }

    fn serialize_f64(self, value: f64) -> Result<(), Failure> {
        self.leaf(Leaf::Double(value))
    }

    fn serialize_char(self, value: char) -> Result<(), Failure> {
        self.leaf(Leaf::Text(value.to_string().into()))
    }

    fn serialize_str(self, value: &str) -> Result<(), Failure> {
        self.leaf(Leaf::Text(value.into()))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Failure> {
        self.leaf(Leaf::Bytes(value.into()))
    }

    fn serialize_none(self) -> Result<(), Failure> {
        self.leaf(Leaf::None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Failure> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Failure> {
        self.leaf(Leaf::Empty)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Failure> {
        self.leaf(Leaf::Empty)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Failure> {
        self.leaf(Leaf::Variant(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), Failure> {
        if let (DEBUG_TEXT, Some(Leaf::Text(text))) = (name, only_leaf(value)) {
            return self.leaf(Leaf::Debug(text));
        }
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Failure> {
        self.leaf(Leaf::Variant(variant))?;
        self.part(variant, value).map(drop)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'w, 'a>, Failure> {
        Ok(self.parts())
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'w, 'a>, Failure> {
        Ok(self.parts())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'w, 'a>, Failure> {
        Ok(self.parts())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'w, 'a>, Failure> {
        Ok(self.parts_of_variant(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'w, 'a>, Failure> {
        Ok(self.parts())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'w, 'a>, Failure> {
        Ok(self.parts())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'w, 'a>, Failure> {
        Ok(self.parts_of_variant(variant))
    }
}

/// The parts of a value.
pub(crate) struct Parts<'w, 'a> {
    walker: &'w mut Walker<'a>,
    count: usize,
    key: String,
    /// The names of the fields of a struct, as long as the wanted one was not found.
    fields: Vec<&'static str>,
    is_found: bool,
    /// The index of an entity's id, whose version comes next.
    index: Option<u32>,
    /// Of a variant: what leaves it, if it is wanted.
    variant: Option<Option<(usize, usize)>>,
}

impl Parts<'_, '_> {
    fn is_skipped(&self) -> bool {
        self.variant == Some(None)
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        let place = self.count.to_string();
        self.count += 1;
        if !self.is_skipped() {
            self.is_found |= self.walker.part(&place, value)?;
        }
        Ok(())
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Failure> {
        self.count += 1;
        if self.is_skipped() {
            return Ok(());
        }
        if !self.walker.is_there() {
            self.fields.push(name);
        } else if (self.count, name) == (1, "idx")
            && let Some(Leaf::Integer(index)) = only_leaf(value)
            && let Ok(index) = u32::try_from(index)
        {
            self.index = Some(index);
            return Ok(());
        } else if let Some(index) = self.index.take() {
            if (self.count, name) == (2, "version")
                && let Some(Leaf::Integer(version)) = only_leaf(value)
            {
                let entity = EntityId::from(KeyData::from_ffi((version as u64) << 32 | u64::from(index)));
                return self.walker.leaf(if entity.is_null() { Leaf::None } else { Leaf::Entity(entity) });
            }
            self.walker.part("idx", &index)?;
        }
        self.is_found |= self.walker.part(name, value)?;
        Ok(())
    }

    fn finish(mut self) {
        if let Some(index) = self.index.take() {
            _ = self.walker.part("idx", &index);
        }
        if self.count == 0 && self.variant.is_none() {
            _ = self.walker.leaf(Leaf::Empty);
        }
        if !self.is_found && !self.fields.is_empty() {
            self.walker.lacks = Some((self.walker.depth, std::mem::take(&mut self.fields)));
        }
        if let Some(Some(entered)) = self.variant {
            self.walker.leave(entered);
        }
    }
}

/// The traits of lists and structs differ in a name only.
macro_rules! parts {
    ($($parts:ident, $add:ident => $part:ident($($name:ident)?);)*) => {
        $(impl $parts for Parts<'_, '_> {
            type Ok = ();
            type Error = Failure;

            fn $add<T: Serialize + ?Sized>(&mut self, $($name: &'static str,)? value: &T) -> Result<(), Failure> {
                self.$part($($name,)? value)
            }

            fn end(self) -> Result<(), Failure> {
                self.finish();
                Ok(())
            }
        })*
    };
}

parts! {
    SerializeSeq, serialize_element => item();
    SerializeTuple, serialize_element => item();
    SerializeTupleStruct, serialize_field => item();
    SerializeTupleVariant, serialize_field => item();
    SerializeStruct, serialize_field => field(name);
    SerializeStructVariant, serialize_field => field(name);
}

impl SerializeMap for Parts<'_, '_> {
    type Ok = ();
    type Error = Failure;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Failure> {
        self.key = match only_leaf(key) {
            Some(Leaf::Text(text)) => text.into(),
            Some(leaf) => leaf.to_string(),
            None => format!("key {}", self.count),
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        self.count += 1;
        let key = std::mem::take(&mut self.key);
        if !self.is_skipped() {
            self.is_found |= self.walker.part(&key, value)?;
        }
        Ok(())
    }

    fn end(self) -> Result<(), Failure> {
        self.finish();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;

    use super::*;

    #[derive(Serialize)]
    struct Points(u32);

    #[derive(Serialize)]
    enum Mood {
        Idle,
        Hunting { prey: EntityId, since: (f32, u8) },
    }

    #[derive(Serialize)]
    struct Cat {
        points: Points,
        moods: Vec<Mood>,
        home: Option<EntityId>,
        names: BTreeMap<String, bool>,
    }

    fn cat() -> Cat {
        let prey = EntityId::from(KeyData::from_ffi(3 << 32 | 7));
        let names = [("old name".to_owned(), true)].into();
        Cat { points: Points(9), moods: vec![Mood::Idle, Mood::Hunting { prey, since: (0.1, 2) }], home: None, names }
    }

    fn leaves(wanted: &str) -> (Vec<String>, Option<(usize, Vec<&'static str>)>) {
        let wanted: Vec<Box<str>> = wanted.split('.').filter(|step| !step.is_empty()).map(Into::into).collect();
        let mut all = Vec::new();
        let mut leaf = |path: &str, leaf: Leaf| all.push(format!("{path} {leaf}"));
        let mut walker = Walker::new(&wanted, &mut leaf);
        cat().serialize(&mut walker).unwrap();
        let lacks = walker.lacks();
        (all, lacks)
    }

    #[test]
    fn leaves_have_paths() {
        let (all, lacks) = leaves("");
        let expected = [
            "points 9",
            "moods.0 Idle",
            "moods.1 Hunting",
            "moods.1.Hunting.prey 7v3",
            "moods.1.Hunting.since.0 0.1",
            "moods.1.Hunting.since.1 2",
            "home none",
            "names.`old name` true",
        ];
        assert_eq!((all, lacks), (expected.map(str::to_owned).to_vec(), None));
    }

    #[test]
    fn a_path_leads_to_the_leaves_of_a_part() {
        assert_eq!(leaves("moods.1.Hunting.since").0, ["moods.1.Hunting.since.0 0.1", "moods.1.Hunting.since.1 2"]);
        assert_eq!(leaves("moods.0.Hunting.since").0, [""; 0]);
        assert_eq!(leaves("points").0, ["points 9"]);
        assert_eq!(leaves("point"), (Vec::new(), Some((0, vec!["points", "moods", "home", "names"]))));
        assert_eq!(leaves("moods.1.Hunting.pray"), (Vec::new(), Some((3, vec!["prey", "since"]))));
        assert_eq!(leaves("moods.7"), (Vec::new(), None));
    }
}
