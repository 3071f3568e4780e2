//! An engine after a system, a listener or a component panicked: usable, consistent, and droppable.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::{Commands, Engine, Query, Res, ResMut, Sender, Setup, Spawner, System};

use super::log::{self, FRAME, Log};

#[derive(Clone, Copy)]
struct Tick(u32);

/// Panics where it is told to, after it sent and asked for something.
#[derive(Default)]
struct Bomb {
    in_update: bool,
    in_listener: bool,
    in_exclusive: bool,
}

impl System for Bomb {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update).listen(Self::on_tick).update_exclusive(Self::whole);
    }
}

impl Bomb {
    fn update(
        &mut self,
        mut log: ResMut<Log>,
        mut numbers: Query<&mut u32>,
        mut ticks: Sender<Tick>,
        mut commands: Commands,
        mut spawner: Spawner,
    ) {
        log.note("update");
        numbers.iter_mut().for_each(|number| *number += 1);
        ticks.send(Tick(1));
        commands.spawn((0_u32,));
        spawner.spawn((String::from("x"),));
        assert!(!self.in_update, "told to");
    }

    fn on_tick(&mut self, tick: &Tick, mut log: ResMut<Log>, mut ticks: Sender<Tick>, numbers: Query<&u32>) {
        log.note(format!("tick{}[{}]", tick.0, numbers.count()));
        if tick.0 == 1 {
            ticks.send(Tick(2));
        }
        assert!(!self.in_listener, "told to");
    }

    fn whole(&mut self, world: &mut ecs::World) {
        world.send(Tick(3));
        assert!(!self.in_exclusive, "told to");
    }
}

fn quietly<R>(act: impl FnOnce() -> R) -> bool {
    catch_unwind(AssertUnwindSafe(act)).is_err()
}

fn armed(bomb: Bomb) -> Engine {
    let mut engine = log::engine();
    engine.add(bomb).unwrap();
    assert!(quietly(|| engine.update(FRAME)));
    *engine.system_mut::<Bomb>().unwrap() = Bomb::default();
    engine
}

#[test]
fn engine_works_on_after_a_system_panicked() {
    let mut engine = armed(Bomb { in_update: true, ..Bomb::default() });
    log::logged(&mut engine);
    log::frame(&mut engine);
    assert_eq!(engine.query::<&u32>().count(), 2, "what was asked for before the panic is applied with the rest");
    log::frame(&mut engine);
    assert_eq!(log::frame(&mut engine), "update tick1[3] tick3[3] tick2[3]", "it has settled");
    assert_eq!(engine.query::<&String>().count(), 4);
}

#[test]
fn engine_works_on_after_a_listener_panicked() {
    let mut engine = armed(Bomb { in_listener: true, ..Bomb::default() });
    log::frame(&mut engine);
    log::frame(&mut engine);
    let count = engine.query::<&u32>().count();
    assert_eq!(log::frame(&mut engine), format!("update tick1[{count}] tick3[{count}] tick2[{count}]"));
}

#[test]
fn engine_works_on_after_an_exclusive_method_panicked() {
    let mut engine = armed(Bomb { in_exclusive: true, ..Bomb::default() });
    log::frame(&mut engine);
    log::frame(&mut engine);
    assert_eq!(log::frame(&mut engine), "update tick1[3] tick3[3] tick2[3]");
}

#[test]
fn engine_can_be_dropped_after_any_panic() {
    let token = std::sync::Arc::new(());
    for bomb in [
        Bomb { in_update: true, ..Bomb::default() },
        Bomb { in_listener: true, ..Bomb::default() },
        Bomb { in_exclusive: true, ..Bomb::default() },
    ] {
        let mut engine = armed(bomb);
        engine.spawn((token.clone(),));
        drop(engine);
    }
    assert_eq!(std::sync::Arc::strong_count(&token), 1);
}

#[test]
fn engine_works_on_after_a_function_panicked() {
    fn explode(mut numbers: Query<&mut u32>, mut ticks: Sender<Tick>, mut spawner: Spawner, _: Res<Log>) {
        numbers.iter_mut().for_each(|number| *number += 1);
        ticks.send(Tick(9));
        spawner.spawn((5_u32,));
        panic!("told to");
    }
    let mut engine = log::engine();
    engine.add(Bomb::default()).unwrap();
    engine.spawn((1_u32,));
    assert!(quietly(|| engine.run(explode)));
    assert_eq!(engine.query::<&u32>().single(), Ok(&2));
    assert_eq!(log::frame(&mut engine), "update tick1[1] tick3[1] tick2[1]", "what it sent went with it");
    assert_eq!(engine.entities().len(), 3);
}

/// A component whose drop panics where it is told to.
struct Fragile(bool);

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(!self.0 || std::thread::panicking(), "told to");
    }
}

#[test]
fn entity_whose_component_panics_when_dropped_is_gone_with_all_others() {
    let mut engine = Engine::new();
    engine.spawn((Fragile(false),));
    let others: Vec<_> = (0..3_u32).map(|n| engine.spawn((n, 'o'))).collect();
    let entity = engine.spawn((Fragile(true), 7_u32, 'x'));
    engine.despawn(others[0]).unwrap();
    assert!(quietly(|| engine.despawn(entity)));
    assert!(!engine.contains(entity));
    assert_eq!(engine.components().pool::<u32>().unwrap().len(), 2, "no component of it stays behind");
    assert_eq!(engine.components().pool::<char>().unwrap().len(), 2);
    assert_eq!(engine.components().pool::<Fragile>().unwrap().len(), 1);
    let again = engine.spawn((8_u32, 'y', Fragile(false)));
    engine.despawn(others[1]).unwrap();
    assert_eq!(engine.query::<(&u32, &char)>().get(again), Some((&8, &'y')));
    assert_eq!(engine.query::<&u32>().count(), 2);
}

#[test]
fn replacing_a_component_whose_drop_panics_leaves_the_new_one() {
    let mut engine = Engine::new();
    let entity = engine.spawn((Fragile(true),));
    assert!(quietly(|| engine.insert(entity, (Fragile(false), 'x'))));
    assert!(!engine.get::<Fragile>(entity).unwrap().0);
    engine.insert(entity, (Fragile(false), 'y')).unwrap();
    assert_eq!(engine.get::<char>(entity), Some(&'y'));
}

/// Spawns a number in every frame, and in the first one also removes what can not be dropped.
struct Recorder(Option<ecs::EntityId>);

impl System for Recorder {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::record);
    }
}

impl Recorder {
    fn record(&mut self, mut commands: Commands, time: ecs::Time) {
        if let Some(entity) = self.0.take() {
            commands.remove::<Fragile>(entity);
        }
        commands.spawn((time.frame(),));
    }
}

#[test]
fn commands_behind_one_that_panicked_are_applied_in_the_next_frame() {
    let mut engine = Engine::new();
    let entity = engine.spawn((Fragile(true),));
    engine.add(Recorder(Some(entity))).unwrap();
    assert!(quietly(|| engine.update(FRAME)));
    assert!(engine.query::<&u64>().is_empty());
    engine.update(FRAME).unwrap();
    assert!(engine.query::<&u64>().iter().eq(&[1, 2]), "in the order of recording");
    engine.update(FRAME).unwrap();
    assert_eq!(engine.query::<&u64>().count(), 3, "and nothing lags behind for ever");
}
