//! The arguments of `bounty_hunter saves` and `results`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::save_name;

/// The arguments of [`Command::Saves`](super::Command::Saves).
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  bounty_hunter saves                            list all saves
  bounty_hunter saves copy quick friday          copy the save of F4 to another name
  bounty_hunter play --load friday               continue the match
  bounty_hunter saves export friday --tables friday.sqlite3
  sqlite3 friday.sqlite3 'SELECT name, carried FROM players ORDER BY carried DESC LIMIT 3'
  bounty_hunter saves import friday.sqlite3 changed
")]
pub(crate) struct SavesArguments {
    #[command(subcommand)]
    pub(crate) command: Option<SavesCommand>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// The location of the database, and the form of the output.
#[derive(Args, Clone, Debug)]
pub(crate) struct OutputArguments {
    /// Print JSON, one line for each entry, instead of a table
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Use the saves and results in this directory [default: the data directory of the platform]
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) data: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum SavesCommand {
    /// List all saves, the latest first (the default)
    List,
    /// Print one save
    Show {
        /// Name of the save
        name: String,
    },
    /// Print one save with its replay as JSON, or write it as tables
    Export {
        /// Name of the save
        name: String,
        /// Write entities, components and resources as tables into this SQLite database, to be asked and changed
        #[arg(long, value_name = "FILE", conflicts_with = "json")]
        tables: Option<PathBuf>,
        /// Use the assets in this directory; needed if the match was played with them
        #[arg(long, value_name = "DIR", requires = "tables")]
        assets: Option<PathBuf>,
    },
    /// Read a save in tables back, with what was changed in them
    Import {
        /// File that `export --tables` wrote
        file: PathBuf,
        /// Name of the save; replaces the save that has this name
        #[arg(value_parser = save_name)]
        name: String,
        /// Use the assets in this directory; needed if the match was played with them
        #[arg(long, value_name = "DIR")]
        assets: Option<PathBuf>,
        /// Also import a match that was changed by hand before, if you trust who made it
        #[arg(long)]
        edits: bool,
    },
    /// Copy a save to another name
    Copy {
        /// Name of the save
        name: String,
        /// Name of the copy; replaces the save that has this name
        #[arg(value_parser = save_name)]
        to: String,
    },
    /// Delete a save
    Delete {
        /// Name of the save
        name: String,
    },
}

/// The arguments of [`Command::Results`](super::Command::Results).
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  bounty_hunter results                          list all results
  bounty_hunter results show 7                   print the standings and event counts of match 7
  bounty_hunter results replay 7 seven.replay    write the replay of match 7 to a file
  bounty_hunter results export 7                 print all of match 7 as JSON
")]
pub(crate) struct ResultsArguments {
    #[command(subcommand)]
    pub(crate) command: Option<ResultsCommand>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum ResultsCommand {
    /// List all results, the latest first (the default)
    List,
    /// Print one result with its standings
    Show {
        /// Id of the result, from the list
        id: i64,
    },
    /// Print sums over all results
    Totals,
    /// Print the challenges and medals of people
    Feats,
    /// Print one result as JSON, with its standings, event counts and replay
    Export {
        /// Id of the result, from the list
        id: i64,
    },
    /// Write the replay of a match to a file, for the command replay
    Replay {
        /// Id of the result, from the list
        id: i64,
        /// File to write
        file: PathBuf,
    },
    /// Delete a result
    Delete {
        /// Id of the result, from the list
        id: i64,
    },
}
