//! What playing over a network costs: going back eight steps and taking them again, and bytes on the wire.
//!
//! `cargo bench -p bounty_hunter --bench rollback`, with other numbers of players after `--`
//!
//! The times are medians of one run. The bytes are those of the datagrams, without the headers of UDP and IP, which add
//! 28 to each.

use std::time::Instant;

use bounty_hunter::assets::Assets;
use bounty_hunter::input::{Inputs, Intent};
use bounty_hunter::network::simulated_link::{LinkConditions, Network};
use bounty_hunter::network::{Address, Guest, Host, MAX_PREDICTED, NetInput, Peer, Setup};
use bounty_hunter::simulation::{MatchSetup, Simulation, SimulationSnapshot};

fn median_us(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2] * 1e6
}

fn seconds(what: impl FnOnce()) -> f64 {
    let started = Instant::now();
    what();
    started.elapsed().as_secs_f64()
}

fn assets() -> Assets {
    let mut assets = Assets::built_in();
    // A match that is over costs nothing.
    assets.modes.values_mut().for_each(|mode| mode.game.rules.full_stash_ends_match = false);
    assets.in_mode("classic").expect("there is a classic mode")
}

fn measure_rollback(players: usize) {
    let setup = MatchSetup { play_seconds: Some(600.0), ..MatchSetup::of_ais(1, players, "normal") };
    let mut simulation = Simulation::new(&assets(), &setup).expect("the match can be set up");
    (0..400).for_each(|_| _ = simulation.step(&Inputs::none()));
    let mut ring: Vec<SimulationSnapshot> = (0..=MAX_PREDICTED).map(|_| SimulationSnapshot::default()).collect();
    let save = |simulation: &mut Simulation, ring: &mut Vec<SimulationSnapshot>| {
        let place = simulation.tick() as usize % ring.len();
        simulation.snapshot_into(&mut ring[place]).expect("all types have names");
    };
    let (mut steps, mut saves, mut rollbacks, mut hashes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for step in 0..600 {
        saves.push(seconds(|| save(&mut simulation, &mut ring)));
        steps.push(seconds(|| _ = simulation.step(&Inputs::none())));
        if step >= MAX_PREDICTED {
            rollbacks.push(seconds(|| {
                let back = simulation.tick() - MAX_PREDICTED as u64;
                simulation.restore(&ring[back as usize % ring.len()]).expect("it is of this match");
                for step in 0..MAX_PREDICTED {
                    if step > 0 {
                        save(&mut simulation, &mut ring);
                    }
                    simulation.step(&Inputs::none());
                }
            }));
        }
        if step % 60 == 0 {
            hashes.push(seconds(|| _ = simulation.state_hash()));
        }
    }
    println!(
        "{players:5} players: a step {:6.1} µs, a save {:6.1} µs, {MAX_PREDICTED} steps back and again {:7.1} µs, a hash {:6.1} µs",
        median_us(steps),
        median_us(saves),
        median_us(rollbacks),
        median_us(hashes),
    );
}

fn measure_bytes(people: usize) {
    let network = Network::new(LinkConditions { delay: 4.5, jitter: 1.2, loss: 0.05, duplication: 0.0 }, 1);
    let address = |peer: usize| Address::from(([10, 0, 0, 1], 7_000 + peer as u16));
    let setup = Setup::new(&assets(), "classic", 16, 7, Some(600.0)).expect("the match can be set up");
    let mut peers: Vec<Peer> = vec![Host::new(network.end(address(0)), assets(), setup, "host", 1).into()];
    for peer in 1..people {
        let end = network.end(address(peer));
        peers.push(Guest::new(end, address(0), assets(), "guest", false, peer as u64).into());
    }
    let mut before = (0, 0);
    let mut longest = 0.0_f64;
    for step in 0..4_200 {
        network.pass(1.0);
        if step == 600 {
            before = network.sent();
        }
        for (index, peer) in peers.iter_mut().enumerate() {
            peer.set_ready(step > 100);
            let turn = (((step / 20 + index * 7) % 5) as f32 - 2.0) / 2.0;
            let time = seconds(|| peer.step(NetInput::driving(Intent { drive: 1.0, turn })));
            longest = longest.max(if step > 600 { time } else { 0.0 });
        }
    }
    let (datagrams, bytes) = network.sent();
    let each = 60.0 * people as f64;
    println!(
        "{people:5} people: each sends {:.0} bytes in {:.0} datagrams a second; the longest step of a peer took {:.2} ms",
        (bytes - before.1) as f64 / each,
        (datagrams - before.0) as f64 / each,
        longest * 1e3,
    );
}

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|number| number.parse().ok()).collect();
    let numbers = if numbers.is_empty() { vec![4, 16, 64] } else { numbers };
    numbers.into_iter().for_each(measure_rollback);
    [2, 3, 4].into_iter().for_each(measure_bytes);
}
