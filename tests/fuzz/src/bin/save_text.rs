//! Saved snapshots of engines, as text.
#![cfg_attr(fuzzing, no_main)]

fuzz_targets::target!(fuzz_targets::check_save_text, fuzz_targets::change_text);
