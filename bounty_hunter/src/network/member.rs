//! What a host knows of each other member.

use std::rc::Rc;

use super::download::{Download, Upload};
use super::order::Order;
use super::packet::{MemberState, Received, Status, frame_key};
use super::transport::Address;
use bounty_hunter_simulation::simulation::SimulationSnapshot;

/// Steps for which a member watches after all have waited for it in vain, doubled with each time, at most so often.
const STEPS_TO_WATCH: u32 = 60;
const MAX_DOUBLINGS: u32 = 5;
/// Steps after which it is forgotten that all have waited for a member.
const STEPS_TO_FORGIVE: u32 = 3_600;

/// A state of a member that differs from that of the host.
pub(super) struct Deviation {
    pub(super) tick: u64,
    /// The host's own state at that step.
    pub(super) own: Rc<SimulationSnapshot>,
    /// The last state before it that both had.
    pub(super) common: Option<Rc<SimulationSnapshot>>,
    /// The member's state, while it arrives.
    pub(super) download: Option<Download>,
    /// The clock when it was found.
    pub(super) since: u32,
}

impl Deviation {
    /// What is asked for: the step, and the pieces received so far.
    pub(super) fn asks_for(&self) -> (u64, Received) {
        (self.tick, self.download.as_ref().map_or(Received::default(), Download::received))
    }
}

/// A report of a member that differs from the host's state.
pub(super) struct Difference {
    pub(super) tick: u64,
    pub(super) hash: u64,
    /// The member's clock when it said so.
    pub(super) time: u32,
}

/// A member other than the host.
pub(super) struct Member {
    pub(super) id: u8,
    pub(super) token: u64,
    pub(super) name: String,
    pub(super) address: Address,
    pub(super) is_here: bool,
    /// The seat that is kept for it, also while it is gone; `None` if it watches.
    pub(super) seat: Option<u32>,
    /// The newest clock of the host that the member has answered.
    pub(super) heard: u32,
    pub(super) order: Order,
    pub(super) status: Option<Status>,
    /// The clock when it last played in the present round, or when that began.
    pub(super) in_round: u32,
    /// It must load a state before it plays again.
    pub(super) must_reload: bool,
    pub(super) upload: Option<Upload>,
    /// The last state that was equal to the host's, with its step.
    pub(super) equal: Option<(u64, Rc<SimulationSnapshot>)>,
    /// Its last report that differs.
    pub(super) difference: Option<Difference>,
    pub(super) deviation: Option<Deviation>,
    /// How often its state differed.
    pub(super) deviations: u32,
    /// How often all have waited for it of late, and the clock when they last did.
    pub(super) stalls: u32,
    pub(super) stalled: u32,
}

impl Member {
    pub(super) fn is_ready(&self) -> bool {
        self.status.as_ref().is_some_and(|status| status.is_ready)
    }

    /// The last step that it has confirmed; `None` if it has no match, or must load one.
    pub(super) fn confirmed(&self) -> Option<u64> {
        self.status.as_ref().filter(|_| !self.must_reload && self.upload.is_none())?.confirmed
    }

    /// All have waited for it: it watches for a while.
    pub(super) fn stall(&mut self, clock: u32) {
        let is_forgiven = clock.wrapping_sub(self.stalled) > STEPS_TO_FORGIVE;
        self.stalls = if is_forgiven { 1 } else { self.stalls.saturating_add(1) };
        self.stalled = clock;
    }

    /// Whether it may take part in a round: it has the host's state, and has not made all wait just now.
    pub(super) fn may_play(&self, clock: u32) -> bool {
        let pause = STEPS_TO_WATCH << self.stalls.min(MAX_DOUBLINGS);
        let watches = self.stalls > 0 && clock.wrapping_sub(self.stalled) < pause;
        self.is_here && !self.must_reload && self.upload.is_none() && !watches
    }

    pub(super) fn to_state(&self) -> MemberState {
        MemberState {
            id: self.id,
            name: self.name.clone(),
            seat: self.seat,
            is_ready: self.is_ready(),
            is_here: self.is_here,
            ping: self.status.as_ref().map_or(0, |status| status.ping),
            key: frame_key(self.token),
            address: self.address,
        }
    }
}
