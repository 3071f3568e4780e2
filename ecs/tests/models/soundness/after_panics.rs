//! What is left after a panic and after a restored snapshot does not depend on how the engine works inside.

use std::time::Duration;

use ecs::prelude::*;
use ecs::snapshot::StateHasher;
use ecs::system::CatchUp;
use ecs::{CommandFailure, EngineBuilder, ResMut};

use crate::panics;

const FRAME: Duration = Duration::from_millis(10);

/// Large enough that twenty of them need several chunks of a buffer.
#[derive(Clone, Copy)]
struct Large(u64, #[expect(dead_code, reason = "only its size matters")] [u64; 12]);

struct Bomb;

impl System for Bomb {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, large: &Large| assert_ne!(large.0, 15, "the fifteenth event"));
    }
}

fn waiting_after_a_panic(builder: EngineBuilder) -> usize {
    let mut engine = builder.build();
    engine.add(Bomb).unwrap();
    (1..=20).for_each(|n| engine.send(Large(n, [0; 12])));
    assert!(panics(|| engine.update(FRAME)));
    engine.events().waiting()
}

#[test]
fn waiting_events_do_not_depend_on_buffers_clock_and_trace() {
    let expected = waiting_after_a_panic(Engine::builder());
    assert_eq!(expected, 20, "the run waits whole, for listeners that subscribe meanwhile");
    assert_eq!(waiting_after_a_panic(Engine::builder().event_bytes(1 << 16)), expected);
    assert_eq!(waiting_after_a_panic(Engine::builder().clock(|| Duration::ZERO)), expected);
    assert_eq!(waiting_after_a_panic(Engine::builder().trace_causes(1)), expected);
}

#[derive(Clone, Default)]
struct Deltas(Vec<u128>);

fn note_delta(mut deltas: ResMut<Deltas>, time: Time) {
    deltas.0.push(time.delta().as_millis());
}

/// The deltas of a frame of 30 ms after `s1` is restored, which was taken of a function with the catch-up `first`; or
/// of the one with the catch-up `second`, whose snapshot reused the memory.
fn deltas_after_restoring(first: CatchUp, second: CatchUp, is_reused: bool) -> Vec<u128> {
    let mut engine = Engine::new();
    engine.types_mut().function("note delta", note_delta).unwrap();
    engine.types_mut().resource_by::<Deltas>("deltas", |_, _: &mut StateHasher| {}).unwrap();
    engine.insert_resource(Deltas::default());
    let before = engine.snapshot().unwrap();
    engine.add(note_delta.every(FRAME).catch_up(first)).unwrap();
    let mut snapshot = engine.snapshot().unwrap();
    engine.restore(&before).unwrap();
    engine.add(note_delta.every(FRAME).catch_up(second)).unwrap();
    if is_reused {
        engine.snapshot_into(&mut snapshot).unwrap();
        engine.restore(&before).unwrap();
    }
    engine.restore(&snapshot).unwrap();
    engine.update(3 * FRAME).unwrap();
    engine.resource::<Deltas>().unwrap().0.clone()
}

#[test]
fn restored_function_has_its_own_timing_although_its_key_was_used_again() {
    assert_eq!(deltas_after_restoring(CatchUp::Sum, CatchUp::EachInterval, false), [30]);
    assert_eq!(deltas_after_restoring(CatchUp::EachInterval, CatchUp::Sum, false), [10, 10, 10]);
    assert_eq!(deltas_after_restoring(CatchUp::Sum, CatchUp::EachInterval, true), [10, 10, 10]);
}

struct PanicsInDrop;

impl Drop for PanicsInDrop {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

struct Mark;

/// Removes a component that panics, in the first frame.
struct Remover(EntityId);

impl System for Remover {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::remove);
    }
}

impl Remover {
    fn remove(&mut self, time: Time, mut commands: Commands) {
        if time.frame() == 1 {
            commands.remove::<PanicsInDrop>(self.0);
        }
    }
}

/// Inserts the number of its frame.
struct Inserter(EntityId);

impl System for Inserter {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .after_type::<Remover>()
            .update(|system: &mut Self, mut commands: Commands| commands.insert(system.0, (1_u32,)));
    }
}

#[test]
fn function_cancelled_behind_a_panicking_command_stays_the_one_that_conflicts() {
    let mut engine = Engine::new();
    let target = engine.spawn((Mark,));
    let bomb = engine.spawn((PanicsInDrop,));
    engine.add(Remover(bomb)).unwrap().add(Inserter(target)).unwrap();
    let first = move |mut commands: Commands| commands.insert(target, (2_u32,));
    engine.add(first.priority(Priority::HIGHEST)).unwrap();
    let function = engine.systems().ids_of(first).next().unwrap();
    assert!(panics(|| engine.update(FRAME)));
    assert!(engine.cancel(function));
    engine.update(FRAME).unwrap();
    let failures: Vec<&CommandFailure> = engine.command_errors().iter().map(|error| &error.failure).collect();
    assert!(
        matches!(failures.as_slice(), [CommandFailure::Conflict { other, .. }, ..] if *other != "Inserter" && *other != "Remover"),
        "{failures:?}"
    );
    assert_eq!(engine.get(target), Some(&2_u32));
}
