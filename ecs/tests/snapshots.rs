//! Snapshots of engines: that putting one back changes nothing of what comes, what is refused, and hashes.

mod errors;
mod hashes;
mod law;
mod panics;
#[cfg(feature = "prefabs")]
mod prefabs;
mod sharing;
pub(crate) mod world;
