//! Rollback over a network by `ggrs`: two engines play one match, each ahead of the other's inputs, first over a line that delays
//! and loses them, then over UDP. Prints how often each went back; `ggrs` compares the hashes of their states every 30 frames.
//!
//! `cargo run -p lockstep_ecs --example rollback`
//!
//! For another game, copy `peer.rs`, open a `ggrs::UdpNonBlockingSocket` as `over_udp` does, and call `Peer::frame` sixty times a
//! second.

mod peer;
mod simulated_link;

use std::cell::RefCell;
use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::rc::Rc;

use ecs::prelude::*;
use ecs::snapshot::{StableHash, StateHasher};
use ecs::system::Timing;
use ggrs::UdpNonBlockingSocket;
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
    engine.add_function(Timing::every_frame(), run)?;
    // What a snapshot holds has a name.
    engine.types_mut().component::<Runner>("runner")?;
    engine.spawn_many((0..players).map(|player| (Runner { player, place_m: 0.0 },)));
    Ok(engine)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    println!("over a bad line:");
    over_a_bad_line()?;
    println!("over UDP:");
    over_udp()
}

fn over_a_bad_line() -> Result<(), Box<dyn Error>> {
    let wire = Rc::<RefCell<Wire>>::default();
    let line = |own| Line { own, wire: Rc::clone(&wire) };
    let peers = [Peer::new(0, &[0, 1], game(2)?, line(0))?, Peer::new(1, &[0, 1], game(2)?, line(1))?];
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
        Peer::new(player, &addresses, game(2)?, socket)
    };
    play([peer(0)?, peer(1)?], |_| ()).map(drop)
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
        // Each player presses something else now and then.
        let inputs = [(frame / 10 % 5) as Input - 2, (frame / 7 % 3) as Input - 1];
        for (peer, input) in peers.iter_mut().zip(inputs) {
            peer.frame(input)?;
        }
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
