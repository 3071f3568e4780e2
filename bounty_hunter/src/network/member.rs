//! What a host knows of each other member.

use std::rc::Rc;

use super::download::{Download, Upload};
use super::packet::{MemberState, Received, Status};
use super::transport::Address;
use crate::simulation::SimulationSnapshot;

/// A state of a member that differs from that of the host.
pub(super) struct Deviation {
    pub(super) tick: u64,
    /// The host's own state at that step.
    pub(super) own: Rc<SimulationSnapshot>,
    /// The member's state, while it arrives.
    pub(super) download: Option<Download>,
    /// The clock when it was found.
    pub(super) since: u32,
}

impl Deviation {
    pub(super) fn received(&self) -> Received {
        let nothing = Received { tick: self.tick, ..Received::default() };
        self.download.as_ref().map_or(nothing, Download::received)
    }
}

/// A member other than the host.
pub(super) struct Member {
    pub(super) id: u8,
    pub(super) key: u64,
    pub(super) token: u64,
    pub(super) name: String,
    pub(super) address: Address,
    pub(super) is_here: bool,
    /// The seat that is kept for it, also while it is gone; `None` if it watches.
    pub(super) seat: Option<u32>,
    /// The clock when it was last heard.
    pub(super) heard: u32,
    pub(super) status: Option<Status>,
    /// It must load a state before it plays again.
    pub(super) must_reload: bool,
    pub(super) upload: Option<Upload>,
    pub(super) deviation: Option<Deviation>,
    /// How often its state differed.
    pub(super) deviations: u32,
    /// How often all have waited for it.
    pub(super) stalls: u32,
}

impl Member {
    pub(super) fn is_ready(&self) -> bool {
        self.status.as_ref().is_some_and(|status| status.is_ready)
    }

    /// The last step that it has confirmed; `None` if it has no match, or must load one.
    pub(super) fn confirmed(&self) -> Option<u64> {
        self.status.as_ref().filter(|_| !self.must_reload && self.upload.is_none())?.confirmed
    }

    pub(super) fn to_state(&self) -> MemberState {
        MemberState {
            id: self.id,
            name: self.name.clone(),
            seat: self.seat,
            is_ready: self.is_ready(),
            is_here: self.is_here,
            ping: self.status.as_ref().map_or(0, |status| status.ping),
            key: self.key,
            address: self.address,
        }
    }
}
