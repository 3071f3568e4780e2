//! `--profile`: a file with the times of frames, systems, listeners and physics.

use std::path::Path;

use ecs_studio::TraceFile;
use tracing::Metadata;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::Failure;
use super::arguments::LogLevel;
use super::log;

/// Spans of rapier that come for each pair of bodies: more than all others together.
const TOO_MANY: [&str; 2] = ["add_pair", "remove_pair"];

/// Starts logging, and the profile if there is a file for it. The result completes the file when it is dropped.
pub(crate) fn start(level: Option<LogLevel>, file: Option<&Path>) -> Result<Option<TraceFile>, Failure> {
    let Some(path) = file else {
        log::start(level)?;
        return Ok(None);
    };
    let refuse = |error| Failure::BadInput(format!("the profile {} cannot be written: {error}", path.display()));
    let (file, layer) = TraceFile::create(path).map_err(refuse)?;
    let lines = log::lines().with_filter(log::filter(level)?);
    tracing_subscriber::registry().with(lines).with(layer.with_filter(filter_fn(is_measured))).init();
    Ok(Some(file))
}

fn is_measured(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target();
    let is_of =
        |library: &str| target == library || target.strip_prefix(library).is_some_and(|rest| rest.starts_with("::"));
    match () {
        () if is_of("ecs") => metadata.is_span() || target == "ecs::counters",
        () if is_of("bounty_hunter") => !metadata.is_event() || *metadata.level() <= tracing::Level::INFO,
        () => metadata.is_span() && is_of("rapier2d") && !TOO_MANY.contains(&metadata.name()),
    }
}
