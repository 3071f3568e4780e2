//! Recordings of runs: the inputs of each frame, and states to compare with when the run is repeated.

mod replayer;

pub use self::replayer::{Divergence, RecordedFrame, Replayer, SecondRun};
use crate::panic::FirstPanic;
use crate::snapshot::StateHash;

/// The inputs of an engine in each frame, and its states after some frames.
///
/// Inputs are of any type `I`; frames without inputs take no memory. A state is a [`StateHash`], which is small and
/// tells which type differs; a [`Snapshot`](crate::Snapshot), which also tells the entity and both values; or any other
/// type. A [`Replayer`] replays a recording. With the feature `serde`, a recording is serializable if its inputs and
/// states are.
///
/// # Example
/// ```
/// # use ecs::{Engine, Setup, System, recording::{Recording, Replayer}};
/// # use std::time::Duration;
/// # #[derive(Clone, Copy)]
/// # struct Key(char);
/// # #[derive(Clone)]
/// # struct Typist(String);
/// # impl System for Typist {
/// #     fn setup(setup: &mut Setup<Self>) {
/// #         setup.listen(|typist: &mut Self, key: &Key| typist.0.push(key.0));
/// #     }
/// # }
/// const FRAME: Duration = Duration::from_millis(10);
/// fn engine() -> Result<Engine, ecs::Error> {
///     let mut engine = Engine::new();
///     engine.add(Typist(String::new()))?;
///     engine.types_mut().system_by("typist", |typist: &Typist, hash| _ = hash.add(&*typist.0))?;
///     Ok(engine)
/// }
///
/// let (mut first, mut recording) = (engine()?, Recording::new());
/// for key in [None, Some('a'), None, Some('b')] {
///     key.into_iter().for_each(|key| first.send(Key(key)));
///     first.update(FRAME)?;
///     recording.frame(key);
///     recording.state(first.state_hash()?);
/// }
///
/// let mut again = engine()?;
/// let divergence = Replayer::new(recording).verify(&mut again, |engine, key| {
///     key.into_iter().for_each(|key| engine.send(Key(*key)));
///     engine.update(FRAME)
/// })?;
/// assert_eq!(divergence, None);
/// assert_eq!(again.system::<Typist>().unwrap().0, "ab");
/// # Ok::<(), ecs::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Unchecked<I, S>"))]
pub struct Recording<I, S = StateHash> {
    frames: u64,
    /// Inputs with their frame, from 1, in order.
    inputs: Vec<(u64, I)>,
    /// States with the frame after which they were recorded, in order.
    states: Vec<(u64, S)>,
}

impl<I, S> Recording<I, S> {
    /// An empty recording. The replay must begin in the present state of the engine.
    #[must_use]
    pub fn new() -> Self {
        Self { frames: 0, inputs: Vec::new(), states: Vec::new() }
    }

    /// Records the next frame and its inputs.
    pub fn frame(&mut self, inputs: Option<I>) {
        self.frames += 1;
        self.inputs.extend(inputs.map(|inputs| (self.frames, inputs)));
    }

    /// Records the state after the last frame, replacing an earlier one; does nothing before the first frame. Not every
    /// frame needs a state: a difference is found at the next recorded state.
    pub fn state(&mut self, state: S) {
        if self.states.last().is_some_and(|(frame, _)| *frame == self.frames) {
            self.states.pop();
        }
        if self.frames > 0 {
            self.states.push((self.frames, state));
        }
    }

    /// Removes all frames after the first `frames`, because the run was rewound.
    pub fn truncate(&mut self, frames: u64) {
        self.frames = self.frames.min(frames);
        let (inputs, states) = (&mut self.inputs, &mut self.states);
        let mut panics = FirstPanic::default();
        panics.catch(|| inputs.truncate(inputs.partition_point(|(frame, _)| *frame <= frames)));
        panics.catch(|| states.truncate(states.partition_point(|(frame, _)| *frame <= frames)));
        panics.raise();
    }

    /// The number of recorded frames.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// The recorded inputs with their frames, from 1.
    pub fn inputs(&self) -> impl Iterator<Item = (u64, &I)> {
        self.inputs.iter().map(|(frame, inputs)| (*frame, inputs))
    }

    /// The recorded states with their frames, from the first.
    pub fn states(&self) -> impl Iterator<Item = (u64, &S)> {
        self.states.iter().map(|(frame, state)| (*frame, state))
    }

    /// The last recorded state and its frame.
    #[must_use]
    pub fn last_state(&self) -> Option<(u64, &S)> {
        self.states.last().map(|(frame, state)| (*frame, state))
    }
}

impl<I, S> Default for Recording<I, S> {
    fn default() -> Self {
        Self::new()
    }
}

/// A recording as read, before its order is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked<I, S> {
    frames: u64,
    inputs: Vec<(u64, I)>,
    states: Vec<(u64, S)>,
}

#[cfg(feature = "serde")]
impl<I, S> TryFrom<Unchecked<I, S>> for Recording<I, S> {
    type Error = &'static str;

    fn try_from(Unchecked { frames, inputs, states }: Unchecked<I, S>) -> Result<Self, Self::Error> {
        fn is_in_order<T>(list: &[(u64, T)], frames: u64) -> bool {
            list.first().is_none_or(|(first, _)| *first > 0)
                && list.is_sorted_by(|(earlier, _), (later, _)| earlier < later)
                && list.last().is_none_or(|(last, _)| *last <= frames)
        }
        match is_in_order(&inputs, frames) && is_in_order(&states, frames) {
            true => Ok(Self { frames, inputs, states }),
            false => Err("inputs and states of a recording must belong to its frames, in their order"),
        }
    }
}
