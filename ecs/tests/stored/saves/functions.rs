//! Functions in saves: a program that was changed still finds those that it had.

use ecs::prelude::*;
use ecs::system::{FunctionId, Systems};
use serde::{Deserialize, Serialize};

use crate::ms;

/// What ran, by names, and an id that the state holds.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Log(String, Option<FunctionId>);

macro_rules! noting {
    ($($name:ident)*) => {
        $(fn $name(mut log: ResMut<Log>) {
            log.0 += concat!(stringify!($name), " ");
        })*
    };
}

noting!(early grow late intro);

fn hear(added: &Added<u8>, mut log: ResMut<Log>, values: Query<&u8>) {
    log.0 += &format!("hear {} ", values.get(added.entity).unwrap());
}

fn engine<M>(systems: impl IntoSystems<M>) -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Log::default());
    let types = engine.types_mut();
    types.resource_by::<Log>("log", |log, hash| _ = hash.add(&log.0)).unwrap().save_with_text::<Log>(1).unwrap();
    types.component::<u8>("byte").unwrap().save_with_text::<u8>(1).unwrap();
    engine.add(systems.into_systems()).unwrap();
    engine
}

fn frame(engine: &mut Engine) -> String {
    engine.update(ms(10)).unwrap();
    std::mem::take(&mut engine.resource_mut::<Log>().unwrap().0)
}

/// Saves in both forms, loads each into an engine of its own, and returns these.
fn reload(saved: &mut Engine, make: impl Fn() -> Engine) -> [(Engine, Vec<&'static str>); 2] {
    let mut bytes = Vec::new();
    saved.save(&mut bytes).unwrap();
    let text = saved.save_text().unwrap();
    let (mut one, mut other) = (make(), make());
    let (from_bytes, from_text) = (one.load(&mut bytes.as_slice()).unwrap(), other.load_text(&text).unwrap());
    [(one, from_bytes.new_systems), (other, from_text.new_systems)]
}

#[test]
fn functions_that_were_added_before_others_since_are_found_by_name() {
    let mut saved = engine((grow.every(ms(30)), hear));
    let id = saved.systems().ids_of(grow).next();
    saved.resource_mut::<Log>().unwrap().1 = id;
    saved.spawn((7_u8,));
    assert_eq!(frame(&mut saved), "hear 7 ");
    let make = || engine((early, hear, (late, grow.every(ms(30))).chain().priority(Priority::HIGH)));
    for (mut loaded, new) in reload(&mut saved, make) {
        assert_eq!(new, ["early", "late"]);
        // The timer goes on, and the chain still binds what it bound.
        assert_eq!(frame(&mut loaded), "late early ");
        loaded.spawn((9_u8,));
        assert_eq!(frame(&mut loaded), "hear 9 late grow early ");
        let explanation = loaded.explain().unwrap().to_string();
        assert!(explanation.contains("after late, as declared"), "{explanation}");
        let id = loaded.resource::<Log>().unwrap().1.unwrap();
        assert!(loaded.cancel(id), "the id that the state holds is that of `grow`");
        assert_eq!(loaded.systems().ids_of(grow).next(), None);
        (0..3).for_each(|_| assert_eq!(frame(&mut loaded), "late early "));
    }
}

#[test]
fn function_that_had_ended_does_not_come_back() {
    let make = || engine((intro.once_after(ms(15)), early, grow));
    let mut saved = make();
    assert_eq!(frame(&mut saved), "early grow ");
    assert_eq!(frame(&mut saved), "intro early grow ");
    let early_id = saved.systems().ids_of(early).next().unwrap();
    saved.cancel(early_id);
    for (mut loaded, new) in reload(&mut saved, make) {
        assert_eq!(new, [""; 0]);
        (0..3).for_each(|_| assert_eq!(frame(&mut loaded), "grow "));
        // Nor by the next save.
        for (mut again, _) in reload(&mut loaded, make) {
            (0..3).for_each(|_| assert_eq!(frame(&mut again), "grow "));
        }
    }
    // A change of the program in between changes nothing about it.
    for (mut loaded, new) in reload(&mut saved, || engine((late, early, intro.once_after(ms(15)), grow))) {
        assert_eq!(new, ["late"]);
        (0..3).for_each(|_| assert_eq!(frame(&mut loaded), "grow late "));
    }
}

#[test]
fn function_of_the_set_up_has_the_settings_of_the_program_that_loads() {
    struct Growing;
    let mut saved = engine((grow, late));
    frame(&mut saved);
    for (mut loaded, new) in reload(&mut saved, || engine((grow.in_set::<Growing>().after(late), late.in_pre_update())))
    {
        assert_eq!(new, [""; 0]);
        assert_eq!(frame(&mut loaded), "late grow ");
        loaded.disable_set::<Growing>().unwrap();
        assert_eq!(frame(&mut loaded), "late ");
    }
}

#[test]
fn functions_that_were_added_while_the_program_ran_are_those_of_the_save() {
    let make = || engine(grow);
    let mut saved = make();
    frame(&mut saved);
    let text = saved.save_text().unwrap();
    let mut running = make();
    frame(&mut running);
    running.add((early, hear)).unwrap();
    assert_eq!(frame(&mut running), "grow early ");
    let loaded = running.load_text(&text).unwrap();
    assert_eq!((frame(&mut running).as_str(), loaded.new_systems), ("grow ", Vec::new()));
    let mut bytes = Vec::new();
    running.save(&mut bytes).unwrap();
    running.load(&mut bytes.as_slice()).unwrap();
    assert_eq!(frame(&mut running), "grow ");
}

#[test]
fn same_function_twice_is_told_apart_by_the_order_of_adding() {
    let mut saved = engine((grow.every(ms(20)), grow.every(ms(50)).priority(Priority::LOW)));
    frame(&mut saved);
    let make = || engine((early.every(ms(1_000)), grow.every(ms(20)), grow.every(ms(50)).priority(Priority::LOW)));
    for (mut loaded, _) in reload(&mut saved, make) {
        let ran: Vec<String> = (0..9).map(|_| frame(&mut loaded)).collect();
        assert_eq!(ran.concat(), "grow grow grow grow grow grow grow ");
        assert_eq!(ran.iter().filter(|frame| frame.len() > 5).count(), 1, "both run in the frame of 100 ms");
        assert_eq!(loaded.systems().ids_of(grow).count(), 2);
    }
}

fn is_open(log: Res<Log>) -> bool {
    log.1.is_none()
}

struct Chores;

/// Else a save would be made that no engine loads.
#[test]
fn function_that_a_command_added_with_settings_that_saves_do_not_hold_is_refused_while_it_waits() {
    let ways: [(fn() -> Systems, bool); 6] = [
        (|| grow.once_after(ms(30)).into_systems(), true),
        (|| grow.every(ms(30)).priority(Priority::HIGH).into_systems(), true),
        (|| grow.once_after(ms(30)).run_if(is_open).into_systems(), false),
        (|| grow.every(ms(30)).in_set::<Chores>().into_systems(), false),
        (|| grow.once_after(ms(30)).after(late).into_systems(), false),
        (|| grow.every(ms(30)).pinned().into_systems(), false),
    ];
    let make = || {
        let mut engine = engine((early, late));
        engine.types_mut().function("grow", grow).unwrap();
        engine
    };
    for (number, (way, is_saved)) in ways.into_iter().enumerate() {
        let mut saved = make();
        frame(&mut saved);
        saved.run(move |mut commands: Commands| commands.add(way())).unwrap();
        frame(&mut saved);
        let mut bytes = Vec::new();
        match saved.save(&mut bytes) {
            Ok(_) => assert!(is_saved && make().load(&mut bytes.as_slice()).is_ok(), "way {number}"),
            Err(error) => {
                let error = error.to_string();
                assert!(!is_saved, "way {number}: {error}");
                assert!(error.starts_with("grow was added while the engine ran, with settings"), "{error}");
            }
        }
        for _ in 0..4 {
            frame(&mut saved);
        }
        let is_over = saved.systems().ids_of(grow).next().is_none();
        assert_eq!(saved.save(&mut Vec::new()).is_ok(), is_saved || is_over, "way {number}");
    }
}

#[test]
fn function_of_the_set_up_that_has_ended_comes_back_with_its_condition() {
    let mut engine = engine((early, grow.once_after(ms(30)).run_if(is_open)));
    engine.types_mut().function("grow", grow).unwrap();
    assert_eq!(frame(&mut engine), "early ");
    let mut bytes = Vec::new();
    engine.save(&mut bytes).unwrap();
    let rest = |engine: &mut Engine| (0..3).map(|_| frame(engine)).collect::<String>();
    let once = rest(&mut engine);
    assert_eq!(once.matches("grow").count(), 1, "{once}");
    for _ in 0..2 {
        engine.load(&mut bytes.as_slice()).unwrap();
        let mut again = Vec::new();
        engine.save(&mut again).unwrap();
        assert_eq!(rest(&mut engine), once);
        engine.load(&mut again.as_slice()).unwrap();
        assert_eq!(rest(&mut engine), once);
    }
    engine.load(&mut bytes.as_slice()).unwrap();
    let waiting = engine.systems().ids_of(grow).next();
    engine.resource_mut::<Log>().unwrap().1 = waiting;
    assert_eq!(rest(&mut engine), "early early early ", "the condition holds it back");
}
