//! Timed functions: any number of them, enabled, disabled, cancelled, and ended after one run.

use std::sync::Arc;
use std::time::Duration;

use ecs::{
    Commands, Configure, Engine, Error, Query, Res, ResMut, StateHash, Time,
    system::{FunctionId, SetupError},
};

use crate::ms;

/// The functions that ran, in order.
#[derive(Default)]
struct Ran(Vec<&'static str>);

fn blink(mut ran: ResMut<Ran>) {
    ran.0.push("blink");
}

fn chime(mut ran: ResMut<Ran>) {
    ran.0.push("chime");
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Ran::default());
    engine
}

fn frames(engine: &mut Engine, count: usize, length: Duration) {
    (0..count).for_each(|_| engine.update(length).unwrap());
}

/// The functions that ran since the last call.
fn ran(engine: &mut Engine) -> Vec<&'static str> {
    std::mem::take(&mut engine.resource_mut::<Ran>().unwrap().0)
}

#[test]
fn functions_run_at_their_own_intervals() {
    let mut engine = engine();
    engine.every(ms(20), blink).unwrap();
    engine.every(ms(30), chime).unwrap();
    engine.every(ms(60), blink).unwrap();
    frames(&mut engine, 6, ms(10));
    assert_eq!(ran(&mut engine), ["blink", "chime", "blink", "blink", "chime", "blink"]);
}

#[test]
fn interval_of_zero_is_every_frame() {
    let mut engine = engine();
    engine.every(Duration::ZERO, blink).unwrap();
    frames(&mut engine, 3, Duration::ZERO);
    assert_eq!(ran(&mut engine), ["blink"; 3]);
}

#[test]
fn closures_keep_their_state_and_one_shots_can_move_theirs_out() {
    let mut engine = engine();
    let mut count = 0_u32;
    let counting = move |mut commands: Commands| {
        count += 1;
        commands.spawn((count,));
    };
    engine.every(ms(10), counting).unwrap();
    let name = String::from("moved into the world");
    engine.after(ms(25), move |mut commands: Commands| commands.spawn((name,))).unwrap();
    frames(&mut engine, 4, ms(10));
    assert_eq!(engine.query::<&u32>().iter().copied().collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(engine.query::<&String>().iter().collect::<Vec<_>>(), ["moved into the world"]);
}

#[test]
fn one_shot_runs_once_with_its_delay_as_delta() {
    let mut engine = engine();
    let record_delta = |time: Time, mut commands: Commands| commands.spawn((time.delta(),));
    let alarm = engine.after(ms(100), record_delta).unwrap();
    assert!(engine.systems().function(alarm).is_some());
    frames(&mut engine, 5, ms(60));
    assert_eq!(engine.query::<&Duration>().iter().copied().collect::<Vec<_>>(), [ms(120)]);
    assert_eq!(engine.systems().function(alarm), None);
    assert!(engine.systems().is_empty() && !engine.cancel(alarm));
}

#[test]
fn ended_function_is_dropped_with_its_captures() {
    let owned = Arc::new(());
    let mut engine = engine();
    let held = owned.clone();
    engine.after(ms(10), move || assert_eq!(Arc::strong_count(&held), 2)).unwrap();
    let held = owned.clone();
    let cancelled = engine.every(ms(10), move || assert_eq!(Arc::strong_count(&held), 3)).unwrap();
    engine.cancel(cancelled);
    engine.update(ms(10)).unwrap();
    assert_eq!(Arc::strong_count(&owned), 1);
}

#[test]
fn cancelled_function_does_not_run_and_its_id_is_stale() {
    let mut engine = engine();
    let id = engine.every(ms(10), blink).unwrap();
    engine.every(ms(10), chime).unwrap();
    engine.update(ms(10)).unwrap();
    assert!(engine.cancel(id) && !engine.cancel(id));
    let newer = engine.every(ms(10), blink).unwrap();
    assert_ne!(id, newer);
    let gone = Error::Setup(SetupError::NoSuchFunction { function: "blink" });
    assert_eq!((engine.enable_function(id), engine.disable_function(id)), (Err(gone.clone()), Err(gone.clone())));
    assert!(gone.to_string().starts_with("function blink is over or was cancelled"));
    ran(&mut engine);
    engine.update(ms(10)).unwrap();
    assert_eq!(ran(&mut engine), ["chime", "blink"], "functions added later run later");
}

#[test]
fn no_time_passes_for_a_disabled_function() {
    let mut engine = engine();
    let id = engine.every(ms(30), blink).unwrap();
    frames(&mut engine, 2, ms(10));
    engine.disable_function(id).unwrap();
    frames(&mut engine, 10, ms(10));
    assert_eq!(engine.systems().function(id).map(|function| function.is_enabled), Some(false));
    engine.enable_function(id).unwrap();
    assert_eq!(ran(&mut engine), [""; 0]);
    engine.update(ms(10)).unwrap();
    assert_eq!(ran(&mut engine), ["blink"]);
}

/// The function that a command refers to.
struct Chosen(FunctionId);

#[test]
fn commands_toggle_and_cancel_functions_from_the_next_frame_on() {
    let mut engine = engine();
    let id = engine.every(ms(10), blink).unwrap();
    engine.insert_resource(Chosen(id));
    engine.after(ms(10), |it: Res<Chosen>, mut commands: Commands| commands.disable_function(it.0)).unwrap();
    engine.after(ms(20), |it: Res<Chosen>, mut commands: Commands| commands.enable_function(it.0)).unwrap();
    engine.after(ms(30), |it: Res<Chosen>, mut commands: Commands| commands.cancel(it.0)).unwrap();
    let mut runs = Vec::new();
    for _ in 0..4 {
        engine.update(ms(10)).unwrap();
        runs.push(ran(&mut engine).len());
    }
    assert_eq!(runs, [1, 0, 1, 0]);
    engine
        .after(ms(0), |it: Res<Chosen>, mut commands: Commands| {
            commands.cancel(it.0);
            commands.enable_function(it.0);
        })
        .unwrap();
    engine.update(ms(10)).unwrap();
    let errors: Vec<_> = engine.command_errors().iter().map(ToString::to_string).collect();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].ends_with("asked to switch a function: function blink is over or was cancelled"), "{errors:?}");
}

#[test]
fn work_state_holds_functions_and_ignores_ended_ones() {
    let mut engine = engine();
    engine.every(ms(10), blink).unwrap();
    engine.after(ms(10), chime).unwrap();
    let all = engine.work_state();
    engine.set_work_state(&all.clone().all_disabled()).unwrap();
    engine.update(ms(10)).unwrap();
    assert_eq!(ran(&mut engine), [""; 0]);
    engine.set_work_state(&all).unwrap();
    engine.update(ms(10)).unwrap();
    assert_eq!(ran(&mut engine), ["blink", "chime"]);
    engine.set_work_state(&all).unwrap();
    engine.update(ms(10)).unwrap();
    assert_eq!(ran(&mut engine), ["blink"]);
}

#[test]
fn ended_functions_leave_no_memory_behind() {
    let mut engine = engine();
    engine.every(ms(10), |all: Query<&u32>, mut commands: Commands| commands.spawn((all.count() as u32,))).unwrap();
    for _ in 0..100 {
        engine.after(ms(10), blink).unwrap();
        let cancelled = engine.every(ms(10), chime).unwrap();
        engine.cancel(cancelled);
        engine.update(ms(10)).unwrap();
    }
    assert_eq!((engine.systems().len(), engine.systems().iter().count()), (1, 1));
    assert_eq!(ran(&mut engine), ["blink"; 100]);
    assert_eq!(engine.query::<&u32>().count(), 100);
}

fn early(_: Res<u64>) {}

fn late(_: Res<u64>) {}

fn rest() {}

/// What an engine shows of its systems: their names in order, how many there are, its hash, and the buffers that it
/// has.
fn shown(engine: &mut Engine) -> (Vec<&'static str>, usize, StateHash, usize) {
    let names: Vec<_> = engine.systems().iter().map(|system| system.name).collect();
    (names, engine.systems().len(), engine.state_hash().unwrap(), engine.memory().buffers.len())
}

#[test]
fn cancelled_functions_leave_nothing_however_many_others_there_are() {
    for (stay, cancelled) in [(0, 1), (9, 1), (9, 9), (9, 40)] {
        let mut engine = Engine::new();
        engine.types_mut().function("rest", rest).unwrap();
        (0..stay).for_each(|_| _ = engine.after(ms(50), rest).unwrap());
        engine.order().unwrap();
        let before = shown(&mut engine);
        let held = Arc::new(());
        let mut ids = Vec::new();
        for _ in 0..cancelled {
            let [captured, of_condition, of_listener] = [(); 3].map(|()| held.clone());
            // No snapshot can have the first; all need what is missing, and two have no order.
            ids.push(engine.every(Duration::ZERO, move |_: Res<u64>| drop(captured.clone())).unwrap());
            let is_due = move || Arc::strong_count(&of_condition) == 0;
            engine.add((early.after(late), late.after(early).run_if(is_due))).unwrap();
            ids.push(engine.listen(move |_: &u8| assert_eq!(Arc::strong_count(&of_listener), 0)).unwrap());
        }
        assert!(engine.order().is_err() && engine.state_hash().is_err());
        let systems = engine.systems();
        ids.extend(systems.ids_of(early).chain(systems.ids_of(late)));
        assert_eq!(ids.len(), 4 * cancelled);
        ids.into_iter().for_each(|id| assert!(engine.cancel(id)));
        assert_eq!(Arc::strong_count(&held), 1, "what they captured is dropped at once");
        assert_eq!(engine.systems().len(), stay);
        assert_eq!(shown(&mut engine), before);
        engine.send(1_u8);
        engine.update(Duration::ZERO).unwrap();
    }
}
