//! Causes of entities, events and values.

use ecs::prelude::*;
use ecs_studio::Studio;
use serde_json::json;

use super::{Ball, Bounced, Mark, Marks, ask, engine, frame, hash};

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
    ask(&mut studio, &mut engine, json!({ "op": "enable_system", "system": "Gravity", "enabled": false }));
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

/// A page that is opened late knows what was sent before.
#[test]
fn events_of_a_frame_that_ran_before_the_page_was_opened_are_run_again() {
    let (mut engine, ball) = engine();
    let (mut studio, mut bounces, mut before) = (Studio::new(), Vec::new(), 0.0);
    for number in 1..=1_000 {
        frame(&mut studio, &mut engine);
        let speed = engine.get::<Ball>(ball).unwrap().speed_mps;
        if speed > before {
            bounces.push(number);
        }
        before = speed;
    }
    let (whole, bounce, last) = (hash(&mut engine), bounces[2], bounces[bounces.len() - 1]);
    let all = json!({ "op": "events" });
    let none = ask(&mut studio, &mut engine, all.clone());
    assert!(none["known_from"].as_u64().unwrap() > 960, "the frames before the present one are run again: {none}");
    // One frame of all, while the present is shown.
    let of = |frame: u64| json!({ "op": "events", "frame": frame });
    let found = ask(&mut studio, &mut engine, of(last));
    assert_eq!(found["events"].as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(hash(&mut engine), whole);
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": bounce }));
    let shown = ask(&mut studio, &mut engine, all.clone());
    let event = &shown["events"][0];
    assert_eq!((&event["frame"], &event["value"]["ball"]["idx"]), (&json!(bounce), &json!(1)), "{shown}");
    let why = ask(&mut studio, &mut engine, json!({ "op": "why", "event": event["event"] }));
    assert_eq!(why["chains"][0][0]["by"]["system"], "Gravity", "{why}");
    // The mark of the bounce, and the event as its cause.
    let marks = ask(&mut studio, &mut engine, json!({ "op": "entities", "with": ["mark"] }));
    let mark = &marks["entities"][marks["entities"].as_array().unwrap().len() - 1]["entity"];
    let why = ask(&mut studio, &mut engine, json!({ "op": "why", "entity": mark }));
    assert_eq!(why["chains"][0][0]["name"], "Bounced", "{why}");
    // One frame further on, and one without.
    ask(&mut studio, &mut engine, json!({ "op": "step" }));
    assert_eq!(ask(&mut studio, &mut engine, all.clone())["events"][0]["frame"], json!(bounce));
    assert_eq!(ask(&mut studio, &mut engine, of(bounce - 1))["events"], json!([]));
    ask(&mut studio, &mut engine, json!({ "op": "run" }));
    assert_eq!(hash(&mut engine), whole);
    // Once it runs, what it sends is on record.
    (0..40).for_each(|_| _ = frame(&mut studio, &mut engine));
    assert_eq!(ask(&mut studio, &mut engine, all)["known_from"], 1_001);
}
