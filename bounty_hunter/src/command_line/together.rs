//! `bounty_hunter play --host` and `--join`: a match over a network.

#[cfg_attr(not(feature = "client"), path = "together/no_window.rs")]
mod window;
#[cfg(feature = "client")]
mod window_network;

use std::cell::RefCell;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::{Write, stderr, stdout};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Intent;
use bounty_hunter::name::PlayerName;
use bounty_hunter::network::{
    Address, Beacon, Desync, Guest, Host, HostLoss, LineNotice, LineWatch, NetInput, Peer, Setup, Udp, unmapped,
};
use bounty_hunter::replay::Replay;

#[cfg(feature = "client")]
pub(crate) use self::window_network::of_the_window;
use super::Failure;
use super::arguments::{HostPlace, Listen, NetworkArguments, PlayArguments, Role};
use super::output::write_line;
use super::pace::Pace;
use super::replay;

/// The time of a step of the clock.
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// Steps that a headless peer stays after its match, so that the last inputs reach the others; a host until all have
/// them, at most so many.
const STEPS_TO_LEAVE: u32 = 60;
const MOST_STEPS_TO_LEAVE: u32 = 600;

/// Plays in a window, or without one, until the match is left. `assets` are in the mode that is asked for, which counts
/// for a host; a guest finds its mode in `all_assets`.
pub(crate) fn play(
    assets: Assets,
    all_assets: Assets,
    arguments: &PlayArguments,
    role: Role,
    players: u32,
) -> Result<(), Failure> {
    let options = &arguments.network;
    let name = name(&assets, options.name.as_ref());
    let (peer, addresses, mut beacon) = match &role {
        Role::Host(listen) => {
            check_people(options, players).map_err(Failure::BadInput)?;
            let seed = arguments.seed.unwrap_or_else(secret);
            let setup = Setup::new(&assets, arguments.game.mode(), players, seed, None).map_err(Failure::BadInput)?;
            let socket = match *listen {
                Listen::Everywhere(port) => Udp::open_everywhere(port),
                Listen::At(address) => Udp::open(address),
            };
            let socket = socket.map_err(Failure::Machine)?;
            let addresses = socket.addresses_to_tell().map_err(Failure::Machine)?;
            let told: Vec<String> = addresses.iter().map(Address::to_string).collect();
            write_line(&mut stdout(), format_args!("the host is at {}", told.join(" and ")))?;
            let beacon = beacon(&socket);
            (Peer::from(Host::new(socket, assets.clone(), setup, &name, secret())), addresses, beacon)
        }
        Role::Guest(place) => {
            // Other guests may have addresses of the other kind.
            let socket = Udp::open_everywhere(0).map_err(Failure::Machine)?;
            let host = resolve(place, &socket).map_err(Failure::Machine)?;
            let guest = Guest::new(socket, host, all_assets, &name, options.spectate, secret());
            (Peer::from(guest), vec![host], None)
        }
    };
    let peer = Rc::new(RefCell::new(peer));
    let line = Rc::<RefCell<LineWatch>>::default();
    let directory = arguments.record.as_deref().and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
    let outcome = match options.headless {
        true => play_headless(&mut peer.borrow_mut(), &mut beacon, &mut line.borrow_mut(), arguments, &directory),
        false => window::play(&assets, arguments, players, (&peer, &line), (addresses, beacon), directory)
            .and_then(|()| ended_by_the_host(&peer.borrow())),
    };
    let mut peer = peer.borrow_mut();
    if let Some(simulation) = peer.simulation_mut().filter(|_| arguments.memory) {
        // Standard output is for what others read.
        _ = write!(stderr(), "{}", simulation.engine_mut().memory());
    }
    let recorded = match (&arguments.record, peer.replay()) {
        (Some(file), Some(replay)) => replay::write(file, &replay),
        (Some(_), None) => Err(not_recorded()),
        (None, _) => Ok(()),
    };
    outcome.and(recorded)
}

fn not_recorded() -> Failure {
    let sentence = "the replay is not written: only a peer that sees a match from its beginning can record it";
    Failure::Machine(sentence.to_owned())
}

/// Refuses to wait for more people than there are seats.
fn check_people(options: &NetworkArguments, players: u32) -> Result<(), String> {
    match options.headless && u32::from(options.people) > players {
        true => Err(format!("--people is {}, must be at most {players}, the number of players", options.people)),
        false => Ok(()),
    }
}

/// Why a guest had nothing to do any more, if that was no usual end.
fn ended_by_the_host(peer: &Peer) -> Result<(), Failure> {
    match (peer.ended(), peer.host_loss()) {
        (None, _) | (_, Some(HostLoss::Left)) => Ok(()),
        (Some(reason), Some(HostLoss::Silent)) => Err(Failure::HostGone(reason.to_owned())),
        (Some(reason), None) => Err(Failure::Machine(reason.to_owned())),
    }
}

/// The beacon of a build without a network, which sends nothing.
fn beacon(socket: &Udp) -> Option<Beacon> {
    let opened = socket.address().and_then(|own| Beacon::open(own, secret()));
    opened.map_err(|problem| tracing::warn!(target: "bounty_hunter::network", "{problem}")).ok()
}

/// Plays along a pattern, in real time, and prints what others should know and how it was.
fn play_headless(
    peer: &mut Peer,
    beacon: &mut Option<Beacon>,
    line: &mut LineWatch,
    arguments: &PlayArguments,
    directory: &Path,
) -> Result<(), Failure> {
    let options = &arguments.network;
    let mut pace = Pace::new(STEP, Instant::now());
    let mut told = Vec::new();
    // The step that was asked for, or after which the match was over, and the hash of the state after it.
    let (mut end, mut steps_after_the_end) = (None, 0);
    for step in 1_u32.. {
        let here = peer.members().iter().filter(|member| member.is_here && member.seat.is_some()).count();
        peer.set_ready(options.host.is_none() || here >= usize::from(options.people));
        let drive = if step % 240 < 200 { 1.0 } else { -0.5 };
        let turn = [0.0, 0.6, 0.0, -0.6][(step / 45) as usize % 4];
        peer.step(NetInput::driving(Intent { drive, turn }));
        line.follow(peer);
        beacon.iter_mut().for_each(|beacon| beacon.follow(peer));
        if let Some(sentence) = report_desyncs(peer, directory) {
            write_line(&mut stdout(), format_args!("{sentence}"))?;
        }
        let notices: Vec<LineNotice> = line.notices().filter_map(without_a_window).collect();
        for notice in notices.iter().filter(|notice| !told.contains(*notice)) {
            write_line(&mut stdout(), format_args!("{notice}"))?;
        }
        told = notices;
        if end.is_none() {
            let asked_for = options.steps.filter(|steps| peer.confirmed() >= *steps);
            end = asked_for.or_else(|| peer.over()).map(|step| (step, peer.hash_at(step)));
        }
        match (end, peer.host_loss()) {
            (None, None) if peer.ended().is_some() => return ended_by_the_host(peer),
            (None, Some(loss)) => {
                write_end(peer, None, line)?;
                return end_without_a_host(loss, options);
            }
            (Some(_), Some(_)) => break,
            (Some((last, _)), None) => {
                steps_after_the_end += 1;
                let is_missing = peer.confirmed_by_all().is_some_and(|confirmed| confirmed < last);
                let most = if is_missing { MOST_STEPS_TO_LEAVE } else { STEPS_TO_LEAVE };
                if steps_after_the_end >= most {
                    break;
                }
            }
            (None, None) => {}
        }
        pace.wait();
    }
    peer.leave();
    write_end(peer, end, line)
}

/// What a headless peer says of a notice: not each percent of a download, and not that it plays on without its host,
/// which only a person does.
fn without_a_window(notice: &LineNotice) -> Option<LineNotice> {
    match notice {
        LineNotice::Loading { .. } | LineNotice::HostIsGone => None,
        &LineNotice::MatchWaitsForHost { seconds, .. } => Some(LineNotice::MatchWaitsForHost { seconds, plays: false }),
        other => Some(other.clone()),
    }
}

/// What a headless guest makes of the loss of its host before its own end: only one that watched as long as there was
/// something to see is content.
fn end_without_a_host(loss: HostLoss, options: &NetworkArguments) -> Result<(), Failure> {
    match loss {
        HostLoss::Left if options.spectate && options.steps.is_none() => Ok(()),
        HostLoss::Left => Err(Failure::HostGone("the host has left before the end of the match".to_owned())),
        HostLoss::Silent => Err(Failure::HostGone("the host does not answer any more".to_owned())),
    }
}

/// Prints how the match was up to the step `end`, and the hash of its state.
fn write_end(peer: &mut Peer, end: Option<(u64, Option<u64>)>, line: &LineWatch) -> Result<(), Failure> {
    let hash = match end.or_else(|| peer.last_hash().map(|(step, hash)| (step, Some(hash)))) {
        Some((step, Some(hash))) => format!("hash {hash:016x} at {step}"),
        Some((step, None)) => format!("no hash at {step}, which this peer did not see"),
        None => "no hash".to_owned(),
    };
    write_line(&mut stdout(), format_args!("confirmed {} steps, {hash}; {line}", peer.confirmed()))
}

/// Writes what is known about differences between peers, and returns a sentence about the last one.
fn report_desyncs(peer: &mut Peer, directory: &Path) -> Option<String> {
    let desyncs = peer.take_desyncs();
    let replay = if desyncs.is_empty() { None } else { peer.replay() };
    let mut sentence = None;
    for desync in desyncs {
        let (said, errors) = report_desync(desync, replay.as_ref(), directory);
        errors.iter().for_each(|error| tracing::error!(target: "bounty_hunter::network", "{error}"));
        tracing::error!(target: "bounty_hunter::network", "{said}");
        sentence = Some(said);
    }
    sentence
}

/// Writes both states and the replay; returns a sentence about the difference, and one for each file that cannot be
/// written.
fn report_desync(desync: Desync, replay: Option<&Replay>, directory: &Path) -> (String, Vec<String>) {
    let Desync { tick, member_id, member, difference, common, own, other } = desync;
    // Two members may differ at the same step.
    let file = |name: &str| directory.join(format!("desync-{tick}-{member_id}-{name}"));
    let parts = [
        ("common.save", common),
        ("host.save", Some(own)),
        ("member.save", other),
        ("match.replay", replay.map(Replay::to_bytes)),
    ];
    let write = |(name, bytes): (&str, Option<Vec<u8>>)| {
        let error = fs::write(file(name), bytes?).err()?;
        Some(format!("{} cannot be written: {error}", file(name).display()))
    };
    let errors = parts.into_iter().filter_map(write).collect();
    (format!("step {tick} differs at {member}: {difference}; see {}", file("*").display()), errors)
}

/// The address of a host that a socket reaches.
fn resolve(place: &HostPlace, socket: &Udp) -> Result<SocketAddr, String> {
    let all = addresses_of(place).map_err(|error| format!("the host {place} cannot be found: {error}"))?;
    let first = all.into_iter().find(|address| socket.reaches(*address));
    first.ok_or_else(|| format!("the host {place} has only IPv6 addresses, and this machine has no IPv6"))
}

/// The addresses of a host, in the order in which they are tried.
fn addresses_of(place: &HostPlace) -> std::io::Result<Vec<SocketAddr>> {
    let all = (place.machine.as_str(), place.port).to_socket_addrs()?;
    let mut all: Vec<SocketAddr> = all.map(unmapped).collect();
    // A host may listen at one address of IPv4 alone, and few at one of IPv6 alone.
    all.sort_by_key(SocketAddr::is_ipv6);
    Ok(all)
}

/// The name to show to the others.
fn name(assets: &Assets, asked_for: Option<&PlayerName>) -> String {
    if let Some(name) = asked_for {
        return name.to_string();
    }
    window::first_name(assets)
}

/// A number that others cannot guess, from the random keys of the standard library's hash maps.
fn secret() -> u64 {
    RandomState::new().hash_one(Instant::now())
}

#[cfg(test)]
mod tests {
    use bounty_hunter::input::Inputs;
    use bounty_hunter::replay::Recorder;
    use bounty_hunter::simulation::{MatchSetup, Simulation};

    use super::*;

    #[test]
    fn differences_of_two_members_at_one_step_are_written_beside_each_other() {
        let directory = std::env::temp_dir().join(format!("bounty_hunter_desync_{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let of = |member_id: u8, other: Option<Vec<u8>>| Desync {
            tick: 60,
            member_id,
            member: "Grace".to_owned(),
            difference: "pocket".to_owned(),
            common: (member_id == 1).then(|| vec![9]),
            own: vec![1, member_id],
            other,
        };
        let (assets, setup) = (Assets::built_in(), MatchSetup::of_ais(7, 2, "normal"));
        let assets = assets.in_mode("classic").unwrap();
        let mut simulation = Simulation::new(&assets, &setup).unwrap();
        let mut recorder = Recorder::new("classic", &assets, &setup).unwrap();
        for _ in 0..30 {
            simulation.step(&Inputs::none());
            recorder.note(&Inputs::none(), &mut simulation);
        }
        let replay = recorder.replay(&mut simulation);
        let (said, errors) = report_desync(of(1, Some(vec![7])), Some(&replay), &directory);
        assert_eq!(said, format!("step 60 differs at Grace: pocket; see {}/desync-60-1-*", directory.display()));
        assert_eq!(errors, [""; 0]);
        report_desync(of(2, None), None, &directory);
        let read = |name: &str| fs::read(directory.join(name)).ok();
        assert_eq!(read("desync-60-1-host.save"), Some(vec![1, 1]));
        assert_eq!((read("desync-60-1-common.save"), read("desync-60-2-common.save")), (Some(vec![9]), None));
        assert_eq!(read("desync-60-1-member.save"), Some(vec![7]));
        let written = Replay::from_bytes(&read("desync-60-1-match.replay").unwrap()).unwrap();
        assert_eq!((written.about().steps, written.last_hash()), (30, simulation.state_hash()));
        assert_eq!(read("desync-60-2-host.save"), Some(vec![1, 2]));
        assert_eq!(read("desync-60-2-member.save"), None, "it was not sent");
        fs::remove_dir_all(&directory).unwrap();
        let (_, errors) = report_desync(of(1, Some(vec![7])), None, &directory);
        assert_eq!(errors.len(), 3);
        assert!(errors[1].contains("desync-60-1-host.save cannot be written: "), "{errors:?}");
    }

    #[test]
    fn headless_peer_does_not_say_that_it_plays_on() {
        let said = |notice: LineNotice| without_a_window(&notice).map(|notice| notice.to_string());
        let waits = said(LineNotice::MatchWaitsForHost { seconds: 30, plays: true }).unwrap();
        assert_eq!(waits, "the host does not answer: the match waits for it, 30 s at most");
        assert_eq!(said(LineNotice::HostIsGone), None, "the error at its end says so");
        assert_eq!(said(LineNotice::Joined("Grace".to_owned())).unwrap(), "Grace has joined");
    }

    #[test]
    fn host_waits_for_no_more_people_than_have_seats() {
        let refusal = |headless, people, players| {
            let options = NetworkArguments { headless, people, ..NetworkArguments::default() };
            check_people(&options, players).err()
        };
        assert_eq!(refusal(true, 4, 4), None);
        assert_eq!(refusal(true, 5, 4).unwrap(), "--people is 5, must be at most 4, the number of players");
        assert_eq!(refusal(false, 2, 1), None, "the people at a window begin when they are ready");
    }

    #[test]
    fn host_is_found_where_the_socket_reaches_it() {
        let found = |machine: &str, socket: &Udp| resolve(&HostPlace { machine: machine.to_owned(), port: 80 }, socket);
        let of_4 = Udp::open(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        let here = Ok(SocketAddr::from(([127, 0, 0, 1], 80)));
        assert_eq!(found("127.0.0.1", &of_4), here);
        assert_eq!(found("localhost", &of_4), here);
        assert_eq!(found("::ffff:127.0.0.1", &of_4), here, "from there the host answers");
        let refused = found("::1", &of_4).unwrap_err();
        assert_eq!(refused, "the host [::1]:80 has only IPv6 addresses, and this machine has no IPv6");
        assert!(
            found("no.such.host.invalid", &of_4).unwrap_err().starts_with("the host no.such.host.invalid:80 cannot")
        );
    }
}
