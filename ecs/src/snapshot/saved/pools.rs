//! Checks of loaded extras, on which queries rely.

use super::error::LoadError;
use super::part::SavedComponents;
use crate::component::SparseIndex;
use crate::entity::{EntityId, EntityTable};

/// The index of the extras of a pool, if every owner exists, has one component, and is on the right side of the
/// enabled/disabled boundary. `is_home` tells which owners have it in their kinds.
pub(super) fn index(
    owners: &[EntityId],
    SavedComponents { enabled, off, .. }: &SavedComponents,
    name: &str,
    entities: &EntityTable,
    is_home: impl Fn(EntityId) -> bool,
) -> Result<SparseIndex, LoadError> {
    let invalid = |problem: String| LoadError::invalid(format!("component \"{name}\""), problem);
    let mut index = SparseIndex::default();
    for owner in owners {
        if entities.is_enabled(*owner).is_none() {
            return Err(invalid(format!("entity {owner} does not exist")));
        }
        if is_home(*owner) || index.position(*owner).is_some() {
            return Err(invalid(format!("entity {owner} has two")));
        }
        index.push(*owner);
    }
    for owner in off {
        index.position(*owner).ok_or_else(|| invalid(format!("entity {owner} has none that is off")))?;
        index.set_off(*owner);
    }
    let enabled = *enabled as usize;
    for (position, owner) in owners.iter().enumerate() {
        let is_enabled = entities.is_enabled(*owner) == Some(true) && !index.is_off(*owner);
        if is_enabled != (position < enabled) {
            return Err(invalid(format!("the component of entity {owner} is on the wrong side")));
        }
    }
    if enabled > owners.len() {
        return Err(invalid(format!("{enabled} of {} cannot be enabled", owners.len())));
    }
    index.set_active(enabled);
    Ok(index)
}
