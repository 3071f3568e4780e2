//! `bounty_hunter replay`, and the files of replays.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use bounty_hunter::assets::Assets;
use bounty_hunter::replay::{About, Difference, MOST_BYTES, Playback, Replay};
use ecs::Engine;
use serde::Serialize;

use super::Failure;
use super::arguments::ReplayArguments;
use super::output::{write_json, write_line};

/// What playing a replay again comes to. The order of the fields is that of the keys in JSON.
#[derive(Debug, Serialize)]
struct ReplayReport<'a> {
    mode: &'a str,
    level: &'a str,
    seed: u64,
    players: usize,
    /// Version of the program that recorded it.
    version: &'a str,
    /// Recorded steps.
    ticks: u64,
    /// Hash of the recorded state after the last step, 16 hexadecimal digits.
    hash: String,
    /// Whether the match went the same way again.
    agrees: bool,
    /// The last step after which the states are known to agree, if they differ later.
    agrees_until: Option<u64>,
    /// The first step after which they are known to differ.
    differs_at: Option<u64>,
}

/// Plays a replay again without a window, and says whether it went the same way.
pub(crate) fn verify(assets: &Assets, arguments: &ReplayArguments, out: &mut impl Write) -> Result<(), Failure> {
    let mut playback = playback(assets, arguments)?;
    let verdict = playback.verify();
    let hash = playback.last_hash();
    if arguments.json {
        write_json(out, &report(playback.about(), hash, verdict))?;
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

fn report(about: &About, hash: u64, verdict: Result<(), Difference>) -> ReplayReport<'_> {
    let About { setup, mode, level, version, steps, .. } = about;
    let difference = verdict.err();
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

/// Reads the replay in a file and makes it ready to be played.
pub(crate) fn playback(assets: &Assets, arguments: &ReplayArguments) -> Result<Playback, Failure> {
    let ReplayArguments { file, threads, .. } = arguments;
    let mut bytes = Vec::new();
    // One byte more than a replay may have tells that there are more.
    let read = File::open(file).and_then(|source| source.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| refuse(file, &error))?;
    let replay = Replay::from_bytes(&bytes).map_err(|error| refuse(file, &error))?;
    let engine = Engine::builder().threads(usize::from(*threads));
    Playback::new(replay, assets, engine).map_err(|error| refuse(file, &error))
}

/// Refuses a file that no replay can be written to, before a match is played for it.
pub(crate) fn check_place(file: &Path) -> Result<(), Failure> {
    let file = &whole(file)?;
    let part = file.with_added_extension("part");
    let was_there = part.exists();
    let opened = File::options().append(true).create(true).open(&part);
    match opened.and_then(|_| if was_there { Ok(()) } else { fs::remove_file(&part) }) {
        Ok(()) => Ok(()),
        Err(error) => Err(can_not_be_written(file, &error)),
    }
}

/// Writes a replay to a file, which is there whole or not at all, whatever happens meanwhile.
pub(crate) fn write(file: &Path, replay: &Replay) -> Result<(), Failure> {
    let file = &whole(file)?;
    let part = file.with_added_extension("part");
    let written = File::create(&part).and_then(|mut out| {
        out.write_all(&replay.to_bytes())?;
        out.sync_all()?;
        fs::rename(&part, file)
    });
    written.map_err(|error| {
        // What is left of it is of no use, and if it can not be removed there is nothing to be done.
        let _ = fs::remove_file(&part);
        can_not_be_written(file, &error)
    })
}

/// The file behind symbolic links. What is there and is no plain file can not be replaced by one.
fn whole(file: &Path) -> Result<PathBuf, Failure> {
    match fs::metadata(file) {
        Ok(there) if there.is_dir() => Err(can_not_be_written(file, &"it is a directory")),
        Ok(there) if !there.is_file() => Err(can_not_be_written(file, &"it is no plain file")),
        Ok(_) => fs::canonicalize(file).map_err(|error| can_not_be_written(file, &error)),
        // It is yet to be made, or the attempt says why it can not be.
        Err(_) => Ok(file.to_owned()),
    }
}

fn can_not_be_written(file: &Path, reason: &impl std::fmt::Display) -> Failure {
    Failure::BadInput(format!("the replay {} can not be written: {reason}", file.display()))
}

fn refuse(file: &Path, error: &impl std::fmt::Display) -> Failure {
    Failure::BadInput(format!("the replay {} can not be played: {error}", file.display()))
}
