//! State machines: alone, in engines, and compared with a naive model.

mod in_engines;
mod model;
mod refusals;
#[cfg(feature = "serde")]
mod saved;
mod steps;

use ecs::state_machine::State;

/// The states of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Stage {
    #[default]
    Title,
    Running,
    Paused,
    Options,
    Over,
}

impl State for Stage {
    const TRANSITIONS: &'static [(Self, Self)] = &[
        (Self::Title, Self::Running),
        (Self::Title, Self::Options),
        (Self::Options, Self::Title),
        (Self::Running, Self::Paused),
        (Self::Paused, Self::Running),
        (Self::Paused, Self::Options),
        (Self::Options, Self::Paused),
        (Self::Running, Self::Running),
        (Self::Running, Self::Over),
        (Self::Paused, Self::Over),
    ];
}
