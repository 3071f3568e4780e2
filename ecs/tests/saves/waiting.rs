//! Stored forms of a world in which everything waits that can: events, also those that tell of components, commands of
//! every kind, timers and functions.

use std::time::Duration;

use ecs::{
    Added, CatchUp, Commands, Engine, EntityId, FunctionId, Removed, Res, ResMut, Setup, Spawned, Spawner, System,
    Timing,
};
use serde::{Deserialize, Serialize};

use super::form::{bytes, hex};

/// A world in a stored form.
struct Stored {
    bytes: &'static str,
    text: &'static str,
    hash: u64,
    /// Three frames later.
    hash_later: u64,
}

/// Before commands inserted into many and removed from many.
const SECOND: Stored = Stored {
    bytes: include_str!("form/second.hex"),
    text: include_str!("form/second.ron"),
    hash: 0x40c0_9af1_295d_80ea,
    hash_later: 0xacf3_ea84_07b4_0b05,
};

/// The form of today.
const THIRD: Stored = Stored {
    bytes: include_str!("form/third.hex"),
    text: include_str!("form/third.ron"),
    hash: 0xb31c_b6fb_5d3d_2a17,
    hash_later: 0xd0db_e450_5848_a725,
};

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Place(f32);
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Marked;
#[derive(Clone, Serialize, Deserialize)]
struct Label(String);
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Bell(u8);
/// Whom and what commands are about.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Cast {
    entities: Vec<EntityId>,
    functions: Vec<FunctionId>,
}
/// What was heard.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Heard(Vec<String>);

/// Spawns somebody once, and asks for all there is when it hears of that.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Director {
    is_done: bool,
}

impl System for Director {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .once_after(ms(250))
            .update(|_: &mut Self, mut commands: Commands| commands.spawn((Label("cue".to_owned()),)));
        setup.listen(Self::direct);
    }
}

impl Director {
    fn direct(&mut self, spawned: &Spawned, cast: Res<Cast>, mut commands: Commands, mut spawner: Spawner) {
        if cast.entities.contains(&spawned.entity) || std::mem::replace(&mut self.is_done, true) {
            return;
        }
        let (all, functions) = (&cast.entities, &cast.functions);
        commands.spawn((Place(1.5), Marked));
        commands.spawn_many((0..2_u8).map(|n| (Place(f32::from(n)), Label(n.to_string()))));
        let _ = spawner.spawn((Marked,));
        commands.insert(spawned.entity, (Place(-1.0), Marked));
        commands.remove::<Label>(spawned.entity);
        commands.disable(all[0]);
        commands.enable(all[1]);
        commands.disable_component::<Place>(all[2]);
        commands.enable_component::<Place>(all[3]);
        commands.despawn(all[4]);
        commands.despawn_many([all[5], all[6]]);
        commands.join("crowd", all[0]);
        commands.leave("crowd", all[1]);
        commands.tag("star", all[2]);
        commands.enable_system::<Understudy>();
        commands.disable_system::<Audience>();
        commands.disable_function(functions[0]);
        commands.enable_function(functions[1]);
        commands.cancel(functions[2]);
        let label = |text: &str| (Label(text.to_owned()),);
        commands.insert_many([(all[0], label("one")), (all[2], label("another")), (all[3], label("third"))]);
        commands.remove_many::<Place>([all[0], all[2]]);
    }
}

/// Hears everything.
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
                heard.0.push(format!("-{} from {}", removed.entity, removed.value.0));
            });
    }
}

/// Is disabled.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Understudy(u64);

impl System for Understudy {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .disabled()
            .every(ms(40))
            .catch_up(CatchUp::EachInterval)
            .update(|own: &mut Self, _: ecs::Time| own.0 += 1);
    }
}

fn ring(mut heard: ResMut<Heard>) {
    heard.0.push("ring".to_owned());
}

fn curtain(mut heard: ResMut<Heard>) {
    heard.0.push("curtain".to_owned());
}

/// An engine that knows all types, with nothing in it.
fn empty() -> Engine {
    let mut engine = Engine::builder().site(3).build();
    engine.add(Director::default()).unwrap().add(Audience).unwrap().add(Understudy(7)).unwrap();
    let types = engine.types_mut();
    types.component_by("place", |place: &Place, hash| _ = hash.add(&place.0)).unwrap();
    types.component_by("marked", |_: &Marked, _| {}).unwrap();
    types.component_by("label", |label: &Label, hash| _ = hash.add(&label.0)).unwrap();
    types.event_by("bell", |bell: &Bell, hash| _ = hash.add(&bell.0)).unwrap();
    types.resource_by("cast", |cast: &Cast, hash| _ = hash.add(&cast.entities)).unwrap();
    types.resource_by("heard", |heard: &Heard, hash| _ = hash.add(&heard.0)).unwrap();
    types.system_by("director", |director: &Director, hash| _ = hash.number(director.is_done.into())).unwrap();
    types.system_by("understudy", |own: &Understudy, hash| _ = hash.number(own.0)).unwrap();
    types.function("ring", ring).unwrap().function("curtain", curtain).unwrap();
    types.save_with_text::<Place>(1).unwrap().save_with_text::<Marked>(4).unwrap().save_with_text::<Label>(1).unwrap();
    types.save_with_text::<Bell>(1).unwrap().save_with_text::<Cast>(1).unwrap().save_with_text::<Heard>(1).unwrap();
    types.save_with_text::<Director>(1).unwrap().save_with_text::<Understudy>(2).unwrap();
    engine
}

/// The world that was saved.
fn world() -> Engine {
    let mut engine = empty();
    let entities: Vec<_> = engine.spawn_many((0..8_u8).map(|n| (Place(f32::from(n)),))).into_iter().collect();
    let functions = vec![
        engine.every(ms(150), ring).unwrap(),
        engine.add_function(Timing::every(ms(70)).catch_up(CatchUp::EachInterval).after::<Director>(), ring).unwrap(),
        engine.after(ms(900), curtain).unwrap(),
        engine.after(ms(450), curtain).unwrap(),
    ];
    engine.disable_function(functions[1]).unwrap();
    engine.disable(entities[1]).unwrap();
    engine.disable_component::<Place>(entities[3]).unwrap();
    engine.join("crowd", entities[1]).unwrap();
    engine.insert_resource(Cast { entities: entities.clone(), functions });
    engine.insert_resource(Heard::default());
    for _ in 0..3 {
        engine.update(ms(100)).unwrap();
    }
    // So much for the commands; now the events.
    engine.despawn(entities[7]).unwrap();
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

#[test]
fn worlds_are_saved_as_they_always_were() {
    let mut engine = world();
    let (mut saved, text) = (Vec::new(), engine.save_text().unwrap());
    engine.save(&mut saved).unwrap();
    assert!(hex(&saved) == THIRD.bytes, "the form is another one now, form/third.hex would be\n{}", hex(&saved));
    assert!(text.clone() + "\n" == THIRD.text, "the form is another one now, form/third.ron would be\n{text}");
    assert_eq!(engine.state_hash().unwrap().whole, THIRD.hash);
    assert_eq!(hash_later(&mut engine), THIRD.hash_later);
    let heard = engine.resource::<Heard>().unwrap().0.clone();
    let waited = ["-8v1 from 7", "+8v3", "-8v3 from 70", "bell 9"];
    assert_eq!(heard[10..14], waited);
    let commanded = ["+11v1", "+12v1", "+13v1", "+9v1", "-5v1 from 4", "-6v1 from 5", "-7v1 from 6"];
    assert_eq!(heard[14..21], commanded);
    assert_eq!(heard[21..23], ["-1v1 from 0", "-3v1 from 2"], "those that were removed together");
}

#[test]
fn worlds_in_which_everything_waits_are_loaded_and_go_on() {
    for stored in [SECOND, THIRD] {
        let (mut from_bytes, mut from_text) = (empty(), empty());
        from_bytes.load(&mut bytes(stored.bytes).as_slice()).unwrap();
        from_text.load_text(stored.text).unwrap();
        for engine in [&mut from_bytes, &mut from_text] {
            assert_eq!(engine.state_hash().unwrap().whole, stored.hash);
            assert_eq!(hash_later(engine), stored.hash_later);
        }
    }
}
