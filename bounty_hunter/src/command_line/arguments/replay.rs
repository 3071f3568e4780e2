//! What can be said to `bounty_hunter replay`.

use std::path::PathBuf;

use clap::{Args, value_parser};

use super::{MOST_THREADS, png_file};

/// The arguments of [`Command::Replay`](super::Command::Replay).
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  bounty_hunter simulate --seed 7 --record seven.replay
  bounty_hunter replay seven.replay              watch it: pause, single steps, speeds, forth and back
  bounty_hunter replay seven.replay --verify     play it again without a window, and compare
")]
pub(crate) struct ReplayArguments {
    /// The replay
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Open no window, play it as fast as it can, and say whether it went the same way
    #[arg(long, conflicts_with = "frames")]
    pub(crate) verify: bool,
    /// Show this many frames with one step of the game for each, and close the window
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u64).range(1..))]
    pub(crate) frames: Option<u64>,
    /// Write the last frame to this PNG file; needs --frames
    #[arg(long, value_name = "FILE.png", requires = "frames", value_parser = png_file)]
    pub(crate) screenshot: Option<PathBuf>,
    /// Threads that work the match out: it is the same at any number, 0 and 1 are one thread
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = value_parser!(u16).range(0..=MOST_THREADS))]
    pub(crate) threads: u16,
    /// Print one line of JSON instead of a sentence; needs --verify
    #[arg(long, requires = "verify")]
    pub(crate) json: bool,
    /// Directory with the assets that it was recorded with, if they were not the built-in ones
    #[arg(long, value_name = "DIR")]
    pub(crate) assets: Option<PathBuf>,
}
