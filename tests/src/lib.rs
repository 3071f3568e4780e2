//! Tools for tests of the whole game: [`Scenario`] draws a situation, [`Game`] plays it.
//!
//! [`house`] checks the source tree for the house rules. The tests are in `tests/tests`, one file per part of the game.

mod eavesdropper;
mod game;
pub mod house;
mod kinds;
mod moments;
mod scenario;
mod side_by_side;
mod within_limits;

pub use eavesdropper::Eavesdropper;
pub use game::Game;
pub use kinds::{BOTTOMLESS, STANDING, add_variant, vary_bounties, vary_collectors, vary_power_ups, vary_stashes};
pub use moments::{ai, below, eager, hashes_of, match_in, random_inputs, random_setup, random_step, short_match};
pub use scenario::{CELL_M, Scenario, scenario};
pub use side_by_side::play_at_one_and_two_threads;
pub use within_limits::{Draw, play_within_limits};

/// The length of a match that does not end by its clock in a test, seconds.
pub const LONG_PLAY_SECONDS: f32 = 3_600.0;

/// The number of steps in `seconds`.
#[must_use]
pub fn steps(seconds: f32) -> u32 {
    (seconds * 60.0).round() as u32
}

/// Compiles and runs the code in the README as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}

/// Compiles and runs the code in each page of the guide as documentation tests; `build.rs` lists the pages.
#[cfg(doctest)]
mod guide {
    include!(concat!(env!("OUT_DIR"), "/guide.rs"));
}
