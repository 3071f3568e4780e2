//! UDP sockets, and the addresses at which others reach them.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use socket2::{Domain, Protocol, Socket, Type};

use super::transport::{Address, Transport};

/// A UDP socket that never waits.
pub struct Udp {
    socket: UdpSocket,
    /// It is one of IPv6, which sees an address of IPv4 as `::ffff:192.168.1.5`. Everything else knows only
    /// `192.168.1.5`.
    is_ipv6: bool,
    /// It receives at all addresses of this machine, of IPv4 and of IPv6.
    has_both: bool,
}

impl Udp {
    /// Opens a socket at an address; port 0 is any free port.
    ///
    /// # Errors
    /// A sentence that names the address and the reason.
    pub fn open(address: Address) -> Result<Self, String> {
        let open = || Self::of(UdpSocket::bind(address)?, address.is_ipv6(), false);
        open().map_err(|error| refusal(&address, &error))
    }

    /// Opens a socket at all addresses of this machine, of IPv4 and of IPv6, or of IPv4 alone on a machine without
    /// IPv6; port 0 is any free port.
    ///
    /// # Errors
    /// A sentence that names the port and the reason.
    pub fn open_everywhere(port: u16) -> Result<Self, String> {
        let everywhere = SocketAddr::from((Ipv6Addr::UNSPECIFIED, port));
        let open = || {
            let socket = Socket::new(Domain::IPV6, Type::DGRAM, Some(Protocol::UDP))?;
            // What a system does unless it is told differs.
            socket.set_only_v6(false)?;
            socket.bind(&everywhere.into())?;
            Self::of(socket.into(), true, true)
        };
        match open() {
            Ok(socket) => Ok(socket),
            Err(error) if error.kind() == ErrorKind::AddrInUse => Err(refusal(&format_args!("port {port}"), &error)),
            Err(error) => {
                tracing::info!(target: "bounty_hunter::network", %error, "without IPv6");
                Self::open(SocketAddr::from((Ipv4Addr::UNSPECIFIED, port)))
            }
        }
    }

    fn of(socket: UdpSocket, is_ipv6: bool, has_both: bool) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        Ok(Self { socket, is_ipv6, has_both })
    }

    /// The address of the socket.
    ///
    /// # Errors
    /// A sentence with the reason.
    pub fn address(&self) -> Result<Address, String> {
        self.socket.local_addr().map_err(|error| format!("the socket has no address: {error}"))
    }

    /// Whether datagrams can be sent to an address of this kind.
    #[must_use]
    pub fn reaches(&self, other: Address) -> bool {
        if other.is_ipv6() { self.is_ipv6 } else { !self.is_ipv6 || self.has_both }
    }

    /// The addresses to tell others, who send to this socket: those of the machine in its networks, or the one at which
    /// it was opened.
    ///
    /// # Errors
    /// A sentence with the reason.
    pub fn addresses_to_tell(&self) -> Result<Vec<Address>, String> {
        let of_machine = if_addrs::get_if_addrs().map_err(|error| {
            format!("the addresses of this machine cannot be listed: {error}; name one with --host ADDRESS:PORT")
        })?;
        Ok(addresses_to_tell(self.address()?, self.has_both, of_machine.iter().map(if_addrs::Interface::ip)))
    }
}

fn refusal(place: &dyn std::fmt::Display, error: &io::Error) -> String {
    let remedy = match error.kind() {
        ErrorKind::AddrNotAvailable => "it is no address of this machine; choose a port alone with --host PORT",
        _ => "choose another port with --host PORT",
    };
    format!("{place} cannot be used: {error}; {remedy}")
}

/// Of the addresses of a machine those to which others can send, if a socket is at `own`: IPv4 first, because it is the
/// shortest to type.
fn addresses_to_tell(own: Address, has_both: bool, of_machine: impl Iterator<Item = IpAddr>) -> Vec<Address> {
    if !own.ip().is_unspecified() {
        return vec![own];
    }
    let is_told = |ip: &IpAddr| match ip {
        IpAddr::V4(ip) => (own.is_ipv4() || has_both) && !ip.is_link_local() && !ip.is_loopback(),
        // One of the link alone means something else on each machine.
        IpAddr::V6(ip) => own.is_ipv6() && !ip.is_unicast_link_local() && !ip.is_loopback(),
    };
    let mut told: Vec<IpAddr> = of_machine.filter(is_told).collect();
    told.sort_by_key(IpAddr::is_ipv6);
    if told.is_empty() {
        // Without a network, only programs on this machine reach it.
        told.push(if own.is_ipv4() || has_both { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() });
    }
    told.into_iter().map(|ip| SocketAddr::new(ip, own.port())).collect()
}

impl Transport for Udp {
    fn send(&mut self, to: Address, bytes: &[u8]) {
        let to = match to {
            SocketAddr::V4(to) if self.is_ipv6 => SocketAddr::new(to.ip().to_ipv6_mapped().into(), to.port()),
            to => to,
        };
        // What cannot be sent is lost, as on a bad line.
        let _ = self.socket.send_to(bytes, to);
    }

    fn receive(&mut self, buffer: &mut [u8]) -> Option<(Address, usize)> {
        loop {
            match self.socket.recv_from(buffer) {
                Ok((length, from)) => return Some((unmapped(from), length)),
                // An earlier datagram was not delivered, or this one was too long; both are lost.
                Err(error) if error.kind() == ErrorKind::ConnectionReset || error.raw_os_error() == Some(10_040) => {}
                Err(_) => return None,
            }
        }
    }
}

/// An address of IPv4 as such, also if it is written as one of IPv6.
#[must_use]
pub fn unmapped(address: Address) -> Address {
    match address.ip().to_canonical() {
        IpAddr::V4(ip) => SocketAddr::new(ip.into(), address.port()),
        // With its scope.
        IpAddr::V6(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(port: u16) -> [Address; 2] {
        [SocketAddr::from((Ipv4Addr::LOCALHOST, port)), SocketAddr::from((Ipv6Addr::LOCALHOST, port))]
    }

    /// Sends until it is received, and returns from where.
    fn sent(from: &mut Udp, to: &mut Udp, at: Address) -> Address {
        let mut buffer = [0; 8];
        for _ in 0..100_000 {
            from.send(at, b"word");
            if let Some((from, length)) = to.receive(&mut buffer) {
                assert_eq!(&buffer[..length], b"word");
                while to.receive(&mut buffer).is_some() {}
                return from;
            }
        }
        panic!("{at} hears nothing");
    }

    #[test]
    fn socket_for_everybody_hears_and_answers_both_kinds_of_addresses() {
        let mut host = Udp::open_everywhere(0).unwrap();
        let port = host.address().unwrap().port();
        let reached: Vec<Address> = local(port).into_iter().filter(|at| host.reaches(*at)).collect();
        assert_eq!(reached[0], local(port)[0]);
        for at in reached {
            let mut guest = Udp::open(SocketAddr::new(at.ip(), 0)).unwrap();
            let from = sent(&mut guest, &mut host, at);
            assert_eq!(from, guest.address().unwrap(), "an address of IPv4 stays one");
            assert_eq!(sent(&mut host, &mut guest, from), at);
        }
    }

    #[test]
    fn used_port_is_refused_with_its_number() {
        let port = Udp::open_everywhere(0).unwrap().address().unwrap().port();
        let _first = Udp::open_everywhere(port).unwrap();
        let second = Udp::open_everywhere(port).err().unwrap();
        assert!(second.starts_with(&format!("port {port} cannot be used: ")), "{second}");
        // An address for documents, which no machine has.
        let elsewhere = Udp::open(SocketAddr::from(([192, 0, 2, 1], 0))).map(|_| ()).unwrap_err();
        assert!(elsewhere.contains("it is no address of this machine"), "{elsewhere}");
    }

    #[test]
    fn others_are_told_the_addresses_that_they_reach() {
        let own = |ip: &str| SocketAddr::new(ip.parse().unwrap(), 7_777);
        let machine = ["127.0.0.1", "::1", "fd00::5", "fe80::1", "169.254.3.3", "192.168.1.5", "10.0.0.2"];
        let told = |at: &str, has_both: bool, machine: &[&str]| -> Vec<String> {
            let machine = machine.iter().map(|ip| ip.parse().unwrap());
            addresses_to_tell(own(at), has_both, machine).iter().map(Address::to_string).collect()
        };
        let of_4 = ["192.168.1.5:7777", "10.0.0.2:7777"];
        assert_eq!(told("::", true, &machine), [of_4[0], of_4[1], "[fd00::5]:7777"]);
        assert_eq!(told("0.0.0.0", false, &machine), of_4);
        assert_eq!(told("::", false, &machine), ["[fd00::5]:7777"]);
        assert_eq!(told("127.0.0.1", false, &machine), ["127.0.0.1:7777"], "only where it listens");
        assert_eq!(told("::", true, &machine[..2]), ["127.0.0.1:7777"], "there is no network");
        assert_eq!(told("::", false, &machine[..2]), ["[::1]:7777"]);
    }
}
