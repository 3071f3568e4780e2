//! How much something holds: the pocket of a collector, a stash.

use serde::{Deserialize, Serialize};

use crate::data::limits;

/// Component: how many points a collector carries at most, or lie in a stash at most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capacity {
    /// Points at most.
    #[serde(deserialize_with = "limits::read::points")]
    pub points: f32,
}
