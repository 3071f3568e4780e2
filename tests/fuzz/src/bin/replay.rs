//! Replays of matches.
#![cfg_attr(fuzzing, no_main)]

fuzz_targets::target!(fuzz_targets::check_replay, fuzz_targets::change_replay);
