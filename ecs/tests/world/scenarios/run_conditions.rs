//! Run conditions of systems, functions and sets.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::prelude::*;
use ecs::system::SetupError;
use ecs::system::condition::{any_with, not, resource_exists};
use ecs::{Error, System};

use super::log::{Log, engine, frame, logged};
use crate::ms;

struct Day(bool);

fn is_day(day: Res<Day>) -> bool {
    day.0
}

/// Notes each phase, and each bell that it hears.
struct Bird;

#[derive(Clone, Copy)]
struct Bell;

impl System for Bird {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .run_if(is_day)
            .pre_update(|_: &mut Self, mut log: ResMut<Log>, mut day: ResMut<Day>| {
                log.note("wake");
                day.0 = false;
            })
            .update(|_: &mut Self, mut log: ResMut<Log>| log.note("sing"))
            .listen(|_: &mut Self, _: &Bell, mut log: ResMut<Log>| log.note("hear"));
    }
}

#[test]
fn condition_has_one_answer_in_a_frame_and_affects_no_listeners() {
    let mut engine = engine();
    engine.insert_resource(Day(true));
    engine.add(Bird).unwrap();
    engine.send(Bell);
    assert_eq!(frame(&mut engine), "hear wake sing");
    engine.send(Bell);
    assert_eq!(frame(&mut engine), "hear");
}

#[test]
fn condition_sees_the_events_of_step_1() {
    struct Sun;
    impl System for Sun {
        fn setup(setup: &mut Setup<Self>) {
            setup.listen(|_: &mut Self, _: &Bell, mut day: ResMut<Day>| day.0 = true);
        }
    }
    let mut engine = engine();
    engine.insert_resource(Day(false));
    engine.add(Bird).unwrap().add(Sun).unwrap();
    assert_eq!(frame(&mut engine), "");
    engine.send(Bell);
    assert_eq!(frame(&mut engine), "hear wake sing");
}

struct Enemy;
struct Score;

/// Runs if all of several conditions hold.
struct Fight;

impl System for Fight {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .run_if(resource_exists::<Score>)
            .run_if(any_with::<Enemy>)
            .run_if(not(is_day))
            .run_if(|time: Time| time.frame() > 1)
            .update(|_: &mut Self, _: Res<Score>, mut log: ResMut<Log>| log.note("fight"));
    }
}

#[test]
fn all_conditions_must_hold() {
    let mut engine = engine();
    engine.insert_resource(Day(false));
    engine.add(Fight).unwrap();
    assert_eq!(frame(&mut engine), "");
    engine.insert_resource(Score);
    assert_eq!(frame(&mut engine), "");
    let enemy = engine.spawn((Enemy,));
    assert_eq!(frame(&mut engine), "fight");
    engine.disable(enemy).unwrap();
    assert_eq!(frame(&mut engine), "");
    engine.enable(enemy).unwrap();
    engine.insert_resource(Day(true));
    assert_eq!(frame(&mut engine), "");
    engine.insert_resource(Day(false));
    assert_eq!(frame(&mut engine), "fight");
    engine.remove_resource::<Score>();
    assert_eq!(frame(&mut engine), "");
}

#[test]
fn missing_resources_are_errors_of_the_frame_that_needs_them() {
    struct Needy;
    impl System for Needy {
        fn setup(setup: &mut Setup<Self>) {
            setup.run_if(is_day).update(|_: &mut Self, _: Res<Score>, mut log: ResMut<Log>| log.note("need"));
        }
    }
    let mut engine = engine();
    engine.add(Needy).unwrap();
    engine.every(Duration::ZERO, |mut log: ResMut<Log>| log.note("other")).unwrap();
    let missing = |resource| Err(Error::MissingResource { system: "Needy", resource });
    assert_eq!(engine.update(ms(1)), missing("Day"));
    engine.insert_resource(Day(false));
    assert_eq!(engine.update(ms(1)), Ok(()));
    engine.insert_resource(Day(true));
    assert_eq!(engine.update(ms(1)), missing("Score"));
    assert_eq!(logged(&mut engine), "other other other", "the rest of the frames ran");
    engine.insert_resource(Score);
    assert_eq!(frame(&mut engine), "need other");
}

#[test]
fn timers_stand_still_while_a_condition_does_not_hold() {
    struct Watch;
    impl System for Watch {
        fn setup(setup: &mut Setup<Self>) {
            setup.every(ms(20)).run_if(is_day).update(|_: &mut Self, time: Time, mut log: ResMut<Log>| {
                log.note(time.delta().as_millis());
            });
        }
    }
    struct Dawn;
    impl System for Dawn {
        fn setup(setup: &mut Setup<Self>) {
            let dawn = |_: &mut Self, mut log: ResMut<Log>| log.note("dawn");
            setup.once_after(Duration::ZERO).run_if(is_day).update(dawn);
        }
    }
    let mut engine = engine();
    engine.insert_resource(Day(false));
    engine.add(Watch).unwrap().add(Dawn).unwrap();
    assert_eq!(frame(&mut engine), "");
    engine.insert_resource(Day(true));
    assert_eq!(frame(&mut engine), "dawn");
    engine.insert_resource(Day(false));
    assert_eq!([frame(&mut engine), frame(&mut engine)], ["", ""]);
    engine.insert_resource(Day(true));
    assert_eq!([frame(&mut engine), frame(&mut engine)], ["20", ""]);
}

#[test]
fn functions_have_conditions() {
    let mut engine = engine();
    engine.insert_resource(Day(false));
    engine.add((|mut log: ResMut<Log>| log.note("tick")).run_if(is_day)).unwrap();
    assert_eq!(frame(&mut engine), "");
    engine.insert_resource(Day(true));
    assert_eq!(frame(&mut engine), "tick");
}

#[test]
fn condition_that_writes_is_refused() {
    struct Greedy;
    impl System for Greedy {
        fn setup(setup: &mut Setup<Self>) {
            setup.run_if(|mut day: ResMut<Day>| std::mem::take(&mut day.0)).update(|_: &mut Self| {});
        }
    }
    let mut engine = Engine::new();
    let error = engine.add(Greedy).err().unwrap();
    assert!(matches!(&error, Error::Setup(SetupError::Condition { system: "Greedy", .. })), "{error}");
    assert!(
        error.to_string().starts_with("a condition of Greedy cannot be checked: a condition only reads"),
        "{error}"
    );
    let refused = engine.configure_set::<Day>(|set| set.run_if(|_: Query<&mut Enemy>| true)).err().unwrap();
    assert!(matches!(refused, Error::Setup(SetupError::Condition { system: "Day", .. })), "{refused}");
    assert!(engine.update(ms(1)).is_ok());
}

#[test]
fn panic_in_a_condition_ends_the_frame_and_loses_no_time() {
    struct Watch;
    impl System for Watch {
        fn setup(setup: &mut Setup<Self>) {
            setup.every(ms(20)).update(|_: &mut Self, mut log: ResMut<Log>| log.note("watch"));
        }
    }
    struct Bad;
    impl System for Bad {
        fn setup(setup: &mut Setup<Self>) {
            setup
                .run_if(|day: Res<Day>| {
                    assert!(day.0, "it is night");
                    true
                })
                .update(|_: &mut Self, mut log: ResMut<Log>| log.note("bad"));
        }
    }
    let mut engine = engine();
    engine.insert_resource(Day(false));
    engine.add(Watch).unwrap().add(Bad).unwrap();
    let panic = catch_unwind(AssertUnwindSafe(|| engine.update(ms(10)))).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>().unwrap(), "a condition of Bad panicked: it is night");
    engine.insert_resource(Day(true));
    assert_eq!(frame(&mut engine), "watch bad");
}

#[test]
fn conditions_are_explained() {
    let mut engine = engine();
    engine.insert_resource(Day(true));
    engine.add(Bird).unwrap();
    let text = engine.explain().unwrap().to_string();
    assert!(text.contains("\n       runs if is_day\n"), "{text}");
}
