//! Playing a recording again, and finding where it goes another way.

use std::fmt;

use super::Recording;
use crate::engine::Engine;
use crate::error::Error;
use crate::snapshot::{Difference, RecordedState};

/// A recording on its way through an engine that is in the state in which the recording began.
#[derive(Clone, Debug)]
pub struct Replayer<I, S> {
    recording: Recording<I, S>,
    /// How many frames were handed out.
    frame: u64,
    next_inputs: usize,
    next_state: usize,
}

/// A frame to be played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedFrame<'a, I, S> {
    /// Its number in the recording, from 1.
    pub number: u64,
    /// What entered in it, if anything did.
    pub inputs: Option<&'a I>,
    /// The state after it, if it was noted.
    pub state: Option<&'a S>,
}

/// A replay went another way than the recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The last frame after which the states were found to be the same, or the one at which verifying began; 0 is the
    /// start.
    pub agrees_until: u64,
    /// The first frame after which they are known to differ.
    pub frame: u64,
    /// What differs first.
    pub difference: Difference,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agrees_until, frame, difference } = self;
        write!(f, "the replay differs after frame {frame}, and agrees until frame {agrees_until}: {difference}")
    }
}

impl std::error::Error for Divergence {}

impl<I, S> Replayer<I, S> {
    /// A recording before its first frame.
    #[must_use]
    pub fn new(recording: Recording<I, S>) -> Self {
        Self { recording, frame: 0, next_inputs: 0, next_state: 0 }
    }

    /// What is played.
    #[must_use]
    pub fn recording(&self) -> &Recording<I, S> {
        &self.recording
    }

    /// How many frames were handed out.
    #[must_use]
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// Goes back to before the first frame; the engine must be brought into its first state, too.
    pub fn rewind(&mut self) {
        self.seek(0);
    }

    /// Goes to where `frame` frames were handed out, or all if there are fewer; the engine must be brought into the state after
    /// them, too. O(log n).
    pub fn seek(&mut self, frame: u64) {
        let Recording { frames, inputs, states } = &self.recording;
        self.frame = frame.min(*frames);
        self.next_inputs = inputs.partition_point(|(of, _)| *of <= self.frame);
        self.next_state = states.partition_point(|(of, _)| *of <= self.frame);
    }

    /// The next frame to be played; `None` behind the last one.
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
}

/// The next item of a list, if it belongs to this frame.
fn of_frame<'a, T>(list: &'a [(u64, T)], next: &mut usize, frame: u64) -> Option<&'a T> {
    let (_, item) = list.get(*next).filter(|(of, _)| *of == frame)?;
    *next += 1;
    Some(item)
}

impl<I, S: RecordedState> Replayer<I, S> {
    /// Plays all frames that are left, each by `play`, until the first state that differs from the recorded one; `None` if all
    /// agree.
    ///
    /// # Errors
    /// Those of `play`, and of [`RecordedState::difference`].
    pub fn verify(
        &mut self,
        engine: &mut Engine,
        mut play: impl FnMut(&mut Engine, Option<&I>) -> Result<(), Error>,
    ) -> Result<Option<Divergence>, Error> {
        let mut agrees_until = self.frame;
        while let Some(RecordedFrame { number, inputs, state }) = self.next_frame() {
            play(engine, inputs)?;
            let Some(state) = state else { continue };
            if let Some(difference) = state.difference(engine)? {
                return Ok(Some(Divergence { agrees_until, frame: number, difference }));
            }
            agrees_until = number;
        }
        Ok(None)
    }
}
