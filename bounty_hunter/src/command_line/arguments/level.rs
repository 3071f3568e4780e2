//! The arguments of `bounty_hunter level`.

use std::path::PathBuf;

use clap::Args;

/// The arguments of [`Command::Level`](super::Command::Level).
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  bounty_hunter level seed:7 --out my_assets/levels/seven.ron
  bounty_hunter --assets my_assets --level seven
  bounty_hunter level vault                      print a level to learn from
")]
pub(crate) struct LevelArguments {
    /// The level: a file in levels/ of the assets, such as arena, or seed:NUMBER for one made from that seed
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Write it to this file in place of standard output; one that is there is replaced
    #[arg(long, value_name = "FILE.ron", value_parser = ron_file)]
    pub(crate) out: Option<PathBuf>,
    /// Use the assets in this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) assets: Option<PathBuf>,
}

fn ron_file(file: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(file);
    match path.extension() {
        Some(extension) if extension == "ron" => Ok(path),
        _ => Err("must end in .ron, as the files of the assets do".to_owned()),
    }
}
