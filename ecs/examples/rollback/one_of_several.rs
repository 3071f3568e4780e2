//! One player of a match over UDP, in a process of its own.

use std::error::Error;
use std::net::SocketAddr;
use std::thread::park_timeout;
use std::time::{Duration, Instant};

use ggrs::UdpNonBlockingSocket;

use super::line_watch::Patience;
use super::peer::Peer;
use super::{FRAMES, game, input};

/// Plays all frames, sixty a second. Ends with an error, and so the program with a code that is not 0, if another
/// player is gone.
pub(crate) fn play(player: usize, addresses: &[String]) -> Result<(), Box<dyn Error>> {
    let addresses = addresses.iter().map(|address| address.parse()).collect::<Result<Vec<SocketAddr>, _>>()?;
    let own = addresses.get(player).ok_or("the number of a player is that of an address, from 0")?;
    let socket = UdpNonBlockingSocket::bind_to_port(own.port())?;
    let mut peer = Peer::new(player, &addresses, game(addresses.len())?, socket, Patience::USUAL)?;
    let mut silent = Vec::new();
    while peer.session.confirmed_frame() < FRAMES as i32 {
        peer.frame(input(player, peer.session.current_frame() as u64))?;
        if peer.line.silent != silent {
            silent.clone_from(&peer.line.silent);
            println!("frame {}: no word from {silent:?}", peer.session.current_frame());
        }
        wait_for_a_frame();
    }
    // The others still need the last inputs.
    for _ in 0..60 {
        peer.session.poll_remote_clients();
        wait_for_a_frame();
    }
    println!("player {player} has played {FRAMES} frames; it went back {} times", peer.rollbacks);
    Ok(())
}

fn wait_for_a_frame() {
    let due = Instant::now() + Duration::from_millis(16);
    while let Some(wait) = due.checked_duration_since(Instant::now()).filter(|wait| !wait.is_zero()) {
        park_timeout(wait);
    }
}
