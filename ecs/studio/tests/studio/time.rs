//! Stopping, stepping, going back, comparing, and moments as files.

use std::time::Duration;

use ecs::prelude::*;
use ecs_studio::{Studio, Subject};
use serde_json::{Value, json};

use super::{Ball, Bounced, Gravity, ask, engine, frame, hash};

#[test]
fn watched_and_scrubbed_run_is_the_same_bit_for_bit() {
    let (mut alone, _) = engine();
    let (mut watched, ball) = engine();
    let mut studio = Studio::new();
    for n in 0..400_u64 {
        alone.update(Duration::from_millis(10)).unwrap();
        assert!(frame(&mut studio, &mut watched));
        if n % 7 == 0 {
            for request in [
                json!({ "op": "status" }),
                json!({ "op": "entities", "search": "a", "columns": ["ball"] }),
                json!({ "op": "entity", "entity": ball.to_string() }),
                json!({ "op": "systems" }),
                json!({ "op": "events" }),
                json!({ "op": "event_graph" }),
                json!({ "op": "memory" }),
                json!({ "op": "seek", "frame": n / 2 }),
                json!({ "op": "why", "entity": ball.to_string() }),
                json!({ "op": "step" }),
                json!({ "op": "compare", "from": n / 3, "to": n }),
                json!({ "op": "run" }),
            ] {
                let answer = ask(&mut studio, &mut watched, request.clone());
                assert_eq!(answer.get("error"), None, "{request}");
            }
        }
    }
    assert!(alone.entities().len() > 3, "there are marks");
    assert_eq!(hash(&mut watched), hash(&mut alone));
    ask(&mut studio, &mut watched, json!({ "op": "seek", "frame": 1 }));
    studio.leave(&mut watched);
    assert_eq!(hash(&mut watched), hash(&mut alone));
}

#[test]
fn past_is_shown_and_the_run_goes_on_from_there_or_from_the_present() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    let mut heights = vec![1.0];
    for _ in 0..100 {
        frame(&mut studio, &mut engine);
        heights.push(engine.get::<Ball>(ball).unwrap().height_m);
    }
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 40 }));
    assert_eq!(engine.get::<Ball>(ball).unwrap().height_m, heights[40]);
    assert!(studio.take_changes().moved);
    assert!(!frame(&mut studio, &mut engine), "the past stands still");
    ask(&mut studio, &mut engine, json!({ "op": "step" }));
    assert_eq!(engine.get::<Ball>(ball).unwrap().height_m, heights[41]);
    let refused = ask(&mut studio, &mut engine, json!({ "op": "despawn", "entity": ball.to_string() }));
    assert_eq!(refused["error"], "this is the past: go on from here before you change something");
    let differing = ask(&mut studio, &mut engine, json!({ "op": "compare", "from": 10, "to": 20 }));
    assert_eq!(differing["entities"][0]["entity"], ball.to_string());
    assert_eq!(differing["entities"][0]["differences"][0]["path"], "/ball/height_m");
    assert_eq!(engine.get::<Ball>(ball).unwrap().height_m, heights[41], "comparing changes nothing");

    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    assert_eq!(engine.get::<Ball>(ball).unwrap().height_m, heights[100]);
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 40 }));
    ask(&mut studio, &mut engine, json!({ "op": "run", "from_here": true }));
    assert!(frame(&mut studio, &mut engine));
    assert_eq!(engine.time().frame(), 41);
    assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "status" }))["latest"], 41);
}

#[test]
fn way_back_to_the_present_keeps_the_pause_and_runs_nothing_behind_the_end() {
    let (mut engine, _) = engine();
    let mut studio = Studio::new();
    (0..50).for_each(|_| _ = frame(&mut studio, &mut engine));
    let now = json!({ "op": "now" });
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 20 }));
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 10 }));
    assert_eq!(ask(&mut studio, &mut engine, now.clone()), json!({ "paused": false, "past": null }));
    assert!(frame(&mut studio, &mut engine), "it ran before");
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 10 }));
    assert_eq!(ask(&mut studio, &mut engine, now.clone()), json!({ "paused": true, "past": null }));
    assert!(!frame(&mut studio, &mut engine), "it was paused before");
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 10 }));
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    ask(&mut studio, &mut engine, now.clone());
    assert!(!frame(&mut studio, &mut engine), "it was paused while the past was shown");

    studio.pause_at_the_end("it is over");
    for request in ["now", "run", "step", "step_system", "run"] {
        ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 10 }));
        ask(&mut studio, &mut engine, now.clone());
        ask(&mut studio, &mut engine, json!({ "op": request }));
        assert!(!frame(&mut studio, &mut engine), "{request} runs nothing");
    }
    let status = ask(&mut studio, &mut engine, json!({ "op": "status" }));
    assert_eq!(status["notice"], "the program is over: no frame comes after this one");
    assert_eq!((&status["frame"], &status["at_end"]), (&json!(51), &json!(true)));
    // A branch from before has an end of its own.
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 40 }));
    ask(&mut studio, &mut engine, json!({ "op": "run", "from_here": true }));
    assert!(frame(&mut studio, &mut engine));
}

#[test]
fn pause_step_and_break_stop_between_frames() {
    let (mut engine, _) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    assert!(!frame(&mut studio, &mut engine));
    ask(&mut studio, &mut engine, json!({ "op": "step", "frames": 3 }));
    let ran: Vec<_> = (0..5).map(|_| frame(&mut studio, &mut engine)).collect();
    assert_eq!(ran, [true, true, true, false, false]);
    ask(&mut studio, &mut engine, json!({ "op": "break", "event": "Bounced" }));
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    let frames = (0..1_000).take_while(|_| frame(&mut studio, &mut engine)).count();
    assert!((30..60).contains(&frames), "the ball falls for half a second: {frames}");
    let status = ask(&mut studio, &mut engine, json!({ "op": "status" }));
    assert!(status["notice"].as_str().unwrap().starts_with("stopped at Bounced {"), "{status}");
    let events = ask(&mut studio, &mut engine, json!({ "op": "events", "frame": status["frame"] }));
    assert_eq!(
        (&events["events"][0]["name"], &events["events"][0]["by"]["system"]),
        (&json!("Bounced"), &json!("Gravity"))
    );
}

#[test]
fn moment_is_saved_and_loaded_in_another_program() {
    let (mut engine, _) = engine();
    let mut studio = Studio::new();
    (0..80).for_each(|_| _ = frame(&mut studio, &mut engine));
    let saved = ask(&mut studio, &mut engine, json!({ "op": "save" }));
    assert_eq!(saved["frame"], 80);
    let (mut other, _) = self::engine();
    let mut of_other = Studio::new();
    let loaded = ask(&mut of_other, &mut other, json!({ "op": "load", "moment": saved["moment"] }));
    assert_eq!((&loaded["frame"], hash(&mut other)), (&json!(80), hash(&mut engine)));
    let before = hash(&mut other);
    for moment in ["", "00", "zz", "0"] {
        let refused = ask(&mut of_other, &mut other, json!({ "op": "load", "moment": moment }));
        assert!(refused["error"].is_string(), "{moment}");
    }
    assert_eq!(hash(&mut other), before);
}

#[test]
fn what_was_sent_between_two_frames_survives_looking_at_other_frames() {
    let runs = [false, true].map(|is_watched| {
        let (mut engine, ball) = engine();
        let mut studio = Studio::new();
        for n in 0..20 {
            engine.send(Bounced { ball, speed_mps: 1.0 });
            if is_watched {
                ask(&mut studio, &mut engine, json!({ "op": "compare", "from": n / 2, "to": n }));
                ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": n / 2 }));
                ask(&mut studio, &mut engine, json!({ "op": "run" }));
            }
            frame(&mut studio, &mut engine);
        }
        (engine.entities().len(), hash(&mut engine))
    });
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn without_a_snapshot_of_the_present_nothing_is_restored() {
    struct Unregistered;
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    (0..5).for_each(|_| _ = frame(&mut studio, &mut engine));
    engine.insert(ball, (Unregistered,)).unwrap();
    (0..5).for_each(|_| _ = frame(&mut studio, &mut engine));
    for request in [json!({ "op": "seek", "frame": 2 }), json!({ "op": "compare", "from": 1, "to": 2 })] {
        let refused = ask(&mut studio, &mut engine, request);
        assert!(refused["error"].as_str().unwrap().contains("Unregistered"), "{refused}");
    }
    studio.leave(&mut engine);
    assert_eq!(engine.time().frame(), 10);
}

#[test]
fn comparison_sees_tags_and_what_is_disabled() {
    let (mut engine, ball) = engine();
    #[derive(Clone, serde::Serialize, serde::Deserialize)]
    struct Tag;
    engine.types_mut().component_by::<Tag>("tag", |_, _| {}).unwrap().save::<Tag>(1).unwrap();
    let mut studio = Studio::new();
    engine.disable_system::<Gravity>().unwrap();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    frame(&mut studio, &mut engine);
    engine.insert(ball, (Tag,)).unwrap();
    engine.disable_component::<Ball>(ball).unwrap();
    frame(&mut studio, &mut engine);
    let found = ask(&mut studio, &mut engine, json!({ "op": "compare", "from": 1, "to": 2 }));
    let differences = &found["entities"][0]["differences"];
    assert_eq!(
        differences,
        &json!([
            { "path": "/disabled", "before": [], "after": ["Ball"] },
            { "path": "/tag", "after": null, "added": true },
        ])
    );
}

#[test]
fn moment_that_the_program_restores_itself_begins_another_course() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    let run = |studio: &mut Studio<Engine>, engine: &mut Engine, frames: u32, speed_mps: f32| {
        for _ in 0..frames {
            engine.send(Bounced { ball, speed_mps });
            frame(studio, engine);
        }
    };
    run(&mut studio, &mut engine, 5, 1.0);
    let before = engine.snapshot().unwrap();
    run(&mut studio, &mut engine, 5, 1.0);
    engine.restore(&before).unwrap();
    ask(&mut studio, &mut engine, json!({ "op": "break", "event": "Bounced", "search": "7.0" }));
    run(&mut studio, &mut engine, 3, 7.0);
    let status = ask(&mut studio, &mut engine, json!({ "op": "status" }));
    assert_eq!((&status["frame"], &status["paused"], &status["latest"]), (&json!(6), &json!(true), &json!(6)));
    let events = ask(&mut studio, &mut engine, json!({ "op": "events" }));
    let speeds: Vec<_> =
        events["events"].as_array().unwrap().iter().map(|event| &event["value"]["speed_mps"]).collect();
    assert_eq!(speeds, [&json!(7.0), &json!(1.0), &json!(1.0), &json!(1.0), &json!(1.0), &json!(1.0)]);
}

#[test]
fn frame_is_stepped_system_by_system_and_then_goes_on_as_if_it_was_not() {
    let (mut alone, _) = engine();
    let (mut stepped, ball) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut stepped, json!({ "op": "pause" }));
    let height = |engine: &Engine| engine.get::<Ball>(ball).unwrap().height_m;
    let before = height(&stepped);
    ask(&mut studio, &mut stepped, json!({ "op": "step_system" }));
    assert!(frame(&mut studio, &mut stepped), "a frame with one system has run");
    assert!(!frame(&mut studio, &mut stepped), "and no more");
    let middle = ask(&mut studio, &mut stepped, json!({ "op": "status" }))["middle"].clone();
    assert_eq!(middle, json!({ "systems": 1, "of": 2, "last": "Gravity" }));
    assert!(height(&stepped) < before, "the ball has fallen");
    let spawn = ask(&mut studio, &mut stepped, json!({ "op": "spawn" }));
    assert_eq!(spawn["error"], "this is the middle of a frame: finish it before you change something");
    // The second system, and then the whole frame.
    for _ in 0..2 {
        ask(&mut studio, &mut stepped, json!({ "op": "step_system" }));
        frame(&mut studio, &mut stepped);
    }
    let status = ask(&mut studio, &mut stepped, json!({ "op": "status" }));
    assert_eq!((&status["middle"], &status["frame"]), (&Value::Null, &json!(1)));
    alone.update(Duration::from_millis(10)).unwrap();
    assert_eq!(hash(&mut stepped), hash(&mut alone));
    // Running on from the middle of a frame runs that frame as a whole.
    ask(&mut studio, &mut stepped, json!({ "op": "step_system" }));
    frame(&mut studio, &mut stepped);
    ask(&mut studio, &mut stepped, json!({ "op": "run" }));
    (0..200).for_each(|_| _ = frame(&mut studio, &mut stepped));
    (0..200).for_each(|_| alone.update(Duration::from_millis(10)).unwrap());
    assert!(stepped.entities().len() > 2, "there are marks");
    assert_eq!(hash(&mut stepped), hash(&mut alone));
}

#[test]
fn frame_of_the_past_is_stepped_system_by_system_and_nothing_of_it_stays() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    (0..400).for_each(|_| _ = frame(&mut studio, &mut engine));
    let whole = hash(&mut engine);
    let bounce = ask(&mut studio, &mut engine, json!({ "op": "events" }))["events"][0]["frame"].as_u64().unwrap();
    let shown = |engine: &Engine| (engine.get::<Ball>(ball).unwrap().height_m, engine.entities().len());
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": bounce }));
    let after = shown(&engine);
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": bounce - 1 }));
    let before = shown(&engine);
    let step = json!({ "op": "step_system" });
    let status = json!({ "op": "status" });
    ask(&mut studio, &mut engine, step.clone());
    let middle = ask(&mut studio, &mut engine, status.clone());
    assert_eq!(middle["middle"], json!({ "systems": 1, "of": 2, "last": "Gravity" }));
    assert_eq!((&middle["past"], &middle["frame"]), (&json!(bounce - 1), &json!(bounce)));
    assert_eq!(shown(&engine), (after.0, before.1), "the ball has bounced, and nothing has left a mark");
    ask(&mut studio, &mut engine, step.clone());
    assert_eq!(shown(&engine), after, "both systems have run");
    let refused = ask(&mut studio, &mut engine, json!({ "op": "spawn" }));
    assert!(refused["error"].is_string());
    // The whole frame, and back again.
    ask(&mut studio, &mut engine, step.clone());
    let next = ask(&mut studio, &mut engine, status.clone());
    assert_eq!((&next["past"], &next["middle"]), (&json!(bounce), &Value::Null));
    ask(&mut studio, &mut engine, step);
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": bounce - 1 }));
    assert_eq!(shown(&engine), before);
    assert!(engine.systems().iter().all(|system| system.is_enabled));
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    assert_eq!(hash(&mut engine), whole);
}

#[test]
fn other_frames_are_not_looked_at_from_the_middle_of_one() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    (0..5).for_each(|_| _ = frame(&mut studio, &mut engine));
    let compared = ask(&mut studio, &mut engine, json!({ "op": "compare", "from": 0, "to": 99 }));
    assert_eq!((&compared["from"], &compared["to"]), (&json!(0), &json!(5)), "there is no frame 99");
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    ask(&mut studio, &mut engine, json!({ "op": "step_system" }));
    frame(&mut studio, &mut engine);
    let why = json!({ "op": "why_value", "entity": ball.to_string(), "component": "ball" });
    for request in [json!({ "op": "compare", "from": 4, "to": 5 }), why] {
        let refused = ask(&mut studio, &mut engine, request);
        assert_eq!(refused["error"], "this is the middle of a frame: finish it before you look at other frames");
    }
    let status = ask(&mut studio, &mut engine, json!({ "op": "status" }));
    assert_eq!(status["middle"]["systems"], 1, "it is still shown");
}

#[test]
fn program_that_waits_is_let_go_on_by_a_request_and_by_nothing_else() {
    let (mut engine, _) = engine();
    let mut studio = Studio::new();
    studio.pause("it has not begun yet");
    assert!(!frame(&mut studio, &mut engine) && !studio.is_watched());
    assert_eq!(studio.notice().as_deref(), Some("it has not begun yet"));
    let status = ask(&mut studio, &mut engine, json!({ "op": "status" }));
    assert_eq!((&status["paused"], &status["notice"]), (&json!(true), &json!("it has not begun yet")));
    ask(&mut studio, &mut engine, json!({ "op": "step" }));
    assert!(frame(&mut studio, &mut engine) && !frame(&mut studio, &mut engine));
    studio.leave(&mut engine);
    assert!(!frame(&mut studio, &mut engine), "it waits on");
    assert_eq!(studio.notice().as_deref(), Some("the studio has paused the program"));
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    studio.leave(&mut engine);
    assert!(frame(&mut studio, &mut engine));
}

#[test]
fn comparison_goes_on_behind_an_entity() {
    let (mut engine, ball) = engine();
    let other = engine.spawn((Ball { height_m: 9.0, speed_mps: 0.0 },));
    let mut studio = Studio::new();
    (0..3).for_each(|_| _ = frame(&mut studio, &mut engine));
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    (0..3).for_each(|_| _ = frame(&mut studio, &mut engine));
    let mut differing = |after: Option<String>| {
        let compared = ask(&mut studio, &mut engine, json!({ "op": "compare", "from": 3, "to": 6, "after": after }));
        assert_eq!(compared["compared_to"], Value::Null, "there was time for all");
        compared["entities"].as_array().unwrap().iter().map(|it| it["entity"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(differing(None), [json!(ball.to_string()), json!(other.to_string())]);
    assert_eq!(differing(Some(ball.to_string())), [json!(other.to_string())]);
}

#[test]
fn system_runs_alone_for_one_frame_and_its_edits_repeat_that() {
    let (mut watched, _) = engine();
    let (mut repeated, ball) = engine();
    let mut studio = Studio::new();
    let once = json!({ "op": "run_once", "system": "Gravity" });
    assert_eq!(ask(&mut studio, &mut watched, once.clone())["error"], "pause before you run a system alone");
    ask(&mut studio, &mut watched, json!({ "op": "pause" }));
    let unknown = ask(&mut studio, &mut watched, json!({ "op": "run_once", "system": "Levity" }));
    assert_eq!(unknown["error"], "there is no system \"Levity\"");
    // In the first frames the ball falls; then the one that is disabled runs alone, and nothing moves.
    ask(&mut studio, &mut watched, json!({ "op": "enable_system", "system": "Marks", "enabled": false }));
    for request in [once, json!({ "op": "run_once", "system": "Marks" }), json!({ "op": "step" })] {
        let answer = ask(&mut studio, &mut watched, request.clone());
        assert_eq!(answer.get("error"), None, "{request}");
        let height = watched.get::<Ball>(ball).unwrap().height_m;
        assert!(frame(&mut studio, &mut watched), "{request}");
        assert!(!frame(&mut studio, &mut watched), "{request}: it is one frame");
        let falls = watched.get::<Ball>(ball).unwrap().height_m < height;
        assert_eq!(falls, request["system"] != "Marks", "{request}");
        let enabled: Vec<_> = watched.systems().iter().map(|info| (info.name, info.is_enabled)).collect();
        assert_eq!(enabled, [("Gravity", true), ("Marks", false)], "{request}: as before");
    }
    let edits = studio.take_changes().edits;
    assert_eq!(edits.len(), 5, "one by hand, and four for the frame of Marks alone");
    for frame in 0..3 {
        let of_frame = edits.iter().filter(|made| made.frame == frame);
        of_frame.for_each(|made| _ = repeated.make(&made.edit).unwrap());
        repeated.update(Duration::from_millis(10)).unwrap();
    }
    assert_eq!(hash(&mut watched), hash(&mut repeated));
}
