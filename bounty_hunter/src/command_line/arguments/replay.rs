//! The arguments of `bounty_hunter replay`.

use std::path::PathBuf;

use clap::Args;

use super::{Frames, Threads};
use super::{HeadlessArguments, StudioArguments};

/// The arguments of [`Command::Replay`](super::Command::Replay).
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  bounty_hunter simulate --seed 7 --record seven.replay
  bounty_hunter replay seven.replay              watch it: pause, single steps, speed, seeking
  bounty_hunter replay seven.replay --verify     check that the match repeats
  bounty_hunter replay seven.replay --why 250 'collector.player = 2' pocket.carried
  bounty_hunter replay seven.replay --sound seven.wav
  bounty_hunter replay seven.replay --highlight seven.gif
")]
pub(crate) struct ReplayArguments {
    /// Replay file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Play the replay without a window, as fast as possible, and compare the states
    #[arg(long, conflicts_with_all = ["frames", "studio"])]
    pub(crate) verify: bool,
    /// Print what wrote a value in a step, and what that followed from, without a window; or why nothing did, and what
    /// wrote it last. The entity is an id such as 3v7, or a question that holds for one alone, such as
    /// 'collector.player = 2'; the field is a path such as pocket.carried. Without a field, all components of the
    /// entity; a resource such as 'game flow' stands in place of an entity
    #[arg(long, value_names = ["STEP", "ENTITY", "FIELD"], num_args = 2..=3,
        conflicts_with_all = ["verify", "sound", "highlight", "frames", "studio"])]
    pub(crate) why: Option<Vec<String>>,
    /// Write the sound of the match to this WAV file, without a window
    #[arg(long, value_name = "FILE.wav", conflicts_with_all = ["verify", "frames", "studio"])]
    pub(crate) sound: Option<PathBuf>,
    /// Write the best eight seconds of the match to this GIF file, to show to others; needs a display
    #[arg(long, value_name = "FILE.gif", conflicts_with_all = ["verify", "sound", "frames", "studio"])]
    pub(crate) highlight: Option<PathBuf>,
    /// Also play a replay that changes the match by hand, in the studio or in the tables of a save, if you trust who
    /// made it
    #[arg(long)]
    pub(crate) edits: bool,
    #[command(flatten)]
    pub(crate) studio: StudioArguments,
    /// Pause at this step, at the latest at the last one
    #[arg(long, value_name = "STEP", requires = "studio")]
    pub(crate) at: Option<u64>,
    /// Play the replay without a window, in real time unless --speed says otherwise, and pause at its end
    #[arg(long, requires = "studio", conflicts_with = "frames")]
    pub(crate) headless: bool,
    #[command(flatten)]
    pub(crate) beside: HeadlessArguments,
    #[command(flatten)]
    pub(crate) frames: Frames,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Play the replay as lines of standard input ask: what `compare` runs
    #[arg(long, hide = true, conflicts_with_all = ["verify", "why", "sound", "highlight", "frames", "studio"])]
    pub(crate) answer: bool,
    /// Begin with this state of the match: for `compare --states`
    #[arg(long, hide = true, value_name = "FILE", requires = "answer")]
    pub(crate) state: Option<PathBuf>,
    /// Print one line of JSON instead of a sentence; needs --verify
    #[arg(long, requires = "verify")]
    pub(crate) json: bool,
    /// Use the assets in this directory; needed if the match was recorded with them
    #[arg(long, value_name = "DIR")]
    pub(crate) assets: Option<PathBuf>,
}

/// The arguments of [`Command::Compare`](super::Command::Compare).
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  bounty_hunter compare monday.replay tuesday.replay
  bounty_hunter compare monday.replay --with ../mended/bounty_hunter
  bounty_hunter compare monday.replay --other-assets my_assets --fold profiles
  bounty_hunter compare desync-300-2-match.replay --states desync-300-2-host.save desync-300-2-member.save
")]
pub(crate) struct CompareArguments {
    /// Replay file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The replay it is compared with [default: FILE itself]
    #[arg(value_name = "OTHER")]
    pub(crate) other_file: Option<PathBuf>,
    /// Let another build of the game play the second match
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) with: Option<PathBuf>,
    /// Use the assets in this directory for both matches
    #[arg(long, value_name = "DIR")]
    pub(crate) assets: Option<PathBuf>,
    /// Use the assets in this directory for the second match
    #[arg(long, value_name = "DIR")]
    pub(crate) other_assets: Option<PathBuf>,
    /// Compare two states of the match of the replay, which peers of a network wrote when they differed
    #[arg(long, value_names = ["FILE", "OTHER"], num_args = 2, conflicts_with_all = ["other_file", "with", "other_assets"])]
    pub(crate) states: Option<Vec<PathBuf>>,
    /// Fold numbers that are at most this far apart
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = bound, allow_negative_numbers = true)]
    pub(crate) bound: f64,
    /// Look behind what differs in this component, resource or system, such as profiles
    #[arg(long, value_name = "NAME")]
    pub(crate) fold: Vec<String>,
    /// Also play replays that change the match by hand, if you trust who made them
    #[arg(long)]
    pub(crate) edits: bool,
    /// Print one line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

fn bound(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    if number >= 0.0 { Ok(number) } else { Err("it must be at least 0".to_owned()) }
}
