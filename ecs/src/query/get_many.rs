//! The error of asking for the components of several entities at once.

use std::fmt;

use crate::entity::EntityId;

/// Why the components of several entities could not be borrowed together. Nothing was borrowed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum GetManyError {
    /// This entity is gone or does not match the query.
    NoMatch(EntityId),
    /// This entity is named twice.
    Duplicate(EntityId),
}

impl GetManyError {
    /// # Errors
    /// - [`GetManyError::Duplicate`] for the first entity that is in the list twice.
    pub(crate) fn check_distinct(entities: &[EntityId]) -> Result<(), Self> {
        let mut pairs = entities.iter().enumerate();
        let twice = pairs.find(|(at, entity)| entities[..*at].contains(entity));
        twice.map_or(Ok(()), |(_, entity)| Err(Self::Duplicate(*entity)))
    }
}

impl fmt::Display for GetManyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMatch(entity) => {
                write!(
                    f,
                    "entity {entity} is gone or lacks what is asked for: check it with `contains`, or `get` it alone"
                )
            }
            Self::Duplicate(entity) => write!(f, "entity {entity} is named twice: name each entity once"),
        }
    }
}

crate::sentence::impl_error!(GetManyError);
