//! [`Inspected`]: a simulated match that the studio may stop, change and send back in time.

use std::io::{Write, stderr};
use std::thread::park_timeout;
use std::time::Instant;

use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{Simulation, StepReport};
use ecs::EngineBuilder;
use ecs_studio::Studio;

use super::{add_panel_of_ais, measured, note_watched, page_at};
use crate::command_line::arguments::{SimulateArguments, Speed, StudioArguments};
use crate::command_line::pace::{BETWEEN_LOOKS, Pace};

/// A match of `simulate`, with or without a studio.
pub(crate) struct Inspected {
    studio: Option<Studio<Simulation>>,
    speed: Speed,
    /// Set with the first step, unless it runs as fast as possible.
    pace: Option<Pace>,
    /// The last step that was taken.
    tick: Option<u64>,
    /// The step of its end.
    ended_at: Option<u64>,
    is_changed: bool,
}

impl Inspected {
    /// Serves the page, and prints where it is, if the arguments ask for it.
    pub(crate) fn open(arguments: &SimulateArguments) -> Result<Self, String> {
        let StudioArguments { studio, studio_token, .. } = &arguments.studio;
        let open = |address: &String| {
            let mut studio = Studio::new();
            add_panel_of_ais(&mut studio);
            arguments.studio.history_bytes().into_iter().for_each(|bytes| studio.limit_history(bytes));
            if arguments.headless.wait {
                studio.pause("the match waits: let it run");
            }
            let address = studio.listen(address, studio_token.as_deref()).map_err(|error| error.to_string())?;
            // Standard output is for the results.
            _ = writeln!(stderr(), "the studio is at {}", page_at(address, studio_token.as_deref()));
            Ok::<_, String>(studio)
        };
        let speed = arguments.headless.speed.unwrap_or(Speed::AsFastAsPossible);
        let studio = studio.as_ref().map(open).transpose()?;
        Ok(Self { studio, speed, pace: None, tick: None, ended_at: None, is_changed: false })
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
        if let (None, Some(step)) = (&self.pace, self.speed.step(simulation.steps_per_second())) {
            self.pace = Some(Pace::new(step, Instant::now()));
        }
        if let Some(pace) = &mut self.pace {
            pace.wait_and(|| studio.serve(simulation));
        }
        let report = studio.frame(simulation, |simulation| simulation.step(inputs));
        let changes = studio.take_changes();
        self.is_changed |= !changes.edits.is_empty() || changes.is_incomplete;
        match report {
            Some(report) => {
                self.is_changed |= self.tick.is_some_and(|before| report.tick < before);
                self.is_changed |= self.ended_at.is_some_and(|end| report.tick > end);
                self.tick = Some(report.tick);
            }
            None => park_timeout(BETWEEN_LOOKS),
        }
        report
    }

    /// Whether to take no further step, because the match `is_over`. With a studio, it pauses then instead, until the
    /// page ends it.
    pub(crate) fn ends(&mut self, simulation: &mut Simulation, is_over: bool) -> bool {
        let Some(studio) = &mut self.studio else { return is_over };
        if studio.is_ended() {
            studio.leave(simulation);
            return true;
        }
        if is_over && self.ended_at.is_none() {
            self.ended_at = Some(simulation.tick());
            // Standard output is for the results.
            _ = writeln!(stderr(), "the match is over and waits: \"End\" on the page ends it and prints its result");
        }
        if is_over && studio.notice().is_none() {
            studio.pause_at_the_end("the match is over");
        }
        false
    }

    /// Refuses to report a match that was not played as it was set up.
    pub(crate) fn check(&self) -> Result<(), String> {
        match self.is_changed {
            true => Err("the match is not reported: the studio has changed it".to_owned()),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use bounty_hunter::assets::Assets;
    use bounty_hunter::simulation::MatchSetup;

    use super::*;
    use crate::command_line::arguments::{HeadlessArguments, SimulateArguments};

    fn ask(inspected: &mut Inspected, simulation: &mut Simulation, request: &str) -> serde_json::Value {
        let studio = inspected.studio.as_mut().expect("it was asked for");
        serde_json::from_str(&studio.answer(simulation, request)).unwrap()
    }

    #[test]
    fn match_waits_for_the_page_and_pauses_at_its_end_with_its_history() {
        let setup = MatchSetup::of_ais(7, 2, "normal");
        let mut simulation = Simulation::new(&Assets::built_in(), &setup).unwrap();
        let mut alone = Simulation::new(&Assets::built_in(), &setup).unwrap();
        let mut inspected = Inspected::open(&SimulateArguments {
            studio: StudioArguments { studio: Some("127.0.0.1:0".to_owned()), ..StudioArguments::default() },
            headless: HeadlessArguments { wait: true, speed: Some(Speed::Times(1_000.0)) },
            ..SimulateArguments::default()
        })
        .unwrap();
        let none = Inputs::none();
        assert!((0..3).all(|_| inspected.step(&mut simulation, &none).is_none()), "it waits");
        let status = ask(&mut inspected, &mut simulation, r#"{ "op": "status" }"#);
        assert_eq!((&status["notice"], &status["at_end"]), (&"the match waits: let it run".into(), &false.into()));
        let refused = ask(&mut inspected, &mut simulation, r#"{ "op": "end" }"#);
        assert_eq!(refused["error"], "the program does not wait at its end");
        ask(&mut inspected, &mut simulation, r#"{ "op": "run" }"#);
        for _ in 0..100 {
            assert!(inspected.step(&mut simulation, &none).is_some());
            alone.step(&none);
        }
        // Its end, which nothing but the page ends.
        assert!(!inspected.ends(&mut simulation, true) && inspected.step(&mut simulation, &none).is_none());
        ask(&mut inspected, &mut simulation, r#"{ "op": "seek", "frame": 31 }"#);
        assert_eq!(simulation.tick(), 31);
        assert!(inspected.step(&mut simulation, &none).is_none());
        let status = ask(&mut inspected, &mut simulation, r#"{ "op": "status" }"#);
        assert_eq!((&status["at_end"], &status["oldest"], &status["latest"]), (&true.into(), &0.into(), &100.into()));
        ask(&mut inspected, &mut simulation, r#"{ "op": "end" }"#);
        assert!(inspected.ends(&mut simulation, false), "it is ended, from the past, and has its present");
        assert_eq!(simulation.state_hash(), alone.state_hash());
        inspected.check().unwrap();
    }
}
