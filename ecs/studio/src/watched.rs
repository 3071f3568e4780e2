//! [`Watched`]: what is recorded while requests come, and going back and forth in it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ecs::{Engine, EntityId};

use crate::changes::{Changes, MadeEdit};
use crate::costs::Costs;
use crate::edit::Edit;
use crate::edits::{Edits, EntityStep};
use crate::history::History;
use crate::journal::Journal;
use crate::subject::Subject;
use crate::values::{has_text, printed};

/// Limit of the bytes of kept snapshots, as [`Subject::snapshot_bytes`] tells them.
const MAX_HISTORY_BYTES: usize = 1 << 30;
/// Frames whose causes the engine traces before the journal takes them.
const TRACED_FRAMES: usize = 32;

/// Whether frames run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    Running,
    Paused,
    /// Paused after so many frames.
    Steps(u32),
    /// Paused after a frame with only the first systems.
    Systems(usize),
    /// Paused after a frame with only this system.
    Alone(String),
}

/// Pauses the program when an event comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Break {
    pub(crate) event: String,
    /// The event's value contains it.
    pub(crate) search: String,
}

/// A frame of which only the first systems have run.
pub(crate) struct PartialFrame {
    pub(crate) systems: usize,
    /// All systems of the frame, in execution order.
    pub(crate) order: Vec<String>,
}

/// The state before an entity was spawned or despawned by hand, in the present frame.
struct Checkpoint<S> {
    snapshot: S,
    /// The number of the change.
    step: u64,
    /// Edits of this frame before it.
    made: usize,
}

/// Limit of kept states of one frame.
const MAX_CHECKPOINTS: usize = 32;

/// What is recorded while requests come.
pub(crate) struct Watched<S: Subject> {
    pub(crate) history: History<S::Snapshot>,
    pub(crate) journal: Journal,
    pub(crate) edits: Edits,
    pub(crate) pace: Pace,
    /// The shown frame, if it is one of the past.
    pub(crate) past: Option<u64>,
    /// Set while the middle of a frame is shown.
    pub(crate) partial: Option<PartialFrame>,
    pub(crate) breaks: Vec<Break>,
    /// Why it was paused, to be shown.
    pub(crate) notice: String,
    pub(crate) frame_times: VecDeque<Duration>,
    pub(crate) costs: Costs,
    /// Edits that bring back the enabled systems, while one of them runs alone.
    put_back: Vec<Edit>,
    checkpoints: Vec<Checkpoint<S::Snapshot>>,
    /// The edits since the last frame.
    made: usize,
    pub(crate) changes: Changes,
    pub(crate) selected: Option<EntityId>,
    /// How often an entity was marked in the window of the program, which pages follow, and the last of them.
    pub(crate) picks: (u64, Option<EntityId>),
    /// Why nothing can be taken back, if so.
    pub(crate) no_history: Option<String>,
    pub(crate) last_request: Instant,
}

impl<S: Subject> Watched<S> {
    pub(crate) fn begin(subject: &mut S) -> Self {
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
            costs: Costs::begin(subject.engine()),
            put_back: Vec::new(),
            checkpoints: Vec::new(),
            made: 0,
            changes: Changes::default(),
            selected: None,
            picks: (0, None),
            no_history: None,
            last_request: Instant::now(),
        };
        watched.take_snapshot(subject);
        watched
    }

    /// Records the frame that has just run.
    pub(crate) fn record(&mut self, subject: &mut S) {
        self.begin_another_frame();
        self.take_snapshot(subject);
        self.costs.add_frame(subject.engine());
        let Self { journal, breaks, .. } = self;
        let frame = subject.engine().time().frame();
        let inspector = subject.engine().inspector();
        let mut hit = None;
        let (goes_on, events) = journal.take(&inspector, frame);
        for event in events {
            let is_hit = |wanted: &&Break| wanted.event == event.trace.event && has_text(&event.value, &wanted.search);
            if let Some(wanted) = breaks.iter().find(is_hit) {
                hit.get_or_insert_with(|| format!("stopped at {} {}", wanted.event, printed(&event.value)));
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

    /// Edits of earlier frames can no longer be taken back by restoring.
    fn begin_another_frame(&mut self) {
        (self.checkpoints, self.made) = (Vec::new(), 0);
    }

    pub(crate) fn take_snapshot(&mut self, subject: &mut S) {
        let frame = subject.engine().time().frame();
        let mut snapshot = self.history.spare();
        match subject.snapshot_into(&mut snapshot) {
            Ok(()) => {
                self.history.limit(MAX_HISTORY_BYTES, subject.snapshot_bytes());
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
        self.begin_another_frame();
        self.past = None;
        (self.changes.moved, self.changes.is_incomplete) = (true, true);
        self.take_snapshot(subject);
        Ok(())
    }

    /// Notes an edit that was made.
    fn note(&mut self, subject: &mut S, edit: Edit, for_one_frame: bool) {
        self.made += 1;
        let frame = subject.engine().time().frame();
        self.changes.add(MadeEdit { frame, edit, for_one_frame });
    }

    /// Spawns or despawns an entity.
    pub(crate) fn edit_entity(
        &mut self,
        subject: &mut S,
        edit: Edit,
        is_redone: bool,
    ) -> Result<Option<EntityId>, String> {
        let mut snapshot = self.history.spare();
        let is_kept = subject.snapshot_into(&mut snapshot).is_ok();
        let made = self.made;
        let spawned = edit.apply(subject)?;
        let frame = subject.engine().time().frame();
        let step = self.edits.add_entity_step(edit.clone(), spawned, frame, is_redone);
        if is_kept && self.checkpoints.len() < MAX_CHECKPOINTS {
            self.checkpoints.push(Checkpoint { snapshot, step, made });
        }
        self.note_in_history(subject, edit);
        Ok(spawned)
    }

    /// Takes back the last change.
    pub(crate) fn undo(&mut self, subject: &mut S) -> Result<(), String> {
        let Some(step) = self.edits.last_entity_step() else {
            let edit = self.edits.undo(&mut subject.engine().inspector())?;
            self.note_in_history(subject, edit);
            return Ok(());
        };
        let at = self.checkpoints.iter().position(|checkpoint| checkpoint.step == step.number);
        if let Some(checkpoint) = at.and_then(|at| self.checkpoints.drain(at..).next()) {
            // Nothing has run since the checkpoint, so restoring it restores all ids.
            subject.restore(&checkpoint.snapshot).map_err(|error| error.to_string())?;
            self.changes.take_back(self.made - checkpoint.made);
            (self.changes.moved, self.made) = (true, checkpoint.made);
            self.edits.note_undone(true);
            self.take_snapshot(subject);
            return Ok(());
        }
        let Edit::Despawn { entity } = step.edit else { return self.despawn_spawned(subject, &step) };
        // It must not stand in the way of older changes.
        self.edits.note_undone(false);
        let before = step.frame.checked_sub(1).and_then(|frame| self.history.frames_until(frame).next());
        Err(match before {
            Some(frame) => {
                format!("entity {entity} cannot come back: go back to frame {frame}, where it is, and on from there")
            }
            None => format!("entity {entity} cannot come back: no frame is kept in which it was"),
        })
    }

    /// Takes back a spawn after which frames have run.
    fn despawn_spawned(&mut self, subject: &mut S, step: &EntityStep) -> Result<(), String> {
        let entity = step.spawned.ok_or("there is nothing to undo")?;
        let edit = Edit::Despawn { entity };
        let is_gone = edit.apply(subject).is_err();
        self.edits.note_undone(false);
        match is_gone {
            true => Err(format!("entity {entity} is gone already")),
            false => {
                self.note_in_history(subject, edit);
                Ok(())
            }
        }
    }

    /// Makes the last change again that was taken back.
    pub(crate) fn redo(&mut self, subject: &mut S) -> Result<(), String> {
        match self.edits.next_entity_step() {
            Some(step) => self.edit_entity(subject, step.edit, true).map(drop),
            None => {
                let edit = self.edits.redo(&mut subject.engine().inspector())?;
                self.note_in_history(subject, edit);
                Ok(())
            }
        }
    }

    /// Notes an edit; the moment that is come back to has it.
    pub(crate) fn note_in_history(&mut self, subject: &mut S, edit: Edit) {
        self.note(subject, edit, false);
        self.take_snapshot(subject);
    }

    /// Disables all systems except one, for a frame. The edits are noted as if they were made by hand, so that the run
    /// can be repeated.
    pub(crate) fn begin_alone(&mut self, subject: &mut S, name: &str) -> Result<(), String> {
        for system in subject.engine().systems().iter().collect::<Vec<_>>() {
            let is_wanted = system.name == name;
            if system.is_enabled != is_wanted {
                let edit = |is_enabled| Edit::System { name: system.name.to_owned(), is_enabled };
                let change = edit(is_wanted);
                change.put(&mut subject.engine().inspector())?;
                self.note(subject, change, true);
                self.put_back.push(edit(!is_wanted));
            }
        }
        Ok(())
    }

    /// Brings back what [`Watched::begin_alone`] changed, if anything.
    pub(crate) fn end_alone(&mut self, subject: &mut S) {
        for edit in std::mem::take(&mut self.put_back) {
            match edit.put(&mut subject.engine().inspector()) {
                Ok(()) => self.note(subject, edit, false),
                Err(problem) => self.notice = problem,
            }
        }
    }

    /// Goes back to the beginning of the next frame, and lets only the first systems of the execution order run.
    pub(crate) fn begin_partial_frame(&mut self, subject: &mut S, count: usize) -> Result<(), String> {
        self.abort_partial_frame(subject)?;
        self.keep_the_present(subject)?;
        self.changes.moved = true;
        let engine = subject.engine();
        let order = execution_order(engine)?;
        let later = order.iter().skip(count);
        let state =
            later.fold(engine.work_state(), |state, name| state.clone().with_named(name, false).unwrap_or(state));
        self.partial = Some(PartialFrame { systems: count, order });
        engine.set_work_state(&state).map_err(|error| error.to_string())
    }

    /// Restores the frame before the one whose middle is shown.
    pub(crate) fn abort_partial_frame(&mut self, subject: &mut S) -> Result<(), String> {
        if self.partial.take().is_some() {
            let (_, latest) = self.history.range().ok_or("no frame is kept yet")?;
            let (_, snapshot) = self.history.at(latest).ok_or("no frame is kept yet")?;
            subject.restore(snapshot).map_err(|error| error.to_string())?;
            self.changes.moved = true;
        }
        Ok(())
    }

    /// Keeps the state as it is now, unless one of the past is shown: it may have changed since the last frame, by
    /// events that were sent.
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

    /// Leaves the past or the partly run frame that may be shown, and shows the present again.
    pub(crate) fn show_the_present(&mut self, subject: &mut S) -> Result<(), String> {
        self.end_alone(subject);
        self.abort_partial_frame(subject)?;
        self.return_to_the_present(subject)
    }

    /// Drops all that is later than the shown frame of the past.
    pub(crate) fn discard_the_future(&mut self) {
        if let Some(frame) = self.past.take() {
            self.history.forget_from(frame + 1);
            self.journal.forget_after(frame);
            self.edits.forget_after(frame);
            self.begin_another_frame();
        }
    }

    /// Calls `look` on the states of kept frames until it returns `false`, and comes back, also after an error.
    pub(crate) fn look_at(
        &mut self,
        subject: &mut S,
        frames: impl IntoIterator<Item = u64>,
        mut look: impl FnMut(&mut S, u64) -> bool,
    ) -> Result<(), String> {
        self.keep_the_present(subject)?;
        let here = self.past.or(self.history.range().map(|(_, latest)| latest)).ok_or("no frame is kept yet")?;
        let restore = |subject: &mut S, frame| {
            let (kept, snapshot) = self.history.at(frame).ok_or("no frame is kept yet")?;
            subject.restore(snapshot).map_err(|error| error.to_string())?;
            Ok::<u64, String>(kept)
        };
        let mut looked = Ok(());
        for frame in frames {
            match restore(subject, frame) {
                Ok(kept) if look(subject, kept) => {}
                Ok(_) => break,
                Err(problem) => {
                    looked = Err(problem);
                    break;
                }
            }
        }
        restore(subject, here)?;
        looked
    }
}

/// The names of all enabled systems in execution order; those that only listen come last.
fn execution_order(engine: &mut Engine) -> Result<Vec<String>, String> {
    let explained = engine.explain().map_err(|error| error.to_string())?;
    let enabled = explained.systems.iter().filter(|place| place.is_enabled);
    let (working, listening): (Vec<_>, Vec<_>) = enabled.partition(|place| !place.phases.is_empty());
    Ok(working.into_iter().chain(listening).map(|place| place.system.to_string()).collect())
}
