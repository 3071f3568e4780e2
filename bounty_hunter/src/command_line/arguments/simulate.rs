//! What can be said to `bounty_hunter simulate`.

use std::path::PathBuf;

use clap::{Args, value_parser};

use super::{MOST_THREADS, Place};

/// The arguments of [`Command::Simulate`](super::Command::Simulate).
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = "\
Examples:
  bounty_hunter simulate --matches 100           a table of matches with the seeds 1 to 100
  bounty_hunter simulate --seed 7 --json         one line of JSON for each match
  bounty_hunter simulate --mode sandbox --json   a thousand collectors, and how many times real time they go
  bounty_hunter simulate --players 10000 --ticks 600
  bounty_hunter simulate --seed 7 --record seven.replay
")]
pub(crate) struct SimulateArguments {
    /// Seed of the first match; each further match takes the next number
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Players, all of them AIs, 1 to 10000 [default: what the mode says, 16 in the classic one]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u32).range(1..=10_000))]
    pub(crate) players: Option<u32>,
    /// Matches to play
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    pub(crate) matches: u64,
    /// Stop each match after this many steps, even if it is not over
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u64).range(1..))]
    pub(crate) ticks: Option<u64>,
    /// Matches to play at the same time, in the same order and with the same results at any number [default: one for each
    /// core, or with --threads for each so many cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u16).range(1..=MOST_THREADS))]
    pub(crate) jobs: Option<u16>,
    /// Threads that work one match out: it is the same at any number, 0 and 1 are one thread
    ///
    /// Most of a match is physics, which works on one thread, so they gain little; --jobs is the better use of cores.
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = value_parser!(u16).range(0..=MOST_THREADS))]
    pub(crate) threads: u16,
    /// Print one line of JSON for each match instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    /// Record the match, which must be the only one, to this file
    #[arg(long, value_name = "FILE", conflicts_with = "matches")]
    pub(crate) record: Option<PathBuf>,
    /// Keep results and saves in this directory
    #[cfg(feature = "saves")]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Save the match, which must be the only one, under this name when it stops, and every so many steps with --every
    #[cfg(feature = "saves")]
    #[arg(long, value_name = "NAME", requires = "data", conflicts_with = "matches")]
    pub(crate) save: Option<String>,
    /// Steps between two saves
    #[cfg(feature = "saves")]
    #[arg(long, value_name = "N", requires = "save", allow_negative_numbers = true, value_parser = value_parser!(u64).range(1..))]
    pub(crate) every: Option<u64>,
    /// Go on with the match that was saved under this name
    #[cfg(feature = "saves")]
    #[arg(long, value_name = "NAME", requires = "data", conflicts_with_all = ["matches", "seed", "players", "mode", "level"])]
    pub(crate) load: Option<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

impl SimulateArguments {
    /// How many matches are played at the same time on a machine with so many cores.
    pub(crate) fn jobs(&self, cores: usize) -> usize {
        self.jobs.map_or_else(|| cores / usize::from(self.threads).max(1), usize::from).max(1)
    }
}
