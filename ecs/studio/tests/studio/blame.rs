//! What wrote a value, in the present and in the past.

use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_studio::Studio;
use serde_json::json;

use super::{Ball, ask, engine, frame, hash};

#[test]
fn blame_names_the_system_that_wrote_a_value_in_any_frame() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    (0..400).for_each(|_| _ = frame(&mut studio, &mut engine));
    let before = hash(&mut engine);
    let blame = json!({ "op": "blame", "entity": ball.to_string(), "component": "ball", "path": "/speed_mps" });
    let present = ask(&mut studio, &mut engine, blame.clone());
    assert_eq!((&present["frame"], &present["writes"][0]["by"]), (&json!(400), &json!("Gravity in update by `fall`")));
    assert_eq!(hash(&mut engine), before, "looking changes nothing");
    ask(&mut studio, &mut engine, json!({ "op": "seek", "frame": 17 }));
    let shown = engine.get::<Ball>(ball).unwrap().speed_mps;
    let past = ask(&mut studio, &mut engine, blame);
    assert_eq!((&past["frame"], &past["after"]), (&json!(17), &json!(shown.to_string())));
    assert_eq!(past["writes"][0]["changes"][0]["name"], "ball.speed_mps");
    assert_eq!(engine.time().frame(), 17, "the shown frame stays");
    let first = json!({ "op": "blame", "entity": ball.to_string(), "component": "ball", "frame": 0 });
    let sentence = "frame 0 is the first one that is kept: what happened in it is not known";
    assert_eq!(ask(&mut studio, &mut engine, first)["error"], sentence);
}

#[test]
fn blame_goes_back_to_the_last_frame_in_which_the_value_changed() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    (0..50).for_each(|_| _ = frame(&mut studio, &mut engine));
    ask(&mut studio, &mut engine, json!({ "op": "enable_system", "system": "Gravity", "enabled": false }));
    (0..350).for_each(|_| _ = frame(&mut studio, &mut engine));
    let mut blame = json!({ "op": "blame", "entity": ball.to_string(), "component": "ball", "path": "/height_m" });
    let now = ask(&mut studio, &mut engine, blame.clone());
    assert_eq!(now["writes"], json!([]));
    assert_eq!(
        now["suspects"],
        json!([{ "system": "Gravity", "place": "in update by `fall`", "reason": "it is disabled" }])
    );
    blame["last_change"] = true.into();
    let mut found = ask(&mut studio, &mut engine, blame.clone());
    // The time for one answer may be too short.
    while found["is_cut"] == true {
        blame["frame"] = found["looked_to"].clone();
        found = ask(&mut studio, &mut engine, blame.clone());
    }
    assert_eq!((&found["frame"], &found["writes"][0]["by"]), (&json!(50), &json!("Gravity in update by `fall`")));
}

/// Each answer looks through the frames between two checkpoints at least, however long they take: they are run again
/// from the first of them in any case.
#[test]
fn last_change_of_long_ago_is_found_in_few_answers_in_a_slow_program() {
    fn take_long(_: Query<&Ball>) {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_micros(300) {}
    }
    let (mut engine, ball) = engine();
    engine.add(take_long).unwrap();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    (0..5).for_each(|_| _ = frame(&mut studio, &mut engine));
    ask(&mut studio, &mut engine, json!({ "op": "enable_system", "system": "Gravity", "enabled": false }));
    (0..895).for_each(|_| _ = frame(&mut studio, &mut engine));
    let mut blame = json!({ "op": "blame", "entity": ball.to_string(), "component": "ball", "last_change": true });
    let mut answers = Vec::new();
    while answers.last().is_none_or(|answer: &serde_json::Value| answer["is_cut"] == true) && answers.len() < 20 {
        answers.push(ask(&mut studio, &mut engine, blame.clone()));
        blame["frame"] = answers[answers.len() - 1]["looked_to"].clone();
    }
    assert_eq!(answers[answers.len() - 1]["frame"], 5, "{answers:?}");
    assert!(answers.len() <= 4, "{answers:?}");
}

#[test]
fn an_edit_by_hand_is_told_as_such() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    (0..5).for_each(|_| _ = frame(&mut studio, &mut engine));
    let name = ball.to_string();
    let edit = json!({ "op": "set_component", "entity": name, "component": "ball", "path": "/height_m", "value": 9.5 });
    ask(&mut studio, &mut engine, edit);
    let blame = json!({ "op": "blame", "entity": name, "component": "ball", "path": "/height_m" });
    let told = ask(&mut studio, &mut engine, blame);
    let writers: Vec<_> = told["writes"].as_array().unwrap().iter().map(|write| &write["by"]).collect();
    assert_eq!(writers, ["Gravity in update by `fall`", "the program, between frames,"]);
    assert_eq!(told["after"], "9.5");
}

#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
struct Bounces {
    all: u32,
}

impl ecs::System for Bounces {
    fn setup(setup: &mut ecs::Setup<Self>) {
        setup.listen(|bounces: &mut Self, _: &super::Bounced| bounces.all += 1);
    }
}

#[test]
fn the_state_of_a_system_is_shown_and_blamed_in_any_frame() {
    let (mut engine, _) = engine();
    engine.types_mut().system_by::<Bounces>("bounces", |bounces, hash| _ = hash.add(&bounces.all)).unwrap();
    engine.types_mut().save::<Bounces>(1).unwrap();
    engine.add(Bounces::default()).unwrap();
    let mut studio = Studio::new();
    ask(&mut studio, &mut engine, json!({ "op": "status" }));
    (0..400).for_each(|_| _ = frame(&mut studio, &mut engine));
    let all = engine.system::<Bounces>().unwrap().all;
    assert!(all > 1);
    let systems = ask(&mut studio, &mut engine, json!({ "op": "systems" }));
    let states: Vec<_> = systems["systems"].as_array().unwrap().iter().map(|system| &system["state"]).collect();
    assert_eq!(states, [&json!(null), &json!(null), &json!({ "all": all })]);
    let mut blame = json!({ "op": "blame", "system": "Bounces", "path": "/all", "last_change": true });
    let mut found = ask(&mut studio, &mut engine, blame.clone());
    while found["is_cut"] == true {
        blame["frame"] = found["looked_to"].clone();
        found = ask(&mut studio, &mut engine, blame.clone());
    }
    let write = &found["writes"][0];
    assert_eq!((&found["after"], &write["system"]), (&json!(all.to_string()), &json!("Bounces")), "{found}");
    assert!(write["by"].as_str().unwrap().starts_with("Bounces in its listener for Bounced"), "{write}");
    assert_eq!(write["cause"][0]["what"], "Bounced", "{write}");
    assert_eq!(engine.time().frame(), 400, "looking back stays in the shown frame");
    let unknown = json!({ "op": "blame", "system": "Gravity" });
    let sentence = "the state of system `Gravity` is not known: it has none, or its type is not registered";
    assert_eq!(ask(&mut studio, &mut engine, unknown)["error"], sentence);
}
