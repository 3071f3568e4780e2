//! The saved format: a world with something of every kind is saved byte for byte as in these files.
//!
//! Once published versions of this crate write this format, a change of it needs another format number (`FORMAT` in
//! `ecs/src/snapshot/saved.rs`).

use std::path::Path;

use ecs::{
    Added, Commands, Engine, EntityId, Priority, Removed, ResMut, Setup, System, Time,
    prelude::Configure,
    snapshot::{StableHash, StateHasher},
    system::{CatchUp, FunctionId},
};
use serde::{Deserialize, Serialize};

use crate::ms;

const BYTES: &str = include_str!("format/world.hex");
const TEXT: &str = include_str!("format/world.ron");
const HASH: u64 = 0x8a82_9130_3e64_cc12;
/// The hash three frames later.
const HASH_LATER: u64 = 0x689a_f566_ad43_06d5;

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Place(f32);
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Marked;
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
struct Bell(u8);
/// A resource with ids.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Cast {
    entities: Vec<EntityId>,
    functions: Vec<FunctionId>,
}
/// The log of received events.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Heard(Vec<String>);

impl StableHash for Mood {
    fn stable_hash(&self, hash: &mut StateHasher) {
        match self {
            Self::Calm => hash.number(0),
            Self::Angry { at, since } => hash.number(1).add(at).number(*since),
        };
    }
}

/// A stateless listener to all events.
struct Audience;

impl System for Audience {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(|_: &mut Self, bell: &Bell, mut heard: ResMut<Heard>| heard.0.push(format!("bell {}", bell.0)))
            .listen_later(|_: &mut Self, bell: &Bell, mut heard: ResMut<Heard>| {
                heard.0.push(format!("again {}", bell.0))
            })
            .listen(|_: &mut Self, added: &Added<Place>, mut heard: ResMut<Heard>| {
                heard.0.push(format!("+{}", added.entity))
            })
            .listen(|_: &mut Self, removed: &Removed<Place>, mut heard: ResMut<Heard>| {
                heard.0.push(format!("-{} from {}", removed.entity, removed.value.as_ref().unwrap().0));
            });
    }
}

/// A disabled system with a state and a timer.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Understudy(u64);

impl System for Understudy {
    fn setup(setup: &mut Setup<Self>) {
        setup.disabled().every(ms(40)).catch_up(CatchUp::EachInterval).update(|own: &mut Self, _: Time| own.0 += 1);
    }
}

fn ring(mut heard: ResMut<Heard>) {
    heard.0.push("ring".to_owned());
}

fn curtain(mut heard: ResMut<Heard>, mut commands: Commands) {
    heard.0.push("curtain".to_owned());
    commands.enable_system::<Understudy>();
}

/// An empty engine with all types registered.
fn empty() -> Engine {
    let mut engine = Engine::builder().site(3).build();
    engine.add(Audience).unwrap().add(Understudy(7)).unwrap();
    let types = engine.types_mut();
    types.component_by("place", |place: &Place, hash| _ = hash.add(&place.0)).unwrap();
    types.component_by("marked", |_: &Marked, _| {}).unwrap();
    types.component::<Mood>("mood").unwrap();
    types.event_by("bell", |bell: &Bell, hash| _ = hash.add(&bell.0)).unwrap();
    types.resource_by("cast", |cast: &Cast, hash| _ = hash.add(&cast.entities)).unwrap();
    types.resource_by("heard", |heard: &Heard, hash| _ = hash.add(&heard.0)).unwrap();
    types.resource_by("weather", |weather: &Weather, hash| _ = hash.number(weather.degrees as u64)).unwrap();
    types.system_by("understudy", |own: &Understudy, hash| _ = hash.number(own.0)).unwrap();
    types.function("ring", ring).unwrap().function("curtain", curtain).unwrap();
    types.save_with_text::<Place>(1).unwrap().save_with_text::<Marked>(4).unwrap().save_with_text::<Mood>(1).unwrap();
    types.save_with_text::<Bell>(1).unwrap().save_with_text::<Cast>(1).unwrap().save_with_text::<Heard>(1).unwrap();
    types.save_with_text::<Weather>(1).unwrap().save_with_text::<Understudy>(2).unwrap();
    engine
}

/// The saved world.
fn world() -> Engine {
    let mut engine = empty();
    let entities = engine.spawn_many((0..9_u8).map(|n| (Place(f32::from(n)), Mood::Calm)));
    let entities: Vec<_> = entities.into_iter().collect();
    engine.every(ms(150), ring).unwrap();
    engine.add(ring.every(ms(70)).catch_up(CatchUp::EachInterval).after_type::<Understudy>()).unwrap();
    let mut functions: Vec<_> = engine.systems().ids_of(ring).collect();
    functions.extend([ms(400), ms(250)].map(|delay| engine.after(delay, curtain).unwrap()));
    engine.disable_function(functions[1]).unwrap();
    engine.insert(entities[1], (Mood::Angry { at: "the \"wind\"".to_owned(), since: 1 << 40 }, Marked)).unwrap();
    engine.remove::<Mood>(entities[2]).unwrap();
    engine.despawn(entities[3]).unwrap();
    engine.disable(entities[4]).unwrap();
    engine.disable_component::<Place>(entities[5]).unwrap();
    engine.join("crowd", entities[6]).unwrap();
    engine.join("crowd", entities[1]).unwrap();
    engine.tag("star", entities[1]).unwrap();
    engine.global_id(entities[7]).unwrap();
    engine.set_priority::<Understudy>(Priority::HIGH).unwrap();
    engine.insert_resource(Cast { entities: entities.clone(), functions });
    engine.insert_resource(Heard::default());
    engine.insert_resource(Weather { degrees: -7, wind: Some('N') });
    for _ in 0..3 {
        engine.update(ms(100)).unwrap();
    }
    engine.disable_system::<Understudy>().unwrap();
    // These events wait for the next frame.
    engine.despawn(entities[8]).unwrap();
    let late = engine.spawn((Place(70.0),));
    engine.remove::<Place>(late).unwrap();
    engine.send(Bell(9));
    engine
}

fn hash_later(engine: &mut Engine) -> u64 {
    (0..3).for_each(|_| engine.update(ms(100)).unwrap());
    assert_eq!(engine.command_errors(), []);
    engine.state_hash().unwrap().whole
}

fn hex(bytes: &[u8]) -> String {
    let line = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + "\n";
    bytes.chunks(64).map(line).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.chars().filter_map(|digit| digit.to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks(2).map(|byte| byte[0] << 4 | byte[1]).collect()
}

/// Compares with a file of `format/`. On a difference, writes the new content into a temporary folder and fails.
fn assert_format(name: &str, expected: &str, found: &str) {
    if found != expected {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, found).unwrap();
        panic!("format/{name} has changed: {}", path.display());
    }
}

#[test]
fn world_is_saved_in_the_stored_format() {
    let mut engine = world();
    let (mut saved, text) = (Vec::new(), engine.save_text().unwrap());
    engine.save(&mut saved).unwrap();
    assert_format("world.hex", BYTES, &hex(&saved));
    assert_format("world.ron", TEXT, &(text + "\n"));
    let hashes = (engine.state_hash().unwrap().whole, hash_later(&mut engine));
    assert_eq!(hashes, (HASH, HASH_LATER), "{:#x}, {:#x}", hashes.0, hashes.1);
    let heard = engine.resource::<Heard>().unwrap().0.join(" ");
    assert!(heard.ends_with("-9v1 from 8 +9v3 -9v3 from 70 bell 9 curtain ring ring"), "{heard}");
}

#[test]
fn stored_world_is_loaded_and_runs() {
    let (mut from_bytes, mut from_text) = (empty(), empty());
    from_bytes.load(&mut bytes(BYTES).as_slice()).unwrap();
    from_text.load_text(TEXT).unwrap();
    for mut engine in [from_bytes, from_text] {
        assert_eq!(engine.state_hash().unwrap().whole, HASH);
        assert_eq!(hash_later(&mut engine), HASH_LATER);
    }
}

#[test]
fn other_formats_are_refused_by_number() {
    for (other, remedy) in [(4, "use the older version"), (6, "use a newer version")] {
        let text = TEXT.replacen("format: 5", &format!("format: {other}"), 1);
        let problem = empty().load_text(&text).unwrap_err().to_string();
        assert_eq!(problem, format!("the snapshot was saved in form {other}, and this version reads form 5: {remedy}"));
    }
}
