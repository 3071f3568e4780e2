//! Events that concern several entities or none: which listeners receive them, how often, and until when.

use std::time::Duration;

use ecs::NoSuchEntity;
use ecs::event::EntityEvent;
use ecs::prelude::*;

use super::observers::{Heard, Hit, Player, engine, frame, heard, note_damage};

#[derive(Clone, Copy)]
struct Crash {
    one: EntityId,
    other: EntityId,
}

impl EntityEvent for Crash {
    fn entity(&self) -> EntityId {
        self.one
    }

    fn entities(&self) -> impl IntoIterator<Item = EntityId> {
        [self.one, self.other]
    }
}

#[test]
fn observers_of_each_entity_of_an_event_hear_it_once() {
    let mut engine = engine();
    let [one, other, third] = [(); 3].map(|()| engine.spawn(()));
    for (entity, name) in [(other, "other"), (one, "one"), (one, "one again"), (third, "third")] {
        engine.observe(entity, move |_: &Crash, mut heard: ResMut<Heard>| heard.note(name)).unwrap();
    }
    engine.listen(|_: &Crash, mut heard: ResMut<Heard>| heard.note("all")).unwrap();
    engine.send(Crash { one, other });
    engine.send(Crash { one: other, other: one });
    frame(&mut engine);
    assert_eq!(
        heard(&mut engine),
        ["all", "all", "one", "one again", "other", "other", "one", "one again"],
        "event by event, in the order in which it names them"
    );
    engine.send(Crash { one, other: one });
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["all", "one", "one again"], "once, though it is named twice");
    engine.despawn(one).unwrap();
    engine.send(Crash { one: third, other: one });
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["all", "third", "one", "one again"], "they end with the frame");
    engine.send(Crash { one: third, other: one });
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["all", "third"]);
}

#[test]
fn filter_matches_if_one_entity_of_an_event_does() {
    let mut engine = engine();
    let [player, wall] = [engine.spawn((Player,)), engine.spawn(())];
    engine
        .listen_filtered::<With<Player>, _, _>(|_: &Crash, mut heard: ResMut<Heard>| heard.note("a player crashed"))
        .unwrap();
    for (one, other) in [(wall, player), (player, wall), (wall, wall), (player, player)] {
        engine.send(Crash { one, other });
    }
    frame(&mut engine);
    assert_eq!(heard(&mut engine).len(), 3);
}

#[test]
fn listener_to_all_events_ends_with_its_entity() {
    let mut engine = engine();
    let [one, other] = [(); 2].map(|()| engine.spawn(()));
    engine.types_mut().leave_out_resource::<Heard>();
    engine.listen_while(one, note_damage).unwrap();
    let copy = engine.snapshot().unwrap();
    engine.send(Hit { target: other, damage: 1 });
    frame(&mut engine);
    engine.despawn(one).unwrap();
    engine.send(Hit { target: other, damage: 2 });
    frame(&mut engine);
    engine.send(Hit { target: other, damage: 3 });
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["1", "2"]);
    assert_eq!(engine.listen_while(one, note_damage).unwrap_err(), NoSuchEntity { entity: one }.into());
    let error = engine.run(move |mut commands: Commands| commands.listen_while(one, note_damage)).unwrap_err();
    assert!(error.to_string().contains(&one.to_string()), "{error}");
    // A rewind brings the entity back, and its listener with it.
    engine.restore(&copy).unwrap();
    engine.send(Hit { target: other, damage: 4 });
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["4"]);
}

#[test]
fn event_that_panics_when_it_is_asked_for_its_entities_ends_the_frame() {
    #[derive(Clone, Copy)]
    struct Faulty;
    impl EntityEvent for Faulty {
        fn entity(&self) -> EntityId {
            panic!("nobody")
        }
    }
    let mut engine = engine();
    let entity = engine.spawn(());
    engine.observe(entity, |_: &Faulty, mut heard: ResMut<Heard>| heard.note("faulty")).unwrap();
    engine.send(Faulty);
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| engine.update(Duration::ZERO)));
    assert!(caught.is_err());
    assert!(heard(&mut engine).is_empty());
}
