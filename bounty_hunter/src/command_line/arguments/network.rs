//! The arguments for playing over a network.

use bounty_hunter::name::PlayerName;
use clap::{ArgGroup, Args, value_parser};

use super::host_place::{HostPlace, Listen};

/// The arguments of [`Command::Play`](super::Command::Play) for a match over a network.
#[derive(Args, Clone, Debug, Default)]
#[command(group = ArgGroup::new("together").args(["host", "join"]))]
pub(crate) struct NetworkArguments {
    /// Host a match for players on other machines, on this UDP port or at this address [default: 7777 at all addresses]
    ///
    /// It listens on IPv4 and on IPv6, and prints the addresses to tell the others.
    ///
    /// The lobby shows who has joined. The match begins when all players are ready; AIs take the other seats. A player
    /// that joins later or comes back takes a seat of an AI.
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "7777", value_parser = Listen::parse)]
    #[arg(conflicts_with_all = ["join", "demo", "humans", "frames", "rewind", "load", "watch", "studio"])]
    pub(crate) host: Option<Listen>,
    /// Join the match of a host at this address, such as 192.168.1.5 or example.org:7777
    ///
    /// The host chooses the mode, the level, the players and the seed. Both need the same version of the game and the
    /// same assets.
    #[arg(long, value_name = "ADDRESS", value_parser = HostPlace::parse)]
    #[arg(conflicts_with_all = ["demo", "humans", "frames", "rewind", "seed", "players", "mode", "level", "load", "watch", "studio"])]
    pub(crate) join: Option<HostPlace>,
    /// Watch the match, without a seat
    #[arg(long, requires = "join")]
    pub(crate) spectate: bool,
    /// Show this name to the others [default: the first name in the settings]
    #[arg(long, value_name = "NAME", requires = "together")]
    pub(crate) name: Option<PlayerName>,
    /// Play without a window, along a fixed pattern, and print how the match and the line were
    ///
    /// The hash is that of the state after the step of --steps, or after which the match was over. The exit code is 0
    /// then, 1 if the host refuses or is not found, and 3 if the host is gone before.
    #[arg(long, requires = "together")]
    pub(crate) headless: bool,
    /// Without a window: begin when so many people are there, 1 to 8
    #[arg(long, value_name = "N", requires = "headless", default_value_t = 2, value_parser = value_parser!(u8).range(1..=8))]
    pub(crate) people: u8,
    /// Without a window: leave after so many steps of the match [default: at its end]
    #[arg(long, value_name = "N", requires = "headless", value_parser = value_parser!(u64).range(1..))]
    pub(crate) steps: Option<u64>,
}

/// The part of a peer in a match over a network.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Role {
    /// Listens.
    Host(Listen),
    /// Looks for a host.
    Guest(HostPlace),
}

impl NetworkArguments {
    /// The part that is asked for; `None` for a match on this machine alone.
    pub(crate) fn role(&self) -> Option<Role> {
        let host = self.host.map(Role::Host);
        host.or_else(|| self.join.clone().map(Role::Guest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::arguments::host_place::USUAL_PORT;
    use crate::command_line::arguments::{Arguments, Command, with_default_command};
    use clap::Parser;
    use std::ffi::OsString;
    use std::net::SocketAddr;

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
        let everywhere = |port| Some(Role::Host(Listen::Everywhere(port)));
        assert_eq!(role("bh --host --players 4").unwrap(), everywhere(USUAL_PORT));
        assert_eq!(role("bh --host 9000").unwrap(), everywhere(9_000));
        let here = Some(Role::Host(Listen::At(SocketAddr::from(([127, 0, 0, 1], 0)))));
        assert_eq!(role("bh --host 127.0.0.1:0").unwrap(), here);
        let place = HostPlace { machine: "example.org".into(), port: USUAL_PORT };
        assert_eq!(role("bh --join example.org --spectate").unwrap(), Some(Role::Guest(place)));
    }

    #[test]
    fn the_host_chooses_the_match() {
        for refused in [
            "--join a --players 3",
            "--join a --seed 1",
            "--join a --host",
            "--spectate",
            "--host --demo",
            "--host a..b",
            "--host 99999",
            "--join a:99999",
            "--headless",
            "--host --headless --steps 0",
        ] {
            assert!(role(&format!("bh play {refused}")).is_err(), "{refused}");
        }
    }
}
