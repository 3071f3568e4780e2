//! Saved matches and results in a database: the commands about them, and what simulated matches keep.

pub(super) mod archive;
mod listing;
#[cfg(feature = "client")]
pub(super) mod match_history;
mod results;
mod storage;
mod tables;
#[cfg(test)]
pub(super) mod test_directory;
#[cfg(feature = "client")]
pub(super) mod try_store;

pub(crate) use self::listing::saves;
pub(crate) use self::results::results;
pub(crate) use self::storage::{Ended, Results, Storage};
