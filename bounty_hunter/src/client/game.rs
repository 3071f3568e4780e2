//! The interface between the window and the match that it shows.

use crate::data::input::Inputs;
use crate::simulation::view::View;
use crate::simulation::{Simulation, StepReport};

/// What the window plays: something that is stepped with inputs and looked at through views.
pub trait Game {
    /// Goes one step further.
    fn step(&mut self, inputs: &Inputs) -> StepReport;

    /// Overwrites `view` with the picture after the last step, reusing its memory.
    fn view_into(&self, view: &mut View);

    /// Goes back by so many steps, or as far as it can; returns whether it went anywhere. What comes next happens anew.
    fn go_back(&mut self, _steps: u32) -> bool {
        false
    }

    /// Steps per second at the speed of play; another number where a match of another mode was loaded.
    fn steps_per_second(&self) -> u32;

    /// Steps that it can go back by; `None` for one that keeps nothing of its past.
    fn steps_back(&self) -> Option<u64> {
        None
    }

    /// Saves the match, if there is anywhere to save it; what came of it is a notice.
    fn save(&mut self) {}

    /// Goes on from where the match was saved; returns whether it does.
    fn load(&mut self) -> bool {
        false
    }

    /// A sentence for whoever runs the game, such as what is wrong with a file that it follows; shown until it is `None`.
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

/// What a match is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchPurpose {
    /// It is played behind the title.
    Title,
    /// It is what the window is there for.
    Match,
}
