//! Changes by hand, undo and redo.

use std::time::Duration;

use ecs::prelude::*;
use ecs_studio::{Studio, Subject};
use serde_json::{Value, json};

use super::{Ball, Mark, Pair, ask, engine, frame, hash};

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
            repeated.make(&made.edit).unwrap();
        }
        assert_eq!(hash(&mut edited), hash(&mut repeated), "{request}");
    }
    let gone = ecs_studio::Edit::Despawn { entity: EntityId::default() };
    assert!(repeated.make(&gone).is_err());
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
        repeated.make(&made.edit).unwrap();
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
fn despawn_is_undone_when_the_oldest_frames_are_dropped_meanwhile() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    let height = |height: f32| json!({ "op": "set_component", "entity": ball.to_string(), "component": "ball", "path": "/height_m", "value": height });
    for frames in [400, 400, 1] {
        ask(&mut studio, &mut engine, height(frames as f32));
        (0..frames).for_each(|_| _ = frame(&mut studio, &mut engine));
    }
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    let before = hash(&mut engine);
    ask(&mut studio, &mut engine, json!({ "op": "despawn", "entity": ball.to_string() }));
    studio.limit_history(1);
    let oldest = ask(&mut studio, &mut engine, json!({ "op": "status" }))["oldest"].as_u64().unwrap();
    assert!(oldest > 400, "edits are gone with their frames: {oldest}");
    assert_eq!(ask(&mut studio, &mut engine, json!({ "op": "undo" })), json!({}));
    assert_eq!(hash(&mut engine), before);
    ask(&mut studio, &mut engine, json!({ "op": "redo" }));
    assert!(engine.get::<Ball>(ball).is_none());
    // The kept edits are those behind the oldest frame.
    assert!(studio.edits().iter().all(|made| made.frame >= oldest), "{:?}", studio.edits());
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
