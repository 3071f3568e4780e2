//! The arguments of `bounty_hunter simulate`.

use std::path::PathBuf;

use bounty_hunter::simulation::MAX_PLAYERS;
use clap::{Args, value_parser};

use super::save_name;
use super::{GameArguments, MAX_THREADS, Threads};
use super::{HeadlessArguments, StudioArguments};

/// The arguments of [`Command::Simulate`](super::Command::Simulate).
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = "\
Examples:
  bounty_hunter simulate --matches 100           print a table of matches with the seeds 1 to 100
  bounty_hunter simulate --seed 7 --json         print one line of JSON for each match
  bounty_hunter simulate --mode sandbox --json   simulate a thousand collectors and print the speed
  bounty_hunter simulate --players 10000 --ticks 600
  bounty_hunter simulate --seed 7 --record seven.replay
  bounty_hunter simulate --matches 200 --players 8 --summary
  bounty_hunter simulate --matches 300 --players 3 --ai hard,normal,easy --summary
")]
pub(crate) struct SimulateArguments {
    /// Seed the first match; each further match uses the next number
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Set the number of players, all AIs, 1 to 10000 [default: set by the mode, 16 in classic]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u32).range(1..=MAX_PLAYERS as i64))]
    pub(crate) players: Option<u32>,
    /// Let these AIs, files in ai/ and policies/ of the assets, take the seats in turn; the first seat changes with the
    /// seed [default: the AI of the mode]
    #[arg(long = "ai", value_name = "NAMES", value_delimiter = ',')]
    pub(crate) ais: Vec<String>,
    /// Play this many matches
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = value_parser!(u64).range(1..), conflicts_with = "studio")]
    pub(crate) matches: u64,
    /// Stop each match after this many steps
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u64).range(1..))]
    pub(crate) ticks: Option<u64>,
    /// Play this many matches at the same time; results and order are the same at any number [default: the number of
    /// cores divided by --threads]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u16).range(1..=MAX_THREADS))]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Print one line of JSON for each match instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    /// Print statistics over all matches as a table in Markdown: endings, deaths, changes of the lead, wins by seat,
    /// and how often one AI of --ai has more in its stash than another
    #[arg(long, conflicts_with = "json")]
    pub(crate) summary: bool,
    /// Record the match to this file; for a single match
    #[arg(long, value_name = "FILE", conflicts_with_all = ["matches", "studio"])]
    pub(crate) record: Option<PathBuf>,
    /// Ask the questions of this file after each step, one `NAME: QUESTION` a line; the first step that breaks one ends
    /// the program with exit code 4 (see the page "Questions" of the guide)
    #[arg(long, value_name = "FILE", conflicts_with = "studio")]
    pub(crate) assert: Option<PathBuf>,
    /// Print on standard error what each match holds in memory at its end: entities, pools, events and commands, with
    /// the most at any time
    #[arg(long, conflicts_with = "studio")]
    pub(crate) memory: bool,
    /// Keep results and saves in this directory
    #[arg(long, value_name = "DIR", conflicts_with = "studio")]
    pub(crate) data: Option<PathBuf>,
    /// Save the match under this name when it stops; for a single match
    #[arg(long, value_name = "NAME", requires = "data", conflicts_with = "matches", value_parser = save_name)]
    pub(crate) save: Option<String>,
    /// Save the match also after each N steps; needs --save
    #[arg(long, value_name = "N", requires = "save", allow_negative_numbers = true, value_parser = value_parser!(u64).range(1..))]
    pub(crate) every: Option<u64>,
    /// Continue the match that was saved under this name
    #[arg(long, value_name = "NAME", requires = "data", conflicts_with_all = ["matches", "seed", "players", "ais", "mode", "level"])]
    pub(crate) load: Option<String>,
    #[command(flatten)]
    pub(crate) studio: StudioArguments,
    #[command(flatten)]
    pub(crate) headless: HeadlessArguments,
    #[command(flatten)]
    pub(crate) game: GameArguments,
}

impl SimulateArguments {
    /// The number of matches that run at the same time on a machine with this many cores.
    pub(crate) fn jobs(&self, cores: usize) -> usize {
        self.jobs.map_or_else(|| cores / self.threads.count().max(1), usize::from).max(1)
    }
}
