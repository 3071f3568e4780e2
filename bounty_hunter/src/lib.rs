//! BountyHunter as a library: its simulation, and by features its window and its network.
//!
//! The simulation is all of the crate `bounty_hunter_simulation`, whose modules are named here as they are there.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use bounty_hunter_simulation::*;

#[cfg(all(feature = "client", target_arch = "wasm32"))]
pub mod browser;
#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "network")]
pub mod network;

/// The code in the guide, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../GUIDE.md")]
mod guide {}
