//! The log on standard error, filtered by `--log` or `RUST_LOG`.

use std::env::{self, VarError};
use std::io::{self, IsTerminal};

use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

use super::Failure;
use super::arguments::LogLevel;

const VARIABLE: &str = "RUST_LOG";

/// Starts logging; `--log` takes precedence over the environment.
pub(crate) fn start(level: Option<LogLevel>) -> Result<(), Failure> {
    let filter = filter(level)?;
    tracing_subscriber::registry().with(lines()).with(filter).init();
    Ok(())
}

/// What is logged.
pub(super) fn filter(level: Option<LogLevel>) -> Result<Targets, Failure> {
    let filter = match level {
        Some(level) => format!("{level:?}").to_lowercase(),
        None => match env::var(VARIABLE) {
            Ok(filter) if !filter.is_empty() => filter,
            Ok(_) | Err(VarError::NotPresent) => "warn".to_owned(),
            Err(VarError::NotUnicode(_)) => {
                return Err(Failure::BadInput(format!(
                    "{VARIABLE} is not UTF-8 text: set it to a level such as `debug`"
                )));
            }
        },
    };
    let refuse = |error| Failure::BadInput(format!("{VARIABLE} is `{filter}`, which is not a filter: {error}"));
    filter.parse().map_err(refuse)
}

/// Writes the log, a line for each event.
pub(super) fn lines<S: Subscriber + for<'a> LookupSpan<'a>>() -> impl Layer<S> {
    tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        // A closed standard error must not end the program.
        .log_internal_errors(false)
}
