//! A host or a guest, as a window or a test holds it.

use super::guest::{Guest, HostLoss, STEPS_TO_GIVE_UP};
use super::host::{Desync, HOST, Host};
use super::line_watch::LineNotice;
use super::net_input::NetInput;
use super::packet::{MemberState, Setup};
use super::rollback::LineStatistics;
use super::timeline::Timeline;
use bounty_hunter_simulation::name::PlayerName;
use bounty_hunter_simulation::replay::Replay;
use bounty_hunter_simulation::simulation::Simulation;

/// Steps of the clock in a second, and the milliseconds of one.
const STEPS_PER_SECOND: u32 = 60;
const STEP_MS: f32 = 1_000.0 / STEPS_PER_SECOND as f32;

/// A member of the lobby and of the match.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberView {
    /// Its number, for [`Peer::remove`].
    pub id: u8,
    /// Its name.
    pub name: String,
    /// Its seat, which is also its colour; `None` if it watches.
    pub seat: Option<u32>,
    /// Whether it wants to begin.
    pub is_ready: bool,
    /// Whether it is here; the seat of one that is gone is kept.
    pub is_here: bool,
    /// Milliseconds to the host and back; 0 for the host.
    pub ping_ms: u32,
    /// Whether it is the host.
    pub is_host: bool,
    /// Whether it is this peer.
    pub is_self: bool,
}

/// A member of a match over a network. All it does, it does in [`step`](Self::step), 60 times a second; after a time
/// without steps it goes on as if that time had not passed, so do not make up for it by many steps at once.
pub struct Peer(Role);

enum Role {
    /// Decides who plays.
    Host(Box<Host>),
    /// Follows the host.
    Guest(Box<Guest>),
}

impl From<Host> for Peer {
    fn from(host: Host) -> Self {
        Self(Role::Host(Box::new(host)))
    }
}

impl From<Guest> for Peer {
    fn from(guest: Guest) -> Self {
        Self(Role::Guest(Box::new(guest)))
    }
}

impl Peer {
    /// Whether this peer is the host.
    #[must_use]
    pub fn is_host(&self) -> bool {
        matches!(self.0, Role::Host(_))
    }

    /// Lets a step of the clock pass: receives, takes a step of the match with the input of the own person, and sends.
    pub fn step(&mut self, input: NetInput) {
        match &mut self.0 {
            Role::Host(host) => host.step(input),
            Role::Guest(guest) => guest.step(input),
        }
    }

    /// Says whether the own person wants to begin. The match begins as soon as all players want to.
    pub fn set_ready(&mut self, is_ready: bool) {
        match &mut self.0 {
            Role::Host(host) => host.set_ready(is_ready),
            Role::Guest(guest) => guest.set_ready(is_ready),
        }
    }

    /// Whether the own person wants to begin.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        match &self.0 {
            Role::Host(host) => host.is_ready(),
            Role::Guest(guest) => guest.is_ready(),
        }
    }

    /// Tells the others that this peer goes.
    pub fn leave(&mut self) {
        match &mut self.0 {
            Role::Host(host) => host.leave(),
            Role::Guest(guest) => guest.leave(),
        }
    }

    /// Removes a member, also one that plays; an AI gets its seat. Its program cannot come back, but may be started
    /// again. Does nothing unless this peer is the host and such a member is there.
    pub fn remove(&mut self, id: u8) {
        if let Role::Host(host) = &mut self.0 {
            host.remove(id);
        }
    }

    /// The match that is or will be played; `None` before the host has answered.
    #[must_use]
    pub fn setup(&self) -> Option<&Setup> {
        match &self.0 {
            Role::Host(host) => Some(host.setup()),
            Role::Guest(guest) => guest.setup(),
        }
    }

    /// Seats that people can still take in the lobby of this host; `None` in a match, and for guests.
    #[must_use]
    pub fn free_seats(&self) -> Option<u32> {
        match &self.0 {
            Role::Host(host) if host.timeline().is_none() => Some(host.free_seats()),
            _ => None,
        }
    }

    /// The members, the host first; empty before the host has answered.
    #[must_use]
    pub fn members(&self) -> Vec<MemberView> {
        let (states, own) = self.states();
        let view = |state: MemberState| MemberView {
            id: state.id,
            ping_ms: (f32::from(state.ping) * STEP_MS) as u32,
            is_host: state.id == HOST,
            is_self: Some(state.id) == own,
            name: PlayerName::cleaned(&state.name).into(),
            seat: state.seat,
            is_ready: state.is_ready,
            is_here: state.is_here,
        };
        states.into_iter().map(view).collect()
    }

    /// The members as the host tells, and the own id. For a guest that plays on alone nobody else is here.
    fn states(&self) -> (Vec<MemberState>, Option<u8>) {
        match &self.0 {
            Role::Host(host) => (host.states(), Some(HOST)),
            Role::Guest(guest) => {
                let (mut states, own) = (guest.states().to_vec(), guest.id());
                states.iter_mut().for_each(|state| state.is_here &= !guest.is_alone() || Some(state.id) == own);
                (states, own)
            }
        }
    }

    /// The match as this peer sees it now, with guesses; `None` in the lobby.
    #[must_use]
    pub fn simulation(&self) -> Option<&Simulation> {
        self.timeline().map(Timeline::simulation)
    }

    /// The match, for tests and tools that bring about a difference.
    pub fn simulation_mut(&mut self) -> Option<&mut Simulation> {
        self.timeline_mut().map(Timeline::simulation_mut)
    }

    /// The last step whose inputs are all known.
    #[must_use]
    pub fn confirmed(&self) -> u64 {
        self.timeline().map_or(0, Timeline::confirmed)
    }

    /// The last confirmed state that is compared with those of other peers: its step and its hash.
    #[must_use]
    pub fn last_hash(&self) -> Option<(u64, u64)> {
        self.timeline()?.marks().next_back().map(|mark| (mark.tick, mark.hash))
    }

    /// The hash of the state after a confirmed step, while that state is kept: for about a second. `None` before and
    /// after that, and for a peer that has loaded a later state.
    pub fn hash_at(&mut self, step: u64) -> Option<u64> {
        self.timeline_mut()?.hash_at(step)
    }

    /// The confirmed step after which the match is over; `None` while it is not.
    #[must_use]
    pub fn over(&self) -> Option<u64> {
        self.timeline()?.over()
    }

    /// For a host: the last step that all other members who are here have confirmed; `None` if nobody is here, and for
    /// guests.
    #[must_use]
    pub fn confirmed_by_all(&self) -> Option<u64> {
        match &self.0 {
            Role::Host(host) => host.confirmed_by_all(),
            Role::Guest(_) => None,
        }
    }

    /// The hashes of the last compared states: each a step and a hash.
    #[must_use]
    pub fn hashes(&self) -> Vec<(u64, u64)> {
        self.timeline().map_or(Vec::new(), |timeline| timeline.marks().map(|mark| (mark.tick, mark.hash)).collect())
    }

    /// The number of the present round and the players in it that people play; `None` before the first one.
    #[must_use]
    pub fn round(&self) -> Option<(u32, Vec<u32>)> {
        let round = match &self.0 {
            Role::Host(host) => host.round(),
            Role::Guest(guest) => guest.round(),
        };
        round.map(|round| (round.number, round.seated.iter().map(|seated| seated.seat).collect()))
    }

    /// How the line has been since the last call.
    pub fn take_statistics(&mut self) -> LineStatistics {
        match &mut self.0 {
            Role::Host(host) => host.take_statistics(),
            Role::Guest(guest) => guest.take_statistics(),
        }
    }

    /// The recording up to the last confirmed step; `None` in the lobby, and for a peer that did not see the match
    /// begin.
    pub fn replay(&mut self) -> Option<Replay> {
        self.timeline_mut()?.replay()
    }

    /// The differences between the states of peers that the host has found since the last call.
    pub fn take_desyncs(&mut self) -> Vec<Desync> {
        match &mut self.0 {
            Role::Host(host) => host.take_desyncs(),
            Role::Guest(_) => Vec::new(),
        }
    }

    /// Why this peer has nothing to do any more, as a sentence for its person; `None` while it has.
    #[must_use]
    pub fn ended(&self) -> Option<&str> {
        match &self.0 {
            Role::Host(_) => None,
            Role::Guest(guest) => guest.ended(),
        }
    }

    /// How this guest has lost its host; `None` while it has one, and for a host.
    #[must_use]
    pub fn host_loss(&self) -> Option<HostLoss> {
        match &self.0 {
            Role::Host(_) => None,
            Role::Guest(guest) => guest.loss(),
        }
    }

    /// What the person should know about the line; `None` if all is well.
    #[must_use]
    pub fn notice(&self) -> Option<LineNotice> {
        match &self.0 {
            Role::Host(host) => host.waits_for().map(LineNotice::waiting_for),
            Role::Guest(guest) => notice_of(guest),
        }
    }

    fn timeline(&self) -> Option<&Timeline> {
        match &self.0 {
            Role::Host(host) => host.timeline(),
            Role::Guest(guest) => guest.timeline(),
        }
    }

    fn timeline_mut(&mut self) -> Option<&mut Timeline> {
        match &mut self.0 {
            Role::Host(host) => host.timeline_mut(),
            Role::Guest(guest) => guest.timeline_mut(),
        }
    }
}

/// What the person at a guest should know about the line.
fn notice_of(guest: &Guest) -> Option<LineNotice> {
    if guest.is_alone() {
        return Some(LineNotice::HostIsGone);
    }
    if guest.misses_the_host() {
        let plays = guest.seat().is_some();
        let seconds = STEPS_TO_GIVE_UP / STEPS_PER_SECOND;
        return Some(match (guest.timeline().is_some(), plays) {
            (false, _) => LineNotice::HostIsSilent,
            (true, plays) => LineNotice::MatchWaitsForHost { seconds, plays },
        });
    }
    let loading = guest.download_share().map(|share| LineNotice::Loading { percent: (share * 100.0) as u32 });
    loading.or_else(|| guest.waits_for().map(LineNotice::waiting_for))
}
