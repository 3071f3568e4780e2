//! [`Streams`]: what open pages watch, and what of it has changed since they were last told.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::{Duration, Instant};

use crate::request::{Request, WatchedRequest};

/// How often a page is told what has changed, at most.
const PERIOD: Duration = Duration::from_millis(100);
/// The answers to all pages take at most a fifth of the program's time: after each time, so many times as long is left
/// to it.
const SHARE: u32 = 4;
/// Limit of the requests that a page watches.
const MAX_WATCHED: usize = 32;

/// A page that has begun to listen. Its connection ends when the sender is dropped.
pub(crate) struct OpenedStream {
    pub(crate) name: String,
    pub(crate) page: SyncSender<String>,
}

struct Stream {
    opened: OpenedStream,
    watched: Vec<Sent>,
    due: Instant,
}

/// A watched request, and the hash of the answer that the page has.
struct Sent {
    asked: WatchedRequest,
    answer: Option<u64>,
}

/// The streams to all open pages.
#[derive(Default)]
pub(crate) struct Streams {
    open: Vec<Stream>,
    /// Until then the program has its time for itself.
    rests_until: Option<Instant>,
}

impl Streams {
    /// A stream with a name that is already open is replaced: its page has lost it and comes again.
    pub(crate) fn add(&mut self, opened: OpenedStream) {
        self.open.retain(|stream| stream.opened.name != opened.name);
        self.open.push(Stream { opened, watched: Vec::new(), due: Instant::now() });
    }

    /// Sets what a page watches. Answers that it has are not sent again.
    pub(crate) fn watch(&mut self, name: &str, requests: Vec<WatchedRequest>) -> Result<(), String> {
        if requests.len() > MAX_WATCHED {
            return Err(format!("a page watches at most {MAX_WATCHED} requests"));
        }
        if let Some(changing) = requests.iter().find(|asked| !asked.request.only_reads()) {
            return Err(format!("the request {:?} may change something, so it cannot be watched", changing.key));
        }
        let stream = self.open.iter_mut().find(|stream| stream.opened.name == name);
        let stream = stream.ok_or_else(|| format!("no stream {name:?} is open"))?;
        let before = std::mem::take(&mut stream.watched);
        stream.watched = requests
            .into_iter()
            .map(|asked| {
                let known = before.iter().find(|sent| sent.asked.key == asked.key);
                Sent { asked, answer: known.and_then(|sent| sent.answer) }
            })
            .collect();
        Ok(())
    }

    /// Tells all pages at the next opportunity, since something was changed by hand.
    pub(crate) fn hurry(&mut self) {
        let now = Instant::now();
        self.rests_until = None;
        self.open.iter_mut().for_each(|stream| stream.due = now);
    }

    /// Sends what has changed to the page that has waited longest, if one is due. `answer` answers a request.
    pub(crate) fn send_changes(&mut self, mut answer: impl FnMut(Request) -> String) {
        let begun = Instant::now();
        if self.rests_until.is_some_and(|until| begun < until) {
            return;
        }
        let waiting = self.open.iter_mut().filter(|stream| stream.due <= begun && !stream.watched.is_empty());
        let Some(stream) = waiting.min_by_key(|stream| stream.due) else { return };
        let (mut changed, mut hashes) = (Vec::new(), Vec::new());
        for sent in &stream.watched {
            let answer = answer(sent.asked.request.clone());
            let hash = hash_of(&answer);
            if sent.answer != Some(hash) {
                changed.push(format!("{}:{answer}", serde_json::Value::from(sent.asked.key.as_str())));
            }
            hashes.push(hash);
        }
        stream.due = Instant::now() + PERIOD;
        self.rests_until = Some(Instant::now() + begun.elapsed() * SHARE);
        if changed.is_empty() {
            return;
        }
        match stream.opened.page.try_send(format!("{{{}}}", changed.join(","))) {
            Ok(()) => stream.watched.iter_mut().zip(hashes).for_each(|(sent, hash)| sent.answer = Some(hash)),
            // The page is slow: it gets what has changed until it is ready.
            Err(TrySendError::Full(_)) => {}
            Err(TrySendError::Disconnected(_)) => {
                let name = stream.opened.name.clone();
                self.open.retain(|stream| stream.opened.name != name);
            }
        }
    }
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
