//! A round: the session of `ggrs` between the people of a match, from an agreed step on.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;

use ggrs::{Config, GgrsRequest, P2PSession, PlayerType, SessionBuilder, SessionState};

use super::ggrs_message::{ack, inputs};
use super::mailbox::{Mailbox, Socket};
use super::net_input::{KeepDriving, NetInput};
use super::packet::Frames;
use super::seating::{Seated, inputs_of_step};
use super::timeline::Timeline;

/// The most steps that a peer takes with guessed inputs, and so the most that it takes again.
pub const MAX_PREDICTED: usize = 8;
/// Steps from a key press to its effect, also for the person who pressed it. They hide a part of the way of the inputs.
pub const INPUT_DELAY: usize = 2;

/// The frame before the first input.
const BEFORE_ALL: i32 = INPUT_DELAY as i32 - 1;
/// How far another peer may be ahead of the own inputs that it has: the guessed steps, with a margin.
const MAX_UNACKNOWLEDGED: i64 = 2 * MAX_PREDICTED as i64;
/// How far inputs may be ahead of the own step: a peer that plays by the rules is less far ahead.
const MAX_AHEAD: i32 = 48;
/// `ggrs` never gives a peer up, however long this process stood still: the host does, and begins another round.
const NEVER: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);
/// Polls in which the handshake of a session with itself is over.
const HANDSHAKE_POLLS: usize = 16;
/// The share of a new measurement in an average.
const SMOOTHING: f32 = 0.1;
/// A peer that is this many steps ahead of another one waits.
const AHEAD_TO_WAIT: f32 = 1.0;
/// Steps between two that are waited for.
const STEPS_BETWEEN_WAITS: u32 = 8;
/// Steps that the match stands still until the person is told for whom.
const STEPS_TO_TELL: u32 = 60;

struct Session;

impl Config for Session {
    type Input = NetInput;
    type InputPredictor = KeepDriving;
    type State = ();
    type Address = u8;
}

/// How a line has been for a while.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineStatistics {
    /// Steps taken for the first time.
    pub steps: u64,
    /// How often the match went back.
    pub rollbacks: u64,
    /// The most steps taken again at once.
    pub deepest_rollback: u32,
    /// Steps of the clock in which the match stood still, because inputs of others were missing.
    pub stalled: u64,
    /// The most of them in a row.
    pub longest_stall: u32,
    /// Steps of the clock in which this peer waited for one that is behind.
    pub waited: u64,
}

impl LineStatistics {
    /// Adds those of a later while.
    pub fn add(&mut self, later: Self) {
        self.steps += later.steps;
        self.rollbacks += later.rollbacks;
        self.deepest_rollback = self.deepest_rollback.max(later.deepest_rollback);
        self.stalled += later.stalled;
        self.longest_stall = self.longest_stall.max(later.longest_stall);
        self.waited += later.waited;
    }
}

/// Another person of the round.
#[derive(Default)]
struct Line {
    /// The newest frame whose input was accepted, and that input; the frame before the first one at the beginning.
    newest: i32,
    input: NetInput,
    /// The newest own frame that the other one has.
    acknowledged: i32,
    /// How many frames this peer is ahead of the other, by its own and by the other's measure, averaged.
    ahead: f32,
    others_ahead: f32,
}

/// A session of `ggrs` that begins at a step of a timeline.
pub(super) struct Rollback {
    session: P2PSession<Session>,
    mailbox: Mailbox,
    /// The step of frame 0.
    base: u64,
    /// All steps up to this one were taken with the inputs of all members.
    complete: u64,
    /// By handle.
    seated: Vec<Seated>,
    own: usize,
    host: u8,
    lines: BTreeMap<u8, Line>,
    /// The own inputs that not all have acknowledged, up to the newest, and the frame of the first of them.
    sent: VecDeque<NetInput>,
    first_sent: i32,
    /// The frame for which the own input was handed over.
    registered: Option<i32>,
    /// Requests of steps that were not taken.
    missed: NetInput,
    stall: u32,
    steps_since_wait: u32,
    /// It can no longer go back, so it takes no more steps.
    is_broken: bool,
}

impl Rollback {
    /// A round that begins at the present step of `timeline`; `None` if the member `own` has no seat in it.
    pub(super) fn new(timeline: &Timeline, seated: Vec<Seated>, own: u8, host: u8) -> Option<Self> {
        let own_handle = seated.iter().position(|seated| seated.member == own)?;
        let mailbox = Mailbox::default();
        let builder = SessionBuilder::<Session>::new()
            .with_max_prediction_window(MAX_PREDICTED)
            .with_input_delay(INPUT_DELAY)
            .with_disconnect_timeout(NEVER)
            .with_disconnect_notify_delay(NEVER)
            .with_num_players(seated.len())
            .ok()?;
        let builder = seated.iter().enumerate().try_fold(builder, |builder, (handle, seated)| {
            let player = if handle == own_handle { PlayerType::Local } else { PlayerType::Remote(seated.member) };
            builder.add_player(player, handle)
        });
        let mut session = builder.ok()?.start_p2p_session(Socket(Rc::clone(&mailbox))).ok()?;
        for _ in 0..HANDSHAKE_POLLS {
            if session.current_state() != SessionState::Running {
                session.poll_remote_clients();
            }
        }
        let others = seated.iter().filter(|seated| seated.member != own);
        let lines = others
            .map(|seated| (seated.member, Line { newest: BEFORE_ALL, acknowledged: BEFORE_ALL, ..Line::default() }))
            .collect();
        let base = timeline.simulation().tick();
        Some(Self {
            session,
            mailbox,
            base,
            complete: base,
            seated,
            own: own_handle,
            host,
            lines,
            sent: VecDeque::new(),
            first_sent: INPUT_DELAY as i32,
            registered: None,
            missed: NetInput::default(),
            stall: 0,
            steps_since_wait: 0,
            is_broken: false,
        })
    }

    /// Takes what another member has sent. What is not plausible is dropped: it comes from a defect, or from an enemy.
    pub(super) fn receive(&mut self, from: u8, frames: &Frames) {
        let current = self.session.current_frame();
        let players = self.seated.len();
        let newest_sent = self.first_sent + self.sent.len() as i32 - 1;
        let Some(line) = self.lines.get_mut(&from) else { return };
        let count = frames.runs.iter().map(|(times, _)| i64::from(*times)).sum::<i64>();
        let end = i64::from(frames.start) + count - 1;
        let is_next = (INPUT_DELAY as i32..=line.newest + 1).contains(&frames.start);
        let is_near = end <= i64::from(current + MAX_AHEAD) && (0..=current + MAX_AHEAD).contains(&frames.frame);
        let acknowledged = frames.received;
        // Without acknowledgements the other one cannot be so far ahead. Dropping these stalls the one that sends them,
        // and only that one.
        let is_acknowledging = i64::from(acknowledged) + MAX_UNACKNOWLEDGED >= i64::from(frames.frame);
        if !is_next || !is_near || !is_acknowledging || !(BEFORE_ALL..=newest_sent).contains(&acknowledged) {
            return;
        }
        let measured = (current - frames.frame) as f32;
        line.ahead += (measured - line.ahead) * SMOOTHING;
        line.others_ahead += (f32::from(frames.ahead) - line.others_ahead) * SMOOTHING;
        line.acknowledged = line.acknowledged.max(acknowledged);
        let known = (line.newest + 1 - frames.start) as usize;
        let all = frames.runs.iter().flat_map(|(times, input)| std::iter::repeat_n(*input, usize::from(*times)));
        let new: Vec<NetInput> = all.skip(known).collect();
        let message = match new.last() {
            Some(last) => {
                let message = inputs(players, line.newest + 1, acknowledged, line.input, &new);
                (line.newest, line.input) = (line.newest + new.len() as i32, *last);
                message
            }
            None => ack(acknowledged),
        };
        self.mailbox.borrow_mut().push((from, message));
        let least = self.lines.values().map(|line| line.acknowledged).min().unwrap_or(newest_sent);
        while self.first_sent <= least && self.sent.pop_front().is_some() {
            self.first_sent += 1;
        }
    }

    /// The inputs to send to each other member in this step: all that it has not acknowledged.
    pub(super) fn outgoing(&self) -> Vec<(u8, Frames)> {
        let frame = self.session.current_frame();
        let frames = |(to, line): (&u8, &Line)| {
            let start = line.acknowledged + 1;
            let mut runs: Vec<(u8, NetInput)> = Vec::new();
            for input in self.sent.iter().skip((start - self.first_sent).max(0) as usize) {
                match runs.last_mut() {
                    Some((times, last)) if last == input && *times < u8::MAX => *times += 1,
                    _ => runs.push((1, *input)),
                }
            }
            (*to, Frames { frame, ahead: line.ahead.round() as i8, start, received: line.newest, runs })
        };
        self.lines.iter().map(frames).collect()
    }

    /// Takes a step with the input of the own person, and takes earlier ones again if their inputs were other than
    /// guessed. Returns whether a step was taken: not while too many inputs are missing or too few steps are confirmed,
    /// and not while others are behind.
    pub(super) fn step(&mut self, timeline: &mut Timeline, input: NetInput, statistics: &mut LineStatistics) -> bool {
        if self.is_broken {
            return false;
        }
        self.steps_since_wait += 1;
        if self.is_ahead() && self.steps_since_wait >= STEPS_BETWEEN_WAITS {
            self.steps_since_wait = 0;
            self.missed = input.catching_up(self.missed);
            self.session.poll_remote_clients();
            statistics.waited += 1;
            return false;
        }
        if timeline.is_full() {
            self.missed = input.catching_up(self.missed);
            self.session.poll_remote_clients();
            self.note_stall(statistics);
            return false;
        }
        let frame = self.session.current_frame();
        if self.registered == Some(frame) {
            self.missed = input.catching_up(self.missed);
        } else {
            let input = input.catching_up(std::mem::take(&mut self.missed));
            self.session.add_local_input(self.own, input).expect("the handle is that of the own person");
            self.registered = Some(frame);
            if !self.lines.is_empty() {
                self.sent.push_back(input);
            }
        }
        let requests = self.session.advance_frame().expect("the session runs, and the own input is there");
        let mut taken_again = 0;
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    timeline.save();
                    cell.save(frame, Some(()), None);
                }
                GgrsRequest::LoadGameState { frame, .. } => {
                    // The match of a hostile host may stand still, and so have no state for each frame.
                    if !timeline.restore(self.base + frame as u64) {
                        self.is_broken = true;
                        return false;
                    }
                    statistics.rollbacks += 1;
                    taken_again = self.session.current_frame() - frame;
                }
                GgrsRequest::AdvanceFrame { inputs } => {
                    let inputs: Vec<NetInput> = inputs.into_iter().map(|(input, _)| input).collect();
                    timeline.step(inputs_of_step(timeline.simulation(), &self.seated, self.host, &inputs));
                }
            }
        }
        self.complete = self.base + (self.session.confirmed_frame() + 1).max(0) as u64;
        self.session.events().for_each(drop);
        let is_taken = self.session.current_frame() > frame;
        // Of those, the last step is a new one.
        let taken_again = (taken_again - i32::from(is_taken)).max(0) as u32;
        statistics.deepest_rollback = statistics.deepest_rollback.max(taken_again);
        if is_taken {
            (self.stall, statistics.steps) = (0, statistics.steps + 1);
        } else {
            self.note_stall(statistics);
        }
        is_taken
    }

    fn note_stall(&mut self, statistics: &mut LineStatistics) {
        self.stall += 1;
        statistics.stalled += 1;
        statistics.longest_stall = statistics.longest_stall.max(self.stall);
    }

    /// The last step that was taken with the inputs of all members.
    pub(super) fn complete(&self) -> u64 {
        self.complete
    }

    /// Whether it can no longer go back, so that it takes no more steps.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// The member for which the match has been standing still for a second.
    pub(super) fn waits_for(&self) -> Option<u8> {
        self.slowest().filter(|_| self.stall > STEPS_TO_TELL)
    }

    /// The other member whose inputs are missing most.
    pub(super) fn slowest(&self) -> Option<u8> {
        self.lines.iter().min_by_key(|(_, line)| line.newest).map(|(member, _)| *member)
    }

    /// Whether another person is so far behind that this peer had better wait.
    fn is_ahead(&self) -> bool {
        let most = self.lines.values().map(|line| (line.ahead - line.others_ahead) / 2.0).fold(0.0, f32::max);
        most >= AHEAD_TO_WAIT
    }
}
