//! The heap memory of an engine: reported by part, reserved in advance, freed on request.

use ecs::{Commands, Engine, EntityId, Query, Sender, Setup, Spawner, System};

use super::log::FRAME;

struct Position(#[allow(dead_code)] [f32; 3]);
struct Velocity(#[allow(dead_code)] [f32; 3]);
struct Health(#[allow(dead_code)] u32);
struct Name(#[allow(dead_code)] u64);

#[derive(Clone, Copy)]
struct Noise(#[allow(dead_code)] [u64; 4]);

/// Sends many events and records many commands in the first frame, and few in the following ones.
struct Burst(usize);

impl System for Burst {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::burst);
    }
}

impl Burst {
    fn burst(&mut self, mut noise: Sender<Noise>, mut commands: Commands, old: Query<(EntityId, &Health)>) {
        commands.despawn_many(old.iter().map(|(entity, _)| entity));
        for n in 0..std::mem::replace(&mut self.0, 10) {
            noise.send(Noise([n as u64; 4]));
            commands.spawn((Health(n as u32),));
        }
    }
}

type Four = (Position, Velocity, Health, Name);

fn four(n: usize) -> Four {
    (Position([n as f32; 3]), Velocity([1.0; 3]), Health(n as u32), Name(n as u64))
}

/// Overhead in bytes per entity, and per component beyond its value.
fn overhead(engine: &mut Engine, count: usize) -> (f64, Vec<f64>) {
    let memory = engine.memory();
    let of_pool = |pool: &ecs::component::ComponentInfo| {
        let values = pool.len * pool.value_bytes;
        (pool.value_bytes_held + pool.index_bytes_held - values) as f64 / pool.len as f64
    };
    (memory.entities.held_bytes as f64 / count as f64, memory.pools.iter().map(of_pool).collect())
}

#[test]
fn entity_takes_16_bytes_and_a_component_nothing_beyond_its_value() {
    const COUNT: usize = 100_000;
    let mut engine = Engine::builder().entities(COUNT).build();
    engine.reserve::<Four>(COUNT);
    engine.spawn_many((0..COUNT).map(four));
    let (entity, components) = overhead(&mut engine, COUNT);
    assert!(entity <= 16.01, "{entity} bytes for each entity");
    assert!(components.iter().all(|bytes| *bytes <= 0.01), "{components:?} bytes for each component");
}

#[test]
fn shrink_frees_memory_that_grew() {
    const COUNT: usize = 70_000;
    let mut engine = Engine::new();
    let ids: Vec<_> = (0..COUNT).map(|n| engine.spawn(four(n))).collect();
    engine.despawn_many(ids[40_000..].iter().copied()).unwrap();
    let before = engine.memory();
    assert_eq!(before.pools[0].peak, COUNT);
    assert_eq!(before.entities.peak, COUNT);
    engine.shrink();
    let (_, components) = overhead(&mut engine, 40_000);
    assert!(components.iter().all(|bytes| *bytes <= 0.01), "{components:?} bytes for each component");
    let (slots, rows) = (COUNT * 8, 40_000 * 8);
    let entities = engine.memory().entities.held_bytes;
    assert!(
        (slots + rows..slots + rows + 1_000).contains(&entities),
        "one slot per entity that ever existed: {entities}"
    );
    assert!(engine.memory().held_bytes() < before.held_bytes() * 3 / 4);
    assert!(engine.get::<Name>(ids[39_999]).is_some_and(|name| name.0 == 39_999));
    let again = engine.spawn(four(7));
    assert_eq!(engine.query::<(&Position, &Name)>().count(), 40_001);
    assert!(engine.get::<Name>(again).is_some() && engine.get::<Name>(ids[69_999]).is_none());
}

#[test]
fn buffers_report_their_memory_and_peak() {
    let mut engine = Engine::new();
    engine.add(Burst(1_000)).unwrap();
    (0..3).for_each(|_| engine.update(FRAME).unwrap());
    let memory = engine.memory();
    let buffer = memory.buffers.iter().find(|buffer| buffer.system == "Burst").copied().unwrap();
    assert!(buffer.event_bytes_peak >= 32_000 && buffer.event_bytes_held >= 32_000, "{buffer:?}");
    assert!(buffer.command_bytes_held >= 1_000 * 4, "{buffer:?}");
    let printed = memory.to_string();
    assert!(printed.contains("  pool Health: 10, at most 1000: values "), "{printed}");
    assert!(printed.contains("  buffer of Burst: events "), "{printed}");

    engine.shrink();
    let buffer = engine.memory().buffers[1];
    assert!(buffer.event_bytes_held < 4_096 && buffer.command_bytes_held < 1_000, "{buffer:?}");
    assert!(buffer.event_bytes_peak >= 32_000, "the peak stays");
    engine.update(FRAME).unwrap();
    assert_eq!(engine.query::<&Health>().count(), 10);
}

struct Listener;

impl System for Listener {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_noise);
    }
}

impl Listener {
    fn on_noise(&mut self, _: &Noise) {}
}

#[test]
fn waiting_events_survive_shrink() {
    let mut engine = Engine::new();
    engine.add(Listener).unwrap();
    engine.send(Noise([1; 4]));
    engine.shrink();
    engine.update(FRAME).unwrap();
    assert_eq!(engine.events().counters::<Noise>().unwrap().delivered, 1);
}

#[test]
fn columns_of_many_kinds_are_reported() {
    struct Tag<const N: usize>;
    fn tag<const N: usize>(commands: &mut Commands, entity: EntityId, set: usize) {
        if set >> N & 1 == 1 {
            commands.insert(entity, (Tag::<N>,));
        }
    }
    let mut engine = Engine::new();
    engine
        .run(|mut spawner: Spawner, mut commands: Commands| {
            for set in 0..64 {
                let entity = spawner.spawn((Name(0),));
                tag::<0>(&mut commands, entity, set);
                tag::<1>(&mut commands, entity, set);
                tag::<2>(&mut commands, entity, set);
                tag::<3>(&mut commands, entity, set);
                tag::<4>(&mut commands, entity, set);
                tag::<5>(&mut commands, entity, set);
            }
        })
        .unwrap();
    let memory = engine.memory();
    let pool = memory.pools.iter().find(|pool| pool.name == "Name").unwrap();
    assert!(pool.index_bytes_held >= 64 * size_of::<Vec<Name>>(), "{} bytes", pool.index_bytes_held);
}
