//! The process that plays one of two compared matches: it reads a request from each line, and writes an answer.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, Write};

use bounty_hunter::assets::Assets;
use bounty_hunter::foreign_file::{self, FileKind};
use bounty_hunter::input::Inputs;
use bounty_hunter::replay::{About, Playback};
use bounty_hunter::simulation::{Simulation, SimulationSnapshot};
use bounty_hunter::view::Ending;
use ecs::inspect::StateDump;
use ecs::snapshot::StateHash;
use ecs::{Engine, EntityId};
use serde::{Deserialize, Serialize};

use crate::command_line::Failure;
use crate::command_line::arguments::ReplayArguments;
use crate::command_line::output::write_json;
use crate::command_line::replay::{read, refuse};
use crate::command_line::why::why_in_step;

/// A request, as one line of JSON.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Request {
    /// Go on to this step and tell the hash of the state, or nothing behind the last step. Steps are asked for one by
    /// one, from 0 or from that of the given state.
    Hash(u64),
    /// Tell the state.
    Dump,
    /// Tell what wrote a field in this step.
    Why { entity: Option<EntityId>, field: String },
    /// Tell the systems in their order.
    Systems,
    /// Take the last step again with these systems alone, and tell the hash of the state.
    Only(Vec<String>),
    /// Play to the end and tell how it ends.
    Outcome,
}

/// The answer to each request, or why there is none.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Hash(Option<StateHash>),
    Dump(StateDump),
    Why(String),
    Systems(Vec<String>),
    Outcome(Outcome),
}

/// How a match ends.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Outcome {
    steps: u64,
    /// Nothing if the replay ends before the match.
    ending: Option<Ending>,
    winner: Option<u32>,
    stashes: Vec<f32>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { steps, ending, winner, stashes } = self;
        match (ending, winner) {
            (None, _) => write!(f, "is not over after {steps} steps")?,
            (Some(ending), Some(winner)) => {
                write!(f, "ends after {steps} steps ({}): player {winner} wins", ending.name())?
            }
            (Some(ending), None) => write!(f, "ends after {steps} steps ({}) with a draw", ending.name())?,
        }
        let stashes: Vec<_> = stashes.iter().map(|points| format!("{points:.1}")).collect();
        write!(f, "; stashes {}", stashes.join(", "))
    }
}

/// A match that is played step by step.
struct Played {
    about: About,
    simulation: Simulation,
    inputs: BTreeMap<u64, Inputs>,
    /// The step that was taken last, and the state before it.
    step: u64,
    before: SimulationSnapshot,
}

/// Plays a replay as the lines of `requests` ask, until they end.
pub(crate) fn answer(
    assets: &Assets,
    arguments: &ReplayArguments,
    requests: impl BufRead,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let (replay, engine) = (read(&arguments.file)?, Engine::builder().threads(arguments.threads.count()));
    let replay = if arguments.edits { Ok(replay) } else { replay.without_edits() };
    let playback = replay.and_then(|replay| Playback::with_other_assets(replay, assets, engine));
    let (about, simulation, inputs) = playback.map_err(|error| refuse(&arguments.file, &error))?.into_parts();
    let mut played = Played { about, simulation, inputs, step: 0, before: SimulationSnapshot::default() };
    if let Some(file) = &arguments.state {
        let refuse = |problem: String| Failure::BadInput(format!("the state {} {problem}", file.display()));
        let bytes = foreign_file::read(file, FileKind::State);
        let bytes = bytes.map_err(|error| refuse(foreign_file::problem(&error)))?;
        let loaded = played.simulation.load(&bytes);
        loaded.map_err(|error| refuse(format!("cannot be loaded: {error}")))?;
        played.step = played.simulation.tick();
    }
    for request in requests.lines() {
        let request = serde_json::from_str(&request?).map_err(|error| Failure::BadInput(error.to_string()))?;
        write_json(out, &played.answer(request))?;
        out.flush()?;
    }
    Ok(())
}

impl Played {
    fn answer(&mut self, request: Request) -> Result<Answer, String> {
        match request {
            Request::Hash(step) => self.hash_at(step).map(Answer::Hash),
            Request::Dump => {
                let dump = self.simulation.engine_mut().inspector().dump();
                dump.map(Answer::Dump).map_err(|error| error.to_string())
            }
            Request::Why { entity, field } => self.why(entity, &field).map(Answer::Why),
            Request::Systems => {
                let explained = self.simulation.engine_mut().explain().map_err(|error| error.to_string())?;
                let enabled = explained.systems.iter().filter(|system| system.is_enabled);
                Ok(Answer::Systems(enabled.map(|system| system.system.to_owned()).collect()))
            }
            Request::Only(systems) => self.hash_of_systems(&systems).map(Answer::Hash),
            Request::Outcome => {
                while self.step < self.about.steps {
                    self.take(self.step + 1)?;
                }
                let (result, stashes) = (self.simulation.result(), self.simulation.stashes());
                let (steps, ending) = (self.simulation.tick(), result.as_ref().map(|result| result.ending));
                Ok(Answer::Outcome(Outcome { steps, ending, winner: result.and_then(|result| result.winner), stashes }))
            }
        }
    }

    fn hash_at(&mut self, step: u64) -> Result<Option<StateHash>, String> {
        if step > self.about.steps {
            return Ok(None);
        }
        if step > self.step {
            self.simulation.snapshot_into(&mut self.before).map_err(|error| error.to_string())?;
            self.take(step)?;
        }
        self.simulation.engine_mut().state_hash().map(Some).map_err(|error| error.to_string())
    }

    fn take(&mut self, step: u64) -> Result<(), String> {
        if step != self.step + 1 {
            return Err(format!("step {step} does not follow step {}", self.step));
        }
        let none = Inputs::none();
        self.simulation.step(self.inputs.get(&step).unwrap_or(&none));
        self.step = step;
        Ok(())
    }

    /// Takes the last step again with some systems alone.
    fn hash_of_systems(&mut self, systems: &[String]) -> Result<Option<StateHash>, String> {
        let told = |error: ecs::Error| error.to_string();
        let none = Inputs::none();
        let inputs = self.inputs.get(&self.step).unwrap_or(&none);
        self.simulation.restore(&self.before).map_err(told)?;
        let engine = self.simulation.engine_mut();
        let only = engine.work_state().with_only(systems.iter().map(String::as_str));
        engine.set_work_state(&only).map_err(|error| error.to_string())?;
        self.simulation.step(inputs);
        let hash = self.simulation.engine_mut().state_hash().map_err(told)?;
        self.simulation.restore(&self.before).map_err(told)?;
        self.simulation.step(inputs);
        Ok(Some(hash))
    }

    /// Takes the last step again while a field is watched.
    fn why(&mut self, entity: Option<EntityId>, field: &str) -> Result<String, String> {
        let field = match self.simulation.engine_mut().inspector().field(entity, field) {
            Ok(field) => field,
            Err(error) => return Ok(error.to_string()),
        };
        let none = Inputs::none();
        let inputs = self.inputs.get(&self.step).unwrap_or(&none);
        let why = why_in_step(&mut self.simulation, &self.before, inputs, &field);
        why.map(|why| why.to_string()).map_err(|error| error.to_string())
    }
}
