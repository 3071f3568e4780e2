//! What a [`StepLoop`](super::StepLoop) has heard, told and recorded.

use std::any::TypeId;
use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

use super::Input;
use crate::engine::Engine;
use crate::error::Error;
use crate::panic::catch;
use crate::recording::{Divergence, Recording, Replayer};
use crate::snapshot::{RecordedState, Snapshot};
use crate::store::HeldControls;
use crate::type_map::short_name;

/// A recording has the hash of the state after each so many steps, so that a replay that differs is found soon.
const STEPS_PER_STATE: u64 = 60;

/// What is pressed, what was, and what is shown again.
pub(super) struct Inputs<C> {
    /// The controls that are held in the window.
    pub(super) held: BTreeSet<C>,
    /// What the next step will hear.
    pub(super) waiting: Vec<Input<C>>,
    /// The controls that are held as far as the engine was told.
    pub(super) told: Option<HeldControls>,
    /// The engine may have been told of other controls than those that are held: a replay was shown, or inputs were
    /// sent again.
    pub(super) has_missed: bool,
    /// What the engine was sent for its last step, and the number of the frame before it.
    pub(super) sent: Vec<Input<C>>,
    pub(super) sent_at: Option<u64>,
    /// Whether that step ran.
    pub(super) has_run: bool,
    pub(super) tape: Option<Tape<C>>,
    pub(super) replay: Option<Replay<C>>,
    pub(super) divergence: Option<Divergence>,
}

/// The recording and its first state.
pub(super) struct Tape<C> {
    pub(super) start: Snapshot,
    pub(super) first_frame: u64,
    /// Empty while it is replayed.
    pub(super) recording: Recording<Vec<Input<C>>>,
    pub(super) goes_on: bool,
}

pub(super) struct Replay<C> {
    pub(super) replayer: Replayer<Vec<Input<C>>, crate::StateHash>,
    /// The number of the frame in which it begins.
    pub(super) first_frame: u64,
    /// Whether it is the recording of the tape, which goes back to it.
    pub(super) is_of_tape: bool,
    pub(super) agrees_until: u64,
    /// The state to which the end returns.
    pub(super) present: Snapshot,
    /// `sent_at` and `has_run` in that state.
    pub(super) last_step: (Option<u64>, bool),
}

impl<C: Ord + Clone + Send + Sync + Unpin + 'static> Inputs<C> {
    pub(super) fn hear(&mut self, input: Input<C>) {
        match self.replay {
            Some(_) => self.has_missed = true,
            None => self.waiting.push(input),
        }
    }

    /// Sends the inputs of the next step. If the last step was taken back, as by a studio that shows the middle of a
    /// frame, its inputs are sent again.
    pub(super) fn send(&mut self, engine: &mut Engine) {
        let frame = engine.time().frame();
        let is_again = self.sent_at.replace(frame) == Some(frame);
        // Otherwise they wait in the engine.
        let is_taken_back = std::mem::take(&mut self.has_run) && is_again;
        if let Some(replay) = &mut self.replay {
            if is_taken_back || !is_again {
                replay.replayer.seek(frame.saturating_sub(replay.first_frame));
                let inputs = replay.replayer.next_frame().and_then(|next| next.inputs);
                tell(engine, &mut self.told, inputs.map_or(&[], Vec::as_slice));
            }
            return;
        }
        self.open_tape(engine);
        if is_taken_back {
            // Another state may have the same number of frames: there, only what changes its controls is sent again.
            let mut controls = controls::<C>(engine.controls());
            self.sent.retain(|input| change(&mut controls, input));
            tell(engine, &mut self.told, &self.sent);
            self.has_missed = true;
        } else if !is_again {
            self.sent.clear();
        }
        self.catch_up(engine);
        tell(engine, &mut self.told, &self.waiting);
        self.sent.append(&mut self.waiting);
    }

    /// If the engine was taken to another state than the last step left, adds what that state has to hear of the
    /// controls.
    fn catch_up(&mut self, engine: &mut Engine) {
        let told = engine.controls();
        let is_known = match (&self.told, &*told) {
            (Some(before), Some(now)) => Arc::ptr_eq(&before.presses, &now.presses),
            (before, now) => before.is_none() && now.is_none(),
        };
        if is_known && !std::mem::take(&mut self.has_missed) {
            return;
        }
        let mut controls = controls::<C>(told);
        self.told.clone_from(told);
        self.waiting.retain(|input| change(&mut controls, input));
        self.waiting.extend(controls.difference(&self.held).cloned().map(Input::Released));
        self.waiting.extend(self.held.difference(&controls).cloned().map(Input::Pressed));
    }

    pub(super) fn step(&mut self, engine: &mut Engine, length: Duration) -> Result<(), Error> {
        if self.replay.is_some() {
            return self.step_of_replay(engine, length);
        }
        let before = engine.time().frame();
        // A frame that panics has run as well, for a program that goes on.
        let outcome = catch(|| engine.update(length));
        let has_run = engine.time().frame() != before;
        self.has_run |= has_run;
        let tape = self.tape.as_mut().filter(|tape| has_run && tape.goes_on);
        let recording = tape.map(|Tape { recording, .. }| {
            recording.frame(Some(&self.sent).filter(|heard| !heard.is_empty()).cloned());
            recording
        });
        outcome.unwrap_or_else(|panic| resume_unwind(panic))?;
        let Some(recording) = recording else { return Ok(()) };
        if recording.frames().is_multiple_of(STEPS_PER_STATE) {
            recording.state(engine.state_hash()?);
        }
        // In the step that brings it, not when it is looked for: at the next hash, or where a replay begins.
        engine.check_names()
    }

    fn step_of_replay(&mut self, engine: &mut Engine, length: Duration) -> Result<(), Error> {
        let Some(replay) = &mut self.replay else { return Ok(()) };
        replay.replayer.seek(engine.time().frame().saturating_sub(replay.first_frame));
        replay.agrees_until = replay.agrees_until.min(replay.replayer.frame());
        let Some(frame) = replay.replayer.next_frame() else { return Ok(()) };
        engine.update(length)?;
        self.has_run = true;
        let Some(state) = frame.state else { return Ok(()) };
        let (agrees_until, frame) = (replay.agrees_until, frame.number);
        replay.agrees_until = frame;
        self.divergence = state.difference(engine)?.map(|difference| Divergence {
            agrees_until,
            frame,
            difference,
            second_run: None,
        });
        Ok(())
    }

    /// The recording that goes on. What came after the present frame is removed from it, because the run was taken
    /// back.
    pub(super) fn open_tape(&mut self, engine: &Engine) -> Option<&mut Tape<C>> {
        let frame = engine.time().frame();
        let is_before = |tape: &Tape<C>| frame < tape.first_frame || frame > tape.first_frame + tape.recording.frames();
        if self.tape.take_if(|tape| tape.goes_on && is_before(tape)).is_some() {
            tracing::warn!(target: "ecs::engine", frame, "the recording ends, because frames ran that it does not know");
        }
        let tape = self.tape.as_mut().filter(|tape| tape.goes_on)?;
        tape.recording.truncate(frame - tape.first_frame);
        Some(tape)
    }

    /// Shows a recording to an engine that is in its first state.
    pub(super) fn begin_replay(
        &mut self,
        recording: Recording<Vec<Input<C>>>,
        first_frame: u64,
        is_of_tape: bool,
        present: Snapshot,
    ) {
        let (replayer, last_step) = (Replayer::new(recording), (self.sent_at, self.has_run));
        self.replay = Some(Replay { replayer, first_frame, is_of_tape, agrees_until: 0, present, last_step });
        self.divergence = None;
    }

    pub(super) fn end_replay_at_its_end(&mut self, engine: &mut Engine) -> Result<(), Error> {
        let is_at_its_end = |Replay { replayer, .. }: &Replay<C>| replayer.frame() == replayer.recording().frames();
        match self.divergence.is_some() || self.replay.as_ref().is_some_and(is_at_its_end) {
            true => self.end_replay(engine),
            false => Ok(()),
        }
    }

    pub(super) fn end_replay(&mut self, engine: &mut Engine) -> Result<(), Error> {
        let Some(Replay { present, .. }) = &self.replay else { return Ok(()) };
        engine.restore(present)?;
        let Some(replay) = self.replay.take() else { return Ok(()) };
        if let Some(tape) = self.tape.as_mut().filter(|_| replay.is_of_tape) {
            tape.recording = replay.replayer.into_recording();
        }
        (self.sent_at, self.has_run) = replay.last_step;
        // The engine was told what the recording holds, and may be taken to such a state.
        self.has_missed = true;
        Ok(())
    }
}

/// Sends inputs and notes in the engine which controls are held then.
fn tell<C: Ord + Clone + Send + Sync + Unpin + 'static>(
    engine: &mut Engine,
    told: &mut Option<HeldControls>,
    inputs: &[Input<C>],
) {
    if inputs.is_empty() {
        return;
    }
    let mut controls = controls(engine.controls());
    for input in inputs {
        change(&mut controls, input);
        engine.send(input.clone());
    }
    let presses: Vec<Input<C>> = controls.into_iter().map(Input::Pressed).collect();
    let event = (TypeId::of::<Input<C>>(), short_name::<Input<C>>());
    *told = Some(HeldControls { event, count: presses.len(), presses: Arc::new(presses) });
    engine.controls().clone_from(told);
}

/// The controls that are held as far as an engine was told.
fn controls<C: Ord + Clone + Send + Sync + 'static>(told: &Option<HeldControls>) -> BTreeSet<C> {
    let presses: Option<&Vec<Input<C>>> = told.as_ref().and_then(|told| told.presses.downcast_ref());
    presses.into_iter().flatten().map(|input| input.control().clone()).collect()
}

/// Presses or releases a control; returns whether it was not so before.
fn change<C: Ord + Clone>(held: &mut BTreeSet<C>, input: &Input<C>) -> bool {
    match input {
        Input::Pressed(control) => held.insert(control.clone()),
        Input::Released(control) => held.remove(control),
    }
}
