//! Rollback over a network by `ggrs`: two engines play one match, each ahead of the other's inputs, over a line that delays and
//! loses them. Prints how often each went back; `ggrs` compares the hashes of their states every 30 frames.
//!
//! `cargo run -p lockstep_ecs --example rollback`
//!
//! To play over UDP, copy `peer.rs`, replace `Line` by `ggrs::UdpNonBlockingSocket`, and call `Peer::frame` sixty times a second.

mod bad_line;
mod peer;

use std::cell::RefCell;
use std::error::Error;
use std::rc::Rc;

use bad_line::{Line, Wire};
use ecs::prelude::*;
use ecs::snapshot::{StableHash, StateHasher};
use ecs::system::Timing;
use peer::{Input, Inputs, Peer};

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
    let wire = Rc::<RefCell<Wire>>::default();
    let line = |own| Line { own, wire: Rc::clone(&wire) };
    let mut peers = [Peer::new(0, 2, game(2)?, line(0))?, Peer::new(1, 2, game(2)?, line(1))?];
    // The handshake of `ggrs` repeats what is lost by the wall clock, which this example does not wait for.
    while peers.iter().any(|peer| peer.session.current_frame() == 0) {
        wire.borrow_mut().frame += 1;
        peers.iter_mut().try_for_each(|peer| peer.frame(0))?;
    }
    wire.borrow_mut().loses = true;
    for frame in 0..FRAMES {
        wire.borrow_mut().frame += 1;
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
        assert!(*rollbacks > 0 && frame > FRAMES as i32 / 2);
    }
    Ok(())
}
