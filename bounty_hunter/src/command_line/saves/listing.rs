//! `bounty_hunter saves`.

use std::fmt::Display;
use std::io::Write;

use bounty_hunter::replay::Replay;
use serde::Serialize;

use super::archive::{self, Archive, SaveLine};
use super::tables;
use crate::command_line::Failure;
use crate::command_line::arguments::{OutputArguments, SavesArguments, SavesCommand};
use crate::command_line::output::{write_json, write_line};
use crate::command_line::read_assets;

/// A save without its state, which only the game can read.
#[derive(Serialize)]
struct Exported {
    #[serde(flatten)]
    line: SaveLine,
    replay: Replay,
}

/// The name or id of a deleted entry.
#[derive(Serialize)]
pub(super) struct Deleted<T> {
    pub(super) deleted: T,
}

/// Runs the command.
pub(crate) fn saves(arguments: &SavesArguments, out: &mut impl Write) -> Result<(), Failure> {
    let OutputArguments { json, data } = &arguments.output;
    let command = arguments.command.as_ref().unwrap_or(&SavesCommand::List);
    let directory = archive::directory(data.as_deref()).map_err(Failure::Machine)?;
    if let SavesCommand::Import { file, name, assets, edits } = command {
        let (saved, changes) = tables::read_back(file, &read_assets(assets.as_deref())?, *edits)?;
        let mut archive = Archive::open(&directory)?;
        archive.save(name, &saved)?;
        return match json {
            true => write_json(out, &archive.save_line(name)?),
            false => write_line(out, format_args!("saved as {name}, places changed: {changes}")),
        };
    }
    let Some(mut archive) = Archive::open_existing(&directory)? else {
        let sentence = format!("nothing is saved in {}", directory.display());
        return match command {
            SavesCommand::List if *json => Ok(()),
            SavesCommand::List => write_line(out, sentence),
            _ => Err(Failure::BadInput(sentence)),
        };
    };
    match command {
        SavesCommand::List => list(&archive.saves()?, *json, out),
        SavesCommand::Show { name } => list(&[archive.save_line(name)?], *json, out),
        SavesCommand::Import { .. } => unreachable!("it needs no archive to begin with"),
        SavesCommand::Export { name, tables: Some(file), assets } => {
            tables::write(name, &archive.load(name)?, &read_assets(assets.as_deref())?, file)
        }
        SavesCommand::Export { name, .. } => {
            let exported = Exported { line: archive.save_line(name)?, replay: archive.load(name)?.replay };
            write_json(out, &exported)
        }
        SavesCommand::Copy { name, to } => {
            archive.copy_save(name, to)?;
            if *json { write_json(out, &archive.save_line(to)?) } else { Ok(()) }
        }
        SavesCommand::Delete { name } => {
            archive.delete_save(name)?;
            if *json { write_json(out, &Deleted { deleted: name }) } else { Ok(()) }
        }
    }
}

/// The value of a field, or a question mark if what is stored cannot be.
pub(super) fn unless_odd(odd: &[String], field: &str, value: impl Display) -> String {
    let is_odd = odd.iter().any(|problem| problem.split(' ').next() == Some(field));
    if is_odd { "?".to_owned() } else { value.to_string() }
}

/// Prints what cannot be in a row, below it.
pub(super) fn write_odd(odd: &[String], out: &mut impl Write) -> Result<(), Failure> {
    odd.iter().try_for_each(|problem| write_line(out, format_args!("  odd: {problem}")))
}

fn list(saves: &[SaveLine], is_json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if is_json {
        return saves.iter().try_for_each(|save| write_json(out, save));
    }
    writeln!(
        out,
        "{:<20} {:<19} {:<10} {:<10} {:>7} {:>8} {:>10}",
        "name", "saved (UTC)", "mode", "level", "players", "ticks", "bytes"
    )?;
    for SaveLine { name, saved_at, mode, level, players, ticks, bytes, odd, .. } in saves {
        let saved_at = unless_odd(odd, "saved_at", saved_at);
        let players = unless_odd(odd, "players", players);
        let ticks = unless_odd(odd, "ticks", ticks);
        let bytes = unless_odd(odd, "bytes", bytes);
        let row = format_args!("{name:<20} {saved_at:<19} {mode:<10} {level:<10} {players:>7} {ticks:>8} {bytes:>10}");
        write_line(out, row)?;
        write_odd(odd, out)?;
    }
    Ok(())
}
