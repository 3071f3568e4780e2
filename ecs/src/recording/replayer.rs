//! [`Replayer`]: replays a recording and finds the first difference.

use std::fmt;

use super::Recording;
use crate::engine::Engine;
use crate::error::Error;
use crate::snapshot::{Difference, RecordedState, Snapshot};

/// Replays a recording. The engine must start in the state in which the recording began.
#[derive(Clone, Debug)]
pub struct Replayer<I, S> {
    recording: Recording<I, S>,
    frame: u64,
    next_inputs: usize,
    next_state: usize,
}

/// A frame to replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedFrame<'a, I, S> {
    /// The number of the frame, from 1.
    pub number: u64,
    /// Its inputs, if any.
    pub inputs: Option<&'a I>,
    /// The state after it, if recorded.
    pub state: Option<&'a S>,
}

/// The first difference between a replay and its recording. `D` is what [`Replayer::verify_by`] found.
#[derive(Clone, PartialEq, Eq)]
pub struct Divergence<D = Difference> {
    /// The last frame after which the states were equal, or the one at which verifying began; 0 is the start.
    pub agrees_until: u64,
    /// The first frame after which the replayed state differs from the recorded one.
    pub frame: u64,
    /// The first difference.
    pub difference: D,
    /// What running the frames since then a second time has shown; `None` if they were not.
    pub second_run: Option<SecondRun>,
}

/// What two runs of the same frames from the same state have shown: a recording keeps its states at intervals, so only
/// this program's own runs can be compared frame by frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecondRun {
    /// They came to the same states up to this frame. So the program repeats itself, and the recording was made by
    /// another build, with other data or with other inputs.
    Agrees {
        /// The last frame that was compared.
        until: u64,
    },
    /// They differ: the program does not repeat itself.
    Differs {
        /// The first frame after which they differ.
        frame: u64,
        /// The first difference between them.
        difference: Difference,
        /// What wrote the value in that frame, when it was run once more; with the feature `inspect` only.
        writers: Vec<String>,
    },
}

/// Frames that are run a second time.
const MOST_FRAMES: u64 = 1_000;

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agrees_until, frame, difference, second_run } = self;
        write!(f, "the replay differs after frame {frame}, and agrees until frame {agrees_until}: {difference}")?;
        match second_run {
            Some(second_run) => write!(f, "; {second_run}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for SecondRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agrees { until } => write!(
                f,
                "run again from there, this program comes to the same states up to frame {until}: the recording was made by \
                 another build, or with other data, another seed or other inputs"
            ),
            Self::Differs { frame, difference, writers } => {
                let sentence = of_two_runs(difference);
                write!(f, "run again from there, this program differs from itself after frame {frame}: {sentence}")?;
                match writers.is_empty() {
                    true => Ok(()),
                    false => write!(f, "; in that frame it is written by {}", writers.join(", ")),
                }
            }
        }
    }
}

/// A difference in words that tell of two runs instead of a recording.
fn of_two_runs(difference: &Difference) -> String {
    let Some(values) = &difference.values else { return difference.sentence() };
    let what = difference.subject();
    let owner = values.entity.map_or_else(String::new, |entity| format!(" of entity {entity}"));
    let (field, first, second) = match values.field() {
        Some((field, first, second)) => (format!(", field {field},"), first, second),
        None => {
            let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "not there".to_owned());
            (String::new(), shown(&values.recorded), shown(&values.now))
        }
    };
    format!("{what}{owner}{field} is {first} in the first run and {second} in the second")
}

crate::sentence::impl_error!(Divergence);

impl<I, S> Replayer<I, S> {
    /// Starts before the first frame.
    #[must_use]
    pub fn new(recording: Recording<I, S>) -> Self {
        Self { recording, frame: 0, next_inputs: 0, next_state: 0 }
    }

    /// The recording.
    #[must_use]
    pub fn recording(&self) -> &Recording<I, S> {
        &self.recording
    }

    /// The recording, to go on with it.
    #[must_use]
    pub fn into_recording(self) -> Recording<I, S> {
        self.recording
    }

    /// The number of frames replayed so far.
    #[must_use]
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// Returns to the start. The caller resets the engine to its first state.
    pub fn rewind(&mut self) {
        self.seek(0);
    }

    /// Moves to just after frame `frame`, at most to the end. The caller brings the engine into the state after it.
    /// O(log n).
    pub fn seek(&mut self, frame: u64) {
        let Recording { frames, inputs, states } = &self.recording;
        self.frame = frame.min(*frames);
        self.next_inputs = inputs.partition_point(|(of, _)| *of <= self.frame);
        self.next_state = states.partition_point(|(of, _)| *of <= self.frame);
    }

    /// The next frame; `None` after the last one.
    pub fn next_frame(&mut self) -> Option<RecordedFrame<'_, I, S>> {
        let Recording { frames, inputs, states } = &self.recording;
        if self.frame == *frames {
            return None;
        }
        self.frame += 1;
        Some(RecordedFrame {
            number: self.frame,
            inputs: of_frame(inputs, &mut self.next_inputs, self.frame),
            state: of_frame(states, &mut self.next_state, self.frame),
        })
    }

    /// As [`Replayer::verify`], for a program that has more around its `engine`, and for states of any form: `play`
    /// plays a frame, and `compare` returns how a recorded state differs from the present one. The state of the engine
    /// must decide the course of the program.
    ///
    /// # Errors
    /// The errors of `play` and `compare`, and as [`Engine::snapshot`].
    pub fn verify_by<W, D, E: From<Error>>(
        &mut self,
        world: &mut W,
        engine: impl Fn(&mut W) -> &mut Engine,
        mut play: impl FnMut(&mut W, Option<&I>) -> Result<(), E>,
        mut compare: impl FnMut(&mut W, &S) -> Result<Option<D>, E>,
    ) -> Result<Option<Divergence<D>>, E> {
        let mut agrees_until = self.frame;
        let mut agreed = engine(world).snapshot()?;
        while let Some(RecordedFrame { number, inputs, state }) = self.next_frame() {
            play(world, inputs)?;
            let Some(state) = state else { continue };
            if let Some(difference) = compare(world, state)? {
                let second_run = Some(self.run_twice(&agreed, agrees_until, number, world, engine, play)?);
                return Ok(Some(Divergence { agrees_until, frame: number, difference, second_run }));
            }
            agrees_until = number;
            engine(world).snapshot_into(&mut agreed)?;
        }
        Ok(None)
    }

    /// Plays the frames between two from the same state twice, and compares the states after each.
    fn run_twice<W, E: From<Error>>(
        &mut self,
        from: &Snapshot,
        first: u64,
        last: u64,
        world: &mut W,
        engine: impl Fn(&mut W) -> &mut Engine,
        mut play: impl FnMut(&mut W, Option<&I>) -> Result<(), E>,
    ) -> Result<SecondRun, E> {
        let until = last.min(first.saturating_add(MOST_FRAMES));
        let mut states = Vec::new();
        for is_second in [false, true] {
            engine(world).restore(from)?;
            self.seek(first);
            for place in 0.. {
                let next = if self.frame < until { self.next_frame() } else { None };
                let Some(RecordedFrame { number, inputs, .. }) = next else { break };
                play(world, inputs)?;
                if !is_second {
                    states.push(engine(world).snapshot()?);
                    continue;
                }
                let recorded: &Snapshot = &states[place];
                if let Some(difference) = recorded.difference(engine(world))? {
                    let before = place.checked_sub(1).map_or(from, |before| &states[before]);
                    engine(world).restore(before)?;
                    self.seek(number - 1);
                    begin_blame(engine(world), &difference);
                    let inputs = self.next_frame().and_then(|next| next.inputs);
                    play(world, inputs)?;
                    let writers = end_blame(engine(world));
                    return Ok(SecondRun::Differs { frame: number, difference, writers });
                }
            }
        }
        Ok(SecondRun::Agrees { until })
    }
}

/// The next item of a list, if it belongs to this frame.
fn of_frame<'a, T>(list: &'a [(u64, T)], next: &mut usize, frame: u64) -> Option<&'a T> {
    let (_, item) = list.get(*next).filter(|(of, _)| *of == frame)?;
    *next += 1;
    Some(item)
}

impl<I, S: RecordedState> Replayer<I, S> {
    /// Replays all remaining frames by `play` and compares the recorded states; returns the first difference. If there
    /// is one, the frames since the last equal state are played twice more, to tell whether the program repeats itself;
    /// the engine is then where that ended.
    ///
    /// # Errors
    /// The errors of `play` and of [`RecordedState::difference`].
    pub fn verify(
        &mut self,
        engine: &mut Engine,
        play: impl FnMut(&mut Engine, Option<&I>) -> Result<(), Error>,
    ) -> Result<Option<Divergence>, Error> {
        self.verify_by(engine, |engine| engine, play, |engine, state| state.difference(engine))
    }
}

/// Watches what differs.
#[cfg(feature = "inspect")]
fn begin_blame(engine: &mut Engine, difference: &Difference) {
    let mut inspector = engine.inspector();
    if let Some(field) = inspector.field_of(difference) {
        inspector.begin_blame(&field);
    }
}

/// What has written it.
#[cfg(feature = "inspect")]
fn end_blame(engine: &mut Engine) -> Vec<String> {
    let writes = engine.inspector().end_blame().map(|blame| blame.writes).unwrap_or_default();
    let mut writers: Vec<_> = writes.iter().map(|write| write.by.to_string()).collect();
    writers.dedup();
    writers
}

#[cfg(not(feature = "inspect"))]
fn begin_blame(_: &mut Engine, _: &Difference) {}

#[cfg(not(feature = "inspect"))]
fn end_blame(_: &mut Engine) -> Vec<String> {
    Vec::new()
}
