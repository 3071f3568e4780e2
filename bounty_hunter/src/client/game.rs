//! The interface between the window and the match that it shows.

use glam::Vec2;

use crate::archive::replay::Playback;
use crate::data::input::Inputs;
use crate::simulation::view::View;
use crate::simulation::{Simulation, StepReport};

/// A match in the window: advanced by inputs and shown through views.
pub trait Game {
    /// Runs one step.
    fn step(&mut self, inputs: &Inputs) -> StepReport;

    /// Overwrites `view` with the state after the last step, and reuses its memory.
    fn view_into(&self, view: &mut View);

    /// Whether the last step led to another moment of the match, so that nothing is drawn between the two; asked for once.
    fn take_jump(&mut self) -> bool {
        false
    }

    /// Whether the match is also played in other windows, over a network.
    fn network_role(&self) -> NetworkRole {
        NetworkRole::Alone
    }

    /// Opens the inspector of the match, if it has one.
    fn open_inspector(&mut self) {}

    /// Marks the object at a place of the arena, for an inspector.
    fn mark(&mut self, _place: Vec2) {}

    /// The place and the half extent of the marked object, metres.
    fn marked(&self) -> Option<(Vec2, f32)> {
        None
    }

    /// Rewinds by this many steps, or as far as possible; returns whether the step changed.
    fn go_back(&mut self, _steps: u32) -> bool {
        false
    }

    /// Steps per second at normal speed. Loading a match of another mode can change it.
    fn steps_per_second(&self) -> u32;

    /// Number of steps that can be rewound; `None` without a history.
    fn steps_back(&self) -> Option<u64> {
        None
    }

    /// Saves the match; a notice reports the outcome.
    fn save(&mut self) {}

    /// Loads the saved match; returns whether that succeeded.
    fn load(&mut self) -> bool {
        false
    }

    /// Whether [`replay`](Self::replay) returns something.
    fn is_recorded(&self) -> bool {
        false
    }

    /// The match so far, to watch it; `None` if it is not recorded.
    ///
    /// # Errors
    /// A sentence for the player that says what is wrong.
    fn replay(&mut self) -> Option<Result<Playback, String>> {
        None
    }

    /// A sentence to show, such as a mistake in a watched file; `None` to show nothing.
    fn notice(&self) -> Option<String> {
        None
    }
}

impl Game for Simulation {
    fn step(&mut self, inputs: &Inputs) -> StepReport {
        Self::step(self, inputs)
    }

    fn view_into(&self, view: &mut View) {
        Self::view_into(self, view);
    }

    fn steps_per_second(&self) -> u32 {
        Self::steps_per_second(self)
    }
}

/// Whether a match is also played in other windows. Those cannot wait while this one shows something else, such as the settings, and only
/// the host begins the match again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NetworkRole {
    /// Only in this window.
    #[default]
    Alone,
    /// Guests have joined this window over a network.
    Host,
    /// This window has joined a host over a network.
    Guest,
}

/// The purpose of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchPurpose {
    /// Runs behind the title.
    Title,
    /// Is played.
    Match,
}
