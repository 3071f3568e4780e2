//! Listeners in a save are matched by system and event, in any order of declaration.

use ecs::{Engine, Setup, System};
use serde::{Deserialize, Serialize};

use super::world::FRAME;

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Rain(u32);
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Snow(u32);
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Hail(u32);

/// The received events, with the method that received them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Roof(Vec<(char, u32)>);

impl Roof {
    fn rain(&mut self, rain: &Rain) {
        self.0.push(('r', rain.0));
    }

    fn rain_too(&mut self, rain: &Rain) {
        self.0.push(('R', rain.0));
    }

    fn snow(&mut self, snow: &Snow) {
        self.0.push(('s', snow.0));
    }

    fn hail(&mut self, hail: &Hail) {
        self.0.push(('h', hail.0));
    }
}

/// The version of the system that is saved.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Old(Roof);
/// A later version: it has a new first listener, another order, and one listener fewer.
#[derive(Clone, Default, Serialize, Deserialize)]
struct New(Roof);

impl System for Old {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(|old: &mut Self, rain: &Rain| old.0.rain(rain))
            .listen(|old: &mut Self, snow: &Snow| old.0.snow(snow));
        setup.listen(|old: &mut Self, rain: &Rain| old.0.rain_too(rain));
    }
}

impl System for New {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(|new: &mut Self, hail: &Hail| new.0.hail(hail))
            .listen(|new: &mut Self, snow: &Snow| new.0.snow(snow));
        setup.listen(|new: &mut Self, rain: &Rain| new.0.rain(rain));
    }
}

fn engine<S: System + Sync + Unpin + Clone + Serialize + serde::de::DeserializeOwned>(roof: S) -> Engine {
    let mut engine = Engine::new();
    engine.add(roof).unwrap();
    let types = engine.types_mut();
    types.system_by("roof", |_: &S, _| {}).unwrap().save_with_text::<S>(1).unwrap();
    // `Hail` has no stable name; it never waits.
    types.event_by("rain", |_: &Rain, _| {}).unwrap().save_with_text::<Rain>(1).unwrap();
    types.event_by("snow", |_: &Snow, _| {}).unwrap().save_with_text::<Snow>(1).unwrap();
    engine.order().unwrap();
    engine
}

#[test]
fn reordered_listeners_keep_their_subscriptions() {
    let mut old = engine(Old::default());
    assert!(old.unsubscribe::<Old, Rain>());
    old.send(Rain(1));
    old.send(Snow(2));
    let mut bytes = Vec::new();
    old.save(&mut bytes).unwrap();
    let text = old.save_text().unwrap();

    let (mut from_bytes, mut from_text) = (engine(New::default()), engine(New::default()));
    from_bytes.load(&mut bytes.as_slice()).unwrap();
    from_text.load_text(&text).unwrap();
    for mut later in [from_bytes, from_text] {
        later.send(Hail(3));
        later.update(FRAME).unwrap();
        assert_eq!(later.system::<New>().unwrap().0.0, [('s', 2), ('h', 3)], "the listener to rain is not subscribed");
        later.subscribe::<New, Rain>();
        later.send(Rain(4));
        later.update(FRAME).unwrap();
        assert_eq!(later.system::<New>().unwrap().0.0[2..], [('r', 4)]);
    }
}

#[test]
fn listeners_of_one_event_are_distinguished_by_order() {
    let mut first = engine(Old::default());
    first.send(Rain(1));
    let mut bytes = Vec::new();
    first.save(&mut bytes).unwrap();
    let mut later = engine(Old::default());
    later.load(&mut bytes.as_slice()).unwrap();
    later.update(FRAME).unwrap();
    assert_eq!(later.system::<Old>().unwrap().0.0, [('r', 1), ('R', 1)]);
}
