//! No log: there is no standard error in a browser.

use super::Failure;
use super::arguments::LogLevel;

pub(crate) fn start(_: Option<LogLevel>) -> Result<(), Failure> {
    Ok(())
}
