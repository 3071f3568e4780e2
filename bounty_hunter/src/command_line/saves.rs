//! `bounty_hunter saves`: what waits to be played on.

use std::io::{self, Write};

use bounty_hunter::replay::Replay;
use serde::Serialize;

use super::Failure;
use super::archive::{self, Archive, SaveLine};
use super::arguments::{SavesArguments, SavesCommand};

/// A save, whole but for its state, which only the game can read.
#[derive(Serialize)]
struct Exported {
    #[serde(flatten)]
    line: SaveLine,
    replay: Replay,
}

/// What is gone, by its name or number.
#[derive(Serialize)]
pub(super) struct Deleted<T> {
    pub(super) deleted: T,
}

/// Does what the command line asks for.
pub(crate) fn saves(arguments: &SavesArguments, out: &mut impl Write) -> Result<(), Failure> {
    let directory = archive::directory(arguments.data.as_deref()).map_err(Failure::BadInput)?;
    let Some(mut archive) = Archive::open_existing(&directory)? else {
        return match arguments.command {
            None | Some(SavesCommand::List) if arguments.json => Ok(()),
            None | Some(SavesCommand::List) => Ok(writeln!(out, "nothing is saved in {}", directory.display())?),
            Some(_) => Err(Failure::BadInput(format!("nothing is saved in {}", directory.display()))),
        };
    };
    match arguments.command.as_ref().unwrap_or(&SavesCommand::List) {
        SavesCommand::List => list(&archive.saves()?, arguments.json, out),
        SavesCommand::Show { name } => list(&[archive.save_line(name)?], arguments.json, out),
        SavesCommand::Export { name } => {
            let exported = Exported { line: archive.save_line(name)?, replay: archive.load(name)?.replay };
            write_json(&exported, out)
        }
        SavesCommand::Copy { name, to } => {
            archive.copy_save(name, to)?;
            write_json_if(arguments.json, &archive.save_line(to)?, out)
        }
        SavesCommand::Delete { name } => {
            archive.delete_save(name)?;
            write_json_if(arguments.json, &Deleted { deleted: name }, out)
        }
    }
}

fn list(saves: &[SaveLine], is_json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if is_json {
        return saves.iter().try_for_each(|save| write_json(save, out));
    }
    writeln!(
        out,
        "{:<20} {:<19} {:<10} {:<10} {:>7} {:>8} {:>10}",
        "name", "saved (UTC)", "mode", "level", "players", "ticks", "bytes"
    )?;
    for SaveLine { name, saved_at, mode, level, players, ticks, bytes, .. } in saves {
        writeln!(out, "{name:<20} {saved_at:<19} {mode:<10} {level:<10} {players:>7} {ticks:>8} {bytes:>10}")?;
    }
    Ok(())
}

/// Writes one line of JSON if that is wanted, and nothing otherwise.
pub(super) fn write_json_if(is_wanted: bool, value: &impl Serialize, out: &mut impl Write) -> Result<(), Failure> {
    if is_wanted { write_json(value, out) } else { Ok(()) }
}

/// Writes one line of JSON.
pub(super) fn write_json(value: &impl Serialize, out: &mut impl Write) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}
