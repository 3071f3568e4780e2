//! A restore during which several drops panic leaves an empty and usable engine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ecs::{Commands, Engine, EntityId, Setup, System, Time, With};

use crate::panics;

const FRAME: Duration = Duration::from_millis(10);

/// Its drop panics while it is armed, also during another panic.
#[derive(Clone)]
struct Grenade<const KIND: usize>(Arc<AtomicBool>);

impl<const KIND: usize> Drop for Grenade<KIND> {
    fn drop(&mut self) {
        assert!(!self.0.load(Ordering::Relaxed), "the flag is set");
    }
}

/// Despawns an entity whose drop panics, so that the commands behind it wait; spawns a number in all other frames.
#[derive(Clone)]
struct Thrower {
    victim: Option<EntityId>,
    is_armed: Arc<AtomicBool>,
}

impl System for Thrower {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::throw);
    }
}

impl Thrower {
    fn throw(&mut self, time: Time, mut commands: Commands) {
        let Some(victim) = self.victim.take() else {
            return commands.spawn((time.frame(),));
        };
        commands.despawn(victim);
        commands.spawn((Grenade::<0>(Arc::clone(&self.is_armed)),));
        commands.spawn((666_u64,));
    }
}

#[test]
fn restore_with_several_panicking_drops_leaves_an_empty_engine() {
    let mut engine = Engine::new();
    let is_armed = Arc::new(AtomicBool::new(false));
    engine.add(Thrower { victim: None, is_armed: Arc::clone(&is_armed) }).unwrap();
    let types =
        engine.types_mut().component::<u64>("number").unwrap().system_by("thrower", |_: &Thrower, _| {}).unwrap();
    types
        .component_by("first", |_: &Grenade<0>, _| {})
        .unwrap()
        .component_by("second", |_: &Grenade<1>, _| {})
        .unwrap();
    let (before, hash_before) = (engine.snapshot().unwrap(), engine.state_hash().unwrap());

    let victim = engine.spawn((Grenade::<0>(Arc::clone(&is_armed)),));
    engine.system_mut::<Thrower>().unwrap().victim = Some(victim);
    is_armed.store(true, Ordering::Relaxed);
    assert!(panics(|| engine.update(FRAME)), "two commands wait");
    // One in the first pool, which is cleared first, and several in the other pool.
    engine.spawn((Grenade::<0>(Arc::clone(&is_armed)), 1_u64));
    (0..2).for_each(|_| _ = engine.spawn((Grenade::<1>(Arc::clone(&is_armed)), 1_u64)));
    for _ in 0..2 {
        let grenade = Grenade::<2>(Arc::clone(&is_armed));
        engine.every(FRAME, move |_: Time| _ = &grenade).unwrap();
    }
    assert!(panics(|| engine.restore(&before)));

    is_armed.store(false, Ordering::Relaxed);
    assert_eq!(engine.entities().len(), 0);
    assert!(engine.components().pool::<u64>().unwrap().is_empty());
    assert!(engine.components().pool::<Grenade<0>>().unwrap().is_empty());
    assert!(engine.components().pool::<Grenade<1>>().unwrap().is_empty());
    engine.system_mut::<Thrower>().unwrap().victim = None;
    engine.update(FRAME).unwrap();
    let frame = engine.time().frame();
    assert!(engine.query::<&u64>().iter().eq([&frame]), "each command has its own bundle");
    engine.restore(&before).unwrap();
    assert_eq!(engine.state_hash().unwrap(), hash_before);
}

/// Records a command in each frame, and panics in some.
#[derive(Clone)]
struct Unlucky(bool);

impl System for Unlucky {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|own: &mut Self, mut commands: Commands| {
            commands.spawn((1_u64,));
            assert!(!own.0, "the flag is set");
        });
    }
}

#[test]
fn snapshot_is_refused_while_commands_wait_after_a_panic() {
    let mut engine = Engine::new();
    engine.add(Unlucky(false)).unwrap();
    engine.types_mut().component::<u64>("number").unwrap().system_by("unlucky", |_: &Unlucky, _| {}).unwrap();
    let before = engine.snapshot().unwrap();
    engine.system_mut::<Unlucky>().unwrap().0 = true;
    assert!(panics(|| engine.update(FRAME)));
    let expected = "commands wait, since a panic ended the last frame: run a frame first, which applies them";
    assert_eq!(engine.snapshot().err().unwrap().to_string(), expected);
    assert_eq!(engine.state_hash().err().unwrap().to_string(), expected);
    engine.system_mut::<Unlucky>().unwrap().0 = false;
    engine.update(FRAME).unwrap();
    assert_eq!(engine.entities().len(), 2, "one command per frame");
    engine.snapshot().unwrap();

    engine.system_mut::<Unlucky>().unwrap().0 = true;
    assert!(panics(|| engine.update(FRAME)));
    engine.restore(&before).unwrap();
    engine.snapshot().unwrap();
    engine.update(FRAME).unwrap();
    assert_eq!(engine.entities().len(), 1, "a restore drops waiting commands");
}

/// Its `Clone` panics while it is armed.
struct Shy(Arc<AtomicBool>);

impl Clone for Shy {
    fn clone(&self) -> Self {
        assert!(!self.0.load(Ordering::Relaxed), "the flag is set");
        Self(Arc::clone(&self.0))
    }
}

#[test]
fn engine_is_usable_with_new_kinds_after_a_clone_panicked_during_a_restore() {
    let mut engine = Engine::new();
    let is_armed = Arc::new(AtomicBool::new(false));
    let types = engine.types_mut().component_by("shy", |_: &Shy, _| {}).unwrap();
    types.component::<u8>("byte").unwrap().component::<u32>("small").unwrap().component::<u64>("large").unwrap();
    engine.spawn((Shy(Arc::clone(&is_armed)),));
    let before = engine.snapshot().unwrap();
    engine.spawn((Shy(Arc::clone(&is_armed)),));
    engine.spawn((1_u32, 2_u64));
    is_armed.store(true, Ordering::Relaxed);
    assert!(panics(|| engine.restore(&before)));
    is_armed.store(false, Ordering::Relaxed);

    let byte = engine.spawn((3_u8,));
    assert_eq!(engine.query_filtered::<EntityId, With<u32>>().count(), 0);
    assert!(!engine.has::<u64>(byte) && engine.get(byte) == Some(&3_u8));
    let pair = engine.spawn((4_u32, 5_u64));
    assert_eq!(engine.query::<(EntityId, &u32, &u64)>().single(), Ok((pair, &4, &5)));
}
