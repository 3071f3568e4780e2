//! `bounty_hunter prove`: a match that must end in the same state however its steps are run.

use std::error::Error;

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use ecs::snapshot::SaveError;
use ecs::{Engine, EngineBuilder};
use ecs_prove::{Program, Proof, prove};

use super::arguments::ProveArguments;

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
    let saves = not_saved.map_or_else(String::new, |reason| format!("; saves were not checked: {reason}"));
    Ok(format!(
        "{}: {frames} steps, {checked} of them checked in {runs} more runs, without a difference{saves}",
        arguments.game.mode()
    ))
}
