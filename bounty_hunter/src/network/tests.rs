//! Whole matches over simulated networks: every peer in one process, every time in steps.

mod forged;
mod interruptions;

use super::packet::{Datagram, Feed, OPEN, Packet, State, frame_key, host_key_of, token_of};
use super::seating::Seated;
use super::simulated_link::{LinkConditions, Network};
use super::transport::Transport;
use super::{Address, Guest, Host, HostLoss, LineNotice, MAX_PREDICTED, NetInput, Peer, Setup, Udp, sign_again};
use bounty_hunter_simulation::assets::Assets;
use bounty_hunter_simulation::collector::Pocket;
use bounty_hunter_simulation::input::{Command, Inputs, Intent};
use bounty_hunter_simulation::player::{Players, Seat};
use bounty_hunter_simulation::replay::{Playback, Replay};
use bounty_hunter_simulation::simulation::Simulation;
use bounty_hunter_simulation::simulation::view::GameState;
use ecs::random::RandomStream;

/// 150 ms to the other side and back, 20 ms of jitter, 5 % loss; a step has 16.7 ms.
const BAD: LinkConditions = LinkConditions { delay: 4.5, jitter: 1.2, loss: 0.05, duplication: 0.02 };
const GOOD: LinkConditions = LinkConditions { delay: 1.0, jitter: 0.0, loss: 0.0, duplication: 0.0 };
/// Ten minutes; in a build that is not optimised, and takes ten times as long for a step, fifteen seconds.
const LONG: u64 = if cfg!(debug_assertions) { 900 } else { 36_000 };

fn address(peer: usize) -> Address {
    Address::from(([10, 0, 0, 1], 7_000 + peer as u16))
}

/// The secret of a peer, the host first.
fn secret(peer: usize) -> u64 {
    if peer == 0 { 99 } else { 1_000 + peer as u64 }
}

/// Whatever a datagram says, if a peer of the first few has signed it.
fn read(bytes: &[u8]) -> Option<Packet> {
    let guests = (1..10).map(|peer| token_of(secret(peer)));
    let mut keys = guests.flat_map(|token| [token, frame_key(token)]).chain([OPEN, host_key_of(secret(0))]);
    keys.find_map(|key| match Datagram::from_bytes(bytes, |_| Some(key)) {
        Datagram::Packet(packet) => Some(packet),
        _ => None,
    })
}

fn assets() -> Assets {
    let mut assets = Assets::built_in();
    let game = &mut assets.modes.get_mut("classic").unwrap().game;
    // A match that is over says nothing.
    game.rules.full_stash_ends_match = false;
    game.countdown_seconds = 0.5;
    assets.in_mode("classic").unwrap()
}

/// A person who drives at random: a new intent now and then, and nothing else.
struct Driver {
    random: RandomStream,
    intent: Intent,
}

impl Driver {
    fn new(seed: u64) -> Self {
        Self { random: RandomStream::new(seed, "test").split(1), intent: Intent::IDLE }
    }

    fn input(&mut self) -> NetInput {
        if self.random.chance(0.05) {
            self.intent = Intent { drive: self.random.between(-0.5, 1.5), turn: self.random.between(-1.0, 1.0) };
        }
        NetInput::driving(self.intent)
    }
}

/// Peers on a network; the first is the host.
struct Table {
    network: Network,
    peers: Vec<(Peer, Driver)>,
}

impl Table {
    fn new(conditions: LinkConditions, players: u32, seconds: f32) -> Self {
        let network = Network::new(conditions, 11);
        let setup = Setup::new(&assets(), "classic", players, 7, Some(seconds)).unwrap();
        let host = Host::new(network.end(address(0)), assets(), setup, "host", secret(0));
        Self { network, peers: vec![(host.into(), Driver::new(0))] }
    }

    fn guest(&self, index: usize, watches: bool) -> Peer {
        let name = format!("guest {index}");
        let end = self.network.end(address(index));
        Guest::new(end, address(0), assets(), &name, watches, secret(index)).into()
    }

    fn join(&mut self, watches: bool) -> usize {
        let index = self.peers.len();
        let mut guest = self.guest(index, watches);
        guest.set_ready(true);
        self.peers.push((guest, Driver::new(index as u64)));
        index
    }

    fn of_people(conditions: LinkConditions, people: usize, players: u32, seconds: f32) -> Self {
        let mut table = Self::new(conditions, players, seconds);
        (1..people).for_each(|_| _ = table.join(false));
        table.begin(people);
        table
    }

    /// Steps until so many people play.
    fn begin(&mut self, people: usize) {
        self.until("all are in the lobby", |table| {
            table.host().members().iter().filter(|member| member.ping_ms > 0 || member.is_host).count() == people
        });
        self.peers[0].0.set_ready(true);
        self.until("the match begins", |table| table.plays(people));
    }

    fn host(&self) -> &Peer {
        &self.peers[0].0
    }

    /// Whether so many people play, and all peers are in the same round.
    fn plays(&self, people: usize) -> bool {
        let rounds: Vec<_> = self.peers.iter().map(|(peer, _)| peer.round()).collect();
        rounds[0].as_ref().is_some_and(|(_, seats)| seats.len() == people)
            && rounds.iter().all(|round| *round == rounds[0])
    }

    fn step(&mut self) {
        self.network.pass(1.0);
        for (peer, driver) in &mut self.peers {
            peer.step(driver.input());
        }
    }

    fn steps(&mut self, steps: u64) {
        (0..steps).for_each(|_| self.step());
    }

    #[track_caller]
    fn until(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        for _ in 0..2_000 {
            if holds(self) {
                return;
            }
            self.step();
        }
        let rounds: Vec<_> = self
            .peers
            .iter()
            .map(|(peer, _)| (peer.round(), peer.confirmed(), peer.ended().map(str::to_owned)))
            .collect();
        panic!("waited for: {what}; {:?} {rounds:?}", self.host().members());
    }

    /// Asserts that each peer agrees with the host at each step that both have compared, and that they have one in
    /// common.
    #[track_caller]
    fn assert_equal_states(&mut self) {
        let hosts = self.host().hashes();
        for (index, (peer, _)) in self.peers.iter().enumerate() {
            let own = peer.hashes();
            let common: Vec<_> = own.iter().filter(|(tick, _)| hosts.iter().any(|(other, _)| other == tick)).collect();
            assert!(!common.is_empty(), "peer {index} has {own:?}, the host {hosts:?}");
            assert!(common.iter().all(|mark| hosts.contains(mark)), "peer {index} has {own:?}, the host {hosts:?}");
        }
        assert!(self.peers[0].0.take_desyncs().is_empty());
    }

    /// The seat of a peer.
    fn seat(&self, peer: usize) -> usize {
        let members = self.peers[peer].0.members();
        members.iter().find(|member| member.is_self).unwrap().seat.unwrap() as usize
    }

    fn seat_of(&self, peer: usize, player: usize) -> Seat {
        let simulation = self.peers[peer].0.simulation().unwrap();
        simulation.engine().resource::<Players>().unwrap().0[player].seat.clone()
    }
}

#[test]
fn people_on_bad_lines_play_ten_minutes_without_a_difference() {
    for people in 2..=4 {
        let mut table = Table::of_people(BAD, people, 4, 3_600.0);
        // At first peers wait for those that begin later.
        table.steps(300);
        for (peer, _) in &mut table.peers {
            peer.take_statistics();
        }
        table.steps(LONG);
        table.assert_equal_states();
        for (peer, _) in &mut table.peers {
            let line = peer.take_statistics();
            assert!(line.rollbacks > LONG / 60, "{line:?}");
            assert!(line.deepest_rollback as usize <= MAX_PREDICTED, "{line:?}");
            // 100 ms.
            assert!(line.longest_stall <= 6, "{line:?}");
            assert_eq!(peer.simulation().unwrap().state(), GameState::Running);
            assert_eq!(peer.round().unwrap().0, 1, "nobody was lost");
        }
    }
}

#[test]
fn guests_without_a_direct_line_play_through_the_host() {
    let mut datagrams = [0, 0];
    for is_cut in [false, true] {
        let mut table = Table::new(GOOD, 4, 600.0);
        if is_cut {
            table.network.cut(address(1), address(2));
        }
        (1..3).for_each(|_| _ = table.join(false));
        table.begin(3);
        table.steps(200);
        let before = table.network.sent().0;
        table.steps(200);
        datagrams[usize::from(is_cut)] = table.network.sent().0 - before;
        table.assert_equal_states();
    }
    // Two of six lines are longer.
    let [direct, through_host] = datagrams;
    assert!(through_host > direct + 300, "{datagrams:?}");
}

#[test]
fn dropped_player_is_replaced_by_an_ai_and_comes_back() {
    let mut table = Table::of_people(BAD, 3, 4, 600.0);
    table.steps(300);
    assert_eq!([0, 1, 2, 3].map(|seat| table.seat_of(0, seat) == Seat::Script), [true, true, true, false]);
    // The line of the second guest breaks, and the guest does not know.
    let seat = table.seat(2);
    let mut gone = table.peers.remove(2);
    table.until("two play on", |table| table.plays(2));
    table.steps(200);
    assert!(matches!(table.seat_of(0, seat), Seat::Ai { .. }));
    table.assert_equal_states();
    // It was away so long that its inputs are no longer kept.
    table.steps(1_400);
    gone.0.step(NetInput::default());
    table.peers.push(gone);
    table.until("all three play again", |table| table.plays(3));
    table.steps(200);
    assert_eq!((table.seat(2), table.seat_of(2, seat)), (seat, Seat::Script));
    table.assert_equal_states();
}

#[test]
fn late_player_takes_a_seat_of_an_ai() {
    for steps in [300, 2_000] {
        let mut table = Table::of_people(BAD, 2, 4, 600.0);
        table.steps(steps);
        let late = table.join(false);
        table.until("the late one plays", |table| table.plays(3));
        table.steps(300);
        assert_eq!(table.seat_of(late, 2), Seat::Script);
        table.assert_equal_states();
        // Only a peer that saw the beginning has it on record.
        let replays = [0, 1, late].map(|peer| table.peers[peer].0.replay().is_some());
        assert_eq!(replays, [true, true, steps == 300]);
    }
}

#[test]
fn spectator_sees_the_same_match_and_has_no_seat() {
    let mut table = Table::of_people(BAD, 2, 4, 600.0);
    let watcher = table.join(true);
    table.until("it watches", |table| table.peers[2].0.simulation().is_some());
    table.steps(900);
    assert!(table.peers[watcher].0.members().iter().any(|member| member.is_self && member.seat.is_none()));
    assert_eq!(table.host().round().unwrap().1, [0, 1]);
    let behind = table.host().confirmed() - table.peers[watcher].0.confirmed();
    assert!((5..40).contains(&behind), "{behind} steps behind");
    table.assert_equal_states();
}

#[test]
fn match_is_on_record_and_its_replay_verifies() {
    let mut table = Table::of_people(BAD, 2, 4, 600.0);
    table.steps(1_000);
    for (peer, _) in &mut table.peers {
        let replay = Replay::from_bytes(&peer.replay().unwrap().to_bytes()).unwrap();
        assert!(replay.about().steps > 900);
        Playback::new(replay, &assets(), ecs::Engine::builder()).unwrap().verify().unwrap();
    }
}

#[test]
fn difference_names_the_component_and_is_mended() {
    let mut table = Table::of_people(BAD, 2, 4, 600.0);
    table.steps(400);
    // The guest must not go back to before the change.
    table.network.set_conditions(LinkConditions::default());
    table.steps(60);
    let simulation = table.peers[1].0.simulation_mut().unwrap();
    let collector = simulation.engine().resource::<Players>().unwrap().0[3].collector;
    simulation.engine_mut().get_mut::<Pocket>(collector).unwrap().carried += 1.0;
    let mut found = Vec::new();
    for _ in 0..1_500 {
        table.step();
        found.extend(table.peers[0].0.take_desyncs());
    }
    let [desync] = &found[..] else { panic!("{} differences", found.len()) };
    assert_eq!((desync.member_id, &*desync.member), (1, "guest 1"));
    assert!(desync.difference.contains('"'), "it names a type: {}", desync.difference);
    let common = desync.common.as_ref().unwrap();
    let setup = table.host().setup().unwrap().match_setup();
    let mut loaded = Simulation::new(&assets(), &setup).unwrap();
    loaded.load(common).unwrap();
    assert_eq!(loaded.tick(), desync.tick - 60, "the state before it was equal");
    for bytes in [&desync.own, desync.other.as_ref().unwrap()] {
        let setup = table.host().setup().unwrap().match_setup();
        let mut loaded = Simulation::new(&assets(), &setup).unwrap();
        loaded.load(bytes).unwrap();
        assert_eq!(loaded.tick(), desync.tick);
    }
    table.until("both play again", |table| table.plays(2));
    table.steps(200);
    table.assert_equal_states();
}

#[test]
fn pause_and_restart_of_one_are_those_of_all() {
    let mut table = Table::of_people(BAD, 2, 4, 600.0);
    table.steps(200);
    let all_in = |table: &Table, state| {
        table.peers.iter().all(|(peer, _)| peer.simulation().is_some_and(|simulation| simulation.state() == state))
    };
    table.peers[1].0.step(NetInput::default().pausing());
    table.until("all pause", |table| all_in(table, GameState::Paused));
    // Only the host begins again.
    table.peers[1].0.step(NetInput::default().restarting());
    table.steps(60);
    assert!(all_in(&table, GameState::Paused));
    table.peers[0].0.step(NetInput::default().restarting());
    table.until("all begin again", |table| all_in(table, GameState::Started));
    table.steps(300);
    assert!(all_in(&table, GameState::Running));
    assert_eq!(table.seat_of(1, 1), Seat::Script, "people keep their seats");
    table.assert_equal_states();
}

#[test]
fn guests_play_on_alone_when_the_host_leaves() {
    let mut table = Table::of_people(BAD, 2, 4, 600.0);
    table.steps(300);
    let (mut host, _) = table.peers.remove(0);
    host.leave();
    host.leave();
    table.steps(100);
    let guest = &table.peers[0].0;
    assert_eq!(guest.notice(), Some(LineNotice::HostIsGone));
    assert_eq!(guest.host_loss(), Some(HostLoss::Left));
    // The seats of the others are those of AIs.
    let here: Vec<_> = guest.members().iter().filter(|member| member.is_here).map(|member| member.seat).collect();
    assert_eq!((here, guest.round().unwrap().1), (vec![Some(1)], vec![1]));
    let before = guest.confirmed();
    table.steps(100);
    assert_eq!(table.peers[0].0.confirmed(), before + 100);
    assert!(matches!(table.seat_of(0, 0), Seat::Ai { .. }));
}

#[test]
fn peers_play_over_real_sockets_of_this_machine() {
    let open = || Udp::open(Address::from(([127, 0, 0, 1], 0))).unwrap();
    let sockets = [open(), open(), open()];
    let host = sockets[0].address().unwrap();
    let setup = Setup::new(&assets(), "classic", 4, 7, Some(600.0)).unwrap();
    let mut sockets = sockets.into_iter();
    let mut peers: Vec<Peer> = vec![Host::new(sockets.next().unwrap(), assets(), setup, "host", 9).into()];
    peers.extend(sockets.zip(0..).map(|(socket, n)| Guest::new(socket, host, assets(), "guest", false, n).into()));
    for step in 0..1_000 {
        for peer in &mut peers {
            peer.set_ready(step > 100);
            peer.step(NetInput::driving(Intent { drive: 1.0, turn: (step / 50 % 3) as f32 - 1.0 }));
        }
    }
    let hosts = peers[0].hashes();
    assert!(peers[0].confirmed() > 600, "{}", peers[0].confirmed());
    for peer in &peers {
        assert_eq!(peer.round().unwrap().1.len(), 3);
        let own = peer.hashes();
        assert!(own.iter().filter(|mark| hosts.contains(mark)).count() >= 2, "{own:?} and {hosts:?}");
    }
}

#[test]
fn guest_with_other_assets_or_without_an_answer_is_told_why() {
    let mut table = Table::new(GOOD, 4, 60.0);
    let mut other = assets();
    other.modes.get_mut("classic").unwrap().game.countdown_seconds = 9.0;
    let end = table.network.end(address(1));
    table.peers.push((Guest::new(end, address(0), other, "other", false, 5).into(), Driver::new(1)));
    table.steps(60);
    let reason = table.peers[1].0.ended().unwrap();
    assert_eq!(reason, "the host plays with other assets: name the same directory with --assets");
    let end = table.network.end(address(2));
    table.peers[1] = (Guest::new(end, address(9), assets(), "lost", false, 5).into(), Driver::new(1));
    table.steps(700);
    let reason = table.peers[1].0.ended().unwrap();
    assert_eq!(reason, "there is no answer from 10.0.0.1:7009: check the address, and that the host runs");
}

#[test]
fn peers_of_another_protocol_learn_why_they_do_not_meet() {
    let mut table = Table::of_people(GOOD, 2, 4, 60.0);
    let other = b"BHNET\x04 and what only protocol 4 can read";
    table.network.forge(address(5), address(0), other.to_vec());
    let mut stranger = table.network.end(address(5));
    table.steps(5);
    let mut buffer = [0; 32];
    assert_eq!(stranger.receive(&mut buffer), Some((address(0), 7)));
    assert_eq!(buffer[..7], *b"BHNET\x00\x03");

    // The same answer of a host with protocol 4, each time: a match that runs does not end by it.
    let of_protocol_4 = b"BHNET\x00\x04".to_vec();
    let newcomer = table.join(false);
    for _ in 0..3 {
        assert_eq!(table.peers[newcomer].0.ended(), None);
        for (from, to) in [(0, newcomer), (0, 1), (7, newcomer)] {
            table.network.forge(address(from), address(to), of_protocol_4.clone());
        }
        table.step();
    }
    let ended: Vec<_> = table.peers.iter().map(|(peer, _)| peer.ended()).collect();
    let reason =
        "the host plays another version of the game: it has protocol 4, and this program has 3; install the same";
    assert_eq!(ended, [None, None, Some(reason)]);
}

#[test]
fn lobby_is_full_at_eight_and_shows_names_and_pings() {
    let mut table = Table::new(GOOD, 4, 60.0);
    (1..=8).for_each(|_| _ = table.join(false));
    table.steps(200);
    let members = table.host().members();
    assert_eq!(members.len(), 8);
    assert_eq!(members[0].name, "host");
    assert_eq!(
        members.iter().map(|member| member.seat).collect::<Vec<_>>()[..5],
        [Some(0), Some(1), Some(2), Some(3), None]
    );
    assert!(members[1..].iter().all(|member| (30..90).contains(&member.ping_ms) && member.is_ready), "{members:?}");
    assert_eq!(table.peers[3].0.members().len(), 8);
    let ended: Vec<_> = table.peers.iter().filter_map(|(peer, _)| peer.ended()).collect();
    assert_eq!(ended, ["the lobby is full: ask the host for a place"]);
}

#[test]
fn removed_member_is_told_so_and_stays_away_and_the_others_play() {
    let mut table = Table::of_people(GOOD, 3, 4, 600.0);
    table.steps(60);
    let id = table.host().members()[2].id;
    table.peers[1].0.remove(id);
    assert_eq!(table.host().members().len(), 3, "only the host removes members");
    table.peers[0].0.remove(id);
    table.steps(400);
    assert_eq!(table.peers[2].0.ended(), Some("the host has removed you from the match"));
    assert_eq!(table.host().members().len(), 2);
    assert_eq!(table.host().round().unwrap().1, [0, 1]);
    assert_eq!(table.peers[1].0.ended(), None);
    table.peers.truncate(2);
    table.assert_equal_states();
}

/// Sends datagrams that were sent before, changed ones, and noise, in the name of `from`; one that knows the secrets of
/// the peers signs them.
fn attack(table: &mut Table, steps: u32, knows_the_secrets: bool, from: impl Fn(&mut RandomStream) -> Address) {
    let mut random = RandomStream::new(1, "test").split(9);
    let secrets = [0, 1, 2].map(secret);
    let mut heard: Vec<Vec<u8>> = vec![vec![0; 10]];
    for step in 0..steps {
        table.step();
        if heard.len() < 3_000 {
            heard.extend(table.network.on_their_way().into_iter().take(2));
        }
        for _ in 0..100 {
            let mut place = |length: usize| (random.unit() * length as f32) as usize;
            let original = heard[place(heard.len())].clone();
            let mut bytes = original.clone();
            for _ in 0..step % 4 {
                let changed = place(bytes.len());
                bytes[changed] = place(256) as u8;
            }
            let (to, length) = (address(place(table.peers.len())), place(2_000));
            if random.chance(0.1) {
                bytes.resize(length.max(1), 0xff);
            }
            if knows_the_secrets {
                bytes = sign_again(&original, bytes, &secrets);
            }
            table.network.forge(from(&mut random), to, bytes);
        }
    }
}

const ATTACK: u32 = if cfg!(debug_assertions) { 300 } else { 6_000 };

#[test]
fn datagrams_of_strangers_neither_stop_nor_change_the_match() {
    let mut table = Table::of_people(GOOD, 3, 4, 600.0);
    attack(&mut table, ATTACK, true, |random| address(40 + (random.unit() * 20.0) as usize));
    table.steps(200);
    assert_eq!(table.host().round().unwrap().0, 1, "{:?}", table.host().members());
    assert!(table.plays(3));
    table.assert_equal_states();
}

/// An attacker on the line who reads all can change a match, but not break a peer; one who cannot read does not even
/// change it.
#[test]
fn datagrams_of_an_enemy_on_the_line_break_no_peer() {
    for knows_the_secrets in [false, true] {
        let mut table = Table::of_people(GOOD, 3, 4, 600.0);
        attack(&mut table, ATTACK, knows_the_secrets, |random| address((random.unit() * 3.0) as usize));
        table.steps(200);
        assert!(table.host().members().len() <= 8);
        assert_eq!(table.host().simulation().unwrap().state(), GameState::Running);
        if !knows_the_secrets {
            table.until("all play", |table| table.plays(3));
            table.assert_equal_states();
        }
    }
}

/// The packets on their way, decoded.
fn packets(table: &Table) -> Vec<Packet> {
    table.network.on_their_way().iter().filter_map(|bytes| read(bytes)).collect()
}

/// The last word of the host to a peer.
fn state_for(table: &mut Table, peer: usize) -> State {
    let id = table.peers[peer].0.members().iter().find(|member| member.is_self).unwrap().id;
    for _ in 0..10 {
        let to = |packet| match packet {
            Packet::State(state) if state.you == id => Some(state),
            _ => None,
        };
        if let Some(state) = packets(table).into_iter().find_map(to) {
            return state;
        }
        table.step();
    }
    panic!("the host says nothing");
}

#[test]
fn reason_of_an_end_stays_although_time_passes() {
    let mut table = Table::new(GOOD, 4, 600.0);
    let (end, mut other) = (table.network.end(address(1)), Assets::built_in());
    other.modes.get_mut("classic").unwrap().game.play_seconds = 61.0;
    table.peers.push((Guest::new(end, address(0), other, "guest", false, secret(1)).into(), Driver::new(1)));
    table.until("it is told", |table| table.peers[1].0.ended().is_some());
    let reason = table.peers[1].0.ended().unwrap().to_owned();
    assert!(reason.starts_with("the host plays with other assets"), "{reason}");
    table.steps(2_000);
    assert_eq!((table.peers[1].0.ended(), table.peers[1].0.host_loss()), (Some(&*reason), None));
    // One that is removed from a match does not go on alone either.
    let mut table = Table::of_people(GOOD, 2, 4, 600.0);
    let id = table.host().members()[1].id;
    table.peers[0].0.remove(id);
    table.until("it is told", |table| table.peers[1].0.ended().is_some());
    table.steps(2_000);
    let removed = &table.peers[1].0;
    assert_eq!((removed.ended(), removed.host_loss()), (Some("the host has removed you from the match"), None));
}

#[test]
fn host_that_names_steps_which_a_guest_never_had_breaks_nothing() {
    // A guest that has loaded a state lacks one for step 0, wherever the ring of its states begins.
    for (steps, base) in [(700, 0), (716, 0), (732, 0), (748, 0), (700, 1), (700, u64::MAX)] {
        let mut table = Table::of_people(GOOD, 2, 4, 600.0);
        table.steps(steps);
        // It has only a few states when it has loaded one.
        let late = table.join(false);
        table.until("the late one has a match", |table| table.peers[2].0.simulation().is_some());
        let mut state = state_for(&mut table, late);
        let round = state.round.as_mut().unwrap();
        round.seated.push(Seated { member: state.you, seat: 2 });
        (round.number, round.base, state.offer) = (round.number + 1, base, None);
        state.time += 1;
        // A round counts once it is named twice.
        let bytes = Packet::State(state).to_bytes(token_of(secret(late)));
        (0..2).for_each(|_| table.network.forge(address(0), address(late), bytes.clone()));
        table.steps(5);
        assert!(table.peers[late].0.ended().is_none(), "base {base}");
    }
}

#[test]
fn inputs_that_no_peer_makes_are_dropped() {
    let mut table = Table::of_people(GOOD, 2, 4, 600.0);
    let watcher = table.join(true);
    table.until("it watches", |table| table.peers[2].0.simulation().is_some());
    for step in 0..300 {
        let after = table.peers[watcher].0.confirmed() + step % 3;
        let mut inputs = Inputs::none().with(Command::ReleaseSeat(0));
        inputs.intents.push((9, Intent { drive: 1.0, turn: 1.0 }));
        let bytes = Packet::Feed(Feed { after, inputs: vec![inputs; 20] }).to_bytes(token_of(secret(watcher)));
        table.network.forge(address(0), address(watcher), bytes);
        table.step();
    }
    table.steps(100);
    assert_eq!(table.seat_of(watcher, 0), Seat::Script);
    table.assert_equal_states();
}

#[test]
fn member_that_always_differs_watches_after_a_few_reports() {
    let mut table = Table::of_people(GOOD, 2, 4, 600.0);
    let mut found = 0;
    for _ in 0..3_000 {
        table.step();
        for packet in packets(&table) {
            let (Packet::Status(mut status), Some((tick, hash))) = (packet, table.host().last_hash()) else { continue };
            status.report = Some((tick, !hash));
            status.time = status.time.wrapping_add(1);
            table.network.forge(address(1), address(0), Packet::Status(status).to_bytes(token_of(secret(1))));
        }
        found += table.peers[0].0.take_desyncs().len();
    }
    assert!((1..=4).contains(&found), "{found} differences");
    assert_eq!(table.host().members()[1].seat, None);
    assert_eq!(table.host().round().unwrap().1, [0]);
    assert!(matches!(table.seat_of(0, 1), Seat::Ai { .. }));
}

#[test]
fn difference_at_the_beginning_of_a_round_is_reported_and_mended() {
    let mut table = Table::of_people(BAD, 2, 4, 600.0);
    table.steps(400);
    table.network.set_conditions(LinkConditions::default());
    table.steps(60);
    while table.host().confirmed() % 60 != 2 {
        table.step();
    }
    let simulation = table.peers[1].0.simulation_mut().unwrap();
    let collector = simulation.engine().resource::<Players>().unwrap().0[3].collector;
    simulation.engine_mut().get_mut::<Pocket>(collector).unwrap().carried += 1.0;
    table.join(false);
    let mut found = Vec::new();
    for _ in 0..900 {
        table.step();
        found.extend(table.peers[0].0.take_desyncs());
    }
    let [desync] = &found[..] else { panic!("{} differences", found.len()) };
    assert_eq!(desync.member, "guest 1");
    assert_ne!(desync.tick % 60, 0, "it is the step at which the round began");
    assert!(desync.difference.contains('"') && desync.other.is_some(), "{}", desync.difference);
    table.until("all play again", |table| table.plays(3));
    table.steps(200);
    table.assert_equal_states();
}

#[test]
fn guest_finds_the_lobby_of_another_host_at_the_same_address() {
    let mut table = Table::of_people(GOOD, 2, 4, 600.0);
    table.steps(300);
    // The host's program crashes, and is started again with another match.
    let setup = Setup::new(&assets(), "classic", 3, 8, Some(600.0)).unwrap();
    let again = Host::new(table.network.end(address(0)), assets(), setup, "host again", 100);
    table.peers[0] = (again.into(), Driver::new(0));
    table.until("the guest is in the new lobby", |table| {
        let guest = &table.peers[1].0;
        guest.members().first().is_some_and(|host| host.name == "host again") && guest.simulation().is_none()
    });
    table.peers[0].0.set_ready(true);
    table.steps(60);
    assert!(table.host().simulation().is_none(), "its person has to be ready again");
    table.peers[1].0.set_ready(true);
    table.until("they play", |table| table.plays(2));
    table.steps(200);
    table.assert_equal_states();
}
