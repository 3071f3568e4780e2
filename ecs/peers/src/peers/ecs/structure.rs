//! Structural changes, on this framework.

use ecs::{Changed, Engine, EntityId, Query, Setup, System};

use crate::cases::Work;
use crate::components::{A, B, Position, Rotation, Transform, Velocity, four, numbers, shuffled, sum};
use crate::stopwatch::{Runner, on_new, there_and_back};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::InsertRemove => insert_remove(Engine::new(), count, IN_POOL),
        Work::InsertRemoveEach => insert_remove(Engine::new(), count, EACH),
        Work::InsertRemoveInBulk => insert_remove(Engine::new(), count, MANY),
        Work::SpawnInBulk => on_new(Engine::new, move |engine| drop(engine.spawn_many((0..count).map(four))), checksum),
        Work::SpawnColumns => spawn_columns(count),
        Work::Spawn => on_new(Engine::new, move |engine| spawn(engine, count), checksum),
        Work::Respawn => respawn(Engine::new(), count),
        Work::RespawnEach => respawn_each(Engine::new(), count),
        Work::RespawnEachTracked => respawn_each(tracked(), count),
        Work::SaveLoad => save_load(count),
        _ => return None,
    })
}

type Change = fn(&mut Engine, &[EntityId]);

/// Borrows the pool once, as others borrow their storages.
const IN_POOL: [Change; 2] = [
    |engine, ids| {
        let mut pool = engine.pool_mut::<B>();
        for entity in ids {
            pool.insert(*entity, B(1.0)).expect("all entities are alive");
        }
    },
    |engine, ids| {
        let mut pool = engine.pool_mut::<B>();
        for entity in ids {
            pool.remove(*entity).expect("it was just inserted");
        }
    },
];

const EACH: [Change; 2] = [
    |engine, ids| {
        for entity in ids {
            engine.insert(*entity, (B(1.0),)).expect("all entities are alive");
        }
    },
    |engine, ids| {
        for entity in ids {
            engine.remove::<B>(*entity).expect("it was just inserted");
        }
    },
];

const MANY: [Change; 2] = [
    |engine, ids| engine.insert_many(ids.iter().map(|entity| (*entity, (B(1.0),)))).expect("all entities are alive"),
    |engine, ids| engine.remove_many::<B>(ids.iter().copied()).expect("it was just inserted"),
];

fn insert_remove(mut engine: Engine, count: usize, [insert, remove]: [Change; 2]) -> Runner {
    let ids: Vec<EntityId> = (0..count).map(|n| engine.spawn((A(n as f32),))).collect();
    there_and_back(
        (engine, ids),
        move |(engine, ids)| insert(engine, ids),
        move |(engine, ids)| remove(engine, ids),
        |(engine, _)| sum(engine.query::<&A>().iter().map(|a| [a.0])) + engine.query::<&B>().count() as u64,
    )
}

type Columns = (Vec<Transform>, Vec<Position>, Vec<Rotation>, Vec<Velocity>);

/// The engine takes ownership of columns, so it gets a copy.
fn spawn_columns(count: usize) -> Runner {
    let mut columns = Columns::default();
    for (transform, position, rotation, velocity) in (0..count).map(four) {
        columns.0.push(transform);
        columns.1.push(position);
        columns.2.push(rotation);
        columns.3.push(velocity);
    }
    on_new(
        Engine::new,
        move |engine| drop(engine.spawn_columns(columns.clone()).expect("the columns have one length")),
        checksum,
    )
}

fn spawn(engine: &mut Engine, count: usize) {
    for n in 0..count {
        engine.spawn(four(n));
    }
}

fn checksum(engine: &mut Engine) -> u64 {
    let query = engine.query::<(&Transform, &Position, &Rotation, &Velocity)>();
    sum(query.iter().map(|(transform, position, rotation, velocity)| numbers(transform, position, rotation, velocity)))
}

fn respawn(mut engine: Engine, count: usize) -> Runner {
    let ids = engine.spawn_many((0..count).map(four));
    there_and_back(
        (engine, ids),
        |(engine, ids)| engine.despawn_many(ids.drain(..)).expect("all entities are alive"),
        move |(engine, ids)| *ids = engine.spawn_many((0..count).map(four)),
        |(engine, _)| checksum(engine),
    )
}

fn respawn_each(mut engine: Engine, count: usize) -> Runner {
    let ids = engine.spawn_many((0..count).map(four));
    there_and_back(
        (engine, ids, shuffled(count)),
        |(engine, ids, order)| {
            for n in order {
                engine.despawn(ids[*n as usize]).expect("all entities are alive");
            }
        },
        |(engine, ids, order)| {
            for n in order {
                ids[*n as usize] = engine.spawn(four(*n as usize));
            }
        },
        |(engine, ..)| checksum(engine),
    )
}

/// Asks for changed positions, so they are tracked.
struct Watcher;

impl System for Watcher {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::watch);
    }
}

impl Watcher {
    fn watch(&mut self, _: Query<&Position, Changed<Position>>) {}
}

/// An engine that tracks changes and has a parent with a child.
fn tracked() -> Engine {
    let mut engine = Engine::new();
    engine.add(Watcher).expect("the system is valid");
    let [parent, child] = [engine.spawn(()), engine.spawn(())];
    engine.set_parent(child, parent).expect("both exist");
    engine
}

/// An engine with the components registered for saving.
fn saved() -> Engine {
    let mut engine = Engine::new();
    register(&mut engine).expect("the names differ");
    engine
}

fn register(engine: &mut Engine) -> Result<(), ecs::snapshot::SnapshotError> {
    let types = engine.types_mut();
    types.component_by::<Transform>("transform", |_, _| {})?.save::<Transform>(1)?;
    types.component_by::<Position>("position", |_, _| {})?.save::<Position>(1)?;
    types.component_by::<Rotation>("rotation", |_, _| {})?.save::<Rotation>(1)?;
    types.component_by::<Velocity>("velocity", |_, _| {})?.save::<Velocity>(1)?;
    Ok(())
}

fn save_load(count: usize) -> Runner {
    on_new(
        move || {
            let mut engine = saved();
            engine.spawn_many((0..count).map(four));
            (engine, saved())
        },
        |(engine, later)| {
            let mut file = Vec::new();
            engine.save(&mut file).expect("all types are registered");
            later.load(&mut file.as_slice()).expect("it was just saved");
        },
        |(_, later)| checksum(later),
    )
}
