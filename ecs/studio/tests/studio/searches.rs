//! The frame in which a question holds, looked for forward and backward.

use ecs::Engine;
use ecs_studio::Studio;
use serde_json::{Value, json};

use super::{Ball, ask, engine, frame, hash};

/// Answers until the search is at rest; returns what it says.
fn searched(studio: &mut Studio<Engine>, engine: &mut Engine) -> Value {
    for _ in 0..10_000 {
        studio.serve(engine);
        let search = ask(studio, engine, json!({ "op": "status" }))["search"].clone();
        if search["stage"] != "searching" {
            return search;
        }
    }
    panic!("the search does not end");
}

/// A run of so many frames, and those after which the ball goes up after it went down.
fn run(frames: u64) -> (Studio<Engine>, Engine, Vec<u64>) {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    let (mut bounces, mut before) = (Vec::new(), 0.0);
    for number in 1..=frames {
        frame(&mut studio, &mut engine);
        let speed = engine.get::<Ball>(ball).unwrap().speed_mps;
        if speed > before {
            bounces.push(number);
        }
        before = speed;
    }
    (studio, engine, bounces)
}

#[test]
fn every_frame_in_which_it_held_is_found_backward_and_forward() {
    let (mut studio, mut engine, bounces) = run(1_500);
    assert!(bounces.len() > 5);
    let whole = hash(&mut engine);
    let pause = json!({ "op": "pause" });
    for question in ["sent(bounced) > 0", "delta(ball.speed_mps) > 0"] {
        ask(&mut studio, &mut engine, pause.clone());
        for bounce in bounces.iter().rev() {
            ask(&mut studio, &mut engine, json!({ "op": "find", "question": question, "backward": true }));
            let search = searched(&mut studio, &mut engine);
            assert_eq!((&search["stage"], &search["frame"]), (&json!("found"), &json!(bounce)), "{question}: {search}");
            assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "status" }))["past"], json!(bounce));
        }
        ask(&mut studio, &mut engine, json!({ "op": "find", "question": question, "backward": true }));
        let search = searched(&mut studio, &mut engine);
        let sentence = format!("it held in no frame before {}, back to frame 0", bounces[0]);
        assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "status" }))["notice"], "", "the older one is gone");
        assert_eq!((&search["stage"], &search["sentence"]), (&json!("nowhere"), &json!(sentence)));
        for bounce in &bounces[1..] {
            ask(&mut studio, &mut engine, json!({ "op": "find", "question": question }));
            assert_eq!(searched(&mut studio, &mut engine)["frame"], json!(bounce), "{question}");
        }
        ask(&mut studio, &mut engine, json!({ "op": "run" }));
        assert_eq!(hash(&mut engine), whole, "the present is what it was");
    }
}

/// It looks back over more than one checkpoint, from wherever the search begins.
#[test]
fn what_held_for_many_frames_is_found_backward_and_forward_ahead_and_in_a_curve() {
    let (mut studio, mut engine, bounces) = run(1_500);
    let longest = bounces.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
    let frames = longest - 1;
    // The frames after a bounce that was followed by so many without one.
    let all: Vec<u64> = bounces.iter().map(|bounce| bounce + frames).collect();
    let is_quiet = |frame: &u64| !bounces.iter().any(|bounce| (frame - frames + 1..=*frame).contains(bounce));
    let wanted: Vec<u64> = all.into_iter().filter(is_quiet).filter(|frame| *frame <= 1_500).collect();
    assert!(!wanted.is_empty() && frames > 50, "{wanted:?} {frames}");
    let question = format!("held(sent(bounced) = 0, {frames}) and not held(sent(bounced) = 0, {})", frames + 1);
    let whole = hash(&mut engine);
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    for frame in wanted.iter().rev() {
        ask(&mut studio, &mut engine, json!({ "op": "find", "question": question, "backward": true }));
        assert_eq!(searched(&mut studio, &mut engine)["frame"], json!(frame));
        let rows = json!({ "op": "entities", "with": [format!("ball and {question}")] });
        assert_eq!(ask(&mut studio, &mut engine, rows)["total"], 1, "in a table, too");
    }
    ask(&mut studio, &mut engine, json!({ "op": "find", "question": question, "backward": true }));
    assert_eq!(searched(&mut studio, &mut engine)["stage"], "nowhere");
    for frame in &wanted[1..] {
        ask(&mut studio, &mut engine, json!({ "op": "find", "question": question }));
        assert_eq!(searched(&mut studio, &mut engine)["frame"], json!(frame));
    }
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    assert_eq!(hash(&mut engine), whole);
    // Ahead of the present it knows the frames before, too.
    let always = json!({ "op": "find", "question": "held(ball.height_m > -1000, 900)" });
    ask(&mut studio, &mut engine, always);
    assert_eq!(searched(&mut studio, &mut engine)["stage"], "ahead");
    frame(&mut studio, &mut engine);
    assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "status" }))["search"]["frame"], 1_501);
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    let curve = json!({ "op": "curve", "question": format!("held(sent(bounced) = 0, {frames})"), "columns": 10_000 });
    ask(&mut studio, &mut engine, curve.clone());
    (0..5).for_each(|_| _ = frame(&mut studio, &mut engine));
    (0..200).for_each(|_| studio.serve(&mut engine));
    let curve = ask(&mut studio, &mut engine, curve);
    let columns = curve["columns"].as_array().unwrap();
    let drawn = |frame: u64| columns[usize::try_from(frame).unwrap()][1].as_f64().unwrap();
    for frame in frames..=1_500 {
        assert_eq!(drawn(frame) > 0.5, is_quiet(&frame), "frame {frame}");
    }
}

#[test]
fn first_frame_is_found_too_and_it_says_with_which_values() {
    let (mut studio, mut engine, _) = run(700);
    ask(&mut studio, &mut engine, json!({ "op": "find", "question": "ball.height_m = 1", "backward": true }));
    let search = searched(&mut studio, &mut engine);
    let sentence = "entity 1v1 has ball.height_m = 1";
    assert_eq!((&search["frame"], &search["sentence"]), (&json!(0), &json!(sentence)));
    let status = ask(&mut studio, &mut engine, json!({ "op": "status" }));
    assert_eq!(status["notice"], format!("frame 0: {sentence}"));
}

#[test]
fn search_goes_on_beside_the_running_program() {
    let (mut studio, mut engine, bounces) = run(3_000);
    let (mut alone, mut other, _) = run(3_000);
    ask(&mut studio, &mut engine, json!({ "op": "find", "question": "frame = 40", "backward": true }));
    let mut frames = 0;
    while frame(&mut studio, &mut engine) {
        frames += 1;
        frame(&mut alone, &mut other);
        assert_eq!(engine.time().frame(), 3_000 + frames, "it shows the present between the looks");
        assert_eq!(hash(&mut engine), hash(&mut other), "nothing of it is in the run");
    }
    let status = ask(&mut studio, &mut engine, json!({ "op": "status" }));
    assert_eq!((&status["search"]["frame"], &status["past"]), (&json!(40), &json!(40)));
    assert!(!bounces.is_empty());
}

#[test]
fn next_frame_is_waited_for_at_the_present() {
    let (mut studio, mut engine, bounces) = run(200);
    let later = run(900).2.into_iter().find(|bounce| *bounce > 200).unwrap();
    ask(&mut studio, &mut engine, json!({ "op": "find", "question": "sent(bounced) > 0" }));
    assert_eq!(searched(&mut studio, &mut engine)["stage"], "ahead");
    while frame(&mut studio, &mut engine) {}
    assert_eq!(engine.time().frame(), later);
    let status = ask(&mut studio, &mut engine, json!({ "op": "status" }));
    assert_eq!(status["notice"], format!("stopped at frame {later}: sent(bounced) = 1"));
    // From the past, too, once the history is behind it.
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": bounces[bounces.len() - 1] }));
    ask(
        &mut studio,
        &mut engine,
        json!({ "op": "find", "question": format!("frame > {later} and sent(bounced) > 0") }),
    );
    assert_eq!(searched(&mut studio, &mut engine)["stage"], "ahead");
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    while frame(&mut studio, &mut engine) {}
    assert!(engine.time().frame() > later);
}

#[test]
fn program_that_is_paused_runs_to_the_next_frame_that_is_looked_for() {
    let (mut studio, mut engine, bounces) = run(200);
    let later = run(900).2.into_iter().find(|bounce| *bounce > 200).unwrap();
    let find = json!({ "op": "find", "question": "sent(bounced) > 0" });
    let sentence = |studio: &mut Studio<Engine>, engine: &mut Engine| {
        ask(studio, engine, json!({ "op": "status" }))["search"]["sentence"].clone()
    };
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    ask(&mut studio, &mut engine, find.clone());
    assert_eq!(sentence(&mut studio, &mut engine), "the program runs until a frame comes in which this holds");
    assert!(frame(&mut studio, &mut engine));
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    assert_eq!(sentence(&mut studio, &mut engine), "this waits until the program runs");
    assert!(!frame(&mut studio, &mut engine));
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    while frame(&mut studio, &mut engine) {}
    assert_eq!(engine.time().frame(), later);
    // From the past, too, once no frame of the history is left.
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": bounces[bounces.len() - 1] }));
    let question = format!("frame > {later} and sent(bounced) > 0");
    ask(&mut studio, &mut engine, json!({ "op": "find", "question": question }));
    assert_eq!(searched(&mut studio, &mut engine)["stage"], "ahead");
    while frame(&mut studio, &mut engine) {}
    assert!(engine.time().frame() > later);
    // No frame comes behind the end.
    studio.pause_at_the_end("it is over");
    ask(&mut studio, &mut engine, find);
    assert_eq!(sentence(&mut studio, &mut engine), "no frame comes after this one");
    assert!(!frame(&mut studio, &mut engine));
}

#[test]
fn search_that_could_find_nothing_says_why() {
    let (mut studio, mut engine, _) = run(700);
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    for (question, sentence) in [
        ("ball.height_m > 1000", String::new()),
        ("held(ball, 1000) and frame < 0", String::new()),
        ("held(ball.height_m < 9, 1000)", ": it was unknown in each of them".to_owned()),
    ] {
        ask(&mut studio, &mut engine, json!({ "op": "find", "question": question, "backward": true }));
        let search = searched(&mut studio, &mut engine);
        assert_eq!(search["sentence"], format!("it held in no frame before 700, back to frame 0{sentence}"));
    }
    // What can be told at once is not looked for.
    for (question, sentence) in [
        ("delta(ball.hight_m) = -6", "`ball` has no field `hight_m`: it has height_m, speed_mps"),
        ("delta(ball) = -6", "`ball` is no number: it has height_m, speed_mps"),
    ] {
        let refused = ask(&mut studio, &mut engine, json!({ "op": "find", "question": question }));
        assert_eq!(refused["error"], sentence);
    }
    // There is no mark yet whose fields could be known.
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 0 }));
    ask(&mut studio, &mut engine, json!({ "op": "find", "question": "mark.sped_mps = 1" }));
    let search = searched(&mut studio, &mut engine);
    assert_eq!(search["stage"], "ahead", "{search}");
    frame(&mut studio, &mut engine);
    studio.pause_at_the_end("it is over");
    let search = searched(&mut studio, &mut engine);
    let end = "it holds in no frame after 0, up to the end in frame 701: it was unknown in each of them, since";
    assert_eq!(search["sentence"], format!("{end} `mark` has no field `sped_mps`: it has speed_mps"));
    // In the first frame there is nothing to look back to.
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 0 }));
    ask(&mut studio, &mut engine, json!({ "op": "find", "question": "ball", "backward": true }));
    assert_eq!(searched(&mut studio, &mut engine)["sentence"], "no frame before 0 is kept");
}

#[test]
fn search_is_refused_and_ended() {
    let (mut studio, mut engine, _) = run(20);
    for (question, sentence) in [
        ("bell > 1", "column 1: no component, resource or system is registered as `bell`: `ball` may be meant"),
        ("count(ball)", "this is a value and no condition: compare it, as in `… > 0`"),
    ] {
        let refused = ask(&mut studio, &mut engine, json!({ "op": "find", "question": question }));
        assert_eq!(refused["error"], sentence);
    }
    ask(&mut studio, &mut engine, json!({ "op": "find", "question": "ball.height_m > 1000" }));
    ask(&mut studio, &mut engine, json!({ "op": "end_search" }));
    assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "status" }))["search"], Value::Null);
}

#[test]
fn curve_has_a_number_of_each_frame_from_before_it_was_asked_for() {
    let (mut studio, mut engine, bounces) = run(1_000);
    let asked = json!({ "op": "curve", "question": "sent(bounced)", "columns": 10_000 });
    let first = ask(&mut studio, &mut engine, asked.clone());
    assert_eq!((&first["looked_from"], &first["latest"]), (&json!(1_001), &json!(1_000)), "none is filled in yet");
    let whole = hash(&mut engine);
    (0..200).for_each(|_| studio.serve(&mut engine));
    assert_eq!(hash(&mut engine), whole);
    let (mut numbers, mut later) = (bounces, Vec::new());
    let ball = ecs::inspect::Question::new("ball", &engine).unwrap().entities(&engine)[0];
    for number in 1_001..=1_400 {
        let before = engine.get::<Ball>(ball).unwrap().speed_mps;
        frame(&mut studio, &mut engine);
        if engine.get::<Ball>(ball).unwrap().speed_mps > before {
            later.push(number);
        }
    }
    assert!(!later.is_empty());
    numbers.extend(later);
    let curve = ask(&mut studio, &mut engine, asked.clone());
    assert_eq!((&curve["looked_from"], &curve["problem"]), (&json!(0), &Value::Null));
    let columns = curve["columns"].as_array().unwrap();
    assert_eq!(columns.len(), 1_401);
    assert_eq!(columns[0], Value::Null, "the oldest frame has none before it");
    let found: Vec<u64> = (0..).zip(columns).filter(|(_, column)| column[1] == 1.0).map(|(frame, _)| frame).collect();
    assert_eq!(found, numbers);
    // Of several frames the least and the greatest one.
    let few = ask(&mut studio, &mut engine, json!({ "op": "curve", "question": "sent(bounced)", "columns": 2 }));
    assert_eq!(few["columns"], json!([[0.0, 1.0], [0.0, 1.0]]));
    // A branch has its own.
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 700 }));
    ask(&mut studio, &mut engine, json!({ "op": "run", "from_here": true }));
    frame(&mut studio, &mut engine);
    (0..200).for_each(|_| studio.serve(&mut engine));
    let branch = ask(&mut studio, &mut engine, asked);
    assert_eq!((&branch["looked_from"], &branch["columns"].as_array().unwrap().len()), (&json!(0), &702));
    for (question, sentence) in [
        ("ball.height_m + 1", "a curve has one number in each frame: take `sum`, `count`, `least` or `most`"),
        ("bell", "column 1: no component, resource or system is registered as `bell`: `ball` may be meant"),
    ] {
        let refused = ask(&mut studio, &mut engine, json!({ "op": "curve", "question": question, "columns": 9 }));
        assert_eq!(refused["error"], sentence);
    }
}

/// A question about the frame alone looks at no frame before, also at the end of the history.
#[test]
fn what_holds_in_no_later_frame_is_looked_for_up_to_the_present() {
    let (mut studio, mut engine, _) = run(700);
    for question in ["ball.height_m = 77", "delta(ball.height_m) = 77", "held(ball.height_m = 77, 20)"] {
        ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 650 }));
        ask(&mut studio, &mut engine, json!({ "op": "find", "question": question }));
        let search = searched(&mut studio, &mut engine);
        assert_eq!(search["stage"], "ahead", "{question}: {search}");
        assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "status" }))["past"], Value::Null);
    }
}
