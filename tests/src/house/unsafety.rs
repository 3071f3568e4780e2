//! Rules about unsafe code.

use super::Finding;
use super::code::lines_with;
use super::tree::SourceFile;

/// The files that may contain unsafe code. A new one needs a measurement that justifies it.
pub const UNSAFE_FILES: [&str; 24] = [
    "ecs/src/component/pool.rs",
    // Lends the work of a frame to threads that outlive it: a pool whose own thread runs the frame wakes two threads,
    // see BENCHMARKS.md.
    "ecs/src/thread_pool/work_queue.rs",
    "ecs/src/world/peek.rs",
    "ecs/src/query/of_world.rs",
    "ecs/src/event/buffer.rs",
    // Events lie in buffers as plain memory; copying waiting events reads them by their type.
    "ecs/src/event/waiting.rs",
    "ecs/src/query.rs",
    "ecs/src/query/query_data.rs",
    "ecs/src/query/fetch.rs",
    "ecs/src/query/filter.rs",
    // Filters and query data of change detection: the traits have unsafe methods.
    "ecs/src/query/changed.rs",
    // Query data that lends the data of links: the trait has unsafe methods. A safe form would need the targets to be
    // written.
    "ecs/src/query/links_mut.rs",
    "ecs/src/query/iter.rs",
    "ecs/src/query/slices.rs",
    "ecs/src/query/par_iter.rs",
    // Iterates the rows of kinds without look-ups: five kinds after a thousand frames of births and deaths 61 → 1.4,
    // see decision 110.
    "ecs/src/query/walk.rs",
    "ecs/src/system/work.rs",
    // Counts the allocations of systems.
    "ecs/studio/src/counting_heap.rs",
    // Counting allocators of tests.
    "ecs/tests/allocations/main.rs",
    "ecs/tests/allocations_with_threads.rs",
    "tests/tests/allocations.rs",
    // Functions of the page, in a browser.
    "bounty_hunter/src/browser.rs",
    // Calls the library of the sound card, which is loaded at run time: a linked one would be needed by each build.
    "bounty_hunter/src/client/sound/speaker/alsa.rs",
    // Exported names of the WebAssembly module.
    "tests/wasm/src/lib.rs",
];

/// The most lines between a `SAFETY:` comment and its block.
const NEAR_LINES: usize = 5;

/// Only listed files contain unsafe code, and each block and each `impl` has a `SAFETY:` comment.
#[must_use]
pub fn unsafe_code(file: &SourceFile) -> Vec<Finding> {
    let mut lines = lines_with(&file.code, "unsafe");
    if !UNSAFE_FILES.contains(&file.path.as_str()) {
        lines.extend(lines_with(&file.code, "allow(unsafe_code)"));
        return lines
            .into_iter()
            .map(|line| format!("{}:{line}: unsafe code in a file that is not on the list", file.path))
            .collect();
    }
    if lines.is_empty() {
        return vec![format!("{}: no unsafe code is left, remove the file from the list", file.path)];
    }
    let code: Vec<&str> = file.code.lines().collect();
    let text: Vec<&str> = file.text.lines().collect();
    let needs_reason = |line: usize| code[line - 1].contains("unsafe {") || code[line - 1].contains("unsafe impl");
    // One comment may hold for two items in a row.
    let has_reason = |line: usize| {
        let near = line.saturating_sub(NEAR_LINES + 1)..line;
        text[near].iter().any(|above| above.contains("// SAFETY: "))
    };
    let bare = lines.into_iter().filter(|line| needs_reason(*line) && !has_reason(*line));
    bare.map(|line| format!("{}:{line}: unsafe block without a SAFETY comment", file.path)).collect()
}
