//! Saved matches.
#![cfg_attr(fuzzing, no_main)]

fuzz_targets::target!(fuzz_targets::check_match_save, fuzz_targets::change_match_save);
