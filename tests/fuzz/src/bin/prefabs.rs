//! Prefab files of the framework.
#![cfg_attr(fuzzing, no_main)]

fuzz_targets::target!(fuzz_targets::check_prefabs, fuzz_targets::change_text);
