//! Compares this framework with hand-written floors and with other frameworks: the same cases, side by side in one
//! process.
//!
//! `cargo run --release -p ecs_peers`; `--quick` only compares the checksums.

#[cfg(all(test, feature = "bevy_ecs"))]
mod breakout;
mod cases;
mod components;
mod events;
mod kinds;
mod pasture;
mod peers;
mod rounds;
mod stopwatch;
mod table;

use clap::Parser;

use crate::rounds::{Effort, run};

/// Compares this framework with hand-written floors and with other frameworks.
#[derive(Parser)]
struct Arguments {
    /// Run only the case of this name; may be given several times
    #[arg(long = "case", value_name = "NAME")]
    cases: Vec<String>,
    /// Run only this contestant beside the floor, for example to profile it; may be given several times
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Run tiny cases to compare the checksums; the times mean nothing
    #[arg(long)]
    quick: bool,
    /// Time this number of rounds
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// Print one line of JSON per contestant and case instead of a table
    #[arg(long)]
    json: bool,
}

fn main() {
    let arguments = Arguments::parse();
    let unknown = |name: &&String| cases::all().all(|case| case.name != **name);
    if let Some(name) = arguments.cases.iter().find(unknown) {
        let names: Vec<&str> = cases::all().map(|case| case.name).collect();
        eprintln!("unknown case {name}: must be one of {}", names.join(", "));
        std::process::exit(2);
    }
    let is_wanted = |name: &str| arguments.cases.is_empty() || arguments.cases.iter().any(|wanted| wanted == name);
    let rounds = if arguments.quick { 1 } else { arguments.rounds.max(1) };
    let effort = Effort { only: arguments.only, rounds, is_quick: arguments.quick };
    let outcomes: Vec<_> = cases::all()
        .filter(|case| is_wanted(case.name))
        .map(|case| {
            eprintln!("{}", case.name);
            run(case, &effort)
        })
        .collect();
    print!("{}", if arguments.json { table::json(&outcomes) } else { table::markdown(&outcomes) });
}
