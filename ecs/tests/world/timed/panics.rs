//! Timed functions in a frame that ends with a panic before they run.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::{Engine, ResMut, Setup, System, Time, prelude::Configure, system::CatchUp};

use crate::ms;

/// Something happened.
#[derive(Clone, Copy)]
struct Tick;

/// Panics in pre-update, or in its listener, if its flags are set.
#[derive(Default)]
struct Bomb {
    in_pre_update: bool,
    in_listener: bool,
}

impl System for Bomb {
    fn setup(setup: &mut Setup<Self>) {
        setup.pre_update(Self::pre_update).listen(Self::on_tick);
    }
}

impl Bomb {
    fn pre_update(&mut self) {
        assert!(!std::mem::take(&mut self.in_pre_update), "the flag is set");
    }

    fn on_tick(&mut self, _: &Tick) {
        assert!(!std::mem::take(&mut self.in_listener), "the flag is set");
    }
}

/// The systems that ran, with the milliseconds that they were passed.
#[derive(Default)]
struct Ran(Vec<(&'static str, u128)>);

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Ran::default());
    engine.add(Bomb::default()).unwrap();
    engine
}

/// A function that logs its name.
macro_rules! noting {
    ($name:literal) => {
        |time: Time, mut ran: ResMut<Ran>| ran.0.push(($name, time.delta().as_millis()))
    };
}

/// The functions that ran in a frame of 10 ms, and whether the frame succeeded.
fn frame(engine: &mut Engine) -> (Vec<(&'static str, u128)>, bool) {
    let outcome = catch_unwind(AssertUnwindSafe(|| engine.update(ms(10)).unwrap()));
    (std::mem::take(&mut engine.resource_mut::<Ran>().unwrap().0), outcome.is_ok())
}

fn explode_in_pre_update(engine: &mut Engine) {
    engine.system_mut::<Bomb>().unwrap().in_pre_update = true;
}

#[test]
fn one_shot_that_a_panic_prevented_runs_in_the_next_frame() {
    for at_the_first_dispatch in [false, true] {
        let mut engine = engine();
        let alarm = engine.after(ms(20), noting!("alarm")).unwrap();
        assert_eq!(frame(&mut engine), (vec![], true));
        if at_the_first_dispatch {
            engine.send(Tick);
            engine.system_mut::<Bomb>().unwrap().in_listener = true;
        } else {
            explode_in_pre_update(&mut engine);
        }
        assert_eq!(frame(&mut engine), (vec![], false));
        // Removing ended functions leaves it alone.
        engine.run(|| ()).unwrap();
        assert!(engine.systems().function(alarm).is_some());
        assert_eq!(frame(&mut engine), (vec![("alarm", 30)], true), "it is passed all the elapsed time");
        assert_eq!(frame(&mut engine), (vec![], true));
        assert!(engine.systems().function(alarm).is_none());
    }
}

#[test]
fn timed_functions_lose_no_time_in_a_frame_that_ended_before_them() {
    let mut engine = engine();
    engine.every(ms(20), noting!("sum")).unwrap();
    let each = noting!("each");
    engine.add(each.every(ms(5)).catch_up(CatchUp::EachInterval)).unwrap();
    assert_eq!(frame(&mut engine), (vec![("each", 5); 2], true));
    explode_in_pre_update(&mut engine);
    assert_eq!(frame(&mut engine), (vec![], false));
    let mut expected = vec![("sum", 30)];
    expected.extend([("each", 5); 4]);
    assert_eq!(frame(&mut engine), (expected, true));
    assert_eq!(frame(&mut engine), (vec![("sum", 10), ("each", 5), ("each", 5)], true), "and stay in phase");
}

/// Runs once, in two phases, and panics in the first one if its flag is set.
struct Rocket {
    is_faulty: bool,
}

impl System for Rocket {
    fn setup(setup: &mut Setup<Self>) {
        setup.pre_update(Self::ignite).update(Self::lift_off).once_after(ms(10));
    }
}

impl Rocket {
    fn ignite(&mut self, mut ran: ResMut<Ran>) {
        ran.0.push(("ignite", 0));
        assert!(!self.is_faulty, "the flag is set");
    }

    fn lift_off(&mut self, mut ran: ResMut<Ran>) {
        ran.0.push(("lift off", 0));
    }
}

#[test]
fn system_that_has_begun_is_not_repeated() {
    for is_faulty in [false, true] {
        let mut engine = engine();
        engine.add(Rocket { is_faulty }).unwrap();
        explode_in_pre_update(&mut engine);
        assert_eq!(frame(&mut engine), (vec![("ignite", 0)], false));
        assert_eq!(frame(&mut engine), (vec![], true), "its second phase is lost");
    }
}
