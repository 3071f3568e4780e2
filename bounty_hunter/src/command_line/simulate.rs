//! `bounty_hunter simulate`: plays matches in parallel and prints the results in order.

use std::io::{Write, stderr};
use std::time::Instant;

use bounty_hunter::assets::Assets;
use bounty_hunter::balance::MatchCounts;
use bounty_hunter::input::{Command, Inputs, Intent};
use bounty_hunter::player::{Players, Seat};
use bounty_hunter::replay::{Recorder, Replay};
use bounty_hunter::simulation::{MatchSetup, Simulation, SimulationError, StepReport};
use bounty_hunter::view::GameState;
use ecs::Engine;

use super::Failure;
use super::arguments::SimulateArguments;
use super::asserted::{Asserted, note_never_asked, read_invariants};
use super::output::write_json;
use super::progress::{BETWEEN_LINES, Progress};
use super::replay;
use super::report::{MatchReport, Summary, Table};
use super::saves::{Results, Storage};
use super::studio::Inspected;
use super::workers::{Job, WorkerMessage, work_off};

/// Plays the match with this seed to its end, or up to the step limit in `arguments`.
///
/// Stops at once if `job` says so. Reads no clock: the caller fills in the speeds of the report.
pub(crate) fn simulate_match(
    assets: &Assets,
    arguments: &SimulateArguments,
    seed: u64,
    job: &Job<'_>,
) -> Result<MatchReport, Failure> {
    let mut storage = Storage::open(arguments)?;
    let mut inspected = Inspected::open(arguments).map_err(Failure::BadInput)?;
    let engine = inspected.engine(Engine::builder().threads(arguments.threads.count()));
    let (mut simulation, mut recorder) = match storage.load(assets, engine)? {
        Some((simulation, recorder)) => (simulation, Some(recorder)),
        None => {
            let players = arguments.players.unwrap_or(assets.game.players);
            let seats = ais(assets, arguments, seed, players as usize).map(|profile| Seat::Ai { profile });
            let setup = MatchSetup { seed, seats: seats.collect(), play_seconds: None };
            let simulation = Simulation::with_engine(assets, &setup, engine).map_err(refused)?;
            let recorder = (arguments.record.is_some() || storage.needs_recording())
                .then(|| Recorder::new(arguments.game.mode(), assets, &setup));
            (simulation, recorder.transpose().map_err(refused)?)
        }
    };
    let invariants = arguments.assert.as_deref().map(|file| read_invariants(file, simulation.engine())).transpose();
    let mut invariants = invariants.map_err(Failure::BadInput)?;
    let mut asserted = Asserted::default();
    let most_ticks = arguments.ticks.unwrap_or(u64::MAX);
    let first_tick = simulation.tick();
    let mut inputs = release_inputs(&simulation);
    let mut counts = MatchCounts::default();
    loop {
        let is_over = matches!(simulation.state(), GameState::GameOver | GameState::Terminated);
        let is_over = is_over || simulation.tick() >= most_ticks;
        if inspected.ends(&mut simulation, is_over) {
            break;
        }
        let Some(StepReport { tick, .. }) = inspected.step(&mut simulation, &inputs) else { continue };
        counts.watch(simulation.engine());
        if let Some(recorder) = &mut recorder {
            recorder.note(&inputs, &mut simulation);
            storage.after_step(&mut simulation, recorder)?;
        }
        inputs = Inputs::none();
        let checked = invariants.as_mut().map_or(Ok(()), |invariants| invariants.check(simulation.engine()));
        asserted.breach = checked.err();
        if asserted.breach.is_some() || !job.go_on(tick) {
            break;
        }
    }
    inspected.check().map_err(Failure::BadInput)?;
    asserted.never_asked = invariants.iter().flat_map(|all| all.never_asked()).map(str::to_owned).collect();
    let replay = recorder.map(|recorder| recorder.replay(&mut simulation));
    let ended = replay.as_ref().map(|replay| storage.after_match(&mut simulation, replay)).transpose()?;
    let result = simulation.result();
    // A loaded match has its own mode, level, seed and players.
    let about = replay.as_ref().map(Replay::about);
    let (stashes, teams) = (simulation.stashes(), simulation.teams());
    let winner = result.as_ref().and_then(|result| result.winner);
    let players = simulation.engine().resource::<Players>().map(|players| players.0.clone()).unwrap_or_default();
    let ais = players.into_iter().map(|player| match player.seat {
        Seat::Ai { profile } => profile,
        Seat::Human { .. } | Seat::Script => String::new(),
    });
    Ok(MatchReport {
        mode: about.map_or_else(|| arguments.game.mode().to_owned(), |about| about.mode.clone()),
        level: about.map_or_else(|| assets.game.level.clone(), |about| about.level.clone()),
        seed: about.map_or(seed, |about| about.setup.seed),
        players: about.map_or(stashes.len(), |about| about.setup.seats.len()) as u32,
        ticks: simulation.tick(),
        ticks_now: simulation.tick() - first_tick,
        steps_per_second: simulation.steps_per_second(),
        ending: result.as_ref().map(|result| result.ending),
        winning_team: winner.and_then(|winner| teams.get(winner as usize).copied()),
        winner,
        teams,
        ais: ais.collect(),
        counts,
        stashes,
        events: simulation.event_counts(),
        hash: simulation.state_hash(),
        ticks_per_second: 0.0,
        times_real_time: 0.0,
        ended: ended.unwrap_or_default(),
        replay,
        asserted,
        memory: arguments.memory.then(|| simulation.engine_mut().memory()),
    })
}

fn refused(error: SimulationError) -> Failure {
    Failure::BadInput(error.to_string())
}

/// The AIs of the seats: those of `--ai` in turn, beginning with another one in each match, or the AI of the mode.
fn ais<'a>(
    assets: &'a Assets,
    arguments: &'a SimulateArguments,
    seed: u64,
    players: usize,
) -> impl Iterator<Item = String> + 'a {
    let all = if arguments.ais.is_empty() { std::slice::from_ref(&assets.game.ai) } else { &arguments.ais };
    all.iter().cycle().skip((seed % all.len() as u64) as usize).take(players).cloned()
}

/// The first inputs of a match that people have played before: idle intents for their seats, and the end of a pause.
fn release_inputs(simulation: &Simulation) -> Inputs {
    let players = simulation.engine().resource::<Players>();
    let seats =
        (0..).zip(players.iter().flat_map(|players| &players.0)).filter(|(_, player)| player.person().is_some());
    let inputs = seats.fold(Inputs::none(), |inputs, (seat, _)| inputs.intent(seat, Intent::IDLE));
    if simulation.state() == GameState::Paused { inputs.with(Command::Resume) } else { inputs }
}

/// Plays all matches with `play_match`, `jobs` of them at the same time. Outside tests, `play_match` is
/// [`simulate_match`].
pub(crate) fn simulate(
    assets: &Assets,
    arguments: &SimulateArguments,
    jobs: usize,
    mut progress: Progress,
    play_match: impl Fn(&Assets, &SimulateArguments, u64, &Job<'_>) -> Result<MatchReport, Failure> + Sync,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let play = |job: &Job<'_>| -> Result<MatchReport, Failure> {
        let started = Instant::now();
        let mut report = play_match(assets, arguments, arguments.seed.wrapping_add(job.index), job)?;
        // Keeps the speed of a very short match finite.
        let seconds = started.elapsed().as_secs_f64().max(1e-9);
        report.ticks_per_second = (report.ticks_now as f64 / seconds).round();
        // One decimal.
        report.times_real_time = (10.0 * report.ticks_per_second / f64::from(report.steps_per_second)).round() / 10.0;
        Ok(report)
    };
    let mut results = Results::open(arguments)?;
    let mut never_asked = None;
    let (mut table, mut summary) = (Table::default(), Summary::default());
    work_off(arguments.matches, jobs, BETWEEN_LINES, play, |news| -> Result<(), Failure> {
        let report = match news {
            WorkerMessage::Waiting(index, ticks) => {
                progress.step(index + 1, ticks);
                return Ok(());
            }
            WorkerMessage::Result(report) => report?,
        };
        progress.clear();
        results.keep(&report.ended)?;
        if let Some((file, replay)) = arguments.record.as_ref().zip(report.replay.as_ref()) {
            replay::write(file, replay)?;
        }
        if let Some(memory) = &report.memory {
            // Standard output is for the results.
            _ = write!(stderr(), "seed {}: {memory}", report.seed);
        }
        report.asserted.refuse_breach(report.seed)?;
        report.asserted.keep_never_asked(&mut never_asked);
        if arguments.summary {
            summary.add(&report);
        } else if arguments.json {
            write_json(out, &report)?;
        } else {
            table.write_match(&report, out)?;
        }
        Ok(out.flush()?)
    })?;
    note_never_asked(never_asked);
    summary.write(out)?;
    table.write_events(out)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::command_line::saves::Ended;

    fn report(arguments: &SimulateArguments, seed: u64) -> MatchReport {
        let players = arguments.players.unwrap_or(2);
        MatchReport {
            mode: arguments.game.mode().to_owned(),
            level: "arena".to_owned(),
            seed,
            players,
            ticks: arguments.ticks.unwrap_or(5580),
            ticks_now: arguments.ticks.unwrap_or(5580),
            steps_per_second: 60,
            ending: None,
            winner: None,
            winning_team: None,
            teams: Vec::new(),
            stashes: vec![0.0; players as usize],
            ais: Vec::new(),
            counts: MatchCounts::default(),
            events: BTreeMap::new(),
            hash: seed,
            ticks_per_second: 0.0,
            times_real_time: 0.0,
            ended: Ended::default(),
            replay: None,
            asserted: Asserted::default(),
            memory: None,
        }
    }

    #[test]
    fn each_match_takes_the_next_seed() {
        let arguments = SimulateArguments {
            seed: u64::MAX,
            players: Some(2),
            matches: 3,
            ticks: Some(40),
            json: true,
            ..SimulateArguments::default()
        };
        let mut out = Vec::new();
        let play = |_: &Assets, arguments: &SimulateArguments, seed, job: &Job<'_>| {
            assert!(job.go_on(1));
            Ok(report(arguments, seed))
        };
        simulate(&Assets::built_in(), &arguments, 2, Progress::start(3), play, &mut out).unwrap();

        let lines: Vec<serde_json::Value> =
            String::from_utf8(out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let seeds: Vec<_> = lines.iter().map(|line| line["seed"].as_u64().unwrap()).collect();
        assert_eq!(seeds, [u64::MAX, 0, 1]);
        assert!(lines.iter().all(|line| line["players"] == 2 && line["ticks"] == 40));
        assert!(lines.iter().all(|line| line["ticks_per_second"].as_f64().unwrap() > 0.0));
    }

    #[test]
    fn failed_match_ends_the_simulation_after_the_results_before_it() {
        let arguments = SimulateArguments { matches: 90, json: true, ..SimulateArguments::default() };
        let mut out = Vec::new();
        let play = |_: &Assets, arguments: &SimulateArguments, seed, _: &Job<'_>| match seed {
            0..5 => Ok(report(arguments, seed)),
            _ => Err(Failure::BadInput(format!("match {seed} fails"))),
        };
        let failure = simulate(&Assets::built_in(), &arguments, 4, Progress::start(90), play, &mut out).unwrap_err();
        assert!(matches!(&failure, Failure::BadInput(sentence) if sentence == "match 5 fails"), "{failure:?}");
        assert_eq!(String::from_utf8(out).unwrap().lines().count(), 5);
    }

    #[test]
    fn a_closed_output_ends_the_simulation() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for json in [true, false] {
            let arguments = SimulateArguments { matches: 50, players: Some(1), json, ..SimulateArguments::default() };
            let played = AtomicUsize::new(0);
            let play = |_: &Assets, arguments: &SimulateArguments, seed, _: &Job<'_>| {
                played.fetch_add(1, Ordering::SeqCst);
                Ok(report(arguments, seed))
            };
            let progress = Progress::start(50);
            let failure = simulate(&Assets::built_in(), &arguments, 1, progress, play, &mut Closed).unwrap_err();
            assert!(
                matches!(&failure, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe),
                "{failure:?}"
            );
            let played = played.into_inner();
            assert!(played <= 2, "one is printed and one is ready, not {played}");
        }
    }
}
