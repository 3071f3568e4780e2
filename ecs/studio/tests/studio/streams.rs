//! Streams, by which open pages are told what has changed.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};

use ecs::prelude::*;
use ecs_studio::Studio;
use serde_json::{Value, json};

use super::{ask, engine, frame};

/// The lines of a stream with this name, from its first event on.
fn open(address: SocketAddr, target: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {target} HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    BufReader::new(stream)
}

/// The next event of a stream and its data.
fn next(stream: &mut BufReader<TcpStream>) -> Option<(String, Value)> {
    let mut name = None;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(event) = line.strip_prefix("event: ") {
            name = Some(event.trim().to_owned());
        } else if let Some(data) = line.strip_prefix("data: ") {
            return Some((name?, serde_json::from_str(data).unwrap()));
        }
    }
}

/// The next answers, while the program runs frames.
fn answers(
    studio: &mut Studio<Engine>,
    engine: &mut Engine,
    stream: BufReader<TcpStream>,
) -> (Value, BufReader<TcpStream>) {
    let reader = std::thread::spawn(move || {
        let mut stream = stream;
        loop {
            let (event, data) = next(&mut stream).unwrap();
            if event == "answers" {
                return (data, stream);
            }
        }
    });
    while !reader.is_finished() {
        frame(studio, engine);
    }
    reader.join().unwrap()
}

#[test]
fn pages_are_told_what_has_changed_of_what_they_watch() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    let address = studio.listen("127.0.0.1:0", None).unwrap();
    let mut stream = open(address, "/stream?name=one");
    let (hello, about) = next(&mut stream).unwrap();
    assert!(hello == "hello" && about["run"].is_string(), "{hello} {about}");
    let watch = json!({ "op": "watch", "stream": "one", "requests": [
        { "key": "names", "request": { "op": "names" } },
        { "key": "ball", "request": { "op": "entity", "entity": ball.to_string() } },
    ] });
    // The stream has come, so that it may be watched.
    while ask(&mut studio, &mut engine, watch.clone())["error"].is_string() {}
    let (first, stream) = answers(&mut studio, &mut engine, stream);
    assert_eq!((&first["ball"]["entity"], first["names"].is_object()), (&json!(ball.to_string()), true), "{first}");
    let (second, stream) = answers(&mut studio, &mut engine, stream);
    assert_eq!(
        second.as_object().map(|told| told.keys().collect::<Vec<_>>()),
        Some(vec![&"ball".to_owned()]),
        "names stay"
    );
    assert_ne!(second["ball"], first["ball"], "the ball falls");
    // What is watched again is not sent again.
    ask(&mut studio, &mut engine, json!({ "op": "pause" }));
    let (_, stream) = answers(&mut studio, &mut engine, stream);
    let fewer = json!({ "op": "watch", "stream": "one", "requests": [
        { "key": "names", "request": { "op": "names" } }, { "key": "status", "request": { "op": "status" } },
    ] });
    assert_eq!(ask(&mut studio, &mut engine, fewer), json!({}));
    let (third, _) = answers(&mut studio, &mut engine, stream);
    assert_eq!((&third["status"]["paused"], third.get("names")), (&json!(true), None), "{third}");
}

#[test]
fn end_of_the_program_is_told() {
    let (mut engine, _) = engine();
    let mut studio = Studio::new();
    let address = studio.listen("127.0.0.1:0", None).unwrap();
    let mut watched = open(address, "/stream?name=one");
    let mut new = open(address, "/stream?name=two");
    for stream in [&mut watched, &mut new] {
        assert_eq!(next(stream).unwrap().0, "hello");
    }
    while ask(&mut studio, &mut engine, json!({ "op": "watch", "stream": "one", "requests": [] }))["error"].is_string()
    {
    }
    drop(studio);
    for stream in [&mut watched, &mut new] {
        let last = std::iter::from_fn(|| next(stream)).last();
        assert_eq!(last.map(|(event, _)| event), Some("bye".to_owned()));
    }
}

#[test]
fn streams_ask_for_the_token_and_watch_only_what_reads() {
    let (mut engine, ball) = engine();
    let mut studio = Studio::new();
    let address = studio.listen("127.0.0.1:0", Some("secret")).unwrap();
    let mut refused = String::new();
    open(address, "/stream?name=one").read_line(&mut refused).unwrap();
    assert!(refused.starts_with("HTTP/1.1 403"), "{refused}");
    let mut stream = open(address, "/stream?name=one&token=secret");
    assert_eq!(next(&mut stream).unwrap().0, "hello");
    let mut watch = |requests: Value| loop {
        let answer = ask(&mut studio, &mut engine, json!({ "op": "watch", "stream": "one", "requests": requests }));
        if answer["error"] != "no stream \"one\" is open" {
            break answer;
        }
    };
    let despawn = json!({ "op": "despawn", "entity": ball.to_string() });
    let refused = watch(json!([{ "key": "end", "request": despawn }]));
    assert_eq!(refused["error"], "the request \"end\" may change something, so it cannot be watched");
    let status = json!({ "key": "status", "request": { "op": "status" } });
    assert_eq!(watch(json!(vec![status; 33]))["error"], "a page watches at most 32 requests");
    assert!(watch(json!([{ "key": "no", "request": { "op": "fly" } }]))["error"].as_str().unwrap().contains("fly"));
    assert!(engine.contains(ball));
}
