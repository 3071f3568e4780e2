//! The tests of the framework through its public API, in one binary: `tests/x.rs` tests `src/x` or the topic of its
//! name.
//!
//! Tests that measure the whole process (`allocations*`, `untouched_entities`) are binaries of their own.

#[cfg(feature = "derive")]
mod bundles;
mod causal_trace;
mod deferred;
#[cfg(feature = "derive")]
mod derives;
mod designs;
#[cfg(feature = "derive")]
mod duplicates;
#[cfg(feature = "parallel")]
mod engine_threads;
mod examples;
mod iterations;
mod models;
mod named_types;
mod pool_mut;
#[cfg(feature = "hot-reload")]
mod prefab_folder;
#[cfg(feature = "prefabs")]
mod prefabs;
mod random;
mod recordings;
mod removal_hooks;
mod requirements;
mod resource_changes;
mod run_for_each;
#[cfg(feature = "serde")]
mod saves;
mod scenarios;
mod snapshots;
mod soundness;
mod state_machines;
#[cfg(feature = "parallel")]
mod threads;
mod timed;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn panics<R>(act: impl FnOnce() -> R) -> bool {
    catch_unwind(AssertUnwindSafe(act)).is_err()
}
