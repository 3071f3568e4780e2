//! What can be said to `bounty_hunter saves` and `results`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// The arguments of [`Command::Saves`](super::Command::Saves).
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  bounty_hunter saves                            list them
  bounty_hunter saves copy quick friday          keep what was saved with F4 under another name
  bounty_hunter play --load friday               play it on
")]
pub(crate) struct SavesArguments {
    #[command(subcommand)]
    pub(crate) command: Option<SavesCommand>,
    /// Print JSON, one line for each save, instead of a table
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Directory of the saves [default: where the platform keeps data of programs]
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) data: Option<PathBuf>,
}

/// What to do with saves.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum SavesCommand {
    /// List all saves, the latest first (what happens without a command)
    List,
    /// Print one save
    Show {
        /// Its name
        name: String,
    },
    /// Print one save as JSON, with all that was played up to it
    Export {
        /// Its name
        name: String,
    },
    /// Keep a save under another name too
    Copy {
        /// Its name
        name: String,
        /// The other name; what is saved there is replaced
        to: String,
    },
    /// Delete a save
    Delete {
        /// Its name
        name: String,
    },
}

/// The arguments of [`Command::Results`](super::Command::Results).
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  bounty_hunter results                          list them
  bounty_hunter results show 7                   who stashed how much, and what happened how often
  bounty_hunter results replay 7 seven.replay    write the replay of a match, for the command replay
  bounty_hunter results export 7                 everything as JSON
")]
pub(crate) struct ResultsArguments {
    #[command(subcommand)]
    pub(crate) command: Option<ResultsCommand>,
    /// Print JSON, one line for each result, instead of a table
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Directory of the results [default: where the platform keeps data of programs]
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) data: Option<PathBuf>,
}

/// What to do with results.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum ResultsCommand {
    /// List all results, the latest first (what happens without a command)
    List,
    /// Print one result with its standings
    Show {
        /// Its number
        id: i64,
    },
    /// Print what all matches come to together
    Totals,
    /// Print one result as JSON, with its standings, its events and its replay
    Export {
        /// Its number
        id: i64,
    },
    /// Write the replay of a match to a file, for the command replay
    Replay {
        /// Its number
        id: i64,
        /// The file
        file: PathBuf,
    },
    /// Delete a result
    Delete {
        /// Its number
        id: i64,
    },
}
