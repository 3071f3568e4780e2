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

fn balance_of(mode: &str, ais: &[&str], by_default: u32) -> Balance {
    let mut balance = Balance::default();
    play(&mut balance, mode, ais, matches(by_default));
    balance
}

fn statistics(mode: &str, players: usize, by_default: u32) -> Balance {
    balance_of(mode, &vec!["normal"; players], by_default)
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

/// The modes with a clock, and the seconds that it announces.
const MODES: [(&str, f64); 7] = [
    ("classic", 90.0),
    ("power-ups", 90.0),
    ("gold-rush", 90.0),
    ("spells", 120.0),
    ("survival", 180.0),
    ("brawl", 120.0),
    ("teams", 90.0),
];

/// The modes that are judged: in a small sample those in which doing nothing used to win.
fn judged_modes(by_default: u32) -> impl Iterator<Item = (&'static str, f64)> {
    let are_many = matches(by_default) >= MANY;
    MODES.into_iter().filter(move |(mode, _)| are_many || matches!(*mode, "survival" | "brawl"))
}

/// `hard`, `normal` and `easy` in turn, in groups; a small sample has one of 8.
fn mixed_groups(by_default: u32) -> Vec<Vec<&'static str>> {
    let sizes: &[usize] = if matches(by_default) >= MANY { &[3, 8, 16] } else { &[8] };
    sizes.iter().map(|size| ["hard", "normal", "easy"].into_iter().cycle().take(*size).collect()).collect()
}

#[test]
fn matches_of_each_mode_end_in_more_than_one_way_and_near_their_length() {
    for (mode, announced_seconds) in judged_modes(4) {
        let mut groups = if matches(4) >= MANY { mixed_groups(4) } else { Vec::new() };
        groups.push(vec!["normal"; 16]);
        let all: Vec<Balance> = groups.iter().map(|ais| balance_of(mode, ais, 4)).collect();
        for (ais, balance) in groups.iter().zip(&all) {
            let of_announced = balance.seconds() / announced_seconds;
            let what = format!("{mode} of {} AIs, the first {}", ais.len(), ais[0]);
            assert!((0.8..=1.2).contains(&of_announced), "{what}: over after {of_announced} of its length");
        }
        // Strong AIs fill stashes, equal ones play to the end: it is the mode that must have both.
        for ending in [Ending::Time, Ending::StashFull, Ending::LastStanding] {
            let share = all.iter().map(|balance| balance.share(ending)).sum::<f64>() / all.len() as f64;
            assert!(matches(4) < MANY || share <= 0.8, "{mode}: {share} end by {ending:?}");
        }
    }
}

#[test]
fn doing_nothing_wins_in_no_mode() {
    for (mode, _) in judged_modes(3) {
        for nothing in ["idle", "circling"] {
            let ais: Vec<&str> = std::iter::once(nothing).chain(["normal"; 15]).collect();
            let balance = balance_of(mode, &ais, 3);
            let (_, record) = balance.records().find(|(ai, _)| *ai == nothing).expect("it has played");
            assert!(f64::from(record.wins) <= record.fair_wins, "{mode}: {nothing} wins {record:?}");
        }
    }
}

#[test]
fn levels_of_ais_are_a_ladder_by_wins() {
    // Partners of different levels win together.
    for (mode, _) in judged_modes(6).filter(|(mode, _)| *mode != "teams") {
        for ais in mixed_groups(6) {
            let balance = balance_of(mode, &ais, 6);
            // In few matches, `normal` and `easy` win too rarely to be compared.
            let judged = if matches(6) < MANY { 2 } else { 3 };
            for (stronger, weaker) in
                [("hard", "normal"), ("hard", "easy"), ("normal", "easy")].into_iter().take(judged)
            {
                let share = balance.wins_against(stronger, weaker);
                assert!(share >= 0.65, "{mode} of {}: {stronger} wins {share} against {weaker}", ais.len());
            }
        }
    }
}

#[test]
fn levels_of_ais_are_a_ladder_by_stashes() {
    let balance = balance_of("classic", &["hard", "normal", "easy"], 9);
    for pair in [("hard", "normal"), ("normal", "easy")] {
        let (_, share) = balance.duels().find(|(found, _)| *found == pair).expect("each pair has met");
        assert!(share >= 0.65, "{pair:?}: {share}");
    }
}
