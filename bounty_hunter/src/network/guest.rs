//! A guest: joins a host, follows its match until it has caught up, and plays its seat in each round.

use std::collections::BTreeMap;

use super::budgets::{Budgets, MAX_DATAGRAMS};
use super::download::{Download, Upload};
use super::host::{HOST, SILENCE, STEPS_BETWEEN_STATES, STEPS_FROM_THE_START, new_match};
use super::net_input::NetInput;
use super::packet::{
    Datagram, Envelope, Feed, Hello, MAX_BYTES, MemberState, PROTOCOL, Packet, Refusal, Round, Setup, State, Status,
    secret_number,
};
use super::rollback::{LineStatistics, Rollback};
use super::seating::{Seated, may_be_of_a_step};
use super::timeline::Timeline;
use super::transport::{Address, Transport};
use crate::assets::Assets;
use crate::data::input::Inputs;
use crate::data::name::PlayerName;
use crate::simulation::{MAX_TICKS, Simulation};

/// Steps between two greetings.
const STEPS_BETWEEN_HELLOS: u32 = 15;
/// Steps of the clock without a word of the host after which a guest goes on without it.
const STEPS_TO_GIVE_UP: u32 = 600;
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
    /// The id and the key that the host has given.
    admitted: Option<(u8, u64)>,
    /// The clock when the host was last heard.
    heard: u32,
    ping: u8,
    /// What the host has said last.
    state: Option<State>,
    /// The assets in the mode of the host's match, and the hash of that match, once they were compared.
    checked: Option<(Setup, Assets)>,
    timeline: Option<Timeline>,
    rollback: Option<Rollback>,
    round: Option<Round>,
    pending: BTreeMap<u64, Inputs>,
    download: Option<Download>,
    /// The number of the last offer that was loaded.
    loaded: u32,
    /// An own state that the host asks for.
    upload: Option<Upload>,
    direct: BTreeMap<u8, Direct>,
    statistics: LineStatistics,
    is_alone: bool,
    ended: Option<String>,
}

impl Guest {
    /// Begins to join the host at an address. `assets` are those of all modes; `secret` is a random number, known only here.
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
            token: secret_number(secret, 3, &[]),
            cookie: 0,
            clock: 0,
            is_ready: false,
            admitted: None,
            heard: 0,
            ping: 0,
            state: None,
            checked: None,
            timeline: None,
            rollback: None,
            round: None,
            pending: BTreeMap::new(),
            download: None,
            loaded: 0,
            upload: None,
            direct: BTreeMap::new(),
            statistics: LineStatistics::default(),
            is_alone: false,
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
        self.admitted.map(|(id, _)| id)
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

    /// Whether it has a word of the host that is not too old.
    pub(super) fn is_connected(&self) -> bool {
        self.admitted.is_some() && self.clock.wrapping_sub(self.heard) <= SILENCE
    }

    /// Why there is nothing to do any more.
    pub(super) fn ended(&self) -> Option<&str> {
        self.ended.as_deref()
    }

    /// Lets one step of the clock pass, in which the own person has this input.
    pub(super) fn step(&mut self, input: NetInput) {
        self.clock = self.clock.wrapping_add(1);
        if !self.is_alone {
            self.receive();
            self.enter_round();
            self.look_for_the_host();
        }
        match (&mut self.rollback, &mut self.timeline) {
            (Some(rollback), Some(timeline)) => _ = rollback.step(timeline, input, &mut self.statistics),
            (None, Some(_)) => self.follow(),
            _ => {}
        }
        if !self.is_alone && self.ended.is_none() {
            self.send();
        }
    }

    /// Tells the host that this member goes.
    pub(super) fn leave(&mut self) {
        if let (Some((_, key)), false) = (self.admitted, self.is_alone) {
            self.transport.send(self.host, &Packet::Leave { key }.to_bytes());
        }
    }

    // --- receiving ---

    fn receive(&mut self) {
        self.budgets.begin_step();
        let mut buffer = [0; MAX_BYTES + 1];
        for _ in 0..MAX_DATAGRAMS {
            let Some((from, length)) = self.transport.receive(&mut buffer) else { break };
            let mut members = self.states().iter();
            let is_known = from == self.host || members.any(|member| member.address == from);
            if !self.budgets.take(is_known.then_some(from)) {
                continue;
            }
            let packet = match Datagram::from_bytes(&buffer[..length]) {
                Datagram::Packet(packet) => packet,
                Datagram::TheirProtocol(number) if from == self.host => {
                    self.end_before_the_match(format!(
                        "the host plays another version of the game: it has protocol {number}, and this program has {PROTOCOL}; \
                         install the same"
                    ));
                    continue;
                }
                Datagram::OtherProtocol | Datagram::TheirProtocol(_) | Datagram::Noise => continue,
            };
            match packet {
                Packet::Envelope(envelope) => self.take_frames(from, &envelope),
                Packet::Probe { from: id, key, hears_you } => self.take_probe(from, id, key, hears_you),
                _ if from != self.host => {}
                Packet::Challenge { cookie } => self.cookie = cookie,
                Packet::Refused(refusal) => self.be_refused(refusal),
                Packet::State(state) => self.take_state(state),
                Packet::Feed(feed) => self.take_feed(feed),
                Packet::Piece(piece) => {
                    let is_for_this = self.admitted.is_some_and(|(_, key)| key == piece.key);
                    if let Some(download) = self.download.as_mut().filter(|_| is_for_this) {
                        download.take(&piece);
                    }
                }
                Packet::Leave { key } => {
                    let is_host = |state: &State| state.members.iter().any(|it| it.id == HOST && it.key == key);
                    if self.state.as_ref().is_some_and(is_host) {
                        self.go_on_alone("the host has left");
                    }
                }
                Packet::Hello(_) | Packet::Status(_) => {}
            }
        }
    }

    fn be_refused(&mut self, refusal: Refusal) {
        let reason = match refusal {
            Refusal::Full => "the lobby is full: ask the host for a place",
            Refusal::Removed => "the host has removed you from the match",
            Refusal::Configuration => "the host plays with other assets: name the same directory with --assets",
        };
        self.end_before_the_match(reason.to_owned());
    }

    /// A member that plays is not refused: what says so is an old datagram, or a forged one.
    fn end_before_the_match(&mut self, reason: String) {
        if !self.is_connected() || self.timeline.is_none() {
            self.ended = Some(reason);
        }
    }

    fn take_state(&mut self, state: State) {
        match self.admitted {
            Some((_, key)) if key != state.key && self.is_connected() => return,
            _ => self.admitted = Some((state.you, state.key)),
        }
        let key_of_host =
            |state: &State| state.members.iter().find(|member| member.id == HOST).map(|member| member.key);
        if self.state.as_ref().is_some_and(|known| key_of_host(known) != key_of_host(&state)) {
            self.forget_the_match();
        }
        let ticks =
            [state.confirmed, state.round.as_ref().map_or(0, |it| it.base), state.offer.map_or(0, |it| it.tick)];
        if ticks.into_iter().any(|tick| tick > MAX_TICKS) {
            return;
        }
        if state.members.iter().filter(|member| member.id == HOST || member.id == state.you).count() != 2 {
            return;
        }
        if self.checked.as_ref().is_none_or(|(setup, _)| *setup != state.setup) {
            match state.setup.check(&self.assets) {
                Ok(assets) => self.checked = Some((state.setup.clone(), assets)),
                Err(error) => {
                    self.ended = Some(error);
                    return;
                }
            }
        }
        let ping = self.clock.wrapping_sub(state.echo);
        if state.echo != 0 && ping <= u32::from(u8::MAX) {
            let (old, new) = (u32::from(self.ping), ping);
            self.ping = if old == 0 { new } else { (old * 7 + new).div_ceil(8) } as u8;
        }
        self.heard = self.clock;
        // A state may overtake a newer one.
        let is_old = |known: &State| {
            let number = |state: &State| state.round.as_ref().map_or(0, |round| round.number);
            (number(known), known.confirmed) > (number(&state), state.confirmed)
        };
        if !self.state.as_ref().is_some_and(is_old) {
            self.state = Some(state);
        }
    }

    /// Another host has begun at the same address.
    fn forget_the_match(&mut self) {
        tracing::info!(target: "bounty_hunter::network", "another host");
        (self.state, self.checked, self.timeline, self.rollback, self.round) = (None, None, None, None, None);
        (self.download, self.loaded, self.upload, self.is_ready) = (None, 0, None, false);
        self.pending.clear();
        self.direct.clear();
    }

    fn take_feed(&mut self, feed: Feed) {
        if self.admitted.is_none_or(|(_, key)| key != feed.key) {
            return;
        }
        let (Some(timeline), Some((setup, assets))) = (&self.timeline, &self.checked) else { return };
        if !feed.inputs.iter().all(|inputs| may_be_of_a_step(inputs, setup.players, &assets.keymap)) {
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

    fn take_frames(&mut self, from: Address, envelope: &Envelope) {
        let (Some(state), Some(round), Some(rollback)) = (&self.state, &self.round, &mut self.rollback) else { return };
        let sender = state.members.iter().find(|member| member.id == envelope.from && member.key == envelope.key);
        let is_from_there = sender.is_some_and(|sender| from == self.host || from == sender.address);
        if is_from_there && envelope.round == round.number {
            rollback.receive(envelope.from, &envelope.frames);
        }
    }

    fn take_probe(&mut self, from: Address, id: u8, key: u64, hears_you: bool) {
        let Some(state) = &self.state else { return };
        if state.members.iter().any(|member| member.id == id && member.key == key && member.address == from) {
            let direct = self.direct.entry(id).or_default();
            direct.heard = Some(self.clock);
            if hears_you {
                direct.hears = Some(self.clock);
            }
        }
    }

    // --- rounds ---

    /// Takes a seat in the host's round once its first state is there, and leaves a round that is over.
    fn enter_round(&mut self) {
        let (Some(state), Some((id, _)), Some((setup, assets))) = (&self.state, self.admitted, &self.checked) else {
            return;
        };
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
            Some(offer) if self.download.as_ref().is_none_or(|download| download.number() != offer.number) => {
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
        if self.rollback.take().is_some() {
            let confirmed = timeline.confirmed();
            timeline.go_to(confirmed);
            self.pending.clear();
        }
        self.round = None;
        let is_seated = round.seated.iter().any(|seated| seated.member == id);
        if !is_seated {
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
        let tick = self.download.as_ref().map(Download::tick);
        self.loaded = self.download.take().map_or(0, |download| download.number());
        match loaded {
            Ok(simulation) if Some(simulation.tick()) == tick => {
                tracing::info!(target: "bounty_hunter::network", tick, "loaded");
                (self.timeline, self.rollback, self.round) = (Some(Timeline::new(simulation, None)), None, None);
                self.pending.clear();
            }
            Ok(_) => {}
            Err(error) => self.ended = Some(format!("the state of the match cannot be loaded: {error}")),
        }
    }

    /// Takes steps whose inputs are known: one at a time, and more to catch up.
    fn follow(&mut self) {
        let (Some(timeline), Some(state)) = (&mut self.timeline, &self.state) else { return };
        let id = self.admitted.map(|(id, _)| id);
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
        if self.clock.wrapping_sub(self.heard) <= STEPS_TO_GIVE_UP {
            return;
        }
        match self.timeline.is_some() {
            true => self.go_on_alone("the host does not answer any more"),
            false => {
                self.ended =
                    Some(format!("there is no answer from {}: check the address, and that the host runs", self.host))
            }
        }
    }

    /// Goes on from the last confirmed step with AIs on all other seats.
    fn go_on_alone(&mut self, reason: &str) {
        let seat = self.admitted.and_then(|(id, _)| self.states().iter().find(|member| member.id == id)?.seat);
        let (Some(timeline), Some((id, _)), Some(seat)) = (&mut self.timeline, self.admitted, seat) else {
            self.ended = Some(reason.to_owned());
            return;
        };
        tracing::info!(target: "bounty_hunter::network", reason, "alone");
        let confirmed = timeline.confirmed();
        timeline.go_to(confirmed);
        self.rollback = Rollback::new(timeline, vec![Seated { member: id, seat }], id, id);
        self.is_alone = true;
    }

    // --- sending ---

    fn send(&mut self) {
        let is_silent = self.clock.wrapping_sub(self.heard) > SILENCE;
        if (self.admitted.is_none() || is_silent) && self.clock % STEPS_BETWEEN_HELLOS == 1 {
            let (cookie, token) = (self.cookie, self.token);
            let hello = Hello { cookie, token, name: self.name.clone(), watches: self.watches };
            self.transport.send(self.host, &Packet::Hello(hello).to_bytes());
        }
        let (Some((id, key)), Some(state)) = (self.admitted, &self.state) else { return };
        if let (Some(rollback), Some(round)) = (&self.rollback, &self.round) {
            for (to, frames) in rollback.outgoing() {
                let member = state.members.iter().find(|member| member.id == to && to != HOST);
                let counts = |clock: u32| self.clock.wrapping_sub(clock) <= STEPS_OF_A_PROBE;
                let hears = self.direct.get(&to).and_then(|direct| direct.hears).is_some_and(counts);
                let address = member.filter(|_| hears).map_or(self.host, |member| member.address);
                let envelope = Envelope { from: id, to, key, round: round.number, frames };
                self.transport.send(address, &Packet::Envelope(envelope).to_bytes());
            }
        }
        if self.clock.is_multiple_of(STEPS_BETWEEN_PROBES) {
            for member in state.members.iter().filter(|member| member.is_here && member.id != HOST && member.id != id) {
                let heard = self.direct.get(&member.id).and_then(|direct| direct.heard);
                let hears_you = heard.is_some_and(|heard| self.clock.wrapping_sub(heard) <= STEPS_OF_A_PROBE);
                self.transport.send(member.address, &Packet::Probe { from: id, key, hears_you }.to_bytes());
            }
        }
        if self.clock.is_multiple_of(STEPS_BETWEEN_STATES) {
            self.send_status(key);
        }
        self.send_deviation(key);
    }

    fn send_status(&mut self, key: u64) {
        let timeline = self.timeline.as_ref();
        let is_loading = self.download.is_some();
        let status = Status {
            key,
            time: self.clock,
            ping: self.ping,
            is_ready: self.is_ready,
            configuration: self.checked.as_ref().map_or(0, |(setup, _)| setup.configuration),
            confirmed: timeline.filter(|_| !is_loading).map(Timeline::confirmed),
            report: timeline
                .filter(|_| !is_loading)
                .and_then(|timeline| timeline.marks().next_back().map(|mark| (mark.tick, mark.hash))),
            loaded: self.loaded,
            received: self.download.as_ref().map(Download::received),
        };
        self.transport.send(self.host, &Packet::Status(status).to_bytes());
    }

    /// Sends the own state at a step where it differs from that of the host.
    fn send_deviation(&mut self, key: u64) {
        let Some(received) = self.state.as_ref().and_then(|state| state.asks_for) else {
            self.upload = None;
            return;
        };
        if self.upload.as_ref().is_none_or(|upload| upload.tick != received.tick) {
            let bytes = self.timeline.as_mut().and_then(|timeline| timeline.save_of_mark(received.tick));
            self.upload = bytes.map(|bytes| Upload::new(0, received.tick, bytes.into()));
        }
        if let Some(upload) = &mut self.upload {
            for piece in upload.pieces(key, received, self.clock) {
                self.transport.send(self.host, &Packet::Piece(piece).to_bytes());
            }
        }
    }

    /// What has arrived of a state that this guest loads, as a share.
    pub(super) fn download_share(&self) -> Option<f32> {
        self.download.as_ref().map(Download::share)
    }
}
