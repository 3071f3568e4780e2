//! [`Watched`]: the history of a program, what is shown of it, and what is measured while a page is open.

mod curves;
mod earlier;
mod search;
mod seek;

use std::collections::VecDeque;
use std::time::Duration;

use ecs::inspect::Edit;
use ecs::snapshot::WaitingEvents;
use ecs::{Engine, EntityId};

use self::curves::Curves;
use self::earlier::EarlierJournal;
pub(crate) use self::search::{Search, check_fields};
use self::seek::restore;
use crate::changes::{Changes, MadeEdit};
use crate::costs::Costs;
use crate::edits::{Edits, EntityStep};
use crate::history::{CHECKPOINT_FRAMES, FrameInputs, History, Position};
use crate::journal::Journal;
use crate::subject::Subject;
use crate::values::{has_text, printed};

/// Frames that took so long have a checkpoint, too, since running them again takes as long.
const CHECKPOINT_TIME: Duration = Duration::from_secs(1);
/// Frames between two snapshots of a program whose frames cannot be run again, while no page is open.
const SNAPSHOT_FRAMES: u64 = 15;
pub(crate) const NO_FRAME: &str = "no frame is kept yet";
/// Frames whose causes the engine traces before the journal takes them.
const TRACED_FRAMES: usize = 32;
pub(crate) const ENDED: &str = "the program is over: no frame comes after this one";
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
    pub(crate) earlier: EarlierJournal,
    pub(crate) edits: Edits,
    pub(crate) pace: Pace,
    /// The shown frame, if it is one of the past.
    pub(crate) past: Option<u64>,
    /// The program ran when the past was entered, so it runs on when the present is shown again.
    pub(crate) runs_behind_the_past: bool,
    /// The branch and the place that the state was brought to, until something else may have changed it.
    here: Option<(u64, Position)>,
    /// Set while the middle of a frame is shown.
    pub(crate) partial: Option<PartialFrame>,
    pub(crate) breaks: Vec<Break>,
    /// The frame that is looked for, if one is.
    pub(crate) search: Option<Search>,
    pub(crate) curves: Curves,
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
    /// The branches in which the program has come to its end, and where.
    ends: Vec<(u64, Position)>,
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
            earlier: EarlierJournal::default(),
            edits: Edits::default(),
            pace: Pace::Running,
            past: None,
            runs_behind_the_past: false,
            here: None,
            partial: None,
            breaks: Vec::new(),
            search: None,
            curves: Curves::default(),
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
            ends: Vec::new(),
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
            self.journal = Journal::begin(subject.engine().time().frame());
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

    /// Lets frames run from the present on, of which there are none behind the end of the program.
    pub(crate) fn let_run(&mut self, pace: Pace) {
        (self.pace, self.notice) = match self.is_over() {
            true => (Pace::Paused, ENDED.to_owned()),
            false => (pace, String::new()),
        };
    }

    /// Notes that the program has nothing more to run.
    pub(crate) fn note_end(&mut self) {
        self.is_at_end = true;
        let end = self.history.current().map(|branch| (branch.id, branch.tip()));
        self.ends.extend(end.filter(|end| !self.ends.contains(end)));
    }

    /// Whether the program has nothing more to run behind the latest frame of the shown branch. An edit after that
    /// frame may have changed that.
    pub(crate) fn is_over(&self) -> bool {
        self.history.current().is_some_and(|branch| self.ends.contains(&(branch.id, branch.tip())))
    }

    /// Notes what the frame that runs next begins with.
    pub(crate) fn begin_frame(&mut self, subject: &mut S) {
        self.here = None;
        let frame = subject.engine().time().frame();
        // What could not be copied once is not tried again in each frame.
        if self.no_history.is_none() || frame.is_multiple_of(CHECKPOINT_FRAMES) {
            self.begin_history(subject);
        }
        self.end_frame_before(subject);
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
        self.search_ahead(subject, frame);
        self.draw_on(subject, frame);
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
        self.journal = Journal::begin(subject.engine().time().frame());
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
        let spawned = subject.make(&edit)?;
        let frame = subject.engine().time().frame();
        self.edits.add_entity_step(EntityStep { edit: edit.clone(), spawned, frame, at }, is_redone);
        self.note(subject, edit, false);
        Ok(spawned)
    }

    /// Takes back the last change.
    pub(crate) fn undo(&mut self, subject: &mut S) -> Result<(), String> {
        let Some(step) = self.edits.last_entity_step() else {
            let edit = self.edits.undo(&mut subject.engine().inspector())?;
            subject.after_edit(&edit);
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
        let is_gone = subject.make(&edit).is_err();
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
                subject.after_edit(&edit);
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
                subject.make(&change)?;
                self.note(subject, change, true);
                self.put_back.push(edit(!is_wanted));
            }
        }
        Ok(())
    }

    /// Brings back what [`Watched::begin_alone`] changed, if anything.
    pub(crate) fn end_alone(&mut self, subject: &mut S) {
        for edit in std::mem::take(&mut self.put_back) {
            match subject.make(&edit) {
                Ok(_) => self.note(subject, edit, false),
                Err(problem) => self.notice = problem,
            }
        }
    }

    /// Goes back to the beginning of the next frame, and lets only the first systems of the execution order run.
    pub(crate) fn begin_partial_frame(&mut self, subject: &mut S, count: usize) -> Result<(), String> {
        self.abort_partial_frame(subject)?;
        self.keep_the_present(subject)?;
        self.changes.moved = true;
        let order = execution_order(subject.engine())?;
        self.partial = Some(PartialFrame { systems: count, order });
        keep_first_systems(subject.engine(), count).map(drop)
    }

    /// Shows the frame again before the one whose middle is shown.
    pub(crate) fn abort_partial_frame(&mut self, subject: &mut S) -> Result<(), String> {
        if self.partial.take().is_some() {
            let (_, latest) = self.history.range().ok_or(NO_FRAME)?;
            self.go(subject, self.past.unwrap_or(latest))?;
            self.changes.moved = true;
        }
        Ok(())
    }
}

/// Disables all but the first systems of the execution order, which is returned.
fn keep_first_systems(engine: &mut Engine, count: usize) -> Result<Vec<String>, String> {
    let order = execution_order(engine)?;
    let state = engine.work_state().with_only(order.iter().take(count).map(String::as_str));
    engine.set_work_state(&state).map_err(|error| error.to_string())?;
    Ok(order)
}

/// The names of all enabled systems in execution order; those that only listen come last.
fn execution_order(engine: &mut Engine) -> Result<Vec<String>, String> {
    let explained = engine.explain().map_err(|error| error.to_string())?;
    let enabled = explained.systems.iter().filter(|place| place.is_enabled);
    let (working, listening): (Vec<_>, Vec<_>) = enabled.partition(|place| !place.phases.is_empty());
    Ok(working.into_iter().chain(listening).map(|place| place.system.to_string()).collect())
}
