//! The cost of single operations, some beside a hand-written floor.
//!
//! `cargo bench -p lockstep_ecs --bench operations [NAME]`; `BENCHMARKS.md` compares with floors and other frameworks
//! in one table.

mod access;
mod events;
mod frames;
mod iteration;
mod snapshots;
mod structure;

use std::time::Duration;

/// The length of a frame; no benchmark depends on it.
const FRAME: Duration = Duration::from_millis(16);

fn main() {
    divan::main();
}
