//! A guest: joins a host, follows its match until it has caught up, and plays its seat in each round.

use std::collections::BTreeMap;

use super::budgets::{Budgets, MAX_DATAGRAMS};
use super::download::{Download, Upload};
use super::host::{HOST, LEAVES, SILENCE, STEPS_BETWEEN_STATES, STEPS_FROM_THE_START, new_match};
use super::net_input::NetInput;
use super::order::Order;
use super::packet::{
    Datagram, Envelope, Feed, Hello, MAX_BYTES, MemberState, OPEN, PROTOCOL, Packet, Refusal, Round, Setup, State,
    Status, frame_key, token_of,
};
use super::rollback::{LineStatistics, Rollback};
use super::seating::{Seated, may_be_of_a_step};
use super::timeline::Timeline;
use super::transport::{Address, Transport};
use bounty_hunter_simulation::assets::Assets;
use bounty_hunter_simulation::input::Inputs;
use bounty_hunter_simulation::name::PlayerName;
use bounty_hunter_simulation::simulation::{MAX_TICKS, Simulation};

/// Steps between two greetings.
const STEPS_BETWEEN_HELLOS: u32 = 15;
/// Steps of the own clock without an answer of the host after which a guest goes on without it.
pub(super) const STEPS_TO_GIVE_UP: u32 = 1_800;
/// The same before a match.
const STEPS_TO_FIND: u32 = 600;
/// Steps of the own clock without an answer of the host after which the person is told.
const STEPS_TO_TELL: u32 = 60;
/// What contradicts the agreed match counts if the host says so often, and nothing else meanwhile.
const MAX_DOUBTS: u32 = 3;
/// A state of the match that cannot be loaded is asked for again so often.
const MAX_FAILED_LOADS: u32 = 3;
/// Steps between two tries of a direct line, and those for which one that was heard counts.
const STEPS_BETWEEN_PROBES: u32 = 30;
const STEPS_OF_A_PROBE: u32 = 100;
/// The most steps of others that are kept until they can be taken.
const MAX_PENDING: usize = 2_400;
/// Steps that a spectator stays behind, so that the picture does not stop while a datagram is late.
const STEPS_IN_RESERVE: usize = 12;
/// The most steps taken at once to catch up.
const MAX_STEPS_AT_ONCE: usize = 30;

/// The direct line to another guest.
#[derive(Default)]
struct Direct {
    /// The clock when a probe of the other one last arrived.
    heard: Option<u32>,
    /// The clock when it last said that it hears this guest.
    hears: Option<u32>,
}

/// How a guest has lost its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostLoss {
    /// The host said that it goes.
    Left,
    /// The host does not answer any more.
    Silent,
}

/// A member of a match that another peer hosts.
pub struct Guest {
    transport: Box<dyn Transport>,
    budgets: Budgets,
    host: Address,
    assets: Assets,
    name: String,
    watches: bool,
    token: u64,
    cookie: u64,
    clock: u32,
    is_ready: bool,
    /// The id that the host has given.
    id: Option<u8>,
    /// The newest own clock that the host has answered.
    heard: u32,
    order: Order,
    /// How often the host has contradicted what was agreed since it last did not.
    doubts: u32,
    ping: u8,
    /// What the host has said last.
    state: Option<State>,
    /// Another round that the host has named once: one word alone may be forged.
    named: Option<Round>,
    /// The assets in the mode of the host's match, and the hash of that match, once they were compared.
    checked: Option<(Setup, Assets)>,
    timeline: Option<Timeline>,
    rollback: Option<Rollback>,
    /// The round that it plays or watches.
    round: Option<Round>,
    /// The last round that it played. It never enters one again: the others have its first inputs.
    played: u32,
    pending: BTreeMap<u64, Inputs>,
    download: Option<Download>,
    /// The number of the last offer that was loaded.
    loaded: u32,
    failed_loads: u32,
    /// An own state that the host asks for.
    upload: Option<Upload>,
    direct: BTreeMap<u8, Direct>,
    statistics: LineStatistics,
    is_alone: bool,
    loss: Option<HostLoss>,
    ended: Option<String>,
}

impl Guest {
    /// Begins to join the host at an address. `assets` are those of all modes; `secret` is a random number, known only
    /// here.
    #[must_use]
    pub fn new(
        transport: impl Transport + 'static,
        host: Address,
        assets: Assets,
        name: &str,
        watches: bool,
        secret: u64,
    ) -> Self {
        Self {
            transport: Box::new(transport),
            budgets: Budgets::default(),
            host,
            assets,
            name: PlayerName::cleaned(name).into(),
            watches,
            token: token_of(secret),
            cookie: 0,
            clock: 0,
            is_ready: false,
            id: None,
            heard: 0,
            order: Order::default(),
            doubts: 0,
            ping: 0,
            state: None,
            named: None,
            checked: None,
            timeline: None,
            rollback: None,
            round: None,
            played: 0,
            pending: BTreeMap::new(),
            download: None,
            loaded: 0,
            failed_loads: 0,
            upload: None,
            direct: BTreeMap::new(),
            statistics: LineStatistics::default(),
            is_alone: false,
            loss: None,
            ended: None,
        }
    }

    pub(super) fn set_ready(&mut self, is_ready: bool) {
        self.is_ready = is_ready;
    }

    pub(super) fn is_ready(&self) -> bool {
        self.is_ready
    }

    pub(super) fn setup(&self) -> Option<&Setup> {
        self.state.as_ref().map(|state| &state.setup)
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

    pub(super) fn id(&self) -> Option<u8> {
        self.id
    }

    pub(super) fn states(&self) -> &[MemberState] {
        self.state.as_ref().map_or(&[], |state| &state.members)
    }

    pub(super) fn take_statistics(&mut self) -> LineStatistics {
        std::mem::take(&mut self.statistics)
    }

    pub(super) fn is_alone(&self) -> bool {
        self.is_alone
    }

    /// How it has lost the host; `None` while it has one.
    pub(super) fn loss(&self) -> Option<HostLoss> {
        self.loss
    }

    /// Whether the host has answered not too long ago.
    fn is_connected(&self) -> bool {
        self.id.is_some() && self.clock.wrapping_sub(self.heard) <= SILENCE
    }

    /// Whether the host has not answered for so long that the person should know.
    pub(super) fn misses_the_host(&self) -> bool {
        !self.is_alone && self.id.is_some() && self.clock.wrapping_sub(self.heard) > STEPS_TO_TELL
    }

    /// The seat that the host keeps for it, in which it plays on if the host is gone.
    pub(super) fn seat(&self) -> Option<u32> {
        self.states().iter().find(|member| Some(member.id) == self.id)?.seat
    }

    /// The member for which the match stands still.
    pub(super) fn waits_for(&self) -> Option<&str> {
        let slowest = self.rollback.as_ref()?.waits_for()?;
        self.states().iter().find(|member| member.id == slowest).map(|member| &*member.name)
    }

    /// Why there is nothing to do any more.
    pub(super) fn ended(&self) -> Option<&str> {
        self.ended.as_deref()
    }

    /// Lets one step of the clock pass, in which the own person has this input. Does nothing once there is nothing to
    /// do any more.
    pub(super) fn step(&mut self, input: NetInput) {
        if self.ended.is_some() {
            return;
        }
        self.clock = self.clock.wrapping_add(1);
        if !self.is_alone {
            self.receive();
            self.enter_round();
            self.look_for_the_host();
        }
        let confirmed = self.confirmed_by_the_host();
        match (&mut self.rollback, &mut self.timeline) {
            (Some(rollback), Some(timeline)) => {
                rollback.step(timeline, input, &mut self.statistics);
                timeline.confirm(rollback.complete().min(confirmed));
            }
            (None, Some(_)) => self.follow(),
            _ => {}
        }
        if self.rollback.as_ref().is_some_and(Rollback::is_broken) {
            self.rollback = None;
        }
        if self.is_alone {
            self.tell_that_the_host_has_left();
        } else if self.ended.is_none() {
            self.send();
        }
    }

    /// The last step that the host has confirmed in the round that this guest plays. A step that the host has not
    /// confirmed may still get other inputs, in the next round.
    fn confirmed_by_the_host(&self) -> u64 {
        match (&self.state, &self.round) {
            _ if self.is_alone => u64::MAX,
            (Some(State { round: Some(said), confirmed, .. }), Some(own)) if said.number == own.number => *confirmed,
            _ => 0,
        }
    }

    /// Tells the host that this member goes.
    pub(super) fn leave(&mut self) {
        if self.id.is_some() && !self.is_alone {
            let bytes = Packet::Leave.to_bytes(self.token);
            (0..LEAVES).for_each(|_| self.transport.send(self.host, &bytes));
        }
    }

    // --- receiving ---

    fn receive(&mut self) {
        self.budgets.begin_step();
        let mut buffer = [0; MAX_BYTES + 1];
        for _ in 0..MAX_DATAGRAMS {
            let Some((from, length)) = self.transport.receive(&mut buffer) else { break };
            let is_host = from == self.host;
            let is_known = is_host || self.states().iter().any(|member| member.address == from);
            if !self.budgets.take(is_known.then_some(from)) {
                continue;
            }
            let key_of = |packet: &Packet| match packet {
                Packet::Envelope(Envelope { from: id, .. }) | Packet::Probe { from: id, .. } => {
                    let sender = self.states().iter().find(|member| member.id == *id)?;
                    (is_host || from == sender.address).then_some(sender.key)
                }
                Packet::Challenge { .. } | Packet::Refused(_) => is_host.then_some(OPEN),
                Packet::State(_) | Packet::Feed(_) | Packet::Piece(_) => is_host.then_some(self.token),
                Packet::Leave if is_host => Some(self.token),
                // Another guest says that the host has left, which counts once the host is missed.
                Packet::Leave if self.misses_the_host() => {
                    self.states().iter().find(|member| member.address == from).map(|member| member.key)
                }
                Packet::Leave => None,
                Packet::Hello(_) | Packet::Status(_) => None,
            };
            match Datagram::from_bytes(&buffer[..length], key_of) {
                Datagram::Packet(packet) => self.take(packet),
                Datagram::TheirProtocol(number) if is_host => self.doubt(format!(
                    "the host plays another version of the game: it has protocol {number}, and this program has {PROTOCOL}; \
                     install the same"
                )),
                Datagram::OtherProtocol | Datagram::TheirProtocol(_) | Datagram::Noise => {}
            }
        }
    }

    fn take(&mut self, packet: Packet) {
        match packet {
            Packet::Envelope(envelope) => self.take_frames(&envelope),
            Packet::Probe { from, hears_you } => {
                let direct = self.direct.entry(from).or_default();
                direct.heard = Some(self.clock);
                if hears_you {
                    direct.hears = Some(self.clock);
                }
            }
            Packet::Challenge { cookie } => self.cookie = cookie,
            Packet::Refused(Refusal::Full) => self.doubt("the lobby is full: ask the host for a place".to_owned()),
            Packet::Refused(Refusal::Removed) => self.doubt("the host has removed you from the match".to_owned()),
            Packet::State(state) => self.take_state(state),
            Packet::Feed(feed) => self.take_feed(feed),
            Packet::Piece(piece) => {
                if let Some(download) = &mut self.download {
                    download.take(&piece);
                }
            }
            Packet::Leave => self.order.say_farewell(self.clock),
            Packet::Hello(_) | Packet::Status(_) => {}
        }
    }

    /// Takes a word that is against what was agreed. It ends the match for this guest only if it is repeated while the
    /// host says nothing else: one alone is old, or forged.
    fn doubt(&mut self, reason: String) {
        if self.is_sure_to_doubt() {
            self.ended = Some(reason);
        }
    }

    fn is_sure_to_doubt(&mut self) -> bool {
        if self.is_connected() {
            return false;
        }
        self.doubts += 1;
        self.doubts >= MAX_DOUBTS
    }

    fn take_state(&mut self, state: State) {
        let base = state.round.as_ref().map_or(0, |round| round.base);
        let is_possible =
            [state.confirmed, base, state.offer.map_or(0, |it| it.tick)].iter().all(|it| *it <= MAX_TICKS);
        let named = state.members.iter().filter(|member| member.id == HOST || member.id == state.you).count();
        if !is_possible || named != 2 {
            return;
        }
        if let Some(known) = &self.state {
            let key = |state: &State| state.members.iter().find(|member| member.id == HOST).map(|member| member.key);
            if key(known) != key(&state) {
                if !self.is_sure_to_doubt() {
                    return;
                }
                self.forget_the_match();
            } else if known.setup != state.setup {
                return;
            }
        }
        if self.checked.is_none() {
            match state.setup.check(&self.assets) {
                Ok(assets) => self.checked = Some((state.setup.clone(), assets)),
                Err(error) => return self.doubt(error),
            }
        }
        let number = |state: &State| state.round.as_ref().map_or(0, |round| round.number);
        if let Some(known) = self.state.as_ref().filter(|known| number(known) != number(&state)) {
            if number(&state) < number(known) && self.is_connected() {
                return;
            }
            if self.named != state.round {
                self.named = state.round;
                return;
            }
        }
        if !self.order.advance(state.time, self.clock) {
            return;
        }
        let ping = self.clock.wrapping_sub(state.echo);
        if self.id.is_none() {
            self.heard = self.clock;
        } else if state.echo != 0 && ping < self.clock.wrapping_sub(self.heard) {
            self.heard = state.echo;
        }
        if state.echo != 0 && ping <= u32::from(u8::MAX) {
            let (old, new) = (u32::from(self.ping), ping);
            self.ping = if old == 0 { new } else { (old * 7 + new).div_ceil(8) } as u8;
        }
        self.id = Some(state.you);
        (self.state, self.doubts) = (Some(state), 0);
    }

    /// Another host has begun at the same address.
    fn forget_the_match(&mut self) {
        tracing::info!(target: "bounty_hunter::network", "another host");
        (self.state, self.named, self.checked) = (None, None, None);
        (self.timeline, self.rollback, self.round, self.played) = (None, None, None, 0);
        (self.download, self.loaded, self.upload, self.is_ready) = (None, 0, None, false);
        (self.id, self.order) = (None, Order::default());
        self.pending.clear();
        self.direct.clear();
    }

    fn take_feed(&mut self, feed: Feed) {
        let (Some(timeline), Some((setup, _))) = (&self.timeline, &self.checked) else { return };
        if !feed.inputs.iter().all(|inputs| may_be_of_a_step(inputs, setup.players)) {
            return;
        }
        let confirmed = timeline.confirmed();
        if feed.after > confirmed.saturating_add(MAX_PENDING as u64) {
            return;
        }
        for (tick, inputs) in (feed.after + 1..).zip(feed.inputs) {
            let is_near = tick > confirmed && tick - confirmed <= MAX_PENDING as u64;
            if is_near {
                self.pending.insert(tick, inputs);
            }
        }
    }

    fn take_frames(&mut self, envelope: &Envelope) {
        let (Some(round), Some(rollback)) = (&self.round, &mut self.rollback) else { return };
        if envelope.round == round.number {
            rollback.receive(envelope.from, &envelope.frames);
        }
    }

    // --- rounds ---

    /// Takes a seat in the host's round once its first state is there, and leaves a round that is over.
    fn enter_round(&mut self) {
        let (Some(state), Some(id), Some((setup, assets))) = (&self.state, self.id, &self.checked) else { return };
        if state.round.is_none() {
            return;
        }
        if self.timeline.is_none() && state.confirmed <= STEPS_FROM_THE_START && state.offer.is_none() {
            match new_match(assets, &setup.mode, &setup.match_setup()) {
                Ok(timeline) => self.timeline = Some(timeline),
                Err(error) => self.ended = Some(error),
            }
        }
        let offer = state.offer.filter(|offer| offer.number != self.loaded);
        match offer {
            Some(offer) if self.download.as_ref().is_none_or(|download| download.offer() != offer) => {
                self.download = Download::new(offer);
            }
            Some(_) => {}
            None => self.download = None,
        }
        self.load();
        let (Some(State { round: Some(round), .. }), Some(timeline)) = (&self.state, &mut self.timeline) else {
            return;
        };
        if self.round.as_ref().is_some_and(|own| own.number == round.number) {
            return;
        }
        if let Some(rollback) = self.rollback.take() {
            // The steps up to the base of the round that follows are those of the round before it.
            if self.round.as_ref().is_some_and(|own| own.number.checked_add(1) == Some(round.number)) {
                timeline.confirm(rollback.complete().min(round.base));
            }
            let confirmed = timeline.confirmed();
            timeline.go_to(confirmed);
            self.pending.clear();
        }
        self.round = None;
        let is_seated = round.seated.iter().any(|seated| seated.member == id);
        if !is_seated || round.number <= self.played {
            self.round = Some(round.clone());
            return;
        }
        if timeline.confirmed() < round.base || self.download.is_some() {
            // The inputs up to there are still to come; see `follow`.
            return;
        }
        if !timeline.go_to(round.base) {
            tracing::warn!(target: "bounty_hunter::network", base = round.base, "the state of the round is not kept");
            self.timeline = None;
            return;
        }
        let hash = timeline.simulation_mut().state_hash();
        if hash == round.hash {
            self.rollback = Rollback::new(timeline, round.seated.clone(), id, HOST);
            self.pending.clear();
        } else {
            // The host compares this step, and then sends its state.
            tracing::warn!(target: "bounty_hunter::network", base = round.base, "the own state is not that of the host");
            timeline.mark_confirmed(hash);
        }
        self.played = round.number;
        self.round = Some(round.clone());
    }

    /// Takes a state that has arrived in place of the own one.
    fn load(&mut self) {
        let Some((setup, assets)) = &self.checked else { return };
        let Some(bytes) = self.download.as_ref().and_then(Download::whole) else { return };
        let loaded = Simulation::new(assets, &setup.match_setup()).map_err(|error| error.to_string()).and_then(
            |mut simulation| {
                simulation.load(bytes).map_err(|error| error.to_string())?;
                Ok(simulation)
            },
        );
        let Some(offer) = self.download.take().map(|download| download.offer()) else { return };
        match loaded {
            Ok(simulation) if simulation.tick() == offer.tick => {
                tracing::info!(target: "bounty_hunter::network", tick = offer.tick, "loaded");
                (self.timeline, self.rollback, self.round) = (Some(Timeline::new(simulation, None)), None, None);
                (self.loaded, self.failed_loads) = (offer.number, 0);
                self.pending.clear();
            }
            // It is offered again.
            outcome => {
                let error = outcome.err().unwrap_or_else(|| "it is of another step".to_owned());
                tracing::warn!(target: "bounty_hunter::network", error, "a state is not loaded");
                self.failed_loads += 1;
                if self.failed_loads >= MAX_FAILED_LOADS {
                    self.ended = Some(format!("the state of the match cannot be loaded: {error}"));
                }
            }
        }
    }

    /// Takes steps whose inputs are known: one at a time, and more to catch up.
    fn follow(&mut self) {
        let (Some(timeline), Some(state)) = (&mut self.timeline, &self.state) else { return };
        let id = self.id;
        let base = state.round.as_ref().filter(|round| round.seated.iter().any(|seated| Some(seated.member) == id));
        let end = base.map_or(u64::MAX, |round| round.base);
        let backlog = self.pending.len();
        let steps = match backlog {
            _ if base.is_some() || !self.watches => MAX_STEPS_AT_ONCE,
            0..=STEPS_IN_RESERVE => 1,
            _ => (backlog / STEPS_IN_RESERVE).clamp(2, MAX_STEPS_AT_ONCE),
        };
        for _ in 0..steps {
            let next = timeline.confirmed() + 1;
            self.pending.retain(|tick, _| *tick >= next);
            let Some(inputs) = self.pending.remove(&next).filter(|_| next <= end) else { break };
            timeline.step(inputs);
            timeline.save();
            timeline.confirm(next);
        }
    }

    // --- the line to the host ---

    fn look_for_the_host(&mut self) {
        let is_past = |since: u32, steps: u32| self.clock.wrapping_sub(since) > steps;
        if self.order.has_left(self.clock) {
            self.lose_the_host(HostLoss::Left);
        } else if is_past(self.heard, if self.timeline.is_some() { STEPS_TO_GIVE_UP } else { STEPS_TO_FIND }) {
            self.lose_the_host(HostLoss::Silent);
        }
    }

    /// Goes on from the last confirmed step with AIs on all other seats; one without a match or a seat has nothing more
    /// to do.
    fn lose_the_host(&mut self, loss: HostLoss) {
        self.loss = self.id.is_some().then_some(loss);
        let (own, seat) = (self.id, self.seat());
        let (Some(timeline), Some(member), Some(seat)) = (&mut self.timeline, own, seat) else {
            self.ended = Some(match (loss, own.is_some()) {
                (HostLoss::Left, _) => "the host has left".to_owned(),
                (HostLoss::Silent, true) => "the host does not answer any more".to_owned(),
                (HostLoss::Silent, false) => {
                    format!("there is no answer from {}: check the address, and that the host runs", self.host)
                }
            });
            return;
        };
        tracing::info!(target: "bounty_hunter::network", ?loss, "alone");
        let confirmed = timeline.confirmed();
        timeline.go_to(confirmed);
        let seated = vec![Seated { member, seat }];
        self.rollback = Rollback::new(timeline, seated.clone(), member, member);
        self.round = self.round.take().map(|round| Round { seated, ..round });
        (self.is_alone, self.download) = (true, None);
    }

    // --- sending ---

    fn send(&mut self) {
        if !self.is_connected() && self.clock % STEPS_BETWEEN_HELLOS == 1 {
            let (cookie, token) = (self.cookie, self.token);
            let hello = Hello { cookie, token, name: self.name.clone(), watches: self.watches };
            self.transport.send(self.host, &Packet::Hello(hello).to_bytes(OPEN));
        }
        let (Some(id), Some(state)) = (self.id, &self.state) else { return };
        let key = frame_key(self.token);
        if let (Some(rollback), Some(round)) = (&self.rollback, &self.round) {
            for (to, frames) in rollback.outgoing() {
                let member = state.members.iter().find(|member| member.id == to && to != HOST);
                let counts = |clock: u32| self.clock.wrapping_sub(clock) <= STEPS_OF_A_PROBE;
                let hears = self.direct.get(&to).and_then(|direct| direct.hears).is_some_and(counts);
                let address = member.filter(|_| hears).map_or(self.host, |member| member.address);
                let envelope = Envelope { from: id, to, round: round.number, frames };
                self.transport.send(address, &Packet::Envelope(envelope).to_bytes(key));
            }
        }
        if self.clock.is_multiple_of(STEPS_BETWEEN_PROBES) {
            for member in state.members.iter().filter(|member| member.is_here && member.id != HOST && member.id != id) {
                let heard = self.direct.get(&member.id).and_then(|direct| direct.heard);
                let hears_you = heard.is_some_and(|heard| self.clock.wrapping_sub(heard) <= STEPS_OF_A_PROBE);
                self.transport.send(member.address, &Packet::Probe { from: id, hears_you }.to_bytes(key));
            }
        }
        if self.clock.is_multiple_of(STEPS_BETWEEN_STATES) {
            self.send_status();
        }
        self.send_deviation();
    }

    /// Tells the other guests that the host has left, as long as one that was away meanwhile may still wait for it.
    fn tell_that_the_host_has_left(&mut self) {
        let may_wait = self.loss == Some(HostLoss::Left) && self.clock.wrapping_sub(self.heard) <= STEPS_TO_GIVE_UP;
        if may_wait && self.clock.is_multiple_of(STEPS_BETWEEN_PROBES) {
            let bytes = Packet::Leave.to_bytes(frame_key(self.token));
            let (own, transport) = (self.id, &mut self.transport);
            let states = self.state.iter().flat_map(|state| &state.members);
            let others = states.filter(|member| member.id != HOST && Some(member.id) != own);
            others.for_each(|member| transport.send(member.address, &bytes));
        }
    }

    fn send_status(&mut self) {
        let timeline = self.timeline.as_ref();
        let is_loading = self.download.is_some();
        let status = Status {
            time: self.clock,
            echo: self.order.time(),
            ping: self.ping,
            is_ready: self.is_ready,
            configuration: self.checked.as_ref().map_or(0, |(setup, _)| setup.configuration),
            round: self.round.as_ref().filter(|_| self.rollback.is_some()).map_or(0, |round| round.number),
            confirmed: timeline.filter(|_| !is_loading).map(Timeline::confirmed),
            report: timeline
                .filter(|_| !is_loading)
                .and_then(|timeline| timeline.marks().next_back().map(|mark| (mark.tick, mark.hash))),
            loaded: self.loaded,
            received: self.download.as_ref().map(Download::received),
            offer: self.upload.as_ref().map(Upload::offer),
        };
        self.transport.send(self.host, &Packet::Status(status).to_bytes(self.token));
    }

    /// Sends the own state at a step where it differs from that of the host.
    fn send_deviation(&mut self) {
        let Some((tick, received)) = self.state.as_ref().and_then(|state| state.asks_for) else {
            self.upload = None;
            return;
        };
        if self.upload.as_ref().is_none_or(|upload| upload.offer().tick != tick) {
            let bytes = self.timeline.as_mut().and_then(|timeline| timeline.save_of_mark(tick));
            self.upload = bytes.map(|bytes| Upload::new(0, tick, bytes.into()));
        }
        if let Some(upload) = &mut self.upload {
            for piece in upload.pieces(received, self.clock) {
                self.transport.send(self.host, &Packet::Piece(piece).to_bytes(self.token));
            }
        }
    }

    /// What has arrived of a state that this guest loads, as a share.
    pub(super) fn download_share(&self) -> Option<f32> {
        self.download.as_ref().map(Download::share)
    }
}
