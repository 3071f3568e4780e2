//! `bounty_hunter compare`: where two matches part. Each is played by a process of its own, which may be another build;
//! [`answer`] is what they run.

mod answer;
pub(super) mod side;

use std::io::Write;
use std::path::{Path, PathBuf};

use ecs::inspect::{ComparedRun, Comparison, FieldDifference, Folding};
use ecs::snapshot::TypeKind;
use serde::Serialize;

use self::answer::Outcome;
pub(crate) use self::answer::answer;
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

/// What a comparison of two states finds.
#[derive(Serialize)]
struct StatesReport<'a> {
    #[serde(flatten)]
    comparison: &'a Comparison,
    /// Whether the replay leads to each of them.
    is_led_to: [bool; 2],
}

#[derive(Serialize)]
pub(super) struct Blamed {
    field: String,
    writers: [String; 2],
}

/// Prints where two matches part, or in what two states of one match differ.
pub(crate) fn compare(arguments: &CompareArguments, out: &mut impl Write) -> Result<(), Failure> {
    let here = std::env::current_exe();
    let here = here.map_err(|error| Failure::BadInput(format!("this program is not found: {error}")))?;
    match arguments.states.as_deref() {
        Some([one, other]) => compare_states(&here, arguments, [one, other], out),
        _ => compare_matches(&here, arguments, out),
    }
}

/// Plays two matches side by side, and prints where they part, what wrote the first values that differ, and how both
/// end.
fn compare_matches(here: &Path, arguments: &CompareArguments, out: &mut impl Write) -> Result<(), Failure> {
    let CompareArguments { file, other_file, with, assets, other_assets, edits, json, .. } = arguments;
    if other_file.is_none() && with.is_none() && other_assets.is_none() {
        let sentence = "name what it is compared with: another replay, another build of the game by --with, other \
                        assets by --other-assets, or two states by --states";
        return Err(Failure::BadInput(sentence.to_owned()));
    }
    let mut one = Side::start(here, file, assets.as_deref(), None, *edits)?;
    let (program, other_file) = (with.as_deref().unwrap_or(here), other_file.as_deref().unwrap_or(file));
    let mut other = Side::start(program, other_file, other_assets.as_deref().or(assets.as_deref()), None, *edits)?;
    let comparison = Comparison::of(&mut one, &mut other, &folding(arguments))?;
    let is_in_a_step = comparison.frame.is_some_and(|frame| frame > 0);
    let writers = if is_in_a_step { blamed(&comparison, &mut one, &mut other)? } else { Vec::new() };
    let outcomes = [one.outcome()?, other.outcome()?];
    if *json {
        let [first, second] = &outcomes;
        return write_json(out, &Report { comparison: &comparison, writers: &writers, outcomes: [first, second] });
    }
    comparison.told("step").to_string().lines().try_for_each(|line| write_line(out, line))?;
    write_blamed(&writers, out)?;
    for (which, outcome) in ["first", "second"].into_iter().zip(&outcomes) {
        write_line(out, format_args!("the {which} {outcome}"))?;
    }
    Ok(())
}

/// What wrote the first values that differ in the last step of both.
pub(super) fn blamed(comparison: &Comparison, one: &mut Side, other: &mut Side) -> Result<Vec<Blamed>, Failure> {
    let is_watched = |kind| matches!(kind, Some(TypeKind::Component | TypeKind::Resource | TypeKind::System));
    let values = comparison.differences.iter().filter(|difference| is_watched(difference.kind));
    let blame = |difference: &FieldDifference| {
        let (field, entity) = (difference.field(), difference.entity);
        let writers = [one.why(entity, &field)?, other.why(entity, &field)?];
        Ok(Blamed { writers, field: difference.place() })
    };
    values.take(MOST_BLAMED).map(blame).collect()
}

/// Prints what wrote values.
pub(super) fn write_blamed(blamed: &[Blamed], out: &mut impl Write) -> Result<(), Failure> {
    for Blamed { field, writers } in blamed {
        write_line(out, format_args!("{field} was written"))?;
        for (which, writer) in ["first", "second"].into_iter().zip(writers) {
            let mut lines = writer.lines();
            write_line(out, format_args!("  in the {which}: {}", lines.next().unwrap_or("by nothing")))?;
            lines.try_for_each(|line| write_line(out, format_args!("  {line}")))?;
        }
    }
    Ok(())
}

/// Prints in what two states of a match differ, and which of them its replay leads to here.
fn compare_states(
    here: &Path,
    arguments: &CompareArguments,
    states: [&PathBuf; 2],
    out: &mut impl Write,
) -> Result<(), Failure> {
    let CompareArguments { file, assets, edits, json, .. } = arguments;
    let start = |state| Side::start(here, file, assets.as_deref(), state, *edits);
    let [one, other] = [start(Some(states[0]))?.dump()?, start(Some(states[1]))?.dump()?];
    if one.frame != other.frame {
        let (one, other) = (one.frame, other.frame);
        return Err(Failure::BadInput(format!("the states are of different steps, {one} and {other}")));
    }
    let comparison = Comparison::of_states(&one, &other, &folding(arguments));
    let (mut played, mut hash) = (start(None)?, None);
    for step in 0..=one.frame {
        hash = played.hash_at(step)?;
    }
    let step = one.frame;
    let is_led_to = [one, other].map(|state| hash.as_ref().is_some_and(|hash| hash.whole == state.hash.whole));
    if *json {
        return write_json(out, &StatesReport { comparison: &comparison, is_led_to });
    }
    match comparison.differences.is_empty() {
        true => write_line(out, format_args!("no value differs in step {step}"))?,
        false => write_line(out, format_args!("in step {step} these values differ:"))?,
    }
    comparison.told("step").to_string().lines().skip(1).try_for_each(|line| write_line(out, line))?;
    let which = match is_led_to {
        [true, true] => "both",
        [true, false] => "the first",
        [false, true] => "the second",
        [false, false] => "neither",
    };
    write_line(out, format_args!("the replay, played here, leads to {which}"))
}

fn folding(arguments: &CompareArguments) -> Folding {
    Folding { bound: arguments.bound, names: arguments.fold.clone() }
}
