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
