//! [`RecordedMatch`]: a match of which the edits by hand are inputs of its replay.

use bounty_hunter::input::Inputs;
use bounty_hunter::replay::{MAX_BYTES, Recorder, Replay};
use bounty_hunter::simulation::edits::input_of;
use bounty_hunter::simulation::{Simulation, StepReport};
use ecs_studio::{Changes, MadeEdit, Studio};

/// Limit of recorded edits.
const MAX_EDITS: usize = 100_000;

/// A match, and its recording.
pub(super) struct RecordedMatch {
    pub(super) simulation: Simulation,
    /// `None` once its inputs and edits do not repeat it.
    recorder: Option<Recorder>,
    /// All edits with their frames; going back to a frame brings back its edits.
    edits: Vec<MadeEdit>,
}

impl RecordedMatch {
    /// `recorder` records the simulation from its first step.
    pub(super) fn new(simulation: Simulation, recorder: Recorder) -> Self {
        Self { simulation, recorder: Some(recorder), edits: Vec::new() }
    }

    #[cfg(test)]
    pub(super) fn edit_count(&self) -> usize {
        self.edits.len()
    }

    /// Notes what the studio did since the last frame.
    pub(super) fn note(&mut self, changes: Changes, studio: &Studio<Simulation>) {
        let is_incomplete = changes.is_incomplete;
        match changes.is_another_branch {
            true => self.record_branch(studio),
            false => changes.add_to(&mut self.edits),
        }
        if is_incomplete || self.recorder.is_none() || self.edits.len() > MAX_EDITS {
            (self.recorder, self.edits) = (None, Vec::new());
        }
    }

    /// Records the branch that was chosen, also its steps after the shown one.
    fn record_branch(&mut self, studio: &Studio<Simulation>) {
        self.edits = studio.edits();
        let Some(mut recorder) = self.recorder.take() else { return };
        recorder.go_back(0);
        let (recorded, mut edits) = (studio.recorded(), self.edits.iter().peekable());
        // The history may have lost its oldest frames.
        if recorded.first().is_some_and(|(frame, _)| *frame != 1) {
            return;
        }
        for (frame, inputs) in recorded {
            let Some(inputs) = inputs else { return };
            let own = std::iter::from_fn(|| edits.next_if(|made| made.frame < frame)).map(|made| input_of(&made.edit));
            let edits = own.chain(inputs.edits.iter().cloned()).collect();
            recorder.note_step(&Inputs { edits, ..inputs.clone() }, None);
        }
        self.recorder = Some(recorder);
        self.edits.retain(|made| !made.for_one_frame);
    }

    /// Takes a step, of which the edits before it are inputs.
    pub(super) fn step(&mut self, inputs: Inputs) -> StepReport {
        let frame = self.simulation.engine().time().frame();
        self.edits.retain(|made| made.frame <= frame);
        // Edits by hand were made before the step, in which those of a replay follow.
        let own = self.edits.iter().filter(|made| made.frame == frame).map(|made| input_of(&made.edit));
        let edits = own.chain(inputs.edits.iter().cloned()).collect();
        self.edits.retain(|made| !(made.for_one_frame && made.frame == frame));
        self.truncate_to_present();
        let report = self.simulation.step(&inputs);
        if let Some(recorder) = &mut self.recorder {
            recorder.note(&Inputs { edits, ..inputs }, &mut self.simulation);
        }
        report
    }

    /// Drops recorded steps that are later than the present: the match goes on from an earlier moment.
    fn truncate_to_present(&mut self) {
        let tick = self.simulation.tick();
        if let Some(recorder) = self.recorder.as_mut().filter(|recorder| recorder.about().steps > tick) {
            recorder.go_back(tick);
        }
    }

    /// The number of steps and the bytes of the replay up to the shown moment. The match stays as it is.
    pub(super) fn report(&mut self) -> Result<(u64, Vec<u8>), String> {
        let (recorder, edits) = (self.recorder.clone(), self.edits.clone());
        let present = self.simulation.snapshot().map_err(|error| error.to_string())?;
        let replay = self.replay();
        self.simulation.restore(&present).map_err(|error| error.to_string())?;
        (self.recorder, self.edits) = (recorder, edits);
        let replay =
            replay.ok_or("a moment was loaded, or the match was begun again with edited assets: it has no replay")?;
        let bytes = replay.to_bytes();
        if bytes.len() as u64 > MAX_BYTES {
            return Err(format!("the replay has {} bytes, must have at most {MAX_BYTES}", bytes.len()));
        }
        Ok((replay.about().steps, bytes))
    }

    /// The replay of the match so far. Edits after the last step need another one.
    pub(super) fn replay(&mut self) -> Option<Replay> {
        let frame = self.simulation.engine().time().frame();
        self.truncate_to_present();
        if self.edits.iter().any(|made| made.frame == frame) {
            self.step(Inputs::none());
        }
        Some(self.recorder.as_ref()?.replay(&mut self.simulation))
    }
}
