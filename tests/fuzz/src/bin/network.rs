//! Datagrams for peers of a match over a network.
#![cfg_attr(fuzzing, no_main)]

fuzz_targets::target!(fuzz_targets::check_network);
