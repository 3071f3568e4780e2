//! The arguments for playing over a network.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use bounty_hunter::name::PlayerName;
use clap::{ArgGroup, Args, value_parser};

/// Where a host listens, and a guest looks for it, if nothing else is said.
pub(crate) const USUAL_PORT: u16 = 7_777;

/// The arguments of [`Command::Play`](super::Command::Play) for a match over a network.
#[derive(Args, Clone, Debug, Default)]
#[command(group = ArgGroup::new("together").args(["host", "join"]))]
pub(crate) struct NetworkArguments {
    /// Host a match for players on other machines, on this UDP port or at this address [default: 7777 at all addresses]
    ///
    /// The lobby shows who has joined. The match begins when all players are ready; AIs take the other seats. A player that
    /// joins later or comes back takes a seat of an AI.
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "7777", value_parser = host_address)]
    #[arg(conflicts_with_all = ["join", "demo", "humans", "frames", "rewind"])]
    #[cfg_attr(feature = "saves", arg(conflicts_with = "load"))]
    #[cfg_attr(feature = "hot-reload", arg(conflicts_with = "watch"))]
    #[cfg_attr(feature = "studio", arg(conflicts_with = "studio"))]
    pub(crate) host: Option<SocketAddr>,
    /// Join the match of a host at this address, such as 192.168.1.5 or example.org:7777
    ///
    /// The host chooses the mode, the level, the players and the seed. Both need the same version of the game and the same assets.
    #[arg(long, value_name = "ADDRESS")]
    #[arg(conflicts_with_all = ["demo", "humans", "frames", "rewind", "seed", "players", "mode", "level"])]
    #[cfg_attr(feature = "saves", arg(conflicts_with = "load"))]
    #[cfg_attr(feature = "hot-reload", arg(conflicts_with = "watch"))]
    #[cfg_attr(feature = "studio", arg(conflicts_with = "studio"))]
    pub(crate) join: Option<String>,
    /// Watch the match, without a seat
    #[arg(long, requires = "join")]
    pub(crate) spectate: bool,
    /// Show this name to the others [default: the first name in the settings]
    #[arg(long, value_name = "NAME", requires = "together")]
    pub(crate) name: Option<PlayerName>,
    /// Play without a window, along a fixed pattern, and print how the match and the line were
    #[arg(long, requires = "together")]
    pub(crate) headless: bool,
    /// Without a window: begin when so many people are there, 1 to 8
    #[arg(long, value_name = "N", requires = "headless", default_value_t = 2, value_parser = value_parser!(u8).range(1..=8))]
    pub(crate) people: u8,
    /// Without a window: leave after so many steps of the match [default: at its end]
    #[arg(long, value_name = "N", requires = "headless")]
    pub(crate) steps: Option<u64>,
}

/// The part of a peer in a match over a network.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Role {
    /// Listens at an address.
    Host(SocketAddr),
    /// Looks for a host at an address, which may be a name.
    Guest(String),
}

impl NetworkArguments {
    /// The part that is asked for; `None` for a match on this machine alone.
    pub(crate) fn role(&self) -> Option<Role> {
        let host = self.host.map(Role::Host);
        host.or_else(|| self.join.clone().map(Role::Guest))
    }
}

fn host_address(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().map(|port: u16| SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), port));
    port.or_else(|_| text.parse())
        .map_err(|_| "must be a port, or an address with a port such as 127.0.0.1:7777".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::arguments::{Arguments, Command, with_default_command};
    use clap::Parser;
    use std::ffi::OsString;

    fn role(arguments: &str) -> Result<Option<Role>, String> {
        let words = arguments.split_whitespace().map(OsString::from);
        match Arguments::try_parse_from(with_default_command(words)).map_err(|error| error.to_string())?.command {
            Command::Play(play) => Ok(play.network.role()),
            other => panic!("{arguments} is {other:?}"),
        }
    }

    #[test]
    fn nothing_listens_unless_it_is_told_to() {
        assert_eq!(role("bh --players 4").unwrap(), None);
        let anywhere = |port| Some(Role::Host(SocketAddr::from(([0, 0, 0, 0], port))));
        assert_eq!(role("bh --host --players 4").unwrap(), anywhere(USUAL_PORT));
        assert_eq!(role("bh --host 9000").unwrap(), anywhere(9_000));
        let here = Some(Role::Host(SocketAddr::from(([127, 0, 0, 1], 0))));
        assert_eq!(role("bh --host 127.0.0.1:0").unwrap(), here);
        assert_eq!(role("bh --join example.org --spectate").unwrap(), Some(Role::Guest("example.org".into())));
    }

    #[test]
    fn the_host_chooses_the_match() {
        for refused in [
            "--join a --players 3",
            "--join a --seed 1",
            "--join a --host",
            "--spectate",
            "--host --demo",
            "--host x",
            "--headless",
        ] {
            assert!(role(&format!("bh play {refused}")).is_err(), "{refused}");
        }
    }
}
