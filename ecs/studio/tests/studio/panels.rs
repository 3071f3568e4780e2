//! Panels that a program adds.

use std::io::{Read, Write};
use std::net::TcpStream;

use ecs::prelude::*;
use ecs_studio::{PanelAnswer, Studio};
use serde_json::{Value, json};

use super::{ask, engine, frame};

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
