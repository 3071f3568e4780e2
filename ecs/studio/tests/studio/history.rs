//! Any frame of a run is shown exactly as it was, in each branch, within the bytes that the history may take.

use std::time::Duration;

use ecs::prelude::*;
use ecs::snapshot::StateHasher;
use ecs::{Error, Input, Snapshot, StepClock, StepLoop};
use ecs_studio::{Studio, Subject};
use serde_json::{Value, json};

use super::{Ball, Bounced, ask, engine, frame, hash};

/// The hash of the state after each frame, from frame 0.
fn run(studio: &mut Studio<Engine>, engine: &mut Engine, frames: u64, hashes: &mut Vec<u64>) {
    if hashes.is_empty() {
        hashes.push(hash(engine));
    }
    for _ in 0..frames {
        assert!(frame(studio, engine));
        hashes.push(hash(engine));
    }
}

fn shows(studio: &mut Studio<Engine>, engine: &mut Engine, frame: u64, expected: u64) {
    let status = ask(studio, engine, json!({ "op": "seek", "frame": frame }));
    assert_eq!((&status["frame"], &status["notice"]), (&json!(frame), &json!("")), "{status}");
    assert_eq!(hash(engine), expected, "frame {frame}");
}

#[test]
fn any_frame_is_shown_as_it_was_also_from_before_the_page() {
    let (mut engine, ball) = engine();
    let (mut studio, mut hashes) = (Studio::new(), Vec::new());
    run(&mut studio, &mut engine, 1_000, &mut hashes);
    for frame in [0, 1, 999, 299, 300, 301, 12, 640, 1_000, 639] {
        shows(&mut studio, &mut engine, frame, hashes[frame as usize]);
    }
    for gone in [1_001, 5_000] {
        let refused = ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": gone }));
        assert_eq!(refused["error"], format!("there is no frame {gone}: this branch has frames 0 to 1000"));
    }
    // Steps in the past are exact, too, and end in the present.
    for (frames, shown) in [(1, 640), (7, 647), (0, 647), (353, 1_000), (1, 1_000)] {
        ask(&mut studio, &mut engine, json!({ "op": "step", "frames": frames }));
        assert_eq!((engine.time().frame(), hash(&mut engine)), (shown, hashes[shown as usize]));
    }
    assert!(frame(&mut studio, &mut engine) && !frame(&mut studio, &mut engine), "the last step is a new frame");
    hashes.push(hash(&mut engine));
    // Values are followed through all of them.
    let path = "/height_m";
    let why = json!({ "op": "why_value", "entity": ball.to_string(), "component": "ball", "path": path });
    let why = ask(&mut studio, &mut engine, why);
    let frames: Vec<_> = why["changes"].as_array().unwrap().iter().map(|change| change["frame"].as_u64()).collect();
    assert_eq!(frames, (982..=1_001).rev().map(Some).collect::<Vec<_>>());
    let compared = ask(&mut studio, &mut engine, json!({ "op": "compare", "from": 17, "to": 23 }));
    assert_eq!((&compared["from"], &compared["to"]), (&json!(17), &json!(23)));
    assert_eq!(hash(&mut engine), hashes[1_001]);
}

#[test]
fn events_that_the_program_sends_between_frames_are_inputs() {
    let (mut engine, ball) = engine();
    let (mut studio, mut hashes) = (Studio::new(), Vec::new());
    for n in 0..700_u16 {
        (0..n % 3).for_each(|more| engine.send(Bounced { ball, speed_mps: f32::from(n + more) }));
        run(&mut studio, &mut engine, 1, &mut hashes);
    }
    engine.send(Bounced { ball, speed_mps: 7.0 });
    for frame in [500, 2, 599, 350, 698] {
        shows(&mut studio, &mut engine, frame, hashes[frame as usize]);
    }
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    let (mut alone, _) = super::engine();
    for n in 0..700_u16 {
        (0..n % 3).for_each(|more| alone.send(Bounced { ball, speed_mps: f32::from(n + more) }));
        alone.update(Duration::from_millis(10)).unwrap();
    }
    alone.send(Bounced { ball, speed_mps: 7.0 });
    alone.update(Duration::from_millis(10)).unwrap();
    assert!(frame(&mut studio, &mut engine));
    assert_eq!(hash(&mut engine), hash(&mut alone), "the event that waited came once");
}

#[test]
fn steps_of_one_length_are_frames_of_the_history() {
    let (mut engine, _) = engine();
    let mut studio = Studio::new();
    let mut clock = StepClock::new(Duration::from_millis(10));
    let (mut alone, _) = super::engine();
    for elapsed in (0..300).map(|n| n * 7 % 31) {
        let elapsed = Duration::from_millis(elapsed);
        studio.frame(&mut engine, |engine| engine.advance(&mut clock, elapsed, |_| {})).unwrap().unwrap();
    }
    for frame in 0..=100_u64 {
        shows(&mut studio, &mut engine, frame, hash(&mut alone));
        alone.update(Duration::from_millis(10)).unwrap();
    }
}

#[test]
fn inputs_that_a_loop_of_steps_sends_are_inputs_of_their_frames() {
    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
    struct Key(u8);
    fn push(input: &Input<Key>, mut balls: Query<&mut Ball>) {
        if let Input::Pressed(Key(n)) = input {
            balls.iter_mut().for_each(|ball| ball.speed_mps += f32::from(*n));
        }
    }
    let pushed = || {
        let mut engine = engine().0;
        let hash =
            |input: &Input<Key>, hash: &mut StateHasher| _ = hash.add(&input.is_pressed()).add(&input.control().0);
        engine.types_mut().event_by::<Input<Key>>("input", hash).unwrap();
        engine.add(push).unwrap();
        engine
    };
    let (mut engine, mut studio) = (pushed(), Studio::new());
    let mut steps = StepLoop::new(Duration::from_millis(10));
    let mut hashes = vec![hash(&mut engine)];
    for n in 0..500_u16 {
        if n % 3 == 0 {
            steps.tap(Key((n % 7) as u8));
        }
        let elapsed = Duration::from_millis(u64::from(n % 5) * 7);
        let run = |engine: &mut Engine, step: &mut dyn FnMut(&mut Engine) -> Result<(), Error>| {
            let outcome = studio.frame(engine, step);
            hashes.push(hash(engine));
            outcome
        };
        steps.advance_by(&mut engine, elapsed, run).unwrap();
    }
    for frame in [500_u64, 3, 299, 301, 640] {
        shows(&mut studio, &mut engine, frame, hashes[frame as usize]);
    }
    // Also where one frame of the studio is several steps.
    let (mut engine, mut studio, mut alone) = (pushed(), Studio::new(), pushed());
    let mut loops = [StepLoop::new(Duration::from_millis(10)), StepLoop::new(Duration::from_millis(10))];
    for n in 0..60_u8 {
        loops.iter_mut().for_each(|steps| steps.tap(Key(n)));
        let elapsed = Duration::from_millis(35);
        studio.frame(&mut engine, |engine| loops[0].advance(engine, elapsed)).unwrap().unwrap();
        loops[1].advance(&mut alone, elapsed).unwrap();
    }
    let latest = alone.time().frame();
    let status = ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": latest - 2 }));
    assert_eq!((&status["past"], &status["inexact"]), (&json!(latest - 2), &Value::Null));
    shows(&mut studio, &mut engine, latest, hash(&mut alone));
}

#[test]
fn application_reads_each_event_once_whatever_is_shown() {
    let (mut engine, _) = engine();
    let mut bounces = engine.reader::<Bounced>().unwrap();
    let mut studio = Studio::new();
    for _ in 0..200 {
        frame(&mut studio, &mut engine);
    }
    assert!(bounces.drain().count() > 1);
    for frame in [3, 150, 199, 90] {
        ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": frame }));
        assert_eq!(bounces.drain().count(), 0);
    }
}

#[test]
fn program_that_changes_something_between_frames_is_told_and_keeps_snapshots() {
    let (mut engine, ball) = engine();
    let (mut studio, mut hashes) = (Studio::new(), Vec::new());
    let mut pushed = |studio: &mut Studio<Engine>, engine: &mut Engine| {
        run(studio, engine, 1, &mut hashes);
        engine.get_mut::<Ball>(ball).unwrap().speed_mps += 0.01;
        hashes.clone()
    };
    (0..450).for_each(|_| _ = pushed(&mut studio, &mut engine));
    let status = ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 250 }));
    let why = "this program does something to component \"ball\" between frames that is not recorded: only frames with a \
               snapshot can be shown";
    assert_eq!(status["inexact"], why);
    let notice = format!("frame 0 is shown, since frame 250 has no snapshot: {why}");
    assert_eq!((&status["frame"], &status["notice"]), (&json!(0), &json!(notice)));
    // The next step leads to the next snapshot.
    ask(&mut studio, &mut engine, json!({ "op": "step" }));
    assert_eq!(engine.time().frame(), 300);
    // From now on, each frame has one.
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    let hashes = (0..40).map(|_| pushed(&mut studio, &mut engine)).last().unwrap();
    shows(&mut studio, &mut engine, 460, hashes[460]);
    shows(&mut studio, &mut engine, 489, hashes[489]);
}

/// A program with a state of its own that does not say what its frames are run with.
struct Program(Engine);

impl Subject for Program {
    type Snapshot = Snapshot;
    type Inputs = ();

    fn engine(&mut self) -> &mut Engine {
        &mut self.0
    }

    fn snapshot_into(&mut self, snapshot: &mut Snapshot) -> Result<(), Error> {
        self.0.snapshot_into(snapshot)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.0.restore(snapshot)
    }
}

#[test]
fn program_without_recorded_inputs_keeps_snapshots_and_says_what_that_means() {
    let mut program = Program(engine().0);
    let mut studio = Studio::new();
    let run = |studio: &mut Studio<Program>, program: &mut Program, frames: u64| {
        for _ in 0..frames {
            studio.frame(program, |program| program.0.update(Duration::from_millis(10))).unwrap().unwrap();
        }
    };
    run(&mut studio, &mut program, 40);
    let asked = |studio: &mut Studio<Program>, program: &mut Program, request: &str| -> Value {
        serde_json::from_str(&studio.answer(program, request)).unwrap()
    };
    let status = asked(&mut studio, &mut program, r#"{ "op": "seek", "frame": 32 }"#);
    let why = "this program does not record what its frames are run with: only frames with a snapshot can be shown";
    assert_eq!((&status["frame"], &status["inexact"]), (&json!(30), &json!(why)));
    asked(&mut studio, &mut program, r#"{ "op": "run" }"#);
    run(&mut studio, &mut program, 40);
    // A page is open: each frame is kept.
    let status = asked(&mut studio, &mut program, r#"{ "op": "seek", "frame": 57 }"#);
    assert_eq!((&status["frame"], &status["notice"]), (&json!(57), &json!("")));
}

#[test]
fn edits_are_inputs_of_the_frames_that_follow() {
    let (mut engine, ball) = engine();
    let (mut studio, mut hashes) = (Studio::new(), Vec::new());
    run(&mut studio, &mut engine, 50, &mut hashes);
    let set = |height: f32| json!({ "op": "set_component", "entity": ball.to_string(), "component": "ball", "path": "/height_m", "value": height });
    ask(&mut studio, &mut engine, set(40.0));
    ask(&mut studio, &mut engine, json!({ "op": "spawn" }));
    hashes[50] = hash(&mut engine);
    run(&mut studio, &mut engine, 50, &mut hashes);
    ask(&mut studio, &mut engine, json!({ "op": "spawn" }));
    ask(&mut studio, &mut engine, set(20.0));
    ask(&mut studio, &mut engine, json!({ "op": "undo" }));
    ask(&mut studio, &mut engine, json!({ "op": "undo" }));
    assert_eq!(hash(&mut engine), hashes[100]);
    run(&mut studio, &mut engine, 10, &mut hashes);
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    ask(&mut studio, &mut engine, json!({ "op": "run_once", "system": "Marks" }));
    assert!(frame(&mut studio, &mut engine));
    hashes.push(hash(&mut engine));
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    run(&mut studio, &mut engine, 500, &mut hashes);
    // Neither the checkpoints at the edits nor those between are needed.
    studio.limit_history(300_000);
    for frame in [49_u64, 50, 51, 100, 101, 110, 111, 112, 600] {
        shows(&mut studio, &mut engine, frame, hashes[frame as usize]);
    }
}

#[test]
fn going_on_from_the_past_makes_a_branch_and_deletes_nothing() {
    let (mut engine, ball) = engine();
    let (mut studio, mut main) = (Studio::new(), Vec::new());
    run(&mut studio, &mut engine, 400, &mut main);
    shows(&mut studio, &mut engine, 150, main[150]);
    ask(&mut studio, &mut engine, json!({ "op": "run", "from_here": true }));
    let higher = json!({ "op": "set_component", "entity": ball.to_string(), "component": "ball", "path": "/height_m", "value": 9.0 });
    ask(&mut studio, &mut engine, higher);
    let mut second = main[..150].to_vec();
    second.push(hash(&mut engine));
    run(&mut studio, &mut engine, 30, &mut second);
    shows(&mut studio, &mut engine, 160, second[160]);
    ask(&mut studio, &mut engine, json!({ "op": "run", "from_here": true }));
    let mut third = second[..=160].to_vec();
    run(&mut studio, &mut engine, 5, &mut third);

    let listed = ask(&mut studio, &mut engine, json!({ "op": "name_branch", "branch": 2, "name": "higher" }));
    let branch = |number: u64, name: &str, from: Option<u64>, begin: u64, latest: u64, current: bool| json!({ "branch": number, "name": name, "from": from, "begin": begin, "latest": latest, "current": current });
    let all = [
        branch(1, "main", None, 0, 400, false),
        branch(2, "higher", Some(1), 150, 180, false),
        branch(3, "branch 3", Some(2), 160, 165, true),
    ];
    assert_eq!(listed["branches"], json!(all));
    assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "branches" }))["branches"], json!(all));
    let status = ask(&mut studio, &mut engine, json!({ "op": "status" }));
    assert_eq!(
        (&status["branch"]["name"], &status["oldest"], &status["latest"]),
        (&json!("branch 3"), &json!(0), &json!(165))
    );
    for (number, hashes) in [(1, &main), (3, &third), (2, &second), (1, &main)] {
        let latest = hashes.len() as u64 - 1;
        let status = ask(&mut studio, &mut engine, json!({ "op": "branch", "branch": number }));
        assert_eq!(
            (&status["frame"], &status["past"], &status["paused"]),
            (&json!(latest), &Value::Null, &json!(true))
        );
        assert_eq!(hash(&mut engine), hashes[hashes.len() - 1]);
        for frame in [0, 149, 150, 151, 160, 161, 165] {
            shows(&mut studio, &mut engine, frame, hashes[frame as usize]);
        }
        let status = ask(&mut studio, &mut engine, json!({ "op": "branch", "branch": number, "frame": 155 }));
        assert_eq!((&status["past"], hash(&mut engine)), (&json!(155), hashes[155]));
    }
    // The main branch goes on where it was.
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    run(&mut studio, &mut engine, 10, &mut main);
    shows(&mut studio, &mut engine, 405, main[405]);
    for (request, refusal) in [
        (json!({ "op": "branch", "branch": 9 }), "there is no branch 9"),
        (json!({ "op": "name_branch", "branch": 9, "name": "x" }), "there is no branch 9"),
        (json!({ "op": "name_branch", "branch": 1, "name": " " }), "the name of a branch has 1 to 100 bytes"),
        (
            json!({ "op": "branch", "branch": 2, "frame": 300 }),
            "there is no frame 300: this branch has frames 0 to 180",
        ),
    ] {
        assert_eq!(ask(&mut studio, &mut engine, request)["error"], refusal);
        assert_eq!(hash(&mut engine), main[405], "it changes nothing");
    }
}

#[test]
fn branch_from_the_past_is_paused_where_it_begins() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    (0..50).for_each(|_| _ = frame(&mut studio, &mut engine));
    let begin = json!({ "op": "begin_branch" });
    let refused = ask(&mut studio, &mut engine, begin.clone());
    assert_eq!(refused["error"], "this is the present: show a frame of the past, where the branch begins");
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 20 }));
    assert_eq!(ask(&mut studio, &mut engine, begin), json!({ "paused": true, "past": null }));
    assert!(!frame(&mut studio, &mut engine), "nothing runs until it is let run");
    let edit = json!({
        "op": "set_component", "entity": ball.to_string(), "component": "ball", "path": "/height_m", "value": 9.0,
    });
    assert_eq!(ask(&mut studio, &mut engine, edit), json!({}));
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    assert!(frame(&mut studio, &mut engine));
    let status = ask(&mut studio, &mut engine, json!({ "op": "status" }));
    assert_eq!((&status["branch"]["branch"], &status["latest"]), (&json!(2), &json!(21)));
}

#[test]
fn branches_are_compared_from_where_they_part() {
    let (mut engine, ball) = engine();
    let (mut studio, mut main) = (Studio::new(), Vec::new());
    run(&mut studio, &mut engine, 2_000, &mut main);
    let branch_with = |studio: &mut Studio<Engine>, engine: &mut Engine, frame: u64, wait: u64, height_m: f64| {
        ask(studio, engine, json!({ "op": "branch", "branch": 1, "frame": frame }));
        ask(studio, engine, json!({ "op": "run", "from_here": true }));
        let mut hashes = vec![0];
        run(studio, engine, wait, &mut hashes);
        let place = json!({ "op": "set_component", "entity": ball.to_string(), "component": "ball", "path": "/height_m", "value": height_m });
        ask(studio, engine, place);
        run(studio, engine, 400, &mut hashes);
        hash(engine)
    };
    // As the page asks: on and on, as long as there was no time for all frames.
    let compare = |studio: &mut Studio<Engine>, engine: &mut Engine, with: u64, bound: f64| {
        let mut from = None;
        loop {
            let request = json!({ "op": "compare_branches", "with": with, "bound": bound, "from": from });
            let compared = ask(studio, engine, request);
            assert_eq!(compared["error"], Value::Null, "{compared}");
            match compared["searched_to"].as_u64() {
                None => break compared,
                next => from = next.max(from),
            }
        }
    };
    let expect = |compared: &Value, common: u64, frame: Option<u64>| {
        assert_eq!((&compared["common"], &compared["frame"]), (&json!(common), &json!(frame)), "{compared}");
    };
    // They differ only behind the next checkpoint.
    let present = branch_with(&mut studio, &mut engine, 150, 700, 9.0);
    let compared = compare(&mut studio, &mut engine, 1, 0.0);
    assert_eq!(hash(&mut engine), present, "the present is shown again");
    expect(&compared, 150, Some(850));
    let first = &compared["differences"][0];
    assert_eq!((&first["entity"], &first["field"]), (&json!(ball.to_string()), &json!("ball.height_m")));
    assert_eq!(first["own"], "9.0");
    // The frame of the edit itself, and a branch of the branch.
    branch_with(&mut studio, &mut engine, 300, 0, 9.0);
    expect(&compare(&mut studio, &mut engine, 1, 0.0), 300, Some(300));
    expect(&compare(&mut studio, &mut engine, 2, 0.0), 150, Some(300));
    // From the other side, the values have changed places.
    ask(&mut studio, &mut engine, json!({ "op": "branch", "branch": 1, "frame": 20 }));
    let shown = hash(&mut engine);
    let compared = compare(&mut studio, &mut engine, 2, 0.0);
    expect(&compared, 150, Some(850));
    assert_eq!(compared["differences"][0]["other"], "9.0");
    assert_eq!((hash(&mut engine), engine.time().frame()), (shown, 20), "the past is shown again");
    // No number is farther away than that, but a bounce in one of them spawns a mark.
    let compared = compare(&mut studio, &mut engine, 2, 1e6);
    assert!(compared["frame"].as_u64().unwrap() > 850, "{compared}");
    let values = [&compared["differences"][0]["own"], &compared["differences"][0]["other"]];
    assert_eq!(values, [&json!("with mark"), &Value::Null]);
    let refused = ask(&mut studio, &mut engine, json!({ "op": "compare_branches", "with": 9 }));
    assert_eq!(refused["error"], "there is no branch 9");
    let same = ask(&mut studio, &mut engine, json!({ "op": "compare_branches", "with": 1 }));
    assert_eq!(same["error"], "this is the shown branch: name another one");
}

#[test]
fn spawn_before_a_branch_is_undone_in_it() {
    let (mut engine, _) = engine();
    let (mut studio, mut hashes) = (Studio::new(), Vec::new());
    run(&mut studio, &mut engine, 5, &mut hashes);
    ask(&mut studio, &mut engine, json!({ "op": "spawn" }));
    run(&mut studio, &mut engine, 5, &mut hashes);
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 5 }));
    ask(&mut studio, &mut engine, json!({ "op": "run", "from_here": true }));
    assert_eq!(engine.entities().len(), 2);
    ask(&mut studio, &mut engine, json!({ "op": "undo" }));
    assert_eq!(engine.entities().len(), 1);
    frame(&mut studio, &mut engine);
    ask(&mut studio, &mut engine, json!({ "op": "branch", "branch": 1 }));
    assert_eq!((engine.entities().len(), hash(&mut engine)), (2, hashes[10]));
}

#[test]
fn inputs_and_edits_of_the_chosen_branch_are_those_that_the_program_records() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    let (mut hashes, spawn) = (Vec::new(), json!({ "op": "spawn" }));
    run(&mut studio, &mut engine, 10, &mut hashes);
    ask(&mut studio, &mut engine, spawn.clone());
    run(&mut studio, &mut engine, 10, &mut hashes);
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 5 }));
    ask(&mut studio, &mut engine, json!({ "op": "run", "from_here": true }));
    run(&mut studio, &mut engine, 2, &mut hashes);
    ask(&mut studio, &mut engine, json!({ "op": "despawn", "entity": ball.to_string() }));
    run(&mut studio, &mut engine, 2, &mut hashes);
    let frames = |studio: &Studio<Engine>| studio.edits().iter().map(|made| made.frame).collect::<Vec<_>>();
    assert_eq!(frames(&studio), [7]);
    assert!(!studio.take_changes().is_another_branch, "it goes on from what the program has");
    ask(&mut studio, &mut engine, json!({ "op": "branch", "branch": 1 }));
    let changes = studio.take_changes();
    assert!(changes.is_another_branch && changes.edits.is_empty());
    assert_eq!(frames(&studio), [10]);
    let recorded = studio.recorded();
    assert_eq!(recorded.first(), Some(&(1, Some(&Duration::from_millis(10)))));
    assert_eq!((recorded.len(), recorded[19]), (20, (20, Some(&Duration::from_millis(10)))));
    ask(&mut studio, &mut engine, json!({ "op": "branch", "branch": 2, "frame": 6 }));
    assert_eq!((frames(&studio), studio.recorded().len()), (vec![7], 9), "also what was later");
}

#[test]
fn history_keeps_within_its_bytes_and_still_shows_any_frame() {
    let (mut engine, _) = engine();
    let (mut studio, mut hashes) = (Studio::new(), Vec::new());
    let limit = 1_200_000;
    studio.limit_history(limit);
    for _ in 0..8 {
        run(&mut studio, &mut engine, 1_000, &mut hashes);
        let bytes = ask(&mut studio, &mut engine, json!({ "op": "status" }))["history_bytes"].as_u64().unwrap();
        assert!(bytes <= limit as u64, "{bytes}");
    }
    for frame in [8_000, 7_999, 7_001, 4_321, 17, 0] {
        shows(&mut studio, &mut engine, frame, hashes[frame as usize]);
    }
    // With too little for the inputs, the oldest frames go. The present and a moment before it stay.
    studio.limit_history(1);
    let status = ask(&mut studio, &mut engine, json!({ "op": "status" }));
    let oldest = status["oldest"].as_u64().unwrap();
    assert!(oldest > 7_000 && oldest < 8_000, "{status}");
    for frame in [oldest, oldest + 1, 8_000] {
        shows(&mut studio, &mut engine, frame, hashes[frame as usize]);
    }
    let refused = ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": oldest - 1 }));
    assert!(refused["error"].as_str().unwrap().starts_with("there is no frame"), "{refused}");
}

#[test]
fn moment_that_is_loaded_begins_a_branch() {
    let (mut engine, _) = engine();
    let (mut studio, mut hashes) = (Studio::new(), Vec::new());
    run(&mut studio, &mut engine, 30, &mut hashes);
    let moment = ask(&mut studio, &mut engine, json!({ "op": "save" }))["moment"].clone();
    run(&mut studio, &mut engine, 30, &mut hashes);
    let status = ask(&mut studio, &mut engine, json!({ "op": "load", "moment": moment }));
    assert_eq!((&status["frame"], &status["branch"]["name"]), (&json!(30), &json!("loaded at frame 30")));
    frame(&mut studio, &mut engine);
    ask(&mut studio, &mut engine, json!({ "op": "branch", "branch": 1 }));
    for frame in [60_u64, 12, 59] {
        shows(&mut studio, &mut engine, frame, hashes[frame as usize]);
    }
}

#[test]
fn pause_and_history_outlive_the_page() {
    let (mut engine, _) = engine();
    let (mut studio, mut hashes) = (Studio::new(), Vec::new());
    run(&mut studio, &mut engine, 20, &mut hashes);
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    studio.leave(&mut engine);
    assert!((0..100).all(|_| !frame(&mut studio, &mut engine)), "nobody lets it run");
    assert_eq!(studio.notice().as_deref(), Some("the studio has paused the program"));
    shows(&mut studio, &mut engine, 7, hashes[7]);
    studio.leave(&mut engine);
    assert_eq!((hash(&mut engine), frame(&mut studio, &mut engine)), (hashes[20], false));
    // With another subject, the history begins again.
    studio.forget();
    assert!(frame(&mut studio, &mut engine));
    let status = ask(&mut studio, &mut engine, json!({ "op": "status" }));
    assert_eq!((&status["paused"], &status["oldest"], &status["latest"]), (&json!(false), &json!(20), &json!(21)));
}

/// Random frames, edits, jumps, branches and limits, beside plain lists of the hashes of all frames of all branches.
#[test]
fn history_agrees_with_plain_lists_of_all_states() {
    for seed in 1..=12_u64 {
        let mut state = seed;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (mut engine, ball) = engine();
        let mut studio = Studio::new();
        // By the number of the branch, from 1.
        let mut branches = vec![vec![hash(&mut engine)]];
        let mut current = 0;
        let latest = |hashes: &Vec<u64>| hashes.len() as u64 - 1;
        for _ in 0..60 {
            match next(8) {
                0..=2 => {
                    ask(&mut studio, &mut engine, json!({ "op": "run" }));
                    for _ in 0..next(200) {
                        if next(9) == 0 {
                            engine.send(Bounced { ball, speed_mps: next(100) as f32 });
                        }
                        run(&mut studio, &mut engine, 1, &mut branches[current]);
                    }
                }
                3 => {
                    ask(&mut studio, &mut engine, json!({ "op": "run" }));
                    let request = match next(3) {
                        0 => json!({ "op": "spawn" }),
                        1 => json!({ "op": "enable_system", "system": "Gravity", "enabled": next(2) == 0 }),
                        _ => json!({ "op": "set_component", "entity": ball.to_string(), "component": "ball",
                            "path": "/height_m", "value": next(50) }),
                    };
                    ask(&mut studio, &mut engine, request);
                    if next(3) == 0 {
                        ask(&mut studio, &mut engine, json!({ "op": "undo" }));
                    }
                    *branches[current].last_mut().unwrap() = hash(&mut engine);
                }
                4 => {
                    let from = next(latest(&branches[current]) + 1);
                    shows(&mut studio, &mut engine, from, branches[current][from as usize]);
                    if from < latest(&branches[current]) {
                        ask(&mut studio, &mut engine, json!({ "op": "run", "from_here": true }));
                        let begun = branches[current][..=from as usize].to_vec();
                        branches.push(begun);
                        current = branches.len() - 1;
                    }
                }
                5 => {
                    current = next(branches.len() as u64) as usize;
                    let frame = next(latest(&branches[current]) + 1);
                    ask(&mut studio, &mut engine, json!({ "op": "branch", "branch": current + 1, "frame": frame }));
                    assert_eq!(hash(&mut engine), branches[current][frame as usize], "seed {seed}, frame {frame}");
                }
                6 if next(4) == 0 => studio.limit_history(500_000 + next(1 << 22) as usize),
                _ => {
                    for _ in 0..4 {
                        let frame = next(latest(&branches[current]) + 1);
                        shows(&mut studio, &mut engine, frame, branches[current][frame as usize]);
                    }
                }
            }
        }
        let listed = ask(&mut studio, &mut engine, json!({ "op": "branches" }))["branches"].clone();
        let latest: Vec<_> = branches.iter().map(|hashes| json!(latest(hashes))).collect();
        let listed: Vec<_> = listed.as_array().unwrap().iter().map(|branch| branch["latest"].clone()).collect();
        assert_eq!(listed, latest, "seed {seed}");
    }
}
