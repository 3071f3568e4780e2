//! `bounty_hunter play --host` and `--join`: a match over a network.

use std::cell::RefCell;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::stdout;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Intent;
use bounty_hunter::name::PlayerName;
use bounty_hunter::network::{Desync, Guest, Host, LineStatistics, NetInput, Peer, Setup, Udp};
use bounty_hunter::replay::Replay;
use bounty_hunter::view::GameState;

use super::Failure;
use super::arguments::{PlayArguments, Role, USUAL_PORT};
use super::output::write_line;
use super::pace::wait_until;
#[cfg(feature = "client")]
use super::play;
use super::replay;

/// The time of a step of the clock.
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// Steps that a headless host waits after its match, so that the last inputs reach the others.
const STEPS_TO_LEAVE: u32 = 60;

/// Plays in a window, or without one, until the match is left. `assets` are in the mode that is asked for, which counts for a host;
/// a guest finds its mode in `all_assets`.
pub(crate) fn play(
    assets: Assets,
    all_assets: Assets,
    arguments: &PlayArguments,
    role: Role,
    players: u32,
) -> Result<(), Failure> {
    let options = &arguments.network;
    let name = name(&assets, options.name.as_ref());
    let (peer, address) = match &role {
        Role::Host(address) => {
            let seed = arguments.seed.unwrap_or_else(secret);
            let setup = Setup::new(&assets, &arguments.game.mode, players, seed, None).map_err(Failure::BadInput)?;
            let socket = Udp::open(*address).map_err(Failure::BadInput)?;
            let address = socket.address().map_err(Failure::BadInput)?;
            write_line(&mut stdout(), format_args!("the host is at {address}"))?;
            let peer = Peer::from(Host::new(socket, assets.clone(), setup, &name, secret()));
            (peer, format!("others join with --join and the address of this machine, port {}", address.port()))
        }
        Role::Guest(text) => {
            let host = resolve(text).map_err(Failure::BadInput)?;
            let any = if host.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
            let socket = Udp::open(SocketAddr::new(any, 0)).map_err(Failure::BadInput)?;
            let guest = Guest::new(socket, host, all_assets, &name, options.spectate, secret());
            (Peer::from(guest), format!("the host is at {host}"))
        }
    };
    let peer = Rc::new(RefCell::new(peer));
    let directory = arguments.record.as_deref().and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
    let outcome = match options.headless {
        true => play_headless(&mut peer.borrow_mut(), arguments, &directory),
        false => play_in_a_window(&assets, arguments, &peer, players, address, directory),
    };
    let mut peer = peer.borrow_mut();
    let ended = peer.ended().map(|reason| Failure::BadInput(reason.to_owned()));
    let recorded = match (&arguments.record, peer.replay()) {
        (Some(file), Some(replay)) => replay::write(file, &replay),
        (Some(file), None) => Err(Failure::BadInput(format!(
            "the replay {} is not written: only a peer that sees a match from its beginning can record it",
            file.display()
        ))),
        (None, _) => Ok(()),
    };
    outcome.and(ended.map_or(Ok(()), Err)).and(recorded)
}

#[cfg(feature = "client")]
fn play_in_a_window(
    assets: &Assets,
    arguments: &PlayArguments,
    peer: &Rc<RefCell<Peer>>,
    players: u32,
    address: String,
    directory: PathBuf,
) -> Result<(), Failure> {
    let options = play::client_options(assets, arguments, players, 1);
    let after_step = Box::new(move |peer: &mut Peer| report_desyncs(peer, &directory));
    bounty_hunter::client::play_together(options, Rc::clone(peer), address, after_step)
        .map_err(|error| Failure::BadInput(error.to_string()))
}

#[cfg(not(feature = "client"))]
fn play_in_a_window(
    _: &Assets,
    _: &PlayArguments,
    _: &Rc<RefCell<Peer>>,
    _: u32,
    _: String,
    _: PathBuf,
) -> Result<(), Failure> {
    Err(Failure::BadInput("this build has no window: add --headless".to_owned()))
}

/// Plays along a pattern, in real time, and prints how it was.
fn play_headless(peer: &mut Peer, arguments: &PlayArguments, directory: &Path) -> Result<(), Failure> {
    let options = &arguments.network;
    let begun = Instant::now();
    let mut line = LineStatistics::default();
    let mut left = STEPS_TO_LEAVE;
    for step in 1_u32.. {
        let here = peer.members().iter().filter(|member| member.is_here && member.seat.is_some()).count();
        peer.set_ready(options.host.is_none() || here >= usize::from(options.people));
        let drive = if step % 240 < 200 { 1.0 } else { -0.5 };
        let turn = [0.0, 0.6, 0.0, -0.6][(step / 45) as usize % 4];
        peer.step(NetInput::driving(Intent { drive, turn }));
        if let Some(sentence) = report_desyncs(peer, directory) {
            write_line(&mut stdout(), format_args!("{sentence}"))?;
        }
        if peer.ended().is_some() {
            return Ok(());
        }
        // The first stall is the wait for the others.
        let part = peer.take_statistics();
        if peer.confirmed() > 120 {
            add(&mut line, part);
        }
        let state = peer.simulation().map_or(GameState::NotInitialized, |simulation| simulation.state());
        let is_over = state == GameState::GameOver || options.steps.is_some_and(|steps| peer.confirmed() >= steps);
        left -= u32::from(is_over);
        if left == 0 {
            break;
        }
        wait_until(begun + STEP * step);
    }
    peer.leave();
    let (tick, hash) = peer.last_hash().unwrap_or_default();
    let LineStatistics { steps, rollbacks, deepest_rollback, stalled, longest_stall, waited } = line;
    let line = format_args!(
        "confirmed {} steps, hash {hash:016x} at {tick}; of {steps} steps: {rollbacks} rollbacks, the deepest {deepest_rollback}; \
         {stalled} stalled, the longest {longest_stall}; {waited} waited",
        peer.confirmed()
    );
    write_line(&mut stdout(), line)
}

fn add(all: &mut LineStatistics, part: LineStatistics) {
    all.steps += part.steps;
    all.rollbacks += part.rollbacks;
    all.deepest_rollback = all.deepest_rollback.max(part.deepest_rollback);
    all.stalled += part.stalled;
    all.longest_stall = all.longest_stall.max(part.longest_stall);
    all.waited += part.waited;
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

/// Writes both states and the replay; returns a sentence about the difference, and one for each file that cannot be written.
fn report_desync(desync: Desync, replay: Option<&Replay>, directory: &Path) -> (String, Vec<String>) {
    let Desync { tick, member_id, member, difference, own, other } = desync;
    // Two members may differ at the same step.
    let file = |name: &str| directory.join(format!("desync-{tick}-{member_id}-{name}"));
    let parts = [("host.save", Some(own)), ("member.save", other), ("match.replay", replay.map(Replay::to_bytes))];
    let write = |(name, bytes): (&str, Option<Vec<u8>>)| {
        let error = fs::write(file(name), bytes?).err()?;
        Some(format!("{} cannot be written: {error}", file(name).display()))
    };
    let errors = parts.into_iter().filter_map(write).collect();
    (format!("step {tick} differs at {member}: {difference}; see {}", file("*").display()), errors)
}

/// The address of a host; its port may be left out.
fn resolve(text: &str) -> Result<SocketAddr, String> {
    let with_port = text.to_socket_addrs().or_else(|_| (text.trim_matches(['[', ']']), USUAL_PORT).to_socket_addrs());
    let first = with_port.map_err(|error| error.to_string()).and_then(|all| {
        // A host listens at an address of the older kind.
        let mut all: Vec<SocketAddr> = all.collect();
        all.sort_by_key(|address| !address.is_ipv4());
        all.first().copied().ok_or("it has no address".into())
    });
    first.map_err(|error| format!("the host {text} cannot be found: {error}"))
}

/// The name to show to the others.
fn name(assets: &Assets, asked_for: Option<&PlayerName>) -> String {
    if let Some(name) = asked_for {
        return name.to_string();
    }
    #[cfg(feature = "client")]
    return bounty_hunter::client::first_name(&play::devices(assets));
    #[cfg(not(feature = "client"))]
    {
        let _ = assets;
        String::new()
    }
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
        assert_eq!(read("desync-60-1-member.save"), Some(vec![7]));
        let written = Replay::from_bytes(&read("desync-60-1-match.replay").unwrap()).unwrap();
        assert_eq!((written.about().steps, written.last_hash()), (30, simulation.state_hash()));
        assert_eq!(read("desync-60-2-host.save"), Some(vec![1, 2]));
        assert_eq!(read("desync-60-2-member.save"), None, "it was not sent");
        fs::remove_dir_all(&directory).unwrap();
        let (_, errors) = report_desync(of(1, Some(vec![7])), None, &directory);
        assert_eq!(errors.len(), 2);
        assert!(errors[0].contains("desync-60-1-host.save cannot be written: "), "{errors:?}");
    }

    #[test]
    fn addresses_may_lack_the_port() {
        assert_eq!(resolve("127.0.0.1"), Ok(SocketAddr::from(([127, 0, 0, 1], USUAL_PORT))));
        assert_eq!(resolve("127.0.0.1:80"), Ok(SocketAddr::from(([127, 0, 0, 1], 80))));
        assert_eq!(resolve("::1"), Ok(SocketAddr::from((Ipv6Addr::LOCALHOST, USUAL_PORT))));
        assert_eq!(resolve("[::1]:80"), Ok(SocketAddr::from((Ipv6Addr::LOCALHOST, 80))));
        assert!(resolve("not an address").unwrap_err().starts_with("the host not an address cannot be found"));
    }
}
