//! `bounty_hunter results`.

use std::io::Write;
use std::path::Path;

use bounty_hunter::feats::{CHALLENGES, Feat, Medal};
use bounty_hunter::results::{FeatRecord, MatchDetails, MatchSummary, MatchTotals};
use serde::Serialize;

use super::archive::{self, Archive, MatchRecord};
use super::listing::{Deleted, unless_odd, write_odd};
use crate::command_line::arguments::{OutputArguments, ResultsArguments, ResultsCommand};
use crate::command_line::output::{write_json, write_line};
use crate::command_line::{Failure, replay};

/// The file of a replay that was written.
#[derive(Serialize)]
struct Written<'a> {
    id: i64,
    file: &'a Path,
}

/// Runs the command.
pub(crate) fn results(arguments: &ResultsArguments, out: &mut impl Write) -> Result<(), Failure> {
    let OutputArguments { json, data } = &arguments.output;
    let command = arguments.command.as_ref().unwrap_or(&ResultsCommand::List);
    let directory = archive::directory(data.as_deref()).map_err(Failure::Machine)?;
    let Some(mut archive) = Archive::open_existing(&directory)? else {
        let sentence = format!("there are no results in {}", directory.display());
        return match command {
            ResultsCommand::List if *json => Ok(()),
            ResultsCommand::List => write_line(out, sentence),
            _ => Err(Failure::BadInput(sentence)),
        };
    };
    match command {
        ResultsCommand::List if *json => archive.results()?.iter().try_for_each(|line| write_json(out, line)),
        ResultsCommand::List => list(&archive.results()?, out),
        ResultsCommand::Show { id } => {
            let details = archive.result(*id)?;
            if *json { write_json(out, &details) } else { show(&details, out) }
        }
        ResultsCommand::Totals => {
            let totals = archive.totals()?;
            if *json { write_json(out, &totals) } else { show_totals(&totals, out) }
        }
        ResultsCommand::Feats => {
            let feats = archive.feats()?;
            if *json { feats.iter().try_for_each(|feat| write_json(out, feat)) } else { show_feats(&feats, out) }
        }
        ResultsCommand::Export { id } => {
            write_json(out, &MatchRecord { details: archive.result(*id)?, replay: archive.replay(*id)? })
        }
        ResultsCommand::Replay { id, file } => {
            replay::write(file, &archive.replay(*id)?)?;
            if *json { write_json(out, &Written { id: *id, file }) } else { Ok(()) }
        }
        ResultsCommand::Delete { id } => {
            archive.delete_result(*id)?;
            if *json { write_json(out, &Deleted { deleted: id }) } else { Ok(()) }
        }
    }
}

fn list(results: &[MatchSummary], out: &mut impl Write) -> Result<(), Failure> {
    writeln!(
        out,
        "{:>6} {:<19} {:<10} {:<10} {:>7} {:>8}  {:<13} {:>6}",
        "id", "ended (UTC)", "mode", "level", "players", "seconds", "ending", "winner"
    )?;
    for MatchSummary { id, ended_at, mode, level, players, seconds, ending, winner, odd, .. } in results {
        let winner = winner.map_or_else(|| "draw".to_owned(), |player| player.to_string());
        let ended_at = unless_odd(odd, "ended_at", ended_at);
        let players = unless_odd(odd, "players", players);
        let seconds = unless_odd(odd, "seconds", format_args!("{seconds:.1}"));
        let winner = unless_odd(odd, "winner", winner);
        let row = format_args!(
            "{id:>6} {ended_at:<19} {mode:<10} {level:<10} {players:>7} {seconds:>8}  {ending:<13} {winner:>6}"
        );
        write_line(out, row)?;
        write_odd(odd, out)?;
    }
    Ok(())
}

fn show(details: &MatchDetails, out: &mut impl Write) -> Result<(), Failure> {
    list(std::slice::from_ref(&details.summary), out)?;
    let mut standings: Vec<_> = details.standings.iter().collect();
    standings.sort_by(|one, other| other.stashed.total_cmp(&one.stashed));
    writeln!(out, "\n{:>6} {:<20} {:>8}", "player", "name", "stashed")?;
    for standing in standings {
        write_line(out, format_args!("{:>6} {:<20} {:>8.1}", standing.player, standing.name, standing.stashed))?;
        for feat in &standing.feats {
            write_line(out, format_args!("{:>6} {feat}", ""))?;
        }
    }
    writeln!(out, "\n{:<24} {:>8}", "event", "sent")?;
    for (event, sent) in &details.events {
        write_line(out, format_args!("{event:<24} {sent:>8}"))?;
    }
    Ok(())
}

fn show_totals(totals: &MatchTotals, out: &mut impl Write) -> Result<(), Failure> {
    let MatchTotals { matches, with_people, won_by_people, seconds, best_stash, modes, events, odd } = totals;
    writeln!(out, "{matches} matches, {:.1} minutes of play", seconds / 60.0)?;
    writeln!(out, "{with_people} with people, {won_by_people} of them won by a person")?;
    if let Some(stash) = best_stash {
        writeln!(out, "the fullest stash of a person held {stash:.1}")?;
    }
    if *odd > 0 {
        writeln!(out, "odd matches: {odd}; values that cannot be count as 0, and `bounty_hunter results` names them")?;
    }
    for (mode, count) in modes {
        write_line(out, format_args!("{mode:<24} {count:>8} matches"))?;
    }
    for (event, sent) in events {
        write_line(out, format_args!("{event:<24} {sent:>8}"))?;
    }
    Ok(())
}

/// All challenges, with the number of times that each was done, and the medals that were won.
fn show_feats(feats: &[FeatRecord], out: &mut impl Write) -> Result<(), Failure> {
    let done = |name: &str| feats.iter().find(|record| record.feat == name);
    writeln!(out, "{:<18} {:<44} {:>5}  {:>6}", "challenge", "task", "times", "first")?;
    for challenge in &CHALLENGES {
        let (times, first) =
            done(challenge.name).map_or((0, String::new()), |done| (done.times, done.first.to_string()));
        writeln!(out, "{:<18} {:<44} {times:>5}  {first:>6}", challenge.name, challenge.task)?;
    }
    writeln!(out, "\n{:<18} {:<18} {:<6} {:>5}  {:>6}", "mode", "weakest AI", "medal", "times", "first")?;
    for FeatRecord { feat, times, first } in feats {
        if let Ok(Feat::Medal(Medal { mode, level, place })) = feat.parse() {
            let metal = METALS[place as usize - 1];
            write_line(out, format_args!("{mode:<18} {level:<18} {metal:<6} {times:>5}  {first:>6}"))?;
        }
    }
    Ok(())
}

const METALS: [&str; 3] = ["gold", "silver", "bronze"];
