//! Hosts and joins matches over a network from the title: looks for hosts, asks one, and says why that failed.

use std::sync::mpsc::TryRecvError;

use super::sentences::tr_reason;
use super::{Lobby, LookUp, Network, NetworkMatches};
use crate::client::translation::{tr, tr_level, tr_mode, tr_with};
use crate::network::{Address, Finder, FoundHost, MAX_NETWORK_PLAYERS, NetInput};
use bounty_hunter_simulation::simulation::MatchSetup;

/// Steps of the clock for which the answer of a host is waited for: a little less than two seconds.
const STEPS_TO_ANSWER: u32 = 110;

/// The search for a match to join, and the attempt to join one.
pub(crate) struct Search<'a> {
    network: &'a mut dyn NetworkMatches,
    /// The name of the person at the window.
    name: String,
    /// `None` if this machine cannot listen for hosts.
    finder: Option<Finder>,
    joining: Option<Joining>,
    problem: Option<String>,
}

/// A host that was asked.
struct Joining {
    /// As it was chosen or typed.
    place: String,
    steps: u32,
    stage: Stage,
}

enum Stage {
    LookingUp(LookUp),
    Asking(Lobby),
}

/// What a step has brought.
enum Progress {
    Waits,
    LookedUp(Vec<Address>),
    Failed(String),
    /// The host has let the person in.
    IsIn,
}

impl Joining {
    /// Lets a step of the clock pass.
    fn step(&mut self) -> Progress {
        self.steps += 1;
        let lobby = match &self.stage {
            Stage::Asking(lobby) => lobby,
            Stage::LookingUp(look_up) => {
                return match look_up.try_recv() {
                    Ok(Ok(addresses)) => Progress::LookedUp(addresses),
                    Ok(Err(problem)) => Progress::Failed(problem),
                    Err(TryRecvError::Empty | TryRecvError::Disconnected) => Progress::Waits,
                };
            }
        };
        let mut peer = lobby.peer.borrow_mut();
        peer.step(NetInput::default());
        lobby.line.borrow_mut().follow(&mut peer);
        match peer.ended() {
            Some(reason) => Progress::Failed(reason.to_owned()),
            None if peer.members().is_empty() => Progress::Waits,
            None => Progress::IsIn,
        }
    }
}

impl<'a> Search<'a> {
    /// The most players of a match over a network.
    pub(crate) const MOST_PLAYERS: u32 = MAX_NETWORK_PLAYERS;

    /// Begins to look for hosts; `None` without a network.
    pub(crate) fn open(network: &'a mut Network, name: &str) -> Option<Self> {
        let refuse = |problem| tracing::warn!(target: "bounty_hunter::client", "hosts are not looked for: {problem}");
        let finder = Finder::open().map_err(refuse).ok();
        Self::with(network, name, finder)
    }

    fn with(network: &'a mut Network, name: &str, finder: Option<Finder>) -> Option<Self> {
        let (network, name) = (network.as_deref_mut()?, name.to_owned());
        Some(Self { network, name, finder, joining: None, problem: None })
    }

    /// Whether hosts are found by themselves.
    pub(crate) fn finds_hosts(&self) -> bool {
        self.finder.is_some()
    }

    /// The numbers of the hosts that were found, and of each its host, its match and its address in words.
    pub(crate) fn hosts(&self) -> Vec<(u64, [String; 3])> {
        self.finder.iter().flat_map(Finder::hosts).map(|host| (host.id, in_words(host))).collect()
    }

    /// Opens a lobby for a match; `None` if that failed, which [`problem`](Self::problem) tells.
    pub(crate) fn host(&mut self, mode: &str, level: Option<&str>, setup: &MatchSetup) -> Option<Lobby> {
        let opened = self.network.host(mode, level, setup, &self.name);
        opened.map_err(|problem| self.tell(&problem)).ok()
    }

    /// Asks a host that was found to let the person in.
    pub(crate) fn join_found(&mut self, id: u64) {
        let found = self.finder.iter().flat_map(Finder::hosts).find(|host| host.id == id);
        if let Some(address) = found.map(|host| host.address) {
            self.ask(address.to_string(), 0, &[address]);
        }
    }

    /// Asks the host at an address, or on a machine, that a person has typed.
    pub(crate) fn join_typed(&mut self, text: &str) {
        self.problem = None;
        match self.network.look_up(text) {
            Ok(look_up) => {
                self.joining = Some(Joining { place: text.to_owned(), steps: 0, stage: Stage::LookingUp(look_up) });
            }
            Err(problem) => self.tell(&problem),
        }
    }

    fn ask(&mut self, place: String, steps: u32, addresses: &[Address]) {
        tracing::info!(target: "bounty_hunter::client", place, "joining");
        self.problem = None;
        match self.network.join(addresses, &self.name) {
            Ok(lobby) => self.joining = Some(Joining { place, steps, stage: Stage::Asking(lobby) }),
            Err(problem) => self.tell(&problem),
        }
    }

    /// Lets a step of the clock pass. Returns the lobby once its host has let the person in.
    pub(crate) fn step(&mut self) -> Option<Lobby> {
        if let Some(finder) = &mut self.finder {
            finder.step();
        }
        let mut joining = self.joining.take()?;
        match joining.step() {
            Progress::Waits if joining.steps < STEPS_TO_ANSWER => self.joining = Some(joining),
            Progress::Waits => {
                let place = &joining.place;
                self.tell(&format!("there is no answer from {place}: check the address, and that the host runs"));
            }
            Progress::LookedUp(addresses) => self.ask(joining.place, joining.steps, &addresses),
            Progress::Failed(problem) => self.tell(&problem),
            Progress::IsIn => {
                if let Stage::Asking(lobby) = joining.stage {
                    return Some(lobby);
                }
            }
        }
        None
    }

    /// Where a host is asked; `None` while none is.
    pub(crate) fn asked(&self) -> Option<&str> {
        self.joining.as_ref().map(|joining| joining.place.as_str())
    }

    /// Stops asking, and tells the host so if it has let the person in.
    pub(crate) fn give_up(&mut self) {
        if let Some(Joining { stage: Stage::Asking(lobby), .. }) = self.joining.take() {
            lobby.peer.borrow_mut().leave();
        }
    }

    /// Why a match was not hosted or joined, in the chosen language.
    pub(crate) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Takes back what was told.
    pub(crate) fn forget_problem(&mut self) {
        self.problem = None;
    }

    fn tell(&mut self, problem: &str) {
        tracing::info!(target: "bounty_hunter::client", problem, "not joined");
        self.problem = Some(tr_reason(problem));
    }
}

fn in_words(host: &FoundHost) -> [String; 3] {
    let address = host.address.to_string();
    let Some(offer) = &host.offer else { return [tr("another version").to_owned(), String::new(), address] };
    let (mode, level) = (tr_mode(&offer.mode), tr_level(&offer.level));
    let offered = match offer.free_seats {
        1 => tr_with("{mode} in {level} · 1 seat free", &[("mode", &mode), ("level", &level)]),
        seats => {
            tr_with("{mode} in {level} · {seats} seats free", &[("mode", &mode), ("level", &level), ("seats", &seats)])
        }
    };
    [offer.name.clone(), offered, address]
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::sync::mpsc;

    use super::*;
    use crate::client::together::SharedLine;
    use crate::client::translation::{choose, set_languages};
    use crate::network::simulated_link::{LinkConditions, Network as Lines};
    use crate::network::{Guest, Host, Peer, Setup};
    use bounty_hunter_simulation::assets::Assets;

    /// The program behind a window, on a network in memory.
    struct Program {
        lines: Lines,
        guest: Address,
        /// Senders of look-ups that have no answer yet.
        slow: Vec<mpsc::Sender<Result<Vec<Address>, String>>>,
    }

    fn address(peer: u16) -> Address {
        Address::from(([10, 0, 0, 1], 7_000 + peer))
    }

    impl NetworkMatches for Program {
        fn host(&mut self, _: &str, _: Option<&str>, _: &MatchSetup, _: &str) -> Result<Lobby, String> {
            Err("the network of this machine cannot be used: it is off".to_owned())
        }

        fn look_up(&mut self, text: &str) -> Result<LookUp, String> {
            let (found, look_up) = mpsc::channel();
            match text {
                "slow" => self.slow.push(found),
                "unknown" => found.send(Err("there is no machine with the name unknown".to_owned())).unwrap(),
                "host" => found.send(Ok(vec![address(0)])).unwrap(),
                _ => return Err(format!("{text} is no address: write one such as 192.168.1.5 or example.org:7777")),
            }
            Ok(look_up)
        }

        fn join(&mut self, addresses: &[Address], name: &str) -> Result<Lobby, String> {
            let (end, assets) = (self.lines.end(self.guest), Assets::built_in());
            let peer = Peer::from(Guest::new(end, addresses[0], assets, name, false, 1_000));
            let (peer, line, addresses) = (Rc::new(RefCell::new(peer)), SharedLine::default(), addresses.to_vec());
            Ok(Lobby { peer, line, addresses, beacon: None, after_step: Box::new(|_| None) })
        }

        fn leave(&mut self, _: &mut Peer) {}
    }

    /// A host whose match differs in one way from the usual one, guests that are there already, and the search.
    struct Table {
        lines: Lines,
        peers: Vec<Peer>,
        network: Network,
    }

    impl Table {
        fn new(guests: u16, change: impl FnOnce(&mut Setup)) -> Self {
            let lines = Lines::new(LinkConditions { delay: 1.0, ..LinkConditions::default() }, 11);
            let assets = Assets::built_in().in_mode("classic").unwrap();
            let mut setup = Setup::new(&assets, "classic", 8, 7, None).unwrap();
            change(&mut setup);
            let mut peers = vec![Peer::from(Host::new(lines.end(address(0)), assets, setup, "Ada", 99))];
            for guest in 1..=guests {
                let (end, assets, secret) = (lines.end(address(guest)), Assets::built_in(), u64::from(guest));
                peers.push(Guest::new(end, address(0), assets, "guest", false, secret).into());
            }
            let program = Program { lines: lines.clone(), guest: address(20), slow: Vec::new() };
            let mut table = Self { lines, peers, network: Some(Box::new(program)) };
            (0..120).for_each(|_| pass(&table.lines, &mut table.peers));
            table
        }

        /// What becomes of an attempt to join within two seconds: the names in the lobby, or the problem.
        fn joined(&mut self, typed: &str) -> Result<Vec<String>, String> {
            let mut search = Search::with(&mut self.network, "Grace", None).unwrap();
            search.join_typed(typed);
            for _ in 0..120 {
                pass(&self.lines, &mut self.peers);
                if let Some(lobby) = search.step() {
                    let members = lobby.peer.borrow().members();
                    return Ok(members.into_iter().map(|member| member.name).collect());
                }
            }
            assert_eq!(search.asked(), None, "the person is told within two seconds");
            Err(search.problem().unwrap_or_default().to_owned())
        }
    }

    fn pass(lines: &Lines, peers: &mut [Peer]) {
        lines.pass(1.0);
        peers.iter_mut().for_each(|peer| peer.step(NetInput::default()));
    }

    #[test]
    fn host_lets_a_person_in_who_has_typed_its_address() {
        assert_eq!(Table::new(0, |_| {}).joined("host"), Ok(vec!["Ada".to_owned(), "Grace".to_owned()]));
    }

    #[test]
    fn whatever_goes_wrong_is_told_within_two_seconds_in_the_language_of_the_window() {
        set_languages(&Assets::built_in().languages);
        choose("de");
        let told = |mut table: Table, typed: &str| table.joined(typed).unwrap_err();
        let silent = Table::new(0, |_| {});
        silent.lines.cut(address(0), address(20));
        assert!(told(silent, "host").starts_with("von host kommt keine Antwort"));
        assert!(told(Table::new(0, |_| {}), "slow").starts_with("von slow kommt keine Antwort"));
        assert!(told(Table::new(7, |_| {}), "host").starts_with("die Runde ist voll"));
        let other_version = Table::new(0, |setup| setup.version = "9.9.9".to_owned());
        assert!(told(other_version, "host").starts_with("der Gastgeber spielt Version 9.9.9 des Spiels"));
        let other_assets = Table::new(0, |setup| setup.configuration += 1);
        assert!(told(other_assets, "host").starts_with("der Gastgeber spielt mit anderen"));
        assert_eq!(told(Table::new(0, |_| {}), "unknown"), "es gibt keinen Rechner mit dem Namen unknown");
        assert!(told(Table::new(0, |_| {}), "a b").starts_with("a b ist keine Adresse"));
        choose("");
    }

    #[test]
    fn match_that_cannot_be_hosted_is_a_sentence_and_an_attempt_can_be_given_up() {
        let mut table = Table::new(0, |_| {});
        let mut search = Search::with(&mut table.network, "Grace", None).unwrap();
        assert!(search.host("classic", None, &MatchSetup::of_ais(7, 4, "normal")).is_none());
        assert_eq!(search.problem(), Some("the network of this machine cannot be used: it is off"));
        search.join_typed("slow");
        assert_eq!((search.asked(), search.problem()), (Some("slow"), None));
        search.give_up();
        assert_eq!(search.asked(), None);
        assert!(Search::with(&mut None, "Grace", None).is_none());
    }
}
