//! A match with its recent states and confirmed inputs.

use std::collections::VecDeque;
use std::rc::Rc;

use bounty_hunter_simulation::input::Inputs;
use bounty_hunter_simulation::replay::{Recorder, Replay, STEPS_PER_HASH};
use bounty_hunter_simulation::simulation::view::GameState;
use bounty_hunter_simulation::simulation::{Simulation, SimulationSnapshot};

/// The recent states that are kept: more than twice the steps that a peer predicts, because peers confirm steps at
/// different times.
const STATES: usize = 64;
/// The confirmed inputs that are kept for those that watch, 20 s.
const MAX_LOGGED: usize = 1_200;
/// The states that are kept for comparing them with those of other peers.
const MARKS: usize = 4;

/// The most events, intents and spells that are recorded: hours of play.
const MAX_RECORDED: usize = 2_000_000;

/// The state before a step, and the inputs of that step.
#[derive(Default)]
struct Moment {
    /// `None` before the first state.
    tick: Option<u64>,
    /// Shared with a mark.
    snapshot: Rc<SimulationSnapshot>,
    /// The hash of the state, if it is one that is compared.
    hash: Option<u64>,
    /// The match is over in it.
    is_over: bool,
    inputs: Inputs,
}

/// A confirmed state that is compared with that of other peers.
pub(super) struct Mark {
    pub(super) tick: u64,
    pub(super) hash: u64,
    pub(super) snapshot: Rc<SimulationSnapshot>,
}

/// A match that can go back to recent states, with its confirmed past.
///
/// A step is *confirmed* if the inputs of all people for it are known.
pub(super) struct Timeline {
    simulation: Simulation,
    /// By tick, modulo its length.
    moments: Vec<Moment>,
    /// All steps up to this one are confirmed, and the state after it is kept.
    confirmed: u64,
    /// The first confirmed step after which the match is over.
    over: Option<u64>,
    /// The newest kept state.
    saved: u64,
    /// The inputs of the last confirmed steps.
    log: VecDeque<Inputs>,
    marks: VecDeque<Mark>,
    recorder: Option<Recorder>,
    /// The events, intents and spells that were recorded.
    recorded: usize,
}

impl Timeline {
    /// A timeline that begins with the present state. A recorder must have recorded all steps up to it.
    pub(super) fn new(simulation: Simulation, recorder: Option<Recorder>) -> Self {
        let mut moments = Vec::new();
        moments.resize_with(STATES, Moment::default);
        let tick = simulation.tick();
        let over = (simulation.state() == GameState::GameOver).then_some(tick);
        let (log, marks) = (VecDeque::new(), VecDeque::new());
        let mut timeline =
            Self { simulation, moments, confirmed: tick, over, saved: tick, log, marks, recorder, recorded: 0 };
        timeline.save();
        timeline
    }

    pub(super) fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    pub(super) fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// The last confirmed step.
    pub(super) fn confirmed(&self) -> u64 {
        self.confirmed
    }

    /// The step after which the match is over; `None` while it is not.
    pub(super) fn over(&self) -> Option<u64> {
        self.over
    }

    /// Whether one more step would need the place of the last confirmed state.
    pub(super) fn is_full(&self) -> bool {
        self.simulation.tick() - self.confirmed >= STATES as u64 - 2
    }

    /// Keeps the present state.
    pub(super) fn save(&mut self) {
        let tick = self.simulation.tick();
        let moment = &mut self.moments[tick as usize % STATES];
        moment.tick = Some(tick);
        if Rc::get_mut(&mut moment.snapshot).is_none() {
            moment.snapshot = Rc::default();
        }
        let snapshot = Rc::get_mut(&mut moment.snapshot).expect("it is not shared");
        self.simulation.snapshot_into(snapshot).expect("every type of the game is registered");
        moment.hash = tick.is_multiple_of(STEPS_PER_HASH).then(|| self.simulation.state_hash());
        moment.is_over = self.simulation.state() == GameState::GameOver;
        self.saved = tick;
    }

    /// Takes a step from a state that was kept.
    pub(super) fn step(&mut self, inputs: Inputs) {
        let tick = self.simulation.tick();
        self.simulation.step(&inputs);
        self.moments[tick as usize % STATES].inputs = inputs;
    }

    /// Goes back, or ahead, to a kept state; returns whether there is one.
    pub(super) fn restore(&mut self, tick: u64) -> bool {
        let Some(moment) = self.moments.get(tick as usize % STATES) else { return false };
        if moment.tick != Some(tick) || tick > self.saved {
            return false;
        }
        self.simulation.restore(&moment.snapshot).expect("the snapshot is of this match");
        self.saved = tick;
        true
    }

    /// Confirms the steps up to `tick`, as far as the state after them is kept.
    pub(super) fn confirm(&mut self, tick: u64) {
        for tick in self.confirmed + 1..=tick.min(self.saved) {
            let inputs = std::mem::take(&mut self.moments[(tick - 1) as usize % STATES].inputs);
            let Moment { hash, is_over, .. } = self.moments[tick as usize % STATES];
            let has_ended = is_over && self.over.is_none();
            self.over = if is_over { self.over.or(Some(tick)) } else { None };
            self.record(&inputs, hash);
            if has_ended && self.recorder.is_some() {
                let snapshot = Rc::clone(&self.moments[tick as usize % STATES].snapshot);
                let hash = self.at(&snapshot, |simulation, _| simulation.state_hash());
                self.recorder.as_mut().expect("it was there").note_end(hash);
            }
            if let Some(hash) = hash {
                self.mark(tick, hash);
            }
            if self.log.len() == MAX_LOGGED {
                self.log.pop_front();
            }
            self.log.push_back(inputs);
            self.confirmed = tick;
        }
    }

    fn record(&mut self, inputs: &Inputs, hash: Option<u64>) {
        let Some(recorder) = &mut self.recorder else { return };
        recorder.note_step(inputs, hash);
        self.recorded += inputs.commands.len() + inputs.intents.len() + inputs.casts.len();
        if self.recorded > MAX_RECORDED {
            tracing::warn!(target: "bounty_hunter::network", "the match is too long to be recorded");
            self.recorder = None;
        }
    }

    /// Marks the last confirmed step, so that its state is compared; `hash` is that of the present state, which it must
    /// be.
    pub(super) fn mark_confirmed(&mut self, hash: u64) {
        if self.marks.back().is_none_or(|mark| mark.tick < self.confirmed) {
            self.mark(self.confirmed, hash);
        }
    }

    /// Keeps a state for comparing it.
    fn mark(&mut self, tick: u64, hash: u64) {
        tracing::debug!(target: "bounty_hunter::network", tick, hash = format_args!("{hash:016x}"), "confirmed");
        if self.marks.len() == MARKS {
            self.marks.pop_front();
        }
        let snapshot = Rc::clone(&self.moments[tick as usize % STATES].snapshot);
        self.marks.push_back(Mark { tick, hash, snapshot });
    }

    /// The last confirmed states that are compared with those of other peers.
    pub(super) fn marks(&self) -> impl DoubleEndedIterator<Item = &Mark> {
        self.marks.iter()
    }

    /// The inputs of the confirmed steps after `tick`; `None` if they are no longer kept, or not there yet.
    pub(super) fn inputs_after(&self, tick: u64) -> Option<impl Iterator<Item = &Inputs>> {
        let first = self.confirmed - self.log.len() as u64;
        (first..=self.confirmed).contains(&tick).then(|| self.log.iter().skip((tick - first) as usize))
    }

    /// Goes to a kept state that other peers have as well, and forgets what was confirmed or predicted after it;
    /// returns whether there is one.
    pub(super) fn go_to(&mut self, tick: u64) -> bool {
        if !self.restore(tick) {
            return false;
        }
        if tick < self.confirmed {
            let gone = (self.confirmed - tick).min(self.log.len() as u64) as usize;
            self.log.truncate(self.log.len() - gone);
            self.marks.retain(|mark| mark.tick <= tick);
            if let Some(recorder) = &mut self.recorder {
                recorder.go_back(tick);
            }
        }
        self.confirmed = tick.min(self.confirmed);
        true
    }

    /// The recording of the match up to its end or to the last confirmed step; `None` if this peer did not see the
    /// match begin.
    pub(super) fn replay(&mut self) -> Option<Replay> {
        self.recorder.as_ref()?;
        self.at_confirmed(|simulation, recorder| recorder.map(|recorder| recorder.match_replay(simulation)))
    }

    /// The state after the last confirmed step, as bytes.
    pub(super) fn save_confirmed(&mut self) -> Vec<u8> {
        self.at_confirmed(|simulation, _| save(simulation))
    }

    /// The state of a mark, as bytes; `None` if there is no mark at this step.
    pub(super) fn save_of_mark(&mut self, tick: u64) -> Option<Vec<u8>> {
        let mark = self.marks.iter().find(|mark| mark.tick == tick)?;
        let snapshot = Rc::clone(&mark.snapshot);
        Some(self.at(&snapshot, |simulation, _| save(simulation)))
    }

    /// The hash of the state after a confirmed step; `None` if that state is no longer kept, or not there yet.
    pub(super) fn hash_at(&mut self, tick: u64) -> Option<u64> {
        let moment = self.moments.get(tick as usize % STATES)?;
        let is_kept = moment.tick == Some(tick) && tick <= self.confirmed;
        let snapshot = is_kept.then(|| Rc::clone(&moment.snapshot))?;
        Some(self.at(&snapshot, |simulation, _| simulation.state_hash()))
    }

    /// Calls `action` with the state after the last confirmed step.
    fn at_confirmed<R>(&mut self, action: impl FnOnce(&mut Simulation, Option<&Recorder>) -> R) -> R {
        let confirmed = &self.moments[self.confirmed as usize % STATES];
        debug_assert_eq!(confirmed.tick, Some(self.confirmed), "the last confirmed state is kept");
        let snapshot = Rc::clone(&confirmed.snapshot);
        self.at(&snapshot, action)
    }

    /// Calls `action` with an earlier state.
    fn at<R>(
        &mut self,
        snapshot: &SimulationSnapshot,
        action: impl FnOnce(&mut Simulation, Option<&Recorder>) -> R,
    ) -> R {
        let present = self.simulation.snapshot().expect("every type of the game is registered");
        self.simulation.restore(snapshot).expect("the snapshot is of this match");
        let result = action(&mut self.simulation, self.recorder.as_ref());
        self.simulation.restore(&present).expect("the snapshot is of this match");
        result
    }
}

fn save(simulation: &mut Simulation) -> Vec<u8> {
    simulation.save().expect("every type of the game can be saved")
}
