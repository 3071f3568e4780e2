//! Compares this framework with hand-written floors and with other frameworks: the same cases, side by side in one process.
//!
//! `cargo run --release -p ecs_peers`; with `--quick` it only checks that all do the same work.

mod cases;
mod components;
mod events;
mod peers;
mod rounds;
mod stopwatch;
mod table;

use clap::Parser;

use crate::rounds::{Effort, play};

/// Compares this framework with hand-written floors and with other frameworks.
#[derive(Parser)]
struct Arguments {
    /// Play the cases of this name only; may be given several times
    #[arg(long = "case", value_name = "NAME")]
    cases: Vec<String>,
    /// Let only this contestant play beside the floor, as for a profile; may be given several times
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Play everything tiny: shows that all do the same work, and no times that mean something
    #[arg(long)]
    quick: bool,
    /// How many rounds are timed
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// Print a line of JSON for each contestant in each case instead of a table
    #[arg(long)]
    json: bool,
}

fn main() {
    let arguments = Arguments::parse();
    let unknown = |name: &&String| cases::all().all(|case| case.name != **name);
    if let Some(name) = arguments.cases.iter().find(unknown) {
        let names: Vec<&str> = cases::all().map(|case| case.name).collect();
        eprintln!("there is no case {name}: take one of {}", names.join(", "));
        std::process::exit(2);
    }
    let is_wanted = |name: &str| arguments.cases.is_empty() || arguments.cases.iter().any(|wanted| wanted == name);
    let rounds = if arguments.quick { 1 } else { arguments.rounds.max(1) };
    let effort = Effort { only: arguments.only, rounds, is_quick: arguments.quick };
    let outcomes: Vec<_> = cases::all()
        .filter(|case| is_wanted(case.name))
        .map(|case| {
            eprintln!("{}", case.name);
            play(case, &effort)
        })
        .collect();
    print!("{}", if arguments.json { table::json(&outcomes) } else { table::markdown(&outcomes) });
}
