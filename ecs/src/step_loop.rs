//! [`StepLoop`]: the loop of a program with a window: steps, inputs, recordings and replays.

mod inputs;

use std::collections::BTreeSet;
use std::time::Duration;

use self::inputs::{Inputs, Tape};
use crate::engine::{Advanced, Engine};
use crate::error::Error;
use crate::recording::{Divergence, Recording};
use crate::stable_hash::{StableHash, StateHasher};
use crate::time::StepClock;

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
    /// those of the recording. At its end, or at the first difference, the present comes back, and what is left of the
    /// elapsed time is dropped.
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
        let was_replaying = inputs.replay.is_some();
        engine.take_steps(clock, elapsed, |engine, length| {
            if was_replaying && inputs.replay.is_none() {
                return None;
            }
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
        let recording = std::mem::take(&mut tape.recording);
        let first_frame = tape.first_frame;
        inputs.begin_replay(recording, first_frame, true, present);
        Ok(true)
    }

    /// Shows a recording of another program in the place of the present, as [`StepLoop::replay`] shows the own one, for
    /// instance that of a player who reports a fault. `start` takes the engine to the state in which it was begun: by
    /// [`Engine::load`], from a save that was made when [`StepLoop::record`] was called. Afterwards the present comes
    /// back. The own recording stays as it is.
    ///
    /// # Errors
    /// Those of `start`, and as [`Engine::snapshot`] and [`Engine::restore`]. Nothing is shown then, and the engine is
    /// as before.
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    ///
    /// const STEP: Duration = Duration::from_millis(10);
    /// let new = || (Engine::new(), StepLoop::<char>::new(STEP));
    /// let ((mut engine, mut steps), mut save) = (new(), Vec::new());
    /// engine.save(&mut save)?;
    /// steps.record(&mut engine)?;
    /// steps.advance(&mut engine, 5 * STEP)?;
    /// steps.end_recording(&mut engine)?;
    /// let recording = steps.recording().cloned().unwrap(); // Goes into a file, behind the save.
    ///
    /// let (mut engine, mut steps) = new();
    /// steps.advance(&mut engine, 2 * STEP)?;
    /// steps.show(&mut engine, recording, |engine| engine.load(&mut save.as_slice()).map(drop))?;
    /// steps.advance(&mut engine, 5 * STEP)?;
    /// assert!(!steps.is_replaying() && steps.divergence().is_none());
    /// assert_eq!(engine.time().frame(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn show<E: From<Error>>(
        &mut self,
        engine: &mut Engine,
        recording: Recording<Vec<Input<C>>>,
        start: impl FnOnce(&mut Engine) -> Result<(), E>,
    ) -> Result<(), E> {
        self.end_replay(engine)?;
        if let Some(tape) = self.inputs.open_tape(engine) {
            tape.recording.state(engine.state_hash()?);
        }
        let present = engine.snapshot()?;
        if let Err(error) = start(engine) {
            engine.restore(&present)?;
            return Err(error);
        }
        self.inputs.begin_replay(recording, engine.time().frame(), false, present);
        Ok(())
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
            Some(replay) if replay.is_of_tape => Some(replay.replayer.recording()),
            _ => self.inputs.tape.as_ref().map(|tape| &tape.recording),
        }
    }
}
