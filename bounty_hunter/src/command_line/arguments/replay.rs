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
    /// Print one line of JSON instead of a sentence; needs --verify
    #[arg(long, requires = "verify")]
    pub(crate) json: bool,
    /// Use the assets in this directory; needed if the match was recorded with them
    #[arg(long, value_name = "DIR")]
    pub(crate) assets: Option<PathBuf>,
}
