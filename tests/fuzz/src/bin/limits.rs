//! Matches within their limits.
#![cfg_attr(fuzzing, no_main)]

fuzz_targets::target!(fuzz_targets::check_limits);
