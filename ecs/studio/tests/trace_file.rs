//! The profile of a small program is complete JSON with a span for each run of a system.

use std::time::Duration;

use ecs::prelude::*;
use ecs_studio::TraceFile;
use serde_json::Value;
use tracing_subscriber::layer::SubscriberExt;

#[derive(Clone, Copy)]
struct Ticked;

struct Clock;

impl System for Clock {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self, mut ticked: Sender<Ticked>| ticked.send(Ticked));
    }
}

struct Bell;

impl System for Bell {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, _: &Ticked, mut commands: Commands| commands.spawn(()));
    }
}

#[test]
fn frames_systems_listeners_and_counters_are_in_the_file() {
    let path = std::env::temp_dir().join(format!("ecs_studio_trace_{}.json", std::process::id()));
    let (file, layer) = TraceFile::create(&path).unwrap();
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
        let mut engine = Engine::new();
        engine.add(Clock).unwrap().add(Bell).unwrap();
        (0..5).for_each(|_| engine.update(Duration::from_millis(10)).unwrap());
        engine.disable_system::<Clock>().unwrap();
        (0..2).for_each(|_| engine.update(Duration::from_millis(10)).unwrap());
    });
    drop(file);
    let entries: Vec<Value> = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    std::fs::remove_file(path).unwrap();
    let begun = |name: &str| entries.iter().filter(|entry| entry["ph"] == "B" && entry["name"] == name).count();
    assert_eq!([begun("frame 3"), begun("Clock"), begun("Bell")], [1, 5, 5]);
    // Begins and ends are nested, and time goes forwards.
    let (mut depth, mut before) = (0, 0.0);
    for entry in entries.iter().filter(|entry| entry["ph"] == "B" || entry["ph"] == "E") {
        depth += if entry["ph"] == "B" { 1 } else { -1 };
        let now = entry["ts"].as_f64().unwrap();
        assert!(depth >= 0 && now >= before, "{entry}");
        before = now;
    }
    assert_eq!(depth, 0);
    let counter = |name: &str| -> Vec<u64> {
        let of_name = entries.iter().filter(|entry| entry["ph"] == "C" && entry["name"] == name);
        of_name.map(|entry| entry["args"][name].as_u64().unwrap()).collect()
    };
    assert_eq!((counter("entities"), counter("events")), (vec![1, 2, 3, 4, 5, 5, 5], vec![1, 1, 1, 1, 1, 0, 0]));
    let of_ticked = entries.iter().filter(|entry| entry["ph"] == "C" && entry["name"] == "Ticked");
    let ticked: Vec<u64> = of_ticked.map(|entry| entry["args"]["events"].as_u64().unwrap()).collect();
    assert_eq!(ticked, [1, 0], "only changes are written");
}

#[test]
fn file_that_cannot_be_created_is_an_error() {
    assert!(TraceFile::create(std::path::Path::new("/no/such/place/a.json")).is_err());
}
