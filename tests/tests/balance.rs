//! The balance of the rules and of the AIs, over many matches. `docs/BALANCE.md` has the table.
//!
//! `BALANCE_MATCHES=200` plays that many matches of each kind, as `.ci/deep balance` does; the default is a small
//! sample, for which the bands are wider. The seeds are fixed, so a result is the same in each run.

use bounty_hunter::assets::Assets;
use bounty_hunter::balance::{Balance, MatchCounts, Outcome};
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::view::{Ending, GameState};
use tests::ai;

/// From this number of matches on, each number of players is judged alone.
const MANY: u32 = 100;

fn matches(by_default: u32) -> u32 {
    std::env::var("BALANCE_MATCHES").map_or(by_default, |number| number.parse().expect("it is a number"))
}

/// Plays matches of these AIs, each from another first seat on, and adds them.
fn play(balance: &mut Balance, mode: &str, ais: &[&str], matches: u32) {
    let assets = Assets::built_in().in_mode(mode).expect("the mode is built in");
    for seed in 1..=matches {
        let ais: Vec<String> = (0..ais.len()).map(|seat| ais[(seat + seed as usize) % ais.len()].to_owned()).collect();
        let seats: Vec<Seat> = ais.iter().map(|name| ai(name)).collect();
        let setup = MatchSetup { seed: seed.into(), seats, play_seconds: None };
        let mut simulation = Simulation::new(&assets, &setup).expect("the match can be set up");
        let mut counts = MatchCounts::default();
        while simulation.step(&Inputs::none()).state != GameState::GameOver {
            counts.watch(simulation.engine());
        }
        let result = simulation.result().expect("it has ended");
        balance.add(&Outcome {
            ending: Some(result.ending),
            winner: result.winner,
            seconds: simulation.played_seconds(),
            stashes: &simulation.stashes(),
            ais: &ais,
            teams: &simulation.teams(),
            counts: &counts,
        });
    }
}

fn statistics(mode: &str, players: usize, by_default: u32) -> Balance {
    let mut balance = Balance::default();
    play(&mut balance, mode, &vec!["normal"; players], matches(by_default));
    balance
}

#[test]
fn clock_and_stashes_end_about_as_many_classic_matches() {
    let mut few = Balance::default();
    for players in [2, 4, 8, 16] {
        if matches(3) < MANY {
            play(&mut few, "classic", &vec!["normal"; players], matches(3));
            continue;
        }
        let many = statistics("classic", players, 3);
        let (by_time, lead_changes) = (many.share(Ending::Time), many.lead_changes());
        assert!((0.35..=0.75).contains(&by_time), "{players} players: {by_time} by time");
        assert!(lead_changes >= 3.0, "{players} players: {lead_changes} changes of the lead");
        assert!(many.chi_square() < many.chi_square_limit(), "{players} players: {:?} wins", many.wins());
    }
    if few.matches() > 0 {
        let by_time = few.share(Ending::Time);
        assert!((0.2..=0.9).contains(&by_time), "{by_time} by time");
        assert!(few.lead_changes() >= 2.0, "{} changes of the lead", few.lead_changes());
    }
}

#[test]
fn ais_crash_in_earnest_but_not_all_the_time() {
    let deaths = statistics("classic", 16, 3).deaths_per_player();
    assert!((2.0..6.0).contains(&deaths), "{deaths} deaths of an AI in a match");
}

#[test]
fn survival_and_brawl_end_in_more_than_one_way_and_near_their_length() {
    for (mode, announced_seconds) in [("survival", 180.0), ("brawl", 120.0)] {
        let balance = statistics(mode, 16, 4);
        let (standing, seconds) = (balance.share(Ending::LastStanding), balance.seconds());
        if matches(4) >= MANY {
            assert!((0.2..=0.8).contains(&standing), "{mode}: {standing} by the last one standing");
        }
        assert!(seconds >= 0.8 * announced_seconds, "{mode}: over after {seconds} s");
    }
}

#[test]
fn doing_nothing_wins_neither_survival_nor_brawl() {
    for mode in ["survival", "brawl"] {
        for nothing in ["idle", "circling"] {
            let mut balance = Balance::default();
            let ais: Vec<&str> = std::iter::once(nothing).chain(["normal"; 15]).collect();
            play(&mut balance, mode, &ais, matches(3));
            let (_, record) = balance.records().find(|(ai, _)| *ai == nothing).expect("it has played");
            assert!(f64::from(record.wins) <= record.fair_wins, "{mode}: {nothing} wins {record:?}");
        }
    }
}

#[test]
fn levels_of_ais_are_a_ladder_in_every_match_of_lives() {
    for mode in ["survival", "brawl"] {
        let mut balance = Balance::default();
        let ais: Vec<&str> = ["hard", "normal", "easy"].into_iter().cycle().take(8).collect();
        play(&mut balance, mode, &ais, matches(6));
        // In few matches, `normal` and `easy` win too rarely to be compared.
        let judged = if matches(6) < MANY { 2 } else { 3 };
        for (stronger, weaker) in [("hard", "normal"), ("hard", "easy"), ("normal", "easy")].into_iter().take(judged) {
            let share = balance.wins_against(stronger, weaker);
            assert!(share >= 0.65, "{mode}: {stronger} wins {share} against {weaker}");
        }
    }
}

#[test]
fn levels_of_ais_are_a_ladder() {
    let mut balance = Balance::default();
    play(&mut balance, "classic", &["hard", "normal", "easy"], matches(9));
    for pair in [("hard", "normal"), ("normal", "easy")] {
        let (_, share) = balance.duels().find(|(found, _)| *found == pair).expect("each pair has met");
        assert!(share >= 0.65, "{pair:?}: {share}");
    }
}
