//! Saves and results through the program: they outlast it, however it ends.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MatchSetup, Simulation};

use super::run::{Directory, printed, program};

/// The one sentence with which the program refuses.
#[track_caller]
fn refusal(arguments: &[&str]) -> String {
    let output = program(arguments).output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stdout).unwrap().as_str()), (Some(2), ""));
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert_eq!(sentence.lines().count(), 1, "{sentence}");
    sentence
}

fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

#[test]
fn match_that_was_saved_on_the_way_ends_as_it_would_have_ended() {
    let directory = Directory::new("on_the_way");
    let data = ["--data", directory.name()];
    let whole = json(&["simulate", "--seed", "9", "--players", "5", "--json", "--mode", "spells", "--ticks", "900"]);
    let half = ["simulate", "--seed", "9", "--players", "5", "--mode", "spells", "--ticks", "431", "--save", "half"];
    printed(&[&half[..], &data].concat());
    let rest = json(&[&["simulate", "--load", "half", "--ticks", "900", "--json"][..], &data].concat());
    for field in ["hash", "stashes", "ticks", "seed", "mode", "level", "players", "events"] {
        assert_eq!(rest[field], whole[field], "{field}");
    }
    // Its recording is one of the whole match.
    let replay = directory.0.join("whole.replay");
    let replay = replay.to_str().unwrap();
    printed(&[&["simulate", "--load", "half", "--ticks", "900", "--record", replay][..], &data].concat());
    assert!(printed(&["replay", replay, "--verify"]).contains("all 900 steps went the same way"));
}

#[test]
fn match_that_was_over_when_it_was_saved_ends_once() {
    let directory = Directory::new("over");
    let data = ["--data", directory.name()];
    let first = json(&[&["simulate", "--players", "2", "--save", "over", "--json"][..], &data].concat());
    let again = json(&[&["simulate", "--load", "over", "--save", "over", "--json"][..], &data].concat());
    for field in ["hash", "ticks", "ending", "events"] {
        assert_eq!(again[field], first[field], "{field}");
    }
    assert_eq!(again["ticks_per_second"], 0.0, "nothing was left to simulate");
    assert_eq!(printed(&[&["results", "--json"][..], &data].concat()).lines().count(), 1);
}

#[test]
fn saves_are_listed_shown_copied_exported_and_deleted() {
    let directory = Directory::new("listed");
    let data = ["--data", directory.name()];
    let with = |arguments: &[&str]| printed(&[arguments, &data].concat());
    assert_eq!(with(&["saves"]), format!("nothing is saved in {}\n", directory.name()));
    assert_eq!(with(&["saves", "--json"]), "");
    with(&["simulate", "--players", "3", "--ticks", "50", "--save", "a"]);
    with(&["saves", "copy", "a", "b"]);
    assert_eq!(with(&["saves"]).lines().count(), 3);
    let shown = json(&[&["saves", "show", "b", "--json"][..], &data].concat());
    assert_eq!((&shown["ticks"], &shown["players"], &shown["mode"]), (&50.into(), &3.into(), &"classic".into()));
    let exported = json(&[&["saves", "export", "b"][..], &data].concat());
    assert_eq!(exported["replay"]["about"]["steps"], 50);
    with(&["saves", "delete", "a"]);
    assert!(refusal(&[&["saves", "show", "a"][..], &data].concat()).ends_with("there is no save \"a\", there are b\n"));
    let sentence = refusal(&[&["simulate", "--load", "a"][..], &data].concat());
    assert!(sentence.ends_with("there is no save \"a\", there are b\n"), "{sentence}");
}

#[test]
fn results_are_kept_with_replays_that_can_be_played_again() {
    let directory = Directory::new("kept");
    let data = ["--data", directory.name()];
    let with = |arguments: &[&str]| printed(&[arguments, &data].concat());
    assert_eq!(with(&["results"]), format!("there are no results in {}\n", directory.name()));
    let played = with(&["simulate", "--matches", "3", "--players", "2", "--mode", "survival", "--json"]);
    let results = with(&["results", "--json"]);
    assert_eq!((played.lines().count(), results.lines().count()), (3, 3));
    let shown = json(&[&["results", "show", "2", "--json"][..], &data].concat());
    assert_eq!((&shown["mode"], &shown["players"], &shown["people"]), (&"survival".into(), &2.into(), &0.into()));
    assert!(with(&["results", "show", "2"]).contains("Player #1"));
    let file = directory.0.join("two.replay");
    with(&["results", "replay", "2", file.to_str().unwrap()]);
    assert!(printed(&["replay", file.to_str().unwrap(), "--verify"]).contains("went the same way"));
    let exported = json(&[&["results", "export", "2"][..], &data].concat());
    assert_eq!(exported["standings"].as_array().unwrap().len(), 2);
    assert_eq!(exported["replay"]["about"]["mode"], "survival");
    let totals = json(&[&["results", "totals", "--json"][..], &data].concat());
    assert_eq!((&totals["matches"], &totals["modes"]["survival"]), (&3.into(), &3.into()));
    with(&["results", "delete", "2"]);
    assert_eq!(with(&["results", "--json"]).lines().count(), 2);
    assert!(refusal(&[&["results", "show", "2"][..], &data].concat()).contains("there is no result 2"));
}

#[test]
fn what_is_no_archive_is_refused_in_one_sentence() {
    let directory = Directory::new("no_archive");
    fs::create_dir_all(&directory.0).unwrap();
    let file = directory.0.join("bounty_hunter.sqlite3");
    fs::write(&file, "nothing that a database begins with, and more than a few bytes of it".repeat(9)).unwrap();
    for arguments in [&["saves"][..], &["results"], &["simulate", "--ticks", "9"]] {
        let sentence = refusal(&[arguments, &["--data", directory.name()]].concat());
        let expected = "it is no database: move the file away to begin a new one";
        assert_eq!(sentence, format!("error: saves and results in {}: {expected}\n", file.display()));
    }
}

/// Kills a match that saves after each step, at moments that nobody chose, and goes on from what is left of it.
#[test]
fn program_that_is_killed_while_it_saves_leaves_the_last_save_that_was_finished() {
    const KILLS: u64 = 200;
    let directory = Directory::new("killed");
    let data = ["--data", directory.name()];
    let (mut random, mut kept) = (7_u64, Vec::new());
    for kill in 0..KILLS {
        let begin = if kill == 0 { ["--players", "2"] } else { ["--load", "auto"] };
        let mut command = program(&[&["simulate", "--save", "auto", "--every", "1"][..], &begin, &data].concat());
        command.env("RUST_LOG", "bounty_hunter::command_line::archive=debug").stdout(Stdio::null());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        // It tells of each save when it is finished.
        let mut saved = BufReader::new(child.stderr.take().unwrap()).lines().map(|line| steps_saved(&line.unwrap()));
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let seen = saved.nth((random >> 33) as usize % 8).expect("it saves as long as it lives");
        (0..(random >> 40) % 1_000_000).for_each(|n| _ = std::hint::black_box(n));
        child.kill().unwrap();
        child.wait().unwrap();
        let told = saved.last().unwrap_or(seen);
        let left = json(&[&["simulate", "--load", "auto", "--ticks", "1", "--json"][..], &data].concat());
        let steps = left["ticks"].as_u64().unwrap();
        // The last one may have been finished, and not yet told of.
        assert!((told..=told + 1).contains(&steps), "kill {kill}: {steps} steps are saved, and {told} were told of");
        kept.push((steps, left["hash"].as_str().unwrap().to_owned()));
    }
    // Each of them is what a match was that nobody killed.
    let assets = Assets::built_in();
    let mut simulation = Simulation::new(&assets, &MatchSetup::of_ais(1, 2, &assets.game.ai)).unwrap();
    for (steps, hash) in kept {
        while simulation.tick() < steps {
            simulation.step(&Inputs::none());
        }
        assert_eq!(format!("{:016x}", simulation.state_hash()), hash, "{steps} steps");
    }
}

/// Of how many steps a save was that the log tells of.
fn steps_saved(line: &str) -> u64 {
    let (_, steps) = line.rsplit_once("steps=").unwrap_or_else(|| panic!("{line}"));
    steps.trim().parse().unwrap_or_else(|_| panic!("{line}"))
}
