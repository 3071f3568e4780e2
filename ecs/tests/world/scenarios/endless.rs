//! Whatever would never end is ended by a budget, and named.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::event::{Despawning, EventBus};
use ecs::state_machine::{State, StateMachine};
use ecs::system::{CatchUp, CurrentState, NextState, SetupError};
use ecs::{Commands, Configure, Engine, Error, ResMut, Sender, Setup, Spawner, System};

use crate::ms;

fn engine() -> Engine {
    let mut engine = Engine::builder().dispatch_rounds(10).build();
    engine.insert_resource(0_u32);
    engine
}

fn spin(mut turns: ResMut<u32>, mut commands: Commands) {
    *turns += 1;
    commands.run(spin);
}

fn ping(mut commands: Commands) {
    commands.run(pong);
}

fn pong(mut commands: Commands) {
    commands.run(ping);
}

fn double(mut turns: ResMut<u32>, mut commands: Commands) {
    *turns += 1;
    commands.run(double);
    commands.run(double);
}

fn stumble(mut turns: ResMut<u32>, mut commands: Commands) {
    *turns += 1;
    commands.run(stumble);
    panic!("as wanted");
}

#[test]
fn function_that_records_itself_between_frames_is_ended_and_named() {
    let mut engine = engine();
    let error = engine.run(spin).unwrap_err();
    assert_eq!(
        error.to_string(),
        "functions kept recording commands, in 11 rounds: spin → spin; 1 of them were dropped: let a function stop, or raise the \
         budget of a dispatch"
    );
    assert_eq!(*engine.resource::<u32>().unwrap(), 12);
    // Nothing is left for the frame, and the engine goes on.
    engine.update(Duration::ZERO).unwrap();
    assert_eq!(*engine.resource::<u32>().unwrap(), 12);
    assert!(matches!(engine.run(spin), Err(Error::Cascade(_))), "each run has the whole budget");
}

#[test]
fn functions_that_record_each_other_are_named_in_their_order() {
    let Err(Error::Cascade(between)) = engine().run(pong) else { panic!("it must end") };
    assert_eq!((between.cycle.as_slice(), between.is_circle), (&["ping", "pong"][..], true));
    let mut engine = engine();
    engine.after(Duration::ZERO, pong).unwrap();
    let Err(Error::Cascade(within)) = engine.update(Duration::ZERO) else { panic!("it must end") };
    assert_eq!(within.cycle, ["ping", "pong"]);
}

#[test]
fn functions_that_multiply_are_ended_by_the_number_of_commands() {
    let engine = || {
        let mut engine = Engine::builder().dispatch_rounds(60).dispatch_events(1_000).build();
        engine.insert_resource(0_u32);
        engine
    };
    let mut between = engine();
    assert!(matches!(between.run(double), Err(Error::Cascade(error)) if error.cycle == ["double"]));
    assert!(*between.resource::<u32>().unwrap() < 1_100);
    let mut within = engine();
    within.after(Duration::ZERO, double).unwrap();
    assert!(matches!(within.update(Duration::ZERO), Err(Error::Cascade(error)) if error.cycle == ["double"]));
    assert!(*within.resource::<u32>().unwrap() < 1_100);
}

#[test]
fn functions_that_also_send_events_are_named_if_no_listener_is_to_blame() {
    #[derive(Clone, Copy)]
    struct Noise;

    fn tick(mut noises: Sender<Noise>, mut commands: Commands) {
        noises.send(Noise);
        commands.run(tock);
    }

    fn tock(mut noises: Sender<Noise>, mut commands: Commands) {
        noises.send(Noise);
        commands.run(tick);
    }

    for is_heard in [false, true] {
        let mut engine = engine();
        if is_heard {
            engine.listen(|_: &Noise, mut turns: ResMut<u32>| *turns += 1).unwrap();
        }
        engine.after(Duration::ZERO, tick).unwrap();
        let Err(Error::Cascade(error)) = engine.update(Duration::ZERO) else { panic!("it must end") };
        assert_eq!((error.cycle.as_slice(), error.is_circle), (&["tick", "tock"][..], true));
        assert!(error.to_string().starts_with("functions kept recording commands, in 10 rounds: tick → tock → tick; "));
    }
}

#[test]
fn function_that_records_itself_and_panics_is_ended_too() {
    let mut engine = engine();
    let panic = catch_unwind(AssertUnwindSafe(|| engine.run(stumble)));
    assert!(panic.is_err());
    assert!(*engine.resource::<u32>().unwrap() <= 12);
}

#[test]
fn function_that_records_itself_on_entering_a_state_is_ended_and_named() {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Screen {
        Title,
        Playing,
    }
    impl State for Screen {
        const TRANSITIONS: &'static [(Self, Self)] = &[(Self::Title, Self::Playing)];
    }
    for on_enter in [true, false] {
        let mut engine = engine();
        engine.add_state_machine(StateMachine::new(Screen::Title)).unwrap();
        let begin = |mut commands: Commands| commands.run(spin);
        match on_enter {
            true => engine.add(begin.on_enter(Screen::Playing)).unwrap(),
            false => engine.add(begin.on_exit(Screen::Title)).unwrap(),
        };
        engine.update(Duration::ZERO).unwrap();
        engine.resource_mut::<NextState<Screen>>().unwrap().change(Screen::Playing);
        let Err(Error::Cascade(error)) = engine.update(Duration::ZERO) else { panic!("it must end and be told") };
        assert_eq!((error.cycle.as_slice(), error.dropped), (&["spin"][..], 1));
        assert_eq!(engine.resource::<CurrentState<Screen>>().unwrap().current(), Screen::Playing);
        assert_eq!(engine.time().frame(), 1, "the frame did not begin");
        engine.update(Duration::ZERO).unwrap();
    }
}

#[test]
fn commands_before_the_endless_ones_are_applied() {
    let mut engine = engine();
    let result = engine.run(|mut commands: Commands| {
        commands.run(spin);
        commands.spawn((7_u8,));
    });
    assert!(matches!(result, Err(Error::Cascade(_))));
    assert_eq!(engine.query::<&u8>().single(), Ok(&7));
}

#[test]
fn system_run_by_hand_is_ended_and_named() {
    struct Starter;
    impl System for Starter {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|_: &mut Self, mut commands: Commands| commands.run(spin));
        }
    }
    let mut engine = engine();
    engine.add(Starter).unwrap();
    let Err(Error::Cascade(error)) = engine.run_system::<Starter>() else { panic!("it must end") };
    assert_eq!(error.cycle, ["spin"]);
}

#[test]
fn spawning_while_despawning_is_ended_outside_of_frames_too() {
    struct Hydra;
    impl System for Hydra {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|_: &mut Self, mut spawner: Spawner, mut commands: Commands| {
                let head = spawner.spawn(());
                commands.despawn(head);
            });
            setup.listen(|_: &mut Self, _: &Despawning, mut spawner: Spawner, mut commands: Commands| {
                let head = spawner.spawn(());
                commands.despawn(head);
            });
        }
    }
    let mut engine = engine();
    engine.add(Hydra).unwrap();
    // Listeners are known once the systems are ordered.
    engine.event_graph().unwrap();
    assert!(matches!(engine.run_system::<Hydra>(), Err(Error::Cascade(error)) if error.cycle == ["Hydra"]));
}

#[test]
fn system_that_would_catch_up_for_ages_stands_still_and_is_named() {
    let count = |mut turns: ResMut<u32>| *turns += 1;
    let mut engine = engine();
    engine.add(count.every(ms(1)).catch_up(CatchUp::EachInterval)).unwrap();
    engine.update(ms(3)).unwrap();
    let year = Duration::from_secs(365 * 24 * 3600);
    let Err(error) = engine.update(year) else { panic!("it would run for ages") };
    assert!(matches!(error, Error::Setup(SetupError::TooManyRuns { .. })));
    let text = error.to_string();
    assert!(text.starts_with("system ") && text.contains("31536000000 times"), "{text}");
    assert!(text.ends_with("update by a shorter time, or let it catch up by CatchUp::Sum"), "{text}");
    assert_eq!((*engine.resource::<u32>().unwrap(), engine.time().frame()), (3, 2));
    engine.update(ms(2)).unwrap();
    assert_eq!(*engine.resource::<u32>().unwrap(), 5);
}

#[test]
fn events_of_a_bus_that_multiply_are_ended() {
    #[derive(Clone, Copy)]
    struct Rumour;
    let mut bus = EventBus::<u64>::with_rounds(60);
    bus.listen(|heard: &mut u64, _: &Rumour, outbox| {
        *heard += 1;
        (0..64).for_each(|_| outbox.send(Rumour));
    });
    bus.send(Rumour);
    let error = bus.dispatch(&mut 0).unwrap_err();
    assert_eq!((error.cycle.as_slice(), error.is_circle), (&["Rumour"][..], true));
    assert!(error.rounds < 8);
}

#[test]
fn what_is_told_as_dropped_does_not_come_back_in_the_next_frame() {
    #[derive(Clone, Copy)]
    struct Noise;

    fn spin_with_events(mut turns: ResMut<u32>, mut noises: Sender<Noise>, mut commands: Commands) {
        *turns += 1;
        noises.send(Noise);
        commands.run(spin_with_events);
    }

    for (causes, makes_events) in [(false, false), (false, true), (true, false), (true, true)] {
        let builder = Engine::builder().dispatch_rounds(10);
        let mut engine = if causes { builder.trace_causes(1_000).build() } else { builder.build() };
        engine.insert_resource(0_u32);
        match makes_events {
            true => engine.after(Duration::ZERO, spin_with_events).unwrap(),
            false => engine.after(Duration::ZERO, spin).unwrap(),
        };
        let Err(Error::Cascade(error)) = engine.update(Duration::ZERO) else { panic!("it must end") };
        assert!(error.dropped > 0, "{error}");
        let turns = *engine.resource::<u32>().unwrap();
        for _ in 0..3 {
            engine.update(Duration::ZERO).unwrap();
        }
        assert_eq!(*engine.resource::<u32>().unwrap(), turns);
    }
}
