//! [`Replayer`]: replays a recording and finds the first difference.

use std::fmt;

use super::Recording;
use crate::engine::Engine;
use crate::error::Error;
use crate::snapshot::{Difference, RecordedState};

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
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agrees_until, frame, difference } = self;
        write!(f, "the replay differs after frame {frame}, and agrees until frame {agrees_until}: {difference}")
    }
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

    /// As [`Replayer::verify`], for a program that has more around its engine, and for states of any form: `play` plays
    /// a frame, and `compare` returns how a recorded state differs from the present one.
    ///
    /// # Errors
    /// The errors of `play` and `compare`.
    pub fn verify_by<W, D, E>(
        &mut self,
        world: &mut W,
        mut play: impl FnMut(&mut W, Option<&I>) -> Result<(), E>,
        mut compare: impl FnMut(&mut W, &S) -> Result<Option<D>, E>,
    ) -> Result<Option<Divergence<D>>, E> {
        let mut agrees_until = self.frame;
        while let Some(RecordedFrame { number, inputs, state }) = self.next_frame() {
            play(world, inputs)?;
            let Some(state) = state else { continue };
            if let Some(difference) = compare(world, state)? {
                return Ok(Some(Divergence { agrees_until, frame: number, difference }));
            }
            agrees_until = number;
        }
        Ok(None)
    }
}

/// The next item of a list, if it belongs to this frame.
fn of_frame<'a, T>(list: &'a [(u64, T)], next: &mut usize, frame: u64) -> Option<&'a T> {
    let (_, item) = list.get(*next).filter(|(of, _)| *of == frame)?;
    *next += 1;
    Some(item)
}

impl<I, S: RecordedState> Replayer<I, S> {
    /// Replays all remaining frames by `play` and compares the recorded states; returns the first difference.
    ///
    /// # Errors
    /// The errors of `play` and of [`RecordedState::difference`].
    pub fn verify(
        &mut self,
        engine: &mut Engine,
        play: impl FnMut(&mut Engine, Option<&I>) -> Result<(), Error>,
    ) -> Result<Option<Divergence>, Error> {
        self.verify_by(engine, play, |engine, state| state.difference(engine))
    }
}
