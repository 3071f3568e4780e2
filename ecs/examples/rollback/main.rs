//! Rollback over a network by `ggrs`: two engines play one match, each ahead of the other's inputs, over a line that
//! delays and loses them, over UDP, and over a line that breaks. Prints how often each went back; `ggrs` compares the
//! hashes of their states every 30 frames.
//!
//! `cargo run -p lockstep_ecs --example rollback`, or with the number of a player and the addresses of all, one process
//! for each: `cargo run -p lockstep_ecs --example rollback -- 0 127.0.0.1:7000 127.0.0.1:7001`
//!
//! For another game, copy `peer.rs` and `line_watch.rs`, open a `ggrs::UdpNonBlockingSocket` as `over_udp` does, and
//! call `Peer::frame` sixty times a second.

mod broken_line;
mod line_watch;
mod one_of_several;
mod peer;
mod simulated_link;

use std::cell::RefCell;
use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::rc::Rc;

use ecs::prelude::*;
use ecs::snapshot::{StableHash, StateHasher};
use ggrs::UdpNonBlockingSocket;
use line_watch::Patience;
use peer::{Address, Input, Inputs, Peer};
use simulated_link::{Line, Wire};

const FRAMES: u64 = 600;

#[derive(Clone, Copy)]
struct Runner {
    player: usize,
    place_m: f32,
}

impl StableHash for Runner {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&(self.player as u64)).add(&self.place_m);
    }
}

fn run(time: Time, inputs: Res<Inputs>, mut runners: Query<&mut Runner>) {
    for runner in &mut runners {
        runner.place_m += f32::from(inputs.0[runner.player]) * time.delta_seconds();
    }
}

fn game(players: usize) -> Result<Engine, ecs::Error> {
    let mut engine = Engine::new();
    engine.add(run)?;
    // What a snapshot holds has a name.
    engine.types_mut().component::<Runner>("runner")?;
    engine.spawn_many((0..players).map(|player| (Runner { player, place_m: 0.0 },)));
    Ok(engine)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some((player, addresses)) = arguments.split_first()
        && let Ok(player) = player.parse()
    {
        return one_of_several::play(player, addresses);
    }
    println!("over a bad line:");
    over_a_bad_line()?;
    println!("over UDP:");
    over_udp()?;
    println!("over a line that breaks:");
    broken_line::short_break_is_survived()?;
    broken_line::long_break_ends_the_match()?;
    broken_line::match_without_an_answer_ends()
}

fn over_a_bad_line() -> Result<(), Box<dyn Error>> {
    let wire = Rc::<RefCell<Wire>>::default();
    let line = |own| Line { own, wire: Rc::clone(&wire) };
    let peer = |player| Peer::new(player, &[0, 1], game(2)?, line(player), Patience::USUAL);
    let peers = [peer(0)?, peer(1)?];
    let peers = play(peers, |has_begun| {
        let mut wire = wire.borrow_mut();
        wire.frame += 1;
        // The handshake of `ggrs` repeats what is lost by the wall clock, which this example does not wait for.
        wire.loses = has_begun;
    })?;
    assert!(peers.iter().all(|peer| peer.rollbacks > 0));
    Ok(())
}

/// Both players are on this machine. On several ones, each opens one socket, and knows the addresses of all.
fn over_udp() -> Result<(), Box<dyn Error>> {
    let addresses = [free_address()?, free_address()?];
    let peer = |player: usize| {
        let socket = UdpNonBlockingSocket::bind_to_port(addresses[player].port())?;
        Peer::new(player, &addresses, game(2)?, socket, Patience::USUAL)
    };
    play([peer(0)?, peer(1)?], |_| ()).map(drop)
}

/// Each player presses something else now and then.
fn input(player: usize, frame: u64) -> Input {
    match player {
        0 => (frame / 10 % 5) as Input - 2,
        _ => (frame / 7 % 3) as Input - 1,
    }
}

fn free_address() -> Result<SocketAddr, Box<dyn Error>> {
    Ok(UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?)
}

/// Plays all frames as fast as they come. Before each, `begin_frame` hears whether the match has begun.
fn play<A: Address>(
    mut peers: [Peer<A>; 2],
    mut begin_frame: impl FnMut(bool),
) -> Result<[Peer<A>; 2], Box<dyn Error>> {
    while peers.iter().any(|peer| peer.session.current_frame() == 0) {
        begin_frame(false);
        peers.iter_mut().try_for_each(|peer| peer.frame(0))?;
    }
    for frame in 0..FRAMES {
        begin_frame(true);
        peers.iter_mut().try_for_each(|peer| peer.frame(input(peer.player, frame)))?;
    }
    for Peer { player, session, rollbacks, most_taken_again, .. } in &peers {
        let frame = session.current_frame();
        println!(
            "player {player} is at frame {frame}; it went back {rollbacks} times, by {most_taken_again} frames at most"
        );
        assert!(frame > FRAMES as i32 / 2);
    }
    Ok(peers)
}
