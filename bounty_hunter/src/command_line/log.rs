//! The log on standard error or in a file, filtered by `--log` or `RUST_LOG`.

use std::env::{self, VarError};
use std::io::{self, IsTerminal};
use std::path::Path;

use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

use super::Failure;
use super::arguments::LogLevel;
use super::log_file::LogFile;

const VARIABLE: &str = "RUST_LOG";

/// Starts logging; `level` takes precedence over the environment. The result completes the file when it is dropped.
pub(crate) fn start(level: Option<LogLevel>, file: Option<&Path>) -> Result<Option<LogFile>, Failure> {
    let (layer, file) = layer(level, file)?;
    tracing_subscriber::registry().with(layer).init();
    Ok(file)
}

/// A layer of a log for registry `S`.
type BoxedLayer<S> = Box<dyn Layer<S> + Send + Sync>;

/// The log: on standard error, or in a file, and then only warnings on standard error.
pub(super) fn layer<S: Subscriber + for<'a> LookupSpan<'a>>(
    level: Option<LogLevel>,
    file: Option<&Path>,
) -> Result<(BoxedLayer<S>, Option<LogFile>), Failure> {
    let Some(path) = file else { return Ok((lines().with_filter(filter(level, "warn")?).boxed(), None)) };
    let filter = filter(level, "info")?;
    let refuse = |error| Failure::Machine(format!("the log file {} cannot be written: {error}", path.display()));
    let file = LogFile::open(path).map_err(refuse)?;
    let in_file = tracing_subscriber::fmt::layer().with_writer(file.lines()).with_ansi(false).with_filter(filter);
    let problems = lines().with_filter(LevelFilter::WARN);
    // Side by side: within one layer, the filter of one would silence the other.
    Ok((Box::new(vec![in_file.boxed(), problems.boxed()]), Some(file)))
}

/// What is logged.
fn filter(level: Option<LogLevel>, otherwise: &str) -> Result<Targets, Failure> {
    let filter = match level {
        Some(level) => format!("{level:?}").to_lowercase(),
        None => match env::var(VARIABLE) {
            Ok(filter) if !filter.is_empty() => filter,
            Ok(_) | Err(VarError::NotPresent) => otherwise.to_owned(),
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

/// Writes the log to standard error, a line for each event.
fn lines<S: Subscriber + for<'a> LookupSpan<'a>>() -> impl Layer<S> {
    tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        // A closed standard error must not end the program.
        .log_internal_errors(false)
}
