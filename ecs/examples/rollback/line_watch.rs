//! What the events of `ggrs` say about the lines to the other players, for any game.

use std::time::{Duration, Instant};

use ggrs::GgrsEvent;

use super::peer::{Address, Match};

/// How long others may be silent before the match ends: before its beginning, and later.
#[derive(Clone, Copy)]
pub(crate) struct Patience {
    pub(crate) with_an_answer: Duration,
    pub(crate) with_silence: Duration,
}

impl Patience {
    /// A lid may be closed for a moment: `ggrs` alone would give up after two seconds.
    pub(crate) const USUAL: Self =
        Self { with_an_answer: Duration::from_secs(20), with_silence: Duration::from_secs(10) };
}

pub(crate) struct LineWatch<A> {
    /// Those of whom nothing is heard at the moment: a game tells its player.
    pub(crate) silent: Vec<A>,
    patience: Patience,
    begun: Instant,
    /// Frames to wait, so that a slower peer can keep up.
    frames_to_wait: u32,
}

impl<A: Address> LineWatch<A> {
    pub(crate) fn new(patience: Patience) -> Self {
        Self { silent: Vec::new(), patience, begun: Instant::now(), frames_to_wait: 0 }
    }

    /// Takes an event. One that is dropped is a match that stands still, or falls apart, without a word.
    ///
    /// # Errors
    /// A sentence that says why the match is over for this player.
    pub(crate) fn take(&mut self, event: GgrsEvent<Match<A>>, frame: i32) -> Result<(), String> {
        match event {
            // Steps of the handshake, for a bar that fills.
            GgrsEvent::Synchronizing { .. } | GgrsEvent::Synchronized { .. } => {}
            GgrsEvent::NetworkInterrupted { addr, .. } => self.silent.push(addr),
            GgrsEvent::NetworkResumed { addr } => self.silent.retain(|silent| *silent != addr),
            // From here on each side would play a match of its own.
            GgrsEvent::Disconnected { addr } => {
                return Err(format!("{addr:?} is gone: the match is over at frame {frame}"));
            }
            GgrsEvent::WaitRecommendation { skip_frames } => self.frames_to_wait = skip_frames,
            GgrsEvent::DesyncDetected { frame, addr, .. } => {
                return Err(format!("the state of {addr:?} is another one at frame {frame}"));
            }
        }
        Ok(())
    }

    /// Whether to play a frame now.
    ///
    /// # Errors
    /// A sentence if the others have not answered for too long: `ggrs` would go on asking for ever.
    pub(crate) fn may_play(&mut self, has_begun: bool) -> Result<bool, String> {
        if !has_begun && self.begun.elapsed() > self.patience.with_an_answer {
            return Err("not all other players answer: the match cannot begin".to_owned());
        }
        let is_waiting = self.frames_to_wait > 0;
        self.frames_to_wait = self.frames_to_wait.saturating_sub(1);
        Ok(has_begun && !is_waiting)
    }
}
