//! The host: lets members in, begins rounds, and tells everybody.

mod comparing;
mod feeding;

use std::collections::VecDeque;
use std::rc::Rc;

pub use self::comparing::Desync;
use super::budgets::{Budgets, MAX_DATAGRAMS};
use super::download::{Download, Upload};
use super::member::{Deviation, Member};
use super::net_input::NetInput;
use super::packet::{
    Datagram, Envelope, Hello, MAX_BYTES, MAX_MEMBERS, MemberState, Packet, Refusal, Round, Setup, State, Status,
    answer_to_another_protocol, secret_number,
};
use super::rollback::{LineStatistics, Rollback};
use super::seating::Seated;
use super::timeline::Timeline;
use super::transport::{Address, Transport};
use crate::archive::replay::Recorder;
use crate::assets::Assets;
use crate::data::name::PlayerName;
use crate::simulation::{MatchSetup, Simulation};

/// Steps of the clock without a datagram after which a member is gone.
pub(super) const SILENCE: u32 = 150;
/// Steps between two repetitions of the state.
pub(super) const STEPS_BETWEEN_STATES: u32 = 3;
/// A member that is at most this many steps behind gets its seat: the others wait less than that for it.
const CAUGHT_UP: u64 = 30;
/// Steps of the clock without any step of the match after which the member that is missing most loses its seat.
const LONGEST_STALL: u32 = 300;
/// Steps of the clock in which members of a new round must have found their state.
const STEPS_TO_ENTER: u32 = 180;
/// Steps of a match that a member may follow from its beginning, without a saved state.
pub(super) const STEPS_FROM_THE_START: u64 = 600;

/// A newcomer must show the number that it was sent within this time, or twice as long.
const STEPS_OF_A_COOKIE: u32 = 600;
/// Least length of a round before another member enters.
const STEPS_TO_ADD_MEMBERS: u32 = 60;
/// How often a host says that it leaves.
const LEAVES: usize = 3;
/// A member for which all have waited so often loses its seat.
const MAX_STALLS: u32 = 3;
/// The most removed members that are remembered.
const MAX_REMOVED: usize = 64;

/// The id and the seat of the host itself.
pub(super) const HOST: u8 = 0;
const HOST_SEAT: u32 = 0;

/// The host of a match; it also plays.
pub struct Host {
    transport: Box<dyn Transport>,
    secret: u64,
    key: u64,
    name: String,
    assets: Assets,
    setup: Setup,
    clock: u32,
    is_ready: bool,
    members: Vec<Member>,
    /// The tokens of the members that were removed last.
    removed: VecDeque<u64>,
    admitted: u64,
    budgets: Budgets,
    timeline: Option<Timeline>,
    rollback: Option<Rollback>,
    round: Option<Round>,
    round_begun: u32,
    stall: u32,
    /// A saved state for those that join, and its step.
    saved: Option<(u64, Rc<[u8]>)>,
    offers: u32,
    statistics: LineStatistics,
    desyncs: Vec<Desync>,
    /// Differences for which a state was asked for.
    reports: u32,
}

impl Host {
    /// Opens a lobby. `assets` are in their mode and level; `secret` is a random number, known only here.
    #[must_use]
    pub fn new(transport: impl Transport + 'static, assets: Assets, setup: Setup, name: &str, secret: u64) -> Self {
        Self {
            transport: Box::new(transport),
            secret,
            key: secret_number(secret, 0, &[]),
            name: PlayerName::cleaned(name).into(),
            assets,
            setup,
            clock: 0,
            is_ready: false,
            members: Vec::new(),
            removed: VecDeque::new(),
            admitted: 0,
            budgets: Budgets::default(),
            timeline: None,
            rollback: None,
            round: None,
            round_begun: 0,
            stall: 0,
            saved: None,
            offers: 0,
            statistics: LineStatistics::default(),
            desyncs: Vec::new(),
            reports: 0,
        }
    }

    /// Lets the match begin as soon as all other players are ready as well.
    pub(super) fn set_ready(&mut self, is_ready: bool) {
        self.is_ready = is_ready;
    }

    pub(super) fn is_ready(&self) -> bool {
        self.is_ready
    }

    pub(super) fn setup(&self) -> &Setup {
        &self.setup
    }

    pub(super) fn timeline(&self) -> Option<&Timeline> {
        self.timeline.as_ref()
    }

    pub(super) fn timeline_mut(&mut self) -> Option<&mut Timeline> {
        self.timeline.as_mut()
    }

    pub(super) fn round(&self) -> Option<&Round> {
        self.round.as_ref()
    }

    pub(super) fn take_statistics(&mut self) -> LineStatistics {
        std::mem::take(&mut self.statistics)
    }

    /// The differences between states found since the last call.
    pub fn take_desyncs(&mut self) -> Vec<Desync> {
        std::mem::take(&mut self.desyncs)
    }

    /// All members, the host first.
    pub(super) fn states(&self) -> Vec<MemberState> {
        let own = MemberState {
            id: HOST,
            name: self.name.clone(),
            seat: Some(HOST_SEAT),
            is_ready: self.is_ready,
            is_here: true,
            ping: 0,
            key: self.key,
            address: Address::from(([0, 0, 0, 0], 0)),
        };
        std::iter::once(own).chain(self.members.iter().map(Member::to_state)).collect()
    }

    /// Lets one step of the clock pass, in which the own person has this input.
    pub(super) fn step(&mut self, input: NetInput) {
        self.clock = self.clock.wrapping_add(1);
        self.receive();
        self.look_for_the_silent();
        if self.timeline.is_none() {
            self.begin_when_all_are_ready();
        } else {
            self.compare_reports();
            self.finish_deviations();
            self.update_round();
        }
        if let (Some(rollback), Some(timeline)) = (&mut self.rollback, &mut self.timeline) {
            let is_taken = rollback.step(timeline, input, &mut self.statistics);
            self.stall = if is_taken { 0 } else { self.stall + 1 };
        }
        self.send();
    }

    /// Tells all members that the match is over for the host.
    pub(super) fn leave(&mut self) {
        let bytes = Packet::Leave { key: self.key }.to_bytes();
        for member in self.members.iter().filter(|member| member.is_here) {
            // There is no later datagram if one gets lost.
            (0..LEAVES).for_each(|_| self.transport.send(member.address, &bytes));
        }
    }

    // --- receiving ---

    fn receive(&mut self) {
        self.budgets.begin_step();
        let mut buffer = [0; MAX_BYTES + 1];
        for _ in 0..MAX_DATAGRAMS {
            let Some((from, length)) = self.transport.receive(&mut buffer) else { break };
            let is_member = self.members.iter().any(|member| member.is_here && member.address == from);
            if !self.budgets.take(is_member.then_some(from)) {
                continue;
            }
            match Datagram::from_bytes(&buffer[..length]) {
                Datagram::Packet(packet) => self.take(from, packet),
                Datagram::OtherProtocol => self.transport.send(from, &answer_to_another_protocol()),
                Datagram::TheirProtocol(_) | Datagram::Noise => {}
            }
        }
    }

    fn take(&mut self, from: Address, packet: Packet) {
        let key = match &packet {
            Packet::Hello(hello) => return self.greet(from, hello),
            Packet::Status(Status { key, .. }) | Packet::Leave { key } => *key,
            Packet::Piece(piece) => piece.key,
            Packet::Envelope(envelope) => envelope.key,
            _ => return,
        };
        let known = |member: &&mut Member| member.is_here && member.address == from && member.key == key;
        let Some(member) = self.members.iter_mut().find(known) else { return };
        member.heard = self.clock;
        match packet {
            Packet::Status(status) => {
                if status.configuration != self.setup.configuration && status.configuration != 0 {
                    let refused = Packet::Refused(Refusal::Configuration).to_bytes();
                    self.transport.send(from, &refused);
                    let id = member.id;
                    self.lose(id);
                    return;
                }
                // One may overtake a newer one.
                let is_old = |known: &Status| status.time.wrapping_sub(known.time) > u32::MAX / 2;
                if !member.status.as_ref().is_some_and(is_old) {
                    member.status = Some(status);
                }
            }
            Packet::Leave { .. } => {
                let id = member.id;
                self.lose(id);
            }
            Packet::Piece(piece) => {
                if let Some(deviation) = member.deviation.as_mut().filter(|deviation| deviation.tick == piece.tick) {
                    let offer = super::packet::Offer { number: 0, tick: piece.tick, bytes: piece.whole };
                    if deviation.download.is_none() {
                        deviation.download = Download::new(offer);
                    }
                    if let Some(download) = &mut deviation.download {
                        download.take(&piece);
                    }
                }
            }
            Packet::Envelope(envelope) if envelope.from == member.id => self.pass_on(&envelope),
            _ => {}
        }
    }

    fn pass_on(&mut self, envelope: &Envelope) {
        let is_current = self.round.as_ref().is_some_and(|round| round.number == envelope.round);
        if !is_current || envelope.from == envelope.to {
            return;
        }
        if envelope.to == HOST {
            if let Some(rollback) = &mut self.rollback {
                rollback.receive(envelope.from, &envelope.frames);
            }
        } else if let Some(other) = self.members.iter().find(|other| other.is_here && other.id == envelope.to) {
            self.transport.send(other.address, &Packet::Envelope(envelope.clone()).to_bytes());
        }
    }

    fn greet(&mut self, from: Address, hello: &Hello) {
        let slice = u64::from(self.clock / STEPS_OF_A_COOKIE);
        let cookie_of = |slice: u64| secret_number(self.secret, 1, format!("{from} {slice}").as_bytes());
        if ![slice, slice.saturating_sub(1)].map(cookie_of).contains(&hello.cookie) {
            self.transport.send(from, &Packet::Challenge { cookie: cookie_of(slice) }.to_bytes());
            return;
        }
        if self.removed.contains(&hello.token) {
            self.transport.send(from, &Packet::Refused(Refusal::Removed).to_bytes());
            return;
        }
        if let Some(member) = self.members.iter_mut().find(|member| member.token == hello.token) {
            if !member.is_here || member.address != from {
                tracing::info!(target: "bounty_hunter::network", name = member.name, "a member is back");
                (member.is_here, member.address, member.status) = (true, from, None);
            }
            member.heard = self.clock;
            return;
        }
        // One socket is one member.
        if let Some(before) = self.members.iter().find(|member| member.is_here && member.address == from) {
            self.lose(before.id);
        }
        // A place in the list is kept for those that may come back, but not before those that are here.
        if self.members.len() + 1 >= MAX_MEMBERS {
            match self.members.iter().position(|member| !member.is_here) {
                Some(gone) => drop(self.members.remove(gone)),
                None => {
                    self.transport.send(from, &Packet::Refused(Refusal::Full).to_bytes());
                    return;
                }
            }
        }
        self.admitted += 1;
        // A member that has gone may still be in the present round.
        let seated = self.round.as_ref().map_or(&[][..], |round| &round.seated);
        let is_taken = |id: u8| {
            self.members.iter().any(|member| member.id == id) || seated.iter().any(|seated| seated.member == id)
        };
        let id = (1..=u8::MAX).find(|id| !is_taken(*id)).expect("there are fewer members than ids");
        let member = Member {
            id,
            key: secret_number(self.secret, 2, &self.admitted.to_le_bytes()),
            token: hello.token,
            name: PlayerName::cleaned(&hello.name).into(),
            address: from,
            is_here: true,
            seat: if hello.watches { None } else { self.free_seat() },
            heard: self.clock,
            status: None,
            must_reload: false,
            upload: None,
            deviation: None,
            deviations: 0,
            stalls: 0,
        };
        tracing::info!(target: "bounty_hunter::network", name = member.name, seat = ?member.seat, "a member has joined");
        self.members.push(member);
    }

    /// A seat that no member has; if there is none, that of a member that is gone.
    fn free_seat(&mut self) -> Option<u32> {
        let is_free = |seat: &u32| *seat != HOST_SEAT && self.members.iter().all(|member| member.seat != Some(*seat));
        if let Some(seat) = (0..self.setup.players).find(is_free) {
            return Some(seat);
        }
        let gone = self.members.iter_mut().find(|member| !member.is_here && member.seat.is_some())?;
        gone.seat.take()
    }

    // --- members that go ---

    /// Removes a member, and refuses it when it asks again.
    pub(super) fn remove(&mut self, id: u8) {
        let Some(index) = self.members.iter().position(|member| member.id == id) else { return };
        let member = self.members.remove(index);
        tracing::info!(target: "bounty_hunter::network", name = member.name, "a member is removed");
        self.transport.send(member.address, &Packet::Refused(Refusal::Removed).to_bytes());
        self.removed.push_back(member.token);
        if self.removed.len() > MAX_REMOVED {
            self.removed.pop_front();
        }
    }

    fn look_for_the_silent(&mut self) {
        let clock = self.clock;
        let is_silent = |member: &&Member| member.is_here && clock.wrapping_sub(member.heard) > SILENCE;
        while let Some(id) = self.members.iter().find(is_silent).map(|member| member.id) {
            self.lose(id);
        }
    }

    /// A member is gone. During a match its seat is kept; an AI plays it meanwhile.
    fn lose(&mut self, id: u8) {
        let Some(index) = self.members.iter().position(|member| member.id == id) else { return };
        tracing::info!(target: "bounty_hunter::network", name = self.members[index].name, "a member is gone");
        if self.timeline.is_none() {
            self.members.remove(index);
        } else {
            let member = &mut self.members[index];
            (member.is_here, member.status, member.upload, member.deviation) = (false, None, None, None);
        }
    }

    // --- rounds ---

    fn begin_when_all_are_ready(&mut self) {
        let mut players = self.members.iter().filter(|member| member.is_here && member.seat.is_some());
        if !self.is_ready || !players.all(Member::is_ready) {
            return;
        }
        let setup = self.setup.match_setup();
        let begun = new_match(&self.assets, &self.setup.mode, &setup);
        self.timeline = Some(begun.expect("the set-up was checked when it was made"));
        let seated = self.seated(|_| true);
        self.begin_round(seated);
    }

    /// The host and the members with a seat that fulfil a condition.
    fn seated(&self, may_play: impl Fn(&Member) -> bool) -> Vec<Seated> {
        let own = Seated { member: HOST, seat: HOST_SEAT };
        let others = self.members.iter().filter(|member| member.is_here && may_play(member));
        let others = others.filter_map(|member| Some(Seated { member: member.id, seat: member.seat? }));
        std::iter::once(own).chain(others).collect()
    }

    /// Begins another round if members have gone or have caught up.
    fn update_round(&mut self) {
        let (Some(timeline), Some(round), Some(rollback)) = (&self.timeline, &self.round, &self.rollback) else {
            return;
        };
        let age = self.clock.wrapping_sub(self.round_begun);
        let missing = (self.stall > LONGEST_STALL).then(|| rollback.slowest()).flatten();
        let plays = |member: &Member| round.seated.iter().any(|seated| seated.member == member.id);
        for member in &mut self.members {
            let is_lost =
                age > STEPS_TO_ENTER && member.status.as_ref().is_some_and(|status| status.confirmed.is_none());
            if !plays(member) || !(missing == Some(member.id) || is_lost) {
                continue;
            }
            member.must_reload = true;
            member.stalls += 1;
            if member.stalls >= MAX_STALLS && member.seat.take().is_some() {
                tracing::warn!(target: "bounty_hunter::network", name = member.name, "all have waited for it too often: it watches");
            }
        }
        let confirmed = timeline.confirmed();
        let seated = self.seated(|member| {
            let is_near = |tick: u64| tick <= confirmed && tick + CAUGHT_UP >= confirmed;
            let has_caught_up = || member.confirmed().is_some_and(is_near);
            // Members that come and go must not begin rounds all the time.
            !member.must_reload && (plays(member) || (age >= STEPS_TO_ADD_MEMBERS && has_caught_up()))
        });
        if seated != round.seated {
            self.begin_round(seated);
        }
    }

    fn begin_round(&mut self, seated: Vec<Seated>) {
        let timeline = self.timeline.as_mut().expect("a match has begun");
        let base = timeline.confirmed();
        let is_kept = timeline.go_to(base);
        assert!(is_kept, "the last confirmed state is kept");
        let hash = timeline.simulation_mut().state_hash();
        timeline.mark_confirmed(hash);
        let number = self.round.as_ref().map_or(1, |round| round.number + 1);
        tracing::info!(target: "bounty_hunter::network", number, base, players = seated.len(), "round");
        self.rollback = Rollback::new(timeline, seated.clone(), HOST, HOST);
        self.round = Some(Round { number, base, hash, seated });
        (self.round_begun, self.stall) = (self.clock, 0);
    }

    // --- sending ---

    fn send(&mut self) {
        self.send_frames();
        if self.clock.is_multiple_of(STEPS_BETWEEN_STATES) {
            self.send_states();
        }
        self.feed_members();
    }

    fn send_frames(&mut self) {
        let (Some(rollback), Some(round)) = (&self.rollback, &self.round) else { return };
        for (to, frames) in rollback.outgoing() {
            if let Some(member) = self.members.iter().find(|member| member.is_here && member.id == to) {
                let envelope = Envelope { from: HOST, to, key: self.key, round: round.number, frames };
                self.transport.send(member.address, &Packet::Envelope(envelope).to_bytes());
            }
        }
    }

    fn send_states(&mut self) {
        let states = self.states();
        for member in self.members.iter().filter(|member| member.is_here) {
            let state = State {
                you: member.id,
                key: member.key,
                echo: member.status.as_ref().map_or(0, |status| status.time),
                setup: self.setup.clone(),
                members: states.clone(),
                round: self.round.clone(),
                confirmed: self.timeline.as_ref().map_or(0, Timeline::confirmed),
                offer: member.upload.as_ref().map(Upload::offer),
                asks_for: member.deviation.as_ref().map(Deviation::received),
            };
            self.transport.send(member.address, &Packet::State(state).to_bytes());
        }
    }
}

/// A recorded match before its first step.
pub(super) fn new_match(assets: &Assets, mode: &str, setup: &MatchSetup) -> Result<Timeline, String> {
    let sentence = |error: crate::simulation::SimulationError| error.to_string();
    let simulation = Simulation::new(assets, setup).map_err(sentence)?;
    let recorder = Recorder::new(mode, assets, setup).map_err(sentence)?;
    Ok(Timeline::new(simulation, Some(recorder)))
}
