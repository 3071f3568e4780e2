//! Two values of a type that should be equal, as texts.

use super::hash::StateHasher;
use super::image::Image;
use crate::component::SparseIndex;
use crate::entity::EntityId;

/// Two values that should be equal: as `Debug` text if [`TypeRegistry::show`](crate::snapshot::TypeRegistry::show) was called for their type, otherwise as hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferentValues {
    /// The owner, if they are components.
    pub entity: Option<EntityId>,
    /// The recorded value; `None` if absent.
    pub recorded: Option<String>,
    /// The present value; `None` if absent.
    pub now: Option<String>,
}

/// The index and the values of a pool, if it exists.
pub(super) type Rows<'a> = Option<(&'a SparseIndex, &'a Image)>;

/// A value as `Debug` text, or its hash.
pub(super) fn shown<T>(value: &T, show: Option<fn(&T) -> String>, hash: fn(&T, &mut StateHasher)) -> String {
    show.map_or_else(|| format!("a value with hash {:016x}", hashed(value, hash)), |show| show(value))
}

pub(super) fn hashed<T>(value: &T, hash: fn(&T, &mut StateHasher)) -> u64 {
    let mut hasher = StateHasher::default();
    hash(value, &mut hasher);
    hasher.finish()
}
