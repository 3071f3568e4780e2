//! Commands: applied at one point, in the order of recording, and never lost silently.

use std::time::Duration;

use ecs::{Added, Commands, Engine, EntityId, Event, Query, Removed, ResMut, Sender, Setup, Spawned, Spawner, System};

use super::log::{self, FRAME, Log};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Mark(u32);

/// A system that spawns marks and changes an entity in two phases.
macro_rules! marker {
    ($name:ident, $number:literal) => {
        struct $name(EntityId);
        impl System for $name {
            fn setup(setup: &mut Setup<Self>) {
                setup.post_update(Self::post).update(Self::update);
            }
        }
        impl $name {
            fn update(&mut self, mut commands: Commands) {
                commands.spawn((Mark($number),));
                commands.insert(self.0, ([$number, 0_u32],));
            }
            fn post(&mut self, mut commands: Commands) {
                commands.spawn((Mark($number + 10),));
                commands.insert(self.0, ([$number, 1_u32],));
            }
        }
    };
}

marker!(One, 1);
marker!(Two, 2);

#[test]
fn commands_are_applied_in_the_order_of_recording_across_systems_and_phases() {
    let mut engine = log::engine();
    let (first, second) = (engine.spawn(()), engine.spawn(()));
    engine.add(One(first)).unwrap().add(Two(second)).unwrap();
    log::frame(&mut engine);
    let marks: Vec<_> = engine.query::<&Mark>().iter().map(|mark| mark.0).collect();
    assert_eq!(marks, [1, 2, 11, 12], "updates before post-updates, each in execution order");
    assert_eq!(engine.get::<[u32; 2]>(first), Some(&[1, 1]), "the last phase wins");
    assert_eq!(engine.get::<[u32; 2]>(second), Some(&[2, 1]), "the last phase wins");
}

/// Records every kind of command for one entity.
struct Everything(EntityId, EntityId);

impl System for Everything {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update).once_after(std::time::Duration::ZERO);
    }
}

impl Everything {
    fn update(&mut self, mut commands: Commands, mut spawner: Spawner) {
        commands.insert(self.0, (Mark(1), 'x'));
        commands.remove::<Mark>(self.0);
        commands.insert(self.0, (Mark(2),));
        commands.disable_component::<Mark>(self.0);
        commands.disable(self.0);
        commands.enable(self.0);
        commands.spawn((Mark(3), "by command"));
        let child = spawner.spawn((Mark(4),));
        commands.insert(child, ("by spawner",));
        commands.enable_component::<Mark>(self.0);
        commands.remove::<char>(self.0);
        commands.despawn(self.1);
    }
}

#[test]
fn every_kind_of_command_takes_effect() {
    let mut engine = log::engine();
    let (kept, gone) = (engine.spawn(()), engine.spawn(('y',)));
    engine.add(Everything(kept, gone)).unwrap();
    log::frame(&mut engine);
    assert!(engine.command_errors().is_empty());
    assert_eq!(engine.query::<(&Mark, Option<&char>)>().get(kept), Some((&Mark(2), None)));
    let mut named: Vec<_> = engine.query::<(&Mark, &&'static str)>().iter().map(|(m, s)| (m.0, *s)).collect();
    named.sort();
    assert_eq!(named, [(3, "by command"), (4, "by spawner")]);
    assert!(!engine.contains(gone));
}

struct Hopeless(EntityId);

impl System for Hopeless {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update);
    }
}

impl Hopeless {
    fn update(&mut self, mut commands: Commands) {
        commands.despawn(self.0);
        commands.despawn(self.0);
        commands.insert(self.0, (Mark(1),));
        commands.remove::<Mark>(self.0);
        commands.enable(self.0);
        commands.disable(self.0);
        commands.enable_component::<Mark>(self.0);
        commands.disable_component::<Mark>(self.0);
        commands.spawn((Mark(9),));
    }
}

#[test]
fn command_on_a_despawned_entity_is_reported_with_its_system() {
    let mut engine = log::engine();
    let entity = engine.spawn(());
    engine.add(Hopeless(entity)).unwrap();
    log::frame(&mut engine);
    let errors: Vec<_> = engine.command_errors().iter().map(ToString::to_string).collect();
    let asked = ["despawn", "insert", "remove", "enable", "disable", "enable", "disable"];
    let expected = asked.map(|verb| {
        format!(
            "Hopeless asked to {verb}: entity {entity} does not exist: it was despawned, or belongs to another engine"
        )
    });
    assert_eq!(errors, expected);
    assert_eq!(engine.query::<&Mark>().count(), 1, "the other commands were applied");
    engine.disable_system::<Hopeless>().unwrap();
    log::frame(&mut engine);
    assert!(engine.command_errors().is_empty(), "only errors of the last frame are kept");
}

#[test]
fn trying_commands_accept_that_an_entity_is_gone() {
    let mut engine = Engine::builder().trace_causes(4).build();
    let entity = engine.spawn((1_u32,));
    let twice = move |mut commands: Commands| {
        commands.try_insert(entity, ("hit",));
        commands.try_despawn(entity);
        commands.try_despawn(entity);
        commands.try_insert(entity, ("hit again",));
    };
    engine.after(Duration::ZERO, twice).unwrap();
    engine.update(Duration::ZERO).unwrap();
    assert!(engine.command_errors().is_empty() && !engine.contains(entity));
    let why = engine.why(entity).to_string();
    assert_eq!(why.matches("despawn").count(), 1, "only what happened has a cause: {why}");
    engine.run(twice).unwrap();
}

#[test]
fn command_on_a_missing_component_names_it() {
    struct Wrong(EntityId);
    impl System for Wrong {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(Self::update);
        }
    }
    impl Wrong {
        fn update(&mut self, mut commands: Commands) {
            commands.remove::<Mark>(self.0);
            commands.disable_component::<Mark>(self.0);
        }
    }
    let mut engine = log::engine();
    let entity = engine.spawn(());
    engine.add(Wrong(entity)).unwrap();
    log::frame(&mut engine);
    let errors: Vec<_> = engine.command_errors().iter().map(ToString::to_string).collect();
    assert_eq!(
        errors,
        ["Wrong asked to remove: entity 1v1 has no Mark", "Wrong asked to disable: entity 1v1 has no Mark"]
    );
}

/// Spawns one more entity for each spawned entity, a given number of times.
struct Chain(u32);

impl System for Chain {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_spawned);
    }
}

impl Chain {
    fn on_spawned(&mut self, _: &Spawned, mut spawner: Spawner, mut log: ResMut<Log>) {
        if self.0 > 0 {
            self.0 -= 1;
            let id = spawner.spawn((Mark(self.0),));
            log.note(id);
        }
    }
}

#[test]
fn commands_of_the_last_dispatch_are_applied_in_the_same_frame() {
    let mut engine = log::engine();
    engine.add(Chain(3)).unwrap();
    engine.spawn(());
    log::frame(&mut engine);
    assert_eq!(engine.entities().len(), 4);
    assert_eq!(log::frame(&mut engine), "", "nothing waits");
    assert_eq!(engine.entities().len(), 4);
}

#[test]
fn endless_commands_end_with_the_budget_and_name_the_cycle() {
    let mut engine = Engine::builder().dispatch_rounds(10).build();
    engine.insert_resource(Log::default());
    engine.add(Chain(u32::MAX)).unwrap();
    engine.run(|mut commands: Commands| commands.spawn((Mark(0),))).unwrap();
    assert_eq!(
        engine.update(FRAME).unwrap_err().to_string(),
        "listeners kept causing events, 10 in 10 rounds: Spawned → Spawned; 1 of them were dropped: let a listener stop, or \
         raise the budget of a dispatch"
    );
    assert_eq!((engine.entities().len(), engine.events().waiting()), (12, 0));
    engine.update(FRAME).unwrap();
    assert_eq!(engine.entities().len(), 12);
}

#[test]
fn commands_beyond_the_budget_are_applied_and_their_events_dropped() {
    struct Sower;
    impl System for Sower {
        fn setup(setup: &mut Setup<Self>) {
            setup.listen(|_: &mut Self, _: &Spawned, mut commands: Commands, mut marks: Sender<Mark>| {
                (0..5).for_each(|n| marks.send(Mark(n)));
                commands.spawn(());
            });
        }
    }
    let mut engine = Engine::builder().dispatch_events(4).build();
    engine.add(Sower).unwrap();
    engine.every(std::time::Duration::ZERO, |mut commands: Commands| commands.spawn(())).unwrap();
    let error = engine.update(FRAME).unwrap_err().to_string();
    assert!(error.contains("5 in 1 rounds: Spawned → Mark; 6 of them were dropped"), "{error}");
    assert_eq!((engine.entities().len(), engine.events().waiting()), (2, 0));
}

/// Removes a mark when it is added, and inserts it again when it is removed.
struct Undecided;

impl System for Undecided {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(|_: &mut Self, added: &Added<Mark>, mut commands: Commands| commands.remove::<Mark>(added.entity))
            .listen(|_: &mut Self, removed: &Removed<Mark>, mut commands: Commands| {
                commands.insert(removed.entity, (removed.value.unwrap(),));
            });
    }
}

#[test]
fn cycle_through_commands_names_all_its_events() {
    let mut engine = Engine::new();
    engine.add(Undecided).unwrap();
    let entity = engine.spawn((Mark(1),));
    let error = engine.update(FRAME).unwrap_err().to_string();
    let mark = std::any::type_name::<Mark>();
    assert!(error.contains(&format!("Added<{mark}> → Removed<{mark}> → Added<{mark}>")), "{error}");
    engine.despawn(entity).unwrap();
    engine.update(FRAME).unwrap();
}

#[test]
fn spawner_returns_ids_in_spawn_order_before_they_are_alive() {
    fn spawn(mut spawner: Spawner) -> Vec<EntityId> {
        (0..3).map(|n| spawner.spawn((Mark(n),))).collect()
    }
    let mut engine = log::engine();
    let ids = engine.run(spawn).unwrap();
    assert_eq!(ids.iter().map(ToString::to_string).collect::<Vec<_>>(), ["1v1", "2v1", "3v1"]);
    for (n, id) in ids.into_iter().enumerate() {
        assert_eq!(engine.get::<Mark>(id), Some(&Mark(n as u32)));
    }
}

/// Takes an id and sends it to listeners, which may not access the entity before it is spawned.
struct Announcer;
#[derive(Clone, Copy)]
struct Expecting(EntityId);

impl System for Announcer {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::announce).listen(Self::on_expecting).once_after(std::time::Duration::ZERO);
    }
}

impl Announcer {
    fn announce(&mut self, mut spawner: Spawner, mut expecting: Sender<Expecting>) {
        expecting.send(Expecting(spawner.spawn((Mark(1),))));
    }

    fn on_expecting(&mut self, event: &Expecting, marks: Query<&Mark>, mut commands: Commands, mut log: ResMut<Log>) {
        log.note(marks.contains(event.0));
        commands.insert(event.0, ('x',));
    }
}

#[test]
fn components_can_be_inserted_into_entities_that_are_not_spawned_yet() {
    let mut engine = log::engine();
    engine.add(Announcer).unwrap();
    assert_eq!(log::frame(&mut engine), "false");
    assert_eq!(engine.query::<(&Mark, &char)>().single(), Ok((&Mark(1), &'x')));
}

#[test]
fn commands_hold_bundles_of_many_types() {
    fn record(mut commands: Commands) {
        for n in 0..100_u32 {
            commands.spawn((Mark(n),));
            commands.spawn((n.to_string(), [0_u8; 300]));
            commands.spawn(());
        }
    }
    let mut engine = log::engine();
    engine.run(record).unwrap();
    assert_eq!(engine.entities().len(), 300);
    assert!(engine.query::<&Mark>().iter().map(|mark| mark.0).eq(0..100));
    assert!(engine.query::<&String>().iter().map(|name| name.parse::<u32>().unwrap()).eq(0..100));
}

#[test]
fn unapplied_bundle_is_dropped_with_the_engine() {
    struct Holder(std::sync::Arc<()>);
    impl System for Holder {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(Self::spawn);
        }
    }
    impl Holder {
        fn spawn(&mut self, mut commands: Commands) {
            commands.spawn((self.0.clone(),));
            panic!("the frame ends before the commands are applied");
        }
    }
    let token = std::sync::Arc::new(());
    let mut engine = log::engine();
    engine.add(Holder(token.clone())).unwrap();
    assert!(crate::panics(|| engine.update(FRAME)));
    assert_eq!(std::sync::Arc::strong_count(&token), 3, "the bundle waits");
    drop(engine);
    assert_eq!(std::sync::Arc::strong_count(&token), 1);
}

#[test]
fn events_are_copy_and_send() {
    fn is_event<E: Event>() {}
    is_event::<Spawned>();
    is_event::<(EntityId, [f32; 4])>();
}
