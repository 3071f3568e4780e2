//! Execution order, phases, enabling and disabling systems, work states, and runs by hand.

use std::time::Duration;

use ecs::{
    Commands, Engine, Error, Priority, Res, ResMut, Setup, System, Time,
    system::{SetupError, WorkState},
};

use super::log::{self, Log};

/// A system that logs its name in every phase that the test needs.
macro_rules! named {
    ($($name:ident($setup:expr);)*) => {
        $(
            struct $name;
            impl System for $name {
                fn setup(setup: &mut Setup<Self>) {
                    setup.update(Self::say);
                    let configure: fn(&mut Setup<Self>) = $setup;
                    configure(setup);
                }
            }
            impl $name {
                fn say(&mut self, mut log: ResMut<Log>) {
                    log.note(stringify!($name));
                }
            }
        )*
    };
}

named! {
    First(|_| {});
    Second(|_| {});
    Urgent(|s| { s.priority(Priority::HIGH); });
    Lazy(|s| { s.priority(Priority::LOW); });
    UrgentAfterLazy(|s| { s.priority(Priority::HIGHEST).after_type::<Lazy>(); });
    BeforeUrgent(|s| { s.priority(Priority::LOWEST).before_type::<Urgent>(); });
    CircleA(|s| { s.after_type::<CircleC>(); });
    CircleB(|s| { s.after_type::<CircleA>(); });
    CircleC(|s| { s.after_type::<CircleB>(); });
    Selfish(|s| { s.after_type::<Selfish>(); });
    Sleeping(|s| { s.disabled(); });
}

#[test]
fn equal_systems_run_in_the_order_of_adding() {
    let mut engine = log::engine();
    engine.add(Second).unwrap().add(First).unwrap();
    assert_eq!(log::frame(&mut engine), "Second First");
}

#[test]
fn higher_priority_runs_earlier() {
    let mut engine = log::engine();
    engine.add(Lazy).unwrap().add(First).unwrap().add(Urgent).unwrap();
    assert_eq!(log::frame(&mut engine), "Urgent First Lazy");
}

#[test]
fn dependencies_outrank_priorities() {
    let mut engine = log::engine();
    engine.add(UrgentAfterLazy).unwrap().add(Urgent).unwrap().add(BeforeUrgent).unwrap();
    engine.add(First).unwrap().add(Lazy).unwrap();
    assert_eq!(log::frame(&mut engine), "First Lazy UrgentAfterLazy BeforeUrgent Urgent");
    let order: Vec<_> = engine.systems().iter().map(|system| system.name).collect();
    assert_eq!(order.join(" "), "First Lazy UrgentAfterLazy BeforeUrgent Urgent");
}

#[test]
fn priority_can_change_between_frames() {
    let mut engine = log::engine();
    engine.add(First).unwrap().add(Second).unwrap();
    assert_eq!(log::frame(&mut engine), "First Second");
    engine.set_priority::<Second>(Priority(201)).unwrap();
    assert_eq!(log::frame(&mut engine), "Second First");
    assert!(engine.set_priority::<Urgent>(Priority::LOW).is_err());
}

#[test]
fn later_added_system_is_sorted_into_the_order() {
    let mut engine = log::engine();
    engine.add(First).unwrap();
    assert_eq!(log::frame(&mut engine), "First");
    engine.add(Urgent).unwrap();
    assert_eq!(log::frame(&mut engine), "Urgent First");
}

#[test]
fn cycle_is_an_error_that_prints_the_cycle() {
    let mut engine = log::engine();
    engine.add(CircleA).unwrap().add(CircleB).unwrap().add(CircleC).unwrap().add(First).unwrap();
    let error = engine.update(log::FRAME).unwrap_err();
    assert_eq!(error, Error::Setup(SetupError::Cycle { systems: vec!["CircleA", "CircleB", "CircleC"] }));
    assert_eq!(
        error.to_string(),
        "systems wait for each other: CircleA → CircleB → CircleC → CircleA: drop one of these dependencies"
    );
    assert_eq!(log::logged(&mut engine), "", "no frame has begun");
    assert_eq!(engine.time().frame(), 0);
}

#[test]
fn dependency_of_a_system_on_itself_is_a_cycle() {
    let mut engine = log::engine();
    engine.add(Selfish).unwrap();
    assert_eq!(engine.order(), Err(SetupError::Cycle { systems: vec!["Selfish"] }.into()));
}

#[test]
fn unknown_dependency_names_both_systems_and_can_be_fixed() {
    let mut engine = log::engine();
    engine.add(UrgentAfterLazy).unwrap();
    let error = engine.update(log::FRAME).unwrap_err();
    assert_eq!(
        error.to_string(),
        "UrgentAfterLazy runs after Lazy, which is neither a system, a function nor a set of the engine: add it or drop the dependency"
    );
    engine.add(Lazy).unwrap();
    assert_eq!(log::frame(&mut engine), "Lazy UrgentAfterLazy");
    engine.add(BeforeUrgent).unwrap();
    let error = engine.order().unwrap_err().to_string();
    assert!(error.starts_with("BeforeUrgent runs before Urgent, which is neither"), "{error}");
}

#[test]
fn system_is_added_once() {
    let mut engine = log::engine();
    engine.add(First).unwrap();
    let error = engine.add(First).err().unwrap();
    assert_eq!(error, Error::Setup(SetupError::AlreadyAdded { system: "First" }));
    assert_eq!(error.to_string(), "system First was added already: an engine has one system of a type");
    assert_eq!(log::frame(&mut engine), "First");
}

#[test]
fn disabled_system_does_not_run() {
    let mut engine = log::engine();
    engine.add(First).unwrap().add(Sleeping).unwrap();
    assert_eq!(log::frame(&mut engine), "First");
    engine.enable_system::<Sleeping>().unwrap();
    engine.disable_system::<First>().unwrap();
    assert_eq!(log::frame(&mut engine), "Sleeping");
    assert_eq!(engine.disable_system::<Urgent>(), Err(SetupError::NotAdded { system: "Urgent" }.into()));
}

#[test]
fn work_state_is_by_system_and_survives_a_new_order() {
    let mut engine = log::engine();
    engine.add(First).unwrap().add(Second).unwrap().add(Lazy).unwrap();
    engine.disable_system::<Second>().unwrap();
    let kept = engine.work_state();
    assert_eq!((kept.is_enabled::<First>(), kept.is_enabled::<Second>()), (Some(true), Some(false)));
    assert_eq!(kept.is_enabled::<Urgent>(), None);

    engine.set_work_state(&kept.clone().all_disabled().with::<Lazy>(true)).unwrap();
    engine.add(Urgent).unwrap();
    engine.set_priority::<Lazy>(Priority::HIGHEST).unwrap();
    assert_eq!(log::frame(&mut engine), "Lazy Urgent", "systems that are not named keep their state");

    engine.set_work_state(&kept).unwrap();
    assert_eq!(log::frame(&mut engine), "Lazy Urgent First");
    assert_eq!(engine.work_state(), kept.with::<Urgent>(true));
    engine.set_work_state(&engine.work_state().all_enabled()).unwrap();
    assert_eq!(log::frame(&mut engine), "Lazy Urgent First Second");
}

#[test]
fn work_state_of_an_unknown_system_changes_nothing_and_names_it() {
    let mut engine = log::engine();
    engine.add(First).unwrap();
    let state = WorkState::default().with::<First>(false).with::<Urgent>(true);
    let error = engine.set_work_state(&state).unwrap_err();
    assert_eq!(error.to_string(), "system Urgent was not added to the engine");
    assert_eq!(log::frame(&mut engine), "First");
}

struct Toggler;

impl System for Toggler {
    fn setup(setup: &mut Setup<Self>) {
        setup.priority(Priority::HIGHEST).update(Self::toggle);
    }
}

impl Toggler {
    fn toggle(&mut self, mut commands: Commands) {
        commands.disable_system::<First>();
        commands.enable_system::<Sleeping>();
        commands.enable_system::<Urgent>();
    }
}

#[test]
fn commands_enable_and_disable_systems_from_the_next_frame_on() {
    let mut engine = log::engine();
    engine.add(Toggler).unwrap().add(First).unwrap().add(Sleeping).unwrap();
    assert_eq!(log::frame(&mut engine), "First");
    let errors: Vec<_> = engine.command_errors().iter().map(ToString::to_string).collect();
    assert_eq!(errors, ["Toggler asked to switch a system: system Urgent was not added to the engine"]);
    assert_eq!(log::frame(&mut engine), "Sleeping");
}

/// Has several methods in each phase.
struct Phases;

impl System for Phases {
    fn setup(setup: &mut Setup<Self>) {
        setup.post_update(Self::post).update(Self::one).pre_update(Self::pre).update(Self::two);
    }
}

impl Phases {
    fn pre(&mut self, mut log: ResMut<Log>) {
        log.note("pre");
    }

    fn one(&mut self, mut log: ResMut<Log>) {
        log.note("one");
    }

    fn two(&mut self, mut log: ResMut<Log>) {
        log.note("two");
    }

    fn post(&mut self, mut log: ResMut<Log>) {
        log.note("post");
    }
}

#[test]
fn phases_run_one_after_the_other_through_all_systems() {
    let mut engine = log::engine();
    engine.add(First).unwrap().add(Phases).unwrap().add(Second).unwrap();
    assert_eq!(log::frame(&mut engine), "pre First one two Second post");
}

#[test]
fn system_can_be_run_by_hand_if_disabled_or_not_due() {
    let mut engine = log::engine();
    engine.add(Phases).unwrap().add(Sleeping).unwrap();
    engine.run_every::<Phases>(Duration::from_secs(60)).unwrap();
    engine.run_system::<Phases>().unwrap();
    engine.run_system::<Sleeping>().unwrap();
    assert_eq!(log::logged(&mut engine), "pre one two post Sleeping");
    assert_eq!(engine.run_system::<Urgent>(), Err(SetupError::NotAdded { system: "Urgent" }.into()));
}

/// Has eight parameters, the maximum.
struct Wide;

impl System for Wide {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update);
    }
}

impl Wide {
    #[allow(clippy::too_many_arguments)]
    fn update(
        &mut self,
        time: Time,
        mut log: ResMut<Log>,
        a: Res<u8>,
        b: Res<u16>,
        c: Option<Res<u32>>,
        d: Option<ResMut<u64>>,
        mut commands: Commands,
        query: ecs::Query<&u8>,
    ) {
        commands.spawn((*a,));
        log.note(format!("{} {} {} {:?} {} {}", time.frame(), *a, *b, c.map(|c| *c), d.is_some(), query.count()));
    }
}

#[test]
fn methods_take_eight_parameters() {
    let mut engine = log::engine();
    engine.insert_resource(1_u8);
    engine.insert_resource(2_u16);
    engine.insert_resource(3_u32);
    engine.add(Wide).unwrap();
    assert_eq!(log::frame(&mut engine), "1 1 2 Some(3) false 0");
}

#[test]
fn state_of_a_system_can_be_read_and_changed() {
    struct Counter(u32);
    impl System for Counter {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(Self::count);
        }
    }
    impl Counter {
        fn count(&mut self) {
            self.0 += 1;
        }
    }
    let mut engine = Engine::new();
    engine.add(Counter(0)).unwrap();
    engine.update(log::FRAME).unwrap();
    engine.system_mut::<Counter>().unwrap().0 += 10;
    engine.update(log::FRAME).unwrap();
    assert_eq!(engine.system::<Counter>().unwrap().0, 12);
    assert!(engine.system::<First>().is_none());
    assert_eq!((engine.systems().len(), engine.systems().is_empty()), (1, false));
}
