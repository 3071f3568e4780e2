//! [`Studio`]: watches a program frame by frame, answers requests, and goes back in time.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use ecs::{Engine, EntityId};
use serde_json::{Value, json};

use crate::edit::Edit;
use crate::edits::Edits;
use crate::history::History;
use crate::journal::Journal;
use crate::panel::{PanelAnswer, Panels};
use crate::request::Request;
use crate::server::{Server, ServerError};
use crate::subject::Subject;

/// Limit of requests that are answered between two frames.
const MOST_REQUESTS: usize = 32;
/// Recording stops this long after the last request.
const PATIENCE: Duration = Duration::from_secs(10);
/// Frames whose causes the engine traces before the journal takes them.
const TRACED_FRAMES: usize = 32;
/// The last frames with a measured time.
const TIMED_FRAMES: usize = 240;

/// Whether frames run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    Running,
    Paused,
    /// Paused after so many frames.
    Steps(u32),
    /// Paused after a frame with only the first systems.
    Systems(usize),
}

/// Pauses the program when an event comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Break {
    pub(crate) event: String,
    /// The event's value contains it.
    pub(crate) search: String,
}

/// Limit of edits that wait to be taken.
const MOST_EDITS: usize = 10_000;

/// What a studio did to the subject between two frames.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Another moment was restored. A program that records its inputs drops those of later frames when the run goes on.
    pub moved: bool,
    /// The edits by hand, in their order. Going back to a frame also brings back its edits.
    pub edits: Vec<MadeEdit>,
    /// The inputs and these edits do not repeat the run: a saved moment was loaded, the subject was replaced, or there were too many
    /// edits that were not taken.
    pub is_incomplete: bool,
}

/// An edit and the frame after which it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeEdit {
    /// [`Time::frame`](ecs::Time::frame) at the edit.
    pub frame: u64,
    /// The edit.
    pub edit: Edit,
}

impl Changes {
    pub(crate) fn add(&mut self, edit: MadeEdit) {
        match self.edits.len() < MOST_EDITS {
            true => self.edits.push(edit),
            false => self.is_incomplete = true,
        }
    }

    /// Adds later changes.
    fn append(&mut self, later: Self) {
        self.moved |= later.moved;
        self.is_incomplete |= later.is_incomplete;
        later.edits.into_iter().for_each(|edit| self.add(edit));
    }
}

/// Inspects a program: records what happens while requests come, answers them in JSON, and goes back in time.
///
/// Call [`Studio::frame`] in place of the function that runs a frame. Nothing is recorded until the first request, and no longer than
/// ten seconds after the last one: then the present goes on. Watching and going back do not change the run: a program that was watched,
/// sent to the past and brought back has the same state, bit for bit.
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
    server: Option<Server>,
    panels: Panels<S>,
    watched: Option<Watched<S>>,
    changes: Changes,
    frame_begun: Option<Instant>,
}

/// A frame of which only the first systems have run.
pub(crate) struct Partial {
    pub(crate) systems: usize,
    /// All systems of the frame, in work order.
    pub(crate) order: Vec<String>,
}

/// What is recorded while requests come.
pub(crate) struct Watched<S: Subject> {
    pub(crate) history: History<S::Snapshot>,
    pub(crate) journal: Journal,
    pub(crate) edits: Edits,
    pub(crate) pace: Pace,
    /// The shown frame, if it is one of the past.
    pub(crate) past: Option<u64>,
    /// Set while the middle of a frame is shown.
    pub(crate) partial: Option<Partial>,
    pub(crate) breaks: Vec<Break>,
    /// Why it was paused, to be shown.
    pub(crate) notice: String,
    pub(crate) frame_times: VecDeque<Duration>,
    pub(crate) changes: Changes,
    pub(crate) selected: Option<EntityId>,
    /// Why nothing can be taken back, if so.
    pub(crate) no_history: Option<String>,
    last_request: Instant,
}

impl<S: Subject> Default for Studio<S> {
    fn default() -> Self {
        Self { server: None, panels: Panels::default(), watched: None, changes: Changes::default(), frame_begun: None }
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
    /// `script` is JavaScript: it sets `panels[name]` to an async function that returns the elements to show, and asks with
    /// `askPanel(name, request)`. `answer` answers these requests, which are JSON, also while the program is paused or shows the past;
    /// an error is a sentence for the page.
    ///
    /// # Example
    /// ```
    /// use ecs::prelude::*;
    /// use ecs_studio::Studio;
    /// use serde_json::json;
    ///
    /// let mut studio = Studio::<Engine>::new();
    /// let script = "panels.Count = async () => [el('p', {}, String(await askPanel('Count', {})))];";
    /// studio.add_panel("Count", script, |engine, _request| Ok(json!(engine.entities().len()).into()));
    /// let answer = studio.answer(&mut Engine::new(), r#"{ "op": "panel", "panel": "Count" }"#);
    /// assert_eq!(answer, r#"{"value":0}"#);
    /// ```
    pub fn add_panel(
        &mut self,
        name: &str,
        script: &str,
        answer: impl FnMut(&mut S, Value) -> Result<PanelAnswer, String> + 'static,
    ) {
        self.panels.add(name, script, Box::new(answer));
    }

    /// Serves the page and the protocol over HTTP; returns the address, whose port is free to choose if it was 0.
    ///
    /// Without a token, only programs of this machine are answered, and `address` must be a loopback address. With a token, requests
    /// must carry it: as `?token=…` in the address of the page, or in the header `X-Token`.
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

    /// Runs a frame by calling `run`, unless the program is paused; returns what `run` returned. Requests are answered before it.
    pub fn frame<R>(&mut self, subject: &mut S, run: impl FnOnce(&mut S) -> R) -> Option<R> {
        if !self.begin_frame(subject) {
            return None;
        }
        let result = run(subject);
        self.end_frame(subject);
        Some(result)
    }

    /// The first half of [`Studio::frame`]: answers requests, and returns whether the frame may run. [`Studio::end_frame`] follows it.
    pub fn begin_frame(&mut self, subject: &mut S) -> bool {
        for _ in 0..MOST_REQUESTS {
            let Some(asked) = self.server.as_ref().and_then(Server::next) else { break };
            let answer = self.answer(subject, asked.request());
            asked.reply(answer);
        }
        self.leave_after_the_last_request(subject);
        self.frame_begun = None;
        let Some(watched) = &mut self.watched else { return true };
        match &mut watched.pace {
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
        self.frame_begun = Some(Instant::now());
        true
    }

    /// The second half of [`Studio::frame`]: records the frame while requests come.
    pub fn end_frame(&mut self, subject: &mut S) {
        let Some(watched) = &mut self.watched else { return };
        if let Pace::Systems(_) = watched.pace {
            // It is no frame of the history.
            watched.pace = Pace::Paused;
            return;
        }
        if let Some(begun) = self.frame_begun.take() {
            watched.frame_times.push_back(begun.elapsed());
            if watched.frame_times.len() > TIMED_FRAMES {
                watched.frame_times.pop_front();
            }
        }
        watched.record(subject);
    }

    /// What was done to the subject since the last call.
    pub fn take_changes(&mut self) -> Changes {
        self.collect_changes();
        std::mem::take(&mut self.changes)
    }

    /// Answers a request of the protocol, which is JSON, like the answer: an object with the field `error` if it is refused.
    pub fn answer(&mut self, subject: &mut S, request: &str) -> String {
        let answer = match serde_json::from_str::<Request>(request) {
            Ok(Request::Panel { panel, request }) => self.answer_of_panel(subject, &panel, request),
            Ok(request) => {
                let watched = self.watched.get_or_insert_with(|| Watched::begin(subject));
                watched.last_request = Instant::now();
                watched.answer(subject, request)
            }
            Err(error) => Err(format!("this is no request: {error}")),
        };
        answer.unwrap_or_else(|error| json!({ "error": error })).to_string()
    }

    fn answer_of_panel(&mut self, subject: &mut S, panel: &str, request: Value) -> Answer {
        let answer = self.panels.answer(subject, panel, request)?;
        if answer.is_new_subject {
            self.forget();
            (self.changes.moved, self.changes.is_incomplete) = (true, true);
        }
        Ok(json!({ "value": answer.value }))
    }

    fn collect_changes(&mut self) {
        if let Some(watched) = &mut self.watched {
            self.changes.append(std::mem::take(&mut watched.changes));
        }
    }

    /// Forgets what was recorded, since another subject begins.
    pub fn forget(&mut self) {
        self.watched = None;
    }

    /// Marks an entity, such as one that was clicked in the window of the program; the page shows it. Has no effect
    /// while nothing is recorded.
    pub fn select(&mut self, entity: EntityId) {
        if let Some(watched) = &mut self.watched {
            watched.selected = Some(entity);
        }
    }

    /// The marked entity.
    #[must_use]
    pub fn selected(&self) -> Option<EntityId> {
        self.watched.as_ref()?.selected
    }

    /// A sentence for the window of the program: whether it is paused, or shows the past.
    #[must_use]
    pub fn notice(&self) -> Option<String> {
        let watched = self.watched.as_ref()?;
        match (watched.past, watched.pace) {
            _ if watched.partial.is_some() => Some("the studio shows the middle of a frame".to_owned()),
            (Some(frame), _) => Some(format!("the studio shows frame {frame}")),
            (None, Pace::Paused | Pace::Steps(_) | Pace::Systems(_)) => {
                Some("the studio has paused the program".to_owned())
            }
            (None, Pace::Running) => None,
        }
    }

    /// Stops recording, and goes on with the present.
    pub fn leave(&mut self, subject: &mut S) {
        if let Some(mut watched) = self.watched.take() {
            _ = watched.leave_partial_frame(subject);
            _ = watched.return_to_the_present(subject);
            subject.engine().inspector().trace(0);
            self.changes.append(watched.changes);
        }
    }

    fn leave_after_the_last_request(&mut self, subject: &mut S) {
        if self.server.is_some()
            && self.watched.as_ref().is_some_and(|watched| watched.last_request.elapsed() > PATIENCE)
        {
            self.leave(subject);
        }
    }
}

impl<S: Subject> Watched<S> {
    fn begin(subject: &mut S) -> Self {
        subject.engine().inspector().trace(TRACED_FRAMES);
        let mut watched = Self {
            history: History::default(),
            journal: Journal::default(),
            edits: Edits::default(),
            pace: Pace::Running,
            past: None,
            partial: None,
            breaks: Vec::new(),
            notice: String::new(),
            frame_times: VecDeque::new(),
            changes: Changes::default(),
            selected: None,
            no_history: None,
            last_request: Instant::now(),
        };
        watched.take_snapshot(subject);
        watched
    }

    /// Records the frame that has just run.
    fn record(&mut self, subject: &mut S) {
        self.take_snapshot(subject);
        let Self { journal, breaks, .. } = self;
        let frame = subject.engine().time().frame();
        let inspector = subject.engine().inspector();
        let mut hit = None;
        let (goes_on, events) = journal.take(&inspector, frame);
        for event in events {
            let is_hit = |wanted: &&Break| {
                wanted.event == event.trace.event
                    && (wanted.search.is_empty() || event.value.to_string().contains(&wanted.search))
            };
            if let Some(wanted) = breaks.iter().find(is_hit) {
                hit.get_or_insert_with(|| format!("stopped at {} {}", wanted.event, event.value));
            }
        }
        if !goes_on {
            // The program itself has restored another moment.
            self.edits.clear();
        }
        if let Some(notice) = hit {
            self.pace = Pace::Paused;
            self.notice = notice;
        }
    }

    pub(crate) fn take_snapshot(&mut self, subject: &mut S) {
        let frame = subject.engine().time().frame();
        let mut snapshot = self.history.spare();
        match subject.snapshot_into(&mut snapshot) {
            Ok(()) => {
                self.history.push(frame, snapshot);
                self.no_history = None;
            }
            Err(error) => self.no_history = Some(error.to_string()),
        }
    }

    /// Replaces the present by a save, and restarts the recording.
    pub(crate) fn load(&mut self, subject: &mut S, bytes: &[u8]) -> Result<(), String> {
        subject.load(bytes)?;
        self.history = History::default();
        self.journal = Journal::default();
        self.edits.clear();
        self.past = None;
        (self.changes.moved, self.changes.is_incomplete) = (true, true);
        self.take_snapshot(subject);
        Ok(())
    }

    /// Goes back to the beginning of the next frame, and lets only the first systems of the work order run.
    fn begin_partial_frame(&mut self, subject: &mut S, count: usize) -> Result<(), String> {
        self.leave_partial_frame(subject)?;
        self.keep_the_present(subject)?;
        self.changes.moved = true;
        let engine = subject.engine();
        let order = work_order(engine)?;
        let later = order.iter().skip(count);
        let state =
            later.fold(engine.work_state(), |state, name| state.clone().with_named(name, false).unwrap_or(state));
        self.partial = Some(Partial { systems: count, order });
        engine.set_work_state(&state).map_err(|error| error.to_string())
    }

    /// Restores the frame before the one whose middle is shown.
    pub(crate) fn leave_partial_frame(&mut self, subject: &mut S) -> Result<(), String> {
        if self.partial.take().is_some() {
            let (_, latest) = self.history.range().ok_or("no frame is kept yet")?;
            let (_, snapshot) = self.history.at(latest).ok_or("no frame is kept yet")?;
            subject.restore(snapshot).map_err(|error| error.to_string())?;
            self.changes.moved = true;
        }
        Ok(())
    }

    /// Keeps the state as it is now, unless one of the past is shown: it may have changed since the last frame, by events that were sent.
    pub(crate) fn keep_the_present(&mut self, subject: &mut S) -> Result<(), String> {
        if self.past.is_none() {
            self.take_snapshot(subject);
        }
        self.no_history.clone().map_or(Ok(()), Err)
    }

    /// Restores the kept frame that is closest before one.
    pub(crate) fn seek(&mut self, subject: &mut S, frame: u64) -> Result<(), String> {
        self.keep_the_present(subject)?;
        let (_, latest) = self.history.range().ok_or("no frame is kept yet")?;
        let (kept, snapshot) = self.history.at(frame).ok_or("no frame is kept yet")?;
        subject.restore(snapshot).map_err(|error| error.to_string())?;
        self.past = (kept < latest).then_some(kept);
        self.pace = Pace::Paused;
        self.changes.moved = true;
        Ok(())
    }

    /// Restores the latest frame, if one of the past is shown.
    pub(crate) fn return_to_the_present(&mut self, subject: &mut S) -> Result<(), String> {
        match (self.past, self.history.range()) {
            (Some(_), Some((_, latest))) => self.seek(subject, latest),
            _ => Ok(()),
        }
    }

    /// Drops all that is later than the shown frame of the past.
    pub(crate) fn go_on_from_here(&mut self) {
        if let Some(frame) = self.past.take() {
            self.history.forget_from(frame + 1);
            self.journal.forget_after(frame);
            self.edits.clear();
        }
    }

    /// Runs `look` on the state of a kept frame, and comes back.
    pub(crate) fn look_at<R>(
        &mut self,
        subject: &mut S,
        frame: u64,
        look: impl FnOnce(&mut S) -> R,
    ) -> Result<R, String> {
        let here = self.past.or(self.history.range().map(|(_, latest)| latest)).ok_or("no frame is kept yet")?;
        let restore = |subject: &mut S, frame| {
            let (_, snapshot) = self.history.at(frame).ok_or("no frame is kept yet")?;
            subject.restore(snapshot).map_err(|error| error.to_string())
        };
        restore(subject, frame)?;
        let seen = look(subject);
        restore(subject, here)?;
        Ok(seen)
    }
}

/// The names of all enabled systems in work order; those that only listen come last.
pub(crate) fn work_order(engine: &mut Engine) -> Result<Vec<String>, String> {
    let explained = engine.explain().map_err(|error| error.to_string())?;
    let enabled = explained.places.iter().filter(|place| place.is_enabled);
    let (working, listening): (Vec<_>, Vec<_>) = enabled.partition(|place| !place.phases.is_empty());
    Ok(working.into_iter().chain(listening).map(|place| place.system.to_string()).collect())
}

/// An answer, or a sentence that says why there is none.
pub(crate) type Answer = Result<Value, String>;
