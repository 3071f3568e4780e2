//! [`Watched`]: the history of a program, what is shown of it, and what is measured while a page is open.

use std::collections::VecDeque;
use std::time::Duration;

use ecs::snapshot::{HashPart, WaitingEvents};
use ecs::{Engine, EntityId};

use crate::changes::{Changes, MadeEdit};
use crate::costs::Costs;
use crate::edit::Edit;
use crate::edits::{Edits, EntityStep};
use crate::history::{Branch, CHECKPOINT_FRAMES, FrameInputs, History, Position};
use crate::journal::Journal;
use crate::subject::Subject;
use crate::values::{has_text, printed};

/// Frames that took so long have a checkpoint, too, since running them again takes as long.
const CHECKPOINT_TIME: Duration = Duration::from_secs(1);
/// Frames between two snapshots of a program whose frames cannot be run again, while no page is open.
const SNAPSHOT_FRAMES: u64 = 15;
/// Limit of the name of a branch.
const MAX_NAME_BYTES: usize = 100;
const NO_FRAME: &str = "no frame is kept yet";
/// Frames whose causes the engine traces before the journal takes them.
const TRACED_FRAMES: usize = 32;
/// Of the inputs of a program that records none.
const NOT_RECORDED: &str =
    "this program does not record what its frames are run with: only frames with a snapshot can be shown";

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

/// What is recorded of a program, and what is shown.
pub(crate) struct Watched<S: Subject> {
    pub(crate) history: History<S::Inputs, S::Snapshot>,
    /// Why frames without a snapshot cannot be shown, if so.
    pub(crate) inexact: Option<String>,
    /// Why the inputs of a frame could not be copied, if so.
    not_copied: Option<String>,
    /// The frame before the one that runs, and what waits for it, if that can be copied.
    begun: Option<(u64, Result<Option<WaitingEvents>, String>)>,
    /// What the frames since the last checkpoint took.
    since_checkpoint: Duration,
    pub(crate) journal: Journal,
    pub(crate) edits: Edits,
    pub(crate) pace: Pace,
    /// The shown frame, if it is one of the past.
    pub(crate) past: Option<u64>,
    /// The branch and the place that the state was brought to, until something else may have changed it.
    here: Option<(u64, Position)>,
    /// Set while the middle of a frame is shown.
    pub(crate) partial: Option<PartialFrame>,
    pub(crate) breaks: Vec<Break>,
    /// Why it was paused, to be shown.
    pub(crate) notice: String,
    pub(crate) frame_times: VecDeque<Duration>,
    pub(crate) costs: Costs,
    /// Events, causes and times are noted.
    pub(crate) is_measured: bool,
    /// Edits that bring back the enabled systems, while one of them runs alone.
    put_back: Vec<Edit>,
    pub(crate) changes: Changes,
    pub(crate) selected: Option<EntityId>,
    /// How often an entity was marked in the window of the program, which pages follow, and the last of them.
    pub(crate) picks: (u64, Option<EntityId>),
    /// Why nothing can be taken back, if so.
    pub(crate) no_history: Option<String>,
    /// The program has waited at its end, and then its end was asked for.
    pub(crate) is_at_end: bool,
    pub(crate) is_ended: bool,
}

impl<S: Subject> Default for Watched<S> {
    fn default() -> Self {
        Self {
            history: History::default(),
            inexact: None,
            not_copied: None,
            begun: None,
            since_checkpoint: Duration::ZERO,
            journal: Journal::default(),
            edits: Edits::default(),
            pace: Pace::Running,
            past: None,
            here: None,
            partial: None,
            breaks: Vec::new(),
            notice: String::new(),
            frame_times: VecDeque::new(),
            costs: Costs::default(),
            is_measured: false,
            put_back: Vec::new(),
            changes: Changes::default(),
            selected: None,
            picks: (0, None),
            no_history: None,
            is_at_end: false,
            is_ended: false,
        }
    }
}

impl<S: Subject> Watched<S> {
    /// Notes events, causes and times from now on.
    pub(crate) fn begin_measuring(&mut self, subject: &mut S) {
        if !self.is_measured {
            self.is_measured = true;
            subject.engine().inspector().trace(TRACED_FRAMES);
            self.costs = Costs::begin(subject.engine());
        }
    }

    pub(crate) fn end_measuring(&mut self, subject: &mut S) {
        if std::mem::take(&mut self.is_measured) {
            subject.engine().inspector().trace(0);
        }
    }

    /// Begins the history, or a branch if the program itself has restored another moment since the last frame.
    pub(crate) fn begin_history(&mut self, subject: &mut S) {
        let frame = subject.engine().time().frame();
        if self.past.is_some() || self.partial.is_some() {
            return;
        }
        let Some((_, latest)) = self.history.range() else { return self.begin_branch(subject, None, None) };
        if frame != latest {
            let from = self.history.owner(frame).map(|branch| (branch.id, frame));
            self.edits.clear();
            self.journal.forget_after(frame);
            self.begin_branch(subject, Some(format!("restored to frame {frame}")), from);
        }
    }

    /// Begins a branch with the present state.
    fn begin_branch(&mut self, subject: &mut S, name: Option<String>, from: Option<(u64, u64)>) {
        let mut snapshot = self.history.spare();
        match subject.snapshot_into(&mut snapshot) {
            Ok(()) => {
                let (frame, bytes) = (subject.engine().time().frame(), subject.snapshot_bytes());
                self.history.begin(name, from, frame, snapshot, bytes);
                self.no_history = None;
            }
            Err(error) => self.no_history = Some(error.to_string()),
        }
    }

    /// Notes what the frame that runs next begins with.
    pub(crate) fn begin_frame(&mut self, subject: &mut S) {
        self.here = None;
        let frame = subject.engine().time().frame();
        // What could not be copied once is not tried again in each frame.
        if self.no_history.is_none() || frame.is_multiple_of(CHECKPOINT_FRAMES) {
            self.begin_history(subject);
        }
        let mut inspector = subject.engine().inspector();
        self.begun = Some((
            frame,
            if S::RUNS_FRAME_BY_FRAME {
                Ok(None)
            } else {
                inspector.waiting_events().map_err(|error| error.to_string())
            },
        ));
        if S::RUNS_FRAME_BY_FRAME {
            inspector.record_frames(true);
        }
    }

    /// Records the frame that has just run.
    pub(crate) fn record(&mut self, subject: &mut S, took: Duration) {
        let frame = subject.engine().time().frame();
        let Some((before, waiting)) = self.begun.take() else { return };
        let recorded = subject.engine().inspector().record_frames(false);
        // If no branch could be begun where it is, nothing is recorded.
        if self.history.range().is_some_and(|(_, latest)| latest == before) {
            match S::RUNS_FRAME_BY_FRAME {
                true => recorded.into_iter().for_each(|frame| {
                    self.record_inputs(subject, frame.delta, frame.waiting.map_err(|error| error.to_string()));
                }),
                // One call may run several frames, or none.
                false if frame > before => {
                    let delta = subject.engine().time().delta();
                    let is_known = self.record_inputs(subject, delta, waiting);
                    (before + 1..frame).for_each(|_| self.history.join_frame(is_known));
                }
                false => {}
            }
        }
        let (frames, has_gap) = self.history.since_the_last_checkpoint();
        self.since_checkpoint += took;
        let due = match has_gap {
            true if self.is_measured => 1,
            true => SNAPSHOT_FRAMES,
            false if self.since_checkpoint > CHECKPOINT_TIME => 1,
            false => CHECKPOINT_FRAMES,
        };
        if frames >= due && self.history.range().is_some_and(|(_, latest)| latest == frame) {
            self.take_snapshot(subject);
        }
        if self.is_measured {
            self.measure(subject, frame);
        }
    }

    /// Records a frame; returns whether it can be run again.
    fn record_inputs(
        &mut self,
        subject: &mut S,
        delta: Duration,
        waiting: Result<Option<WaitingEvents>, String>,
    ) -> bool {
        let inputs = if self.inexact.is_none() { subject.inputs(delta) } else { None };
        if inputs.is_none() {
            self.inexact.get_or_insert_with(|| NOT_RECORDED.to_owned());
        }
        let waiting = waiting.map_err(|problem| self.not_copied = Some(problem));
        let frame = inputs.zip(waiting.ok()).map(|(inputs, waiting)| {
            let bytes = S::input_bytes(&inputs) + waiting.as_ref().map_or(0, WaitingEvents::held_bytes);
            FrameInputs { inputs, waiting, bytes }
        });
        let is_known = frame.is_some();
        self.history.push_frame(frame);
        is_known
    }

    /// Notes times, events and causes of the frame that has just run.
    fn measure(&mut self, subject: &mut S, frame: u64) {
        self.costs.add_frame(subject.engine());
        let Self { journal, breaks, .. } = self;
        let inspector = subject.engine().inspector();
        let mut hit = None;
        for event in journal.take(&inspector, frame) {
            let is_hit = |wanted: &&Break| wanted.event == event.trace.event && has_text(&event.value, &wanted.search);
            if let Some(wanted) = breaks.iter().find(is_hit) {
                hit.get_or_insert_with(|| format!("stopped at {} {}", wanted.event, printed(&event.value)));
            }
        }
        if let Some(notice) = hit {
            self.pace = Pace::Paused;
            self.notice = notice;
        }
    }

    /// Keeps the present state as a checkpoint.
    fn take_snapshot(&mut self, subject: &mut S) {
        let mut snapshot = self.history.spare();
        self.since_checkpoint = Duration::ZERO;
        match subject.snapshot_into(&mut snapshot) {
            Ok(()) => {
                self.history.keep(snapshot, subject.snapshot_bytes());
                self.no_history = None;
            }
            Err(error) => self.no_history = Some(error.to_string()),
        }
    }

    /// Begins a branch with a save.
    pub(crate) fn load(&mut self, subject: &mut S, bytes: &[u8]) -> Result<(), String> {
        // What is shown now can be shown again.
        self.keep_the_present(subject).ok();
        subject.load(bytes)?;
        self.journal = Journal::default();
        self.edits.clear();
        self.past = None;
        (self.changes.moved, self.changes.is_incomplete) = (true, true);
        let name = format!("loaded at frame {}", subject.engine().time().frame());
        self.begin_branch(subject, Some(name), None);
        Ok(())
    }

    /// Notes an edit that was made.
    pub(crate) fn note(&mut self, subject: &mut S, edit: Edit, for_one_frame: bool) {
        let frame = subject.engine().time().frame();
        let made = MadeEdit { frame, edit, for_one_frame };
        self.history.push_edit(made.clone());
        self.changes.add(made);
    }

    /// Spawns or despawns an entity.
    pub(crate) fn edit_entity(
        &mut self,
        subject: &mut S,
        edit: Edit,
        is_redone: bool,
    ) -> Result<Option<EntityId>, String> {
        // Undoing it restores this moment, with all ids.
        self.take_snapshot(subject);
        let at = self.history.current().map(|branch| (branch.id, branch.tip()));
        let spawned = edit.apply(subject)?;
        let frame = subject.engine().time().frame();
        self.edits.add_entity_step(EntityStep { edit: edit.clone(), spawned, frame, at }, is_redone);
        self.note(subject, edit, false);
        Ok(spawned)
    }

    /// Takes back the last change.
    pub(crate) fn undo(&mut self, subject: &mut S) -> Result<(), String> {
        let Some(step) = self.edits.last_entity_step() else {
            let edit = self.edits.undo(&mut subject.engine().inspector())?;
            self.note(subject, edit, false);
            return Ok(());
        };
        let branch = self.history.current().zip(step.at);
        let branch = branch.filter(|(branch, (id, at))| branch.id == *id && branch.latest() == at.frame);
        if let Some((branch, (_, at))) = branch
            && let before = branch.around(at).0
            && before.at == at
        {
            // No frame has run since, so restoring it restores all ids.
            restore(subject, &before.snapshot)?;
            let count = branch.tip().edits - at.edits;
            self.history.take_back_edits(count);
            self.changes.take_back(count);
            self.changes.moved = true;
            self.edits.note_undone(true);
            return Ok(());
        }
        let Edit::Despawn { entity } = step.edit else { return self.despawn_spawned(subject, &step) };
        // It must not stand in the way of older changes.
        self.edits.note_undone(false);
        let before = step.frame.checked_sub(1).filter(|frame| self.history.owner(*frame).is_some());
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
                self.note(subject, edit, false);
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
                self.note(subject, edit, false);
                Ok(())
            }
        }
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
            let (_, latest) = self.history.range().ok_or(NO_FRAME)?;
            self.go(subject, latest)?;
            self.changes.moved = true;
        }
        Ok(())
    }

    /// Keeps the state as it is now, unless one of the past is shown: it may have changed since the last frame, by
    /// events that were sent.
    pub(crate) fn keep_the_present(&mut self, subject: &mut S) -> Result<(), String> {
        if self.past.is_none() {
            self.here = None;
            match self.history.is_empty() {
                true => self.begin_history(subject),
                false => self.take_snapshot(subject),
            }
        }
        self.no_history.clone().map_or(Ok(()), Err)
    }

    /// Shows a frame, or the last one before it that can be shown.
    pub(crate) fn seek(&mut self, subject: &mut S, frame: u64) -> Result<(), String> {
        self.keep_the_present(subject)?;
        let (oldest, latest) = self.history.range().ok_or(NO_FRAME)?;
        if !(oldest..=latest).contains(&frame) {
            return Err(format!("there is no frame {frame}: this branch has frames {oldest} to {latest}"));
        }
        let shown = self.go(subject, frame)?;
        self.past = (shown < latest).then_some(shown);
        self.pace = Pace::Paused;
        self.notice = match &self.inexact {
            _ if shown == frame => String::new(),
            Some(why) => format!("frame {shown} is shown, since frame {frame} has no snapshot: {why}"),
            None => match &self.not_copied {
                Some(why) => format!("frame {shown} is shown, since inputs of a later one could not be copied: {why}"),
                None => format!("frame {shown} is shown, since frame {frame} was run together with the next one"),
            },
        };
        self.changes.moved = true;
        Ok(())
    }

    /// Shows a later frame of the past.
    pub(crate) fn seek_on(&mut self, subject: &mut S, past: u64, frames: u32) -> Result<(), String> {
        let (_, latest) = self.history.range().ok_or(NO_FRAME)?;
        let mut wanted = (past + u64::from(frames)).min(latest);
        while self.history.owner(wanted).is_some_and(|branch| branch.is_within_a_step(wanted)) {
            wanted += 1;
        }
        self.seek(subject, wanted)?;
        // Without inputs, from one snapshot to the next.
        let behind = Position { frame: past, edits: usize::MAX };
        match self.history.owner(past).and_then(|branch| branch.around(behind).1) {
            Some(next) if self.past == Some(past) && frames > 0 => self.seek(subject, next.at.frame),
            _ => Ok(()),
        }
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

    /// Makes the shown frame of the past the first one of a new branch.
    pub(crate) fn go_on_from_here(&mut self, subject: &mut S) {
        if let Some(frame) = self.past.take() {
            let from = self.history.owner(frame).map(|branch| (branch.id, frame));
            self.begin_branch(subject, None, from);
            self.journal.forget_after(frame);
            self.edits.forget_after(frame);
        }
    }

    /// Shows another branch, at its latest frame or at another one.
    pub(crate) fn choose_branch(&mut self, subject: &mut S, id: u64, frame: Option<u64>) -> Result<(), String> {
        self.keep_the_present(subject)?;
        let before = self.history.current().map(|branch| branch.id).ok_or(NO_FRAME)?;
        let common = self.history.common_frame(id).unwrap_or(0);
        if !self.history.choose(id) {
            return Err(no_branch(id));
        }
        let (_, latest) = self.history.range().ok_or(NO_FRAME)?;
        // What is shown belongs to the other branch.
        let past = self.past.replace(latest);
        if let Err(problem) = self.seek(subject, frame.unwrap_or(latest)) {
            self.history.choose(before);
            self.past = past;
            return Err(problem);
        }
        if id != before {
            self.journal.forget_after(common);
            self.edits.clear();
            self.changes.begin_another_branch();
        }
        Ok(())
    }

    /// Gives a branch another name.
    pub(crate) fn name_branch(&mut self, id: u64, name: String) -> Result<(), String> {
        if name.trim().is_empty() || name.len() > MAX_NAME_BYTES {
            return Err(format!("the name of a branch has 1 to {MAX_NAME_BYTES} bytes"));
        }
        self.history.rename(id, name).then_some(()).ok_or_else(|| no_branch(id))
    }

    /// Brings the subject to a frame of the current line, or to the last one before it that can be shown; returns
    /// which. The present must be kept.
    pub(crate) fn go(&mut self, subject: &mut S, frame: u64) -> Result<u64, String> {
        self.go_through(subject, frame, frame, |_, _| ())
    }

    /// Brings the subject to a frame as [`Watched::go`] does, and on to a later one up to the next checkpoint; looks at
    /// each of them. Returns the last one.
    pub(crate) fn go_through(
        &mut self,
        subject: &mut S,
        first: u64,
        last: u64,
        look: impl FnMut(&mut S, u64),
    ) -> Result<u64, String> {
        subject.engine().inspector().feed_readers(false);
        let shown = self.check(subject, last).and_then(|()| self.run_again(subject, first, last, look));
        subject.engine().inspector().feed_readers(true);
        self.costs.begin_again(subject.engine());
        shown
    }

    /// The first time that a frame between two checkpoints is shown, runs all frames between them again: they must lead
    /// to the state of the later one. Otherwise forgets what they were run with.
    fn check(&mut self, subject: &mut S, frame: u64) -> Result<(), String> {
        let branch = self.history.owner(frame).ok_or(NO_FRAME)?;
        let to = branch.position_of(frame);
        let (from, Some(next)) = branch.around(to) else { return Ok(()) };
        let are_known = (from.at.frame..next.at.frame).all(|before| branch.is_known(before + 1));
        if from.at == to || next.is_checked || !are_known {
            return Ok(());
        }
        self.here = None;
        restore(subject, &from.snapshot)?;
        play(branch, subject, from.at, next.at, |_, _| ());
        let again = state(subject)?;
        restore(subject, &next.snapshot)?;
        let recorded = state(subject)?;
        let (id, from, next) = (branch.id, from.at, next.at);
        if again == recorded {
            self.history.note_checked(id, next);
            return Ok(());
        }
        let differing = again.iter().zip(&recorded).find(|(again, recorded)| again != recorded);
        let what = differing.map_or_else(String::new, |(_, recorded)| format!(" to {recorded}"));
        let does = format!("this program does something{what} between frames that is not recorded");
        self.inexact = Some(format!("{does}: only frames with a snapshot can be shown"));
        self.history.forget_inputs(id, from.frame, next.frame);
        Ok(())
    }

    fn run_again(
        &mut self,
        subject: &mut S,
        first: u64,
        last: u64,
        mut look: impl FnMut(&mut S, u64),
    ) -> Result<u64, String> {
        let branch = self.history.owner(first).ok_or(NO_FRAME)?;
        let (checkpoint, next) = branch.around(branch.position_of(first));
        // Stepping on, frames are not run twice.
        let here = self.here.take().filter(|(id, at)| *id == branch.id && *at >= checkpoint.at && at.frame <= first);
        // What the program has sent while a frame was shown is no input of the next one.
        let here = here.filter(|_| matches!(subject.engine().inspector().waiting_events(), Ok(None)));
        let from = match here {
            Some((_, here)) => here,
            None => {
                restore(subject, &checkpoint.snapshot)?;
                checkpoint.at
            }
        };
        // A state that was not checked is not shown.
        let is_checked = next.is_some_and(|next| next.is_checked);
        let mut shown = if is_checked { last } else { from.frame };
        while branch.is_within_a_step(shown) {
            shown -= 1;
        }
        let at = branch.position_of(shown).max(from);
        play(branch, subject, from, at, |subject, frame| {
            if frame >= first || shown < first {
                look(subject, frame);
            }
        });
        self.here = Some((branch.id, at));
        Ok(shown)
    }

    /// Calls `look` on the states of some frames until it returns `false`, and comes back, also after an error.
    pub(crate) fn look_at(
        &mut self,
        subject: &mut S,
        frames: impl IntoIterator<Item = u64>,
        mut look: impl FnMut(&mut S, u64) -> bool,
    ) -> Result<(), String> {
        self.keep_the_present(subject)?;
        let (oldest, latest) = self.history.range().ok_or(NO_FRAME)?;
        let mut looked = Ok(());
        for frame in frames {
            match self.go(subject, frame.clamp(oldest, latest)) {
                Ok(shown) if look(subject, shown) => {}
                Ok(_) => break,
                Err(problem) => {
                    looked = Err(problem);
                    break;
                }
            }
        }
        self.go(subject, self.past.unwrap_or(latest))?;
        looked
    }
}

/// Runs the frames of a branch again from one place to another, with the edits between; calls `look` after each frame
/// and its edits.
fn play<S: Subject>(
    branch: &Branch<S::Inputs, S::Snapshot>,
    subject: &mut S,
    from: Position,
    to: Position,
    mut look: impl FnMut(&mut S, u64),
) {
    let mut at = from;
    // One that does not fit any more is left out: the state differs then.
    let edit = |subject: &mut S, at: &mut Position, until: usize| {
        while let Some(made) = branch.edits().get(at.edits).filter(|made| at.edits < until && made.frame == at.frame) {
            _ = made.edit.apply(subject);
            at.edits += 1;
        }
    };
    loop {
        let is_there = at.frame == to.frame;
        let until = if is_there { to.edits } else { branch.position_of(at.frame).edits };
        edit(subject, &mut at, until);
        look(subject, at.frame);
        if is_there {
            return;
        }
        edit(subject, &mut at, usize::MAX);
        let Some(FrameInputs { inputs, waiting, .. }) = branch.inputs(at.frame + 1) else { return };
        if let Some(waiting) = waiting {
            // It can be ordered, since it was then.
            _ = subject.engine().inspector().set_waiting_events(waiting);
        }
        subject.run_again(inputs);
        at.frame += 1;
        while branch.is_within_a_step(at.frame) {
            at.frame += 1;
        }
    }
}

/// The hashes of all parts of a state, without the events that wait: they are inputs of the next frame.
fn state<S: Subject>(subject: &mut S) -> Result<Vec<HashPart>, String> {
    let mut parts = subject.engine().state_hash().map_err(|error| error.to_string())?.parts;
    parts.retain(|part| part.kind.is_some() || &*part.name != "events");
    Ok(parts)
}

fn restore<S: Subject>(subject: &mut S, snapshot: &S::Snapshot) -> Result<(), String> {
    subject.restore(snapshot).map_err(|error| error.to_string())
}

fn no_branch(id: u64) -> String {
    format!("there is no branch {id}")
}

/// The names of all enabled systems in execution order; those that only listen come last.
fn execution_order(engine: &mut Engine) -> Result<Vec<String>, String> {
    let explained = engine.explain().map_err(|error| error.to_string())?;
    let enabled = explained.systems.iter().filter(|place| place.is_enabled);
    let (working, listening): (Vec<_>, Vec<_>) = enabled.partition(|place| !place.phases.is_empty());
    Ok(working.into_iter().chain(listening).map(|place| place.system.to_string()).collect())
}
