//! Prints the results as Markdown or JSON.

use std::fmt::Write;

use serde::Serialize;

use crate::peers::ALL;
use crate::rounds::Outcome;

/// A table in Markdown: the time of the floor, and those of the others as multiples of it.
pub(crate) fn markdown(outcomes: &[Outcome]) -> String {
    let mut text = String::from("| case | floor |");
    ALL[1..].iter().for_each(|contestant| write(&mut text, format_args!(" {} |", contestant.name)));
    text.push_str(" must reach |\n|---|---|");
    ALL.iter().for_each(|_| text.push_str("---|"));
    for outcome in outcomes {
        write(&mut text, format_args!("\n| {} | {} |", outcome.case.title, time(outcome.nanos[0])));
        for (index, ratio) in outcome.ratios().enumerate().skip(1) {
            match ratio {
                Some(ratio) if index == 1 => write(&mut text, format_args!(" **{ratio:.2}** |")),
                Some(ratio) => write(&mut text, format_args!(" {ratio:.2} |")),
                None => text.push_str("  |"),
            }
        }
        write(&mut text, format_args!(" {} |", outcome.case.must_reach));
    }
    text + "\n" + &growth(outcomes)
}

/// The cost per entity among a million, as a multiple of the cost among a thousand.
fn growth(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for (few, many, title) in [("slices-1k", "slices-1m", "packed slices"), ("items-1k", "items-1m", "per item")] {
        let find = |name| outcomes.iter().find(|outcome| outcome.case.name == name);
        let (Some(few), Some(many)) = (find(few), find(many)) else { continue };
        let per_entity = |outcome: &Outcome, index: usize| Some(outcome.nanos[index]? / outcome.case.count as f64);
        let grown = |index| Some(per_entity(many, index)? / per_entity(few, index)?);
        write(&mut text, format_args!("| growth of cost per entity from 1,000 to 1,000,000, {title} |"));
        for index in 0..ALL.len() {
            match grown(index) {
                Some(grown) if index == 1 => write(&mut text, format_args!(" **{grown:.1} ×** |")),
                Some(grown) => write(&mut text, format_args!(" {grown:.1} × |")),
                None => text.push_str("  |"),
            }
        }
        text.push_str(" 2 × the floor's |\n");
    }
    text
}

fn write(text: &mut String, arguments: std::fmt::Arguments) {
    text.write_fmt(arguments).expect("writing to a string cannot fail");
}

fn time(nanos: Option<f64>) -> String {
    match nanos {
        Some(nanos) if nanos >= 100_000.0 => format!("{:.2} ms", nanos / 1e6),
        Some(nanos) if nanos >= 100.0 => format!("{:.2} µs", nanos / 1e3),
        Some(nanos) => format!("{nanos:.0} ns"),
        None => String::new(),
    }
}

/// A line of JSON.
#[derive(Serialize)]
struct Row {
    case: &'static str,
    contestant: &'static str,
    nanos: f64,
    ratio: f64,
    must_reach: f64,
}

/// One line of JSON per contestant and case.
pub(crate) fn json(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for outcome in outcomes {
        for ((contestant, nanos), ratio) in ALL.iter().zip(&outcome.nanos).zip(outcome.ratios()) {
            let (Some(nanos), Some(ratio)) = (*nanos, ratio) else { continue };
            let (case, must_reach) = (outcome.case.name, outcome.case.must_reach);
            let row = Row { case, contestant: contestant.name, nanos, ratio, must_reach };
            text += &serde_json::to_string(&row).expect("a row of names and numbers is JSON");
            text.push('\n');
        }
    }
    text
}
