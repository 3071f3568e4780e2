//! A system that iterates over the same pools frame after frame sees all changes between the frames.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::time::Duration;

use ecs::query::{Or, QueryFilter};
use ecs::{Engine, EntityId, Query, Setup, Snapshot, System, With, Without};
use proptest::prelude::*;

/// Holds the number of its entity three times, so values are visited four at a time.
#[derive(Clone, Copy)]
struct Left([u32; 3]);

impl Left {
    fn of(number: u32) -> Self {
        Self([number; 3])
    }
}

/// Holds the number of its entity.
#[derive(Clone, Copy)]
struct Right(u32);
#[derive(Clone, Copy)]
struct Other;
#[derive(Clone, Copy)]
struct Third;

type Row = (EntityId, u32, u32);

/// A system that iterates in each frame, by `for_each` and in a `for` loop.
struct Walker<F> {
    seen: Vec<Row>,
    seen_in_a_loop: Vec<Row>,
    frames: u32,
    filter: PhantomData<fn(F)>,
}

impl<F: QueryFilter + 'static> System for Walker<F> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::walk);
    }
}

impl<F: QueryFilter + 'static> Walker<F> {
    fn new() -> Self {
        Self { seen: Vec::new(), seen_in_a_loop: Vec::new(), frames: 0, filter: PhantomData }
    }

    fn walk(&mut self, mut pairs: Query<(EntityId, &mut Left, &Right, Option<&Other>), F>) {
        self.frames += 1;
        self.seen.clear();
        self.seen_in_a_loop.clear();
        // After a change, now this and now that way is the first iteration.
        if (self.frames / FRAMES).is_multiple_of(2) {
            self.walk_in_a_loop(&mut pairs);
        }
        pairs.iter_mut().for_each(|(entity, left, right, _)| self.seen.push((entity, left.0[1], right.0)));
        if !(self.frames / FRAMES).is_multiple_of(2) {
            self.walk_in_a_loop(&mut pairs);
        }
    }

    fn walk_in_a_loop(&mut self, pairs: &mut Query<(EntityId, &mut Left, &Right, Option<&Other>), F>) {
        for (entity, left, right, _) in pairs {
            self.seen_in_a_loop.push((entity, left.0[1], right.0));
        }
    }
}

/// The frames between two changes.
const FRAMES: u32 = 4;

#[derive(Clone, Copy, Debug)]
enum Change {
    SpawnPair,
    SpawnRight,
    Despawn,
    RemoveLeft,
    InsertLeft,
    InsertOther,
    RemoveOther,
    ToggleThird,
    Disable,
    Enable,
    DisableRight,
    EnableRight,
    Take,
    Restore,
}

use Change::*;

const CHANGES: [Change; 14] = [
    SpawnPair,
    SpawnRight,
    Despawn,
    RemoveLeft,
    InsertLeft,
    InsertOther,
    RemoveOther,
    ToggleThird,
    Disable,
    Enable,
    DisableRight,
    EnableRight,
    Take,
    Restore,
];

struct World {
    engine: Engine,
    /// All entities that were ever spawned, by number.
    entities: Vec<EntityId>,
    snapshot: Snapshot,
    /// The number of entities spawned before this world.
    spawned_before: usize,
}

impl World {
    fn new() -> Self {
        let mut engine = Engine::new();
        engine.add(Walker::<()>::new()).expect("the system fits");
        engine.add(Walker::<Without<Other>>::new()).expect("the system fits");
        engine.add(Walker::<With<Other>>::new()).expect("the system fits");
        engine.add(Walker::<Or<(With<Third>, Without<Other>)>>::new()).expect("the system fits");
        let types = engine.types_mut();
        types.component_by("left", |left: &Left, hash| _ = hash.add(&left.0[0])).expect("the name is free");
        types.component_by("right", |right: &Right, hash| _ = hash.add(&right.0)).expect("the name is free");
        types.component_by("other", |_: &Other, _| {}).expect("the name is free");
        types.component_by("third", |_: &Third, _| {}).expect("the name is free");
        types.leave_out_system::<Walker<()>>();
        types.leave_out_system::<Walker<Without<Other>>>();
        types.leave_out_system::<Walker<With<Other>>>();
        types.leave_out_system::<Walker<Or<(With<Third>, Without<Other>)>>>();
        let mut world = Self { engine, entities: Vec::new(), snapshot: Snapshot::new(), spawned_before: 0 };
        for number in 0..40 {
            world.entities.push(world.engine.spawn((Left::of(number),)));
        }
        (0..60).for_each(|_| world.change(SpawnPair, 0));
        world.change(Take, 0);
        world
    }

    /// A change that does not apply to the entity fails and changes nothing.
    fn change(&mut self, change: Change, target: usize) {
        let Self { engine, entities, snapshot, spawned_before } = self;
        let (number, next) = (target % entities.len().max(1), entities.len() as u32);
        let entity = entities.get(number).copied().unwrap_or_default();
        match change {
            SpawnPair => entities.push(engine.spawn((Left::of(next), Right(next)))),
            SpawnRight => entities.push(engine.spawn((Right(next),))),
            Despawn => _ = engine.despawn(entity),
            RemoveLeft => _ = engine.remove::<Left>(entity),
            InsertLeft => _ = engine.insert(entity, (Left::of(number as u32),)),
            InsertOther => _ = engine.insert(entity, (Other,)),
            RemoveOther => _ = engine.remove::<Other>(entity),
            ToggleThird if engine.has::<Third>(entity) => _ = engine.remove::<Third>(entity),
            ToggleThird => _ = engine.insert(entity, (Third,)),
            Disable => _ = engine.disable(entity),
            Enable => _ = engine.enable(entity),
            DisableRight => _ = engine.disable_component::<Right>(entity),
            EnableRight => _ = engine.enable_component::<Right>(entity),
            Take => {
                engine.snapshot_into(snapshot).expect("all types have names");
                *spawned_before = entities.len();
            }
            Restore => {
                engine.restore(snapshot).expect("it was taken of this engine");
                entities.truncate(*spawned_before);
            }
        }
    }

    fn check(&mut self) {
        let numbers = self.entities.iter().copied().zip(0..).collect();
        for _ in 0..FRAMES {
            self.engine.update(Duration::ZERO).expect("the frame succeeds");
            self.check_filter::<()>(&numbers);
            self.check_filter::<Without<Other>>(&numbers);
            self.check_filter::<With<Other>>(&numbers);
            self.check_filter::<Or<(With<Third>, Without<Other>)>>(&numbers);
        }
    }

    /// Compares with a query of the shared engine.
    fn check_filter<F: QueryFilter + 'static>(&mut self, numbers: &BTreeMap<EntityId, u32>) {
        let engine = &mut self.engine;
        let mut expected = Vec::new();
        engine.read_filtered::<(EntityId, &Left, &Right), F>().for_each(|(entity, left, right)| {
            let number = numbers[&entity];
            assert_eq!((left.0[2], right.0), (number, number));
            expected.push((entity, number, number));
        });
        let walker = engine.system::<Walker<F>>().expect("it was added");
        assert_eq!((&walker.seen, &walker.seen_in_a_loop), (&expected, &expected), "frame {}", walker.frames);
        let outside = engine.query_filtered::<(EntityId, &Left, &Right), F>();
        assert_eq!(
            outside.iter().map(|(entity, left, right)| (entity, left.0[0], right.0)).collect::<Vec<_>>(),
            expected
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn queries_of_a_system_see_every_change(
        rounds in prop::collection::vec(
            prop::collection::vec((prop::sample::select(CHANGES.to_vec()), 0_usize..120), 0..4),
            1..12,
        ),
    ) {
        let mut world = World::new();
        for round in rounds {
            round.into_iter().for_each(|(change, target)| world.change(change, target));
            world.check();
        }
    }
}

/// Swaps the `Left` of the last entity with that of another entity.
fn exchange_with_last(world: &mut World, target: usize) {
    world.change(RemoveLeft, target);
    world.change(InsertLeft, target);
    world.check();
}

#[test]
fn restore_is_seen_by_the_next_iteration() {
    let mut world = World::new();
    exchange_with_last(&mut world, 70);
    world.change(Take, 0);
    // The last entity is 70 now, so all rows are in order again.
    exchange_with_last(&mut world, 99);
    world.change(Restore, 0);
    world.check();
}

#[test]
fn restore_followed_by_as_many_changes_is_seen_by_the_next_iteration() {
    let mut world = World::new();
    exchange_with_last(&mut world, 50);
    world.change(Restore, 0);
    // As many changes since the snapshot as before, but different ones.
    exchange_with_last(&mut world, 97);
}
