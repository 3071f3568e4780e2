//! Causal traces after a panic: the events of the panicking command and all later ones keep their causes.

use ecs::{Added, Commands, Engine, EntityId, Removed, Sender, Setup, System};

use super::FRAME;
use crate::panics;

/// A component whose drop panics if its flag is set.
#[derive(Clone)]
struct Fragile(bool);

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(!self.0 || std::thread::panicking(), "the flag is set");
    }
}

/// Inserts into both entities in the first frame and spawns others; all commands but the second insert panic.
#[derive(Clone)]
struct Smith(Option<[EntityId; 2]>);

impl System for Smith {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|own: &mut Self, mut commands: Commands| {
            let Some([first, second]) = own.0.take() else { return };
            commands.insert(first, (Fragile(false), 'x'));
            commands.insert(second, (2_u64,));
            commands.spawn((3_u8,));
            commands.spawn_many([1, 2].map(|number| (number,)));
        });
    }
}

#[derive(Clone, Copy)]
struct Heard;

/// Sends `Heard` for each added letter.
#[derive(Clone)]
struct Echo;

impl System for Echo {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(|_: &mut Self, _: &Added<char>, mut sender: Sender<Heard>| sender.send(Heard))
            .listen(|_: &mut Self, _: &Added<u64>| {})
            .listen(|_: &mut Self, _: &Removed<char>| {});
    }
}

fn engine() -> Engine {
    let mut engine = Engine::builder().trace_causes(10).build();
    engine.add(Smith(None)).unwrap().add(Echo).unwrap();
    engine
}

#[test]
fn panicking_commands_and_those_behind_them_stay_causes_of_their_events() {
    let mut engine = engine();
    let [first, second] = [engine.spawn((Fragile(true),)), engine.spawn(())];
    engine.system_mut::<Smith>().unwrap().0 = Some([first, second]);
    assert!(panics(|| engine.update(FRAME)));
    engine.update(FRAME).unwrap();
    let added = "insert (Smith, frame 1) → Added<char> (frame 2)";
    assert_eq!(engine.why_event::<Added<char>>().to_string(), format!("Added<char>: {added}"));
    assert_eq!(engine.why_event::<Heard>().to_string(), format!("Heard: {added} → Heard (Echo, frame 2)"));
    assert_eq!(engine.why(first).to_string(), format!("entity {first}: insert (Smith, frame 1)"));
    assert_eq!(engine.why(second).to_string(), format!("entity {second}: insert (Smith, frame 2)"));
    assert_eq!(
        engine.why_event::<Added<u64>>().to_string(),
        "Added<u64>: insert (Smith, frame 2) → Added<u64> (frame 2)"
    );
    let spawned: Vec<_> = engine.entities().iter().skip(2).collect();
    let whys: Vec<_> = spawned.iter().map(|entity| engine.why(*entity).to_string()).collect();
    let spawn = |at: usize, frame| format!("entity {}: spawn (Smith, frame {frame})", spawned[at]);
    assert_eq!(whys, [spawn(0, 2), spawn(1, 2), spawn(2, 2)]);
    // Changes from outside have no cause.
    engine.remove::<char>(first).unwrap();
    engine.update(FRAME).unwrap();
    assert_eq!(engine.why_event::<Removed<char>>().to_string(), "Removed<char>: Removed<char> (frame 3)");
}

#[test]
fn causes_are_traced_again_after_a_restore_that_panicked() {
    let mut engine = engine();
    engine.types_mut().component_by("fragile", |_: &Fragile, _| {}).unwrap();
    engine.types_mut().component_by("letter", |_: &char, _| {}).unwrap();
    let types =
        engine.types_mut().system_by("smith", |_: &Smith, _| {}).unwrap().system_by("echo", |_: &Echo, _| {}).unwrap();
    types.event_by("heard", |_: &Heard, _| {}).unwrap();
    let before = engine.snapshot().unwrap();
    (0..100).for_each(|_| engine.send(Heard));
    engine.spawn((Fragile(true),));
    engine.update(FRAME).unwrap();
    assert!(panics(|| engine.restore(&before)));
    let entity = engine.spawn(());
    engine.insert(entity, ('x',)).unwrap();
    engine.update(FRAME).unwrap();
    let why = engine.why_event::<Heard>().to_string();
    assert_eq!(why, "Heard: Added<char> (frame 2) → Heard (Echo, frame 2)");
}
