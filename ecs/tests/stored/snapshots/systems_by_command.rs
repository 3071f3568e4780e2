//! Systems that commands add, remove and replace.

use std::time::Duration;

use ecs::prelude::*;
use ecs::snapshot::StableHash;
use ecs::system::SetupError;
use ecs::{CommandFailure, EngineBuilder, Subscriptions};
use serde::{Deserialize, Serialize};

const FRAME: Duration = Duration::from_millis(10);

#[derive(Clone, Debug, PartialEq, StableHash, Serialize, Deserialize)]
struct Rain {
    left: u32,
    strength: u32,
}

#[derive(Clone, Copy, Debug, StableHash, Serialize, Deserialize)]
struct Weather {
    left: u32,
    strength: u32,
}

#[derive(Clone, Copy, Debug, StableHash, Serialize, Deserialize)]
struct Sun;

impl System for Rain {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::fall).listen(Self::on_sun);
    }
}

impl Rain {
    fn fall(&mut self, mut drops: ResMut<u32>, mut commands: Commands) {
        *drops += self.strength;
        self.left -= 1;
        if self.left == 0 {
            commands.remove_system::<Self>();
        }
    }

    fn on_sun(&mut self, _: &Sun) {
        self.strength = 1;
    }
}

fn begin(weather: &Weather, mut commands: Commands) {
    commands.add(Rain { left: weather.left, strength: weather.strength });
}

fn engine() -> Engine {
    engine_with(Engine::builder())
}

fn engine_with(builder: EngineBuilder) -> Engine {
    let mut engine = builder.build();
    engine.insert_resource(0_u32);
    engine.add(begin).unwrap();
    let types = engine.types_mut();
    types.resource::<u32>("drops").unwrap().save::<u32>(1).unwrap();
    types.system::<Rain>("rain").unwrap().save::<Rain>(1).unwrap();
    types.event::<Weather>("weather").unwrap().save::<Weather>(1).unwrap();
    types.event::<Sun>("sun").unwrap().save::<Sun>(1).unwrap();
    engine
}

fn drops(engine: &Engine) -> u32 {
    *engine.resource::<u32>().unwrap()
}

fn update(engine: &mut Engine, frames: u32) {
    (0..frames).for_each(|_| engine.update(FRAME).unwrap());
}

fn failures(engine: &Engine) -> Vec<String> {
    engine.command_errors().iter().map(ToString::to_string).collect()
}

#[test]
fn a_system_is_added_runs_listens_and_is_removed_by_command() {
    let mut engine = engine();
    engine.send(Weather { left: 4, strength: 10 });
    update(&mut engine, 1);
    assert_eq!((drops(&engine), engine.systems().len()), (0, 2), "it runs from the next frame on");
    update(&mut engine, 2);
    engine.send(Sun);
    update(&mut engine, 1);
    assert_eq!(engine.system::<Rain>(), Some(&Rain { left: 1, strength: 1 }));
    update(&mut engine, 3);
    assert_eq!((drops(&engine), engine.systems().len()), (22, 1));
}

#[test]
fn snapshots_take_it_away_and_bring_it_back() {
    let mut engine = engine();
    let before = engine.snapshot().unwrap();
    engine.send(Weather { left: 5, strength: 10 });
    update(&mut engine, 2);
    let meanwhile = engine.snapshot().unwrap();
    let hash = engine.state_hash().unwrap();
    update(&mut engine, 10);
    let after = engine.snapshot().unwrap();
    let end = engine.state_hash().unwrap();
    for _ in 0..3 {
        engine.restore(&before).unwrap();
        assert!(engine.system::<Rain>().is_none());
        engine.restore(&meanwhile).unwrap();
        assert_eq!(engine.state_hash().unwrap(), hash);
        assert_eq!(engine.system::<Rain>(), Some(&Rain { left: 4, strength: 10 }));
        update(&mut engine, 10);
        assert_eq!(engine.state_hash().unwrap(), end);
        engine.restore(&meanwhile).unwrap();
        engine.restore(&after).unwrap();
        assert!(engine.system::<Rain>().is_none());
    }
    // Into an engine that never had it.
    let mut other = self::engine();
    other.restore(&meanwhile).unwrap();
    update(&mut other, 10);
    assert_eq!(other.state_hash().unwrap(), end);
}

#[test]
fn saves_bring_it_back_into_another_engine() {
    let mut engine = engine();
    engine.send(Weather { left: 5, strength: 10 });
    update(&mut engine, 2);
    let mut saved = Vec::new();
    engine.save(&mut saved).unwrap();
    update(&mut engine, 10);
    let mut other = self::engine();
    for _ in 0..2 {
        other.load(&mut saved.as_slice()).unwrap();
        update(&mut other, 10);
        assert_eq!(other.state_hash().unwrap(), engine.state_hash().unwrap());
    }
    // A save without it takes it away.
    let mut without = Vec::new();
    engine.save(&mut without).unwrap();
    other.send(Weather { left: 5, strength: 10 });
    update(&mut other, 1);
    assert!(other.system::<Rain>().is_some());
    let loaded = other.load(&mut without.as_slice()).unwrap();
    assert!(other.system::<Rain>().is_none() && loaded.new_systems.is_empty());
}

#[test]
fn settings_that_it_was_added_with_come_back_with_a_snapshot_and_no_save_is_made_without_them() {
    fn is_even(time: Time) -> bool {
        time.frame().is_multiple_of(2)
    }
    let mut engine = engine();
    engine.run(|mut commands: Commands| commands.add(Rain { left: 9, strength: 1 }.run_if(is_even))).unwrap();
    update(&mut engine, 4);
    assert_eq!(drops(&engine), 2);
    let snapshot = engine.snapshot().unwrap();
    let refused = engine.save(&mut Vec::new()).unwrap_err().to_string();
    assert!(
        refused.starts_with("Rain was added while the engine ran, with settings that saves do not hold"),
        "{refused}"
    );
    engine.remove_system::<Rain>().unwrap();
    // Another one of the same type, without settings.
    engine.add(Rain { left: 3, strength: 7 }).unwrap();
    engine.snapshot().unwrap();
    engine.remove_system::<Rain>().unwrap();
    engine.restore(&snapshot).unwrap();
    update(&mut engine, 4);
    assert_eq!(drops(&engine), 4);
}

#[test]
fn a_snapshot_knows_the_settings_of_the_latest_system_of_a_type() {
    let mut engine = engine();
    let mut snapshot = engine.snapshot().unwrap();
    for (is_conditional, expected) in [(true, 0), (false, 3)] {
        let rain = Rain { left: 9, strength: 1 };
        engine
            .run(move |mut commands: Commands| match is_conditional {
                true => commands.add(rain.run_if(|| false)),
                false => commands.add(rain),
            })
            .unwrap();
        engine.snapshot_into(&mut snapshot).unwrap();
        engine.remove_system::<Rain>().unwrap();
        engine.restore(&snapshot).unwrap();
        let before = drops(&engine);
        update(&mut engine, 3);
        assert_eq!(drops(&engine) - before, expected);
        engine.remove_system::<Rain>().unwrap();
    }
}

#[test]
fn changes_of_systems_are_made_in_the_order_in_which_they_were_recorded() {
    let mut engine = engine();
    engine.add(Rain { left: 100, strength: 1 }).unwrap();
    engine
        .after(Duration::ZERO, |mut commands: Commands| {
            commands.remove_system::<Rain>();
            commands.add(Rain { left: 100, strength: 5 });
        })
        .unwrap();
    update(&mut engine, 2);
    assert_eq!((failures(&engine), drops(&engine)), (vec![], 6), "it is replaced");
    engine
        .after(Duration::ZERO, |mut commands: Commands| {
            commands.remove_system::<Rain>();
            commands.add(Rain { left: 100, strength: 9 });
            commands.disable_system::<Rain>();
            commands.add(Rain { left: 1, strength: 2 });
        })
        .unwrap();
    update(&mut engine, 1);
    let [failure] = &failures(&engine)[..] else { panic!("one of them is there already") };
    assert!(failure.contains("Rain"), "{failure}");
    let before = drops(&engine);
    update(&mut engine, 2);
    assert_eq!((drops(&engine), engine.system::<Rain>().unwrap().strength), (before, 9), "it begins disabled");
}

#[test]
fn what_is_wrong_adds_nothing_and_names_who_asked() {
    struct Unknown;
    fn contradiction(_: ResMut<u32>, _: Res<u32>) {}
    fn asks(mut commands: Commands) {
        commands.add((Rain { left: 5, strength: 1 }, contradiction));
        commands.add(Rain { left: 5, strength: 1 }.after_type::<Unknown>());
    }
    let mut engine = engine();
    engine.add(asks).unwrap();
    update(&mut engine, 1);
    let errors = engine.command_errors();
    assert_eq!(errors.len(), 2);
    assert!(errors.iter().all(|error| error.system == "asks" && error.command == "add systems"), "{errors:?}");
    let unknown = matches!(&errors[1].failure, CommandFailure::Setup(SetupError::UnknownDependency { .. }));
    assert!(unknown, "{:?}", errors[1].failure);
    assert!(engine.system::<Rain>().is_none());
    update(&mut engine, 3);
    assert_eq!((drops(&engine), engine.systems().len()), (0, 2));
}

/// Plays so many frames; each is the frame in which the weather changes if its number says so.
fn play(engine: &mut Engine, from: u32, frames: u32) {
    for frame in from..from + frames {
        if frame % 20 == 3 {
            engine.send(Weather { left: 12, strength: frame });
        }
        engine.update(FRAME).unwrap();
    }
}

#[test]
fn a_run_with_rollbacks_in_each_frame_is_the_same_at_any_number_of_threads() {
    let mut straight = engine();
    play(&mut straight, 0, 60);
    let end = straight.state_hash().unwrap();
    assert!(drops(&straight) > 100);
    for threads in [1, 2, 4] {
        let mut engine = engine_with(Engine::builder().threads(threads).parallel_threshold(1));
        let mut kept = vec![engine.snapshot().unwrap()];
        for frame in 0..60 {
            play(&mut engine, frame, 1);
            kept.push(engine.snapshot().unwrap());
            let back = (frame + 1).min(1 + frame % 7);
            engine.restore(&kept[(frame + 1 - back) as usize]).unwrap();
            play(&mut engine, frame + 1 - back, back);
        }
        assert_eq!(engine.state_hash().unwrap(), end, "{threads} threads");
    }
}

/// Says nothing, and is in no state.
#[derive(Clone, Copy, Debug, StableHash, Serialize, Deserialize)]
struct Bell;

impl System for Bell {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self, mut drops: ResMut<u32>| *drops += 1000).listen(Self::on_sun).every(FRAME);
        setup.catch_up(ecs::system::CatchUp::EachInterval);
    }
}

impl Bell {
    fn on_sun(&mut self, _: &Sun, mut drops: ResMut<u32>, mut subscriptions: Subscriptions) {
        *drops += 1;
        subscriptions.unsubscribe::<Self, Sun>();
    }
}

#[test]
fn a_replaced_system_gets_the_settings_of_the_snapshot_back() {
    let mut engine = engine();
    engine.run(|mut commands: Commands| commands.add(Rain { left: 90, strength: 1 }.run_if(|| false))).unwrap();
    update(&mut engine, 1);
    let conditional = engine.snapshot().unwrap();
    let replace = |engine: &mut Engine| {
        engine
            .run(|mut commands: Commands| {
                commands.remove_system::<Rain>();
                commands.add(Rain { left: 90, strength: 5 });
            })
            .unwrap();
    };
    replace(&mut engine);
    let plain = engine.snapshot().unwrap();
    let mut plain_save = Vec::new();
    engine.save(&mut plain_save).unwrap();
    engine.restore(&conditional).unwrap();
    update(&mut engine, 3);
    assert_eq!(drops(&engine), 0, "the condition is back");
    engine.load(&mut plain_save.as_slice()).unwrap();
    update(&mut engine, 1);
    assert_eq!(drops(&engine), 5, "a load takes the condition away");
    engine.restore(&plain).unwrap();
    update(&mut engine, 2);
    assert_eq!(drops(&engine), 10);
    // One that the program itself has added does not go.
    engine.remove_system::<Rain>().unwrap();
    engine.add(Rain { left: 90, strength: 7 }).unwrap();
    let refused = engine.restore(&conditional).unwrap_err().to_string();
    assert!(refused.contains("Rain was not there when the snapshot was taken"), "{refused}");
}

#[test]
fn subscriptions_and_timers_come_back_and_a_new_system_begins_with_its_own() {
    let add = |mut commands: Commands| commands.add(Bell);
    let with_bell = || {
        let mut engine = engine();
        engine.types_mut().system::<Bell>("bell").unwrap().save::<Bell>(1).unwrap();
        engine
    };
    let mut engine = with_bell();
    engine.run(add).unwrap();
    engine.send(Sun);
    update(&mut engine, 1);
    assert_eq!(drops(&engine), 1001);
    let mut saved = Vec::new();
    engine.save(&mut saved).unwrap();
    let hash = engine.state_hash().unwrap();
    let mut other = with_bell();
    other.load(&mut saved.as_slice()).unwrap();
    assert_eq!(other.state_hash().unwrap(), hash);
    for engine in [&mut engine, &mut other] {
        engine.send(Sun);
        engine.update(3 * FRAME).unwrap();
        assert_eq!(drops(engine), 4001, "it has unsubscribed, and catches up with each interval");
    }
    engine
        .run(|mut commands: Commands| {
            commands.remove_system::<Bell>();
            commands.add(Bell);
        })
        .unwrap();
    engine.send(Sun);
    update(&mut engine, 1);
    assert_eq!(drops(&engine), 5002, "another bell listens again");
}

#[test]
fn a_snapshot_asks_for_what_makes_it_again() {
    #[derive(Clone, Copy)]
    struct Nameless;
    impl System for Nameless {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|_: &mut Self| {});
        }
    }
    let mut engine = engine();
    engine.run(|mut commands: Commands| commands.add(Nameless)).unwrap();
    let refused = engine.snapshot().err().unwrap().to_string();
    assert!(refused.contains("a command added system Nameless") && refused.contains("system::<Nameless>"), "{refused}");
    engine.remove_system::<Nameless>().unwrap();
    engine.add(Nameless).unwrap();
    engine.snapshot().unwrap();
    // A program that no longer adds a system is not given one by its saves.
    let mut with_rain = self::engine();
    with_rain.add(Rain { left: 5, strength: 1 }).unwrap();
    let mut saved = Vec::new();
    with_rain.save(&mut saved).unwrap();
    let refused = self::engine().load(&mut saved.as_slice()).unwrap_err().to_string();
    assert!(refused.contains("Rain") && refused.contains("does not have"), "{refused}");
}

#[test]
fn a_panic_in_a_set_up_loses_no_other_change() {
    struct Broken;
    impl System for Broken {
        fn setup(_: &mut Setup<Self>) {
            panic!("no set-up");
        }
    }
    let mut engine = engine();
    engine.add(Rain { left: 9, strength: 1 }).unwrap();
    engine
        .after(Duration::ZERO, |mut commands: Commands| {
            commands.add(Broken);
            commands.remove_system::<Rain>();
            commands.every(Duration::ZERO, |mut drops: ResMut<u32>| *drops += 100);
        })
        .unwrap();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| engine.update(FRAME)));
    assert!(caught.is_err() && engine.system::<Rain>().is_none());
    update(&mut engine, 1);
    assert_eq!(drops(&engine), 101);
}
