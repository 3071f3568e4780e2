//! The application takes events after frames, without a listener and a resource: each once.

use std::sync::Arc;

use ecs::event::EventReader;
use ecs::system::SetupError;
use ecs::{Commands, Despawned, Engine, Error, Removed, Sender, Setup, Spawned, StepClock, System, Time};

use crate::{ms, panics};

#[derive(Clone, Debug, PartialEq)]
struct Chat {
    text: String,
}

/// Says the number of each frame, twice in each third.
fn talk(time: Time, mut chats: Sender<Chat>) {
    for _ in 0..1 + u64::from(time.frame().is_multiple_of(3)) {
        chats.send(Chat { text: time.frame().to_string() });
    }
}

fn talking() -> (Engine, EventReader<Chat>) {
    let mut engine = Engine::new();
    engine.types_mut().event_by::<String>("text", |_, _| {}).unwrap();
    engine.add(talk).unwrap();
    let chats = engine.reader().unwrap();
    (engine, chats)
}

fn texts(chats: &mut EventReader<Chat>) -> Vec<String> {
    chats.drain().map(|chat| chat.text).collect()
}

#[test]
fn several_frames_between_two_looks_lose_and_repeat_nothing() {
    let (mut engine, mut chats) = talking();
    assert_eq!(texts(&mut chats), [""; 0]);
    engine.send(Chat { text: "outside".to_owned() });
    assert!(chats.is_empty(), "it is delivered in the next frame");
    engine.update(ms(1)).unwrap();
    assert_eq!(texts(&mut chats), ["outside", "1"]);
    assert_eq!(texts(&mut chats), [""; 0]);
    let mut clock = StepClock::new(ms(10));
    for (elapsed, expected) in
        [(ms(25), &["2", "3", "3"][..]), (ms(4), &[]), (ms(14), &["4", "5"]), (ms(7), &["6", "6"])]
    {
        engine.advance(&mut clock, elapsed, |_| {}).unwrap();
        assert_eq!(texts(&mut chats), expected);
    }
    // A look that ends early leaves the rest.
    (0..2).for_each(|_| engine.update(ms(1)).unwrap());
    assert_eq!(chats.drain_with_frames().next(), Some((7, Chat { text: "7".to_owned() })));
    engine.update(ms(1)).unwrap();
    assert_eq!((chats.len(), chats.missed()), (3, 0));
    // The body of a loop may run a frame: its events come with the next look.
    for _ in chats.drain().take(3) {
        engine.update(ms(1)).unwrap();
    }
    assert_eq!(texts(&mut chats), ["10", "11", "12", "12"]);
}

#[test]
fn readers_get_what_listeners_get_and_in_the_same_order() {
    #[derive(Default)]
    struct Hears(Vec<String>);
    impl System for Hears {
        fn setup(setup: &mut Setup<Self>) {
            setup.listen(|own: &mut Self, chat: &Chat, mut chats: Sender<Chat>| {
                own.0.push(chat.text.clone());
                if chat.text.len() < 3 {
                    chats.send(Chat { text: format!("{0}{0}", chat.text) });
                }
                assert_ne!(chat.text, "5", "it breaks");
            });
        }
    }
    let (mut engine, mut chats) = talking();
    engine.add(Hears::default()).unwrap();
    for frame in 1..9 {
        assert_eq!(panics(|| engine.update(ms(1))), frame == 5);
    }
    assert_eq!(texts(&mut chats), engine.system::<Hears>().unwrap().0);
    // An engine that is gone leaves what it delivered.
    engine.update(ms(1)).unwrap();
    drop(engine);
    assert_eq!(texts(&mut chats), ["9", "9", "99", "99", "9999", "9999"]);
}

#[test]
fn a_type_has_one_reader_at_a_time() {
    let (mut engine, chats) = talking();
    let Err(Error::Setup(error @ SetupError::ReaderAlreadyOpen { event: "Chat" })) = engine.reader::<Chat>() else {
        panic!("there is one")
    };
    assert_eq!(
        error.to_string(),
        "event Chat has a reader already, which takes its events: pass them on from there, or drop it first"
    );
    engine.update(ms(1)).unwrap();
    drop(chats);
    let mut again = engine.reader::<Chat>().unwrap();
    engine.update(ms(1)).unwrap();
    assert_eq!(texts(&mut again), ["2"], "it gets what is delivered from now on");
    assert!(engine.event_graph().unwrap().issues().is_empty());
    assert!(engine.event_graph().unwrap().to_string().ends_with("talk -> (outside)\n"));
    drop(again);
    engine.update(ms(1)).unwrap();
    assert_eq!(engine.event_graph().unwrap().issues().len(), 1);
}

#[test]
fn lifecycle_events_are_sent_for_readers_as_for_listeners() {
    let mut engine = Engine::new();
    let mut spawned = engine.reader::<Spawned>().unwrap();
    let mut removed = engine.reader::<Removed<u8>>().unwrap();
    let one = engine.spawn((1_u8,));
    engine.after(ms(0), move |mut commands: Commands| commands.despawn(one)).unwrap();
    engine.update(ms(1)).unwrap();
    assert_eq!(spawned.drain().map(|event| event.entity).collect::<Vec<_>>(), [one]);
    assert_eq!(removed.drain().collect::<Vec<_>>(), [Removed { entity: one, value: Some(1) }]);
    // A listener that comes and goes changes nothing.
    let listener = engine.listen(|_: &Despawned| {}).unwrap();
    assert!(engine.cancel(listener));
    engine.spawn((2_u8,));
    engine.update(ms(1)).unwrap();
    assert_eq!(spawned.drain().count(), 1);
    // Nothing is sent once they are closed.
    drop((spawned, removed));
    engine.update(ms(1)).unwrap();
    let before = engine.events().counters::<Spawned>().unwrap();
    engine.spawn((3_u8,));
    assert_eq!(engine.events().counters::<Spawned>().unwrap(), before);
}

#[test]
fn a_restore_takes_back_what_was_not_taken_yet() {
    let (mut engine, mut chats) = talking();
    (0..2).for_each(|_| engine.update(ms(1)).unwrap());
    let snapshot = engine.snapshot().unwrap();
    // Frames before the snapshot stay.
    (0..2).for_each(|_| engine.update(ms(1)).unwrap());
    engine.restore(&snapshot).unwrap();
    assert_eq!(chats.len(), 2);
    (0..2).for_each(|_| engine.update(ms(1)).unwrap());
    assert_eq!(texts(&mut chats), ["1", "2", "3", "3", "4"], "each frame of the history once");
    // What was taken is not given again by a restore alone.
    engine.restore(&snapshot).unwrap();
    assert!(chats.is_empty());
    // A rollback tells repeated frames by their numbers.
    let shown = 4;
    (0..3).for_each(|_| engine.update(ms(1)).unwrap());
    let new: Vec<_> =
        chats.drain_with_frames().filter(|(frame, _)| *frame > shown).map(|(_, chat)| chat.text).collect();
    assert_eq!(new, ["5"]);
}

#[test]
fn events_that_wait_in_a_snapshot_come_once() {
    let mut engine = Engine::new();
    engine.types_mut().event_by::<String>("text", |text, hash| _ = hash.add(text)).unwrap();
    let mut texts = engine.reader::<String>().unwrap();
    engine.send("waits".to_owned());
    let snapshot = engine.snapshot().unwrap();
    engine.update(ms(1)).unwrap();
    engine.restore(&snapshot).unwrap();
    assert!(texts.is_empty());
    engine.restore(&snapshot).unwrap();
    engine.update(ms(1)).unwrap();
    assert_eq!(texts.drain().collect::<Vec<_>>(), ["waits"]);
    // A reader changes neither state nor hash.
    let mut other = Engine::new();
    other.types_mut().event_by::<String>("text", |text, hash| _ = hash.add(text)).unwrap();
    other.restore(&snapshot).unwrap();
    engine.restore(&snapshot).unwrap();
    assert_eq!(engine.state_hash().unwrap(), other.state_hash().unwrap());
}

#[test]
fn a_restore_after_a_panic_keeps_what_was_delivered() {
    let mut engine = Engine::new();
    engine.types_mut().event_by::<String>("text", |_, _| {}).unwrap().event_by::<u8>("number", |_, _| {}).unwrap();
    engine.listen(|number: &u8| assert_ne!(*number, 1, "it breaks")).unwrap();
    let mut texts = engine.reader::<String>().unwrap();
    let mut numbers = engine.reader::<u8>().unwrap();
    let snapshot = engine.snapshot().unwrap();
    engine.send("delivered".to_owned());
    engine.send(1_u8);
    engine.send(2_u8);
    engine.send("waits behind them".to_owned());
    assert!(panics(|| engine.update(ms(1))));
    assert!(texts.is_empty(), "the frame has not ended");
    let broken = engine.snapshot().unwrap();
    engine.restore(&broken).unwrap();
    assert_eq!(texts.drain().collect::<Vec<_>>(), ["delivered"]);
    assert!(numbers.is_empty(), "they are one run, of which a part waits");
    engine.update(ms(1)).unwrap();
    assert_eq!(texts.drain().collect::<Vec<_>>(), ["waits behind them"]);
    assert_eq!(numbers.drain().collect::<Vec<_>>(), [1, 2]);
    engine.restore(&snapshot).unwrap();
    engine.update(ms(1)).unwrap();
    assert!(texts.is_empty() && numbers.is_empty());
}

#[test]
fn events_that_the_budget_drops_are_not_read() {
    let mut engine = Engine::builder().dispatch_rounds(3).build();
    engine.listen(|number: &u8, mut numbers: Sender<u8>| numbers.send(number + 1)).unwrap();
    let mut numbers = engine.reader::<u8>().unwrap();
    let mut texts = engine.reader::<String>().unwrap();
    engine.send(0_u8);
    let Err(Error::Cascade(error)) = engine.update(ms(1)) else { panic!("it is endless") };
    assert_eq!(error.dropped, 1);
    assert_eq!(numbers.drain().collect::<Vec<_>>(), [0, 1, 2]);
    // Later ones are.
    engine.send("next".to_owned());
    engine.update(ms(1)).unwrap();
    assert_eq!(texts.drain().collect::<Vec<_>>(), ["next"]);
}

#[test]
fn a_forgotten_reader_holds_a_bounded_number_and_says_what_it_missed() {
    const MOST: u64 = 1 << 20;
    let mut engine = Engine::new();
    let mut numbers = engine.reader::<u32>().unwrap();
    let frames = 5;
    for frame in 0..frames {
        (0..MOST / 4).for_each(|number| engine.send((frame * (MOST / 4) + number) as u32));
        engine.update(ms(1)).unwrap();
    }
    assert_eq!((numbers.len() as u64, numbers.missed()), (MOST, MOST / 4));
    assert_eq!(numbers.drain().next(), Some((MOST / 4) as u32), "the oldest are gone");
}

#[test]
fn what_a_reader_holds_is_dropped_once() {
    let one = Arc::new(());
    let held = || Arc::strong_count(&one) - 1;
    let mut engine = Engine::new();
    let mut reader = engine.reader::<(Arc<()>, [u64; 40])>().unwrap();
    for frame in 0..3_u64 {
        (0..50).for_each(|_| engine.send((one.clone(), [frame; 40])));
        engine.send(one.clone());
        engine.update(ms(1)).unwrap();
    }
    assert_eq!((reader.len(), held()), (150, 150));
    drop(reader.drain().nth(9));
    assert_eq!(held(), 140);
    let taken = reader.drain().next();
    drop(reader);
    engine.update(ms(1)).unwrap();
    assert_eq!(held(), 1, "a closed reader holds nothing");
    drop(taken);
    let reader = engine.reader::<(Arc<()>, [u64; 40])>().unwrap();
    engine.send((one.clone(), [0_u64; 40]));
    engine.update(ms(1)).unwrap();
    drop(engine);
    assert_eq!(held(), 1);
    drop(reader);
    assert_eq!(held(), 0);
}

#[test]
fn a_system_of_the_presentation_can_own_a_reader() {
    struct Sounds(EventReader<Chat>, Vec<String>);
    impl System for Sounds {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|own: &mut Self| own.1.extend(own.0.drain().map(|chat| chat.text)));
        }
    }
    let (mut engine, chats) = talking();
    engine.presentation().add(Sounds(chats, Vec::new())).unwrap();
    let mut clock = StepClock::new(ms(10));
    engine.advance(&mut clock, ms(25), |_| {}).unwrap();
    assert_eq!(engine.presentation().system::<Sounds>().unwrap().1, ["1", "2"]);
}

#[cfg(feature = "inspect")]
#[test]
fn frames_that_run_again_are_not_read_again() {
    let (mut engine, mut chats) = talking();
    let before = engine.snapshot().unwrap();
    (0..3).for_each(|_| engine.update(ms(10)).unwrap());
    assert_eq!(texts(&mut chats), ["1", "2", "3", "3"]);
    engine.restore(&before).unwrap();
    engine.inspector().feed_readers(false);
    (0..3).for_each(|_| engine.update(ms(10)).unwrap());
    engine.inspector().feed_readers(true);
    assert!(texts(&mut chats).is_empty());
    engine.update(ms(10)).unwrap();
    assert_eq!(texts(&mut chats), ["4"]);
}

#[cfg(feature = "inspect")]
#[test]
fn events_that_wait_for_a_frame_are_its_inputs() {
    let (mut engine, mut chats) = talking();
    engine.types_mut().event_by::<Chat>("chat", |chat, hash| _ = hash.add(&*chat.text)).unwrap();
    assert!(engine.inspector().waiting_events().unwrap().is_none());
    engine.send(Chat { text: "before".to_owned() });
    let before = engine.snapshot().unwrap();
    engine.send(Chat { text: "behind".to_owned() });
    let waiting = engine.inspector().waiting_events().unwrap().expect("two wait");
    engine.update(ms(10)).unwrap();
    let after = engine.state_hash().unwrap();
    assert_eq!(texts(&mut chats), ["before", "behind", "1"]);
    // The snapshot has one of them already.
    engine.restore(&before).unwrap();
    engine.inspector().set_waiting_events(&waiting).unwrap();
    engine.update(ms(10)).unwrap();
    assert_eq!(texts(&mut chats), ["before", "behind", "1"]);
    assert_eq!(engine.state_hash().unwrap(), after);
}
