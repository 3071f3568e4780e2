//! The panel `Balance`: plays many matches with the edited assets in the background, and compares them with the run
//! before.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use bounty_hunter::assets::Assets;
use bounty_hunter::balance::{Balance, MatchCounts, Outcome};
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::{Ending, GameState};
use serde::Deserialize;
use serde_json::{Value, json};

use super::context::PanelContext;
use crate::command_line::workers::{Job, WorkerMessage, work_off};

/// Limits of a run.
const MAX_MATCHES: u64 = 100_000;
const MAX_PLAYERS: usize = 64;
/// The histogram of lengths.
const BIN_SECONDS: f64 = 5.0;
const MAX_BINS: usize = 120;

/// A request of the page.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Request {
    /// The present run and the one before it.
    Show {},
    /// Begins a run of AIs; the one that goes on is stopped.
    Run {
        mode: String,
        matches: u64,
        players: usize,
        #[serde(default)]
        seed: u64,
    },
    Stop {},
}

/// A finished match.
struct Finished {
    ending: Option<Ending>,
    winner: Option<u32>,
    seconds: f64,
    stashes: Vec<f32>,
    teams: Vec<u32>,
    counts: MatchCounts,
}

/// A run, and what is known of it.
struct Run {
    mode: String,
    matches: u64,
    players: usize,
    is_over: AtomicBool,
    finished: Mutex<Vec<Finished>>,
    problem: Mutex<Option<String>>,
    computed: Mutex<Option<Computed>>,
}

/// Statistics over the first matches.
struct Computed {
    of: usize,
    statistics: Value,
}

/// The present run and the one before.
#[derive(Default)]
pub(super) struct Runs {
    present: Option<Arc<Run>>,
    before: Option<Arc<Run>>,
    thread: Option<JoinHandle<()>>,
}

impl Runs {
    pub(super) fn answer(&mut self, context: &PanelContext, request: Request) -> Result<Value, String> {
        match request {
            Request::Show {} => {}
            Request::Stop {} => self.stop(),
            Request::Run { mode, matches, players, seed } => {
                if !(1..=MAX_MATCHES).contains(&matches) || !(1..=MAX_PLAYERS).contains(&players) {
                    return Err(format!("play 1 to {MAX_MATCHES} matches with 1 to {MAX_PLAYERS} players"));
                }
                let assets = context.editor.assets().map_err(|error| error.to_string())?;
                let assets = assets.in_mode(&mode).map_err(|error| error.to_string())?;
                self.begin(assets, mode, matches, players, seed)?;
            }
        }
        let modes: Vec<&str> = context.valid.modes.keys().map(String::as_str).collect();
        let shown = |run: &Option<Arc<Run>>| run.as_ref().map(|run| run.shown());
        Ok(json!({ "modes": modes, "present": shown(&self.present), "before": shown(&self.before) }))
    }

    fn begin(&mut self, assets: Assets, mode: String, matches: u64, players: usize, seed: u64) -> Result<(), String> {
        // What does not fit together is said at once.
        Simulation::new(&assets, &MatchSetup::of_ais(seed, players, &assets.game.ai))
            .map_err(|error| error.to_string())?;
        self.stop();
        let run = Arc::new(Run {
            mode,
            matches,
            players,
            is_over: AtomicBool::new(false),
            finished: Mutex::default(),
            problem: Mutex::default(),
            computed: Mutex::default(),
        });
        self.before = self.present.replace(Arc::clone(&run)).or_else(|| self.before.take());
        let play = move || run.play(&assets, seed);
        let thread = std::thread::Builder::new().name("balance".to_owned()).spawn(play);
        self.thread = Some(thread.map_err(|error| error.to_string())?);
        Ok(())
    }

    fn stop(&mut self) {
        if let Some(run) = &self.present {
            run.is_over.store(true, Ordering::Relaxed);
        }
        if let Some(thread) = self.thread.take() {
            _ = thread.join();
        }
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Run {
    /// Plays all matches on all processors.
    fn play(&self, assets: &Assets, seed: u64) {
        let workers = std::thread::available_parallelism().map_or(1, NonZero::get);
        let play = |job: &Job<'_>| self.play_match(assets, seed.wrapping_add(job.index), job);
        let outcome = work_off(self.matches, workers, Duration::from_millis(100), play, |news| match news {
            WorkerMessage::Result(Ok(finished)) => {
                self.finished.lock().unwrap_or_else(PoisonError::into_inner).extend(finished);
                if self.is_over.load(Ordering::Relaxed) { Err(None) } else { Ok(()) }
            }
            WorkerMessage::Result(Err(problem)) => Err(Some(problem)),
            WorkerMessage::Waiting(..) => Ok(()),
        });
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = outcome.err().flatten();
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Plays a match to its end; `None` if the run is stopped.
    fn play_match(&self, assets: &Assets, seed: u64, job: &Job<'_>) -> Result<Option<Finished>, String> {
        let setup = MatchSetup::of_ais(seed, self.players, &assets.game.ai);
        let mut simulation = Simulation::new(assets, &setup).map_err(|error| error.to_string())?;
        let mut counts = MatchCounts::default();
        while !matches!(simulation.state(), GameState::GameOver | GameState::Terminated) {
            let tick = simulation.step(&Inputs::none()).tick;
            counts.watch(simulation.engine());
            if self.is_over.load(Ordering::Relaxed) || !job.go_on(tick) {
                return Ok(None);
            }
        }
        let result = simulation.result();
        Ok(Some(Finished {
            ending: result.as_ref().map(|result| result.ending),
            winner: result.and_then(|result| result.winner),
            seconds: simulation.played_seconds(),
            stashes: simulation.stashes(),
            teams: simulation.teams(),
            counts,
        }))
    }

    /// Statistics over the finished matches. They are computed again when there are a twentieth more, and at the end.
    fn shown(&self) -> Value {
        // Read before the results, so that it is true only with all of them.
        let is_over = self.is_over.load(Ordering::Acquire);
        let count = self.finished.lock().unwrap_or_else(PoisonError::into_inner).len();
        let mut computed = self.computed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(computed) = &mut *computed
            && (computed.of == count || (!is_over && count < computed.of + computed.of / 20))
        {
            computed.statistics["is_over"] = is_over.into();
            computed.statistics["problem"] = json!(*self.problem.lock().unwrap_or_else(PoisonError::into_inner));
            return computed.statistics.clone();
        }
        let statistics = self.compute();
        *computed = Some(Computed { of: count, statistics: statistics.clone() });
        statistics
    }

    fn compute(&self) -> Value {
        let finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        let mut balance = Balance::default();
        let mut scores = vec![Vec::new(); self.players];
        for Finished { ending, winner, seconds, stashes, teams, counts } in &*finished {
            let (ending, winner, seconds) = (*ending, *winner, *seconds);
            let outcome = Outcome { ending, winner, seconds, stashes, ais: &[], teams, counts };
            balance.add(&outcome);
            scores.iter_mut().zip(stashes).for_each(|(of_seat, stash)| of_seat.push(*stash));
        }
        let endings: serde_json::Map<_, _> = [Ending::Time, Ending::StashFull, Ending::LastStanding]
            .map(|ending| (ending.name().to_owned(), balance.share(ending).into()))
            .into_iter()
            .collect();
        json!({
            "mode": self.mode,
            "players": self.players,
            "matches": self.matches,
            "finished": finished.len(),
            "is_over": self.is_over.load(Ordering::Relaxed),
            "problem": *self.problem.lock().unwrap_or_else(PoisonError::into_inner),
            "endings": endings,
            "lengths": lengths(finished.iter().map(|finished| finished.seconds)),
            "median_seconds": balance.seconds(),
            "lead_changes": balance.lead_changes(),
            "deaths_per_player": balance.deaths_per_player(),
            "wins": balance.wins(),
            "chi_square": balance.chi_square(),
            "chi_square_limit": balance.chi_square_limit(),
            "scores": scores.iter_mut().map(|of_seat| quantiles(of_seat)).collect::<Vec<_>>(),
        })
    }
}

/// The points below which 10, 25, 50, 75 and 90 % lie; 0 without any.
fn quantiles(points: &mut [f32]) -> [f32; 5] {
    points.sort_unstable_by(f32::total_cmp);
    [10, 25, 50, 75, 90].map(|percent| {
        let at = (points.len() * percent).div_ceil(100).saturating_sub(1);
        points.get(at).copied().unwrap_or(0.0)
    })
}

/// Matches by their length: how many took up to 5 s, up to 10 s, and so on; longer ones than the last bin are counted
/// there.
fn lengths(seconds: impl Iterator<Item = f64>) -> Vec<u32> {
    let mut bins = Vec::new();
    for seconds in seconds {
        let bin = ((seconds / BIN_SECONDS).ceil() as usize).saturating_sub(1).min(MAX_BINS - 1);
        bins.resize(bins.len().max(bin + 1), 0);
        bins[bin] += 1;
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_came() {
        let mut points: Vec<f32> = (1..=100).rev().map(|point| point as f32).collect();
        assert_eq!(quantiles(&mut points), [10.0, 25.0, 50.0, 75.0, 90.0]);
        assert_eq!(quantiles(&mut [7.0]), [7.0; 5]);
        assert_eq!(quantiles(&mut []), [0.0; 5]);
    }
}
