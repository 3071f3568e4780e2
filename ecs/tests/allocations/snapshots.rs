//! A warm ring of snapshots allocates nothing.

use ecs::{
    Changed, Commands, Engine, EntityId, Query, ResMut, Sender, Setup, Snapshot, Spawned, StateHash, System, Time,
};

use super::{FRAME, touches_after};

#[derive(Clone, Copy)]
struct Position(f32);
#[derive(Clone, Copy)]
struct Rare(f32);
#[derive(Clone, Copy)]
struct Shot(u32);

/// Owns memory that `clone_from` reuses; a derived `Clone` would allocate.
struct Scores(Vec<u32>);

impl Clone for Scores {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

/// Moves all entities in each frame, writes rare components now and then, spawns and despawns. Its listeners record
/// commands in the last dispatch of a frame.
#[derive(Clone, Default)]
struct Stirring {
    oldest: u32,
}

impl System for Stirring {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::stir).pre_update(Self::touch).listen(Self::on_spawned).listen(Self::on_shot);
    }
}

impl Stirring {
    fn stir(&mut self, all: Query<(EntityId, &mut Position)>, mut commands: Commands, mut shots: Sender<Shot>) {
        let mut all = all;
        for (_, position) in &mut all {
            position.0 += 1.0;
        }
        self.oldest += 1;
        let oldest = all.iter().map(|(entity, _)| entity).min();
        commands.despawn_many(oldest);
        commands.spawn((Position(0.0),));
        shots.send(Shot(self.oldest));
    }

    fn touch(&mut self, time: Time, world: ResMut<Scores>, changed: Query<&Position, Changed<Position>>) {
        let mut scores = world;
        assert!(!changed.is_empty());
        if time.frame().is_multiple_of(3) {
            scores.0.rotate_left(1);
        }
    }

    fn on_spawned(&mut self, spawned: &Spawned, mut commands: Commands) {
        commands.insert(spawned.entity, (Rare(0.5),));
    }

    fn on_shot(&mut self, shot: &Shot) {
        self.oldest = shot.0;
    }
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.add(Stirring::default()).unwrap();
    engine.insert_resource(Scores((0..9).collect()));
    let types = engine.types_mut();
    types.component_by("position", |position: &Position, hash| _ = hash.add(&position.0)).unwrap();
    types.component_by("rare", |rare: &Rare, hash| _ = hash.add(&rare.0)).unwrap();
    types.event_by("shot", |shot: &Shot, hash| _ = hash.add(&shot.0)).unwrap();
    types.resource_by("scores", |scores: &Scores, hash| _ = hash.add(&scores.0)).unwrap();
    types.system_by("stirring", |stirring: &Stirring, hash| _ = hash.add(&stirring.oldest)).unwrap();
    engine.spawn_many((0..500).map(|n| (Position(n as f32), Rare(1.0))));
    engine
}

/// Heap operations in 50 calls of `frame`, after 30 calls.
fn touches(frame: impl FnMut(usize)) -> u64 {
    touches_after(30, frame)
}

#[test]
fn ring_of_snapshots_allocates_nothing() {
    let mut engine = engine();
    let mut ring: Vec<Snapshot> = (0..8).map(|_| Snapshot::new()).collect();
    let touched = touches(|frame| {
        engine.send(Shot(1));
        engine.snapshot_into(&mut ring[frame % 8]).unwrap();
        engine.update(FRAME).unwrap();
    });
    assert_eq!(touched, 0);
}

#[test]
fn restoring_allocates_nothing() {
    let mut engine = engine();
    let mut ring: Vec<Snapshot> = (0..4).map(|_| Snapshot::new()).collect();
    let touched = touches(|frame| {
        engine.send(Shot(1));
        engine.snapshot_into(&mut ring[frame % 4]).unwrap();
        engine.update(FRAME).unwrap();
        engine.update(FRAME).unwrap();
        engine.restore(&ring[frame.saturating_sub(1) % 4]).unwrap();
        engine.update(FRAME).unwrap();
    });
    assert_eq!(touched, 0);
}

#[test]
fn hashing_every_frame_allocates_nothing() {
    let mut engine = engine();
    let mut hash = StateHash::default();
    let touched = touches(|_| {
        engine.update(FRAME).unwrap();
        engine.state_hash_into(&mut hash).unwrap();
    });
    assert_eq!(touched, 0);
}
