//! [`StepLoop`]: the loop of a program with a window: steps, inputs, recordings and replays.

use std::any::TypeId;
use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

use crate::engine::{Advanced, Engine};
use crate::error::Error;
use crate::panic::catch;
use crate::recording::{Divergence, Recording, Replayer};
use crate::snapshot::{RecordedState, Snapshot};
use crate::stable_hash::{StableHash, StateHasher};
use crate::store::HeldControls;
use crate::time::StepClock;
use crate::type_map::short_name;

/// A recording has the hash of the state after each so many steps, so that a replay that differs is found soon.
const STEPS_PER_STATE: u64 = 60;

/// A control was pressed or released: an event, which [`StepLoop`] sends.
///
/// `C` is a type of the program, often an enum: what a person can do, not with which key. A program with a studio names
/// the event (`types.event::<Input<C>>("input")`), so that the studio can run any frame again.
///
/// # Example
/// See [`StepLoop`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Input<C> {
    /// The control is held from now on.
    Pressed(C),
    /// The control is not held any more.
    Released(C),
}

impl<C> Input<C> {
    /// The control.
    ///
    /// # Example
    /// ```
    /// let input = ecs::Input::Released('w');
    /// assert_eq!((input.control(), input.is_pressed()), (&'w', false));
    /// ```
    #[must_use]
    pub fn control(&self) -> &C {
        let (Self::Pressed(control) | Self::Released(control)) = self;
        control
    }

    /// Whether the control was pressed.
    ///
    /// # Example
    /// See [`Input::control`].
    #[must_use]
    pub fn is_pressed(&self) -> bool {
        matches!(self, Self::Pressed(_))
    }
}

impl<C: StableHash> StableHash for Input<C> {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&self.is_pressed()).add(self.control());
    }
}

/// One step: sends its inputs and runs it.
pub type RunStep<'a> = &'a mut dyn FnMut(&mut Engine) -> Result<(), Error>;

/// What stands between a window and an [`Engine`]: takes the steps that are due in each frame of the window, sends them
/// what people press, records it, and shows it again.
///
/// The window calls [`press`](Self::press) and [`release`](Self::release) as soon as it hears of a key, and
/// [`advance`](Self::advance) once a frame. Each step hears what was pressed and released since the last one, once and
/// in order, as events of the type [`Input`]: nothing is lost if a frame has no step, and nothing is doubled if it has
/// three. A key that repeats itself is one press.
///
/// It belongs to the program, and is in no snapshot. It hides nothing: everything else is said to the engine.
///
/// If the engine is taken back by a restore, or to a save by [`Engine::load`], the next step hears of each control that
/// is held and was not in that state, or the other way round: no key sticks. So a save holds which controls are held,
/// and needs `types.event::<Input<C>>("input")?.save::<Input<C>>(1)?`.
///
/// # Example
/// ```
/// use std::time::Duration;
/// use ecs::prelude::*;
///
/// #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
/// enum Control { Up, Fire }
///
/// #[derive(Clone, Default)]
/// struct Balloon { climbs: bool, height_m: i32 }
///
/// fn steer(input: &Input<Control>, mut balloon: ResMut<Balloon>) {
///     match input {
///         Input::Pressed(Control::Up) => balloon.climbs = true,
///         Input::Released(Control::Up) => balloon.climbs = false,
///         Input::Pressed(Control::Fire) => balloon.height_m += 10,
///         Input::Released(Control::Fire) => {}
///     }
/// }
///
/// fn fly(mut balloon: ResMut<Balloon>) {
///     balloon.height_m += i32::from(balloon.climbs);
/// }
///
/// const MS: Duration = Duration::from_millis(1);
/// let mut engine = Engine::new();
/// engine.insert_resource(Balloon::default());
/// engine.types_mut().resource_by("balloon", |balloon: &Balloon, hash| _ = hash.add(&balloon.height_m))?;
/// engine.add((steer, fly))?;
///
/// let mut steps = StepLoop::new(10 * MS);
/// steps.record(&mut engine)?;
/// steps.press(Control::Up);
/// steps.advance(&mut engine, 25 * MS)?; // Two steps.
/// steps.tap(Control::Fire);
/// steps.release(&Control::Up);
/// steps.advance(&mut engine, 4 * MS)?; // None.
/// steps.advance(&mut engine, 31 * MS)?;
/// assert_eq!(engine.resource::<Balloon>().unwrap().height_m, 12);
///
/// assert!(steps.replay(&mut engine)?);
/// steps.advance(&mut engine, 20 * MS)?;
/// assert_eq!(engine.resource::<Balloon>().unwrap().height_m, 2); // The same again,
/// steps.advance(&mut engine, 40 * MS)?;
/// assert!(!steps.is_replaying() && steps.divergence().is_none()); // bit for bit, up to the present.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct StepLoop<C> {
    clock: StepClock,
    inputs: Inputs<C>,
}

/// What is pressed, what was, and what is shown again.
struct Inputs<C> {
    /// The controls that are held in the window.
    held: BTreeSet<C>,
    /// What the next step will hear.
    waiting: Vec<Input<C>>,
    /// The controls that are held as far as the engine was told.
    told: Option<HeldControls>,
    /// The engine may have been told of other controls than those that are held: a replay was shown, or inputs were
    /// sent again.
    has_missed: bool,
    /// What the engine was sent for its last step, and the number of the frame before it.
    sent: Vec<Input<C>>,
    sent_at: Option<u64>,
    /// Whether that step ran.
    has_run: bool,
    tape: Option<Tape<C>>,
    replay: Option<Replay<C>>,
    divergence: Option<Divergence>,
}

/// The recording and its first state.
struct Tape<C> {
    start: Snapshot,
    first_frame: u64,
    /// Empty while it is replayed.
    recording: Recording<Vec<Input<C>>>,
    goes_on: bool,
}

struct Replay<C> {
    replayer: Replayer<Vec<Input<C>>, crate::StateHash>,
    agrees_until: u64,
    /// The state to which the end returns.
    present: Snapshot,
    /// `sent_at` and `has_run` in that state.
    last_step: (Option<u64>, bool),
}

impl<C: Ord + Clone + Send + Sync + Unpin + 'static> StepLoop<C> {
    /// A loop with steps of this length. A late frame owes at most the steps of a quarter of a second: see
    /// [`StepLoop::with_clock`].
    ///
    /// # Panics
    /// If `step` is zero.
    ///
    /// # Example
    /// See [`StepLoop`].
    #[must_use]
    pub fn new(step: Duration) -> Self {
        Self::with_clock(StepClock::new(step))
    }

    /// A loop with the steps of a clock.
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    ///
    /// const MS: Duration = Duration::from_millis(1);
    /// let mut steps = StepLoop::<char>::with_clock(StepClock::new(10 * MS).most_steps(3));
    /// let advanced = steps.advance(&mut Engine::new(), Duration::from_secs(60))?;
    /// assert_eq!(advanced.steps, 3);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[must_use]
    pub fn with_clock(clock: StepClock) -> Self {
        let (held, waiting, sent) = (BTreeSet::new(), Vec::new(), Vec::new());
        let (tape, replay, divergence) = (None, None, None);
        let (told, has_missed, sent_at, has_run) = (None, false, None, false);
        let inputs = Inputs { held, waiting, told, has_missed, sent, sent_at, has_run, tape, replay, divergence };
        Self { clock, inputs }
    }

    /// A key went down: the next step hears that the control was pressed, unless it is held already.
    ///
    /// # Example
    /// See [`StepLoop`].
    pub fn press(&mut self, control: C) {
        if self.inputs.held.insert(control.clone()) {
            self.inputs.hear(Input::Pressed(control));
        }
    }

    /// A key went up: the next step hears that the control was released, if it is held.
    ///
    /// # Example
    /// See [`StepLoop`].
    pub fn release(&mut self, control: &C) {
        if let Some(control) = self.inputs.held.take(control) {
            self.inputs.hear(Input::Released(control));
        }
    }

    /// Presses and releases: for what cannot be held, such as a choice in a menu or a turn of the mouse wheel.
    ///
    /// # Example
    /// See [`StepLoop`].
    pub fn tap(&mut self, control: C) {
        self.press(control.clone());
        self.release(&control);
    }

    /// Presses or releases a control, for windows that tell which keys are down.
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    ///
    /// let mut engine = Engine::new();
    /// let mut inputs = engine.reader::<Input<char>>()?;
    /// let mut steps = StepLoop::new(Duration::from_millis(10));
    /// for is_down in [false, true, true, false] {
    ///     steps.hold('a', is_down);
    /// }
    /// steps.advance(&mut engine, Duration::from_millis(10))?;
    /// assert!(inputs.drain().eq([Input::Pressed('a'), Input::Released('a')]));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn hold(&mut self, control: C, is_held: bool) {
        match is_held {
            true => self.press(control),
            false => self.release(&control),
        }
    }

    /// Releases all controls: call it when the window loses the focus, since it does not hear of keys that go up then.
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    ///
    /// let mut engine = Engine::new();
    /// let mut inputs = engine.reader::<Input<char>>()?;
    /// let mut steps = StepLoop::new(Duration::from_millis(10));
    /// steps.press('a');
    /// steps.release_all();
    /// steps.release(&'a'); // It was released already.
    /// steps.advance(&mut engine, Duration::from_millis(10))?;
    /// assert!(inputs.drain().eq([Input::Pressed('a'), Input::Released('a')]));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn release_all(&mut self) {
        while let Some(control) = self.inputs.held.pop_first() {
            self.inputs.hear(Input::Released(control));
        }
    }

    /// Takes the steps that are due when a frame of `elapsed` ends, each with its inputs, and runs the
    /// [presentation](Engine::presentation): [`Engine::advance`] with inputs. While a replay is shown, the steps are
    /// those of the recording. At its end, or at the first difference, the present comes back.
    ///
    /// A program that pauses calls it with no time: then it only draws.
    ///
    /// # Errors
    /// - As [`Engine::advance`].
    /// - As [`Engine::state_hash`], while it is recorded or replayed; a missing name in the first step that needs it.
    /// - As [`Engine::restore`], at the end of a replay.
    ///
    /// # Example
    /// See [`StepLoop`].
    pub fn advance(&mut self, engine: &mut Engine, elapsed: Duration) -> Result<Advanced, Error> {
        self.advance_by(engine, elapsed, |engine, step| Some(step(engine)))
    }

    /// As [`StepLoop::advance`] with something around each step, such as a studio: `run` runs the step that it gets, or
    /// returns `None`. Then time stands still, the inputs wait, and the next frame asks again.
    ///
    /// # Errors
    /// As [`StepLoop::advance`].
    ///
    /// # Example
    /// With `lockstep_ecs_studio` it is `|engine, step| studio.frame(engine, step)`.
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    ///
    /// let (mut engine, mut is_paused) = (Engine::new(), true);
    /// let mut steps = StepLoop::<char>::new(Duration::from_millis(10));
    /// for frames in [0, 1] {
    ///     steps.advance_by(&mut engine, Duration::from_millis(10), |engine, step| (!is_paused).then(|| step(engine)))?;
    ///     assert_eq!(engine.time().frame(), frames);
    ///     is_paused = false;
    /// }
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn advance_by(
        &mut self,
        engine: &mut Engine,
        elapsed: Duration,
        mut run: impl FnMut(&mut Engine, RunStep<'_>) -> Option<Result<(), Error>>,
    ) -> Result<Advanced, Error> {
        let Self { clock, inputs } = self;
        engine.take_steps(clock, elapsed, |engine, length| {
            let outcome = run(engine, &mut |engine| {
                inputs.send(engine);
                inputs.step(engine, length)
            })?;
            Some(outcome.and_then(|()| inputs.end_replay_at_its_end(engine)))
        })
    }

    /// Records from the present state on, and forgets an earlier recording. A replay that is shown ends.
    ///
    /// If the engine is taken back by a restore, what came after that moment is forgotten, and the recording goes on
    /// from there. If the restored state is that of another run, a replay differs there, and says so.
    ///
    /// # Errors
    /// As [`Engine::snapshot`]: all types of the simulation need names.
    ///
    /// # Example
    /// See [`StepLoop`].
    pub fn record(&mut self, engine: &mut Engine) -> Result<(), Error> {
        self.end_replay(engine)?;
        engine.check_names()?;
        let (start, first_frame) = (engine.snapshot()?, engine.time().frame());
        // They wait in the first state already.
        self.inputs.sent.clear();
        self.inputs.tape = Some(Tape { start, first_frame, recording: Recording::new(), goes_on: true });
        Ok(())
    }

    /// Ends the recording with the present state; a replay that is shown goes on. It can be replayed until the next one
    /// begins.
    ///
    /// # Errors
    /// As [`Engine::state_hash`].
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    ///
    /// const STEP: Duration = Duration::from_millis(10);
    /// let (mut engine, mut steps) = (Engine::new(), StepLoop::<char>::new(STEP));
    /// steps.record(&mut engine)?;
    /// steps.advance(&mut engine, 5 * STEP)?;
    /// steps.end_recording(&mut engine)?;
    /// steps.advance(&mut engine, 5 * STEP)?;
    /// assert_eq!(steps.recording().map(|recording| recording.frames()), Some(5));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn end_recording(&mut self, engine: &mut Engine) -> Result<(), Error> {
        if self.is_replaying() {
            // Its last state was recorded when the replay began.
            self.inputs.tape.iter_mut().for_each(|tape| tape.goes_on = false);
        } else if let Some(tape) = self.inputs.open_tape(engine) {
            tape.recording.state(engine.state_hash()?);
            tape.goes_on = false;
        }
        Ok(())
    }

    /// Shows the recording again from its beginning, in the place of the present; returns whether there is one. What is
    /// pressed meanwhile is not heard. Afterwards the present comes back, and hears which controls have changed.
    ///
    /// # Errors
    /// As [`Engine::snapshot`] and [`Engine::restore`]: no replay begins.
    ///
    /// # Example
    /// See [`StepLoop`].
    pub fn replay(&mut self, engine: &mut Engine) -> Result<bool, Error> {
        self.end_replay(engine)?;
        let inputs = &mut self.inputs;
        if let Some(tape) = inputs.open_tape(engine) {
            tape.recording.state(engine.state_hash()?);
        }
        let Some(tape) = inputs.tape.as_mut().filter(|tape| tape.recording.frames() > 0) else { return Ok(false) };
        let present = engine.snapshot()?;
        engine.restore(&tape.start)?;
        let replayer = Replayer::new(std::mem::take(&mut tape.recording));
        let last_step = (inputs.sent_at, inputs.has_run);
        inputs.replay = Some(Replay { replayer, agrees_until: 0, present, last_step });
        inputs.divergence = None;
        Ok(true)
    }

    /// Ends the replay before its end, if one is shown, and returns to the present.
    ///
    /// # Errors
    /// As [`Engine::restore`]: the replay goes on.
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    ///
    /// const STEP: Duration = Duration::from_millis(10);
    /// let (mut engine, mut steps) = (Engine::new(), StepLoop::<char>::new(STEP));
    /// steps.record(&mut engine)?;
    /// steps.advance(&mut engine, 5 * STEP)?;
    /// steps.replay(&mut engine)?;
    /// steps.advance(&mut engine, STEP)?;
    /// steps.end_replay(&mut engine)?;
    /// assert_eq!(engine.time().frame(), 5);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn end_replay(&mut self, engine: &mut Engine) -> Result<(), Error> {
        self.inputs.end_replay(engine)
    }

    /// Whether a replay is shown.
    ///
    /// # Example
    /// See [`StepLoop`].
    #[must_use]
    pub fn is_replaying(&self) -> bool {
        self.inputs.replay.is_some()
    }

    /// The first difference that the last replay found, which ended there.
    ///
    /// # Example
    /// See [`StepLoop`].
    #[must_use]
    pub fn divergence(&self) -> Option<&Divergence> {
        self.inputs.divergence.as_ref()
    }

    /// The recording, to write it to a file or to verify it in another engine.
    ///
    /// # Example
    /// See [`StepLoop::end_recording`].
    #[must_use]
    pub fn recording(&self) -> Option<&Recording<Vec<Input<C>>>> {
        match &self.inputs.replay {
            Some(replay) => Some(replay.replayer.recording()),
            None => self.inputs.tape.as_ref().map(|tape| &tape.recording),
        }
    }
}

impl<C: Ord + Clone + Send + Sync + Unpin + 'static> Inputs<C> {
    fn hear(&mut self, input: Input<C>) {
        match self.replay {
            Some(_) => self.has_missed = true,
            None => self.waiting.push(input),
        }
    }

    /// Sends the inputs of the next step. If the last step was taken back, as by a studio that shows the middle of a
    /// frame, its inputs are sent again.
    fn send(&mut self, engine: &mut Engine) {
        let frame = engine.time().frame();
        let is_again = self.sent_at.replace(frame) == Some(frame);
        // Otherwise they wait in the engine.
        let is_taken_back = std::mem::take(&mut self.has_run) && is_again;
        if let (Some(replay), Some(tape)) = (&mut self.replay, &self.tape) {
            if is_taken_back || !is_again {
                replay.replayer.seek(frame.saturating_sub(tape.first_frame));
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

    fn step(&mut self, engine: &mut Engine, length: Duration) -> Result<(), Error> {
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
        let (Some(replay), Some(tape)) = (&mut self.replay, &self.tape) else { return Ok(()) };
        replay.replayer.seek(engine.time().frame().saturating_sub(tape.first_frame));
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
    fn open_tape(&mut self, engine: &Engine) -> Option<&mut Tape<C>> {
        let frame = engine.time().frame();
        let is_before = |tape: &Tape<C>| frame < tape.first_frame || frame > tape.first_frame + tape.recording.frames();
        if self.tape.take_if(|tape| tape.goes_on && is_before(tape)).is_some() {
            tracing::warn!(target: "ecs::engine", frame, "the recording ends, because frames ran that it does not know");
        }
        let tape = self.tape.as_mut().filter(|tape| tape.goes_on)?;
        tape.recording.truncate(frame - tape.first_frame);
        Some(tape)
    }

    fn end_replay_at_its_end(&mut self, engine: &mut Engine) -> Result<(), Error> {
        let is_at_its_end = |Replay { replayer, .. }: &Replay<C>| replayer.frame() == replayer.recording().frames();
        match self.divergence.is_some() || self.replay.as_ref().is_some_and(is_at_its_end) {
            true => self.end_replay(engine),
            false => Ok(()),
        }
    }

    fn end_replay(&mut self, engine: &mut Engine) -> Result<(), Error> {
        let Some(Replay { present, .. }) = &self.replay else { return Ok(()) };
        engine.restore(present)?;
        let (Some(replay), Some(tape)) = (self.replay.take(), &mut self.tape) else { return Ok(()) };
        tape.recording = replay.replayer.into_recording();
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
