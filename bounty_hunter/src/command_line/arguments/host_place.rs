//! Where a host is: a port, an address, or the name of a machine.

use std::fmt;
use std::net::{Ipv6Addr, SocketAddr, ToSocketAddrs};

/// Where a host listens, and a guest looks for it, if nothing else is said.
pub(crate) const USUAL_PORT: u16 = 7_777;

/// Where a host listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listen {
    /// At all addresses of this machine, of IPv4 and of IPv6, on this port; 0 is any free one.
    Everywhere(u16),
    /// At one address, which may be that of a name, or at all of IPv4.
    At(SocketAddr),
}

impl Listen {
    /// Reads what stands behind `--host`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if is_number(text) {
            return port(text, 0).map(Self::Everywhere);
        }
        let (machine, given) = split(text, 0)?;
        // As guests do, it prefers IPv4.
        let found =
            (machine, given.unwrap_or(USUAL_PORT)).to_socket_addrs().map(|all| all.min_by_key(SocketAddr::is_ipv6));
        match found {
            Ok(Some(address)) if address.ip() == Ipv6Addr::UNSPECIFIED => Ok(Self::Everywhere(address.port())),
            Ok(Some(address)) => Ok(Self::At(address)),
            _ => Err(format!(
                "{machine} is neither a name nor an address of this machine: write a port, or an address with a port \
                 such as 127.0.0.1:7777"
            )),
        }
    }
}

/// Where a guest looks for its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostPlace {
    /// The name of the machine, or its address.
    pub(crate) machine: String,
    pub(crate) port: u16,
}

impl HostPlace {
    /// Reads what stands behind `--join`, or is typed in the window.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if is_number(text) {
            let port = port(text, 1)?;
            return Err(format!(
                "{port} is a port, and the address before it is missing: write one such as 192.168.1.5:{port}"
            ));
        }
        let (machine, port) = split(text, 1)?;
        Ok(Self { machine: machine.to_owned(), port: port.unwrap_or(USUAL_PORT) })
    }
}

impl fmt::Display for HostPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.machine.contains(':') {
            true => write!(out, "[{}]:{}", self.machine, self.port),
            false => write!(out, "{}:{}", self.machine, self.port),
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|letter| letter.is_ascii_digit())
}

/// The name or the address of a machine, and the port behind it if there is one. `least` is the smallest port.
fn split(text: &str, least: u16) -> Result<(&str, Option<u16>), String> {
    const BRACKETS: &str = "an IPv6 address with a port stands in brackets, such as [::1]:7777";
    let (machine, port_text) = if let Some(rest) = text.strip_prefix('[') {
        let (machine, rest) = rest.split_once(']').ok_or(BRACKETS)?;
        let port = rest.strip_prefix(':').filter(|_| !rest.is_empty());
        if port.is_none() && !rest.is_empty() || !is_ipv6(machine) {
            return Err(format!("{text} is no address: {BRACKETS}"));
        }
        (machine, port)
    } else if is_ipv6(text) {
        (text, None)
    } else if text.matches(':').count() > 1 && !text.contains('/') {
        return Err(format!("{text} is no address: {BRACKETS}"));
    } else {
        text.split_once(':')
            .filter(|_| !text.contains('/'))
            .map_or((text, None), |(machine, port)| (machine, Some(port)))
    };
    if machine.is_empty() {
        return Err("the address is missing: write one such as 192.168.1.5 or example.org:7777".to_owned());
    }
    if machine.contains(|letter: char| letter.is_whitespace() || letter.is_control() || "/\\@[]".contains(letter)) {
        return Err(format!(
            "{machine} is neither a name nor an address: write one such as 192.168.1.5 or example.org:7777"
        ));
    }
    Ok((machine, port_text.map(|text| port(text, least)).transpose()?))
}

/// Whether a text is an address of IPv6, which may have a zone.
fn is_ipv6(text: &str) -> bool {
    text.split('%').next().is_some_and(|address| address.parse::<Ipv6Addr>().is_ok())
}

fn port(text: &str, least: u16) -> Result<u16, String> {
    if text.is_empty() {
        return Err(format!(
            "the port after the colon is missing: write one such as {USUAL_PORT}, or leave the colon out"
        ));
    }
    let port = text.parse().ok().filter(|port| is_number(text) && *port >= least);
    port.ok_or_else(|| {
        let any = if least == 0 { "; 0 is any free port" } else { "" };
        format!("the port {text} is not between 1 and 65535{any}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{IpAddr, Ipv4Addr};

    fn join(text: &str) -> Result<(String, u16), String> {
        HostPlace::parse(text).map(|place| (place.machine, place.port))
    }

    #[test]
    fn addresses_may_lack_the_port() {
        let place = |machine: &str, port| Ok((machine.to_owned(), port));
        for machine in ["127.0.0.1", "example.org", "::1", "fe80::1%eth0", "2001:db8::7777"] {
            assert_eq!(join(machine), place(machine, USUAL_PORT));
        }
        for (text, machine) in [("127.0.0.1:80", "127.0.0.1"), ("a-b.example:80", "a-b.example"), (" [::1]:80 ", "::1")]
        {
            assert_eq!(join(text), place(machine, 80));
        }
        assert_eq!(join("[fe80::1%eth0]:1"), place("fe80::1%eth0", 1));
        assert_eq!(join("[::1]"), place("::1", USUAL_PORT));
        assert_eq!(join("example.org:65535"), place("example.org", 65_535));
        assert_eq!(HostPlace::parse("::1").unwrap().to_string(), "[::1]:7777");
        assert_eq!(HostPlace::parse("a:1").unwrap().to_string(), "a:1");
    }

    #[test]
    fn port_out_of_range_is_called_that_behind_each_kind_of_address() {
        let machines = ["127.0.0.1", "example.org", "localhost", "[::1]", "[fe80::1%2]", "[2001:db8::1]"];
        for port in ["0", "65536", "99999", "-1", "+80", "7e3", "80x", "99999999999999999999", "７", " 80"] {
            let sentence = format!("the port {port} is not between 1 and 65535");
            for machine in machines {
                assert_eq!(join(&format!("{machine}:{port}")), Err(sentence.clone()));
            }
        }
        for port in ["65536", "99999", "99999999999999999999"] {
            let sentence = format!("the port {port} is not between 1 and 65535; 0 is any free port");
            for text in [port.to_owned(), format!("0.0.0.0:{port}"), format!("[::1]:{port}"), format!("[::]:{port}")] {
                assert_eq!(Listen::parse(&text), Err(sentence.clone()), "{text}");
            }
        }
        assert_eq!(join("99999"), Err("the port 99999 is not between 1 and 65535".into()));
        assert!(join("7777").unwrap_err().contains("the address before it is missing"));
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        let says = |text: &str, part: &str| {
            let refused = join(text).unwrap_err();
            assert!(refused.contains(part), "{text}: {refused}");
        };
        for text in ["host:", "127.0.0.1:", "[::1]:"] {
            says(text, "the port after the colon is missing");
        }
        for text in ["", " ", ":7777", ":"] {
            says(text, "the address is missing");
        }
        for text in ["[::1", "[::1]7777", "[::1]]:1", "::1:99999", "1:2:3", "[]:80", "[host]:80", "a:b:80"] {
            says(text, "an IPv6 address with a port stands in brackets");
        }
        for text in ["http://host:7777/", "two words", "a@b", "ho\tst", "udp://[::1]:80"] {
            says(text, "is neither a name nor an address");
        }
    }

    #[test]
    fn host_listens_everywhere_or_at_one_address() {
        let at = |ip: IpAddr, port| Ok(Listen::At(SocketAddr::new(ip, port)));
        assert_eq!(Listen::parse("9000"), Ok(Listen::Everywhere(9_000)));
        assert_eq!(Listen::parse("0"), Ok(Listen::Everywhere(0)));
        assert_eq!(Listen::parse("[::]:80"), Ok(Listen::Everywhere(80)));
        assert_eq!(Listen::parse("0.0.0.0:80"), at(Ipv4Addr::UNSPECIFIED.into(), 80));
        assert_eq!(Listen::parse("127.0.0.1:0"), at(Ipv4Addr::LOCALHOST.into(), 0));
        assert_eq!(Listen::parse("::1"), at(Ipv6Addr::LOCALHOST.into(), USUAL_PORT));
        assert_eq!(Listen::parse("localhost:80"), at(Ipv4Addr::LOCALHOST.into(), 80));
        assert_eq!(Listen::parse(" LOCALHOST "), at(Ipv4Addr::LOCALHOST.into(), USUAL_PORT));
        for text in ["a..b", "a..b:80", "no host"] {
            assert!(Listen::parse(text).unwrap_err().contains("is neither a name nor an address"), "{text}");
        }
    }
}
