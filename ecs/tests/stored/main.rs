//! What leaves an engine and comes back: snapshots, recordings, saves, prefabs, traces.

mod causal_trace;
#[cfg(feature = "hot-reload")]
mod prefab_folder;
#[cfg(feature = "prefabs")]
mod prefabs;
mod recordings;
#[cfg(feature = "serde")]
mod saves;
mod snapshots;
mod state_machines;

use std::panic::{AssertUnwindSafe, catch_unwind};
#[cfg(feature = "serde")]
use std::time::Duration;

#[cfg(feature = "serde")]
const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn panics<R>(act: impl FnOnce() -> R) -> bool {
    catch_unwind(AssertUnwindSafe(act)).is_err()
}
