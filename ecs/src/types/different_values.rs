//! Two values of a type that should be equal, as texts.

use std::any::TypeId;

use crate::component::SparseIndex;
use crate::entity::EntityId;
use crate::stable_hash::StateHasher;
use crate::store::SharedCopy;

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
pub(crate) type Rows<'a> = Option<(&'a SparseIndex, &'a SharedCopy)>;

/// Finds the copy of a pool by its type.
pub(crate) type PoolRows<'a> = dyn Fn(TypeId) -> Rows<'a> + 'a;

/// The first entity whose component or enabled state differs, with both values. `hash` and `show` take the values of a pool and a
/// position among them.
pub(super) fn first_difference(
    recorded: Rows<'_>,
    now: Rows<'_>,
    hash: &dyn Fn(&SharedCopy, usize) -> u64,
    show: &dyn Fn(&SharedCopy, usize) -> String,
) -> Option<DifferentValues> {
    let owners = |rows: Rows<'_>| rows.map_or_else(Vec::new, |(index, _)| index.owners().to_vec());
    let mut all = [owners(recorded), owners(now)].concat();
    all.sort_unstable();
    all.dedup();
    all.into_iter().find_map(|entity| {
        let [recorded, now] = [recorded, now].map(|rows| {
            let (index, image) = rows?;
            let at = index.position(entity)?;
            Some((image, at, at < index.active()))
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
