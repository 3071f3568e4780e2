//! Forgotten guards, and memory that cannot be allocated.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::{Engine, EntityId, EntityManager, IncludeDisabled, Query, Spawner};

struct Position(f32);

#[expect(clippy::forget_non_drop, reason = "the test forgets guards without a destructor as well")]
#[test]
fn forgotten_views_leave_the_engine_usable() {
    let mut engine = Engine::new();
    let first = engine.spawn((Position(0.0),));
    let _: &EntityManager = engine.entities();
    std::mem::forget(engine.read::<(EntityId, Option<&Position>)>());
    std::mem::forget(engine.read_filtered::<EntityId, IncludeDisabled>());
    std::mem::forget(engine.read::<&Position>());
    std::mem::forget(engine.components().pool::<Position>());
    let second = engine.spawn((Position(1.0),));
    assert_eq!(engine.entities().len(), 2);
    engine.despawn(first).unwrap();
    engine.run(|mut spawner: Spawner| _ = spawner.spawn((Position(2.0),))).unwrap();
    engine.run(|mut query: Query<&mut Position>| query.iter_mut().for_each(|position| position.0 += 1.0)).unwrap();
    assert!(engine.contains(second));
    assert_eq!(engine.query::<&Position>().count(), 2);
}

/// The panic message of `act`.
fn panic_message(act: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(act)).expect_err("it panics");
    payload.downcast::<String>().map_or_else(|payload| (*payload.downcast::<&str>().unwrap()).to_owned(), |text| *text)
}

#[test]
fn impossible_reservation_panics_and_leaves_the_engine_usable() {
    let mut engine = Engine::new();
    engine.spawn((Position(0.0),));
    for additional in [usize::MAX, usize::MAX / 2, usize::MAX / size_of::<Position>()] {
        let message = panic_message(|| engine.reserve::<(Position,)>(additional));
        assert!(!message.contains("attempt to"), "arithmetic overflows: {message}");
        let message = panic_message(|| drop(Engine::builder().entities(additional).build()));
        assert!(!message.contains("attempt to"), "arithmetic overflows: {message}");
    }
    engine.spawn((Position(1.0),));
    assert_eq!(engine.query::<&Position>().count(), 2);
}
