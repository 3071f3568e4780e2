//! `bounty_hunter simulate`: plays matches one after the other and prints each as soon as it is over.

use std::io::Write;
use std::time::Instant;

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::GameState;

use super::Failure;
use super::arguments::SimulateArguments;
use super::progress::Progress;
use super::report::{MatchReport, Table};

/// The AI that plays every seat.
const AI_PROFILE: &str = "normal";

/// Plays one match of AIs to its end, or for `most_ticks` steps.
///
/// Calls `after_step` with the steps done so far. Reads no clock: `ticks_per_second` of the report is left at 0 for the
/// caller to fill in.
pub(crate) fn simulate_match(
    assets: &Assets,
    seed: u64,
    players: u32,
    most_ticks: Option<u64>,
    after_step: &mut dyn FnMut(u64),
) -> Result<MatchReport, String> {
    let setup = MatchSetup::of_ais(seed, players as usize, AI_PROFILE);
    let mut simulation = Simulation::new(assets, &setup).map_err(|error| error.to_string())?;
    let most_ticks = most_ticks.unwrap_or(u64::MAX);
    while simulation.state() != GameState::GameOver && simulation.tick() < most_ticks {
        after_step(simulation.step(&Inputs::none()).tick);
    }
    let result = simulation.result();
    Ok(MatchReport {
        seed,
        players,
        ticks: simulation.tick(),
        ending: result.as_ref().map(|result| result.ending),
        winner: result.and_then(|result| result.winner),
        stashes: simulation.stashes(),
        events: simulation.event_counts(),
        hash: simulation.state_hash(),
        ticks_per_second: 0.0,
    })
}

/// Plays all matches that `arguments` ask for with `play_match`, which is [`simulate_match`] outside tests.
pub(crate) fn simulate(
    assets: &Assets,
    arguments: &SimulateArguments,
    mut progress: Progress,
    mut play_match: impl FnMut(&Assets, u64, u32, Option<u64>, &mut dyn FnMut(u64)) -> Result<MatchReport, String>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut table = Table::default();
    for index in 0..arguments.matches {
        let seed = arguments.seed.wrapping_add(index);
        let mut after_step = |ticks| progress.step(index + 1, ticks);
        let started = Instant::now();
        let mut report =
            play_match(assets, seed, arguments.players, arguments.ticks, &mut after_step).map_err(Failure::BadInput)?;
        // A match too short for the clock to notice still has a finite speed.
        let seconds = started.elapsed().as_secs_f64().max(1e-9);
        report.ticks_per_second = (report.ticks as f64 / seconds).round();
        progress.clear();
        if arguments.json {
            report.write_json(out)?;
        } else {
            table.write_match(&report, out)?;
        }
        out.flush()?;
    }
    Ok(table.write_events(out)?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io;

    use super::*;

    fn report(seed: u64, players: u32, most_ticks: Option<u64>) -> MatchReport {
        MatchReport {
            seed,
            players,
            ticks: most_ticks.unwrap_or(5580),
            ending: None,
            winner: None,
            stashes: vec![0.0; players as usize],
            events: BTreeMap::new(),
            hash: seed,
            ticks_per_second: 0.0,
        }
    }

    #[test]
    fn each_match_takes_the_next_seed() {
        let arguments = SimulateArguments {
            seed: u64::MAX,
            players: 2,
            matches: 3,
            ticks: Some(40),
            json: true,
            ..SimulateArguments::default()
        };
        let mut out = Vec::new();
        let play = |_: &Assets, seed, players, ticks, after_step: &mut dyn FnMut(u64)| {
            after_step(1);
            Ok(report(seed, players, ticks))
        };
        simulate(&Assets::built_in(), &arguments, Progress::start(3), play, &mut out).unwrap();

        let lines: Vec<serde_json::Value> =
            String::from_utf8(out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let seeds: Vec<_> = lines.iter().map(|line| line["seed"].as_u64().unwrap()).collect();
        assert_eq!(seeds, [u64::MAX, 0, 1]);
        assert!(lines.iter().all(|line| line["players"] == 2 && line["ticks"] == 40));
        assert!(lines.iter().all(|line| line["ticks_per_second"].as_f64().unwrap() > 0.0));
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
            let arguments = SimulateArguments { matches: 5, players: 1, json, ..SimulateArguments::default() };
            let mut played = 0;
            let play = |_: &Assets, seed, players, ticks, _: &mut dyn FnMut(u64)| {
                played += 1;
                Ok(report(seed, players, ticks))
            };
            let failure = simulate(&Assets::built_in(), &arguments, Progress::start(5), play, &mut Closed).unwrap_err();
            assert!(
                matches!(&failure, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe),
                "{failure:?}"
            );
            assert_eq!(played, 1);
        }
    }
}
