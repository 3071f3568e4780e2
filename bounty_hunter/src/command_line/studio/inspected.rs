//! [`Inspected`]: a simulated match that the studio may stop, change and send back in time.

use std::io::{Write, stderr};
use std::thread::park_timeout;
use std::time::Duration;

use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{Simulation, StepReport};
use ecs::EngineBuilder;
use ecs_studio::Studio;

use super::{add_panel_of_ais, measured, note_watched, page_at};
use crate::command_line::arguments::{SimulateArguments, StudioArguments};

/// The time between two looks for requests while nothing runs.
const PAUSE: Duration = Duration::from_millis(5);

/// A match of `simulate`, with or without a studio.
pub(crate) struct Inspected {
    studio: Option<Studio<Simulation>>,
    /// The last step that was taken.
    tick: Option<u64>,
    /// The step of its end.
    ended_at: Option<u64>,
    is_changed: bool,
}

impl Inspected {
    /// Serves the page, and prints where it is, if the arguments ask for it.
    pub(crate) fn open(arguments: &SimulateArguments) -> Result<Self, String> {
        let StudioArguments { studio, studio_token } = &arguments.studio;
        let open = |address: &String| {
            let mut studio = Studio::new();
            add_panel_of_ais(&mut studio);
            let address = studio.listen(address, studio_token.as_deref()).map_err(|error| error.to_string())?;
            // Standard output is for the results.
            _ = writeln!(stderr(), "the studio is at {}", page_at(address, studio_token.as_deref()));
            Ok::<_, String>(studio)
        };
        Ok(Self { studio: studio.as_ref().map(open).transpose()?, tick: None, ended_at: None, is_changed: false })
    }

    /// The settings of the engine, which measures what the page shows if there is one.
    pub(crate) fn engine(&self, engine: EngineBuilder) -> EngineBuilder {
        match &self.studio {
            Some(_) => measured(engine),
            None => engine,
        }
    }

    /// Takes a step; `None` while the match is paused, after a short time.
    pub(crate) fn step(&mut self, simulation: &mut Simulation, inputs: &Inputs) -> Option<StepReport> {
        let Some(studio) = &mut self.studio else { return Some(simulation.step(inputs)) };
        note_watched(studio.is_watched());
        let report = studio.frame(simulation, |simulation| simulation.step(inputs));
        let changes = studio.take_changes();
        self.is_changed |= !changes.edits.is_empty() || changes.is_incomplete;
        match report {
            Some(report) => {
                self.is_changed |= self.tick.is_some_and(|before| report.tick < before);
                self.is_changed |= self.ended_at.is_some_and(|end| report.tick > end);
                self.tick = Some(report.tick);
            }
            None => park_timeout(PAUSE),
        }
        report
    }

    /// Whether the page is open, so that the match stays after its end at this step.
    pub(crate) fn stays(&mut self, tick: u64) -> bool {
        let Some(studio) = self.studio.as_mut().filter(|studio| studio.is_watched()) else { return false };
        studio.pause("the match is over");
        self.ended_at.get_or_insert(tick);
        true
    }

    /// Refuses to report a match that was not played as it was set up.
    pub(crate) fn check(&self) -> Result<(), String> {
        match self.is_changed {
            true => Err("the match is not reported: the studio has changed it".to_owned()),
            false => Ok(()),
        }
    }
}
