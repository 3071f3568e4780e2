//! Two values of a type that should be equal, as texts.

use std::any::TypeId;

use crate::component::{PoolRows, RowPlace};
use crate::entity::EntityId;
use crate::stable_hash::StateHasher;
use crate::store::SharedCopy;

/// Two values that should be equal: as `Debug` text if [`TypeRegistry::show`](crate::snapshot::TypeRegistry::show) was
/// called for their type, otherwise as hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferentValues {
    /// The owner, if they are components.
    pub entity: Option<EntityId>,
    /// The recorded value; `None` if absent.
    pub recorded: Option<String>,
    /// The present value; `None` if absent.
    pub now: Option<String>,
}

/// The owners and the values of a copy of a pool, if it exists.
pub(crate) type Rows<'a> = Option<(PoolRows<'a>, &'a SharedCopy)>;

/// Finds the copy of a pool by its type.
pub(crate) type FindPool<'a> = dyn Fn(TypeId) -> Rows<'a> + 'a;

/// The first entity whose component or enabled state differs, with both values. `hash` and `show` take the values of a
/// pool and a place among them.
pub(super) fn first_difference(
    recorded: Rows<'_>,
    now: Rows<'_>,
    hash: &dyn Fn(&SharedCopy, RowPlace) -> u64,
    show: &dyn Fn(&SharedCopy, RowPlace) -> String,
) -> Option<DifferentValues> {
    let both = [recorded, now].map(|rows| {
        let rows = rows.map(|(rows, _)| rows.iter().map(|row| (row.owner, row.place, row.is_enabled)));
        let mut rows: Vec<_> = rows.into_iter().flatten().collect();
        rows.sort_unstable_by_key(|(owner, ..)| *owner);
        rows
    });
    let mut all: Vec<EntityId> = both.iter().flatten().map(|(owner, ..)| *owner).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter().find_map(|entity| {
        let [recorded, now] = [(recorded, &both[0]), (now, &both[1])].map(|(rows, sorted)| {
            let (_, image) = rows?;
            let at = sorted.binary_search_by_key(&entity, |(owner, ..)| *owner).ok()?;
            Some((image, sorted[at].1, sorted[at].2))
        });
        let known = |(image, at, is_enabled)| (hash(image, at), is_enabled);
        let print = |(image, at, is_enabled)| {
            let state = if is_enabled { "" } else { " (disabled)" };
            format!("{}{state}", show(image, at))
        };
        (recorded.map(known) != now.map(known)).then(|| DifferentValues {
            entity: Some(entity),
            recorded: recorded.map(print),
            now: now.map(print),
        })
    })
}

/// A value as `Debug` text, or its hash.
pub(super) fn shown<T>(value: &T, show: Option<fn(&T) -> String>, hash: fn(&T, &mut StateHasher)) -> String {
    show.map_or_else(|| format!("a value with hash {:016x}", hashed(value, hash)), |show| show(value))
}

pub(super) fn hashed<T>(value: &T, hash: fn(&T, &mut StateHasher)) -> u64 {
    let mut hasher = StateHasher::default();
    hash(value, &mut hasher);
    hasher.finish()
}
