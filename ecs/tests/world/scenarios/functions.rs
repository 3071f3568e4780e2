//! Functions as systems: added alone, in tuples and chains, named by others, listening, and called by transitions.

use std::time::Duration;

use ecs::prelude::*;
use ecs::state_machine::{Hook, State, StateMachine};
use ecs::system::{CatchUp, SetupError, Systems};
use ecs::{Error, Snapshot};
use proptest::prelude::*;

use crate::ms;

#[derive(Clone, Default)]
struct Log(Vec<&'static str>);

impl Log {
    fn take(engine: &mut Engine) -> String {
        std::mem::take(&mut engine.resource_mut::<Self>().unwrap().0).join(" ")
    }
}

macro_rules! noting {
    ($($name:ident)*) => {
        $(fn $name(mut log: ResMut<Log>) {
            log.0.push(stringify!($name));
        })*
    };
}

noting!(aim fly hit draw rest);

#[derive(Clone, Copy)]
struct Rang;

fn open(_: &Rang, mut log: ResMut<Log>) {
    log.0.push("open");
}

fn bark(_: &Rang, mut log: ResMut<Log>) {
    log.0.push("bark");
}

struct Physics;

struct Gravity;

impl System for Gravity {
    fn setup(setup: &mut Setup<Self>) {
        setup.after(aim).before(draw).update(|_: &mut Self, mut log: ResMut<Log>| log.0.push("gravity"));
    }
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Log::default());
    engine
}

/// What runs in the next frame.
fn frame(engine: &mut Engine) -> String {
    engine.update(ms(10)).unwrap();
    Log::take(engine)
}

/// What runs in a frame of an engine with these systems.
fn run<M>(systems: impl IntoSystems<M>) -> String {
    let mut engine = engine();
    engine.add(systems.into_systems()).unwrap();
    frame(&mut engine)
}

fn problem(added: Result<&mut Engine, Error>) -> String {
    added.err().unwrap().to_string()
}

#[test]
fn functions_run_in_the_order_of_adding_unless_they_name_each_other() {
    assert_eq!(run((draw, fly, aim)), "draw fly aim");
    assert_eq!(run((draw.after(fly), fly.after(aim), aim)), "aim fly draw");
    assert_eq!(run((draw, fly, aim.before((draw, fly)))), "aim draw fly");
    assert_eq!(run((draw, aim.priority(Priority::HIGH))), "aim draw");
    assert_eq!(run((rest.in_post_update(), fly, aim.in_pre_update())), "aim fly rest");
}

#[test]
fn chain_orders_the_elements_of_a_tuple() {
    assert_eq!(run((draw.priority(Priority::LOW), fly, aim.priority(Priority::HIGH)).chain()), "draw fly aim");
    // A tuple within is one element, in any order of its own.
    let inner = (rest, hit.priority(Priority::HIGH));
    assert_eq!(run((draw, inner, aim.priority(Priority::HIGHEST)).chain()), "draw hit rest aim");
    assert_eq!(run((draw, (rest, hit).chain().priority(Priority::HIGH)).chain()), "draw rest hit");
}

#[test]
fn function_may_stand_in_a_chain_twice() {
    assert_eq!(run((aim, fly, aim, hit, aim).chain()), "aim fly aim hit aim");
}

#[test]
fn chain_binds_only_what_it_adds() {
    let mut engine = engine();
    engine.add(hit).unwrap().add((fly, hit).chain().priority(Priority::LOW)).unwrap();
    assert_eq!(frame(&mut engine), "hit fly hit");
}

#[test]
fn named_function_means_all_that_were_added_of_it() {
    let mut engine = engine();
    engine.add((aim, draw.after(aim).priority(Priority::HIGH), aim, fly.before(aim))).unwrap();
    assert_eq!(frame(&mut engine), "fly aim aim draw");
    let text = engine.explain().unwrap().to_string();
    assert!(text.contains("after aim, as declared"), "{text}");
}

#[test]
fn systems_sets_and_functions_name_each_other() {
    let mut engine = engine();
    engine.add((draw, Gravity, aim, rest.after(Gravity).before_type::<Physics>())).unwrap();
    engine.add((hit.in_set::<Physics>(), fly.after_type::<Physics>())).unwrap();
    engine.configure_set::<Physics>(|set| set.after(aim).before((draw, fly))).unwrap();
    assert_eq!(frame(&mut engine), "aim gravity rest hit draw fly");
}

#[test]
fn closures_and_generic_functions_are_told_apart_by_their_types() {
    fn count<T: Component>(all: Query<&T>, mut log: ResMut<Log>) {
        log.0.push(if all.is_empty() { "none" } else { "some" });
    }
    let shout = |mut log: ResMut<Log>| log.0.push("shout");
    let mut engine = engine();
    engine.spawn((1_u8,));
    engine.add((count::<u16>.after(count::<u8>), count::<u8>.after(shout), shout)).unwrap();
    assert_eq!(frame(&mut engine), "shout some none");
}

#[test]
fn function_that_is_not_there_is_an_error_and_one_that_has_ended_is_none() {
    let mut engine = engine();
    engine.add(fly.after(aim)).unwrap();
    let error = engine.update(ms(10)).unwrap_err().to_string();
    assert_eq!(
        error,
        "fly runs after aim, which is neither a system, a function nor a set of the engine: add it or drop the dependency"
    );
    engine.add(aim.once_after(Duration::ZERO)).unwrap();
    assert_eq!(frame(&mut engine), "aim fly");
    assert_eq!(frame(&mut engine), "fly");
    // New functions may name it, too.
    engine.add(draw.before(aim)).unwrap();
    assert_eq!(frame(&mut engine), "fly draw");
}

#[test]
fn chain_keeps_its_order_when_a_link_is_gone() {
    let mut engine = engine();
    engine.add((draw, fly, aim.priority(Priority::HIGHEST)).chain()).unwrap();
    let link = engine.systems().ids_of(fly).next().unwrap();
    assert!(engine.cancel(link));
    assert_eq!(frame(&mut engine), "draw aim");
}

#[test]
fn cycle_of_functions_names_them() {
    let mut engine = engine();
    engine.add((aim.after(fly), fly.after(aim))).unwrap();
    let error = engine.update(ms(10)).unwrap_err().to_string();
    assert_eq!(error, "systems wait for each other: aim → fly → aim: drop one of these dependencies");
    let mut engine = self::engine();
    engine.add(aim.after(aim)).unwrap();
    let error = engine.order().unwrap_err().to_string();
    assert_eq!(error, "systems wait for each other: aim → aim: drop one of these dependencies");
}

#[test]
fn same_function_runs_as_often_as_it_was_added() {
    let mut engine = engine();
    engine.add((aim, aim.every(ms(20)))).unwrap().add(aim.every(ms(5)).catch_up(CatchUp::EachInterval)).unwrap();
    assert_eq!(frame(&mut engine), "aim aim aim");
    let ids: Vec<_> = engine.systems().ids_of(aim).collect();
    assert_eq!(ids.len(), 3);
    engine.disable_function(ids[0]).unwrap();
    assert!(engine.cancel(ids[2]));
    assert_eq!(engine.systems().ids_of(aim).collect::<Vec<_>>(), ids[..2]);
    assert_eq!(frame(&mut engine), "aim");
    assert_eq!(engine.systems().ids_of(fly).next(), None);
}

#[test]
fn function_with_an_event_listens_at_its_place() {
    let mut engine = engine();
    engine.add((open, bark, fly, aim.after(fly))).unwrap();
    engine.send(Rang);
    assert_eq!(frame(&mut engine), "open bark fly aim");
    for (systems, order) in [
        ((bark, open).chain(), "bark open"),
        ((open.after(bark), bark).into_systems(), "bark open"),
        ((open, bark.priority(Priority::HIGH)).into_systems(), "bark open"),
    ] {
        let mut engine = self::engine();
        engine.add(systems).unwrap();
        engine.send(Rang);
        assert_eq!(frame(&mut engine), order);
    }
}

#[test]
fn setting_that_a_function_cannot_have_is_refused_and_nothing_is_added() {
    let listens = "but it listens, so events call it at any time: let a condition or its body decide";
    let mut engine = engine();
    let refused = [
        (open.every(ms(1)), "open", "it has a timer", listens),
        (open.catch_up(CatchUp::Sum), "open", "it has a timer", listens),
        (open.once_after(ms(1)), "open", "it has a timer", listens),
        (open.in_post_update(), "open", "it has a phase", listens),
        (open.on_enter(Door::Open), "open", "it has a transition", listens),
        (
            Gravity.in_pre_update(),
            "Gravity",
            "it has a phase",
            "but it is a system: its `setup` names the phases and transitions of its methods",
        ),
        (
            aim.on_enter(Door::Open).every(ms(1)),
            "aim",
            "it has a timer",
            "but it is called by one transition of a state machine: add it once more for anything else",
        ),
        (
            aim.on_enter(Door::Open).on_exit(Door::Open),
            "aim",
            "it has two transitions",
            "but it is called by one transition of a state machine: add it once more for anything else",
        ),
    ];
    for (systems, name, setting, reason) in refused {
        let expected = format!("{name} cannot be added: {setting}, {reason}");
        assert_eq!(problem(engine.add((fly, Physic, systems))), expected);
        assert!(engine.systems().is_empty());
    }
    assert!(matches!(
        engine.add((Physic, fly, Physic)),
        Err(Error::Setup(SetupError::AlreadyAdded { system: "Physic" }))
    ));
    assert!(matches!(
        engine.add((fly, |_: Query<&mut u8>, _: Query<&u8>| {})),
        Err(Error::Setup(SetupError::Conflict { .. }))
    ));
    assert!(engine.systems().is_empty());
}

struct Physic;

impl System for Physic {
    fn setup(_: &mut Setup<Self>) {}
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Door {
    Closed,
    Open,
}

impl State for Door {
    const TRANSITIONS: &'static [(Self, Self)] = &[(Self::Closed, Self::Open), (Self::Open, Self::Closed)];
}

fn turn(engine: &mut Engine, door: Door) -> String {
    engine.resource_mut::<NextState<Door>>().unwrap().change(door);
    frame(engine)
}

#[test]
fn transitions_call_functions_and_systems_alike() {
    struct Hinge;
    impl System for Hinge {
        fn setup(setup: &mut Setup<Self>) {
            setup.on_enter(Door::Open, |_: &mut Self, mut log: ResMut<Log>| log.0.push("creak")).after(hit);
        }
    }
    fn spawn(mut commands: Commands) {
        commands.spawn((1_u8,));
    }
    fn count(all: Query<&u8>, mut log: ResMut<Log>) {
        log.0.push(["none", "one", "two"][all.count()]);
    }
    let mut engine = engine();
    engine.add_state_machine(StateMachine::new(Door::Closed)).unwrap();
    engine.add((fly, count).chain().run_if(in_state(Door::Open))).unwrap();
    engine.add((Hinge, (hit, spawn).chain().on_enter(Door::Open), rest.on_exit(Door::Open))).unwrap();
    engine.add(aim.on_transition(Hook::Entered(Door::Closed))).unwrap();
    assert_eq!(frame(&mut engine), "aim");
    assert_eq!(turn(&mut engine, Door::Open), "hit creak fly one");
    assert_eq!(turn(&mut engine, Door::Closed), "rest aim");
    let explanation = engine.explain().unwrap().to_string();
    assert!(explanation.contains("rest (priority normal, called by transitions only)"), "{explanation}");
    let hit = engine.systems().ids_of(hit).next().unwrap();
    engine.disable_function(hit).unwrap();
    assert!(turn(&mut engine, Door::Open).starts_with("creak"));
}

#[test]
fn function_for_states_without_a_machine_is_an_error() {
    let mut engine = engine();
    engine.add(aim.on_enter(Door::Open)).unwrap();
    let error = engine.update(ms(10)).unwrap_err().to_string();
    assert!(error.starts_with("aim is called by transitions of Door, of which there is no machine"), "{error}");
}

#[test]
fn conditions_are_combined() {
    fn yes(_: Time) -> bool {
        true
    }
    fn no(log: Res<Log>) -> bool {
        log.0.len() > 100
    }
    assert_eq!(run((aim.run_if(yes.and(no)), fly.run_if(yes.or(no)), hit.run_if(not(yes.and(no))))), "fly hit");
    assert_eq!(run((aim.run_if(no.or(no.or(yes))), fly.run_if(not(no).and(yes).and(not(no.or(no)))))), "aim fly");
    let mut engine = engine();
    engine.add(aim.run_if(yes.and(not(no).or(no)))).unwrap();
    let text = engine.explain().unwrap().to_string();
    assert!(text.contains("runs if (yes and (not no or no))"), "{text}");
}

#[test]
fn functions_may_be_presented() {
    fn show(log: Res<Log>, mut shown: ResMut<usize>) {
        *shown += log.0.len();
    }
    fn double(mut shown: ResMut<usize>) {
        *shown *= 2;
    }
    let mut engine = engine();
    engine.insert_resource(1_usize);
    engine.presentation().add((double.after(show), show)).unwrap();
    engine.add(aim).unwrap();
    engine.update(ms(10)).unwrap();
    engine.present(ms(10), 0.0).unwrap();
    assert_eq!(*engine.resource::<usize>().unwrap(), 4);
    let error = engine.presentation().add((show, open)).err().unwrap().to_string();
    assert!(error.starts_with("open cannot be in the presentation: it listens"), "{error}");
    assert_eq!(engine.presentation().systems().len(), 2);
}

/// An engine with functions whose order names others, chains, states and conditions.
fn ordered() -> Engine {
    let mut engine = engine();
    engine.types_mut().resource_by::<Log>("log", |log, hash| _ = hash.printed(&log.0)).unwrap();
    engine.add_state_machine(StateMachine::new(Door::Closed)).unwrap();
    // Functions that come and go have names.
    engine.types_mut().function("hit", hit).unwrap().function("aim", aim).unwrap().function("draw", draw).unwrap();
    engine.add((fly, hit.after(aim), aim)).unwrap();
    engine.add((draw, rest.every(ms(20))).chain().priority(Priority::HIGH)).unwrap();
    engine.add(hit.on_enter(Door::Open)).unwrap();
    engine
}

#[test]
fn restoring_brings_the_order_and_the_transitions_back() {
    let mut engine = ordered();
    frame(&mut engine);
    let before: Snapshot = engine.snapshot().unwrap();
    let expected = [turn(&mut engine, Door::Open), frame(&mut engine), engine.explain().unwrap().to_string()];
    engine.restore(&before).unwrap();
    let systems = engine.systems();
    let all: Vec<_> = systems.ids_of(hit).chain(systems.ids_of(aim)).chain(systems.ids_of(draw)).collect();
    assert!(all.into_iter().all(|function| engine.cancel(function)));
    engine.add(aim).unwrap();
    frame(&mut engine);
    engine.restore(&before).unwrap();
    let again = [turn(&mut engine, Door::Open), frame(&mut engine), engine.explain().unwrap().to_string()];
    assert_eq!(again, expected);
}

#[test]
fn work_state_switches_functions_by_name() {
    let mut engine = engine();
    engine.add((aim, fly)).unwrap();
    let state = engine.work_state().all_disabled().with_named("fly", true).unwrap();
    engine.set_work_state(&state).unwrap();
    assert_eq!(frame(&mut engine), "fly");
    assert!(engine.work_state().with_named("nothing", true).is_none());
    // What is disabled stays so.
    engine.set_work_state(&engine.work_state().all_enabled().with_named("aim", false).unwrap()).unwrap();
    engine.set_work_state(&engine.work_state().with_only(["aim", "nothing"])).unwrap();
    assert_eq!(frame(&mut engine), "");
    engine.set_work_state(&engine.work_state().all_enabled().with_only(["aim"])).unwrap();
    assert_eq!(frame(&mut engine), "aim");
}

const NAMES: [&str; 5] = ["aim", "fly", "hit", "draw", "rest"];

fn numbered(number: usize) -> Systems {
    match number {
        0 => aim.into_systems(),
        1 => fly.into_systems(),
        2 => hit.into_systems(),
        3 => draw.into_systems(),
        _ => rest.into_systems(),
    }
}

proptest! {
    #[test]
    fn declared_order_holds_whatever_the_order_of_adding(
        order in Just([0, 1, 2, 3, 4]).prop_shuffle(),
        priorities in prop::array::uniform5(0_u16..3),
        edges in prop::collection::vec((0_usize..5, 0_usize..5, any::<bool>()), 0..8),
    ) {
        let edges: Vec<_> = edges.into_iter().filter(|(earlier, later, _)| earlier < later).collect();
        let run = |threads| {
            let mut engine = Engine::builder().threads(threads).parallel_threshold(0).build();
            engine.insert_resource(Log::default());
            for number in order {
                let mut systems = numbered(number).priority(Priority(priorities[number]));
                for (earlier, later, by_the_earlier) in &edges {
                    systems = match (by_the_earlier, number) {
                        (true, number) if number == *earlier => systems.before(numbered(*later)),
                        (false, number) if number == *later => systems.after(numbered(*earlier)),
                        _ => systems,
                    };
                }
                engine.add(systems).unwrap();
            }
            frame(&mut engine)
        };
        let ran = run(1);
        let place = |number: usize| ran.split(' ').position(|name| name == NAMES[number]).unwrap();
        for (earlier, later, _) in &edges {
            prop_assert!(place(*earlier) < place(*later), "{ran}");
        }
        prop_assert_eq!(ran.split(' ').count(), 5);
        prop_assert_eq!(run(4), ran);
    }
}
