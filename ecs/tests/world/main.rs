//! The tests of the framework through its public API. What is stored (snapshots, recordings, saves, prefabs) is in
//! `stored`, random operations and threads are in `models`, and `examples` runs the examples.
//!
//! Tests that measure the whole process (`allocations*`, `untouched_entities`) are binaries of their own.

#[cfg(feature = "derive")]
mod bundles;
mod deferred;
#[cfg(feature = "derive")]
mod derives;
mod designs;
#[cfg(feature = "derive")]
mod duplicates;
mod iterations;
mod named_types;
mod pool_mut;
mod random;
mod removal_hooks;
mod requirements;
mod resource_changes;
mod run_for_each;
mod scenarios;
mod timed;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn panics<R>(act: impl FnOnce() -> R) -> bool {
    catch_unwind(AssertUnwindSafe(act)).is_err()
}
