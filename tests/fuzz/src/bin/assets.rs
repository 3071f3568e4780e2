//! Asset files.
#![cfg_attr(fuzzing, no_main)]

fuzz_targets::target!(fuzz_targets::check_assets, fuzz_targets::change_text);
