//! The times of frames, systems, listeners and physics: in a file (`--profile`), and in Tracy (feature `tracy`).

use std::path::Path;

use ecs_studio::TraceFile;
use tracing::Metadata;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::command_line::arguments::LogLevel;
use crate::command_line::log_file::LogFile;
use crate::command_line::{Failure, log};

/// Spans of rapier that come for each pair of bodies: more than all others together.
const TOO_MANY: [&str; 2] = ["add_pair", "remove_pair"];

/// Starts logging, and the profile if there is a file for it or Tracy is compiled in. The result completes the files
/// when it is dropped.
pub(crate) fn start(
    level: Option<LogLevel>,
    log_file: Option<&Path>,
    file: Option<&Path>,
) -> Result<(Option<TraceFile>, Option<LogFile>), Failure> {
    if file.is_none() && !cfg!(feature = "tracy") {
        return Ok((None, log::start(level, log_file)?));
    }
    let create = |path: &Path| {
        let refuse = |error| Failure::Machine(format!("the profile {} cannot be written: {error}", path.display()));
        TraceFile::create(path).map_err(refuse)
    };
    let (file, layer) = file.map(create).transpose()?.unzip();
    let (lines, log_file) = log::layer(level, log_file)?;
    let registry = tracing_subscriber::registry().with(lines).with(layer.with_filter(filter_fn(is_measured)));
    #[cfg(feature = "tracy")]
    let registry = registry.with(tracy::layer());
    registry.init();
    Ok((file, log_file))
}

/// The profiler Tracy, which connects to this machine's port 8086.
#[cfg(feature = "tracy")]
mod tracy {
    use tracing::{Event, Subscriber};
    use tracing_subscriber::Layer;
    use tracing_subscriber::filter::filter_fn;
    use tracing_subscriber::layer::Context;
    use tracing_subscriber::registry::LookupSpan;
    use tracing_tracy::TracyLayer;
    use tracing_tracy::client::frame_mark;

    pub(super) fn layer<S: Subscriber + for<'a> LookupSpan<'a>>() -> impl Layer<S> {
        TracyLayer::default().and_then(FrameMarks).with_filter(filter_fn(super::is_measured))
    }

    /// Ends a frame of Tracy with each frame of the engine.
    struct FrameMarks;

    impl<S: Subscriber> Layer<S> for FrameMarks {
        fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
            if event.metadata().target() == "ecs::counters" {
                frame_mark();
            }
        }
    }
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
