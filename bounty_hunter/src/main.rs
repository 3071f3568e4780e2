//! The program: plays the game in a window, or simulates matches without one.

mod command_line;

use std::process::ExitCode;

/// Counts the allocations of systems, for `play --studio`.
#[cfg(feature = "studio")]
#[global_allocator]
static HEAP: ecs_studio::CountingHeap = ecs_studio::CountingHeap;

fn main() -> ExitCode {
    command_line::run(command_line::arguments())
}
