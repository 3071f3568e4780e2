//! An engine is usable, consistent and droppable after a panic of a system, a listener or a component.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::{Commands, Engine, Query, Res, ResMut, Sender, Setup, Spawner, System};

use super::log::{self, FRAME, Log};
use crate::panics;

#[derive(Clone, Copy)]
struct Tick(u32);

/// Panics where its flags say, after it sent events and recorded commands.
#[derive(Default)]
struct Bomb {
    in_update: bool,
    in_listener: bool,
    in_exclusive: bool,
}

impl System for Bomb {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update).listen(Self::on_tick).update_exclusive(Self::whole);
    }
}

impl Bomb {
    fn update(
        &mut self,
        mut log: ResMut<Log>,
        mut numbers: Query<&mut u32>,
        mut ticks: Sender<Tick>,
        mut commands: Commands,
        mut spawner: Spawner,
    ) {
        log.note("update");
        numbers.iter_mut().for_each(|number| *number += 1);
        ticks.send(Tick(1));
        commands.spawn((0_u32,));
        spawner.spawn((String::from("x"),));
        assert!(!self.in_update, "boom");
    }

    fn on_tick(&mut self, tick: &Tick, mut log: ResMut<Log>, mut ticks: Sender<Tick>, numbers: Query<&u32>) {
        log.note(format!("tick{}[{}]", tick.0, numbers.count()));
        if tick.0 == 1 {
            ticks.send(Tick(2));
        }
        assert!(!self.in_listener, "boom");
    }

    fn whole(&mut self, world: &mut ecs::World) {
        world.send(Tick(3));
        assert!(!self.in_exclusive, "boom");
    }
}

/// The panic message of a frame.
pub(super) fn message_of_frame(engine: &mut Engine) -> String {
    message_of(|| engine.update(FRAME).unwrap())
}

/// The message of a panic.
pub(super) fn message_of(act: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(act)).expect_err("it panics");
    payload
        .downcast::<String>()
        .map_or_else(|payload| (*payload.downcast_ref::<&str>().unwrap()).to_owned(), |text| *text)
}

#[test]
fn panic_names_the_system_and_the_phase_or_event() {
    let message = |bomb| {
        let mut engine = log::engine();
        engine.add(bomb).unwrap();
        message_of_frame(&mut engine)
    };
    let in_update = message(Bomb { in_update: true, ..Bomb::default() });
    assert_eq!(in_update, "system Bomb panicked in update: boom");
    let in_exclusive = message(Bomb { in_exclusive: true, ..Bomb::default() });
    assert_eq!(in_exclusive, "system Bomb panicked in update: boom");
    let in_listener = message(Bomb { in_listener: true, ..Bomb::default() });
    assert_eq!(in_listener, "system Bomb panicked in its listener for Tick: boom");
}

#[test]
fn panic_of_a_system_run_by_hand_names_it() {
    let mut engine = log::engine();
    engine.add(Bomb { in_update: true, ..Bomb::default() }).unwrap();
    let payload = catch_unwind(AssertUnwindSafe(|| engine.run_system::<Bomb>())).unwrap_err();
    assert_eq!(*payload.downcast::<String>().unwrap(), "system Bomb panicked in update: boom");
}

#[test]
fn non_text_panic_payload_is_kept() {
    struct Thrower;

    impl System for Thrower {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|_: &mut Self| std::panic::panic_any(42_u8));
        }
    }

    let mut engine = Engine::new();
    engine.add(Thrower).unwrap();
    let payload = catch_unwind(AssertUnwindSafe(|| engine.update(FRAME))).unwrap_err();
    assert_eq!(*payload.downcast::<u8>().unwrap(), 42);
}

/// Logs each of its phases and the events that it receives. If its flag is set, it panics before.
struct Step<const N: u8>(bool);

impl<const N: u8> System for Step<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::first).update(Self::second).post_update(Self::third);
    }
}

impl<const N: u8> Step<N> {
    fn first(&mut self, mut ticks: Sender<Tick>, mut commands: Commands) {
        ticks.send(Tick(u32::from(N) + 10));
        commands.spawn((N,));
        assert!(!std::mem::take(&mut self.0), "step {N}");
    }

    fn second(&mut self, mut log: ResMut<Log>) {
        log.note(format!("second{N}"));
    }

    fn third(&mut self, mut log: ResMut<Log>) {
        log.note(format!("third{N}"));
    }
}

/// Listens to ticks and panics at some.
struct Listener<const N: u8>(Vec<u32>);

impl<const N: u8> System for Listener<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_tick);
    }
}

impl<const N: u8> Listener<N> {
    fn on_tick(&mut self, tick: &Tick, mut log: ResMut<Log>) {
        log.note(format!("{N}:{}", tick.0));
        assert!(!self.0.contains(&tick.0), "tick {}", tick.0);
    }
}

#[test]
fn other_systems_of_the_phase_run_and_the_first_panic_in_work_order_is_raised() {
    let mut engine = log::engine();
    engine.add(Step::<1>(false)).unwrap().add(Step::<2>(true)).unwrap();
    engine.add(Step::<3>(true)).unwrap().add(Step::<4>(false)).unwrap();
    engine.add(Listener::<0>(vec![])).unwrap();
    assert_eq!(message_of_frame(&mut engine), "system Step<2> panicked in update: step 2");
    assert_eq!(
        log::logged(&mut engine),
        "second1 second4",
        "a panicked system does not continue, and the next phase does not begin"
    );
    assert!(engine.query::<&u8>().is_empty());
    assert_eq!(engine.events().waiting(), 4);
    assert_eq!(
        log::frame(&mut engine),
        "0:11 0:12 0:13 0:14 second1 second2 second3 second4 third1 third2 third3 third4 0:11 0:12 0:13 0:14"
    );
    assert!(engine.query::<&u8>().iter().eq(&[1, 2, 3, 4, 1, 2, 3, 4]), "their commands were kept");
}

#[test]
fn each_event_is_delivered_once_to_each_listener_though_some_panic() {
    let mut engine = log::engine();
    engine
        .add(Listener::<1>(vec![]))
        .unwrap()
        .add(Listener::<2>(vec![1, 3]))
        .unwrap()
        .add(Listener::<3>(vec![1]))
        .unwrap();
    (0..4).for_each(|n| engine.send(Tick(n)));
    assert_eq!(message_of_frame(&mut engine), "system Listener<2> panicked in its listener for Tick: tick 1");
    assert_eq!(
        log::logged(&mut engine),
        "1:0 1:1 1:2 1:3 2:0 2:1 3:0 3:1",
        "a listener that did not panic receives all events"
    );
    engine.send(Tick(4));
    assert_eq!(message_of_frame(&mut engine), "system Listener<2> panicked in its listener for Tick: tick 3");
    assert_eq!(log::logged(&mut engine), "1:4 2:2 2:3 3:2 3:3 3:4", "a panicked listener continues behind the event");
    assert_eq!(log::frame(&mut engine), "2:4");
    assert_eq!(log::frame(&mut engine), "");
    assert_eq!(engine.events().counters::<Tick>().unwrap().delivered, 15);
}

#[test]
fn panicked_listener_that_is_disabled_receives_no_more_events() {
    let mut engine = log::engine();
    engine.add(Listener::<1>(vec![1])).unwrap().add(Listener::<2>(vec![])).unwrap().add(Listener::<3>(vec![])).unwrap();
    engine.disable_system::<Listener<3>>().unwrap();
    (0..4).for_each(|n| engine.send(Tick(n)));
    assert!(panics(|| engine.update(FRAME)));
    assert_eq!(log::logged(&mut engine), "1:0 1:1 2:0 2:1 2:2 2:3");
    engine.disable_system::<Listener<1>>().unwrap();
    engine.enable_system::<Listener<3>>().unwrap();
    assert_eq!(log::frame(&mut engine), "", "nor does a listener that was disabled meanwhile");
}

fn armed(bomb: Bomb) -> Engine {
    let mut engine = log::engine();
    engine.add(bomb).unwrap();
    assert!(panics(|| engine.update(FRAME)));
    *engine.system_mut::<Bomb>().unwrap() = Bomb::default();
    engine
}

#[test]
fn engine_is_usable_after_a_system_panicked() {
    let mut engine = armed(Bomb { in_update: true, ..Bomb::default() });
    log::logged(&mut engine);
    log::frame(&mut engine);
    assert_eq!(engine.query::<&u32>().count(), 2, "commands before the panic are applied with the rest");
    log::frame(&mut engine);
    assert_eq!(log::frame(&mut engine), "update tick1[3] tick3[3] tick2[3]", "later frames are ordinary");
    assert_eq!(engine.query::<&String>().count(), 4);
}

#[test]
fn engine_is_usable_after_a_listener_panicked() {
    let mut engine = armed(Bomb { in_listener: true, ..Bomb::default() });
    log::frame(&mut engine);
    log::frame(&mut engine);
    let count = engine.query::<&u32>().count();
    assert_eq!(log::frame(&mut engine), format!("update tick1[{count}] tick3[{count}] tick2[{count}]"));
}

#[test]
fn engine_is_usable_after_an_exclusive_method_panicked() {
    let mut engine = armed(Bomb { in_exclusive: true, ..Bomb::default() });
    log::frame(&mut engine);
    log::frame(&mut engine);
    assert_eq!(log::frame(&mut engine), "update tick1[3] tick3[3] tick2[3]");
}

#[test]
fn engine_can_be_dropped_after_any_panic() {
    let token = std::sync::Arc::new(());
    for bomb in [
        Bomb { in_update: true, ..Bomb::default() },
        Bomb { in_listener: true, ..Bomb::default() },
        Bomb { in_exclusive: true, ..Bomb::default() },
    ] {
        let mut engine = armed(bomb);
        engine.spawn((token.clone(),));
        drop(engine);
    }
    assert_eq!(std::sync::Arc::strong_count(&token), 1);
}

#[test]
fn engine_is_usable_after_a_function_panicked() {
    fn explode(mut numbers: Query<&mut u32>, mut ticks: Sender<Tick>, mut spawner: Spawner, _: Res<Log>) {
        numbers.iter_mut().for_each(|number| *number += 1);
        ticks.send(Tick(9));
        spawner.spawn((5_u32,));
        panic!("boom");
    }
    let mut engine = log::engine();
    engine.add(Bomb::default()).unwrap();
    engine.spawn((1_u32,));
    assert!(panics(|| engine.run(explode)));
    assert_eq!(engine.query::<&u32>().iter().collect::<Vec<_>>(), [&2, &5], "its entity was spawned");
    assert_eq!(log::frame(&mut engine), "tick9[2] update tick1[2] tick3[2] tick2[2]", "its event was delivered");
    assert_eq!(engine.entities().len(), 4);
}
