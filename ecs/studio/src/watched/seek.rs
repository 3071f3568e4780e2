//! Going to any frame of the history: what is not kept is run again from the checkpoint before it.

use ecs::inspect::{Blame, BlameRequest};
use ecs::snapshot::HashPart;

use super::{NO_FRAME, NOT_RECORDED, Pace, PartialFrame, Watched, keep_first_systems};
use crate::history::{Branch, FrameInputs, Position};
use crate::subject::Subject;

/// Limit of the name of a branch.
const MAX_NAME_BYTES: usize = 100;

impl<S: Subject> Watched<S> {
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
        if self.past.is_none() {
            self.runs_behind_the_past = self.pace == Pace::Running;
        }
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
        if self.past.is_none() {
            self.runs_behind_the_past = self.pace == Pace::Running;
        }
        self.runs_behind_the_past &= id == before;
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
        self.without_readers(subject, |watched, subject| {
            watched.check(subject, first, last, |_, _| ())?;
            watched.run_again(subject, first, last, look)
        })
    }

    /// As [`Watched::go_through`], over any number of checkpoints, at each of which it may look twice. Returns whether
    /// it has looked at all frames.
    pub(crate) fn go_through_checkpoints(
        &mut self,
        subject: &mut S,
        mut first: u64,
        last: u64,
        mut look: impl FnMut(&mut S, u64),
    ) -> Result<bool, String> {
        let mut are_all = true;
        loop {
            let until = self.checkpoint_behind(first).min(last);
            are_all &= self.go_through(subject, first, until, &mut look)? == until;
            if until == last {
                return Ok(are_all);
            }
            first = until;
        }
    }

    /// Looks at some frames between two checkpoints while they are checked, so that they are run once and not twice.
    /// Returns whether that was right; otherwise what was seen does not count, and [`Watched::go_through`] goes there.
    pub(crate) fn look_while_checking(
        &mut self,
        subject: &mut S,
        first: u64,
        last: u64,
        mut look: impl FnMut(&mut S, u64),
    ) -> Result<bool, String> {
        self.without_readers(subject, |watched, subject| {
            watched.check(subject, first, last, |subject, frame| {
                if (first..=last).contains(&frame) {
                    look(subject, frame);
                }
            })
        })
    }

    /// Runs frames again, whose events the readers of the application have had.
    fn without_readers<R>(&mut self, subject: &mut S, run: impl FnOnce(&mut Self, &mut S) -> R) -> R {
        subject.engine().inspector().feed_readers(false);
        let result = run(self, subject);
        subject.engine().inspector().feed_readers(true);
        self.costs.begin_again(subject.engine());
        result
    }

    /// The first time that a frame between two checkpoints is shown, runs all frames between them again: they must lead
    /// to the state of the later one. Otherwise forgets what they were run with. Returns whether it has run them all,
    /// with the ones up to `last` among them, and they were right.
    fn check(&mut self, subject: &mut S, first: u64, last: u64, look: impl FnMut(&mut S, u64)) -> Result<bool, String> {
        let branch = self.history.owner(first).ok_or(NO_FRAME)?;
        let (from, Some(next)) = branch.around(branch.position_of(first)) else { return Ok(false) };
        let are_known = (from.at.frame..next.at.frame).all(|before| branch.is_known(before + 1));
        if from.at == branch.position_of(last) || next.is_checked || !are_known {
            return Ok(false);
        }
        self.here = None;
        restore(subject, &from.snapshot)?;
        let is_whole = branch.position_of(last) <= next.at;
        play(branch, subject, from.at, next.at, look);
        let again = state(subject)?;
        restore(subject, &next.snapshot)?;
        let recorded = state(subject)?;
        let (id, from, next) = (branch.id, from.at, next.at);
        if again == recorded {
            self.history.note_checked(id, next);
            return Ok(is_whole);
        }
        let differing = again.iter().zip(&recorded).find(|(again, recorded)| again != recorded);
        let what = differing.map_or_else(String::new, |(_, recorded)| format!(" to {recorded}"));
        let does = format!("this program does something{what} between frames that is not recorded");
        self.inexact = Some(format!("{does}: only frames with a snapshot can be shown"));
        self.history.forget_inputs(id, from.frame, next.frame);
        Ok(false)
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

    /// From a copy of the state after a frame, runs the frames up to another one again while a field is watched.
    pub(crate) fn run_watched(
        &mut self,
        subject: &mut S,
        snapshot: &S::Snapshot,
        before: u64,
        frame: u64,
        request: BlameRequest,
    ) -> Result<Blame, String> {
        let branch = self.history.owner(before).ok_or(NO_FRAME)?;
        self.here = None;
        restore(subject, snapshot)?;
        let mut inspector = subject.engine().inspector();
        inspector.feed_readers(false);
        inspector.begin_blame(request);
        play(branch, subject, branch.position_of(before), branch.position_of(frame), |_, _| ());
        let mut inspector = subject.engine().inspector();
        inspector.feed_readers(true);
        let blame = inspector.end_blame().ok_or("the program has ended the watch itself");
        self.costs.begin_again(subject.engine());
        Ok(blame?)
    }

    /// Runs the frame behind one of the past again, with only the first systems of the execution order.
    pub(crate) fn run_partial_frame_again(&mut self, subject: &mut S, past: u64, count: usize) -> Result<(), String> {
        self.abort_partial_frame(subject)?;
        self.go(subject, past)?;
        self.here = None;
        let branch = self.history.owner(past + 1).ok_or(NO_FRAME)?;
        let mut at = branch.position_of(past);
        make_edits(branch, subject, &mut at, usize::MAX);
        let order = keep_first_systems(subject.engine(), count)?;
        let mut inspector = subject.engine().inspector();
        inspector.feed_readers(false);
        let ran = run_next_frame(branch, subject, &mut at);
        subject.engine().inspector().feed_readers(true);
        self.costs.begin_again(subject.engine());
        self.partial = Some(PartialFrame { systems: count, order });
        self.changes.moved = true;
        if !ran {
            self.abort_partial_frame(subject)?;
            return Err(self.inexact.clone().unwrap_or_else(|| NOT_RECORDED.to_owned()));
        }
        Ok(())
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
    loop {
        let is_there = at.frame == to.frame;
        let until = if is_there { to.edits } else { branch.position_of(at.frame).edits };
        make_edits(branch, subject, &mut at, until);
        look(subject, at.frame);
        if is_there {
            return;
        }
        make_edits(branch, subject, &mut at, usize::MAX);
        if !run_next_frame(branch, subject, &mut at) {
            return;
        }
    }
}

/// Makes the edits after a frame of a branch again. One that does not fit any more is left out: the state differs then.
fn make_edits<S: Subject>(branch: &Branch<S::Inputs, S::Snapshot>, subject: &mut S, at: &mut Position, until: usize) {
    while let Some(made) = branch.edit_after(at.edits).filter(|made| at.edits < until && made.frame == at.frame) {
        _ = subject.make(&made.edit);
        at.edits += 1;
    }
}

/// Runs the next frame of a branch again; returns whether it is known what it was run with.
fn run_next_frame<S: Subject>(branch: &Branch<S::Inputs, S::Snapshot>, subject: &mut S, at: &mut Position) -> bool {
    let Some(FrameInputs { inputs, waiting, .. }) = branch.inputs(at.frame + 1) else { return false };
    if let Some(waiting) = waiting {
        // It can be ordered, since it was then.
        _ = subject.engine().inspector().set_waiting_events(waiting);
    }
    subject.run_again(inputs);
    at.frame += 1;
    while branch.is_within_a_step(at.frame) {
        at.frame += 1;
    }
    true
}

/// The hashes of all parts of a state, without the events that wait: they are inputs of the next frame.
fn state<S: Subject>(subject: &mut S) -> Result<Vec<HashPart>, String> {
    let mut parts = subject.engine().state_hash().map_err(|error| error.to_string())?.parts;
    parts.retain(|part| part.kind.is_some() || &*part.name != "events");
    Ok(parts)
}

pub(super) fn restore<S: Subject>(subject: &mut S, snapshot: &S::Snapshot) -> Result<(), String> {
    subject.restore(snapshot).map_err(|error| error.to_string())
}

fn no_branch(id: u64) -> String {
    format!("there is no branch {id}")
}
