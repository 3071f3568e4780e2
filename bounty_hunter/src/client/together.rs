//! A match over a network in the window.

mod lobby_screen;
mod search;
mod sentences;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::mpsc::Receiver;

pub(crate) use self::search::Search;
use self::sentences::{tr_notice, tr_reason};

use crate::client::devices::{self, Devices};
use crate::client::screens::match_screen::MatchScreen;
use crate::client::screens::replay_screen::Leaving;
use crate::client::settings::SettingsFile;
use crate::client::translation::{tr, tr_with};
use crate::client::window::{self, Pace};
use crate::client::{ClientError, Game, NetworkRole, Notice, PlayOptions};
use crate::network::{Address, Beacon, LineWatch, NetInput, Peer};
use bounty_hunter_simulation::input::{Command, Inputs, Intent};
use bounty_hunter_simulation::simulation::view::{GameState, PlayedBy, View};
use bounty_hunter_simulation::simulation::{MatchSetup, StepReport};

/// How long a sentence is shown.
const STEPS_TO_SHOW: u32 = 600;

/// A peer that outlives the window.
pub type SharedPeer = Rc<RefCell<Peer>>;

/// What was seen of the line of that peer.
pub type SharedLine = Rc<RefCell<LineWatch>>;

/// Steps by which a view may differ from the one before without a gap between them.
const STEPS_OF_A_JUMP: u64 = 20;

/// Called after each step with the peer; returns a sentence to show from then on.
pub type AfterStep = Box<dyn FnMut(&mut Peer) -> Option<String>>;

/// A match over a network that has not begun.
pub struct Lobby {
    /// The peer at this window.
    pub peer: SharedPeer,
    /// How its line is.
    pub line: SharedLine,
    /// The addresses of the host, which are shown.
    pub addresses: Vec<Address>,
    /// Tells the local network of this host.
    pub beacon: Option<Beacon>,
    /// What the program does after each step.
    pub after_step: AfterStep,
}

/// What a window asks the program for, to play over a network from its title. Each error is a sentence.
pub trait NetworkMatches {
    /// Opens a lobby for a match: its mode, a level that is not that of the mode, and its seats and length. `name` is
    /// that of the person at the window.
    ///
    /// # Errors
    /// - The match cannot be set up, or no socket can be opened.
    fn host(&mut self, mode: &str, level: Option<&str>, setup: &MatchSetup, name: &str) -> Result<Lobby, String>;

    /// Looks up the addresses of a host in what a person has typed; the answer may come later.
    ///
    /// # Errors
    /// - It is no address and no name.
    fn look_up(&mut self, text: &str) -> Result<LookUp, String>;

    /// Begins to join the host at one of these addresses.
    ///
    /// # Errors
    /// - No socket can be opened, or it reaches none of them.
    fn join(&mut self, addresses: &[Address], name: &str) -> Result<Lobby, String>;

    /// Is told of a match that the person at the window has left.
    fn leave(&mut self, peer: &mut Peer);
}

/// What brings the addresses of a host, or a sentence.
pub type LookUp = Receiver<Result<Vec<Address>, String>>;

/// The network of a window; `None` if it has none.
pub type Network = Option<Box<dyn NetworkMatches>>;

/// Opens the window, shows the lobby of a match over a network and then the match, and returns when the person leaves
/// it.
///
/// # Errors
/// - [`ClientError::Options`] for options that contradict each other or the keymap.
/// - [`ClientError::NoDisplay`] and [`ClientError::Window`] if no window can be opened.
pub fn play(options: PlayOptions, lobby: Lobby) -> Result<(), ClientError> {
    options.check()?;
    let file = devices::settings(&options.devices, false);
    let settings = file.settings.clone();
    window::run(Pace::Screen, &settings, move || run(options, file, lobby))
}

/// Shows the lobby, then the match.
async fn run(options: PlayOptions, file: SettingsFile, lobby: Lobby) -> Result<(), ClientError> {
    let mut devices = Devices::open(&options.devices, file, false);
    enter(lobby, &options, &mut devices).await.map(drop)
}

/// Shows a lobby and then its match in the running window, until the person leaves it or closes the window.
pub(crate) async fn play_lobby(
    lobby: Lobby,
    network: &mut Network,
    options: &PlayOptions,
    devices: &mut Devices,
) -> Result<Leaving, ClientError> {
    let peer = Rc::clone(&lobby.peer);
    let leaving = enter(lobby, options, devices).await?;
    if let Some(network) = network {
        network.leave(&mut peer.borrow_mut());
    }
    Ok(leaving)
}

async fn enter(mut lobby: Lobby, options: &PlayOptions, devices: &mut Devices) -> Result<Leaving, ClientError> {
    devices.sound.rest();
    let leaving = match lobby_screen::run(&mut lobby, devices).await {
        Some(leaving) => leaving,
        None => {
            let game = TogetherGame::new(Rc::clone(&lobby.peer), lobby.line, lobby.after_step);
            MatchScreen::new(Box::new(game), options.clone(), devices).run(devices).await?
        }
    };
    lobby.peer.borrow_mut().leave();
    Ok(leaving)
}

/// The match of a peer as the window sees it.
pub(crate) struct TogetherGame {
    peer: SharedPeer,
    line: SharedLine,
    after_step: AfterStep,
    /// The last sentence of `after_step`, and the steps left to show it.
    said: Option<(String, u32)>,
    /// What the person at this window wants, as of the last step.
    intent: Intent,
    tick: u64,
    has_jumped: bool,
    has_left: bool,
}

impl TogetherGame {
    pub(crate) fn new(peer: SharedPeer, line: SharedLine, after_step: AfterStep) -> Self {
        Self { peer, line, after_step, said: None, intent: Intent::IDLE, tick: 0, has_jumped: false, has_left: false }
    }
}

impl Game for TogetherGame {
    fn step(&mut self, inputs: &Inputs) -> StepReport {
        let mut peer = self.peer.borrow_mut();
        let state = peer.simulation().map_or(GameState::Started, |simulation| simulation.state());
        self.intent = inputs.intents.last().map_or(self.intent, |(_, intent)| *intent);
        let mut input = NetInput::driving(self.intent);
        for command in &inputs.commands {
            match command {
                Command::Pause | Command::Resume => input = input.pausing(),
                Command::Restart => input = input.restarting(),
                Command::Quit | Command::Close => self.has_left = true,
                Command::Cheat(_) | Command::TakeSeat(_) | Command::ReleaseSeat(_) => {}
            }
        }
        input = inputs.casts.iter().fold(input, |input, (_, spell)| input.casting(*spell));
        if peer.ended().is_none() {
            peer.step(input);
            self.line.borrow_mut().follow(&mut peer);
        }
        self.said = self.said.take().and_then(|(sentence, left)| Some((sentence, left.checked_sub(1)?)));
        if let Some(sentence) = (self.after_step)(&mut peer) {
            self.said = Some((sentence, STEPS_TO_SHOW));
        }
        let tick = peer.simulation().map_or(self.tick, |simulation| simulation.tick());
        self.has_jumped |= tick.abs_diff(self.tick) > STEPS_OF_A_JUMP;
        self.tick = tick;
        let state = peer.simulation().map_or(state, |simulation| simulation.state());
        StepReport { tick, state: if self.has_left { GameState::Terminated } else { state } }
    }

    fn view_into(&self, view: &mut View) {
        let peer = self.peer.borrow();
        let Some(simulation) = peer.simulation() else { return };
        simulation.view_into(view);
        for member in peer.members() {
            let player = member.seat.and_then(|seat| view.players.get_mut(seat as usize));
            let Some(player) = player else { continue };
            player.person = member.is_self.then_some(0);
            player.intent = self.intent;
            if player.is_person() {
                player.name = member.name;
            } else {
                // The match says who plays the seat: its person has dropped out, or has yet to catch up.
                player.name = tr_with("{name} (AI)", &[("name", &member.name)]);
                player.played_by = PlayedBy::StandIn;
            }
        }
    }

    fn network_role(&self) -> NetworkRole {
        let members = self.peer.borrow().members();
        let is_host = members.iter().any(|member| member.is_self && member.is_host);
        if is_host { NetworkRole::Host } else { NetworkRole::Guest }
    }

    fn has_ended(&self) -> bool {
        self.peer.borrow().ended().is_some()
    }

    fn take_jump(&mut self) -> bool {
        std::mem::take(&mut self.has_jumped)
    }

    fn steps_per_second(&self) -> u32 {
        self.peer.borrow().simulation().map_or(60, |simulation| simulation.steps_per_second())
    }

    fn notice(&self) -> Option<Notice> {
        if let Some(reason) = self.peer.borrow().ended() {
            return Some(Notice::foreign(format!("{} · {}", tr_reason(reason), tr("Escape closes"))));
        }
        let said = self.said.iter().map(|(sentence, _)| sentence.clone());
        let all: Vec<String> = self.line.borrow().notices().map(tr_notice).chain(said).collect();
        (!all.is_empty()).then(|| Notice::foreign(all.join(" · ")))
    }

    fn line_report(&self) -> Vec<String> {
        let line = self.line.borrow();
        let statistics = line.statistics();
        vec![
            format!("ping {} ms, {} waits", line.ping_ms(), statistics.waited),
            format!("{} rollbacks, deepest {}", statistics.rollbacks, statistics.deepest_rollback),
            format!("{} stalls, longest {}", statistics.stalled, statistics.longest_stall),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::picture::Picture;
    use crate::client::translation::{choose, set_languages};
    use crate::network::simulated_link::{LinkConditions, Network};
    use crate::network::{Address, Guest, Host, NetInput, Setup};
    use bounty_hunter_simulation::assets::Assets;

    /// Windows on a network; the first is that of the host.
    struct Table {
        network: Network,
        peers: Vec<SharedPeer>,
        games: Vec<TogetherGame>,
    }

    fn address(window: usize) -> Address {
        Address::from(([10, 0, 0, 1], 7_000 + window as u16))
    }

    impl Table {
        /// A match that has begun, of so many people with names of their own, spectators and AIs.
        fn of(people: usize, spectators: usize, players: u32) -> Self {
            let network = Network::new(LinkConditions { delay: 1.0, ..LinkConditions::default() }, 11);
            let assets = Assets::built_in().in_mode("classic").unwrap();
            let setup = Setup::new(&assets, "classic", players, 7, None).unwrap();
            let host = Host::new(network.end(address(0)), assets, setup, "person 0", 99);
            let mut peers = vec![Peer::from(host)];
            for index in 1..people + spectators {
                let (end, name, watches) = (network.end(address(index)), format!("person {index}"), index >= people);
                let secret = 1_000 + index as u64;
                peers.push(Guest::new(end, address(0), Assets::built_in(), &name, watches, secret).into());
            }
            peers[1..].iter_mut().for_each(|peer| peer.set_ready(true));
            for step in 0..600 {
                if peers.iter().all(|peer| peer.simulation().is_some()) {
                    break;
                }
                peers[0].set_ready(step > 100);
                network.pass(1.0);
                peers.iter_mut().for_each(|peer| peer.step(NetInput::default()));
            }
            let peers: Vec<SharedPeer> = peers.into_iter().map(|peer| Rc::new(RefCell::new(peer))).collect();
            let game =
                |peer: &SharedPeer| TogetherGame::new(Rc::clone(peer), SharedLine::default(), Box::new(|_| None));
            let games = peers.iter().map(game).collect();
            let mut table = Self { network, peers, games };
            table.steps(200, &[]);
            table
        }

        /// Steps of all windows but those that are away.
        fn steps(&mut self, steps: u32, away: &[usize]) {
            for _ in 0..steps {
                self.network.pass(1.0);
                for (_, game) in self.games.iter_mut().enumerate().filter(|(index, _)| !away.contains(index)) {
                    game.step(&Inputs::none());
                }
            }
        }

        fn view(&self, window: usize) -> View {
            Picture::new(&self.games[window]).view().clone()
        }

        fn notice(&self, window: usize) -> Option<String> {
            self.games[window].notice().map(|notice| notice.in_the_language())
        }
    }

    fn here(view: &View) -> Vec<&str> {
        view.players.iter().filter(|player| player.is_here()).map(|player| player.name.as_str()).collect()
    }

    #[test]
    fn each_window_knows_its_own_player_among_six_people_and_a_spectator_has_none() {
        let table = Table::of(6, 1, 8);
        for window in 0..6 {
            let view = table.view(window);
            assert_eq!(here(&view), [format!("person {window}")]);
            let people: Vec<u32> = (0..8).filter(|player| view.players[*player as usize].is_person()).collect();
            assert_eq!(people, [0, 1, 2, 3, 4, 5], "window {window} sees who plays");
        }
        let view = table.view(6);
        assert_eq!((here(&view), view.players.iter().filter(|player| player.is_person()).count()), (vec![], 6));
        assert!((0..7).all(|window| table.notice(window).is_none()));
    }

    #[test]
    fn ai_in_the_seat_of_a_person_who_has_dropped_out_is_marked_and_told_until_the_person_is_back() {
        let mut table = Table::of(3, 0, 4);
        table.steps(100, &[1]);
        assert_eq!(table.notice(0).as_deref(), Some("Waiting for person 1"), "within two seconds");
        table.steps(200, &[1]);
        for window in [0, 2] {
            let seat = &table.view(window).players[1];
            assert_eq!((seat.name.as_str(), seat.played_by), ("person 1 (AI)", PlayedBy::StandIn));
            let told = table.notice(window).unwrap();
            assert_eq!(told, "person 1 is gone: an AI plays on in this seat");
        }
        table.steps(700, &[]);
        assert_eq!(table.notice(0), None, "it is told for some seconds");
        for window in 0..3 {
            let seat = &table.view(window).players[1];
            assert_eq!((seat.name.as_str(), seat.played_by), ("person 1", PlayedBy::Person));
            assert_eq!(here(&table.view(window)), [format!("person {window}")]);
        }
    }

    #[test]
    fn silent_host_is_told_and_those_who_come_and_go() {
        let mut table = Table::of(2, 1, 4);
        table.steps(160, &[0]);
        let told = "The host does not answer: the match waits, after 30 s you play on against AIs";
        assert_eq!(table.notice(1).as_deref(), Some(told));
        let mut table = Table::of(2, 1, 4);
        table.peers[2].borrow_mut().leave();
        table.steps(60, &[2]);
        assert_eq!(table.notice(0).as_deref(), Some("person 2 has left"));
    }

    #[test]
    fn window_of_a_match_that_has_ended_says_why_until_the_person_closes_it() {
        let mut table = Table::of(2, 1, 4);
        table.peers[0].borrow_mut().leave();
        table.steps(60, &[0]);
        let reason = table.peers[2].borrow().ended().unwrap().to_owned();
        assert_eq!(table.notice(2), Some(format!("{reason} · Escape closes")));
        let spectator = &mut table.games[2];
        assert_ne!(spectator.step(&Inputs::none()).state, GameState::Terminated);
        assert_eq!(spectator.step(&Inputs::none().with(Command::Quit)).state, GameState::Terminated);
    }

    #[test]
    fn reason_of_an_end_is_told_in_the_language_of_the_window() {
        let mut guest = Peer::from(Guest::new(
            Network::new(LinkConditions::default(), 1).end(address(1)),
            address(0),
            Assets::built_in(),
            "person",
            false,
            7,
        ));
        (0..1_000).for_each(|_| guest.step(NetInput::default()));
        let mut table = Table::of(2, 1, 4);
        table.peers[0].borrow_mut().leave();
        table.steps(60, &[0]);
        set_languages(&Assets::built_in().languages);
        choose("de");
        assert!(tr_reason(guest.ended().unwrap()).starts_with("von 10.0.0.1:7000 kommt keine Antwort"));
        assert!(table.notice(2).unwrap().starts_with("der Gastgeber ist gegangen"));
        choose("");
    }

    #[test]
    fn line_is_reported_beside_the_times_of_frames() {
        let mut table = Table::of(2, 0, 4);
        table.steps(100, &[]);
        let report = table.games[1].line_report();
        assert!(report[0].starts_with("ping ") && !report[0].starts_with("ping 0 "), "{report:?}");
        assert!(report[1].contains(" rollbacks, deepest ") && report[2].contains(" stalls, longest "), "{report:?}");
    }
}
