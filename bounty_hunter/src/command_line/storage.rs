//! What a simulated match keeps in the archive, as far as the command line asks for it.

use bounty_hunter::assets::Assets;
use bounty_hunter::replay::{Recorder, Replay};
use bounty_hunter::simulation::Simulation;
use ecs::EngineBuilder;

use super::archive::{Archive, MatchRecord, SavedMatch};
use super::arguments::SimulateArguments;

/// The archive, if there is one, and what is to get into it.
pub(crate) struct Storage<'a> {
    archive: Option<Archive>,
    arguments: &'a SimulateArguments,
    /// The match was over when it was loaded, so its result is kept already where it was wanted.
    was_over: bool,
}

impl<'a> Storage<'a> {
    pub(crate) fn open(arguments: &'a SimulateArguments) -> Result<Self, String> {
        let archive = arguments.data.as_deref().map(Archive::open).transpose().map_err(|error| error.to_string())?;
        Ok(Self { archive, arguments, was_over: false })
    }

    pub(crate) fn is_there(&self) -> bool {
        self.archive.is_some()
    }

    /// The match to go on with, and its recording so far.
    pub(crate) fn load(
        &mut self,
        assets: &Assets,
        engine: EngineBuilder,
    ) -> Result<Option<(Simulation, Recorder)>, String> {
        let (Some(archive), Some(slot)) = (&self.archive, &self.arguments.load) else { return Ok(None) };
        let saved = archive.load(slot).map_err(|error| error.to_string())?;
        let (simulation, recorder) = saved.resume(assets, engine)?;
        self.was_over = simulation.result().is_some();
        Ok(Some((simulation, recorder)))
    }

    /// Saves the match where it is time to.
    pub(crate) fn after_step(&mut self, simulation: &mut Simulation, recorder: &Recorder) -> Result<(), String> {
        match self.arguments.every {
            Some(every) if simulation.tick().is_multiple_of(every) => {
                let replay = recorder.replay(simulation);
                self.save(simulation, replay)
            }
            _ => Ok(()),
        }
    }

    /// Saves a match that has stopped, and keeps its result if it is over.
    pub(crate) fn after_match(&mut self, simulation: &mut Simulation, replay: &Replay) -> Result<(), String> {
        if let (Some(archive), Some(record), false) =
            (&mut self.archive, MatchRecord::of(simulation, replay.clone()), self.was_over)
        {
            archive.add_result(&record).map_err(|error| error.to_string())?;
        }
        self.save(simulation, replay.clone())
    }

    fn save(&mut self, simulation: &mut Simulation, replay: Replay) -> Result<(), String> {
        let (Some(archive), Some(slot)) = (&mut self.archive, &self.arguments.save) else { return Ok(()) };
        let state = simulation.save().map_err(|error| error.to_string())?;
        archive.save(slot, &SavedMatch { replay, state }).map_err(|error| error.to_string())
    }
}
