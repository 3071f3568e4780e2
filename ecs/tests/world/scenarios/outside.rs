//! Functions and systems that run once, outside of frames.

use ecs::{CommandFailure, Commands, EntityId, Error, Query, Res, ResMut, Sender, Setup, Spawned, System, With};

use super::log::{self, Log};

struct Monster;
#[derive(Clone, Copy)]
struct Slain(u32);

fn kill_all_monsters(
    monsters: Query<EntityId, With<Monster>>,
    mut commands: Commands,
    mut slain: Sender<Slain>,
) -> u32 {
    let mut count = 0;
    for monster in &monsters {
        commands.despawn(monster);
        count += 1;
    }
    slain.send(Slain(count));
    count
}

struct Listener;

impl System for Listener {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_slain);
    }
}

impl Listener {
    fn on_slain(&mut self, slain: &Slain, mut log: ResMut<Log>) {
        log.note(slain.0);
    }
}

#[test]
fn function_runs_at_once_and_its_events_are_delivered_in_the_next_frame() {
    let mut engine = log::engine();
    engine.add(Listener).unwrap();
    for _ in 0..3 {
        engine.spawn((Monster,));
    }
    assert_eq!(engine.run(kill_all_monsters), Ok(3));
    assert!(engine.entities().is_empty(), "its commands were applied at once");
    assert_eq!(log::logged(&mut engine), "");
    assert_eq!(log::frame(&mut engine), "3");
    assert_eq!(log::frame(&mut engine), "");
}

#[test]
fn events_of_functions_and_of_the_outside_keep_their_order() {
    let mut engine = log::engine();
    engine.add(Listener).unwrap().add(Speaker).unwrap();
    engine.send(Slain(10));
    engine.run(kill_all_monsters).unwrap();
    engine.send(Slain(11));
    engine.run_system::<Speaker>().unwrap();
    engine.send(Slain(12));
    engine.disable_system::<Speaker>().unwrap();
    assert_eq!(log::frame(&mut engine), "10 0 11 99 12");
}

struct Speaker;

impl System for Speaker {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::speak);
    }
}

impl Speaker {
    fn speak(&mut self, mut slain: Sender<Slain>, mut commands: Commands) {
        slain.send(Slain(99));
        commands.spawn((Monster,));
    }
}

#[test]
fn commands_of_a_system_run_by_hand_are_applied() {
    let mut engine = log::engine();
    engine.add(Speaker).unwrap();
    engine.run_system::<Speaker>().unwrap();
    assert_eq!(engine.query::<&Monster>().count(), 1);
    assert_eq!(engine.time().frame(), 0, "no frame ran");
}

#[test]
fn function_without_its_resource_is_not_run() {
    fn never(_: Res<u8>) {
        panic!("it must not be called");
    }
    let error = log::engine().run(never).unwrap_err();
    assert_eq!(error, Error::MissingResource { system: "never", resource: "u8" });
}

#[test]
fn first_command_that_fails_is_the_error_and_the_others_are_applied() {
    fn despawn_twice(monsters: Query<EntityId, With<Monster>>, mut commands: Commands) {
        for monster in &monsters {
            commands.despawn(monster);
            commands.despawn(monster);
        }
        commands.spawn(('x',));
    }
    let mut engine = log::engine();
    let monster = engine.spawn((Monster,));
    let error = engine.run(despawn_twice).unwrap_err();
    assert!(matches!(error, Error::Command(CommandFailure::NoSuchEntity(gone)) if gone.entity == monster));
    assert_eq!(engine.query::<&char>().count(), 1);
}

#[test]
fn function_can_enable_and_disable_systems() {
    fn off(mut commands: Commands) {
        commands.disable_system::<Listener>();
    }
    let mut engine = log::engine();
    assert!(engine.run(off).is_err());
    engine.add(Listener).unwrap();
    engine.run(off).unwrap();
    engine.send(Slain(1));
    assert_eq!(log::frame(&mut engine), "");
}

#[test]
fn closures_with_typed_parameters_can_be_run() {
    let mut engine = log::engine();
    engine.insert_resource(5_u8);
    assert_eq!(engine.run(|number: Res<'_, u8>| *number + 1), Ok(6));
    assert_eq!(engine.run(|| 7), Ok(7));
}

/// Counts spawned entities.
#[derive(Default)]
struct Midwife(u32);

impl System for Midwife {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_spawned);
    }
}

impl Midwife {
    fn on_spawned(&mut self, _: &Spawned) {
        self.0 += 1;
    }
}

#[test]
fn spawns_of_functions_are_announced_in_the_next_frame() {
    fn spawn(mut commands: Commands) {
        commands.spawn(());
        commands.spawn(());
    }
    let mut engine = log::engine();
    engine.add(Midwife::default()).unwrap();
    engine.run(spawn).unwrap();
    log::frame(&mut engine);
    assert_eq!(engine.system::<Midwife>().unwrap().0, 2);
}
