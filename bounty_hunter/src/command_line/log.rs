//! Where the program's log goes and how much of it: standard error, by `--log` or `RUST_LOG`.

use std::env::{self, VarError};
use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

use super::Failure;
use super::arguments::LogLevel;

const VARIABLE: &str = "RUST_LOG";

/// Starts logging; what the command line says wins over the environment.
pub(crate) fn start(level: Option<LogLevel>) -> Result<(), Failure> {
    let filter = match level {
        Some(level) => name(level).to_owned(),
        None => match env::var(VARIABLE) {
            Ok(filter) if !filter.is_empty() => filter,
            Ok(_) | Err(VarError::NotPresent) => name(LogLevel::Warn).to_owned(),
            Err(VarError::NotUnicode(_)) => return Err(Failure::BadInput(format!("{VARIABLE} is not UTF-8 text"))),
        },
    };
    let filter = EnvFilter::builder()
        .parse(&filter)
        .map_err(|error| Failure::BadInput(format!("{VARIABLE} is `{filter}`, which is no filter: {error}")))?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        // A closed standard error must not end the program.
        .log_internal_errors(false)
        .init();
    Ok(())
}

fn name(level: LogLevel) -> &'static str {
    match level {
        LogLevel::Off => "off",
        LogLevel::Error => "error",
        LogLevel::Warn => "warn",
        LogLevel::Info => "info",
        LogLevel::Debug => "debug",
        LogLevel::Trace => "trace",
    }
}
