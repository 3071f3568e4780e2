//! `bounty_hunter prove`: a match that must end in the same state however its steps are run.

use std::error::Error;
use std::path::Path;

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::replay::Recorder;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use ecs::inspect::{Comparison, Folding};
use ecs::snapshot::SaveError;
use ecs::{Engine, EngineBuilder};
use ecs_prove::{Program, Proof, prove};

use super::Failure;
use super::arguments::ProveArguments;
use super::compare::side::Side;
use super::replay::write;

/// A match. What its simulation keeps beside the engine counts steps for reports and decides nothing.
pub(crate) struct Match(pub(crate) Simulation);

impl Program for Match {
    fn engine(&mut self) -> &mut Engine {
        self.0.engine_mut()
    }

    fn save(&mut self) -> Result<Vec<u8>, SaveError> {
        self.0.save()
    }

    /// Loading sets the masks of ghosts, which no save holds.
    fn load(&mut self, bytes: &[u8]) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(self.0.load(bytes)?)
    }
}

/// Proves a match; returns what was proved, as one sentence.
///
/// # Errors
/// What the prover found.
pub(crate) fn prove_match(assets: Assets, arguments: &ProveArguments) -> Result<String, String> {
    let seconds = arguments.minutes * 60;
    let mut setup = MatchSetup::of_ais(arguments.seed, assets.game.players as usize, "normal");
    setup.play_seconds = Some(seconds as f32);
    let make = |engine: EngineBuilder| Simulation::with_engine(&assets, &setup, engine).map(Match);
    let step = |game: &mut Match, _| -> Result<(), ecs::Error> {
        game.0.step(&Inputs::none());
        Ok(())
    };
    let frames = u64::from(seconds) * u64::from(assets.game.steps_per_second);
    let prover = prove(make, step).frames(frames).every(arguments.every.into()).orders(0..arguments.orders.into());
    let prover = prover.processes(arguments.processes);
    let Proof { frames, checked, runs, not_saved, .. } =
        prover.run().map_err(|refuted| refuted.to_string().replace("\n ", ";"))?;
    let steps = arguments.with.as_deref().map(|with| play_by(with, &assets, &setup, arguments, frames)).transpose()?;
    let builds = steps.map_or_else(String::new, |steps| format!("; the other build plays {steps} steps alike"));
    let saves = not_saved.map_or_else(String::new, |reason| format!("; saves were not checked: {reason}"));
    Ok(format!(
        "{}: {frames} steps, {checked} of them checked in {runs} more runs, without a difference{builds}{saves}",
        arguments.game.mode()
    ))
}

/// Lets another build play the match beside this one; returns the steps that both have played alike.
fn play_by(
    with: &Path,
    assets: &Assets,
    setup: &MatchSetup,
    arguments: &ProveArguments,
    steps: u64,
) -> Result<u64, String> {
    let mut recorder = Recorder::new(arguments.game.mode(), assets, setup).map_err(|error| error.to_string())?;
    // A file needs the hash of the last state.
    let mut simulation = Simulation::new(assets, setup).map_err(|error| error.to_string())?;
    for _ in 0..steps {
        simulation.step(&Inputs::none());
        recorder.note(&Inputs::none(), &mut simulation);
    }
    let here = std::env::current_exe().map_err(|error| format!("this program is not found: {error}"))?;
    let file = std::env::temp_dir().join(format!("bounty_hunter_prove_{}.replay", std::process::id()));
    let played = write(&file, &recorder.replay(&mut simulation)).and_then(|()| {
        let directory = arguments.game.assets.as_deref();
        let mut one = Side::start(&here, &file, directory, None, false)?;
        let mut other = Side::start(with, &file, directory, None, false)?;
        Comparison::of(&mut one, &mut other, &Folding::default())
    });
    _ = std::fs::remove_file(&file);
    let comparison = played.map_err(Failure::sentence)?;
    match comparison.frame {
        None => Ok(comparison.frames),
        Some(_) => Err(format!("the other build plays another match: {}", comparison.told("step")).replace("\n ", ";")),
    }
}
