//! Memory of matches, by an allocator that counts: what peers of a match over a network keep of datagrams does not
//! grow, however many come.
#![cfg(feature = "network")]

use bounty_hunter::assets::Assets;
use bounty_hunter::network::simulated_link::{LinkConditions, Network};
use bounty_hunter::network::{Address, Guest, Host, NetInput, Peer, Setup, sign_again};
use ecs_studio::CountingHeap;

#[global_allocator]
static HEAP: CountingHeap = CountingHeap;

const STEPS: u32 = 400;
const KILOBYTE: isize = 1 << 10;

fn address(number: u32) -> Address {
    Address::from(([10, 0, (number >> 8) as u8, number as u8], 7_000))
}

/// A host and a guest in a match, or in the lobby.
struct Table {
    network: Network,
    peers: Vec<Peer>,
}

impl Table {
    fn new(is_playing: bool) -> Self {
        let assets = Assets::built_in();
        let network = Network::new(LinkConditions { delay: 1.0, ..LinkConditions::default() }, 1);
        let setup = Setup::new(&assets, "classic", 2, 7, Some(600.0)).unwrap();
        let host = Host::new(network.end(address(0)), assets.clone(), setup, "host", 1);
        let guest = Guest::new(network.end(address(1)), address(0), assets, "guest", false, 2);
        let mut table = Self { network, peers: vec![host.into(), guest.into()] };
        (0..60).for_each(|_| table.step());
        table.peers.iter_mut().for_each(|peer| peer.set_ready(is_playing));
        // Long enough that every ring of states and inputs is full.
        (0..1_400).for_each(|_| table.step());
        assert_eq!(table.peers.iter().all(|peer| peer.simulation().is_some()), is_playing);
        table
    }

    fn step(&mut self) {
        self.network.pass(1.0);
        self.peers.iter_mut().for_each(|peer| peer.step(NetInput::default()));
    }

    /// How many more bytes are kept after the attack, once it is over.
    fn kept_after(&mut self, mut attack: impl FnMut(&mut Self, u32)) -> isize {
        let before = CountingHeap::bytes_of_this_thread();
        for step in 0..STEPS {
            attack(self, step);
            self.step();
        }
        (0..60).for_each(|_| self.step());
        CountingHeap::bytes_of_this_thread() - before
    }
}

/// A cheap sequence of numbers without an order.
fn mixed(number: u32) -> u32 {
    number.wrapping_mul(2_654_435_769).rotate_left(13).wrapping_mul(2_246_822_519) ^ number >> 7
}

/// Copies of what is on its way, each with a few bytes changed, and signed as before.
fn changed(network: &Network, step: u32, count: u32) -> Vec<Vec<u8>> {
    let copies = network.on_their_way();
    let change = |number: u32| {
        let original = copies.get(mixed(number) as usize % copies.len().max(1)).cloned().unwrap_or(vec![1; 100]);
        let mut bytes = original.clone();
        for change in 0..number % 4 {
            let place = mixed(number + change) as usize % bytes.len();
            bytes[place] = mixed(number ^ change << 9) as u8;
        }
        sign_again(&original, bytes, &[1, 2])
    };
    (step * count..(step + 1) * count).map(change).collect()
}

#[test]
fn strangers_that_flood_leave_nothing_behind() {
    for is_playing in [false, true] {
        let mut table = Table::new(is_playing);
        let quiet = table.kept_after(|_, _| {});
        let kept = table.kept_after(|table, step| {
            for (number, bytes) in (step * 300..).zip(changed(&table.network, step, 300)) {
                table.network.forge(address(100 + number % 5_000), address(number % 2), bytes);
            }
        });
        assert!(kept - quiet < 256 * KILOBYTE, "playing: {is_playing}: {kept} bytes more, {quiet} without an attack");
        assert!(table.peers.iter().all(|peer| peer.members().len() == 2 && peer.ended().is_none()));
    }
}

#[test]
fn newcomers_that_come_and_go_leave_nothing_behind() {
    let mut table = Table::new(true);
    let assets = Assets::built_in();
    let newcomer = |table: &Table, number: u32| {
        let end = table.network.end(address(100 + number % 20));
        Guest::new(end, address(0), assets.clone(), "newcomer", true, u64::from(number))
    };
    let mut most = 0;
    let mut attack = |table: &mut Table, step: u32| {
        if step.is_multiple_of(40) {
            table.peers.truncate(2);
            let newcomers: Vec<Peer> = (0..20).map(|number| newcomer(table, step * 20 + number).into()).collect();
            table.peers.extend(newcomers);
        }
        most = most.max(table.peers[0].members().len());
        if step + 1 == STEPS {
            table.peers.truncate(2);
        }
    };
    // The second time, the ends of the network and all lists are there.
    table.kept_after(&mut attack);
    let kept = table.kept_after(&mut attack);
    assert_eq!(most, 8, "the lobby was full");
    assert!(kept < 512 * KILOBYTE, "{kept} bytes more");
}

/// It can spoil the match, since it can change every word of a member.
#[test]
fn an_enemy_on_the_line_makes_peers_keep_no_more_than_one_state_for_each_member() {
    for is_playing in [false, true] {
        let mut table = Table::new(is_playing);
        let kept = table.kept_after(|table, step| {
            for (number, bytes) in (step * 50..).zip(changed(&table.network, step, 50)) {
                table.network.forge(address(number / 2 % 2), address(number % 2), bytes);
            }
        });
        // At most eight states of eight megabytes for the host, and one for the guest.
        assert!(kept < 72 * 1_024 * KILOBYTE, "playing: {is_playing}: {kept} bytes more");
        println!("playing: {is_playing}: {kept} bytes more");
    }
}

/// The studio keeps fewer snapshots if they are large.
#[cfg(feature = "studio")]
#[test]
fn snapshots_of_the_studio_are_as_large_as_it_expects() {
    use bounty_hunter::input::Inputs;
    use bounty_hunter::simulation::{MatchSetup, Simulation};
    use ecs_studio::Subject;

    for players in [16, 1_000] {
        let setup = MatchSetup::of_ais(7, players, "normal");
        let assets = Assets::built_in().in_mode("sandbox").unwrap();
        let mut simulation = Simulation::new(&assets, &setup).unwrap();
        (0..300).for_each(|_| _ = simulation.step(&Inputs::none()));
        let mut kept = Vec::new();
        let before = CountingHeap::bytes_of_this_thread();
        for _ in 0..20 {
            simulation.step(&Inputs::none());
            kept.push(simulation.snapshot().unwrap());
        }
        let each = (CountingHeap::bytes_of_this_thread() - before) as usize / kept.len();
        let expected = simulation.snapshot_bytes();
        assert!(each < expected && expected < 3 * each, "{players}: {each} bytes, {expected} expected");
    }
}
