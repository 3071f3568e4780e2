//! A system that iterates over the same pools frame after frame sees all changes between the frames.

use std::time::Duration;

use ecs::{Engine, EntityId, Query, Setup, Snapshot, System};
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
/// Keeps `Left` in an order of its own where the two are a group.
#[derive(Clone, Copy)]
struct Other;

#[derive(Clone, Default)]
struct Walker {
    seen: Vec<(EntityId, u32, u32)>,
    frames: u32,
}

impl System for Walker {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::walk);
    }
}

impl Walker {
    fn walk(&mut self, mut pairs: Query<(EntityId, &mut Left, &Right)>) {
        self.frames += 1;
        self.seen.clear();
        // As a whole, which uses the cached alignment; a `for` loop would not.
        pairs.iter_mut().for_each(|(entity, left, right)| self.seen.push((entity, left.0[1], right.0)));
    }
}

#[derive(Clone, Copy, Debug)]
enum Change {
    SpawnPair,
    SpawnRight,
    Despawn,
    RemoveLeft,
    InsertLeft,
    InsertOther,
    RemoveOther,
    Disable,
    Enable,
    DisableRight,
    EnableRight,
    Take,
    Restore,
}

use Change::*;

const CHANGES: [Change; 13] = [
    SpawnPair,
    SpawnRight,
    Despawn,
    RemoveLeft,
    InsertLeft,
    InsertOther,
    RemoveOther,
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
    fn new(is_grouped: bool) -> Self {
        let mut engine = Engine::new();
        if is_grouped {
            engine.group::<(Left, Other)>().expect("the group fits");
        }
        engine.add(Walker::default()).expect("the system fits");
        let types = engine.types_mut();
        types.component_by("left", |left: &Left, hash| _ = hash.add(&left.0[0])).expect("the name is free");
        types.component_by("right", |right: &Right, hash| _ = hash.add(&right.0)).expect("the name is free");
        types.component_by("other", |_: &Other, _| {}).expect("the name is free");
        types.leave_out_system::<Walker>();
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

    /// Runs several frames, since later iterations use the alignment that earlier ones cached.
    fn check(&mut self) {
        let mut expected = Vec::new();
        let Self { engine, entities, .. } = self;
        for (entity, left, right) in &engine.query::<(EntityId, &Left, &Right)>() {
            let number = entities.iter().position(|other| *other == entity).expect("it was spawned here") as u32;
            assert_eq!((left.0[2], right.0), (number, number));
            expected.push((entity, left.0[2], right.0));
        }
        for _ in 0..4 {
            engine.update(Duration::ZERO).expect("the frame succeeds");
            let walker = engine.system::<Walker>().expect("it was added");
            assert_eq!(walker.seen, expected, "frame {}", walker.frames);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn queries_of_a_system_see_every_change(
        is_grouped: bool,
        rounds in prop::collection::vec(
            prop::collection::vec((prop::sample::select(CHANGES.to_vec()), 0_usize..120), 0..4),
            1..12,
        ),
    ) {
        let mut world = World::new(is_grouped);
        for round in rounds {
            round.into_iter().for_each(|(change, target)| world.change(change, target));
            world.check();
        }
    }
}

#[test]
fn group_declared_between_frames_is_iterated_in_its_order() {
    let mut world = World::new(false);
    world.change(InsertOther, 50);
    world.change(InsertOther, 45);
    world.check();
    world.engine.group::<(Left, Right)>().expect("the group fits");
    world.check();
}

/// Swaps the `Left` of the last entity with that of another entity.
fn exchange_with_last(world: &mut World, target: usize) {
    world.change(RemoveLeft, target);
    world.change(InsertLeft, target);
    world.check();
}

#[test]
fn restore_invalidates_the_cached_alignment() {
    let mut world = World::new(false);
    exchange_with_last(&mut world, 70);
    world.change(Take, 0);
    // The last entity is 70 now, so all rows are in order again.
    exchange_with_last(&mut world, 99);
    world.change(Restore, 0);
    world.check();
}

#[test]
fn restore_followed_by_as_many_changes_invalidates_the_cached_alignment() {
    let mut world = World::new(false);
    exchange_with_last(&mut world, 50);
    world.change(Restore, 0);
    // As many changes since the snapshot as before, but different ones.
    exchange_with_last(&mut world, 97);
}
