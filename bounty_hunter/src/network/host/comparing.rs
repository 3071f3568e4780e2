//! Comparing the states of members with those of the host, once a second.

use std::rc::Rc;

use super::Host;
use crate::network::download::Download;
use crate::network::member::{Deviation, Difference};
use crate::network::packet::MAX_MEMBERS;
use bounty_hunter_simulation::simulation::{Simulation, SimulationSnapshot};

/// Steps of the clock in which a member must have sent the state that differs.
const STEPS_TO_SEND_A_STATE: u32 = 600;

/// Limit of differences of one member: then it watches.
const MAX_DEVIATIONS: u32 = 4;
/// Limit of differences that are reported, each with a state from a member: reports cost time and files.
const MAX_REPORTS: u32 = 16;

/// The states of a match that differ between the host and a member.
#[derive(Clone, Debug)]
pub struct Desync {
    /// The step at which they were compared.
    pub tick: u64,
    /// The number of the member.
    pub member_id: u8,
    /// Its name.
    pub member: String,
    /// The first type that differs, and its first value.
    pub difference: String,
    /// The last state before it that both had, as a saved match; `None` if none was compared.
    pub common: Option<Vec<u8>>,
    /// The host's state, as a saved match.
    pub own: Vec<u8>,
    /// The member's state, as it sent it; `None` if it did not.
    pub other: Option<Vec<u8>>,
}

impl Host {
    pub(super) fn compare_reports(&mut self) {
        let Some(timeline) = &self.timeline else { return };
        for member in self.members.iter_mut().filter(|member| member.is_here && member.deviation.is_none()) {
            let Some(status) = &member.status else { continue };
            let Some((tick, hash)) = status.report.filter(|_| !member.must_reload && member.upload.is_none()) else {
                continue;
            };
            let Some(mark) = timeline.marks().find(|mark| mark.tick == tick) else { continue };
            if mark.hash == hash {
                member.equal = Some((tick, Rc::clone(&mark.snapshot)));
                continue;
            }
            // A member repeats its report; one word alone may be forged.
            let before = member.difference.replace(Difference { tick, hash, time: status.time });
            if !before.is_some_and(|it| (it.tick, it.hash) == (tick, hash) && it.time != status.time) {
                continue;
            }
            tracing::warn!(target: "bounty_hunter::network", name = member.name, tick, "the states differ");
            // The others play on meanwhile.
            (member.must_reload, member.difference) = (true, None);
            member.deviations = member.deviations.saturating_add(1);
            if member.deviations >= MAX_DEVIATIONS && member.seat.take().is_some() {
                tracing::warn!(target: "bounty_hunter::network", name = member.name, "it watches from now on");
            }
            if member.deviations <= MAX_DEVIATIONS && self.reports < MAX_REPORTS {
                self.reports += 1;
                let own = Rc::clone(&mark.snapshot);
                let common = member.equal.take().filter(|(equal, _)| *equal < tick).map(|(_, snapshot)| snapshot);
                member.deviation = Some(Deviation { tick, own, common, download: None, since: self.clock });
            }
        }
    }

    /// Compares the states that have arrived, and lets their members load the right one.
    pub(super) fn finish_deviations(&mut self) {
        let clock = self.clock;
        for member in &mut self.members {
            let is_late = |deviation: &Deviation| clock.wrapping_sub(deviation.since) > STEPS_TO_SEND_A_STATE;
            let is_there = |deviation: &Deviation| deviation.download.as_ref().is_some_and(|it| it.whole().is_some());
            if !member.deviation.as_ref().is_some_and(|deviation| is_late(deviation) || is_there(deviation)) {
                continue;
            }
            let Some(Deviation { tick, own, common, download, .. }) = member.deviation.take() else { continue };
            let other = download.as_ref().and_then(Download::whole).map(<[u8]>::to_vec);
            let mut scratch = Simulation::new(&self.assets, &self.setup.match_setup()).expect("the set-up was checked");
            let difference = match &other {
                None => "its state was not sent".to_owned(),
                Some(bytes) => match scratch.load(bytes) {
                    Err(error) => format!("its state cannot be read: {error}"),
                    Ok(()) => match scratch.difference(&own) {
                        Ok(Some(difference)) => difference.to_string(),
                        Ok(None) => "its state was the same after all".to_owned(),
                        Err(error) => error.to_string(),
                    },
                },
            };
            let mut saved = |snapshot: &SimulationSnapshot| {
                scratch.restore(snapshot).expect("the snapshot is of this match");
                scratch.save().expect("every type of the game can be saved")
            };
            let (common, own) = (common.map(|common| saved(&common)), saved(&own));
            let (member_id, member) = (member.id, member.name.clone());
            self.desyncs.push(Desync { tick, member_id, member, difference, common, own, other });
        }
        // The program may not take them, and a hostile member must not fill the memory.
        let too_many = self.desyncs.len().saturating_sub(MAX_MEMBERS);
        self.desyncs.drain(..too_many);
    }
}
