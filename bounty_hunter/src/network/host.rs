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
use super::order::Order;
use super::packet::{
    Datagram, Envelope, Hello, MAX_BYTES, MAX_MEMBERS, MemberState, OPEN, Packet, Refusal, Round, Setup, State, Status,
    answer_to_another_protocol, frame_key, host_key_of, secret_number,
};
use super::rollback::{LineStatistics, Rollback};
use super::seating::Seated;
use super::timeline::Timeline;
use super::transport::{Address, Transport};
use bounty_hunter_simulation::assets::Assets;
use bounty_hunter_simulation::name::PlayerName;
use bounty_hunter_simulation::replay::Recorder;
use bounty_hunter_simulation::simulation::{MatchSetup, Simulation};

/// Steps of the own clock without an answer after which the other side is gone. A process that stands still counts
/// none.
pub(super) const SILENCE: u32 = 150;
/// Steps between two repetitions of the state.
pub(super) const STEPS_BETWEEN_STATES: u32 = 3;
/// A member that is at most this many steps behind gets its seat: the others wait less than that for it.
const CAUGHT_UP: u64 = 30;
/// Steps of the clock without any step of the match after which the member that is missing most leaves the round.
const LONGEST_STALL: u32 = 300;
/// Steps of the clock after which a member of a round that does not play in it leaves it.
const STEPS_TO_ENTER: u32 = 180;
/// Steps from the beginning of a round in which it is told in each step.
const STEPS_TO_TELL_A_ROUND: u32 = 6;
/// Steps of a match that a member may follow from its beginning, without a saved state.
pub(super) const STEPS_FROM_THE_START: u64 = 600;

/// A member that has answered within so many steps has not moved to another address.
const STEPS_TO_MOVE: u32 = 30;
/// A newcomer must show the number that it was sent within this time, or twice as long.
const STEPS_OF_A_COOKIE: u32 = 600;
/// Least length of a round before another member enters.
const STEPS_TO_ADD_MEMBERS: u32 = 60;
/// How often a peer says that it leaves.
pub(super) const LEAVES: usize = 3;
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
            key: host_key_of(secret),
            name: PlayerName::cleaned(name).into(),
            assets,
            setup,
            clock: 0,
            is_ready: false,
            members: Vec::new(),
            removed: VecDeque::new(),
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

    /// The member for which the match stands still, or that does not answer.
    pub(super) fn waits_for(&self) -> Option<&str> {
        let slowest = self.rollback.as_ref()?.waits_for()?;
        self.members.iter().find(|member| member.id == slowest).map(|member| &*member.name)
    }

    /// The last step that all members here have; `None` if no other member is here.
    pub(super) fn confirmed_by_all(&self) -> Option<u64> {
        let here = self.members.iter().filter(|member| member.is_here);
        here.map(|member| member.confirmed().unwrap_or(0)).min()
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
            timeline.confirm(rollback.complete());
            self.stall = if is_taken { 0 } else { self.stall + 1 };
        }
        self.send();
    }

    /// Tells all members that the match is over for the host, also those that are away: one whose process stands still
    /// hears it when it goes on.
    pub(super) fn leave(&mut self) {
        for member in &self.members {
            let bytes = Packet::Leave.to_bytes(member.token);
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
            let bytes = &buffer[..length];
            let sender = self.at(from);
            let is_member = sender.is_some_and(|index| self.members[index].is_here);
            if !self.budgets.take(is_member.then_some(from)) {
                continue;
            }
            let key_of = |packet: &Packet| match packet {
                Packet::Hello(_) => Some(OPEN),
                Packet::Status(_) | Packet::Leave | Packet::Piece(_) => Some(self.members[sender?].token),
                Packet::Envelope(envelope) => {
                    let member = &self.members[sender?];
                    (member.is_here && member.id == envelope.from).then(|| frame_key(member.token))
                }
                _ => None,
            };
            match (Datagram::from_bytes(bytes, key_of), sender) {
                (Datagram::Packet(Packet::Hello(hello)), _) => self.greet(from, &hello),
                (Datagram::Packet(Packet::Envelope(envelope)), _) => self.pass_on(&envelope, bytes),
                (Datagram::Packet(packet), Some(sender)) => self.take(sender, packet),
                (Datagram::OtherProtocol, _) => self.transport.send(from, &answer_to_another_protocol()),
                _ => {}
            }
        }
    }

    /// The member at an address: rather one that is here.
    fn at(&self, address: Address) -> Option<usize> {
        let there = (0..self.members.len()).filter(|index| self.members[*index].address == address);
        there.max_by_key(|index| self.members[*index].is_here)
    }

    fn take(&mut self, sender: usize, packet: Packet) {
        let member = &mut self.members[sender];
        match packet {
            Packet::Status(status) => self.take_status(sender, status),
            Packet::Leave => member.order.say_farewell(self.clock),
            Packet::Piece(piece) => {
                if let Some(download) = member.deviation.as_mut().and_then(|it| it.download.as_mut()) {
                    download.take(&piece);
                }
            }
            _ => {}
        }
    }

    fn take_status(&mut self, sender: usize, status: Status) {
        let clock = self.clock;
        let member = &mut self.members[sender];
        // The match was agreed on when the member was let in; it asks for another one by another greeting.
        let contradicts = status.configuration != self.setup.configuration && status.configuration != 0;
        if contradicts || !member.order.advance(status.time, clock) {
            return;
        }
        let age = clock.wrapping_sub(status.echo);
        if age < clock.wrapping_sub(member.heard) {
            member.heard = status.echo;
        }
        if !member.is_here {
            if age > SILENCE {
                // Its next status shows whether it hears this.
                return self.send_state(sender, &self.states());
            }
            tracing::info!(target: "bounty_hunter::network", name = member.name, "a member is back");
            member.is_here = true;
        }
        if self.round.as_ref().is_some_and(|round| round.number == status.round) {
            member.in_round = clock;
        }
        if let (Some(deviation), Some(offer)) = (&mut member.deviation, status.offer) {
            let is_known = deviation.download.as_ref().is_some_and(|download| download.offer() == offer);
            if deviation.tick == offer.tick && !is_known {
                deviation.download = Download::new(offer);
            }
        }
        member.status = Some(status);
    }

    /// Hands frames to the own session or, as they are, to another guest.
    fn pass_on(&mut self, envelope: &Envelope, bytes: &[u8]) {
        let is_current = self.round.as_ref().is_some_and(|round| round.number == envelope.round);
        if !is_current || envelope.from == envelope.to {
            return;
        }
        if envelope.to == HOST {
            if let Some(rollback) = &mut self.rollback {
                rollback.receive(envelope.from, &envelope.frames);
            }
        } else if let Some(other) = self.members.iter().find(|other| other.is_here && other.id == envelope.to) {
            self.transport.send(other.address, bytes);
        }
    }

    fn greet(&mut self, from: Address, hello: &Hello) {
        let slice = u64::from(self.clock / STEPS_OF_A_COOKIE);
        let cookie_of = |slice: u64| secret_number(self.secret, 1, format!("{from} {slice}").as_bytes());
        if ![slice, slice.saturating_sub(1)].map(cookie_of).contains(&hello.cookie) {
            self.transport.send(from, &Packet::Challenge { cookie: cookie_of(slice) }.to_bytes(OPEN));
            return;
        }
        if self.removed.contains(&hello.token) {
            self.transport.send(from, &Packet::Refused(Refusal::Removed).to_bytes(OPEN));
            return;
        }
        let clock = self.clock;
        let answers = |member: &Member| member.is_here && clock.wrapping_sub(member.heard) <= STEPS_TO_MOVE;
        if let Some(member) = self.members.iter_mut().find(|member| member.token == hello.token) {
            // One that answers at its address has not moved.
            if !answers(member) {
                tracing::info!(target: "bounty_hunter::network", name = member.name, "a member is back");
                (member.is_here, member.address, member.heard) = (true, from, clock);
            }
            return;
        }
        // One socket is one member: another program there waits until the one before it is gone.
        if self.members.iter().any(|member| member.is_here && member.address == from) {
            return;
        }
        // A place in the list is kept for those that may come back, but not before those that are here.
        if self.members.len() + 1 >= MAX_MEMBERS {
            match self.members.iter().position(|member| !member.is_here) {
                Some(gone) => drop(self.members.remove(gone)),
                None => {
                    self.transport.send(from, &Packet::Refused(Refusal::Full).to_bytes(OPEN));
                    return;
                }
            }
        }
        // A member that has gone may still be in the present round.
        let seated = self.round.as_ref().map_or(&[][..], |round| &round.seated);
        let is_taken = |id: u8| {
            self.members.iter().any(|member| member.id == id) || seated.iter().any(|seated| seated.member == id)
        };
        let id = (1..=u8::MAX).find(|id| !is_taken(*id)).expect("there are fewer members than ids");
        let member = Member {
            id,
            token: hello.token,
            name: PlayerName::cleaned(&hello.name).into(),
            address: from,
            is_here: true,
            seat: if hello.watches { None } else { self.free_seat() },
            heard: self.clock,
            order: Order::default(),
            status: None,
            in_round: self.clock,
            must_reload: false,
            upload: None,
            equal: None,
            difference: None,
            deviation: None,
            deviations: 0,
            stalls: 0,
            stalled: 0,
        };
        tracing::info!(target: "bounty_hunter::network", name = member.name, seat = ?member.seat, "a member has joined");
        self.members.push(member);
    }

    /// Seats that people can still take, as far as the lobby has room for them.
    pub(super) fn free_seats(&self) -> u32 {
        let taken = 1 + self.members.iter().filter(|member| member.seat.is_some()).count() as u32;
        let room = MAX_MEMBERS.saturating_sub(self.members.len() + 1) as u32;
        self.setup.players.saturating_sub(taken).min(room)
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
        self.transport.send(member.address, &Packet::Refused(Refusal::Removed).to_bytes(OPEN));
        self.removed.push_back(member.token);
        if self.removed.len() > MAX_REMOVED {
            self.removed.pop_front();
        }
    }

    fn look_for_the_silent(&mut self) {
        let clock = self.clock;
        let is_gone = |member: &&Member| {
            member.is_here && (member.order.has_left(clock) || clock.wrapping_sub(member.heard) > SILENCE)
        };
        while let Some(id) = self.members.iter().find(is_gone).map(|member| member.id) {
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
            member.order.forget_farewell();
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
        self.members.iter_mut().for_each(|member| member.equal = None);
        let seated = self.seated(|_| true);
        self.begin_round(seated);
    }

    /// The host and the members with a seat that fulfil a condition.
    fn seated(&self, may_play: impl Fn(&Member) -> bool) -> Vec<Seated> {
        let own = Seated { member: HOST, seat: HOST_SEAT };
        let others = self.members.iter().filter(|member| member.may_play(self.clock) && may_play(member));
        let others = others.filter_map(|member| Some(Seated { member: member.id, seat: member.seat? }));
        std::iter::once(own).chain(others).collect()
    }

    /// Begins another round if members have gone or have caught up.
    fn update_round(&mut self) {
        let (Some(timeline), Some(round), Some(rollback)) = (&self.timeline, &self.round, &self.rollback) else {
            return;
        };
        let clock = self.clock;
        let age = clock.wrapping_sub(self.round_begun);
        let missing = (self.stall > LONGEST_STALL).then(|| rollback.slowest()).flatten();
        let plays = |member: &Member| round.seated.iter().any(|seated| seated.member == member.id);
        for member in self.members.iter_mut().filter(|member| plays(member)) {
            if missing == Some(member.id) || clock.wrapping_sub(member.in_round) > STEPS_TO_ENTER {
                tracing::info!(target: "bounty_hunter::network", name = member.name, "all have waited for it: it watches");
                member.stall(clock);
            }
        }
        let confirmed = timeline.confirmed();
        let seated = self.seated(|member| {
            let is_near = |tick: u64| tick <= confirmed && tick.saturating_add(CAUGHT_UP) >= confirmed;
            let has_caught_up = || member.confirmed().is_some_and(is_near);
            // Members that come and go must not begin rounds all the time.
            plays(member) || (age >= STEPS_TO_ADD_MEMBERS && has_caught_up())
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
        for member in &mut self.members {
            member.in_round = self.clock;
        }
    }

    // --- sending ---

    fn send(&mut self) {
        self.send_frames();
        let is_new_round = self.round.is_some() && self.clock.wrapping_sub(self.round_begun) < STEPS_TO_TELL_A_ROUND;
        if is_new_round || self.clock.is_multiple_of(STEPS_BETWEEN_STATES) {
            let states = self.states();
            let here = (0..self.members.len()).filter(|index| self.members[*index].is_here);
            here.collect::<Vec<_>>().into_iter().for_each(|index| self.send_state(index, &states));
        }
        self.feed_members();
    }

    fn send_frames(&mut self) {
        let (Some(rollback), Some(round)) = (&self.rollback, &self.round) else { return };
        for (to, frames) in rollback.outgoing() {
            if let Some(member) = self.members.iter().find(|member| member.is_here && member.id == to) {
                let envelope = Envelope { from: HOST, to, round: round.number, frames };
                self.transport.send(member.address, &Packet::Envelope(envelope).to_bytes(self.key));
            }
        }
    }

    fn send_state(&mut self, index: usize, members: &[MemberState]) {
        let member = &self.members[index];
        let state = State {
            you: member.id,
            time: self.clock,
            echo: member.order.time(),
            setup: self.setup.clone(),
            members: members.to_vec(),
            round: self.round.clone(),
            confirmed: self.timeline.as_ref().map_or(0, Timeline::confirmed),
            offer: member.upload.as_ref().map(Upload::offer),
            asks_for: member.deviation.as_ref().map(Deviation::asks_for),
        };
        self.transport.send(member.address, &Packet::State(state).to_bytes(member.token));
    }
}

/// A recorded match before its first step.
pub(super) fn new_match(assets: &Assets, mode: &str, setup: &MatchSetup) -> Result<Timeline, String> {
    let sentence = |error: bounty_hunter_simulation::simulation::SimulationError| error.to_string();
    let simulation = Simulation::new(assets, setup).map_err(sentence)?;
    let recorder = Recorder::new(mode, assets, setup).map_err(sentence)?;
    Ok(Timeline::new(simulation, Some(recorder)))
}
