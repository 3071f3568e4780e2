//! Datagrams of an enemy: strangers' bytes, and changed copies of what peers send, signed again as by them, on the
//! lines between a host, a guest that plays, and one that watches.

use bounty_hunter::assets::Assets;
use bounty_hunter::network::simulated_link::{LinkConditions, Network};
use bounty_hunter::network::{Address, FoundHost, Guest, Host, MAX_BYTES, NetInput, Peer, Setup, sign_again};

/// Steps until the match runs.
const STEPS_TO_BEGIN: u32 = 60;
/// Steps of an attack.
const MAX_STEPS: usize = 200;

fn address(peer: u8) -> Address {
    Address::from(([10, 0, 0, 1], 7_000 + u16::from(peer)))
}

fn step(network: &Network, peers: &mut [Peer]) {
    network.pass(1.0);
    peers.iter_mut().for_each(|peer| peer.step(NetInput::default()));
}

/// Attacks a host and a guest as the bytes say. The first byte tells whether they are in the lobby or in a match; then
/// each attack is a head of four bytes (receiver, sender, what to send, its length or how many changes) and its
/// content.
///
/// # Panics
/// If a peer does, or admits more members than it may.
pub fn check_network(bytes: &[u8]) {
    check_beacon(bytes);
    let Some((first, mut rest)) = bytes.split_first() else { return };
    let assets = Assets::built_in();
    let network = Network::new(LinkConditions { delay: 2.0, ..LinkConditions::default() }, 1);
    let setup = Setup::new(&assets, "classic", 2, 7, None).expect("two can play");
    let guest = |number: u8, watches: bool| {
        Guest::new(network.end(address(number)), address(0), assets.clone(), "guest", watches, u64::from(number) + 1)
    };
    let (guest, watcher) = (guest(1, false), guest(2, true));
    let host = Host::new(network.end(address(0)), assets, setup, "host", 1);
    let mut peers: [Peer; 3] = [host.into(), guest.into(), watcher.into()];
    for number in 0..STEPS_TO_BEGIN {
        let is_ready = first % 2 == 1 && number > STEPS_TO_BEGIN / 3;
        peers.iter_mut().for_each(|peer| peer.set_ready(is_ready));
        step(&network, &mut peers);
    }
    for _ in 0..MAX_STEPS {
        let Some((&[to, from, kind, length], content)) = rest.split_first_chunk() else { break };
        let (content, after) = content.split_at(content.len().min(usize::from(length)));
        rest = after;
        let copies = network.on_their_way();
        let datagram = match copies.get(usize::from(kind) / 2 % copies.len().max(1)) {
            Some(copy) if kind % 2 == 1 => sign_again(copy, changed(copy.clone(), content), &[1, 2, 3]),
            _ => content.to_vec(),
        };
        network.forge(address(from % 5), address(to % 3), datagram);
        if kind % 8 < 6 {
            step(&network, &mut peers);
        }
    }
    step(&network, &mut peers);
    assert!(peers.iter().all(|peer| peer.members().len() <= 8));
}

/// Lets the bytes arrive where windows listen for hosts, as they are and behind the mark of the protocol.
fn check_beacon(bytes: &[u8]) {
    for datagram in [bytes.to_vec(), [b"BHFIND\x03", bytes].concat()] {
        if let Some(offer) = FoundHost::read(address(4), &datagram).and_then(|host| host.offer) {
            let texts = [offer.name, offer.mode, offer.level, offer.version];
            assert!(texts.iter().all(|text| text.chars().count() <= 40 && !text.contains(char::is_control)));
        }
    }
}

/// Replaces bytes of a datagram: each pair is a place behind the mark of the protocol, and a byte.
fn changed(mut datagram: Vec<u8>, changes: &[u8]) -> Vec<u8> {
    for change in changes.chunks_exact(2) {
        let place = (6 + usize::from(change[0])) % (MAX_BYTES + 8);
        if place >= datagram.len() {
            datagram.push(change[1]);
        } else {
            datagram[place] = change[1];
        }
    }
    datagram
}

/// Attacks in the lobby and in a match.
#[must_use]
pub fn attacks() -> Vec<Vec<u8>> {
    let greeting = [&b"BHNET\x02"[..], &[0; 24]].concat();
    let stranger = [&[0, 0, 2, 0, greeting.len() as u8][..], &greeting].concat();
    let mut in_match = vec![1];
    for kind in 0..60_u8 {
        in_match.extend([kind % 2, (kind + 1) % 2, kind * 2 + 1, 4, kind, 0xff, kind.wrapping_mul(7) % 60, 0x80]);
    }
    vec![stranger, in_match]
}
