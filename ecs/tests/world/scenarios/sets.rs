//! Sets of systems: order, conditions, nesting, disabling, and errors.

use std::cell::RefCell;
use std::rc::Rc;

use ecs::prelude::*;
use ecs::system::SetupError;
use ecs::{Error, System};

use super::log::{Log, engine, frame};
use crate::ms;

struct Input;
struct Physics;
struct Ui;
struct Game;

/// Notes its letter; joins a set, if it has one.
macro_rules! system {
    ($name:ident $(.$method:ident::<$label:ty>())*) => {
        struct $name;

        impl System for $name {
            fn setup(setup: &mut Setup<Self>) {
                setup$(.$method::<$label>())*.update(|_: &mut Self, mut log: ResMut<Log>| log.note(stringify!($name)));
            }
        }
    };
}

system!(Draw.in_set::<Ui>());
system!(Hit.in_set::<Physics>());
system!(Move.in_set::<Physics>().before_type::<Hit>());
system!(Keys.in_set::<Input>());
system!(Free.after_type::<Physics>().before_type::<Ui>());

#[test]
fn sets_are_ordered_and_systems_among_them() {
    let mut engine = engine();
    engine.add(Free).unwrap().add(Draw).unwrap().add(Hit).unwrap().add(Move).unwrap().add(Keys).unwrap();
    engine.configure_set::<Physics>(|set| set.after_type::<Input>().before_type::<Ui>()).unwrap();
    assert_eq!(frame(&mut engine), "Keys Move Hit Free Draw");
}

#[test]
fn order_reaches_through_a_set_without_systems() {
    let mut engine = engine();
    engine.add(Draw).unwrap().add(Keys).unwrap();
    engine.configure_set::<Physics>(|set| set.after_type::<Input>().before_type::<Ui>()).unwrap();
    assert_eq!(frame(&mut engine), "Keys Draw");
}

#[test]
fn functions_join_sets_and_are_ordered_by_them() {
    let mut engine = engine();
    let note = |name: &'static str| move |mut log: ResMut<Log>| log.note(name);
    engine.add(note("late").after_type::<Physics>()).unwrap();
    engine.add(note("member").in_set::<Physics>()).unwrap();
    engine.add(note("early").before_type::<Physics>()).unwrap();
    assert_eq!(frame(&mut engine), "early member late");
}

struct Paused(bool);

#[test]
fn condition_of_a_set_is_that_of_its_systems_and_of_the_sets_in_it() {
    let mut engine = engine();
    engine.insert_resource(Paused(false));
    engine.add(Move).unwrap().add(Hit).unwrap().add(Draw).unwrap().add(Keys).unwrap();
    engine.configure_set::<Game>(|set| set.run_if(|paused: Res<Paused>| !paused.0)).unwrap();
    engine.configure_set::<Physics>(|set| set.in_set::<Game>().run_if(|time: Time| time.frame() != 2)).unwrap();
    engine.configure_set::<Input>(|set| set.in_set::<Game>()).unwrap();
    assert_eq!(frame(&mut engine), "Move Hit Draw Keys");
    assert_eq!(frame(&mut engine), "Draw Keys");
    engine.insert_resource(Paused(true));
    assert_eq!(frame(&mut engine), "Draw");
}

#[test]
fn sets_in_sets_are_ordered_with_them() {
    let mut engine = engine();
    engine.add(Draw).unwrap().add(Hit).unwrap().add(Move).unwrap().add(Keys).unwrap();
    engine.configure_set::<Physics>(|set| set.in_set::<Game>()).unwrap();
    engine.configure_set::<Game>(|set| set.before_type::<Ui>().after_type::<Input>()).unwrap();
    assert_eq!(frame(&mut engine), "Keys Move Hit Draw");
}

#[test]
fn condition_of_a_set_is_checked_once_and_conditions_inside_of_it_only_if_it_holds() {
    thread_local!(static CHECKED: Rc<RefCell<Vec<&'static str>>> = Rc::default());
    let checked = || CHECKED.with(|checked| std::mem::take(&mut *checked.borrow_mut()));
    let check = |name, answer| {
        move |_: Time| {
            CHECKED.with(|checked| checked.borrow_mut().push(name));
            answer
        }
    };
    let mut engine = engine();
    engine.add(Move).unwrap().add(Hit).unwrap().add(Draw).unwrap();
    engine.configure_set::<Game>(|set| set.run_if(check("game", false))).unwrap();
    engine.configure_set::<Physics>(|set| set.in_set::<Game>().run_if(check("physics", true))).unwrap();
    engine.configure_set::<Ui>(|set| set.run_if(check("ui", true)).run_if(check("visible", true))).unwrap();
    engine.configure_set::<Input>(|set| set.run_if(check("no system is in it", true))).unwrap();
    assert_eq!(frame(&mut engine), "Draw");
    assert_eq!(checked(), ["ui", "visible", "game"]);
}

#[test]
fn sets_are_disabled_and_enabled_with_their_systems() {
    let mut engine = engine();
    engine.add(Move).unwrap().configure_set::<Game>(|set| set.disabled()).unwrap();
    engine.configure_set::<Physics>(|set| set.in_set::<Game>()).unwrap();
    engine.add(Draw).unwrap().add(Hit).unwrap();
    assert_eq!(frame(&mut engine), "Draw");
    engine.enable_set::<Physics>().unwrap();
    assert_eq!(frame(&mut engine), "Move Draw Hit");
    engine.disable_system::<Move>().unwrap();
    assert_eq!(frame(&mut engine), "Draw Hit");
    engine.disable_set::<Game>().unwrap();
    assert_eq!(frame(&mut engine), "Draw");
    assert_eq!(engine.enable_set::<Input>(), Err(SetupError::NotAdded { system: "Input" }.into()));
}

#[test]
fn cycles_through_sets_are_told_with_the_sets() {
    system!(Late.after_type::<Ui>().before_type::<Move>());
    let mut engine = engine();
    engine.add(Move).unwrap().add(Hit).unwrap().add(Draw).unwrap().add(Late).unwrap();
    engine.configure_set::<Physics>(|set| set.before_type::<Ui>()).unwrap();
    let error = engine.order().unwrap_err();
    assert_eq!(
        error.to_string(),
        "systems wait for each other: Move → Physics → Ui → Late → Move: drop one of these dependencies"
    );
}

#[test]
fn sets_around_each_other_are_a_cycle() {
    let mut engine = engine();
    engine.configure_set::<Game>(|set| set.in_set::<Physics>()).unwrap();
    engine.configure_set::<Physics>(|set| set.in_set::<Game>()).unwrap();
    let Err(Error::Setup(SetupError::Cycle { mut systems })) = engine.order() else { panic!("it is a cycle") };
    systems.sort_unstable();
    assert_eq!(systems, ["Game", "Physics"]);
}

#[test]
fn unknown_sets_are_refused_by_name() {
    let mut engine = engine();
    engine.add(Free).unwrap();
    let error = engine.order().unwrap_err();
    let text = "Free runs after Physics, which is neither a system, a function nor a set of the engine: add it or drop the dependency";
    assert_eq!(error.to_string(), text);
    engine.configure_set::<Physics>(|set| set).unwrap().configure_set::<Ui>(|set| set.after_type::<Input>()).unwrap();
    let unknown = SetupError::UnknownDependency { system: "Ui", relation: "after", dependency: "Input" };
    assert_eq!(engine.order(), Err(unknown.into()));
}

#[test]
fn sets_are_explained() {
    let mut engine = engine();
    engine.add(Hit).unwrap().add(Move).unwrap().add(Keys).unwrap();
    engine.configure_set::<Physics>(|set| set.in_set::<Game>().after_type::<Input>().run_if(is_fine)).unwrap();
    let explanation = engine.explain().unwrap();
    let text = explanation.to_string();
    let physics = "set Physics: Move, Hit\n       in set Game\n       after Input\n       runs if is_fine\n";
    assert!(text.contains(physics), "{text}");
    assert!(text.contains("set Game: Move, Hit\n"), "{text}");
    assert_eq!(explanation.systems[1].sets, ["Physics"]);
}

fn is_fine(_: Time) -> bool {
    true
}

/// Counts its runs.
#[derive(Clone)]
struct Tally<const N: usize>(u32);

impl<const N: usize> System for Tally<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|tally: &mut Self| tally.0 += 1);
        match N {
            0 => setup.in_set::<Physics>(),
            1 => setup.in_set::<Ui>().run_if(|time: Time| time.frame().is_multiple_of(2)),
            _ => setup.in_set::<Game>().every(ms(15)).run_if(|level: Res<u32>| *level < 3),
        };
    }
}

fn tallies(engine: &Engine) -> [u32; 3] {
    let tally = |found: Option<u32>| found.unwrap();
    [
        tally(engine.system::<Tally<0>>().map(|tally| tally.0)),
        tally(engine.system::<Tally<1>>().map(|tally| tally.0)),
        tally(engine.system::<Tally<2>>().map(|tally| tally.0)),
    ]
}

#[test]
fn conditions_and_disabled_sets_are_those_of_the_snapshot_after_a_restore() {
    let mut engine = engine();
    engine.insert_resource(0_u32);
    engine.configure_set::<Game>(|set| set.run_if(|time: Time| !time.frame().is_multiple_of(3))).unwrap();
    engine.add(Tally::<0>(0)).unwrap().add(Tally::<1>(0)).unwrap().add(Tally::<2>(0)).unwrap();
    let types = engine.types_mut();
    types.system_by("zero", |tally: &Tally<0>, hash| _ = hash.add(&tally.0)).unwrap();
    types.system_by("one", |tally: &Tally<1>, hash| _ = hash.add(&tally.0)).unwrap();
    types.system_by("two", |tally: &Tally<2>, hash| _ = hash.add(&tally.0)).unwrap();
    types.resource_by("level", |level: &u32, hash| _ = hash.add(level)).unwrap();
    types.leave_out_resource::<Log>();
    // The run from each frame on, with sets that are switched and a resource that changes on the way.
    let run = |engine: &mut Engine, frames: std::ops::Range<u32>| {
        let frames = frames.map(|n| {
            match n {
                3 => engine.disable_set::<Physics>().unwrap(),
                7 => engine.enable_set::<Physics>().unwrap(),
                9 => engine.disable_set::<Ui>().unwrap(),
                14 => engine.disable_set::<Game>().unwrap(),
                16 => engine.enable_set::<Game>().unwrap(),
                _ => {}
            }
            engine.insert_resource(n % 5);
            engine.update(ms(10)).unwrap();
            (tallies(engine), engine.state_hash().unwrap())
        });
        frames.collect::<Vec<_>>()
    };
    let start = engine.snapshot().unwrap();
    let expected = run(&mut engine, 0..20);
    for from in 0..20 {
        engine.restore(&start).unwrap();
        run(&mut engine, 0..from);
        let middle = engine.snapshot().unwrap();
        run(&mut engine, from..20);
        engine.restore(&middle).unwrap();
        assert_eq!(run(&mut engine, from..20), expected[from as usize..], "from frame {from}");
    }
}
