//! The functions that `tests/wasm/compare.mjs` calls in WebAssembly: they simulate or replay a match and return its
//! hash, and play a match of a day.
//!
//! Arguments and answers pass through one buffer.
// Exported names are unsafe, since another item could have the same name.
#![allow(unsafe_code)]

use std::sync::{Mutex, MutexGuard, PoisonError};

use bounty_hunter::assets::Assets;
use bounty_hunter::daily::{self, Day};
use bounty_hunter::input::{Inputs, Intent};
use bounty_hunter::replay::{Playback, Recorder, Replay};
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::GameState;
use ecs::{Engine, EngineBuilder};

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn buffer() -> MutexGuard<'static, Vec<u8>> {
    BUFFER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The address of the buffer, with room for `bytes`. Its content stays; any later call may move it.
// SAFETY: no other item has this name.
#[unsafe(no_mangle)]
pub extern "C" fn buffer_of(bytes: usize) -> *mut u8 {
    let mut buffer = buffer();
    let longer = bytes.max(buffer.len());
    buffer.resize(longer, 0);
    buffer.as_mut_ptr()
}

/// Plays a match as `bounty_hunter simulate` does, in the mode named in the buffer. Writes the steps and the hash to
/// the buffer and returns the length of this answer.
// SAFETY: no other item has this name.
#[unsafe(no_mangle)]
pub extern "C" fn simulate(mode_bytes: usize, seed: u64, players: u32, most_ticks: u32) -> usize {
    let mode = String::from_utf8_lossy(&buffer()[..mode_bytes]).into_owned();
    answer(simulated(&mode, seed, players as usize, u64::from(most_ticks)))
}

/// Verifies the replay in the buffer. Writes the steps and the last hash to the buffer and returns the length of this
/// answer.
// SAFETY: no other item has this name.
#[unsafe(no_mangle)]
pub extern "C" fn verify(replay_bytes: usize) -> usize {
    let bytes = buffer()[..replay_bytes].to_vec();
    answer(verified(&bytes))
}

/// Plays the match of the day that is named in the buffer. Writes the replay of this try to the buffer and returns its
/// length.
// SAFETY: no other item has this name.
#[unsafe(no_mangle)]
pub extern "C" fn daily_try(day_bytes: usize) -> usize {
    let day = String::from_utf8_lossy(&buffer()[..day_bytes]).into_owned();
    match tried(&day) {
        Ok(replay) => {
            *buffer() = replay;
            buffer().len()
        }
        Err(error) => answer(Err(error)),
    }
}

/// Verifies the try of a day in the buffer. Writes its result to the buffer and returns the length of this answer.
// SAFETY: no other item has this name.
#[unsafe(no_mangle)]
pub extern "C" fn daily_verify(replay_bytes: usize) -> usize {
    let bytes = buffer()[..replay_bytes].to_vec();
    let result = Replay::from_bytes(&bytes).map_err(|error| error.to_string());
    let result = result.and_then(|replay| {
        let result = daily::verify(replay, &Assets::built_in());
        result.map(|result| result.to_string()).map_err(|error| error.to_string())
    });
    answer(result)
}

fn answer(outcome: Result<String, String>) -> usize {
    let text = outcome.unwrap_or_else(|error| format!("refused: {error}"));
    *buffer() = text.into_bytes();
    buffer().len()
}

/// WebAssembly has no threads here, which must not change the result.
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

/// The replay of a try by a person who drives to and fro.
fn tried(day: &str) -> Result<Vec<u8>, String> {
    let day: Day = day.parse()?;
    let assets = Assets::built_in().in_mode(day.mode()).map_err(|error| error.to_string())?;
    let setup = day.setup(&Assets::built_in()).map_err(|error| error.to_string())?;
    let simulation = Simulation::with_engine(&assets, &setup, engine());
    let mut simulation = simulation.map_err(|error| error.to_string())?;
    let mut recorder = Recorder::new(day.mode(), &assets, &setup).map_err(|error| error.to_string())?;
    while simulation.state() != GameState::GameOver {
        let inputs = match simulation.tick() % 120 {
            0 => Inputs::none().intent(0, Intent { drive: 1.0, turn: 0.0625 }),
            60 => Inputs::none().intent(0, Intent { drive: 0.5, turn: -0.3125 }),
            _ => Inputs::none(),
        };
        simulation.step(&inputs);
        recorder.note(&inputs, &mut simulation);
    }
    Ok(recorder.match_replay(&mut simulation).to_bytes())
}

fn verified(bytes: &[u8]) -> Result<String, String> {
    let replay = Replay::from_bytes(bytes).map_err(|error| error.to_string())?;
    let playback = Playback::new(replay, &Assets::built_in(), engine());
    let mut playback = playback.map_err(|error| error.to_string())?;
    playback.verify().map_err(|difference| difference.to_string())?;
    Ok(format!("{} steps, hash {:016x}", playback.simulation().tick(), playback.state_hash()))
}
