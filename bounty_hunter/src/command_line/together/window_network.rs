//! Matches over a network that are hosted and joined from the title of the window.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::mpsc;
use std::thread;

use bounty_hunter::assets::Assets;
use bounty_hunter::client::together::{Lobby, LookUp, Network, NetworkMatches, SharedLine};
use bounty_hunter::network::{Address, Beacon, Guest, Host, MAX_NETWORK_PLAYERS, Peer, Setup, Udp};
use bounty_hunter::replay::Replay;
use bounty_hunter::simulation::{MatchSetup, Seat};

use super::{addresses_of, beacon, not_recorded, report_desyncs, secret};
use crate::command_line::Failure;
use crate::command_line::arguments::{HostPlace, PlayArguments, USUAL_PORT};

/// The network of a window that opens with its title, and what was played over it. A window that follows files or is
/// inspected has none, as with the options of the command line.
pub(crate) fn of_the_window(assets: &Assets, arguments: &PlayArguments) -> (Network, Played) {
    let played = Played::default();
    if arguments.watch || arguments.studio.studio.is_some() {
        return (None, played);
    }
    let directory = arguments.record.as_deref().and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
    let network = WindowNetwork { assets: assets.clone(), seed: arguments.seed, directory, played: played.clone() };
    (Some(Box::new(network)), played)
}

/// The last match over a network, if no other match followed it: its replay, or `None` for one that was not seen from
/// its beginning.
#[derive(Clone, Default)]
pub(crate) struct Played(Rc<RefCell<Option<Option<Replay>>>>);

impl Played {
    /// Forgets it, because another match follows.
    pub(crate) fn forget(&self) {
        self.0.take();
    }

    /// Its replay, if it was the last of all matches.
    pub(crate) fn last(&self) -> Option<Result<Replay, Failure>> {
        self.0.take().map(|replay| replay.ok_or_else(not_recorded))
    }
}

struct WindowNetwork {
    /// Those of all modes.
    assets: Assets,
    seed: Option<u64>,
    /// Where states that differ are written.
    directory: PathBuf,
    played: Played,
}

impl WindowNetwork {
    fn lobby(&self, peer: impl Into<Peer>, addresses: Vec<Address>, beacon: Option<Beacon>) -> Lobby {
        let directory = self.directory.clone();
        let after_step = Box::new(move |peer: &mut Peer| report_desyncs(peer, &directory));
        Lobby { peer: Rc::new(RefCell::new(peer.into())), line: SharedLine::default(), addresses, beacon, after_step }
    }
}

impl NetworkMatches for WindowNetwork {
    fn host(&mut self, mode: &str, level: Option<&str>, setup: &MatchSetup, name: &str) -> Result<Lobby, String> {
        let refuse = |problem: &dyn std::fmt::Display| format!("the match cannot be set up: {problem}");
        let assets = self.assets.clone();
        let assets =
            level.map_or(Ok(assets.clone()), |level| assets.in_level(level)).map_err(|error| refuse(&error))?;
        let assets = assets.in_mode(mode).map_err(|error| refuse(&error))?;
        let players = u32::try_from(setup.seats.len()).unwrap_or(u32::MAX).min(MAX_NETWORK_PLAYERS);
        let seed = self.seed.unwrap_or_else(secret);
        let hosted = Setup::new(&assets, mode, players, seed, setup.play_seconds);
        let hosted = match one_ai(setup) {
            Some(ai) => hosted.and_then(|hosted| hosted.with_ai(&assets, ai)),
            None => hosted,
        };
        let hosted = hosted.map_err(|error| refuse(&error))?;
        // Friends find or are told the port, so any will do.
        let socket = Udp::open_everywhere(USUAL_PORT).or_else(|_| Udp::open_everywhere(0)).map_err(unusable)?;
        let addresses = socket.addresses_to_tell().map_err(unusable)?;
        let beacon = beacon(&socket);
        Ok(self.lobby(Host::new(socket, assets, hosted, name, secret()), addresses, beacon))
    }

    fn look_up(&mut self, text: &str) -> Result<LookUp, String> {
        let wrong = |_| format!("{text} is no address: write one such as 192.168.1.5 or example.org:7777");
        let place = HostPlace::parse(text).map_err(wrong)?;
        let (found, look_up) = mpsc::channel();
        let answer = move || {
            let unknown = |_| format!("there is no machine with the name {}", place.machine);
            // The window may not wait for it any more.
            let _ = found.send(addresses_of(&place).map_err(unknown));
        };
        // A name may take seconds.
        thread::Builder::new().name("look-up".to_owned()).spawn(answer).map_err(unusable)?;
        Ok(look_up)
    }

    fn join(&mut self, addresses: &[Address], name: &str) -> Result<Lobby, String> {
        let socket = Udp::open_everywhere(0).map_err(unusable)?;
        let host = addresses.iter().find(|address| socket.reaches(**address));
        let host = *host.ok_or_else(|| unusable("it has no IPv6, and the host has only that"))?;
        let guest = Guest::new(socket, host, self.assets.clone(), name, false, secret());
        Ok(self.lobby(guest, vec![host], None))
    }

    fn leave(&mut self, peer: &mut Peer) {
        if peer.simulation().is_some() {
            self.played.0.replace(Some(peer.replay()));
        }
    }
}

/// The AI of all seats without a person, if it is one.
fn one_ai(setup: &MatchSetup) -> Option<&str> {
    let mut ais = setup.seats.iter().filter_map(|seat| match seat {
        Seat::Ai { profile } => Some(profile.as_str()),
        _ => None,
    });
    let first = ais.next()?;
    ais.all(|other| other == first).then_some(first)
}

fn unusable(problem: impl std::fmt::Display) -> String {
    format!("the network of this machine cannot be used: {problem}")
}
