//! What is fuzzed, one file for each kind of bytes that come from elsewhere. `.ci/fuzz` runs it.
//!
//! Each target has a check, which must hold for whatever bytes, and a way to change bytes so that they still get past the
//! hashes. Both know nothing of the fuzzer.

mod game;
mod hashes;
mod mutation;
mod texts;
#[path = "../../../ecs/tests/snapshots/world.rs"]
#[allow(dead_code, missing_docs)]
mod world;
mod worlds;

#[cfg(fuzzing)]
#[doc(hidden)]
pub use libfuzzer_sys;

pub use game::{change_match_save, change_replay, check_match_save, check_replay, match_saves, replays};
pub use texts::{asset_texts, change_text, check_assets, check_prefabs, prefab_texts};
pub use worlds::{change_save, check_save, check_save_text, save_texts, saves};

/// How the fuzzer itself changes the first so many of some bytes; it returns how many there are then.
pub type Basic<'a> = &'a dyn Fn(&mut [u8], usize) -> usize;

/// Changes the first `size` bytes, which have room to grow, at random, and returns how many there are then. The seed decides how.
pub type Change = fn(&mut [u8], size: usize, seed: u32, basic: Basic<'_>) -> usize;

/// Checks the files that are named on the command line, for a look at what a fuzzer has found.
///
/// # Panics
/// If a file can not be read, or the check finds something.
pub fn check_files(check: fn(&[u8])) {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        println!("{path}: {} bytes", bytes.len());
        check(&bytes);
    }
}

/// Makes a fuzz target of a check and a [`Change`]. Where nobody fuzzes it is a program that checks files.
#[macro_export]
macro_rules! target {
    ($check:expr, $change:expr) => {
        #[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| $check(bytes));

        #[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_mutator!(|bytes: &mut [u8], size: usize, most: usize, seed: u32| {
            let change: $crate::Change = $change;
            let basic = |part: &mut [u8], size: usize| {
                let most = part.len();
                $crate::libfuzzer_sys::fuzzer_mutate(part, size, most)
            };
            change(&mut bytes[..most], size.min(most), seed, &basic)
        });

        #[cfg(not(fuzzing))]
        fn main() {
            $crate::check_files($check);
        }
    };
}
