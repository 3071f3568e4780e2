//! Hosts that are found by themselves: once a second a host sends its address to its local network, and a window that
//! looks for hosts lists those that it receives.
//!
//! A datagram is the bytes `BHFIND`, the number of the protocol of the match, the number of the host and its port, then
//! an [`Offer`] in postcard's encoding. A host of another version is listed without its offer, which only that version
//! can read. Whatever else arrives is ignored.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use serde::{Deserialize, Serialize};

use super::packet::PROTOCOL;
use super::peer::Peer;
use super::transport::Address;
use super::udp::unmapped;
use bounty_hunter_simulation::name::{Name, PlayerName};

/// Where windows listen for hosts.
pub const BEACON_PORT: u16 = 7_778;
const NAME: &[u8; 6] = b"BHFIND";
/// The name, the protocol, the number of the host and its port.
const HEAD_BYTES: usize = NAME.len() + 1 + 8 + 2;
const MAX_BYTES: usize = 512;
/// The most letters of the name of a mode or a level that are listed.
const MAX_LETTERS: usize = 40;
/// Steps between two datagrams of a host.
const STEPS_BETWEEN_BEACONS: u32 = 60;
/// Steps after which a host that was not heard again is no longer listed.
const STEPS_TO_FORGET: u32 = 240;
/// The most hosts in the list.
const MAX_FOUND: usize = 16;
/// The most datagrams that are read in a step.
const MAX_DATAGRAMS: usize = 64;

/// What a host sends about its match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The version of its program.
    pub version: String,
    /// The name of the person who hosts.
    pub name: String,
    /// The file of the mode.
    pub mode: String,
    /// The file of the level, or the name of one from a seed.
    pub level: String,
    /// Seats for people who join.
    pub free_seats: u32,
    /// All seats, people and AIs.
    pub players: u32,
}

impl Offer {
    /// What a host offers in its lobby; `None` for a guest, in a match, and without a free seat.
    fn of(peer: &Peer) -> Option<Self> {
        let free_seats = peer.free_seats().filter(|seats| *seats > 0)?;
        let setup = peer.setup()?;
        let name = peer.members().into_iter().find(|member| member.is_host)?.name;
        Some(Self {
            version: setup.version.clone(),
            name,
            mode: setup.mode.clone(),
            level: setup.level.clone(),
            free_seats,
            players: setup.players,
        })
    }

    /// Without what cannot be shown in a line.
    fn cleaned(self) -> Self {
        let short = |text: &str| Name::<MAX_LETTERS>::cleaned(text).into();
        let name = PlayerName::cleaned(&self.name).into();
        Self { version: short(&self.version), name, mode: short(&self.mode), level: short(&self.level), ..self }
    }
}

/// Sends the offer of a host to the local network, as long as others can join in its lobby.
#[derive(Debug)]
pub struct Beacon {
    socket: UdpSocket,
    targets: Vec<Address>,
    /// A random number by which it is one host, although it is heard in several networks.
    host: u64,
    port: u16,
    clock: u32,
}

impl Beacon {
    /// A beacon for a host whose socket is at `own`. `host` is a random number.
    ///
    /// # Errors
    /// A sentence with the reason.
    pub fn open(own: Address, host: u64) -> Result<Self, String> {
        let networks = if_addrs::get_if_addrs().unwrap_or_default();
        let broadcasts = networks.iter().filter_map(|network| match &network.addr {
            if_addrs::IfAddr::V4(of_4) => Some((of_4.ip, of_4.broadcast?)),
            if_addrs::IfAddr::V6(_) => None,
        });
        Self::to(targets(own, broadcasts), own, host)
    }

    /// A beacon that sends to these addresses.
    fn to(targets: Vec<Address>, own: Address, host: u64) -> Result<Self, String> {
        let from = match own.ip().to_canonical() {
            IpAddr::V4(ip) => ip,
            IpAddr::V6(_) => Ipv4Addr::UNSPECIFIED,
        };
        let open = || {
            let socket = UdpSocket::bind((from, 0))?;
            socket.set_nonblocking(true)?;
            socket.set_broadcast(true)?;
            Ok(socket)
        };
        let socket = open().map_err(|error: std::io::Error| format!("hosts cannot be told of: {error}"))?;
        Ok(Self { socket, targets, host, port: own.port(), clock: 0 })
    }

    /// Follows a step of the host, and sends its offer once a second.
    pub fn follow(&mut self, peer: &Peer) {
        let is_due = self.clock.is_multiple_of(STEPS_BETWEEN_BEACONS);
        self.clock = self.clock.wrapping_add(1);
        if !is_due {
            return;
        }
        let Some(offer) = Offer::of(peer) else { return };
        let bytes = to_bytes(self.host, self.port, &offer);
        for target in &self.targets {
            // Without a network there is no receiver.
            let _ = self.socket.send_to(&bytes, target);
        }
    }
}

/// The addresses to which a host at `own` sends, on a machine with these addresses and those of their networks.
fn targets(own: Address, broadcasts: impl Iterator<Item = (Ipv4Addr, Ipv4Addr)>) -> Vec<Address> {
    let at = |ip: Ipv4Addr| SocketAddr::new(ip.into(), BEACON_PORT);
    let listens_at = match own.ip().to_canonical() {
        IpAddr::V4(ip) if ip.is_loopback() => return vec![at(Ipv4Addr::LOCALHOST)],
        IpAddr::V4(ip) => ip,
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv4Addr::UNSPECIFIED,
        // At one address of IPv6 it receives no beacons.
        IpAddr::V6(_) => return Vec::new(),
    };
    let hears = |ip: &Ipv4Addr| listens_at.is_unspecified() || *ip == listens_at;
    let networks = broadcasts.filter(|(ip, _)| hears(ip) && !ip.is_loopback()).map(|(_, broadcast)| broadcast);
    let mut targets: Vec<Address> = networks.chain([Ipv4Addr::BROADCAST, Ipv4Addr::LOCALHOST]).map(at).collect();
    targets.sort();
    targets.dedup();
    targets
}

fn to_bytes(host: u64, port: u16, offer: &Offer) -> Vec<u8> {
    let head = [&NAME[..], &[PROTOCOL], &host.to_le_bytes(), &port.to_le_bytes()].concat();
    postcard::to_extend(offer, head).expect("offers hold numbers and texts only")
}

/// The number of a host, its port and its offer; `None` for what is no beacon.
fn from_bytes(bytes: &[u8]) -> Option<(u64, u16, Option<Offer>)> {
    if bytes.len() > MAX_BYTES {
        return None;
    }
    let (head, offer) = bytes.split_first_chunk::<HEAD_BYTES>()?;
    let (protocol, rest) = head.strip_prefix(NAME)?.split_first()?;
    let (host, port) = rest.split_first_chunk()?;
    let port = u16::from_le_bytes(port.try_into().ok()?);
    let offer = match *protocol {
        PROTOCOL => match postcard::take_from_bytes::<Offer>(offer) {
            Ok((offer, [])) => Some(offer.cleaned()),
            _ => return None,
        },
        _ => None,
    };
    (port != 0).then_some((u64::from_le_bytes(*host), port, offer))
}

/// A host on the local network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundHost {
    /// The random number by which it is known.
    pub id: u64,
    /// Where to join it.
    pub address: Address,
    /// Its match; `None` if it plays another version of the game.
    pub offer: Option<Offer>,
}

impl FoundHost {
    /// What a datagram tells of a host; `None` for what is no beacon.
    #[must_use]
    pub fn read(from: Address, bytes: &[u8]) -> Option<Self> {
        let (id, port, offer) = from_bytes(bytes)?;
        let has_own_version = |offer: &Offer| offer.version == env!("CARGO_PKG_VERSION");
        let address = SocketAddr::new(unmapped(from).ip(), port);
        Some(Self { id, address, offer: offer.filter(has_own_version) })
    }
}

/// Listens for hosts on the local network.
#[derive(Debug)]
pub struct Finder {
    socket: UdpSocket,
    clock: u32,
    /// The hosts, each with the clock when it was last heard.
    found: Vec<(FoundHost, u32)>,
}

impl Finder {
    /// Listens at the port of all beacons.
    ///
    /// # Errors
    /// A sentence with the reason, such as another program that listens there.
    pub fn open() -> Result<Self, String> {
        Self::at(SocketAddr::from((Ipv4Addr::UNSPECIFIED, BEACON_PORT)))
    }

    fn at(address: Address) -> Result<Self, String> {
        let open = || {
            let socket = UdpSocket::bind(address)?;
            socket.set_nonblocking(true)?;
            Ok(socket)
        };
        let socket =
            open().map_err(|error: std::io::Error| format!("port {} cannot be used: {error}", address.port()))?;
        Ok(Self { socket, clock: 0, found: Vec::new() })
    }

    /// Lets a step of the clock pass: hears hosts, and forgets those that are silent.
    pub fn step(&mut self) {
        self.clock = self.clock.wrapping_add(1);
        let mut buffer = [0; MAX_BYTES + 1];
        for _ in 0..MAX_DATAGRAMS {
            match self.socket.recv_from(&mut buffer) {
                Ok((length, from)) => self.hear(from, &buffer[..length]),
                // As for the socket of a match: one that was too long is lost.
                Err(error) if error.kind() == ErrorKind::ConnectionReset || error.raw_os_error() == Some(10_040) => {}
                Err(_) => break,
            }
        }
        let clock = self.clock;
        self.found.retain(|(_, heard)| clock.wrapping_sub(*heard) <= STEPS_TO_FORGET);
    }

    /// The hosts, the one found first at the top.
    pub fn hosts(&self) -> impl Iterator<Item = &FoundHost> {
        self.found.iter().map(|(host, _)| host)
    }

    /// Takes a datagram that has arrived, and ignores what is no beacon.
    fn hear(&mut self, from: Address, bytes: &[u8]) {
        let Some(host) = FoundHost::read(from, bytes) else { return };
        let Some((known, heard)) = self.found.iter_mut().find(|(known, _)| known.id == host.id) else {
            if self.found.len() < MAX_FOUND {
                self.found.push((host, self.clock));
            }
            return;
        };
        // A host is heard in each network that it shares with this machine; the first address stays, unless it is good
        // for this machine alone.
        if known.address == host.address || known.address.ip().is_loopback() {
            (*known, *heard) = (host, self.clock);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::simulated_link::{LinkConditions, Network};
    use crate::network::{Guest, Host, NetInput, Setup};
    use bounty_hunter_simulation::assets::Assets;

    fn offer() -> Offer {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let (name, mode, level) = ("Ada".to_owned(), "classic".to_owned(), "arena".to_owned());
        Offer { version, name, mode, level, free_seats: 3, players: 4 }
    }

    fn from(last: u8) -> Address {
        SocketAddr::from(([192, 168, 1, last], 5_000))
    }

    fn local() -> Address {
        SocketAddr::from((Ipv4Addr::LOCALHOST, 0))
    }

    /// A host in a lobby for so many players, and guests who have joined it.
    fn lobby(players: u32, guests: u16) -> (Network, Vec<Peer>) {
        let network = Network::new(LinkConditions::default(), 7);
        let assets = Assets::built_in().in_mode("classic").unwrap();
        let at = |peer: u16| Address::from(([10, 0, 0, 1], 7_000 + peer));
        let setup = Setup::new(&assets, "classic", players, 7, None).unwrap();
        let mut peers = vec![Peer::from(Host::new(network.end(at(0)), assets, setup, "Ada", 99))];
        let guest = |peer: u16| Guest::new(network.end(at(peer)), at(0), Assets::built_in(), "G", false, peer.into());
        peers.extend((1..=guests).map(|peer| Peer::from(guest(peer))));
        steps(&network, &mut peers, 60);
        (network, peers)
    }

    fn steps(network: &Network, peers: &mut [Peer], steps: u32) {
        for _ in 0..steps {
            network.pass(1.0);
            peers.iter_mut().for_each(|peer| peer.step(NetInput::default()));
        }
    }

    /// Lets the finder listen until it has found a host, or for a second: the loopback delivers at once.
    fn listen(finder: &mut Finder) -> Vec<FoundHost> {
        for _ in 0..STEPS_BETWEEN_BEACONS {
            finder.step();
        }
        finder.hosts().cloned().collect()
    }

    #[test]
    fn host_is_found_until_it_is_silent() {
        let mut finder = Finder::at(local()).unwrap();
        let at = finder.socket.local_addr().unwrap();
        let own = SocketAddr::from((Ipv4Addr::LOCALHOST, 7_777));
        let mut beacon = Beacon::to(vec![at], own, 5).unwrap();
        let (_, peers) = lobby(4, 0);
        beacon.follow(&peers[0]);
        let found = listen(&mut finder);
        assert_eq!(found, [FoundHost { id: 5, address: own, offer: Some(offer()) }]);
        (0..STEPS_BETWEEN_BEACONS).for_each(|_| beacon.follow(&peers[0]));
        (0..STEPS_TO_FORGET).for_each(|_| finder.step());
        assert_eq!(finder.hosts().count(), 1, "it was heard a second time");
        (0..STEPS_TO_FORGET).for_each(|_| finder.step());
        assert_eq!(finder.hosts().next(), None);
    }

    #[test]
    fn only_a_lobby_with_a_free_seat_is_offered() {
        let free = |peers: &[Peer]| Offer::of(&peers[0]).map(|offer| offer.free_seats);
        assert_eq!(free(&lobby(4, 0).1), Some(3));
        assert_eq!(free(&lobby(4, 2).1), Some(1));
        assert_eq!(free(&lobby(3, 2).1), None, "all seats are taken");
        assert_eq!(free(&lobby(16, 0).1), Some(7), "a lobby has no room for more");
        let (network, mut peers) = lobby(4, 1);
        assert_eq!(Offer::of(&peers[1]), None, "a guest is no host");
        peers.iter_mut().for_each(|peer| peer.set_ready(true));
        steps(&network, &mut peers, 60);
        assert!(peers[0].simulation().is_some());
        assert_eq!(free(&peers), None, "the match runs");
    }

    #[test]
    fn host_in_two_networks_is_one_host() {
        let mut finder = Finder::at(local()).unwrap();
        let bytes = to_bytes(5, 7_777, &offer());
        let addresses = |finder: &Finder| finder.hosts().map(|host| host.address.to_string()).collect::<Vec<_>>();
        finder.hear(SocketAddr::from((Ipv4Addr::LOCALHOST, 5_000)), &bytes);
        assert_eq!(addresses(&finder), ["127.0.0.1:7777"]);
        finder.hear(from(4), &bytes);
        finder.hear(from(9), &bytes);
        finder.hear(SocketAddr::from((Ipv4Addr::LOCALHOST, 5_000)), &bytes);
        assert_eq!(addresses(&finder), ["192.168.1.4:7777"], "the one that others can reach as well");
        finder.hear(from(9), &to_bytes(6, 7_777, &offer()));
        assert_eq!(addresses(&finder), ["192.168.1.4:7777", "192.168.1.9:7777"]);
    }

    #[test]
    fn malformed_datagrams_are_ignored_and_the_list_is_bounded() {
        let mut finder = Finder::at(local()).unwrap();
        let whole = to_bytes(5, 7_777, &offer());
        for end in 0..whole.len() {
            finder.hear(from(1), &whole[..end]);
        }
        finder.hear(from(1), &[&whole[..], &[0]].concat());
        finder.hear(from(1), &[&whole[..], &[0; MAX_BYTES]].concat());
        finder.hear(from(1), &to_bytes(5, 0, &offer()));
        finder.hear(from(1), b"BHNET\x03");
        assert_eq!(finder.hosts().next(), None);
        for id in 0..100 {
            finder.hear(from(1), &to_bytes(id, 7_777, &offer()));
        }
        assert_eq!(finder.hosts().count(), MAX_FOUND);
    }

    #[test]
    fn texts_of_strangers_are_shown_in_a_line() {
        let mut finder = Finder::at(local()).unwrap();
        let (name, mode) = ("\u{202e}\n".to_owned(), format!("a\n{}", "b".repeat(100)));
        finder.hear(from(1), &to_bytes(5, 7_777, &Offer { name, mode, ..offer() }));
        let found = finder.hosts().next().unwrap().offer.clone().unwrap();
        assert_eq!((found.name.as_str(), found.mode.len()), ("nameless", MAX_LETTERS));
        assert!(found.mode.starts_with("ab"));
    }

    #[test]
    fn host_of_another_version_is_listed_without_its_offer() {
        let mut finder = Finder::at(local()).unwrap();
        let mut other = to_bytes(5, 7_777, &offer());
        other[NAME.len()] = PROTOCOL + 1;
        other.truncate(HEAD_BYTES);
        finder.hear(from(1), &other);
        finder.hear(from(2), &to_bytes(6, 7_777, &Offer { version: "9.9.9".to_owned(), ..offer() }));
        let found: Vec<_> = finder.hosts().map(|host| (host.id, host.offer.clone())).collect();
        assert_eq!(found, [(5, None), (6, None)]);
    }

    #[test]
    fn host_is_told_of_where_it_can_be_joined() {
        let told = |own: &str| -> Vec<String> {
            let networks =
                [("127.0.0.1", "127.255.255.255"), ("192.168.1.5", "192.168.1.255"), ("10.0.0.2", "10.0.0.255")];
            let networks = networks.map(|(ip, broadcast)| (ip.parse().unwrap(), broadcast.parse().unwrap()));
            let own = SocketAddr::new(own.parse().unwrap(), 7_777);
            targets(own, networks.into_iter()).iter().map(|target| target.ip().to_string()).collect()
        };
        let everywhere = ["10.0.0.255", "127.0.0.1", "192.168.1.255", "255.255.255.255"];
        assert_eq!(told("::"), everywhere);
        assert_eq!(told("0.0.0.0"), everywhere);
        assert_eq!(told("10.0.0.2"), ["10.0.0.255", "127.0.0.1", "255.255.255.255"]);
        assert_eq!(told("127.0.0.1"), ["127.0.0.1"]);
        assert_eq!(told("fd00::5"), [""; 0]);
    }
}
