//! A small program that is watched, stopped, edited and sent back in time, through the protocol.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ecs::prelude::*;
use ecs_studio::{CountingHeap, PanelAnswer, Studio};
use serde_json::{Value, json};

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Ball {
    height_m: f32,
    speed_mps: f32,
}

#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
struct Bounced {
    ball: EntityId,
    speed_mps: f32,
}

struct Gravity;

impl System for Gravity {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::fall);
    }
}

impl Gravity {
    fn fall(&mut self, time: Time, mut balls: Query<(EntityId, &mut Ball)>, mut bounced: Sender<Bounced>) {
        for (entity, ball) in &mut balls {
            ball.speed_mps -= 9.81 * time.delta_seconds();
            ball.height_m += ball.speed_mps * time.delta_seconds();
            if ball.height_m < 0.0 && ball.speed_mps < 0.0 {
                ball.speed_mps *= -1.0;
                bounced.send(Bounced { ball: entity, speed_mps: ball.speed_mps });
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Pair(u64, f32);

/// Each bounce leaves a mark.
struct Marks;

#[derive(Clone, serde::Serialize, serde::Deserialize)]
struct Mark {
    speed_mps: f32,
}

impl System for Marks {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, bounced: &Bounced, mut commands: Commands| {
            commands.spawn((Mark { speed_mps: bounced.speed_mps },));
        });
    }
}

fn engine() -> (Engine, EntityId) {
    let mut engine = Engine::new();
    engine.add(Gravity).unwrap().add(Marks).unwrap();
    let types = engine.types_mut();
    types.component_by::<Ball>("ball", |ball, hash| _ = hash.printed(ball)).unwrap().save::<Ball>(1).unwrap();
    types.component_by::<Mark>("mark", |mark, hash| _ = hash.add(&mark.speed_mps)).unwrap().save::<Mark>(1).unwrap();
    types.event_by::<Bounced>("bounced", |bounced, hash| _ = hash.add(&bounced.ball)).unwrap();
    types.save::<Bounced>(1).unwrap();
    let ball = engine.spawn((Ball { height_m: 1.0, speed_mps: 0.0 },));
    (engine, ball)
}

fn frame(studio: &mut Studio<Engine>, engine: &mut Engine) -> bool {
    studio.frame(engine, |engine| engine.update(Duration::from_millis(10)).unwrap()).is_some()
}

fn ask(studio: &mut Studio<Engine>, engine: &mut Engine, request: Value) -> Value {
    serde_json::from_str(&studio.answer(engine, &request.to_string())).unwrap()
}

fn hash(engine: &mut Engine) -> u64 {
    engine.state_hash().unwrap().whole
}

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
fn value_is_edited_seen_undone_and_made_again() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    let set = json!({ "op": "set_component", "entity": ball.to_string(), "component": "ball", "value": { "height_m": 50.0, "speed_mps": 0.0 } });
    ask(&mut studio, &mut engine, set);
    assert_eq!(engine.get::<Ball>(ball).unwrap().height_m, 50.0);
    assert_eq!(studio.take_changes().edits.len(), 1);
    ask(&mut studio, &mut engine, json!({ "op": "undo" }));
    assert_eq!(engine.get::<Ball>(ball).unwrap().height_m, 1.0);
    ask(&mut studio, &mut engine, json!({ "op": "redo" }));
    assert_eq!(engine.get::<Ball>(ball).unwrap().height_m, 50.0);
    ask(
        &mut studio,
        &mut engine,
        json!({ "op": "set_component", "entity": ball.to_string(), "component": "mark", "value": { "speed_mps": 3.0 } }),
    );
    ask(&mut studio, &mut engine, json!({ "op": "remove_component", "entity": ball.to_string(), "component": "ball" }));
    assert!(engine.has::<Mark>(ball) && !engine.has::<Ball>(ball));
    ask(
        &mut studio,
        &mut engine,
        json!({ "op": "enable_component", "entity": ball.to_string(), "component": "mark", "enabled": false }),
    );
    ask(&mut studio, &mut engine, json!({ "op": "enable_entity", "entity": ball.to_string(), "enabled": false }));
    let seen = ask(&mut studio, &mut engine, json!({ "op": "entity", "entity": ball.to_string() }));
    assert_eq!(seen["enabled"], false);
    assert_eq!(
        seen["components"],
        json!([{ "name": "mark", "type": "Mark", "enabled": false, "value": { "speed_mps": 3.0 }, "problem": null }])
    );
    (0..5).for_each(|_| _ = ask(&mut studio, &mut engine, json!({ "op": "undo" })));
    assert_eq!(engine.get::<Ball>(ball).unwrap().height_m, 1.0);
    assert!(engine.entities().is_enabled(ball) == Some(true) && !engine.has::<Mark>(ball));
    assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "undo" }))["error"], "there is nothing to undo");
}

#[test]
fn part_of_a_value_is_edited_and_the_rest_keeps_its_exact_numbers() {
    let (mut engine, _) = engine();
    let types = engine.types_mut();
    types.component_by::<Pair>("pair", |pair, hash| _ = hash.printed(pair)).unwrap().save::<Pair>(1).unwrap();
    let pair = engine.spawn((Pair(u64::MAX - 1, 0.1),));
    let mut studio = Studio::new();
    let mut set = |path: &str, value: Value| {
        let request = json!({ "op": "set_component", "entity": pair.to_string(), "component": "pair", "path": path, "value": value });
        ask(&mut studio, &mut engine, request)
    };
    assert_eq!(set("/1", json!(2.5)), json!({}));
    assert_eq!(set("/2", json!(1))["error"], r#"the value has no part "/2""#);
    assert_eq!(set("1", json!(1))["error"], r#"the value has no part "1""#);
    assert_eq!(engine.get::<Pair>(pair), Some(&Pair(u64::MAX - 1, 2.5)));
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
fn chain_of_causes_leads_from_a_mark_to_the_system() {
    let (mut engine, _) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    (0..100).for_each(|_| _ = frame(&mut studio, &mut engine));
    let marks = ask(&mut studio, &mut engine, json!({ "op": "entities", "with": ["mark"] }));
    let mark = &marks["entities"][0]["entity"];
    // Going back and forth forgets nothing.
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 3 }));
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    let why = ask(&mut studio, &mut engine, json!({ "op": "why", "entity": mark }));
    let names: Vec<_> = why["chains"][0].as_array().unwrap().iter().map(|link| &link["name"]).collect();
    assert_eq!(names, ["Bounced", "spawn"]);
    assert_eq!(why["chains"][0][0]["by"], json!({ "kind": "system", "system": "Gravity" }));
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
fn marked_entity_is_the_same_in_the_page_and_in_the_window() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    studio.select(ball);
    assert_eq!(studio.selected(), None, "nobody watches");
    ask(&mut studio, &mut engine, json!({ "op": "select", "entity": ball.to_string() }));
    assert_eq!(studio.selected(), Some(ball));
    let other = engine.spawn(());
    studio.select(other);
    assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "status" }))["selected"], other.to_string());
    ask(&mut studio, &mut engine, json!({ "op": "select" }));
    assert_eq!(studio.selected(), None);
}

#[test]
fn system_is_disabled_by_its_name_and_enabled_by_undo() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "enable_system", "system": "Gravity", "enabled": false }));
    (0..5).for_each(|_| _ = frame(&mut studio, &mut engine));
    assert_eq!(engine.get::<Ball>(ball).unwrap().height_m, 1.0);
    ask(&mut studio, &mut engine, json!({ "op": "undo" }));
    frame(&mut studio, &mut engine);
    assert!(engine.get::<Ball>(ball).unwrap().height_m < 1.0);
}

#[test]
fn what_the_program_traces_itself_is_traced_on() {
    let mut engine = Engine::builder().trace_causes(60).build();
    engine.add(Marks).unwrap();
    engine.types_mut().component_by::<Mark>("mark", |_, _| {}).unwrap();
    engine.types_mut().event_by::<Bounced>("bounced", |_, _| {}).unwrap();
    let ball = engine.spawn(());
    let mut studio = Studio::new();
    let bounce = |engine: &mut Engine, studio: &mut Studio<Engine>| {
        engine.send(Bounced { ball, speed_mps: 1.0 });
        frame(studio, engine);
    };
    bounce(&mut engine, &mut studio);
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    bounce(&mut engine, &mut studio);
    studio.leave(&mut engine);
    bounce(&mut engine, &mut studio);
    let marks: Vec<EntityId> = engine.query_filtered::<EntityId, With<Mark>>().iter().collect();
    assert_eq!(marks.len(), 3);
    for mark in marks {
        assert_eq!(engine.why(mark).chains.len(), 1, "{}", engine.why(mark));
    }
}

#[test]
fn bad_requests_are_one_sentence_and_change_nothing() {
    let (mut engine, ball) = engine();
    let before = hash(&mut engine);
    let mut studio = Studio::new();
    let ball = ball.to_string();
    for request in [
        json!({ "op": "fly" }),
        json!({ "op": "entity" }),
        json!({ "op": "entity", "entity": "ball" }),
        json!({ "op": "entity", "entity": "999v9" }),
        json!({ "op": "status", "more": 1 }),
        json!({ "op": "resource", "resource": "gold" }),
        json!({ "op": "entities", "with": ["gold"] }),
        json!({ "op": "why", "event": 7 }),
        json!({ "op": "set_component", "entity": ball, "component": "ball", "value": "high" }),
        json!({ "op": "set_component", "entity": ball, "component": "ball", "value": { "height_m": 1.0 } }),
        json!({ "op": "set_component", "entity": "999v9", "component": "mark", "value": { "speed_mps": 1.0 } }),
        json!({ "op": "remove_component", "entity": ball, "component": "mark" }),
        json!({ "op": "enable_component", "entity": ball, "component": "mark", "enabled": false }),
        json!({ "op": "enable_system", "system": "Levity", "enabled": false }),
        json!({ "op": "set_component", "entity": ball, "component": "ecs child of", "value": [] }),
        json!([]),
        json!(null),
    ] {
        let answer = ask(&mut studio, &mut engine, request.clone());
        assert!(answer["error"].as_str().is_some_and(|error| !error.is_empty()), "{request}: {answer}");
    }
    assert!(studio.answer(&mut engine, "\u{0}{").contains("error"));
    assert_eq!(hash(&mut engine), before);
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
fn undo_brings_back_every_bit_and_refuses_what_it_could_not() {
    let (mut engine, ball) = engine();
    let types = engine.types_mut();
    types.component_by::<[f64; 2]>("doubles", |doubles, hash| _ = hash.printed(doubles)).unwrap();
    types.save::<[f64; 2]>(1).unwrap();
    let doubles = [985.690_694_632_869_5, f64::NAN];
    engine.insert(ball, (doubles,)).unwrap();
    let child = engine.spawn_child(ball, (Ball { height_m: f32::INFINITY, speed_mps: 0.0 },)).unwrap();
    engine.disable_component::<Ball>(child).unwrap();
    let before = hash(&mut engine);
    let mut studio = Studio::new();
    for request in [
        json!({ "op": "remove_component", "entity": ball.to_string(), "component": "doubles" }),
        json!({ "op": "set_component", "entity": ball.to_string(), "component": "doubles", "value": [1.0, 2.0] }),
        json!({ "op": "set_component", "entity": ball.to_string(), "component": "doubles", "path": "/1", "value": 3.0 }),
        json!({ "op": "remove_component", "entity": child.to_string(), "component": "ball" }),
    ] {
        assert_eq!(ask(&mut studio, &mut engine, request.clone()), json!({}), "{request}");
    }
    let refused = ask(
        &mut studio,
        &mut engine,
        json!({ "op": "remove_component", "entity": child.to_string(), "component": "ecs child of" }),
    );
    assert_eq!(refused["error"], "only the engine may change it");
    for _ in 0..4 {
        assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "undo" })), json!({}));
    }
    assert_eq!(hash(&mut engine), before);
    let values = engine.get::<[f64; 2]>(ball).unwrap().map(f64::to_bits);
    assert_eq!(values, doubles.map(f64::to_bits));
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
fn requests_have_limits() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    (0..200).for_each(|_| _ = frame(&mut studio, &mut engine));
    for limit in [0, 1] {
        let found = ask(&mut studio, &mut engine, json!({ "op": "events", "limit": limit }));
        assert_eq!(found["events"].as_array().map(Vec::len), Some(limit));
    }
    let columns: Vec<String> = (0..2_000).map(|n| format!("column {n}")).collect();
    let refused = ask(&mut studio, &mut engine, json!({ "op": "entities", "columns": columns }));
    assert_eq!(refused["error"], "a table has at most 16 columns");
    let refused = ask(&mut studio, &mut engine, json!({ "op": "entities", "columns": ["gold"] }));
    assert_eq!(refused["error"], r#"no component is registered as "gold""#);
    let junk = json!({ "height_m": 1.0, "speed_mps": 1.0, "junk": vec![0; 10_000] });
    for _ in 0..20 {
        let set = json!({ "op": "set_component", "entity": ball.to_string(), "component": "ball", "value": junk });
        assert_eq!(ask(&mut studio, &mut engine, set), json!({}));
    }
    let search = "x".repeat(2_000);
    assert!(
        ask(&mut studio, &mut engine, json!({ "op": "break", "event": "Bounced", "search": search }))["error"]
            .is_string()
    );
    (0..32).for_each(|_| _ = ask(&mut studio, &mut engine, json!({ "op": "break", "event": "Bounced" })));
    assert!(ask(&mut studio, &mut engine, json!({ "op": "break", "event": "Bounced" }))["error"].is_string());
}

/// Sends a request and returns the answer, while the program runs frames.
fn over_http(studio: &mut Studio<Engine>, engine: &mut Engine, address: std::net::SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    // A request that is too long is refused before all of it was sent.
    _ = stream.write_all(request.as_bytes());
    let reader = std::thread::spawn(move || {
        let mut answer = String::new();
        _ = stream.read_to_string(&mut answer);
        answer
    });
    while !reader.is_finished() {
        frame(studio, engine);
    }
    reader.join().unwrap()
}

fn post(host: &str, more: &str, body: &str) -> String {
    format!(
        "POST /api HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[test]
fn page_and_protocol_are_served_to_this_machine_only() {
    let (mut engine, _) = engine();
    let mut studio = Studio::new();
    let address = studio.listen("127.0.0.1:0", None).unwrap();
    let host = address.to_string();
    let mut answer = |request: String| over_http(&mut studio, &mut engine, address, &request);
    let status = r#"{ "op": "status" }"#;
    assert!(answer(post(&host, "", status)).contains(r#""entities":"#));
    let page = answer(format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>"), "{page}");
    assert!(
        answer(post("example.org", "", status)).starts_with("HTTP/1.1 403"),
        "a name that could be of another site"
    );
    let foreign = answer(post(&host, "Origin: http://example.org\r\n", status));
    assert!(foreign.starts_with("HTTP/1.1 403"), "a page of another site: {foreign}");
    let large = answer(format!("POST /api HTTP/1.1\r\nHost: {host}\r\nContent-Length: 200000000\r\n\r\nbody"));
    assert!(large.starts_with("HTTP/1.1 400"), "{large}");
    assert!(
        answer(format!("GET /etc/passwd HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
            .starts_with("HTTP/1.1 404")
    );
}

#[test]
fn lengths_that_lie_and_connections_that_say_nothing_harm_nothing() {
    let (mut engine, _) = engine();
    let mut studio = Studio::new();
    let address = studio.listen("127.0.0.1:0", None).unwrap();
    let host = address.to_string();
    for length in ["4000000000000000", "99999999999999999999999", "-1", "x"] {
        let request = format!("POST /api HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n");
        let answer = over_http(&mut studio, &mut engine, address, &request);
        assert!(answer.starts_with("HTTP/1.1 400"), "{length}: {answer}");
    }
    let endless = format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {}", "y".repeat(100_000));
    assert_eq!(over_http(&mut studio, &mut engine, address, &endless), "");
    let chunked = format!("POST /api HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n");
    assert!(over_http(&mut studio, &mut engine, address, &chunked).starts_with("HTTP/1.1 400"));
    let half = format!("POST /api HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5000\r\n\r\n{{");
    let silent: Vec<TcpStream> = (0..80)
        .map(|_| {
            let mut stream = TcpStream::connect(address).unwrap();
            _ = stream.write_all(half.as_bytes());
            stream
        })
        .collect();
    let begun = std::time::Instant::now();
    drop(studio);
    assert!(begun.elapsed() < Duration::from_secs(5), "the end waits for nobody");
    drop(silent);
}

#[test]
fn request_whose_sender_gave_up_is_not_carried_out() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    let address = studio.listen("127.0.0.1:0", None).unwrap();
    let despawn = json!({ "op": "despawn", "entity": ball.to_string() }).to_string();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(post(&address.to_string(), "", &despawn).as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 503"), "no frame runs: {answer}");
    (0..5).for_each(|_| _ = frame(&mut studio, &mut engine));
    assert!(engine.contains(ball));
}

#[test]
fn token_is_asked_for() {
    let (mut engine, _) = engine();
    let mut studio = Studio::new();
    let address = studio.listen("127.0.0.1:0", Some("secret")).unwrap();
    let host = address.to_string();
    let mut answer = |request: String| over_http(&mut studio, &mut engine, address, &request);
    let status = r#"{ "op": "status" }"#;
    assert!(answer(post(&host, "", status)).starts_with("HTTP/1.1 403"));
    assert!(answer(post(&host, "X-Token: secret\r\n", status)).starts_with("HTTP/1.1 200"));
    assert!(answer(post(&host, "X-Token: secrets\r\n", status)).starts_with("HTTP/1.1 403"));
    let script = answer(format!("GET /studio.js HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert!(script.starts_with("HTTP/1.1 200"), "a browser asks for the files of the page without it");
    assert!(studio.listen("127.0.0.1:0", Some("")).is_err());
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
fn edits_as_data_repeat_what_was_done_by_hand() {
    let (mut edited, ball) = engine();
    let (mut repeated, _) = engine();
    let mut studio = Studio::new();
    for request in [
        json!({ "op": "set_component", "entity": ball.to_string(), "component": "ball", "path": "/height_m", "value": 5.0 }),
        json!({ "op": "undo" }),
        json!({ "op": "redo" }),
        json!({ "op": "spawn" }),
        json!({ "op": "enable_system", "system": "Marks", "enabled": false }),
        json!({ "op": "enable_entity", "entity": ball.to_string(), "enabled": false }),
        json!({ "op": "enable_entity", "entity": ball.to_string(), "enabled": true }),
    ] {
        frame(&mut studio, &mut edited);
        let answer = ask(&mut studio, &mut edited, request.clone());
        assert_eq!(answer.get("error"), None, "{request}");
        repeated.update(Duration::from_millis(10)).unwrap();
        for made in studio.take_changes().edits {
            assert_eq!(made.frame, repeated.time().frame());
            made.edit.apply(&mut repeated).unwrap();
        }
        assert_eq!(hash(&mut edited), hash(&mut repeated), "{request}");
    }
    let gone = ecs_studio::Edit::Despawn { entity: EntityId::default() };
    assert!(gone.apply(&mut repeated).is_err());
    let prefab = ask(&mut studio, &mut edited, json!({ "op": "spawn", "prefab": "rock" }));
    assert_eq!(prefab["error"], "there is no prefab \"rock\"");
}

#[test]
fn spawn_and_despawn_are_undone_with_every_id_and_redone() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    let (mut edits, mut steps) = (Vec::new(), Vec::new());
    (0..60).for_each(|_| _ = frame(&mut studio, &mut engine));
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    let requests = [
        json!({ "op": "set_component", "entity": ball.to_string(), "component": "ball", "path": "/height_m", "value": 5.0 }),
        json!({ "op": "spawn" }),
        json!({ "op": "despawn", "entity": ball.to_string() }),
        json!({ "op": "spawn" }),
    ];
    for request in requests {
        steps.push(hash(&mut engine));
        assert_eq!(ask(&mut studio, &mut engine, request.clone()).get("error"), None, "{request}");
        studio.take_changes().add_to(&mut edits);
        assert!(!frame(&mut studio, &mut engine));
    }
    steps.push(hash(&mut engine));
    // Twice there and back: nothing wears out.
    for _ in 0..2 {
        for expected in steps.iter().rev().skip(1) {
            assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "undo" })).get("error"), None);
            studio.take_changes().add_to(&mut edits);
            assert_eq!(hash(&mut engine), *expected);
        }
        assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "undo" }))["error"], "there is nothing to undo");
        for expected in steps.iter().skip(1) {
            assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "redo" })).get("error"), None);
            studio.take_changes().add_to(&mut edits);
            assert_eq!(hash(&mut engine), *expected);
        }
    }
    // What was taken back by restoring is not repeated by a replay.
    let (mut repeated, _) = self::engine();
    (0..60).for_each(|_| repeated.update(Duration::from_millis(10)).unwrap());
    for made in &edits {
        made.edit.apply(&mut repeated).unwrap();
    }
    assert_eq!(hash(&mut repeated), hash(&mut engine), "{edits:?}");
    assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "run" })).get("error"), None);
    assert!(frame(&mut studio, &mut engine));
    repeated.update(Duration::from_millis(10)).unwrap();
    assert_eq!(hash(&mut repeated), hash(&mut engine));
}

#[test]
fn after_frames_a_spawn_is_undone_by_a_despawn_and_a_despawn_by_going_back() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "spawn" }));
    frame(&mut studio, &mut engine);
    ask(&mut studio, &mut engine, json!({ "op": "undo" }));
    let edits = studio.take_changes().edits;
    assert_eq!((edits.len(), engine.entities().len()), (2, 1), "{edits:?}");
    assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "redo" }))["error"], "there is nothing to redo");
    ask(&mut studio, &mut engine, json!({ "op": "despawn", "entity": ball.to_string() }));
    frame(&mut studio, &mut engine);
    let refused = ask(&mut studio, &mut engine, json!({ "op": "undo" }));
    let sentence = format!("entity {ball} cannot come back: go back to frame 0, where it is, and on from there");
    assert_eq!(refused["error"], json!(sentence));
    assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "undo" }))["error"], "there is nothing to undo");
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 0 }));
    assert!(engine.get::<Ball>(ball).is_some());
}

#[test]
fn undo_takes_back_one_spawn_also_when_older_edits_are_forgotten() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    for height in 0..999 {
        ask(
            &mut studio,
            &mut engine,
            json!({
                "op": "set_component", "entity": ball.to_string(), "component": "ball", "path": "/height_m", "value": height,
            }),
        );
    }
    for count in 2..=4 {
        ask(&mut studio, &mut engine, json!({ "op": "spawn" }));
        assert_eq!(engine.entities().len(), count);
    }
    for count in [3, 2, 1] {
        ask(&mut studio, &mut engine, json!({ "op": "undo" }));
        assert_eq!(engine.entities().len(), count);
    }
}

#[test]
fn why_of_a_value_names_its_changes_its_writers_and_what_happened_then() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    let why = json!({ "op": "why_value", "entity": ball.to_string(), "component": "ball", "path": "/speed_mps" });
    let nothing = ask(&mut studio, &mut engine, why.clone());
    assert_eq!((&nothing["changes"], &nothing["writers"]), (&json!([]), &json!(["Gravity"])));
    while engine.get::<Ball>(ball).unwrap().speed_mps <= 0.0 {
        frame(&mut studio, &mut engine);
    }
    let bounced_at = engine.time().frame();
    engine.disable_system::<Gravity>().unwrap();
    (0..3).for_each(|_| _ = frame(&mut studio, &mut engine));
    let before = hash(&mut engine);
    let found = ask(&mut studio, &mut engine, why.clone());
    assert_eq!(hash(&mut engine), before, "looking changes nothing");
    let last = &found["changes"][0];
    assert_eq!((&last["frame"], &last["earlier"]), (&json!(bounced_at), &json!(bounced_at - 1)));
    assert!(last["before"].as_f64().unwrap() < 0.0 && last["after"].as_f64().unwrap() > 0.0, "{last}");
    assert_eq!((&last["events"][0]["name"], &last["commands"]), (&json!("Bounced"), &json!([])));
    assert_eq!(found["changes"].as_array().unwrap().len(), 20, "and no more");
    // In the past, it is what had happened until then.
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 3 }));
    let found = ask(&mut studio, &mut engine, why);
    assert_eq!(found["changes"].as_array().unwrap().len(), 3);
    let unknown =
        ask(&mut studio, &mut engine, json!({ "op": "why_value", "entity": ball.to_string(), "component": "x" }));
    assert_eq!(unknown["error"], "no component is registered as \"x\"");
}

#[test]
fn names_of_an_enum_and_limits_of_a_number_are_those_of_their_types() {
    #[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
    enum Shape {
        Round { radius_m: f32 },
        Square,
    }
    #[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
    struct Look {
        shape: Option<Shape>,
        name: String,
        #[serde(deserialize_with = "few")]
        spots: u8,
        weight_kg: f64,
    }
    fn few<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
        let spots: u8 = serde::Deserialize::deserialize(from)?;
        if spots <= 9 { Ok(spots) } else { Err(serde::de::Error::custom(format!("it is {spots}, must be at most 9"))) }
    }
    let (mut engine, ball) = engine();
    let types = engine.types_mut();
    types.component_by::<Look>("look", |look, hash| _ = hash.printed(look)).unwrap().save::<Look>(1).unwrap();
    engine
        .insert(
            ball,
            (Look { shape: Some(Shape::Round { radius_m: 1.0 }), name: "ball".to_owned(), spots: 3, weight_kg: 1.0 },),
        )
        .unwrap();
    let mut studio = Studio::new();
    let before = hash(&mut engine);
    let mut expected = |path: &str| {
        let request = json!({ "op": "expected", "entity": ball.to_string(), "component": "look", "path": path });
        ask(&mut studio, &mut engine, request)
    };
    assert_eq!(expected("/shape")["choices"], json!(["Round", "Square"]));
    assert_eq!(expected("/shape")["option"], true);
    assert_eq!(expected("/name"), json!({ "choices": [], "limits": [], "option": false }));
    assert_eq!(expected("/spots"), json!({ "choices": [], "limits": ["u8"], "option": false }));
    assert_eq!(expected("/weight_kg"), json!({ "choices": [], "limits": [], "option": false }));
    assert_eq!(expected("/nothing")["error"], "the value has no part \"/nothing\"");
    assert_eq!(hash(&mut engine), before);
    let square = json!({
        "op": "set_component", "entity": ball.to_string(), "component": "look", "path": "/shape", "value": "Square",
    });
    assert_eq!(ask(&mut studio, &mut engine, square).get("error"), None);
    assert!(matches!(engine.get::<Look>(ball).unwrap().shape, Some(Shape::Square)));
    let none = json!({
        "op": "set_component", "entity": ball.to_string(), "component": "look", "path": "/shape", "value": null,
    });
    assert_eq!(ask(&mut studio, &mut engine, none).get("error"), None);
    assert!(engine.get::<Look>(ball).unwrap().shape.is_none());
}

#[test]
fn other_frames_are_not_looked_at_from_the_middle_of_one() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    (0..5).for_each(|_| _ = frame(&mut studio, &mut engine));
    let compared = ask(&mut studio, &mut engine, json!({ "op": "compare", "from": 0, "to": 99 }));
    assert_eq!((&compared["from"], &compared["to"]), (&json!(5), &json!(5)), "the recording began at frame 5");
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
    // No client is left.
    studio.leave(&mut engine);
    assert!(!frame(&mut studio, &mut engine), "it waits on");
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    studio.leave(&mut engine);
    assert!(frame(&mut studio, &mut engine));
}

#[test]
fn entities_are_found_by_conditions_and_sorted_by_values_among_all() {
    let (mut engine, _) = engine();
    let falling = |n: u32| (Ball { height_m: ((n * 7) % 150) as f32, speed_mps: 0.0 },);
    engine.spawn_many((0..150).map(falling));
    let mut studio = Studio::new();
    let mut heights = |request: Value| {
        let found = ask(&mut studio, &mut engine, request);
        assert_eq!((&found["is_search_cut"], &found["is_sort_cut"]), (&json!(false), &json!(false)), "{found}");
        let of = |entity: &Value| entity["values"]["ball"]["height_m"].as_f64().unwrap();
        (found["total"].as_u64().unwrap(), found["entities"].as_array().unwrap().iter().map(of).collect::<Vec<_>>())
    };
    let sorted = json!({
        "op": "entities", "columns": ["ball"], "sort": "ball/height_m", "descending": true, "limit": 3,
    });
    assert_eq!(heights(sorted), (151, vec![149.0, 148.0, 147.0]), "not only of those that are listed");
    let few = json!({
        "op": "entities", "with": ["ball.height_m >= 148", "ball.height_m!=149"], "columns": ["ball"], "sort": "ball/height_m",
    });
    assert_eq!(heights(few), (1, vec![148.0]));
    for text in ["ball.width_m > 0", "ball > 0", "ball != 7", "ball.height_m = high"] {
        assert_eq!(
            heights(json!({ "op": "entities", "with": [text] })).0,
            0,
            "{text}: only a number is compared with one"
        );
    }
    // Entities without the value come last in both orders.
    let other = engine.spawn(());
    for descending in [false, true] {
        let all = json!({ "op": "entities", "sort": "ball/height_m", "descending": descending, "limit": 1 });
        let first = ask(&mut studio, &mut engine, all)["entities"][0]["entity"].clone();
        assert_ne!(first, other.to_string());
    }
    let unknown = ask(&mut studio, &mut engine, json!({ "op": "entities", "with": ["bell.height_m > 0"] }));
    assert_eq!(unknown["error"], "no component is registered as \"bell\"");
}

#[test]
fn change_that_cannot_be_undone_does_not_stand_in_the_way_of_older_ones() {
    let (mut engine, ball) = engine();
    let other = engine.spawn((Ball { height_m: 9.0, speed_mps: 0.0 },));
    let mut studio = Studio::new();
    for entity in [ball, other] {
        let set = json!({
            "op": "set_component", "entity": entity.to_string(), "component": "ball", "path": "/height_m", "value": 50.0,
        });
        assert_eq!(ask(&mut studio, &mut engine, set).get("error"), None);
    }
    engine.despawn(other).unwrap();
    let undo = json!({ "op": "undo" });
    let gone = ask(&mut studio, &mut engine, undo.clone())["error"].to_string();
    assert!(gone.ends_with("the change is not undone\""), "{gone}");
    assert_eq!(ask(&mut studio, &mut engine, undo.clone()).get("error"), None);
    assert_ne!(engine.get::<Ball>(ball).unwrap().height_m, 50.0);
    assert_eq!(ask(&mut studio, &mut engine, undo)["error"], "there is nothing to undo");
}

#[test]
fn changes_before_the_moment_that_goes_on_can_still_be_undone() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    let set = |speed: f32| {
        json!({
            "op": "set_component", "entity": ball.to_string(), "component": "ball", "path": "/speed_mps", "value": speed,
        })
    };
    ask(&mut studio, &mut engine, set(1.0));
    (0..5).for_each(|_| _ = frame(&mut studio, &mut engine));
    ask(&mut studio, &mut engine, set(2.0));
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 3 }));
    ask(&mut studio, &mut engine, json!({ "op": "run", "from_here": true }));
    let status = ask(&mut studio, &mut engine, json!({ "op": "status" }));
    assert_eq!(status["undo"], 1, "the later one is gone with its frame");
    assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "undo" })).get("error"), None);
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
fn panel_of_a_program_has_a_script_and_its_own_requests() {
    let (mut present, _) = engine();
    let mut studio = Studio::new();
    studio.add_panel("Height", "panels.Height = async () => [];", |engine: &mut Engine, request| {
        match request.as_str() {
            Some("count") => Ok(json!(engine.entities().len()).into()),
            Some("replace") => Ok(PanelAnswer::change(|engine: &mut Engine| {
                *engine = self::engine().0;
                Ok(Value::Null)
            })),
            Some("count twice") => Ok(PanelAnswer::change(|engine: &mut Engine| {
                assert!(engine.systems().iter().all(|system| system.is_enabled), "it is no middle of a frame");
                Ok(json!(engine.time().frame()))
            })),
            _ => Err("ask for the count, or replace the engine".to_owned()),
        }
    });
    let address = studio.listen("127.0.0.1:0", None).unwrap();
    let panel = |studio: &mut Studio<Engine>, engine: &mut Engine, request: &str| {
        ask(studio, engine, json!({ "op": "panel", "panel": "Height", "request": request }))
    };
    assert_eq!(panel(&mut studio, &mut present, "count"), json!({ "value": 1 }));
    assert_eq!(panel(&mut studio, &mut present, "fall")["error"], "ask for the count, or replace the engine");
    let unknown = ask(&mut studio, &mut present, json!({ "op": "panel", "panel": "Width" }));
    assert_eq!(unknown["error"], "there is no panel \"Width\"");
    (0..10).for_each(|_| _ = frame(&mut studio, &mut present));
    // A change is made to the present, whatever is shown.
    ask(&mut studio, &mut present, json!({ "op": "seek", "frame": 4 }));
    assert_eq!(panel(&mut studio, &mut present, "count twice"), json!({ "value": 10 }));
    ask(&mut studio, &mut present, json!({ "op": "pause" }));
    ask(&mut studio, &mut present, json!({ "op": "step_system" }));
    frame(&mut studio, &mut present);
    assert!(studio.shows_the_middle_of_a_frame());
    ask(&mut studio, &mut present, json!({ "op": "break", "event": "Bounced" }));
    assert_eq!(panel(&mut studio, &mut present, "count twice"), json!({ "value": 10 }));
    let status = ask(&mut studio, &mut present, json!({ "op": "status" }));
    assert_eq!((&status["paused"], status["breaks"].as_array().map(Vec::len)), (&json!(true), Some(1)), "it goes on");
    panel(&mut studio, &mut present, "replace");
    assert_eq!(present.time().frame(), 0);
    assert!(studio.is_watched(), "the page is still open");
    let changes = studio.take_changes();
    assert!(changes.moved && changes.is_incomplete);

    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /panels.js HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.ends_with("panels.Height = async () => [];"), "{answer}");
}

#[test]
fn changes_of_one_subject_are_not_told_of_the_next() {
    let (mut first, ball) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut first, json!({ "op": "despawn", "entity": ball.to_string() }));
    frame(&mut studio, &mut first);
    ask(&mut studio, &mut first, json!({ "op": "spawn" }));
    studio.forget();
    assert_eq!(studio.take_changes(), ecs_studio::Changes::default());
}

#[global_allocator]
static HEAP: CountingHeap = CountingHeap;

/// Takes 1 ms in a frame and 1 ms for each event; in each hundredth frame, it takes 50 ms and allocates three times.
struct Worker(Vec<Vec<u64>>);

static CLOCK_MS: AtomicU64 = AtomicU64::new(0);

impl System for Worker {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::work).listen(|_: &mut Self, _: &Bounced| _ = CLOCK_MS.fetch_add(1, Ordering::Relaxed));
    }
}

impl Worker {
    fn work(&mut self, time: Time) {
        let is_slow = time.frame().is_multiple_of(100);
        CLOCK_MS.fetch_add(if is_slow { 50 } else { 1 }, Ordering::Relaxed);
        if is_slow {
            self.0.extend((0..3).map(|number| vec![number]));
        }
    }
}

#[test]
fn costs_of_systems_and_memory_are_those_of_the_last_frames() {
    let mut engine = Engine::builder()
        .clock(|| Duration::from_millis(CLOCK_MS.load(Ordering::Relaxed)))
        .count_allocations(CountingHeap::of_this_thread)
        .build();
    engine.add(Worker(Vec::with_capacity(100))).unwrap();
    let mut studio = Studio::new();
    let worker = |studio: &mut Studio<Engine>, engine: &mut Engine| {
        ask(studio, engine, json!({ "op": "systems" }))["systems"][0].clone()
    };
    (0..30).for_each(|_| _ = frame(&mut studio, &mut engine));
    assert_eq!(
        worker(&mut studio, &mut engine)["run_ms"],
        Value::Null,
        "nothing was measured before the first request"
    );
    for _ in 30..150 {
        engine.send(Bounced { ball: EntityId::default(), speed_mps: 1.0 });
        frame(&mut studio, &mut engine);
    }
    // 119 frames of 1 ms, one of 50 ms, and 1 ms for an event in each.
    let shown = worker(&mut studio, &mut engine);
    assert!((shown["run_ms"].as_f64().unwrap() - 169.0 / 120.0).abs() < 1e-5, "{shown}");
    assert_eq!((&shown["listen_ms"], &shown["slow_ms"]), (&json!(1.0), &json!(2.0)), "99 % take 2 ms");
    assert_eq!(shown["most_allocations"], 3);
    let memory = ask(&mut studio, &mut engine, json!({ "op": "memory" }));
    let history = memory["history"].as_array().unwrap();
    let frames: Vec<_> = history.iter().map(|sample| sample["frame"].as_u64().unwrap()).collect();
    assert_eq!(frames, [30, 45, 60, 75, 90, 105, 120, 135, 150]);
    let last = history.last().unwrap();
    let sum: u64 = ["values", "indices", "buffers", "other"].iter().map(|part| last[part].as_u64().unwrap()).sum();
    assert_eq!(json!(sum), memory["bytes"]);
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
        of_frame.for_each(|made| _ = made.edit.apply(&mut repeated).unwrap());
        repeated.update(Duration::from_millis(10)).unwrap();
    }
    assert_eq!(hash(&mut watched), hash(&mut repeated));
}

#[test]
fn events_are_found_by_the_id_of_an_entity() {
    let (mut engine, ball) = engine();
    let other = engine.spawn((Ball { height_m: 0.5, speed_mps: 0.0 },));
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    (0..100).for_each(|_| _ = frame(&mut studio, &mut engine));
    let mut balls = |search: &str| {
        let answer = ask(&mut studio, &mut engine, json!({ "op": "events", "event": "Bounced", "search": search }));
        let events = answer["events"].as_array().unwrap().clone();
        events.iter().map(|event| event["value"]["ball"].clone()).collect::<Vec<_>>()
    };
    let (all, own) = (balls(""), balls(&other.to_string()));
    assert!(!own.is_empty() && own.len() < all.len(), "{} of {}", own.len(), all.len());
    assert!(own.iter().all(|found| *found == serde_json::to_value(other).unwrap()));
    assert!(balls(&ball.to_string()).len() + own.len() == all.len());
}

#[test]
fn entities_without_a_component_are_listed() {
    let (mut engine, ball) = engine();
    let mark = engine.spawn((Mark { speed_mps: 1.0 },));
    let mut studio = Studio::new();
    let both = engine.spawn((Mark { speed_mps: 1.0 }, Ball { height_m: 1.0, speed_mps: 0.0 }));
    let mut found = |with: &[&str], without: &[&str]| {
        let answer = ask(&mut studio, &mut engine, json!({ "op": "entities", "with": with, "without": without }));
        let entities = answer["entities"].as_array().unwrap_or_else(|| panic!("{answer}"));
        entities.iter().map(|entity| entity["entity"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(&["ball"], &["mark"]), [ball.to_string()]);
    assert_eq!(found(&[], &["ball"]), [mark.to_string()]);
    assert_eq!(found(&["ball", "mark"], &[]), [both.to_string()]);
    let unknown = ask(&mut studio, &mut engine, json!({ "op": "entities", "without": ["cube"] }));
    assert!(unknown["error"].as_str().is_some_and(|error| error.contains("cube")), "{unknown}");
}
