//! The checks behind the fuzz targets; `src/bin` has one file for each target.
//!
//! A target is a check, which must hold for any bytes, and mostly a mutator, which changes bytes so that the reader
//! still accepts their hashes. Neither knows the fuzzer.

mod game;
mod hashes;
mod limits;
mod mutation;
mod network;
#[path = "../../../ecs/tests/models/operations.rs"]
#[allow(missing_docs)]
mod operations;
mod studio;
mod texts;
#[path = "../../src/within_limits.rs"]
#[allow(unreachable_pub)]
mod within_limits;
#[path = "../../../ecs/tests/stored/snapshots/world.rs"]
#[allow(dead_code, missing_docs)]
mod world;
mod worlds;

#[cfg(fuzzing)]
#[doc(hidden)]
pub use libfuzzer_sys;

pub use game::{change_match_save, change_replay, check_match_save, check_replay, match_saves, replays};
pub use limits::{check_limits, limit_seeds};
pub use network::{attacks, check_network};
pub use studio::{check_studio, studio_requests};
pub use texts::{asset_texts, change_text, check_assets, check_prefabs, prefab_texts};
pub use worlds::{change_save, check_save, check_save_text, save_texts, saves};

/// Performs the operations encoded in the bytes on an engine and on a plain model.
///
/// # Panics
/// If the two differ.
pub fn check_operations(bytes: &[u8]) {
    operations::check_operations(bytes);
}

/// The fuzzer's own mutation of the first `size` bytes; returns the new size.
pub type Basic<'a> = &'a dyn Fn(&mut [u8], usize) -> usize;

/// Mutates the first `size` bytes as the seed says; the rest is room to grow. Returns the new size.
pub type Change = fn(&mut [u8], size: usize, seed: u32, basic: Basic<'_>) -> usize;

/// Checks the files named on the command line, to reproduce a finding.
///
/// # Panics
/// If a file cannot be read, or the check fails.
pub fn check_files(check: fn(&[u8])) {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        println!("{path}: {} bytes", bytes.len());
        check(&bytes);
    }
}

/// Makes a fuzz target of a check and an optional [`Change`]. Without a fuzzer it is a program that checks files.
#[macro_export]
macro_rules! target {
    ($check:expr $(, $change:expr)?) => {
        #[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| $check(bytes));

        $(#[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_mutator!(|bytes: &mut [u8], size: usize, most: usize, seed: u32| {
            let change: $crate::Change = $change;
            let basic = |part: &mut [u8], size: usize| {
                let most = part.len();
                $crate::libfuzzer_sys::fuzzer_mutate(part, size, most)
            };
            change(&mut bytes[..most], size.min(most), seed, &basic)
        });)?

        #[cfg(not(fuzzing))]
        fn main() {
            $crate::check_files($check);
        }
    };
}
