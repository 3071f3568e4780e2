//! `bounty_hunter compare`: where two matches part. Each is played by a process of its own, which may be another build;
//! [`answer`] is what they run.

mod answer;
mod side;

use std::io::Write;

use ecs::inspect::{Comparison, FieldDifference, Folding};
use serde::Serialize;

pub(crate) use self::answer::answer;
use self::answer::Outcome;
use self::side::Side;
use super::Failure;
use super::arguments::CompareArguments;
use super::output::{write_json, write_line};

/// Values of which it is told what wrote them.
const MOST_BLAMED: usize = 3;

/// What a comparison finds. The order of the fields is the order of the keys in JSON.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    comparison: &'a Comparison,
    /// What wrote the first values that differ, in each match.
    writers: &'a [Blamed],
    outcomes: [&'a Outcome; 2],
}

#[derive(Serialize)]
struct Blamed {
    field: String,
    writers: [String; 2],
}

/// Plays two matches side by side, and prints where they part, what wrote the first values that differ, and how both
/// end.
pub(crate) fn compare(arguments: &CompareArguments, out: &mut impl Write) -> Result<(), Failure> {
    let CompareArguments { file, other_file, with, assets, other_assets, edits, bound, fold, json } = arguments;
    if other_file.is_none() && with.is_none() && other_assets.is_none() {
        let sentence = "name what it is compared with: another replay, another build of the game by --with, or other assets by --other-assets";
        return Err(Failure::BadInput(sentence.to_owned()));
    }
    let here = std::env::current_exe().map_err(|error| Failure::BadInput(format!("this program is not found: {error}")))?;
    let of_other = other_assets.as_deref().or(assets.as_deref());
    let mut one = Side::start(&here, file, assets.as_deref(), *edits)?;
    let mut other = Side::start(with.as_deref().unwrap_or(&here), other_file.as_deref().unwrap_or(file), of_other, *edits)?;
    let folding = Folding { bound: *bound, names: fold.clone() };
    let comparison = Comparison::of(&mut one, &mut other, &folding)?;
    let mut writers = Vec::new();
    if comparison.frame.is_some_and(|frame| frame > 0) {
        for difference in comparison.differences.iter().take(MOST_BLAMED) {
            let (field, entity) = (difference.field(), difference.entity);
            writers.push(Blamed { writers: [one.why(entity, &field)?, other.why(entity, &field)?], field: named(difference) });
        }
    }
    let outcomes = [one.outcome()?, other.outcome()?];
    if *json {
        let [first, second] = &outcomes;
        return write_json(out, &Report { comparison: &comparison, writers: &writers, outcomes: [first, second] });
    }
    comparison.told("step").to_string().lines().try_for_each(|line| write_line(out, line))?;
    for Blamed { field, writers } in &writers {
        write_line(out, format_args!("{field} was written"))?;
        for (which, writer) in ["first", "second"].into_iter().zip(writers) {
            let mut lines = writer.lines();
            write_line(out, format_args!("  in the {which}: {}", lines.next().unwrap_or("by nothing")))?;
            lines.try_for_each(|line| write_line(out, format_args!("  {line}")))?;
        }
    }
    for (which, outcome) in ["first", "second"].into_iter().zip(&outcomes) {
        write_line(out, format_args!("the {which} {outcome}"))?;
    }
    Ok(())
}

/// A value that differs, without what it is in each match.
fn named(difference: &FieldDifference) -> String {
    let FieldDifference { label, .. } = difference;
    match difference.entity {
        Some(entity) if label.is_empty() => format!("{} of entity {entity}", difference.field()),
        Some(entity) => format!("{} of entity {entity} ({label})", difference.field()),
        None => difference.field(),
    }
}
