//! A match over a network in the window.

mod lobby_screen;

use std::cell::RefCell;
use std::rc::Rc;

use crate::client::devices::{self, Devices};
use crate::client::screens::match_screen::MatchScreen;
use crate::client::screens::replay_screen::Leaving;
use crate::client::settings::SettingsFile;
use crate::client::translation::{tr, tr_later, tr_with};
use crate::client::window::{self, Pace};
use crate::client::{ClientError, Game, NetworkRole, Notice, PlayOptions};
use crate::network::{Address, LineNotice, LineWatch, NetInput, Peer};
use bounty_hunter_simulation::input::{Command, Inputs, Intent};
use bounty_hunter_simulation::simulation::StepReport;
use bounty_hunter_simulation::simulation::view::{GameState, PlayedBy, View};

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

/// Opens the window, shows the lobby of a match over a network and then the match, and returns when the person leaves
/// it. `addresses` of the host are shown in the lobby, and `line` learns how the line is.
///
/// # Errors
/// - [`ClientError::Options`] for options that contradict each other or the keymap.
/// - [`ClientError::NoDisplay`] and [`ClientError::Window`] if no window can be opened.
pub fn play(
    options: PlayOptions,
    peer: SharedPeer,
    line: SharedLine,
    addresses: Vec<Address>,
    after_step: AfterStep,
) -> Result<(), ClientError> {
    options.check()?;
    let file = devices::settings(&options.devices, false);
    let settings = file.settings.clone();
    window::run(Pace::Screen, &settings, move || run(options, file, peer, line, addresses, after_step))
}

/// Shows the lobby, then the match.
async fn run(
    options: PlayOptions,
    file: SettingsFile,
    peer: SharedPeer,
    line: SharedLine,
    addresses: Vec<Address>,
    after_step: AfterStep,
) -> Result<(), ClientError> {
    let mut devices = Devices::open(&options.devices, file, false);
    devices.sound.rest();
    if lobby_screen::run(&peer, &line, &addresses, &mut devices).await == Leaving::Back {
        let game = TogetherGame::new(Rc::clone(&peer), line, after_step);
        MatchScreen::new(Box::new(game), options, &devices.file.settings).run(&mut devices).await?;
    }
    peer.borrow_mut().leave();
    Ok(())
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

/// Why a peer may have nothing to do any more.
const REASONS: [&str; 6] = [
    tr_later("the lobby is full: ask the host for a place"),
    tr_later("the host has removed you from the match"),
    tr_later("the host plays with other assets: name the same directory with --assets"),
    tr_later("the host has left"),
    tr_later("the host does not answer any more"),
    tr_later("there is no answer from {host}: check the address, and that the host runs"),
];

/// A sentence from below the window in the chosen language: one of these English texts, in which at most one `{name}`
/// stands for a value. Another sentence stays as it is.
fn tr_sentence(sentence: &str, texts: &[&'static str]) -> String {
    let translated = |text: &&'static str| {
        let Some((before, (name, after))) =
            text.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        else {
            return (*text == sentence).then(|| tr(text).to_owned());
        };
        let value = sentence.strip_prefix(before)?.strip_suffix(after)?;
        Some(tr_with(text, &[(name, &value)]))
    };
    texts.iter().find_map(translated).unwrap_or_else(|| sentence.to_owned())
}

/// The sentence of [`Peer::ended`] in the chosen language.
pub(crate) fn tr_reason(reason: &str) -> String {
    tr_sentence(reason, &REASONS)
}

/// What to tell about the line, in the chosen language.
pub(crate) fn tr_notice(notice: &LineNotice) -> String {
    match notice {
        LineNotice::HostIsSilent => tr("The host does not answer").to_owned(),
        LineNotice::MatchWaitsForHost { seconds, plays: false } => {
            tr_with("The host does not answer: the match waits for it, {seconds} s at most", &[("seconds", seconds)])
        }
        LineNotice::MatchWaitsForHost { seconds, plays: true } => tr_with(
            "The host does not answer: the match waits, after {seconds} s you play on against AIs",
            &[("seconds", seconds)],
        ),
        LineNotice::HostIsGone => tr("The host is gone: you play on against AIs").to_owned(),
        LineNotice::Loading { percent } => tr_with("Loading the match: {percent} %", &[("percent", percent)]),
        LineNotice::Waiting(name) => tr_with("Waiting for {name}", &[("name", name)]),
        LineNotice::Joined(name) => tr_with("{name} has joined", &[("name", name)]),
        LineNotice::Left(name) => tr_with("{name} has left", &[("name", name)]),
        LineNotice::Dropped(name) => tr_with("{name} is gone: an AI plays on in this seat", &[("name", name)]),
        LineNotice::Returned(name) => tr_with("{name} is back", &[("name", name)]),
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
    use bounty_hunter_simulation::language::Language;

    #[test]
    fn sentence_from_below_the_window_is_found_with_its_value() {
        const TEXTS: [&str; 2] = ["it is over", "no answer from {host}: look"];
        let texts = [("it is over", "es ist vorbei"), ("no answer from {host}: look", "{host} schweigt")];
        let texts = texts.map(|(english, text)| (english.to_owned(), text.to_owned())).into();
        let language = Language { name: "Test".to_owned(), decimal_sign: ',', texts };
        set_languages(&[("test".to_owned(), language)].into());
        let all = || ["it is over", "no answer from {a}:7: look", "no"].map(|sentence| tr_sentence(sentence, &TEXTS));
        assert_eq!(all(), ["it is over", "no answer from {a}:7: look", "no"]);
        choose("test");
        assert_eq!(all(), ["es ist vorbei", "{a}:7 schweigt", "no"]);
    }

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
