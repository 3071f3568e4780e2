//! The first stored form: a world that was saved once is loaded by every later version.
//!
//! Whoever changes the form gives it another number, and keeps these files as what the older form looked like.

use std::time::Duration;

use ecs::{Engine, Priority, Sender, Setup, StableHash, StateHasher, System, Time};
use serde::{Deserialize, Serialize};

const BYTES: &str = include_str!("form/first.hex");
const TEXT: &str = include_str!("form/first.ron");
const HASH: u64 = 0x9bec_40fb_94c7_a6c5;

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Place {
    x_m: f32,
    y_m: f32,
}

#[derive(Clone, Serialize, Deserialize)]
enum Mood {
    Calm,
    Angry { at: String, since: u64 },
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Weather {
    degrees: i16,
    wind: Option<char>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Thunder(u8);

/// Thunders twice a second, and counts what is heard.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Storm {
    heard: u32,
}

impl System for Storm {
    fn setup(setup: &mut Setup<Self>) {
        setup.every(Duration::from_millis(500)).post_update(Self::thunder).listen(Self::hear);
    }
}

impl Storm {
    fn thunder(&mut self, time: Time, mut thunders: Sender<Thunder>) {
        thunders.send(Thunder(time.frame() as u8));
    }

    fn hear(&mut self, _: &Thunder) {
        self.heard += 1;
    }
}

impl StableHash for Mood {
    fn stable_hash(&self, hash: &mut StateHasher) {
        match self {
            Self::Calm => hash.number(0),
            Self::Angry { at, since } => hash.number(1).add(at).number(*since),
        };
    }
}

/// An engine that knows all types, with nothing in it.
fn empty() -> Engine {
    let mut engine = Engine::new();
    engine.add(Storm::default()).unwrap();
    engine.group::<(Place, Mood)>().unwrap();
    let types = engine.types_mut();
    types.component_by("place", |place: &Place, hash| _ = hash.add(&[place.x_m, place.y_m])).unwrap();
    types.component_by("mood", |mood: &Mood, hash| _ = hash.add(mood)).unwrap();
    types.resource_by("weather", |weather: &Weather, hash| _ = hash.number(weather.degrees as u64)).unwrap();
    types.event_by("thunder", |thunder: &Thunder, hash| _ = hash.add(&thunder.0)).unwrap();
    types.system_by("storm", |storm: &Storm, hash| _ = hash.add(&storm.heard)).unwrap();
    types.save_with_text::<Place>(1).unwrap().save_with_text::<Mood>(2).unwrap().save_with_text::<Weather>(1).unwrap();
    types.save_with_text::<Thunder>(1).unwrap().save_with_text::<Storm>(3).unwrap();
    engine
}

/// The world that was saved: something of everything, some of which waits.
fn world() -> Engine {
    let mut engine = empty();
    engine.insert_resource(Weather { degrees: -7, wind: Some('N') });
    let place = |x_m| Place { x_m, y_m: -0.5 };
    let ids = engine.spawn_many((0..6).map(|n| (place(n as f32), Mood::Calm)));
    let ids: Vec<_> = ids.into_iter().collect();
    engine.insert(ids[1], (Mood::Angry { at: "the \"wind\"".to_owned(), since: 1 << 40 },)).unwrap();
    engine.despawn(ids[2]).unwrap();
    engine.disable(ids[3]).unwrap();
    engine.disable_component::<Place>(ids[4]).unwrap();
    engine.join("guests", ids[5]).unwrap();
    engine.join("guests", ids[0]).unwrap();
    engine.tag("host", ids[0]).unwrap();
    engine.global_id(ids[4]).unwrap();
    engine.set_priority::<Storm>(Priority::HIGH).unwrap();
    for _ in 0..7 {
        engine.update(Duration::from_millis(300)).unwrap();
    }
    engine.send(Thunder(200));
    engine
}

pub(super) fn hex(bytes: &[u8]) -> String {
    let line = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + "\n";
    bytes.chunks(64).map(line).collect()
}

pub(super) fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.chars().filter_map(|digit| digit.to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks(2).map(|byte| byte[0] << 4 | byte[1]).collect()
}

#[test]
fn worlds_that_were_saved_once_are_loaded() {
    let (mut from_bytes, mut from_text) = (empty(), empty());
    from_bytes.load(&mut bytes(BYTES).as_slice()).unwrap();
    from_text.load_text(TEXT).unwrap();
    assert_eq!(world().state_hash().unwrap().whole, HASH);
    for engine in [&mut from_bytes, &mut from_text] {
        assert_eq!(engine.state_hash().unwrap().whole, HASH);
        engine.update(Duration::from_millis(300)).unwrap();
        // Four were heard before, and one waited.
        assert_eq!(engine.system::<Storm>().unwrap().heard, 5);
    }
}
