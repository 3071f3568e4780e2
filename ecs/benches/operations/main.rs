//! What single operations of the framework cost. Where there is a floor written by hand, it stands beside them.
//!
//! `cargo bench -p lockstep_ecs --bench operations [NAME]`; `BENCHMARKS.md` compares with floors and other frameworks in one table.

mod events;
mod frames;
mod getting;
mod snapshots;
mod structure;
mod walks;

use std::time::Duration;

/// Length of a frame where it does not matter.
const FRAME: Duration = Duration::from_millis(16);

fn main() {
    divan::main();
}
