//! Saved snapshots of engines, as bytes.
#![cfg_attr(fuzzing, no_main)]

fuzz_targets::target!(fuzz_targets::check_save, fuzz_targets::change_save);
