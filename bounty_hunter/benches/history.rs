//! What it costs to keep the past of a match and to go back in it, and to seek in a replay, beside a step of the match.
//!
//! `cargo bench -p bounty_hunter --bench history`, with other numbers of players after `--`
//!
//! The times are medians of one run; memory is what the process has grown by, as Linux tells it.

use std::time::Instant;

use bounty_hunter::assets::Assets;
use bounty_hunter::history::History;
use bounty_hunter::input::Inputs;
use bounty_hunter::replay::{Playback, Recorder, Seeker};
use bounty_hunter::simulation::{MatchSetup, Simulation, SimulationSnapshot};
use ecs::Engine;

/// Steps that a history of 30 seconds holds.
const PAST_STEPS: u64 = 1_800;

fn median_us(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2] * 1e6
}

/// Seconds that something takes.
fn seconds<T>(what: impl FnOnce() -> T) -> f64 {
    let started = Instant::now();
    std::hint::black_box(what());
    started.elapsed().as_secs_f64()
}

/// Megabytes of memory that the process holds.
fn resident_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: f64 = status.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(f64::NAN);
    pages * 4_096.0 / 1e6
}

fn measure(players: usize) {
    let setup = MatchSetup { play_seconds: Some(600.0), ..MatchSetup::of_ais(1, players, "normal") };
    let mut assets = Assets::built_in();
    // A match that is over costs nothing.
    assets.game.rules.full_stash_ends_match = false;
    let mut simulation = Simulation::new(&assets, &setup).expect("the match can be set up");
    (0..400).for_each(|_| _ = simulation.step(&Inputs::none()));
    let mut snapshot = SimulationSnapshot::default();
    let (mut steps, mut copies) = (Vec::new(), Vec::new());
    for _ in 0..300 {
        steps.push(seconds(|| simulation.step(&Inputs::none())));
        copies.push(seconds(|| {
            simulation.snapshot_into(&mut snapshot).expect("all types have names");
            simulation.restore(&snapshot).expect("it is of this match");
        }));
    }
    let before_mb = resident_mb();
    let mut history = History::of_steps(PAST_STEPS);
    let mut notes = Vec::new();
    for _ in 0..PAST_STEPS + 100 {
        simulation.step(&Inputs::none());
        notes.push(seconds(|| history.note(&Inputs::none(), &mut simulation)));
    }
    let history_mb = resident_mb() - before_mb;
    let mean_us = notes.iter().sum::<f64>() / notes.len() as f64 * 1e6;
    let mut backs: Vec<f64> = Vec::new();
    for _ in 0..120 {
        backs.push(seconds(|| history.go_back(&mut simulation, 1)));
    }
    let most_us = backs.iter().copied().fold(0.0, f64::max) * 1e6;
    let seek_us = seconds(|| history.go_back(&mut simulation, u64::MAX)) * 1e6;
    println!(
        "| {players} | {:.0} | {:.0} | {mean_us:.0} | {:.0} | {most_us:.0} | {seek_us:.0} | {history_mb:.0} |",
        median_us(steps),
        median_us(copies),
        median_us(backs),
    );
}

/// Seeks all over a replay of 90 seconds that was seen to its end.
fn measure_seeks(players: usize) {
    let setup = MatchSetup { play_seconds: Some(600.0), ..MatchSetup::of_ais(1, players, "normal") };
    let mut assets = Assets::built_in();
    assets.modes.values_mut().for_each(|mode| mode.game.rules.full_stash_ends_match = false);
    let assets = assets.in_mode("classic").expect("there is such a mode");
    let mut simulation = Simulation::new(&assets, &setup).expect("the match can be set up");
    let mut recorder = Recorder::new("classic", &assets, &setup).expect("the match can be set up");
    for _ in 0..3 * PAST_STEPS {
        simulation.step(&Inputs::none());
        recorder.note(&Inputs::none(), &mut simulation);
    }
    let playback =
        Playback::new(recorder.replay(&mut simulation), &assets, Engine::builder()).expect("it was just recorded");
    let mut seeker = Seeker::new(playback).expect("all types have names");
    let mut seek = |goal| seconds(|| seeker.seek(goal, u64::MAX).expect("it is of this match"));
    let through_ms = seek(3 * PAST_STEPS) * 1e3;
    let seeks: Vec<f64> = (1..300).map(|index| seek(index * 7_919 % (3 * PAST_STEPS))).collect();
    let most_us = seeks.iter().copied().fold(0.0, f64::max) * 1e6;
    println!("| {players} | {through_ms:.0} | {:.0} | {most_us:.0} | {} |", median_us(seeks), seeker.moments());
}

fn players_of(named: &[usize]) -> Vec<usize> {
    if named.is_empty() { vec![16, 200, 1_000] } else { named.to_vec() }
}

fn main() {
    let named: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    println!(
        "| players | step, us | snapshot + restore, us | noting a step, us | one step back, us | at most | 30 s back, us | 30 s, MB |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for players in players_of(&named) {
        measure(players);
    }
    println!("\n| players | seeing 90 s, ms | a seek in them, us | at most | moments |");
    println!("|---|---|---|---|---|");
    for players in players_of(&named) {
        measure_seeks(players);
    }
}
