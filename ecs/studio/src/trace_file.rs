//! [`TraceFile`]: a profile of a program as a file for Perfetto and for Chrome's `about:tracing`.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Instant;

use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

/// Events of this target are counters: each of their numbers is drawn as a curve. `ecs` sends one after each frame.
const COUNTERS: &str = "ecs::counters";
/// The field of a span that names it better than its name does.
const SYSTEM: &str = "system";

/// A profile that is being written: the spans of `tracing`, which are frames, dispatches, systems and listeners in
/// `ecs`, and counters. Dropping it completes the file.
///
/// # Example
/// ```
/// use std::time::Duration;
/// use ecs_studio::TraceFile;
/// use tracing_subscriber::layer::SubscriberExt;
///
/// # let path = std::env::temp_dir().join(format!("ecs_trace_{}.json", std::process::id()));
/// let (file, layer) = TraceFile::create(&path)?;
/// // A program sets it for all of its threads: `.init()` instead of `set_default`.
/// let subscriber = tracing_subscriber::registry().with(layer);
/// tracing::subscriber::with_default(subscriber, || ecs::Engine::new().update(Duration::from_millis(16)))?;
/// drop(file);
/// let written = std::fs::read_to_string(&path)?;
/// assert!(written.contains(r#""name":"frame 1""#) && written.contains(r#""name":"entities""#));
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TraceFile {
    out: Arc<Out>,
}

/// The layer of a subscriber that writes to a [`TraceFile`].
#[derive(Debug)]
pub struct TraceLayer {
    out: Arc<Out>,
}

#[derive(Debug)]
struct Out {
    started: Instant,
    /// `None` once the file is complete, or could not be written.
    file: Mutex<Option<BufWriter<File>>>,
    /// The threads so far; their places are their numbers in the file.
    threads: Mutex<Vec<ThreadId>>,
    /// The events of a type that were sent in this frame and in the last one that the file has.
    counts: Mutex<BTreeMap<String, (u64, u64)>>,
}

impl TraceFile {
    /// Creates the file, and a layer that writes to it.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path) -> io::Result<(Self, TraceLayer)> {
        let mut file = BufWriter::new(File::create(path)?);
        file.write_all(b"[")?;
        let out = Arc::new(Out {
            started: Instant::now(),
            file: Mutex::new(Some(file)),
            threads: Mutex::default(),
            counts: Mutex::default(),
        });
        Ok((Self { out: Arc::clone(&out) }, TraceLayer { out }))
    }
}

impl Drop for TraceFile {
    fn drop(&mut self) {
        // Not locked while it warns, which may be traced.
        let file = self.out.lock().take();
        if let Some(mut file) = file {
            let ended = file.write_all(b"{}]\n").and_then(|()| file.flush());
            if let Err(error) = ended {
                tracing::warn!(target: "ecs_studio::trace_file", %error, "the profile is not complete");
            }
        }
    }
}

impl Out {
    fn lock(&self) -> MutexGuard<'_, Option<BufWriter<File>>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes one entry.
    fn write(&self, entry: fmt::Arguments<'_>) {
        let mut file = self.lock();
        if let Some(Err(error)) = file.as_mut().map(|file| file.write_fmt(format_args!("{entry},\n"))) {
            *file = None;
            drop(file);
            tracing::warn!(target: "ecs_studio::trace_file", %error, "the profile ends here");
        }
    }

    /// Notes that events of a type were sent in this frame.
    fn count(&self, event: &str, sent: u64) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        match counts.get_mut(event) {
            Some((now, _)) => *now += sent,
            None => _ = counts.insert(event.to_owned(), (sent, 0)),
        }
    }

    /// Writes the number of events of each type for which it has changed.
    fn end_counts(&self) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        for (event, (now, before)) in &mut *counts {
            if now != before {
                let entry = json!({ "ph": "C", "pid": 1, "name": event, "ts": self.now(), "args": { "events": now } });
                self.write(format_args!("{entry}"));
            }
            (*now, *before) = (0, *now);
        }
    }

    /// Microseconds since the file was created.
    fn now(&self) -> f64 {
        self.started.elapsed().as_nanos() as f64 / 1_000.0
    }

    /// The number of the calling thread. The first call names it in the file.
    fn thread(&self) -> usize {
        let this = thread::current();
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        threads.iter().position(|known| *known == this.id()).unwrap_or_else(|| {
            let number = threads.len();
            threads.push(this.id());
            let args = json!({ "name": this.name().unwrap_or("thread") });
            let entry = json!({ "ph": "M", "name": "thread_name", "pid": 1, "tid": number, "args": args });
            self.write(format_args!("{entry}"));
            number
        })
    }
}

/// A span's entry as text, which the phase and the time follow.
struct SpanText(String);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for TraceLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let name = attributes.metadata().name();
        let name = match (fields.0.remove(SYSTEM), fields.0.get("number")) {
            (Some(Value::String(system)), _) => system,
            (None, Some(number)) => format!("{name} {number}"),
            _ => name.to_owned(),
        };
        let category = attributes.metadata().target();
        let text = json!({ "name": name, "cat": category, "args": fields.0 }).to_string();
        let open = text.strip_suffix('}').expect("an object ends with a brace");
        span.extensions_mut().insert(SpanText(open.to_owned()));
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let extensions = span.extensions();
        let Some(SpanText(text)) = extensions.get() else { return };
        let (out, thread) = (&self.out, self.out.thread());
        out.write(format_args!("{text},\"ph\":\"B\",\"pid\":1,\"tid\":{thread},\"ts\":{:.3}}}", out.now()));
    }

    fn on_exit(&self, _: &Id, _: Context<'_, S>) {
        let (out, thread) = (&self.out, self.out.thread());
        out.write(format_args!("{{\"ph\":\"E\",\"pid\":1,\"tid\":{thread},\"ts\":{:.3}}}", out.now()));
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let out = &self.out;
        if event.metadata().target() == COUNTERS {
            // How many events of a type were sent in a frame.
            if let (Some(Value::String(event)), Some(sent)) = (fields.0.get("event"), fields.0.get("sent")) {
                out.count(event, sent.as_u64().unwrap_or_default());
                return;
            }
            out.end_counts();
            for (name, value) in fields.0 {
                let entry =
                    json!({ "ph": "C", "pid": 1, "name": name, "ts": out.now(), "args": { name.as_str(): value } });
                out.write(format_args!("{entry}"));
            }
            return;
        }
        let name = fields.0.get("message").and_then(Value::as_str).unwrap_or(event.metadata().name()).to_owned();
        let entry = json!({
            "ph": "i", "s": "t", "pid": 1, "tid": out.thread(), "ts": out.now(), "name": name,
            "cat": event.metadata().target(), "args": fields.0,
        });
        out.write(format_args!("{entry}"));
    }
}

/// The fields of a span or an event.
#[derive(Default)]
struct Fields(Map<String, Value>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let mut text = String::new();
        _ = write!(text, "{value:?}");
        self.0.insert(field.name().to_owned(), text.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}
