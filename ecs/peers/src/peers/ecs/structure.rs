//! Changes of structure, on this framework.

use ecs::{Engine, EntityId};

use crate::cases::Work;
use crate::components::{A, B, Position, Rotation, Transform, Velocity, four, numbers, sum};
use crate::stopwatch::{Runner, on_new, repeated};

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    Some(match work {
        Work::InsertRemove => insert_remove(count),
        Work::Spawn => on_new(Engine::new, move |engine| spawn(engine, count), checksum),
        Work::Respawn => respawn(count),
        _ => return None,
    })
}

fn insert_remove(count: usize) -> Runner {
    let mut engine = Engine::new();
    let ids: Vec<EntityId> = (0..count).map(|n| engine.spawn((A(n as f32),))).collect();
    repeated(
        (engine, ids),
        |(engine, ids)| {
            for entity in &*ids {
                engine.insert(*entity, (B(1.0),)).expect("nobody was despawned");
            }
            for entity in &*ids {
                engine.remove::<B>(*entity).expect("it was just inserted");
            }
        },
        |(engine, _)| {
            sum(engine.query::<&A>().values().iter().map(|a| [a.0])) + engine.query::<&B>().values().len() as u64
        },
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

fn respawn(count: usize) -> Runner {
    let mut engine = Engine::new();
    let ids: Vec<EntityId> = (0..count).map(|n| engine.spawn(four(n))).collect();
    repeated(
        (engine, ids),
        |(engine, ids)| {
            for entity in &*ids {
                engine.despawn(*entity).expect("nobody else despawns");
            }
            ids.iter_mut().enumerate().for_each(|(n, entity)| *entity = engine.spawn(four(n)));
        },
        |(engine, _)| checksum(engine),
    )
}
