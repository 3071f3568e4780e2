//! Whole matches of AIs, by seed: the same as `bounty_hunter simulate`, for sweeps over parameters.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bounty_hunter::balance::MatchCounts;
use bounty_hunter::game_object::{Life, Transform};
use bounty_hunter::input::Inputs;
use bounty_hunter::player::{Players, Seat};
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::{Ending, GameState};
use ecs::Engine;

use crate::options::MatchConfig;

/// Steps of a match between two questions whether to go on.
const STEPS_BETWEEN_QUESTIONS: u64 = 1_024;

/// Why matches end.
pub const ENDINGS: [Ending; 3] = [Ending::Time, Ending::StashFull, Ending::LastStanding];

/// A finished match of AIs.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRecord {
    /// Its seed, which is its key.
    pub seed: u64,
    /// Steps of the simulation, with the countdown.
    pub ticks: u64,
    /// Time of play, seconds.
    pub seconds: f64,
    /// Why it ended.
    pub ending: &'static str,
    /// The winner's seat; `None` for a draw.
    pub winner: Option<u32>,
    /// The AI of each seat.
    pub ais: Vec<String>,
    /// Points in the stash of each player.
    pub stashes: Vec<f32>,
    /// Deaths of each player.
    pub deaths: Vec<u32>,
    /// How often a player took the lead from another one.
    pub lead_changes: u32,
    /// Where collectors died, metres from the centre; empty unless asked for.
    pub death_places: Vec<(f32, f32)>,
    /// The hash of the final state.
    pub hash: u64,
}

/// Plays the match with a seed to its end. The AIs take the seats in turn, beginning with another one for each seed, as
/// with `--ai` of the program.
///
/// `go_on` is asked now and then; after it has returned `false`, the match is `None`.
///
/// # Errors
/// One sentence, if seats, level and rules do not fit together.
pub fn play_match(
    config: &MatchConfig,
    seed: u64,
    with_places: bool,
    go_on: impl Fn() -> bool,
) -> Result<Option<MatchRecord>, String> {
    let ais = &config.ais;
    let turn = ais.iter().cycle().skip((seed % ais.len() as u64) as usize);
    let seats = turn.take(config.seats.len()).map(|profile| Seat::Ai { profile: profile.clone() }).collect();
    let setup = MatchSetup { seed, seats, play_seconds: config.play_seconds };
    let engine = Engine::builder().threads(1);
    let mut simulation = Simulation::with_engine(&config.assets, &setup, engine).map_err(|error| error.to_string())?;
    let (mut counts, mut death_places, mut were_alive) = (MatchCounts::default(), Vec::new(), Vec::new());
    let inputs = Inputs::none();
    while !matches!(simulation.state(), GameState::GameOver | GameState::Terminated) {
        let tick = simulation.step(&inputs).tick;
        if tick.is_multiple_of(STEPS_BETWEEN_QUESTIONS) && !go_on() {
            return Ok(None);
        }
        counts.watch(simulation.engine());
        if with_places {
            note_deaths(simulation.engine(), &mut were_alive, &mut death_places);
        }
    }
    let result = simulation.result();
    let ais = setup.seats.into_iter().map(|seat| match seat {
        Seat::Ai { profile } => profile,
        Seat::Human { .. } | Seat::Script => String::new(),
    });
    Ok(Some(MatchRecord {
        seed,
        ticks: simulation.tick(),
        seconds: simulation.played_seconds(),
        ending: result.as_ref().map_or("stopped", |result| result.ending.name()),
        winner: result.and_then(|result| result.winner),
        ais: ais.collect(),
        stashes: simulation.stashes(),
        deaths: counts.deaths,
        lead_changes: counts.lead_changes,
        death_places,
        hash: simulation.state_hash(),
    }))
}

fn note_deaths(engine: &Engine, were_alive: &mut Vec<bool>, places: &mut Vec<(f32, f32)>) {
    let Some(players) = engine.resource::<Players>() else { return };
    were_alive.resize(players.0.len(), false);
    for (player, was_alive) in players.0.iter().zip(were_alive) {
        let is_alive = engine.get::<Life>(player.collector).is_some_and(|life| life.is_alive);
        if *was_alive && !is_alive {
            places.extend(engine.get::<Transform>(player.collector).map(|at| (at.pose.position.x, at.pose.position.y)));
        }
        *was_alive = is_alive;
    }
}

/// Plays the matches with these seeds on `threads` threads; the results are in the order of the seeds. `go_on` is asked
/// by the calling thread; after it has returned `false`, unfinished matches are left out.
///
/// # Errors
/// As [`play_match`].
pub fn play_matches(
    config: &MatchConfig,
    seeds: &[u64],
    threads: usize,
    with_places: bool,
    go_on: impl Fn() -> bool,
) -> Result<Vec<MatchRecord>, String> {
    let (next, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let records = Mutex::new(Vec::with_capacity(seeds.len()));
    let work_off = |go_on: &dyn Fn() -> bool| {
        while go_on() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(seed) = seeds.get(index) else { return };
            let Some(record) = play_match(config, *seed, with_places, go_on).transpose() else { return };
            records.lock().unwrap_or_else(PoisonError::into_inner).push((index, record));
        }
    };
    std::thread::scope(|scope| {
        let is_going_on = || !is_stopped.load(Ordering::Relaxed);
        let work_off = &work_off;
        (1..threads.min(seeds.len())).for_each(|_| _ = scope.spawn(move || work_off(&is_going_on)));
        work_off(&|| {
            let goes_on = go_on();
            is_stopped.fetch_or(!goes_on, Ordering::Relaxed);
            goes_on
        });
    });
    let mut records = records.into_inner().unwrap_or_else(PoisonError::into_inner);
    records.sort_by_key(|(index, _)| *index);
    records.into_iter().map(|(_, record)| record).collect()
}
