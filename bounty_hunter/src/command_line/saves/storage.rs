//! The storage of simulated matches: results and saves, as far as the arguments ask for them.

use bounty_hunter::assets::Assets;
use bounty_hunter::replay::{Recorder, Replay};
use bounty_hunter::saved_match::SavedMatch;
use bounty_hunter::simulation::Simulation;
use ecs::EngineBuilder;

use super::archive::{Archive, MatchRecord};
use crate::command_line::Failure;
use crate::command_line::arguments::SimulateArguments;

/// The result to store, if any.
pub(crate) type Ended = Option<Box<MatchRecord>>;

/// The place for results.
pub(crate) struct Results(Option<Archive>);

impl Results {
    pub(crate) fn open(arguments: &SimulateArguments) -> Result<Self, Failure> {
        Ok(Self(arguments.data.as_deref().map(Archive::open).transpose()?))
    }

    /// Stores the result of a match.
    pub(crate) fn keep(&mut self, ended: &Ended) -> Result<(), Failure> {
        let (Some(archive), Some(record)) = (&mut self.0, ended) else { return Ok(()) };
        Ok(archive.add_result(record).map(|_| ())?)
    }
}

/// The place for saves of one match.
pub(crate) struct Storage<'a> {
    archive: Option<Archive>,
    arguments: &'a SimulateArguments,
    /// The loaded match was over, so its result is stored already.
    was_over: bool,
}

impl<'a> Storage<'a> {
    pub(crate) fn open(arguments: &'a SimulateArguments) -> Result<Self, Failure> {
        let is_used = arguments.load.is_some() || arguments.save.is_some();
        let archive = arguments.data.as_deref().filter(|_| is_used).map(Archive::open);
        Ok(Self { archive: archive.transpose()?, arguments, was_over: false })
    }

    /// Whether saves or results need the recording of the match.
    pub(crate) fn needs_recording(&self) -> bool {
        self.arguments.data.is_some()
    }

    /// The saved match to continue, with its recording.
    pub(crate) fn load(
        &mut self,
        assets: &Assets,
        engine: EngineBuilder,
    ) -> Result<Option<(Simulation, Recorder)>, Failure> {
        let (Some(archive), Some(slot)) = (&self.archive, &self.arguments.load) else { return Ok(None) };
        let (simulation, recorder) = archive.load(slot)?.resume(assets, engine).map_err(Failure::BadInput)?;
        self.was_over = simulation.result().is_some();
        Ok(Some((simulation, recorder)))
    }

    /// Saves the match every `--every` steps.
    pub(crate) fn after_step(&mut self, simulation: &mut Simulation, recorder: &Recorder) -> Result<(), Failure> {
        match self.arguments.every {
            Some(every) if simulation.tick().is_multiple_of(every) => {
                let replay = recorder.replay(simulation);
                self.save(simulation, replay)
            }
            _ => Ok(()),
        }
    }

    /// Saves the match after its last step, and returns the result to store.
    pub(crate) fn after_match(&mut self, simulation: &mut Simulation, replay: &Replay) -> Result<Ended, Failure> {
        self.save(simulation, replay.clone())?;
        let is_wanted = self.arguments.data.is_some() && !self.was_over;
        Ok(if is_wanted { MatchRecord::of(simulation, replay.clone()).map(Box::new) } else { None })
    }

    fn save(&mut self, simulation: &mut Simulation, replay: Replay) -> Result<(), Failure> {
        let (Some(archive), Some(slot)) = (&mut self.archive, &self.arguments.save) else { return Ok(()) };
        let state = simulation.save().map_err(|error| Failure::BadInput(error.to_string()))?;
        Ok(archive.save(slot, &SavedMatch { replay, state })?)
    }
}
