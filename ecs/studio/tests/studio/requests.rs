//! Requests that are wrong, too large or not allowed, and the server.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_studio::Studio;
use serde_json::json;

use super::{ask, engine, frame, hash};

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
    let begun = Instant::now();
    drop(studio);
    assert!(begun.elapsed() < Duration::from_secs(5), "the end waits for nobody");
    drop(silent);
}

#[test]
fn connections_that_send_byte_by_byte_do_not_hold_their_places() {
    let (mut engine, _) = engine();
    let mut studio = Studio::new();
    let address = studio.listen("127.0.0.1:0", None).unwrap();
    let page = format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let mut slow: Vec<TcpStream> = (0..32)
        .map(|_| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(page.as_bytes()).unwrap();
            stream
        })
        .collect();
    let begun = Instant::now();
    let (mut last, mut is_served) = (begun, false);
    while !is_served && begun.elapsed() < Duration::from_secs(8) {
        if last.elapsed() > Duration::from_millis(300) {
            slow.iter_mut().for_each(|stream| _ = stream.write(b"x"));
            last = Instant::now();
        }
        is_served = over_http(&mut studio, &mut engine, address, &page).starts_with("HTTP/1.1 200");
    }
    assert!(is_served, "all places are taken");
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
