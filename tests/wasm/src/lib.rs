//! What `tests/wasm/compare.mjs` calls in WebAssembly: matches that are simulated or replayed, and answered with a hash.
//!
//! One text at a time goes in and out through a buffer, which the other side writes to and reads from.
// Exported names are unsafe, since the linker takes whatever has them; these are the only ones.
#![allow(unsafe_code)]

use std::sync::{Mutex, MutexGuard, PoisonError};

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::replay::{Playback, Replay};
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::GameState;
use ecs::{Engine, EngineBuilder};

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn buffer() -> MutexGuard<'static, Vec<u8>> {
    BUFFER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where the buffer lies, with room for so many bytes. What is in it stays, and the next call of anything may move it.
// SAFETY: nothing else has this name.
#[unsafe(no_mangle)]
pub extern "C" fn buffer_of(bytes: usize) -> *mut u8 {
    let mut buffer = buffer();
    let longer = bytes.max(buffer.len());
    buffer.resize(longer, 0);
    buffer.as_mut_ptr()
}

/// Plays the match that `bounty_hunter simulate` plays, in the mode that is named in the buffer, and returns the length of
/// the answer there: the steps and the hash.
// SAFETY: nothing else has this name.
#[unsafe(no_mangle)]
pub extern "C" fn simulate(mode_bytes: usize, seed: u64, players: u32, most_ticks: u32) -> usize {
    let mode = String::from_utf8_lossy(&buffer()[..mode_bytes]).into_owned();
    answer(simulated(&mode, seed, players as usize, u64::from(most_ticks)))
}

/// Plays the replay again that is in the buffer, and returns the length of the answer there: the steps and the last hash if it
/// goes the same way.
// SAFETY: nothing else has this name.
#[unsafe(no_mangle)]
pub extern "C" fn verify(replay_bytes: usize) -> usize {
    let bytes = buffer()[..replay_bytes].to_vec();
    answer(verified(&bytes))
}

fn answer(outcome: Result<String, String>) -> usize {
    let text = outcome.unwrap_or_else(|error| format!("refused: {error}"));
    *buffer() = text.into_bytes();
    buffer().len()
}

/// There are no threads to be had here, which is to make no difference.
fn engine() -> EngineBuilder {
    Engine::builder().threads(2)
}

fn simulated(mode: &str, seed: u64, players: usize, most_ticks: u64) -> Result<String, String> {
    let assets = Assets::built_in().in_mode(mode).map_err(|error| error.to_string())?;
    let setup = MatchSetup::of_ais(seed, players, &assets.game.ai);
    let simulation = Simulation::with_engine(&assets, &setup, engine());
    let mut simulation = simulation.map_err(|error| error.to_string())?;
    while simulation.state() != GameState::GameOver && simulation.tick() < most_ticks {
        simulation.step(&Inputs::none());
    }
    Ok(format!("{} steps, hash {:016x}", simulation.tick(), simulation.state_hash()))
}

fn verified(bytes: &[u8]) -> Result<String, String> {
    let replay = Replay::from_bytes(bytes).map_err(|error| error.to_string())?;
    let playback = Playback::new(replay, &Assets::built_in(), engine());
    let mut playback = playback.map_err(|error| error.to_string())?;
    playback.verify().map_err(|difference| difference.to_string())?;
    let simulation = playback.simulation();
    Ok(format!("{} steps, hash {:016x}", simulation.tick(), simulation.state_hash()))
}
