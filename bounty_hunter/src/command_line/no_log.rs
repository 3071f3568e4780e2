//! No log: there is no standard error in a browser.

use std::convert::Infallible;
use std::path::Path;

use super::Failure;
use super::arguments::LogLevel;

pub(crate) fn start(_: Option<LogLevel>, file: Option<&Path>) -> Result<Option<Infallible>, Failure> {
    match file {
        Some(_) => Err(Failure::BadInput("there are no files in a browser: leave out --log-file".to_owned())),
        None => Ok(None),
    }
}
