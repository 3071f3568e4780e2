//! Comparing an engine with a snapshot changes nothing visible.

use std::time::Duration;

use ecs::{
    CommandFailure, Commands, Engine, EntityId, ResMut, Sender, Setup, Spawned, System, snapshot::RecordedState,
};
use proptest::prelude::*;

use super::world::{self, Dice, Settings};

const FRAME: Duration = Duration::from_millis(10);

fn count(mut runs: ResMut<u32>) {
    *runs += 1;
}

fn counting() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(0_u32);
    engine.types_mut().resource::<u32>("runs").unwrap();
    engine
}

#[test]
fn unnamed_function_missing_in_the_recording_still_runs() {
    let mut engine = counting();
    let recorded = engine.snapshot().unwrap();
    let function = engine.every(FRAME, count).unwrap();
    assert_eq!(recorded.difference(&mut engine).unwrap().unwrap().to_string(), "timers differ");
    engine.update(FRAME).unwrap();
    assert_eq!(*engine.resource::<u32>().unwrap(), 1);
    assert!(engine.cancel(function));
}

#[test]
fn unnamed_function_only_in_the_recording_is_a_difference() {
    let mut engine = counting();
    let function = engine.every(FRAME, count).unwrap();
    let recorded = engine.snapshot().unwrap();
    assert_eq!(recorded.difference(&mut engine).unwrap(), None);
    engine.cancel(function);
    assert_eq!(recorded.difference(&mut engine).unwrap().unwrap().to_string(), "timers differ");
    assert_eq!(engine.systems().len(), 0);
}

/// Despawns its entity twice, which is an error.
#[derive(Clone, Default)]
struct Clumsy {
    last: Option<EntityId>,
}

impl System for Clumsy {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::spawn).listen(|clumsy: &mut Self, spawned: &Spawned| clumsy.last = Some(spawned.entity));
    }
}

impl Clumsy {
    fn spawn(&mut self, mut commands: Commands) {
        commands.spawn((7_u32,));
        for _ in 0..2 {
            self.last.into_iter().for_each(|entity| commands.despawn(entity));
        }
    }
}

#[test]
fn command_errors_and_causes_survive_a_comparison() {
    let mut engine = Engine::builder().trace_causes(10).build();
    engine.add(Clumsy::default()).unwrap();
    engine.types_mut().component::<u32>("number").unwrap();
    engine.types_mut().system_by("clumsy", |clumsy: &Clumsy, hash| _ = hash.printed(&clumsy.last)).unwrap();
    let recorded = engine.snapshot().unwrap();
    engine.update(FRAME).unwrap();
    engine.update(FRAME).unwrap();
    let (entity, errors) = (engine.system::<Clumsy>().unwrap().last.unwrap(), engine.command_errors().to_vec());
    assert!(
        matches!(errors.as_slice(), [error] if matches!(error.failure, CommandFailure::NoSuchEntity(_))),
        "{errors:?}"
    );
    let why = engine.why(entity).to_string();
    let causes = engine.why_event::<Spawned>().to_string();
    assert!(why.contains("Clumsy"), "{why}");
    assert!(recorded.difference(&mut engine).unwrap().is_some());
    assert_eq!(engine.command_errors(), errors);
    assert_eq!((engine.why(entity).to_string(), engine.why_event::<Spawned>().to_string()), (why, causes));
}

#[test]
fn waiting_events_hash_equally_in_any_memory_layout() {
    let make = || {
        let mut engine = Engine::new();
        engine.types_mut().event::<u64>("number").unwrap();
        engine
    };
    let mut engine = make();
    for batch in [1, 10, 1_000, 100_000] {
        engine.run(move |mut numbers: Sender<u64>| (0..batch).for_each(|n| numbers.send(n))).unwrap();
        (0..batch).for_each(|n| engine.send(n));
    }
    let (hash, snapshot) = (engine.state_hash().unwrap(), engine.snapshot().unwrap());
    let mut other = make();
    other.restore(&snapshot).unwrap();
    assert_eq!(other.state_hash().unwrap(), hash);
    assert_eq!(snapshot.difference(&mut other).unwrap(), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn comparison_agrees_with_hashes_and_changes_nothing(
        seed in any::<u32>(),
        script in any::<u32>(),
        before in 0_u32..8,
        between in 0_u32..3,
        traced_frames in prop::sample::select(vec![0_usize, 5]),
    ) {
        let settings = Settings { seed: seed.into(), threads: 1, functions_own_values: true, traced_frames };
        let (mut engine, mut copy, mut dice) = (world::empty(settings), world::empty(settings), Dice(script.into()));
        let mut copy_dice = dice;
        for engine in [(&mut engine, &mut dice), (&mut copy, &mut copy_dice)] {
            world::run(engine.0, before, *engine.1);
        }
        let (recorded, hash) = (engine.snapshot().unwrap(), engine.state_hash().unwrap());
        for engine in [&mut engine, &mut copy] {
            let mut dice = Dice(script.wrapping_add(1).into());
            for _ in 0..between {
                world::disturb(engine, &mut dice);
                engine.update(FRAME).unwrap();
            }
            world::disturb(engine, &mut dice);
        }
        let expected = hash.first_difference(&engine.state_hash().unwrap()).map(ToString::to_string);
        let found = recorded.difference(&mut engine).unwrap();
        let found = found.map(|found| found.kind.map_or(found.name.to_string(), |kind| format!("{kind} \"{}\"", found.name)));
        prop_assert_eq!(found, expected);
        prop_assert_eq!(engine.command_errors(), copy.command_errors());
        // Comparing adds new functions to the execution order, as the next frame would.
        copy.order().unwrap();
        prop_assert_eq!(world::dump(&mut engine), world::dump(&mut copy));
        let dice = Dice(script.wrapping_add(2).into());
        prop_assert_eq!(world::run(&mut engine, 4, dice), world::run(&mut copy, 4, dice));
    }
}
