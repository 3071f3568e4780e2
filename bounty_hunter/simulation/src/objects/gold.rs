//! The bounty of a gold rush.

use serde::{Deserialize, Serialize};

/// Component: the bounty of a gold rush. What it does is in `gameplay/gold_rush.rs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gold;
