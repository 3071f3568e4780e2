//! Without the feature `serde`, nothing is saved.

use super::TypeRegistry;
use super::different_values::FindPool;

pub(crate) struct Codec;

pub(crate) type Saving = ();

#[allow(clippy::extra_unused_type_parameters, reason = "with saves it needs the relation")]
pub(crate) fn check_links<R>(_: &FindPool<'_>) -> Result<(), String> {
    Ok(())
}

impl TypeRegistry {
    pub(crate) fn save_own_types(&mut self) {}
}
