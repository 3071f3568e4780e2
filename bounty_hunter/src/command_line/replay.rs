//! `bounty_hunter replay`, and replay files.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use bounty_hunter::assets::Assets;
use bounty_hunter::replay::{About, Difference, MAX_BYTES, Playback, Replay};
use bounty_hunter::whole_file;
use ecs::Engine;
use serde::Serialize;

use super::Failure;
use super::arguments::ReplayArguments;
use super::output::{write_json, write_line};
use super::platform;

/// The result of verifying a replay. The order of the fields is the order of the keys in JSON.
#[derive(Debug, Serialize)]
struct ReplayReport<'a> {
    mode: &'a str,
    level: &'a str,
    seed: u64,
    players: usize,
    /// Version of the program that recorded it.
    version: &'a str,
    /// Number of recorded steps.
    ticks: u64,
    /// Hash of the recorded state after the last step, 16 hexadecimal digits.
    hash: String,
    /// Whether the match repeated.
    agrees: bool,
    /// The last step known to agree, if a later one differs.
    agrees_until: Option<u64>,
    /// The first step known to differ.
    differs_at: Option<u64>,
}

/// Plays a replay without a window, and prints whether the match repeats.
pub(crate) fn verify(assets: &Assets, arguments: &ReplayArguments, out: &mut impl Write) -> Result<(), Failure> {
    let mut playback = playback(assets, arguments)?;
    let verdict = playback.verify();
    let hash = playback.last_hash();
    if arguments.json {
        write_json(out, &report(playback.about(), hash, verdict.as_ref().err()))?;
    }
    let About { setup, mode, level, steps, .. } = playback.about();
    match verdict {
        Ok(()) if arguments.json => Ok(()),
        Ok(()) => write_line(
            out,
            format_args!(
                "seed {}, {} players, mode {mode}, level {level}: all {steps} steps went the same way, to the hash \
                 {hash:016x}",
                setup.seed,
                setup.seats.len(),
            ),
        ),
        Err(difference) => Err(refuse(&arguments.file, &difference)),
    }
}

fn report<'a>(about: &'a About, hash: u64, difference: Option<&Difference>) -> ReplayReport<'a> {
    let About { setup, mode, level, version, steps, .. } = about;
    ReplayReport {
        mode,
        level,
        seed: setup.seed,
        players: setup.seats.len(),
        version,
        ticks: *steps,
        hash: format!("{hash:016x}"),
        agrees: difference.is_none(),
        agrees_until: difference.map(|difference| difference.agrees_until),
        differs_at: difference.map(|difference| difference.differs_at),
    }
}

/// Reads a replay file, and sets the match up.
pub(crate) fn playback(assets: &Assets, arguments: &ReplayArguments) -> Result<Playback, Failure> {
    let file = &arguments.file;
    let replay = read(file)?;
    let engine = Engine::builder().threads(arguments.threads.count());
    let make = if arguments.edits { Playback::with_edits } else { Playback::new };
    make(replay, assets, engine).map_err(|error| refuse(file, &error))
}

/// Reads a replay file.
pub(crate) fn read(file: &Path) -> Result<Replay, Failure> {
    let bytes = platform::replay(file).map_err(|error| refuse(file, &error))?;
    Replay::from_bytes(&bytes).map_err(|error| refuse(file, &error))
}

/// Refuses a file that cannot be written, before the match starts.
pub(crate) fn check_writable(file: &Path) -> Result<(), Failure> {
    let file = &plain_file(file)?;
    let part = file.with_added_extension("part");
    let was_there = part.exists();
    let opened = File::options().append(true).create(true).open(&part);
    match opened.and_then(|_| if was_there { Ok(()) } else { fs::remove_file(&part) }) {
        Ok(()) => Ok(()),
        Err(error) => Err(cannot_be_written(file, &error)),
    }
}

/// Writes a replay to a file, completely or not at all.
pub(crate) fn write(file: &Path, replay: &Replay) -> Result<(), Failure> {
    let file = &plain_file(file)?;
    let bytes = replay.to_bytes();
    if bytes.len() as u64 > MAX_BYTES {
        let problem = format!("the replay has {} bytes, must have at most {MAX_BYTES}", bytes.len());
        return Err(Failure::BadInput(format!("{} is not written: {problem}", file.display())));
    }
    whole_file::write(file, &bytes).map_err(|error| cannot_be_written(file, &error))
}

/// The file behind symbolic links. Refuses anything but a plain file.
fn plain_file(file: &Path) -> Result<PathBuf, Failure> {
    match fs::metadata(file) {
        Ok(there) if there.is_dir() => Err(Failure::BadInput(not_written(file, &"it is a directory"))),
        Ok(there) if !there.is_file() => Err(Failure::BadInput(not_written(file, &"it is not a plain file"))),
        Ok(_) => fs::canonicalize(file).map_err(|error| cannot_be_written(file, &error)),
        // It does not exist yet, or writing it reports the error.
        Err(_) => Ok(file.to_owned()),
    }
}

fn cannot_be_written(file: &Path, error: &std::io::Error) -> Failure {
    Failure::Machine(not_written(file, error))
}

fn not_written(file: &Path, reason: &impl std::fmt::Display) -> String {
    format!("the replay {} cannot be written: {reason}", file.display())
}

pub(crate) fn refuse(file: &Path, error: &impl std::fmt::Display) -> Failure {
    Failure::BadInput(format!("the replay {} cannot be played: {error}", file.display()))
}
