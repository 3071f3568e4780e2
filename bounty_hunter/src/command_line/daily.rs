//! `bounty_hunter daily`: the match of the day, and the verification of a try.

use std::io::Write;
use std::path::Path;

use bounty_hunter::assets::Assets;
use bounty_hunter::daily::{self, Day};

use super::Failure;
use super::output::write_line;
use super::{platform, replay};

/// Today, in UTC; `None` if the clock is before 1970.
pub(super) fn today() -> Option<Day> {
    platform::unix_seconds().map(Day::at)
}

/// Plays a try again, and prints its result in one line.
pub(crate) fn verify(file: &Path, out: &mut impl Write) -> Result<(), Failure> {
    let replay = replay::read(file)?;
    match daily::verify(replay, &Assets::built_in()) {
        Ok(result) if today().is_some_and(|today| result.day > today) => Err(Failure::BadInput(format!(
            "{} is no try of a daily match: {} has not come yet",
            file.display(),
            result.day
        ))),
        Ok(result) => write_line(out, format_args!("{result}")),
        Err(error) => Err(Failure::BadInput(format!("{} is no try of a daily match: {error}", file.display()))),
    }
}
