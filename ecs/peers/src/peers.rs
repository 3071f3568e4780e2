//! The contestants: this framework and others. Each has a file with the cases that it supports.

#[cfg(feature = "bevy_ecs")]
mod bevy_ecs;
mod ecs;
#[cfg(feature = "evenio")]
mod evenio;
#[cfg(feature = "flecs_ecs")]
mod flecs_ecs;
#[cfg(feature = "hecs")]
mod hecs;
#[cfg(feature = "legion")]
mod legion;
mod same_promises;
#[cfg(feature = "shipyard")]
mod shipyard;
#[cfg(feature = "sparsey")]
mod sparsey;
#[cfg(feature = "specs")]
mod specs;

use crate::cases::{self, Work};
use crate::stopwatch::Runner;

/// A framework or a floor that runs cases.
pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    /// Makes a world of the given size for the given work; `None` if the framework does not support it.
    pub(crate) runner: fn(Work, usize) -> Option<Runner>,
}

/// The floor first, then this framework, then the floor with the same promises, then the others.
pub(crate) const ALL: &[Contestant] = &[
    Contestant { name: "floor", runner: cases::floor },
    Contestant { name: "ecs", runner: ecs::runner },
    Contestant { name: "same promises", runner: same_promises::runner },
    #[cfg(feature = "hecs")]
    Contestant { name: "hecs", runner: hecs::runner },
    #[cfg(feature = "bevy_ecs")]
    Contestant { name: "bevy_ecs", runner: bevy_ecs::runner },
    #[cfg(feature = "specs")]
    Contestant { name: "specs", runner: specs::runner },
    #[cfg(feature = "legion")]
    Contestant { name: "legion", runner: legion::runner },
    #[cfg(feature = "shipyard")]
    Contestant { name: "shipyard", runner: shipyard::runner },
    #[cfg(feature = "sparsey")]
    Contestant { name: "sparsey", runner: sparsey::runner },
    #[cfg(feature = "evenio")]
    Contestant { name: "evenio", runner: evenio::runner },
    #[cfg(feature = "flecs_ecs")]
    Contestant { name: "flecs_ecs", runner: flecs_ecs::runner },
];
