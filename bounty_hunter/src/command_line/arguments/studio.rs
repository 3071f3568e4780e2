//! The arguments for the studio, of all commands that play a match.

use clap::Args;

/// Where the studio is.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct StudioArguments {
    /// Serve an inspector for a browser at this address: entities, systems, events and causes, values that can be
    /// edited, and the last two minutes to go back to
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:7878")]
    pub(crate) studio: Option<String>,
    /// Ask for this word in the address of the inspector, which may then be reachable from other machines
    #[arg(long, value_name = "WORD", requires = "studio")]
    pub(crate) studio_token: Option<String>,
}
