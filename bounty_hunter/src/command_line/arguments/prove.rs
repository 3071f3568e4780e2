//! The arguments of the commands for developers: `bounty_hunter prove`, `doctor` and `explore`.

use std::path::PathBuf;

use clap::Args;

use super::GameArguments;

/// The arguments of [`Command::Doctor`](super::Command::Doctor).
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  bounty_hunter doctor desync-300-2-match.replay
  bounty_hunter doctor desync-300-2-match.replay --with ../their_build/bounty_hunter
")]
pub(crate) struct DoctorArguments {
    /// The replay of the match; the states are read from the files beside it that the host wrote with it
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The states that differ, of one step, in place of those beside the replay
    #[arg(long, value_names = ["FILE", "OTHER"], num_args = 2)]
    pub(crate) states: Option<Vec<PathBuf>>,
    /// The last state that both had, in place of the one beside the replay
    #[arg(long, value_name = "FILE")]
    pub(crate) common: Option<PathBuf>,
    /// The build of the other peer
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) with: Option<PathBuf>,
    /// Use the assets in this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) assets: Option<PathBuf>,
}

/// The arguments of [`Command::Explore`](super::Command::Explore).
#[derive(Args, Clone, Debug)]
pub(crate) struct ExploreArguments {
    #[command(flatten)]
    pub(crate) game: GameArguments,
    /// Play this many steps in all
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) steps: u64,
    /// Set the number of players, 1 to 10000 [default: set by the mode]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) players: Option<u32>,
    /// Drive so many of them by drawn inputs, the others by AIs
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) seats: u8,
    /// The length of each match, in seconds [default: set by the mode]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) seconds: Option<u32>,
    /// The seed of the match, and of what is drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Explore on this many threads, each by itself
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) workers: u8,
    /// Add the invariants in this file
    #[arg(long = "assert", value_name = "FILE")]
    pub(crate) invariants: Option<PathBuf>,
    /// Go on from what is kept in this file, and write to it what led to new states
    #[arg(long, value_name = "FILE")]
    pub(crate) seeds: Option<PathBuf>,
    /// Ask so often, from each of some earlier steps, whether it can still be avoided
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) inevitable: u32,
    /// Write the shortest replay that breaks a match to this file
    #[arg(long, value_name = "FILE", default_value = "found.replay")]
    pub(crate) record: PathBuf,
}

/// The arguments of [`Command::Prove`](super::Command::Prove).
#[derive(Args, Clone, Debug)]
pub(crate) struct ProveArguments {
    #[command(flatten)]
    pub(crate) game: GameArguments,
    /// How long the match is, in minutes of play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=600))]
    pub(crate) minutes: u32,
    /// Check each N-th step
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// The seed of the match
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Also run systems without a declared order in this many shuffled orders
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=100))]
    pub(crate) orders: u32,
    /// Also play the match in so many processes of its own, and compare the states
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(..=100))]
    pub(crate) processes: u32,
    /// Also let another build of the game play the match, such as one with other optimisation, and compare the states
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) with: Option<PathBuf>,
}
