//! The files of a directory of assets.
#![cfg_attr(fuzzing, no_main)]

fuzz_targets::target!(fuzz_targets::check_assets, fuzz_targets::change_text);
