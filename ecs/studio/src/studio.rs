//! [`Studio`]: watches a program frame by frame, answers requests, and goes back in time.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use ecs::EntityId;
use serde_json::{Value, json};

use crate::changes::{Changes, MadeEdit};
use crate::panel::{PanelAnswer, Panels};
use crate::request::Request;
use crate::server::{Server, ServerError};
use crate::streams::Streams;
use crate::subject::Subject;
use crate::values::Answer;
use crate::watched::{Pace, Watched};

/// Limits of the requests that are answered between two frames, and of the time in which another one is begun.
const MAX_REQUESTS: usize = 32;
const MAX_TIME: Duration = Duration::from_millis(20);
/// Events, causes and times are noted until this long after the last request.
const PATIENCE: Duration = Duration::from_secs(10);
/// The last frames with a measured time.
const TIMED_FRAMES: usize = 240;

/// Inspects a program: records it from its first frame on, answers requests in JSON, and shows any frame again.
///
/// Call [`Studio::frame`] in place of the function that runs a frame. What each frame was run with is noted, with a
/// checkpoint from time to time; a frame is shown by running those since the checkpoint again. Watching and going back
/// do not change the run: a program that was watched, sent to the past and brought back has the same state, bit for
/// bit.
///
/// # Example
/// ```
/// use std::time::Duration;
/// use ecs::prelude::*;
/// use ecs_studio::Studio;
///
/// let mut engine = Engine::new();
/// engine.types_mut().component::<u32>("score")?.save::<u32>(1)?;
/// let player = engine.spawn((7_u32,));
/// let mut studio = Studio::new();
/// // studio.listen("127.0.0.1:7878", None)?; serves a page at http://127.0.0.1:7878
/// studio.frame(&mut engine, |engine| engine.update(Duration::from_millis(16))).expect("it is not paused")?;
///
/// let entity = studio.answer(&mut engine, &format!(r#"{{ "op": "entity", "entity": "{player}" }}"#));
/// assert!(entity.contains(r#""name":"score""#) && entity.contains(r#""value":7"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Studio<S: Subject> {
    /// Dropped before the server, which waits until all pages know of the end.
    streams: Streams,
    server: Option<Server>,
    panels: Panels<S>,
    watched: Watched<S>,
    changes: Changes,
    last_request: Option<Instant>,
    frame_begun: Option<Instant>,
}

impl<S: Subject> Default for Studio<S> {
    fn default() -> Self {
        Self {
            streams: Streams::default(),
            server: None,
            panels: Panels::default(),
            watched: Watched::default(),
            changes: Changes::default(),
            last_request: None,
            frame_begun: None,
        }
    }
}

impl<S: Subject> Studio<S> {
    /// A studio that does not listen yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tab to the page. Call it before [`Studio::listen`].
    ///
    /// `script` is JavaScript: it sets `panels[name]` to a function that returns the elements to show, reads with
    /// `readPanel(name, request)` and changes something with `askPanel(name, request)`. `answer` answers these
    /// requests, which are JSON, also while the program is paused or shows the past; an error is a sentence for the
    /// page.
    ///
    /// # Example
    /// ```
    /// use ecs::prelude::*;
    /// use ecs_studio::Studio;
    /// use serde_json::json;
    ///
    /// let mut studio = Studio::<Engine>::new();
    /// let script = "panels.Count = () => [el('p', {}, String(readPanel('Count', {}) ?? '…'))];";
    /// studio.add_panel("Count", script, |engine, _request| Ok(json!(engine.entities().len()).into()));
    /// let answer = studio.answer(&mut Engine::new(), r#"{ "op": "panel", "panel": "Count" }"#);
    /// assert_eq!(answer, r#"{"value":0}"#);
    /// ```
    pub fn add_panel(
        &mut self,
        name: &str,
        script: &str,
        answer: impl FnMut(&mut S, Value) -> Result<PanelAnswer<S>, String> + 'static,
    ) {
        self.panels.add(name, script, Box::new(answer));
    }

    /// Serves the page and the protocol over HTTP; returns the address, whose port is free to choose if it was 0.
    ///
    /// Without a token, only programs of this machine are answered, and `address` must be a loopback address. With a
    /// token, requests must carry it: as `?token=…` in the address of the page, or in the header `X-Token`.
    ///
    /// # Errors
    /// - [`ServerError::NotLocal`] if another address is given without a token.
    /// - [`ServerError::Token`] for a token that is empty or has special characters.
    /// - [`ServerError::Listen`] if the address cannot be used.
    pub fn listen(&mut self, address: &str, token: Option<&str>) -> Result<SocketAddr, ServerError> {
        let server = Server::start(address, token, self.panels.script.clone())?;
        let address = server.address();
        self.server = Some(server);
        Ok(address)
    }

    /// Limits the bytes of the whole history, which are 1 GiB otherwise. When they are used up, checkpoints are
    /// thinned, those of old frames most: these take longer to be shown then. The present and a moment before it are
    /// always kept.
    pub fn limit_history(&mut self, bytes: usize) {
        self.watched.history.limit(bytes);
    }

    /// Pauses the program until a request resumes it. The page shows the reason.
    ///
    /// # Example
    /// ```
    /// use ecs::prelude::*;
    /// use ecs_studio::Studio;
    ///
    /// let (mut studio, mut engine) = (Studio::<Engine>::new(), Engine::new());
    /// studio.pause("it has not begun yet");
    /// assert_eq!(studio.frame(&mut engine, |_| ()), None);
    /// studio.answer(&mut engine, r#"{ "op": "run" }"#);
    /// assert_eq!(studio.frame(&mut engine, |_| ()), Some(()));
    /// ```
    pub fn pause(&mut self, why: &str) {
        (self.watched.pace, self.watched.notice) = (Pace::Paused, why.to_owned());
    }

    /// Whether the middle of a frame is shown, which is no state that the program comes to between two frames.
    #[must_use]
    pub fn shows_the_middle_of_a_frame(&self) -> bool {
        self.watched.partial.is_some()
    }

    /// Whether requests come, or came within the last ten seconds.
    #[must_use]
    pub fn is_watched(&self) -> bool {
        self.watched.is_measured
    }

    /// The frames of the chosen branch, from the oldest to the latest, and what each was run with, if that is known.
    /// Those that were run together with the frame before are left out.
    #[must_use]
    pub fn recorded(&self) -> Vec<(u64, Option<&S::Inputs>)> {
        let history = &self.watched.history;
        let Some((oldest, latest)) = history.range() else { return Vec::new() };
        let frames = (oldest + 1..=latest).filter_map(|frame| {
            let branch = history.line().find(|branch| branch.begin < frame)?;
            let is_whole = !branch.is_within_a_step(frame - 1);
            is_whole.then(|| (frame, branch.inputs(frame).map(|frame| &frame.inputs)))
        });
        frames.collect()
    }

    /// The edits by hand of the chosen branch, also those that were made after the shown frame.
    #[must_use]
    pub fn edits(&self) -> Vec<MadeEdit> {
        let (mut all, mut end) = (Vec::new(), u64::MAX);
        for branch in self.watched.history.line() {
            let own = branch.edits_until(branch.position_of(end)).rev();
            all.extend(own.cloned());
            end = branch.begin;
        }
        all.reverse();
        all
    }

    /// Runs a frame by calling `run`, unless the program is paused; returns what `run` returned. Requests are answered
    /// before it.
    pub fn frame<R>(&mut self, subject: &mut S, run: impl FnOnce(&mut S) -> R) -> Option<R> {
        if !self.begin_frame(subject) {
            return None;
        }
        let result = run(subject);
        self.end_frame(subject);
        Some(result)
    }

    /// Answers requests without running a frame, for a program that waits until the next one is due.
    pub fn serve(&mut self, subject: &mut S) {
        let begun = Instant::now();
        for _ in 0..MAX_REQUESTS {
            let Some(asked) = self.server.as_ref().and_then(Server::next) else { break };
            let answer = self.answer(subject, asked.request());
            asked.reply(answer);
            if begun.elapsed() > MAX_TIME {
                break;
            }
        }
        self.watched.go_on_searching(subject);
        self.watched.fill_curves(subject);
        self.tell_pages(subject);
        if self.server.is_some() && self.last_request.is_some_and(|last| last.elapsed() > PATIENCE) {
            self.last_request = None;
            self.watched.end_measuring(subject);
        }
    }

    /// The first half of [`Studio::frame`]: answers requests, and returns whether the frame may run.
    /// [`Studio::end_frame`] follows it.
    pub fn begin_frame(&mut self, subject: &mut S) -> bool {
        self.serve(subject);
        self.frame_begun = None;
        let watched = &mut self.watched;
        match &mut watched.pace {
            Pace::Alone(system) => {
                let system = std::mem::take(system);
                watched.pace = Pace::Steps(0);
                if let Err(problem) = watched.begin_alone(subject, &system) {
                    watched.end_alone(subject);
                    watched.notice = problem;
                    return false;
                }
            }
            Pace::Paused | Pace::Steps(0) => return false,
            Pace::Steps(left) => *left -= 1,
            Pace::Systems(count) => {
                let count = *count;
                if let Err(problem) = watched.begin_partial_frame(subject, count) {
                    (watched.pace, watched.notice) = (Pace::Paused, problem);
                    return false;
                }
            }
            Pace::Running => {}
        }
        if watched.partial.is_none() {
            watched.begin_frame(subject);
        }
        self.frame_begun = Some(Instant::now());
        true
    }

    /// The second half of [`Studio::frame`]: records the frame.
    pub fn end_frame(&mut self, subject: &mut S) {
        let watched = &mut self.watched;
        if let Pace::Systems(_) = watched.pace {
            // It is no frame of the history.
            watched.pace = Pace::Paused;
            return;
        }
        let took = self.frame_begun.take().map(|begun| begun.elapsed()).unwrap_or_default();
        watched.frame_times.push_back(took);
        if watched.frame_times.len() > TIMED_FRAMES {
            watched.frame_times.pop_front();
        }
        watched.end_alone(subject);
        watched.record(subject, took);
    }

    /// What was done to the subject since the last call.
    pub fn take_changes(&mut self) -> Changes {
        self.collect_changes();
        std::mem::take(&mut self.changes)
    }

    /// Answers a request of the protocol, which is JSON, like the answer: an object with the field `error` if it is
    /// refused.
    pub fn answer(&mut self, subject: &mut S, request: &str) -> String {
        match serde_json::from_str::<Request>(request) {
            Ok(request) => {
                if !request.only_reads() || matches!(request, Request::Panel { .. }) {
                    self.streams.hurry();
                }
                self.answer_to(subject, request)
            }
            Err(error) => json!({ "error": format!("this is no request: {error}") }).to_string(),
        }
    }

    fn answer_to(&mut self, subject: &mut S, request: Request) -> String {
        let answer = match request {
            Request::Panel { panel, request } => self.answer_of_panel(subject, &panel, request),
            Request::Watch { stream, requests } => {
                // The page opens its stream first, so that it has come before this request.
                self.accept_streams();
                self.streams.watch(&stream, requests).map(|()| json!({}))
            }
            request => {
                self.last_request = Some(Instant::now());
                self.watched.begin_measuring(subject);
                self.watched.begin_history(subject);
                self.watched.answer(subject, request)
            }
        };
        answer.unwrap_or_else(|error| json!({ "error": error })).to_string()
    }

    fn accept_streams(&mut self) {
        while let Some(opened) = self.server.as_ref().and_then(Server::next_stream) {
            self.streams.add(opened);
        }
    }

    /// Tells the open pages what has changed of what they watch.
    fn tell_pages(&mut self, subject: &mut S) {
        self.accept_streams();
        let mut streams = std::mem::take(&mut self.streams);
        streams.send_changes(|request| self.answer_to(subject, request));
        self.streams = streams;
    }

    fn answer_of_panel(&mut self, subject: &mut S, panel: &str, request: Value) -> Answer {
        let change = match self.panels.answer(subject, panel, request)? {
            PanelAnswer::Value(value) => return Ok(json!({ "value": value })),
            PanelAnswer::Change(change) => change,
        };
        self.watched.show_the_present(subject)?;
        let frame = subject.engine().time().frame();
        let value = change(subject)?;
        let before = self.replace_watched();
        self.watched.breaks = before.breaks;
        if subject.engine().time().frame() == frame {
            // The program goes on from here, if it is not paused.
            (self.watched.pace, self.watched.notice) = (before.pace, before.notice);
            (self.watched.selected, self.watched.picks) = (before.selected, before.picks);
        }
        if before.is_measured {
            self.watched.begin_measuring(subject);
        }
        (self.changes.moved, self.changes.is_incomplete) = (true, true);
        Ok(json!({ "value": value }))
    }

    fn collect_changes(&mut self) {
        self.changes.append(std::mem::take(&mut self.watched.changes));
    }

    /// Forgets what was recorded, since another subject begins, which runs.
    pub fn forget(&mut self) {
        self.replace_watched();
    }

    /// Begins a history without frames; returns the one before.
    fn replace_watched(&mut self) -> Watched<S> {
        let before = std::mem::take(&mut self.watched);
        self.changes = Changes::default();
        self.watched.history.limit(before.history.limit_bytes());
        before
    }

    /// Marks an entity, such as one that was clicked in the window of the program; the page shows it.
    pub fn select(&mut self, entity: EntityId) {
        self.watched.selected = Some(entity);
        self.watched.picks = (self.watched.picks.0 + 1, Some(entity));
    }

    /// The marked entity.
    #[must_use]
    pub fn selected(&self) -> Option<EntityId> {
        self.watched.selected
    }

    /// A sentence for the window of the program: whether it is paused, and why, or shows the past.
    #[must_use]
    pub fn notice(&self) -> Option<String> {
        let watched = &self.watched;
        match (watched.past, &watched.pace) {
            _ if watched.partial.is_some() => Some("the studio shows the middle of a frame".to_owned()),
            (Some(frame), _) => Some(format!("the studio shows frame {frame}")),
            (None, Pace::Running) => None,
            (None, Pace::Paused) if !watched.notice.is_empty() => Some(watched.notice.clone()),
            (None, _) => Some("the studio has paused the program".to_owned()),
        }
    }

    /// As [`Studio::pause`], for a program without a window that has nothing more to run: the page may end it.
    ///
    /// # Example
    /// ```
    /// use ecs::prelude::*;
    /// use ecs_studio::Studio;
    ///
    /// let (mut studio, mut engine) = (Studio::<Engine>::new(), Engine::new());
    /// studio.pause_at_the_end("it is over");
    /// studio.answer(&mut engine, r#"{ "op": "end" }"#);
    /// assert!(studio.is_ended());
    /// ```
    pub fn pause_at_the_end(&mut self, why: &str) {
        self.pause(why);
        self.watched.note_end();
    }

    /// Whether a request asked for the end of a program that waits at its end.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.watched.is_ended
    }

    /// Shows the present again, if the past or the middle of a frame is shown, for example at the end of the program. A
    /// pause stays.
    pub fn leave(&mut self, subject: &mut S) {
        _ = self.watched.show_the_present(subject);
        self.collect_changes();
    }
}
