//! Snapshots of engines: a restored engine continues as the original one, invalid restores are refused, and state
//! hashes.

mod errors;
mod hashes;
mod law;
mod panics;
#[cfg(feature = "prefabs")]
mod prefabs;
mod sharing;
#[cfg(all(feature = "serde", feature = "derive"))]
mod systems_by_command;
pub(crate) mod world;
