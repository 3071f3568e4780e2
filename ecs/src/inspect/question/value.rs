//! [`Value`]: what questions compare.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use slotmap::{Key, KeyData};

use super::{Comparison, Operation};
use crate::entity::EntityId;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// There is none, or of a condition: it is unknown.
    Missing,
    Number(f64),
    Flag(bool),
    Text(Box<str>),
    Entity(EntityId),
    /// A value of several parts, or a variant of an enum.
    Whole {
        name: Option<&'static str>,
        hash: u64,
    },
}

impl Value {
    /// The entity with this id; missing if it is the id of none.
    pub(super) fn entity(index: u32, version: u32) -> Self {
        let entity = EntityId::from(KeyData::from_ffi(u64::from(version) << 32 | u64::from(index)));
        if entity.is_null() { Self::Missing } else { Self::Entity(entity) }
    }

    pub(super) fn own_hash(&self) -> u64 {
        let mut hash = DefaultHasher::new();
        std::mem::discriminant(self).hash(&mut hash);
        match self {
            Self::Missing => {}
            Self::Number(number) => number.to_bits().hash(&mut hash),
            Self::Flag(flag) => flag.hash(&mut hash),
            Self::Text(text) => text.hash(&mut hash),
            Self::Entity(entity) => entity.hash(&mut hash),
            Self::Whole { name, hash: whole } => (name, whole).hash(&mut hash),
        }
        hash.finish()
    }

    /// Whether it is written so, as the key of a map.
    pub(super) fn is_written(&self, text: &str) -> bool {
        match self {
            Self::Text(own) => **own == *text,
            Self::Whole { name, .. } => *name == Some(text),
            Self::Number(number) => text.parse() == Ok(*number),
            Self::Flag(_) | Self::Entity(_) => self.to_string() == text,
            Self::Missing => false,
        }
    }

    /// Whether it is the same, bit for bit.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => one.to_bits() == other.to_bits(),
            _ => self == other,
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Of a condition: whether it holds, if that is known.
    pub(super) fn truth(&self) -> Option<bool> {
        match self {
            Self::Missing => None,
            Self::Flag(holds) => Some(*holds),
            _ => Some(true),
        }
    }

    pub(super) fn compare(&self, comparison: Comparison, other: &Self) -> Self {
        let order = match (self, other) {
            (Self::Number(one), Self::Number(other)) => one.partial_cmp(other),
            (Self::Text(one), Self::Text(other)) => Some(one.cmp(other)),
            (Self::Flag(one), Self::Flag(other)) => Some(one.cmp(other)),
            (Self::Entity(one), Self::Entity(other)) => Some(one.cmp(other)),
            // A variant is compared by its name.
            (Self::Whole { name: Some(name), .. }, Self::Text(text)) => Some((*name).cmp(&**text)),
            (Self::Text(text), Self::Whole { name: Some(name), .. }) => Some((**text).cmp(name)),
            (Self::Whole { .. }, Self::Whole { .. }) => match (self == other, comparison) {
                (true, _) => Some(Ordering::Equal),
                (false, Comparison::Equal | Comparison::Different) => Some(Ordering::Less),
                // They have no order.
                (false, _) => return Self::Missing,
            },
            _ => return Self::Missing,
        };
        Self::Flag(match (comparison, order) {
            // NaN differs from everything.
            (Comparison::Different, order) => order != Some(Ordering::Equal),
            (_, None) => false,
            (Comparison::Equal, Some(order)) => order.is_eq(),
            (Comparison::Less, Some(order)) => order.is_lt(),
            (Comparison::LessOrEqual, Some(order)) => order.is_le(),
            (Comparison::More, Some(order)) => order.is_gt(),
            (Comparison::MoreOrEqual, Some(order)) => order.is_ge(),
        })
    }

    pub(super) fn calculate(&self, operation: Operation, other: &Self) -> Self {
        let (Some(one), Some(other)) = (self.number(), other.number()) else { return Self::Missing };
        Self::Number(match operation {
            Operation::Plus => one + other,
            Operation::Minus => one - other,
            Operation::Times => one * other,
            Operation::By => one / other,
            Operation::Remainder => one % other,
        })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("no value"),
            Self::Number(number) => number.fmt(f),
            Self::Flag(flag) => flag.fmt(f),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Entity(entity) => entity.fmt(f),
            Self::Whole { name: Some(name), .. } => f.write_str(name),
            Self::Whole { name: None, .. } => f.write_str("a value of several parts"),
        }
    }
}
