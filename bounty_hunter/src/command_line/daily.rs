//! `bounty_hunter daily`: the match of the day, and the verification of a try.

use std::io::Write;
use std::path::Path;

use bounty_hunter::assets::Assets;
use bounty_hunter::daily;

use super::Failure;
use super::output::write_line;
use super::replay;

/// Plays a try again, and prints its result in one line.
pub(crate) fn verify(file: &Path, out: &mut impl Write) -> Result<(), Failure> {
    let replay = replay::read(file)?;
    match daily::verify(replay, &Assets::built_in()) {
        Ok(result) => write_line(out, format_args!("{result}")),
        Err(error) => Err(Failure::BadInput(format!("{} is no try of a daily match: {error}", file.display()))),
    }
}
