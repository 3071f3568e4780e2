//! The capacity of pockets and stashes.

use serde::{Deserialize, Serialize};

use crate::data::limits;

/// Component: the most points that a collector can carry, or that a stash can hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capacity {
    /// Points.
    #[serde(deserialize_with = "limits::read::points")]
    pub points: f32,
}
